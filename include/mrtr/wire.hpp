// What goes beside the JSON of a request: HTTP headers, and the protocol version to speak.
#ifndef MRTR_WIRE_HPP
#define MRTR_WIRE_HPP

#include "base.hpp"

namespace mrtr {

/// One HTTP header.
struct Header {
    std::string name, value;
};

/// The headers of a request of this era (E1): version, method, target, and what the tool marks of its arguments. `params` are those of
/// the leg to send, `tool` is the tool's definition from `tools/list`, if it is known. Throws invalid_tool and invalid_params.
inline std::vector<Header> request_headers(std::string_view method, std::string_view params,
                                           std::optional<std::string_view> tool = std::nullopt) {
    detail::Buffer lines;
    detail::call(mrtr_wire_headers, detail::text(method), detail::text(params), detail::text(tool), &lines.value);
    const std::string text = lines.take();
    std::vector<Header> headers;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t colon = text.find(": ", at), end = text.find("\r\n", at);
        headers.push_back({text.substr(at, colon - at), text.substr(colon + 2, end - colon - 2)});
        at = end + 2;
    }
    return headers;
}

/// Throws invalid_tool if a tool marks parameters for headers in a way that the protocol forbids: leave it out of the list (E1).
inline void check_tool(std::string_view tool) { detail::call(mrtr_wire_check_tool, detail::text(tool)); }

/// The version to retry with, once, after the error object `error` (-32022): the first of `spoken` that the server serves (E1).
inline std::optional<std::string_view> retry_version(std::string_view error, const std::vector<std::string_view> &spoken) {
    const std::vector<mrtr_slice> slices = detail::texts(spoken);
    mrtr_slice version{};
    detail::call(mrtr_wire_retry_version, detail::text(error), slices.data(), slices.size(), &version);
    if (version.ptr == nullptr) return std::nullopt;
    return std::string_view(reinterpret_cast<const char *>(version.ptr), version.len);
}

}  // namespace mrtr

#endif
