// How a request reaches a server: over HTTP, or over the pipes of a program that is started for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mrtr.hpp>
#include <string>
#include <string_view>
#include <vector>

struct Request {
    std::uint64_t id = 0;
    /// The whole JSON-RPC message.
    std::string body;
    /// What the protocol wants beside it; only HTTP carries it.
    std::vector<mrtr::Header> headers;
    int timeout_ms = 0;
};

/// Sees each notification that comes before the response.
using Notify = std::function<void(std::string_view message)>;

/// What went wrong on the way: the request may have arrived or not.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Transport {
public:
    virtual ~Transport() = default;
    /// Sends a request; the response message. Throws Broken.
    virtual std::string send(const Request &request, const Notify &notify) = 0;
};

/// `http://host:port/path`, or else a command line whose words are split at spaces.
std::unique_ptr<Transport> connect_to(const std::string &server);
std::unique_ptr<Transport> start(const std::string &command);
