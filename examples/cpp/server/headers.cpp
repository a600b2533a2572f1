#include "headers.hpp"

#include "json_text.hpp"
#include "service.hpp"

namespace headers {
namespace {

bool is_local_host(std::string_view host) {
    const std::size_t colon = host.rfind(':');
    const bool v6 = !host.empty() && host.front() == '[';
    if (colon != host.npos && !(v6 && colon < host.rfind(']'))) host = host.substr(0, colon);
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

// None if the params cannot be read: what is wrong with them is for the check to say.
const Tool *called_tool(const rpc::Message &message, const Registry &registry) try {
    if (message.method != "tools/call") return nullptr;
    const auto raw = mrtr::json_member(message.params.value_or("{}"), "name");
    const auto name = raw ? json_text::string(*raw) : std::nullopt;
    return name ? registry.tool(*name) : nullptr;
} catch (const mrtr::Error &) {
    return nullptr;
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

void check(const httplib::Request &request, const rpc::Message &message, const Registry &registry) {
    mrtr::HttpRequest checked;
    checked.method = message.method;
    checked.params = message.params;
    for (const auto &[name, value] : request.headers) checked.headers.emplace_back(name, value);
    checked.methods = methods();
    const Tool *tool = called_tool(message, registry);
    if (tool != nullptr) checked.input_schema = tool->input_schema;
    mrtr::check_http_request(checked);
}

}  // namespace headers
