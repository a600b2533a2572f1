#include "text.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>

namespace {

// While the JSON library has the text, the surrogate D800+n stands as the private character 10F800+n.
constexpr std::uint32_t stand_in = 0x10F800 - 0xD800;

std::optional<std::uint32_t> unit(std::string_view json, std::size_t at) {
    if (json.substr(at, 2) != "\\u" || at + 6 > json.size()) return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : json.substr(at + 2, 4)) {
        static constexpr std::string_view digits = "0123456789abcdef";
        const std::size_t digit = digits.find(static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c));
        if (digit == std::string_view::npos) return std::nullopt;
        value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
}

bool is_high(std::optional<std::uint32_t> unit) { return unit && *unit >= 0xD800 && *unit < 0xDC00; }
bool is_low(std::optional<std::uint32_t> unit) { return unit && *unit >= 0xDC00 && *unit < 0xE000; }

std::string escape(std::uint32_t unit) {
    char buffer[8];
    std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(unit));
    return buffer;
}

void quote(std::string &out, std::string_view bytes) {
    out += '"';
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = [&](std::size_t n) { return static_cast<std::uint8_t>(bytes[i + n]); };
        if (byte(0) == 0xED && i + 2 < bytes.size() && byte(1) >= 0xA0) {
            out += escape(0xD000u | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu));
            i += 2;
        } else if (byte(0) < 0x20) {
            out += escape(byte(0));
        } else {
            if (bytes[i] == '"' || bytes[i] == '\\') out += '\\';
            out += bytes[i];
        }
    }
    out += '"';
}

void print_to(std::string &out, const Json &value) {
    if (value.is_string()) return quote(out, value.get_ref<const std::string &>());
    if (!value.is_structured()) {
        out += value.dump();
        return;
    }
    out += value.is_object() ? '{' : '[';
    bool first = true;
    for (const auto &[name, member] : value.items()) {
        if (!std::exchange(first, false)) out += ',';
        if (value.is_object()) {
            quote(out, name);
            out += ':';
        }
        print_to(out, member);
    }
    out += value.is_object() ? '}' : ']';
}

}  // namespace

Json parse(std::string_view json) {
    std::string masked;
    for (std::size_t i = 0; i < json.size();) {
        const auto here = unit(json, i);
        const bool pair = is_high(here) && is_low(unit(json, i + 6));
        const std::size_t length = json[i] != '\\' ? 1 : pair ? 12 : here ? 6 : 2;
        if (!pair && (is_high(here) || is_low(here))) {
            const std::uint32_t character = *here + stand_in - 0x10000;
            masked += escape(0xD800 + (character >> 10)) + escape(0xDC00 + (character & 0x3FF));
        } else {
            masked += json.substr(i, length);
        }
        i += length;
    }
    return Json::parse(masked);
}

std::string text(const std::string &parsed) {
    std::string bytes;
    for (std::size_t i = 0; i < parsed.size(); ++i) {
        const auto byte = [&](std::size_t n) { return static_cast<std::uint8_t>(parsed[i + n]); };
        // 10F800 to 10FFFF are F4 8F A0..BF 80..BF.
        if (byte(0) == 0xF4 && i + 3 < parsed.size() && byte(1) == 0x8F && byte(2) >= 0xA0) {
            bytes += '\xED';
            bytes += parsed[i + 2];
            bytes += parsed[i + 3];
            i += 3;
        } else {
            bytes += parsed[i];
        }
    }
    return bytes;
}

std::string text(const Json &parsed) { return text(parsed.get_ref<const std::string &>()); }

std::vector<std::string> names_of(std::string_view object) {
    std::vector<std::string> names;
    int depth = 0;
    for (std::size_t i = 0; i < object.size(); ++i) {
        const char c = object[i];
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (c != '"') continue;
        const std::size_t start = i;
        while (object[++i] != '"') i += object[i] == '\\' ? 1 : 0;
        const std::size_t after = object.find_first_not_of(" \t", i + 1);
        if (depth == 1 && object[after] == ':') names.push_back(text(parse(object.substr(start, i + 1 - start))));
    }
    return names;
}

std::string print(const Json &value) {
    std::string out;
    print_to(out, value);
    return out;
}

std::string unhex(const std::string &hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

std::string hex_of(std::string_view bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    for (const char c : bytes) {
        hex += digits[static_cast<std::uint8_t>(c) >> 4];
        hex += digits[static_cast<std::uint8_t>(c) & 15];
    }
    return hex;
}

bool is_utf8(std::string_view bytes) {
    try {
        static_cast<void>(nlohmann::json(bytes).dump());
        return true;
    } catch (const nlohmann::json::type_error &) {
        return false;
    }
}
