// JSON-RPC: one message in, one line of JSON out.
#pragma once

#include <cstdint>
#include <exception>
#include <mrtr.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace rpc {

inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int header_mismatch = -32020;

/// An error to answer with; `data` is JSON text or empty.
class Failure : public std::exception {
public:
    Failure(int code, std::string message, std::string data = {}, int http_status = 200);
    const char *what() const noexcept override { return message_.c_str(); }
    int http_status() const noexcept { return http_status_; }
    /// The error object as JSON text.
    std::string json() const;

private:
    int code_;
    std::string message_, data_;
    int http_status_;
};

/// A request or notification. The views look into the body it was read from.
struct Message {
    std::optional<std::string_view> id;  ///< raw, so that it is echoed as it came; none for a notification
    std::string method;
    std::optional<std::string_view> params;
};

/// Reads a message. Throws Failure.
Message read(std::string_view body);
/// Whether a message answers a request of ours.
bool is_response(std::string_view body) noexcept;
/// The raw id of a message that may be wrong otherwise, or `null`.
std::string_view id_of(std::string_view body) noexcept;

std::string response(std::string_view id, std::string_view result);
std::string error(std::string_view id, std::string_view error_object);
std::string notification(std::string_view method, std::string_view params);

/// What to tell the client about an exception, and with which HTTP status.
struct Told {
    std::string error_object;
    int http_status;
};
Told tell(const std::exception &e);

}  // namespace rpc
