// Kind `build`: results without an exchange.
#include "driver.hpp"

Json observe_build(const Json &story) {
    mrtr::ResultOptions options;
    std::vector<std::string> texts;  // what the options look at
    const auto keep = [&](const Json &value) -> std::string_view { return texts.emplace_back(text(value)); };
    texts.reserve(4 + 2 * story.at("asks").size() + story.value("allowSecret", Json::array()).size());

    options.method = keep(story.at("method"));
    for (const Json &ask : story.at("asks")) {
        const std::string_view key = keep(ask.at(0));
        options.asks.push_back({key, keep(ask.at(1))});
    }
    if (story.contains("state")) options.state = keep(story["state"]);
    if (story.contains("caps")) options.capabilities = keep(story["caps"]);
    if (story.value("gate", "refuse") == "filter") options.gate = MRTR_GATE_FILTER;
    for (const Json &name : story.value("allowSecret", Json::array())) options.allow_secret.push_back(keep(name));
    flag(options.allow_http, story, "allowHttp");
    try {
        const mrtr::BuiltResult built = mrtr::build_result(options);
        return {{"result", built.json}, {"warnings", built.warnings.empty() ? Json::array() : parse(built.warnings)}};
    } catch (const mrtr::Error &e) {
        Json seen = {{"error", e.name()}};
        if (e.at()) seen["at"] = *e.at();
        if (e.key()) seen["key"] = *e.key();
        if (e.rpc()) {
            seen["rpc"] = {{"code", e.rpc_code()}};
            if (const auto data = mrtr::json_member(*e.rpc(), "data")) seen["rpc"]["data"] = *data;
        }
        return seen;
    }
}
