#include "registry.hpp"

namespace {

template <class T>
const T *find(const std::vector<T> &all, std::string_view name) {
    for (const T &one : all) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

}  // namespace

bool Template::matches(std::string_view uri) const {
    return uri.size() > prefix.size() + suffix.size() && uri.substr(0, prefix.size()) == prefix &&
           uri.substr(uri.size() - suffix.size()) == suffix;
}

std::string Template::id(std::string_view uri) const {
    return std::string(uri.substr(prefix.size(), uri.size() - prefix.size() - suffix.size()));
}

const Tool *Registry::tool(std::string_view name) const { return find(tools, name); }
const Prompt *Registry::prompt(std::string_view name) const { return find(prompts, name); }

const Handler *Registry::reader(std::string_view uri) const {
    for (const Resource &resource : resources) {
        if (resource.uri == uri) return &resource.read;
    }
    for (const Template &one : templates) {
        if (one.matches(uri)) return &one.read;
    }
    return nullptr;
}

Registry make_registry() {
    Registry registry;
    add_basic_tools(registry);
    add_book_trip(registry);
    add_mrtr_tools(registry);
    add_prompts(registry);
    add_resources(registry);
    return registry;
}

std::string complete(Json members) {
    // dump() prints one line; text that came from outside may hold anything, so broken UTF-8 is replaced.
    return mrtr::complete_result(members.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string text_result(std::string_view text) {
    return complete({{"content", Json::array({{{"type", "text"}, {"text", text}}})}});
}

std::string tool_error(std::string_view text) {
    return complete({{"content", Json::array({{{"type", "text"}, {"text", text}}})}, {"isError", true}});
}

Json parsed(std::string_view text) { return Json::parse(text); }
