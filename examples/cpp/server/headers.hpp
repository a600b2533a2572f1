// HTTP headers of the Streamable HTTP transport, and what they must say about the body.
#pragma once

#include <httplib.h>

#include "registry.hpp"
#include "rpc.hpp"

namespace headers {

/// Whether Host and Origin name this machine. Pages of other sites must not reach a local server, not even by a
/// name of theirs that resolves to 127.0.0.1.
bool is_local(const httplib::Request &request);

/// Whether an Accept header takes this media type.
bool accepts(const httplib::Request &request, std::string_view media_type);

/// The value of a header, if it is there, without blanks around it.
std::optional<std::string> get(const httplib::Request &request, const std::string &name);

/// Holds all headers of a request of 2026-07-28 against its body, in the order of the protocol. Throws mrtr::Error.
void check(const httplib::Request &request, const rpc::Message &message, const Registry &registry);

}  // namespace headers
