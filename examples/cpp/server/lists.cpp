#include "lists.hpp"

namespace lists {
namespace {

// Nothing here depends on who asks, and it changes only with the program.
std::string cacheable(Json members) {
    members["ttlMs"] = 60000;
    members["cacheScope"] = "public";
    return complete(std::move(members));
}

std::string discover() {
    const std::string info = server_info();
    mrtr::Discovery discovery;
    discovery.capabilities = capabilities;
    discovery.server_info = info;
    discovery.instructions = instructions;
    discovery.ttl_ms = 60000;
    discovery.cache_scope = "public";
    return discovery.result();
}

std::string tools(const Registry &registry) {
    Json list = Json::array();
    for (const Tool &tool : registry.tools) {
        list.push_back({{"name", tool.name},
                        {"description", tool.description},
                        {"inputSchema", parsed(tool.input_schema)}});
    }
    return cacheable({{"tools", list}});
}

std::string prompts(const Registry &registry) {
    Json list = Json::array();
    for (const Prompt &prompt : registry.prompts) {
        list.push_back(
            {{"name", prompt.name}, {"description", prompt.description}, {"arguments", prompt.arguments}});
    }
    return cacheable({{"prompts", list}});
}

std::string resources(const Registry &registry) {
    Json list = Json::array();
    for (const Resource &resource : registry.resources) {
        list.push_back({{"uri", resource.uri},
                        {"name", resource.name},
                        {"description", resource.description},
                        {"mimeType", resource.mime_type}});
    }
    return cacheable({{"resources", list}});
}

std::string templates(const Registry &registry) {
    Json list = Json::array();
    for (const Template &one : registry.templates) {
        list.push_back({{"uriTemplate", one.prefix + "{" + one.parameter + "}" + one.suffix},
                        {"name", one.name},
                        {"description", one.description},
                        {"mimeType", one.mime_type}});
    }
    return cacheable({{"resourceTemplates", list}});
}

std::string completion(const Json &params) {
    const Json argument = params.value("argument", Json());
    if (!argument.is_object() || !argument.value("value", Json()).is_string()) {
        throw rpc::Failure(rpc::invalid_params, "params.argument.value is missing");
    }
    const auto typed = argument["value"].get<std::string>();
    Json values = Json::array();
    for (const char *word : {"Lisbon", "London", "Paris", "Prague", "test one", "test two"}) {
        if (std::string_view(word).substr(0, typed.size()) == typed) values.push_back(word);
    }
    const auto total = values.size();
    return complete({{"completion", {{"values", values}, {"total", total}, {"hasMore", false}}}});
}

}  // namespace

std::string server_info() { return Json({{"name", "libmrtr example server"}, {"version", mrtr::version()}}).dump(); }

std::string serve(const Registry &registry, const rpc::Message &message) {
    const Json params = Json::parse(message.params.value_or("{}"), nullptr, false);
    if (params.is_discarded()) throw rpc::Failure(rpc::invalid_params, "The params cannot be read");
    if (message.method == "server/discover") return discover();
    if (message.method == "completion/complete") return completion(params);
    // Every list fits on one page, so no cursor can be one of ours.
    if (params.contains("cursor")) throw rpc::Failure(rpc::invalid_params, "Unknown cursor");
    if (message.method == "tools/list") return tools(registry);
    if (message.method == "prompts/list") return prompts(registry);
    if (message.method == "resources/list") return resources(registry);
    if (message.method == "resources/templates/list") return templates(registry);
    throw rpc::Failure(rpc::method_not_found, "Method not found: " + message.method, {}, 404);
}

}  // namespace lists
