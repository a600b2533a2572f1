// Kind `server`: exchanges whose handler runs in stages.
#include "driver.hpp"

namespace {

const char *name_of(mrtr::AnswerStatus status) {
    switch (status) {
        case mrtr::AnswerStatus::missing: return "missing";
        case mrtr::AnswerStatus::accepted: return "accepted";
        case mrtr::AnswerStatus::declined: return "declined";
        case mrtr::AnswerStatus::cancelled: return "cancelled";
        case mrtr::AnswerStatus::invalid: return "invalid";
        case mrtr::AnswerStatus::stale: return "stale";
        case mrtr::AnswerStatus::unaskable: return "unaskable";
    }
    return "unknown";
}

bool is_settled(const mrtr::Answer &answer) {
    return answer || answer.refused() || answer.status() == mrtr::AnswerStatus::unaskable;
}

bool is_url(std::string_view ask) {
    const auto params = mrtr::json_member(ask, "params");
    return params && params->front() == '{' && mrtr::json_member(*params, "mode") == "\"url\"";
}

// The params with the retry fields of a leg put in at the end.
std::string params_of(const Json &story, const Json &leg, const std::optional<std::string> &token) {
    std::string params = text(leg.contains("params") ? leg["params"] : story.at("params"));
    std::string extra;
    const auto add = [&](const char *name, const std::string &value) {
        extra += std::string(",\"") + name + "\":" + value;
    };
    if (leg.contains("answers")) add("inputResponses", text(leg["answers"]));
    if (leg.contains("tokenJson")) {
        add("requestState", text(leg["tokenJson"]));
    } else if (const std::string said = leg.contains("token") ? text(leg["token"]) : "none"; said == "echo") {
        add("requestState", token.value_or("null"));
    } else if (said != "none") {
        add("requestState", print(said));
    }
    const std::size_t end = params.find_last_of('}');
    const std::size_t last = params.find_last_not_of(" \t\r\n", end - 1);
    if (!extra.empty()) params.insert(end, params[last] == '{' ? extra.substr(1) : extra);
    return params;
}

void tell(const mrtr::Error &e, Json &seen) {
    Json error = {{"code", nullptr}, {"reason", nullptr}};
    if (!e.rpc()) error["reason"] = e.name();
    if (e.rpc()) {
        error["code"] = e.rpc_code();
        if (const auto data = mrtr::json_member(*e.rpc(), "data")) {
            seen["data"] = *data;
            const Json parsed = parse(*data);
            if (parsed.is_object() && parsed.contains("reason")) error["reason"] = parsed["reason"];
        }
    }
    seen["error"] = error;
}

Json serve(const mrtr::Server &server, const Json &story, const Json &leg, const Json &handler,
           std::optional<std::string> &token) {
    Json seen = {{"status", Json::object()}, {"token", false}};
    const std::string method = text(story.at("method")), params = params_of(story, leg, token);
    const std::string capabilities = text(story.at("caps"));
    const Json &who = leg.contains("principal") ? leg["principal"] : story.at("principal");
    try {
        const mrtr::Request request{method, params, principal_of(who), capabilities};
        const mrtr::Exchange exchange = server.begin(request, leg.value("atMs", std::uint64_t{0}));
        if (const auto state = exchange.state()) seen["state"] = *state;
        const auto result = run_handler(exchange, handler, seen);
        if (!result) return seen;
        token = std::nullopt;
        if (const auto state = mrtr::json_member(*result, "requestState")) token = std::string(*state);
        seen["token"] = token.has_value();
        // For another driver, which the next leg may go to: base64url and a dot, so nothing in it is escaped.
        if (token && token->size() > 2) seen["requestState"] = token->substr(1, token->size() - 2);
        seen["asks"] = Json::array();
        const auto requests = mrtr::json_member(*result, "inputRequests");
        for (const std::string &key : names_of(requests.value_or("{}"))) seen["asks"].push_back(key);
    } catch (const mrtr::Error &e) {
        tell(e, seen);
    }
    return seen;
}

}  // namespace

// Runs the handler; the text of the result if it asks for something.
std::optional<std::string> run_handler(const mrtr::Exchange &exchange, const Json &handler, Json &seen) {
    Json done = Json::object();
    for (const Json &stage : handler) {
        if (stage.contains("state")) exchange.set_state(text(stage["state"]));
        bool settled = true;
        const Json asks = stage.value("asks", Json::object());
        for (const auto &[name, value] : asks.items()) {
            const std::string key = text(name), ask = text(value);
            const mrtr::Answer answer = exchange.ask(key, ask);
            seen["status"][key] = name_of(answer.status());
            settled = settled && is_settled(answer);
            done[key] = answer && !is_url(ask) ? answer.content() : name_of(answer.status());
        }
        if (!settled) return exchange.result();
    }
    seen["done"] = done;
    return std::nullopt;
}

Json observe_server(const Json &story) {
    const Json options = story.value("options", Json::object());
    only(options, {"maxAsks", "maxRounds", "maxStateBytes", "gate", "noSealer"});
    mrtr::SealerOptions sealing;
    std::string fixed_key(32, '\0');
    for (std::size_t at = 0; at < fixed_key.size(); ++at) fixed_key[at] = static_cast<char>(at);
    sealing.keys = {fixed_key};
    number(sealing.max_rounds, options, "maxRounds");
    number(sealing.max_state_bytes, options, "maxStateBytes");
    mrtr::ServerOptions serving(options.value("gate", "refuse") == "filter" ? mrtr::Gate::filter : mrtr::Gate::refuse);
    number(serving.max_asks, options, "maxAsks");
    const mrtr::Server server = options.value("noSealer", false) ? mrtr::Server::unsealed(serving)
                                                                 : mrtr::Server(mrtr::Sealer(sealing), serving);
    Json legs = Json::array();
    Json handler = story.at("handler");
    std::optional<std::string> token;
    for (const Json &leg : story.at("legs")) {
        if (leg.contains("handler")) handler = leg["handler"];
        legs.push_back(serve(server, story, leg, handler, token));
    }
    return {{"legs", legs}};
}
