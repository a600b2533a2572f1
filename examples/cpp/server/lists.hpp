// The methods that never ask for input: discovery, lists, completion.
#pragma once

#include "registry.hpp"
#include "rpc.hpp"

namespace lists {

/// The text of the result.
std::string serve(const Registry &registry, const rpc::Message &message);

}  // namespace lists
