#include "service.hpp"

#include <algorithm>

#include "json_text.hpp"
#include "lists.hpp"

namespace {

std::optional<Json> readable(std::optional<std::string_view> value, const char *what) {
    if (!value) return std::nullopt;
    Json parsed = Json::parse(*value, nullptr, false);
    // The text was checked before, so what is left is a lone surrogate: legal JSON, but nothing to work with.
    if (parsed.is_discarded()) throw rpc::Failure(rpc::invalid_params, std::string(what) + " cannot be read");
    return parsed;
}

Params params_of(const rpc::Message &message) {
    const std::string_view object = message.params.value_or("{}");
    Params params;
    const char *name = message.method == "resources/read" ? "uri" : "name";
    if (const auto target = mrtr::json_member(object, name)) params.target = json_text::string(*target);
    if (!params.target) throw rpc::Failure(rpc::invalid_params, std::string("params.") + name + " is missing");
    params.arguments = readable(mrtr::json_member(object, "arguments"), "params.arguments");
    if (params.arguments && !params.arguments->is_object()) {
        throw rpc::Failure(rpc::invalid_params, "params.arguments is not an object");
    }
    const auto meta = mrtr::json_member(object, "_meta");
    if (meta && json_text::is_object(*meta)) {
        params.progress_token = readable(mrtr::json_member(*meta, "progressToken"), "The progress token");
    }
    return params;
}

bool may_ask(const std::string &method) {
    return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

}  // namespace

const std::vector<std::string_view> &methods() {
    static const std::vector<std::string_view> all{
        "server/discover", "tools/list",     "tools/call",               "prompts/list",        "prompts/get",
        "resources/list",  "resources/read", "resources/templates/list", "completion/complete", "subscriptions/listen"};
    return all;
}

Service::Service(mrtr::Sealer sealer)
    : sealer_(std::move(sealer)),
      refusing_(sealer_, mrtr::ServerOptions(mrtr::Gate::refuse)),
      filtering_(sealer_, mrtr::ServerOptions(mrtr::Gate::filter)),
      registry_(make_registry()) {}

bool Service::streams(const rpc::Message &message) const {
    if (message.method != "tools/call") return false;
    const Params params = params_of(message);
    const Tool *tool = registry_.tool(*params.target);
    return tool != nullptr && tool->streams && params.progress_token;
}

std::string Service::serve(const rpc::Message &message, const mrtr::Principal &principal, const Notify &notify) {
    if (!may_ask(message.method)) return lists::serve(registry_, message);
    const Params params = params_of(message);
    // A state that is not ours, or not for this very request, ends here: no handler sees it.
    const mrtr::Exchange exchange = server_for(message, params).begin({message.method, message.params, principal});
    return run(message, params, exchange, notify);
}

mrtr::Legacy Service::begin(const rpc::Message &message, const mrtr::Principal &principal,
                            const mrtr::Peer &peer) const {
    const bool asks = may_ask(message.method);
    const mrtr::Server &server = asks ? server_for(message, params_of(message)) : refusing_;
    return mrtr::Legacy(server, {message.method, message.params, principal}, peer);
}

std::string Service::serve(const rpc::Message &message, const mrtr::Legacy &call, const Notify &notify) {
    if (!may_ask(message.method)) return lists::serve(registry_, message);
    return run(message, params_of(message), call.exchange(), notify);
}

const mrtr::Server &Service::server_for(const rpc::Message &message, const Params &params) const {
    const Tool *tool = message.method == "tools/call" ? registry_.tool(*params.target) : nullptr;
    return tool != nullptr && tool->gate == mrtr::Gate::filter ? filtering_ : refusing_;
}

const Handler &Service::handler_for(const rpc::Message &message, const std::string &target) const {
    if (message.method == "tools/call") {
        if (const Tool *tool = registry_.tool(target)) return tool->run;
        throw rpc::Failure(rpc::invalid_params, "Unknown tool: " + target);
    }
    if (message.method == "prompts/get") {
        if (const Prompt *prompt = registry_.prompt(target)) return prompt->get;
        throw rpc::Failure(rpc::invalid_params, "Unknown prompt: " + target);
    }
    if (const Handler *read = registry_.reader(target)) return *read;
    throw rpc::Failure(rpc::invalid_params, "Resource not found", Json({{"uri", target}}).dump());
}

std::string Service::run(const rpc::Message &message, const Params &params, const mrtr::Exchange &exchange,
                         const Notify &notify) {
    const Handler &handler = handler_for(message, *params.target);
    Call call{exchange, params.arguments.value_or(Json::object()), params.progress_token, *params.target, notify,
              subscriptions_};
    return handler(call);
}
