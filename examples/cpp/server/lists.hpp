// The methods that never ask for input: discovery, lists, completion.
#pragma once

#include "registry.hpp"
#include "rpc.hpp"

namespace lists {

/// What this server can do, as JSON, and how to use it; the same for every version.
inline constexpr const char *capabilities =
    R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{},"completions":{}})";
inline constexpr const char *instructions = "Call book_trip: it asks for what it needs to know.";
/// Name and version, as JSON.
std::string server_info();

/// The text of the result.
std::string serve(const Registry &registry, const rpc::Message &message);

}  // namespace lists
