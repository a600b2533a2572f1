#include "headers.hpp"

#include "json_text.hpp"

namespace headers {
namespace {

rpc::Failure mismatch(const std::string &what) {
    return rpc::Failure(rpc::header_mismatch, "Header mismatch: " + what, {}, 400);
}

bool is_local_host(std::string_view host) {
    const std::size_t colon = host.rfind(':');
    const bool v6 = !host.empty() && host.front() == '[';
    if (colon != host.npos && !(v6 && colon < host.rfind(']'))) host = host.substr(0, colon);
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

// Strict Base64: padded, of the standard alphabet, and without stray bits at its end.
std::optional<std::string> base64(std::string_view text) {
    static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text.substr(0, text.size() - padding)) {
        const std::size_t digit = alphabet.find(c);
        if (digit == alphabet.npos) return std::nullopt;
        bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xFFFFFF;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xFF);
    }
    if ((bits & ((1u << count) - 1)) != 0) return std::nullopt;
    return bytes;
}

// A value that a header cannot carry as it is comes as `=?base64?…?=`.
std::string decoded(const std::string &name, const std::string &value) {
    static constexpr std::string_view before = "=?base64?", after = "?=";
    const std::string_view view = value;
    if (view.size() < before.size() + after.size() || view.substr(0, before.size()) != before ||
        view.substr(view.size() - after.size()) != after) {
        return value;
    }
    const auto bytes = base64(view.substr(before.size(), view.size() - before.size() - after.size()));
    if (!bytes) throw mismatch(name + " is no Base64");
    return *bytes;
}

// Holds one header against what the body says; both or neither must be there.
void compare(const httplib::Request &request, const std::string &name, const std::optional<std::string> &body) {
    const auto header = get(request, name);
    if (!header && !body) return;
    if (!header) throw mismatch(name + " is missing, and the body says " + json_text::quote(*body));
    if (!body) throw mismatch(name + " is there, and the body has no such value");
    if (decoded(name, *header) != *body) {
        throw mismatch(name + " is " + json_text::quote(*header) + ", and the body says " + json_text::quote(*body));
    }
}

std::optional<std::string> header_text(const Json &value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean() || value.is_number()) return value.dump();
    return std::nullopt;
}

void check_arguments(const httplib::Request &request, const Tool &tool, const Json &arguments) {
    const Json schema = parsed(tool.input_schema);
    for (const auto &[name, property] : schema.at("properties").items()) {
        if (!property.contains("x-mcp-header")) continue;
        const auto header = "Mcp-Param-" + property["x-mcp-header"].get<std::string>();
        compare(request, header, header_text(arguments.is_object() ? arguments.value(name, Json()) : Json()));
    }
}

}  // namespace

bool is_local(const httplib::Request &request) {
    if (request.get_header_value_count("Host") != 1 || !is_local_host(request.get_header_value("Host"))) return false;
    for (std::size_t i = 0; i < request.get_header_value_count("Origin"); ++i) {
        const std::string origin = request.get_header_value("Origin", i);
        const std::size_t scheme = origin.find("://");
        if (scheme == origin.npos || !is_local_host(std::string_view(origin).substr(scheme + 3))) return false;
    }
    return true;
}

bool accepts(const httplib::Request &request, std::string_view media_type) {
    const auto accept = get(request, "Accept");
    if (!accept) return true;
    const std::string any = std::string(media_type.substr(0, media_type.find('/'))) + "/*";
    for (const std::string_view one : {media_type, std::string_view(any), std::string_view("*/*")}) {
        if (accept->find(one) != accept->npos) return true;
    }
    return false;
}

std::optional<std::string> get(const httplib::Request &request, const std::string &name) {
    if (!request.has_header(name.c_str())) return std::nullopt;
    const std::string value = request.get_header_value(name.c_str());
    const std::size_t first = value.find_first_not_of(" \t");
    if (first == value.npos) return std::string();
    return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

void check_method(const httplib::Request &request, const rpc::Message &message) {
    compare(request, "Mcp-Method", message.method);
}

void check_params(const httplib::Request &request, const rpc::Message &message, const Registry &registry) {
    const bool read = message.method == "resources/read";
    if (!read && message.method != "tools/call" && message.method != "prompts/get") return;
    const std::string_view params = message.params.value_or("{}");
    const auto raw = mrtr::json_member(params, read ? "uri" : "name");
    const auto name = raw ? json_text::string(*raw) : std::nullopt;
    compare(request, "Mcp-Name", name);
    const Tool *tool = message.method == "tools/call" && name ? registry.tool(*name) : nullptr;
    if (tool == nullptr) return;
    const auto arguments = mrtr::json_member(params, "arguments");
    check_arguments(request, *tool, arguments ? Json::parse(*arguments, nullptr, false) : Json());
}

}  // namespace headers
