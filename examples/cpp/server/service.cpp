#include "service.hpp"

#include <algorithm>

#include "json_text.hpp"
#include "lists.hpp"

namespace {

constexpr const char *protocol_version = "2026-07-28";

// The part of the params that this server reads itself; the library gets all of them as they came.
struct Params {
    std::optional<std::string> target;
    std::optional<Json> arguments, progress_token;
};

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

std::vector<std::string_view> methods() {
    return {"server/discover", "tools/list",       "tools/call",
            "prompts/list",    "prompts/get",      "resources/list",
            "resources/read",  "resources/templates/list", "completion/complete",
            "subscriptions/listen"};
}

bool may_ask(const std::string &method) {
    return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

}  // namespace

Service::Service(mrtr::Sealer sealer)
    : sealer_(std::move(sealer)),
      refusing_(sealer_, mrtr::ServerOptions(mrtr::Gate::refuse)),
      filtering_(sealer_, mrtr::ServerOptions(mrtr::Gate::filter)),
      registry_(make_registry()) {}

void Service::check(const rpc::Message &message, const Peer &peer) const {
    mrtr::check_request(message.method, message.params, peer.version_header, {protocol_version}, methods());
}

bool Service::streams(const rpc::Message &message) const {
    if (message.method != "tools/call") return false;
    const Params params = params_of(message);
    const Tool *tool = registry_.tool(*params.target);
    return tool != nullptr && tool->streams && params.progress_token;
}

std::string Service::serve(const rpc::Message &message, const Peer &peer, const Notify &notify) {
    if (may_ask(message.method)) return serve_input(message, peer, notify);
    return lists::serve(registry_, message);
}

mrtr::Exchange Service::begin(const rpc::Message &message, const Peer &peer, mrtr::Gate gate) const {
    const mrtr::Server &server = gate == mrtr::Gate::filter ? filtering_ : refusing_;
    return server.begin({message.method, message.params, peer.principal});
}

std::string Service::serve_input(const rpc::Message &message, const Peer &peer, const Notify &notify) {
    const Params params = params_of(message);
    const std::string &target = *params.target;
    const Handler *handler = nullptr;
    mrtr::Gate gate = mrtr::Gate::refuse;
    if (message.method == "tools/call") {
        const Tool *tool = registry_.tool(target);
        if (tool == nullptr) throw rpc::Failure(rpc::invalid_params, "Unknown tool: " + target);
        handler = &tool->run;
        gate = tool->gate;
    } else if (message.method == "prompts/get") {
        const Prompt *prompt = registry_.prompt(target);
        if (prompt == nullptr) throw rpc::Failure(rpc::invalid_params, "Unknown prompt: " + target);
        handler = &prompt->get;
    } else {
        handler = registry_.reader(target);
        if (handler == nullptr) {
            throw rpc::Failure(rpc::invalid_params, "Resource not found", Json({{"uri", target}}).dump());
        }
    }
    // A state that is not ours, or not for this very request, ends here: no handler sees it.
    const mrtr::Exchange exchange = begin(message, peer, gate);
    Call call{exchange, params.arguments.value_or(Json::object()), params.progress_token, target, notify,
              subscriptions_};
    return (*handler)(call);
}
