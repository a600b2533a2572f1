// Case files hold any JSON string, lone surrogates included, which the JSON library takes neither in nor out. So texts
// are bytes here, with a surrogate in the three bytes that UTF-8 would have for it, as the library wants its keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

using Json = nlohmann::ordered_json;

/// Reads JSON text; strings of it are had by text().
Json parse(std::string_view json);
/// The bytes of a string, or of a member's name.
std::string text(const std::string &parsed);
std::string text(const Json &parsed);
/// The names of an object's members, in order. It is not parsed: it may hold numbers that the JSON library has no room for.
std::vector<std::string> names_of(std::string_view object);
/// Writes a value whose strings are bytes as of text(); a lone surrogate goes out as its escape.
std::string print(const Json &value);

/// The bytes of a text in hex.
std::string unhex(const std::string &hex);
std::string hex_of(std::string_view bytes);
bool is_utf8(std::string_view bytes);
