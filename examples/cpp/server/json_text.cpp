#include "json_text.hpp"

#include <nlohmann/json.hpp>

namespace json_text {

bool is_object(std::string_view value) { return !value.empty() && value.front() == '{'; }

std::optional<std::string> string(std::string_view value) {
    const auto parsed = nlohmann::json::parse(value, nullptr, false);
    if (!parsed.is_string()) return std::nullopt;
    return parsed.get<std::string>();
}

std::string quote(std::string_view text) {
    // Header values end up in error messages, and need not be UTF-8.
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace json_text
