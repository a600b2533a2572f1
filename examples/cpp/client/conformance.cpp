// The client under the official suite: conformance URL, with the scenario in MCP_CONFORMANCE_SCENARIO.
#include <cstdlib>
#include <iostream>

#include "session.hpp"

namespace {

using Json = nlohmann::json;

std::string variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Yes to every boolean, a word to every text: the suite asks for a confirmation.
void consent(const mrtr::Flow &flow, const mrtr::event::Ask &ask) {
    if (ask.kind == mrtr::Kind::roots) return flow.answer(ask.key, R"({"roots":[]})");
    if (ask.kind == mrtr::Kind::sampling)
        return flow.answer(ask.key, R"({"role":"assistant","content":{"type":"text","text":"yes"},"model":"none"})");
    const Json values{{"boolean", true}, {"string", "yes"}, {"integer", 1}, {"number", 1}};
    Json content = Json::object();
    const Json schema = Json::parse(ask.schema);
    for (const auto &[name, field] : schema.at("properties").items())
        content[name] = values.at(field.at("type").get<std::string>());
    flow.answer(ask.key, content.dump());
}

void request_state(Session &session) {
    for (const char *tool : {"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"})
        session.call_tool(tool, "{}");
}

void list_tools(Session &session) { session.list_tools(); }

void use_each(Session &session, const std::string &what, const std::string &method, const char *by) {
    const Json page = Json::parse(session.call(what + "/list", "{}"));
    for (const Json &item : page.at(what)) session.call(method, Json{{by, item.at(by)}}.dump());
}

/// Each method whose headers name what it is about.
void call_all(Session &session) {
    for (const std::string &name : session.list_tools()) session.call_tool(name, "{}");
    use_each(session, "resources", "resources/read", "uri");
    use_each(session, "prompts", "prompts/get", "name");
}

/// The calls that the suite wants.
void call_listed(Session &session) {
    session.list_tools();
    const Json context = Json::parse(variable("MCP_CONFORMANCE_CONTEXT"));
    for (const Json &call : context.at("toolCalls"))
        session.call_tool(call.at("name").get<std::string>(), call.at("arguments").dump());
}

/// All tools that are not refused for what they want in headers.
void call_valid(Session &session) {
    for (const std::string &name : session.list_tools()) session.call_tool(name, R"({"region":"us-west1"})");
}

void add_numbers(Session &session) {
    session.list_tools();
    session.call_tool("add_numbers", R"({"a":5,"b":3})");
}

const std::map<std::string, void (*)(Session &)> scenarios{
    {"sep-2322-client-request-state", request_state}, {"request-metadata", list_tools},    {"http-standard-headers", call_all},
    {"http-custom-headers", call_listed},             {"http-invalid-tool-headers", call_valid}, {"tools_call", add_numbers},
    {"json-schema-ref-no-deref", list_tools}};

}  // namespace

int main(int argc, char **argv) try {
    const auto scenario = scenarios.find(variable("MCP_CONFORMANCE_SCENARIO"));
    if (argc < 2 || scenario == scenarios.end()) {
        std::cerr << "conformance: no URL, or an unknown scenario\n";
        return 2;
    }
    const std::string version = variable("MCP_CONFORMANCE_PROTOCOL_VERSION");
    namespace need = mrtr::need;
    Session session(argv[argc - 1], need::form | need::sampling | need::roots, consent, R"({"name":"libmrtr-cpp","version":"0.1.0"})",
                    version.empty() ? std::nullopt : std::optional<std::string>(version));
    scenario->second(session);
    return 0;
} catch (const std::exception &e) {
    std::cerr << "conformance: " << e.what() << '\n';
    return 1;
}
