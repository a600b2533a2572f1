// How a request reaches a server: over HTTP, or over the pipes of a program that is started for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
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
    /// When nobody waits for the response any more, on the clock of flows.
    std::uint64_t until_ms = mrtr::no_limit;
};

/// Sees each notification that comes before the response, and says until when that is waited for now.
using Notify = std::function<std::uint64_t(std::string_view message)>;

/// What went wrong on the way: the request may have arrived or not.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The request's time is over.
struct Late : std::runtime_error {
    Late() : std::runtime_error("the server did not answer in time") {}
};

/// What is left until a time, in milliseconds, as far as poll() can wait.
inline int left_ms(std::uint64_t until_ms) {
    const std::uint64_t now = mrtr_monotonic_ms(), most = std::numeric_limits<int>::max();
    return static_cast<int>(std::min(until_ms > now ? until_ms - now : 0, most));
}

class Transport {
public:
    virtual ~Transport() = default;
    /// Sends a request; the response message. Throws Broken; and Late when its time is over, whatever still comes in. The server is told then.
    virtual std::string send(const Request &request, const Notify &notify) = 0;
};

/// `http://host:port/path`, or else a command line whose words are split at spaces.
std::unique_ptr<Transport> connect_to(const std::string &server);
std::unique_ptr<Transport> start(const std::string &command);
