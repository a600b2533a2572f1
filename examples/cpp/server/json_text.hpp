// JSON as text. The library finds members and hands them out as they were written (mrtr::json_member), because params,
// answers and states must reach it unchanged: a JSON library that parses and prints them again would change number
// spellings, lone surrogates and the order of members. What is here is for the few values that this server reads itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace json_text {

bool is_object(std::string_view value);

/// The decoded text of a string; nothing if it is no string or holds a lone surrogate.
std::optional<std::string> string(std::string_view value);

/// A text as a JSON string, in quotes.
std::string quote(std::string_view text);

}  // namespace json_text
