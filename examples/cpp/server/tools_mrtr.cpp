// Tools that ask for input, one per pattern: the ones the official conformance suite calls. Each handler is plain
// code that runs from its start on every leg; the exchange knows what was answered before.
#include "registry.hpp"

namespace {

constexpr const char *no_arguments = R"({"type":"object","properties":{}})";

constexpr const char *name_form =
    R"({"type":"object","properties":{"name":{"type":"string","title":"Name"}},"required":["name"]})";
constexpr const char *color_form =
    R"({"type":"object","properties":{"color":{"type":"string","title":"Colour"}},"required":["color"]})";
constexpr const char *ok_form =
    R"({"type":"object","properties":{"ok":{"type":"boolean","title":"Go on"}},"required":["ok"]})";

constexpr const char *capital_question =
    R"({"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],)"
    R"("maxTokens":100})";
constexpr const char *greeting_request =
    R"({"messages":[{"role":"user","content":{"type":"text","text":"Write a greeting of one line."}}],)"
    R"("maxTokens":50})";

// Any answer but the one hoped for ends the tool, unless it is still to come.
std::string without(const mrtr::Exchange &exchange, const mrtr::Answer &answer) {
    if (answer.refused()) return text_result("Nothing was done: the question was not answered.");
    return exchange.result();
}

std::string field(const mrtr::Answer &answer, const char *name) {
    return parsed(answer.content()).at(name).get<std::string>();
}

// Sampling results hold one block or a list of blocks.
std::string sampled_text(const mrtr::Answer &answer) {
    const Json content = parsed(answer.content()).at("content");
    const Json &block = content.is_array() && !content.empty() ? content.front() : content;
    return block.is_object() ? block.value("text", "(no text)") : "(no text)";
}

std::string elicitation(Call &call) {
    const auto name = call.exchange.ask_form("user_name", "What is your name?", name_form);
    if (!name) return without(call.exchange, name);
    return text_result("Hello, " + field(name, "name") + "!");
}

std::string sampling(Call &call) {
    const auto answer = call.exchange.ask_sampling("capital_question", capital_question);
    if (!answer) return without(call.exchange, answer);
    return text_result("The model says: " + sampled_text(answer));
}

std::string list_roots(Call &call) {
    const auto roots = call.exchange.ask_roots("client_roots");
    if (!roots) return without(call.exchange, roots);
    const auto count = parsed(roots.content()).at("roots").size();
    return text_result("The client has " + std::to_string(count) + " root(s).");
}

// The host's own bytes travel inside the sealed state.
std::string request_state(Call &call) {
    static constexpr std::string_view progress = "step one is done";
    call.exchange.set_state(progress);
    const auto ok = call.exchange.ask_form("confirm", "Step one is done. Go on?", ok_form);
    if (!ok) return without(call.exchange, ok);
    return text_result(call.exchange.state() == progress ? "state-ok" : "state-lost");
}

// Independent questions come in one round: state them all before looking at any.
std::string multiple_inputs(Call &call) {
    const mrtr::Exchange &exchange = call.exchange;
    const auto name = exchange.ask_form("user_name", "What is your name?", name_form);
    const auto greeting = exchange.ask_sampling("greeting", greeting_request);
    const auto roots = exchange.ask_roots("client_roots");
    for (const mrtr::Answer *answer : {&name, &greeting, &roots}) {
        if (!*answer) return without(exchange, *answer);
    }
    const auto count = parsed(roots.content()).at("roots").size();
    return text_result(sampled_text(greeting) + " " + field(name, "name") + ", you have " + std::to_string(count) +
                       " root(s).");
}

// A question that depends on an answer is stated after it: that makes a second round.
std::string multi_round(Call &call) {
    const auto name = call.exchange.ask_form("step1", "Step 1 of 2: what is your name?", name_form);
    if (!name) return without(call.exchange, name);
    const std::string person = field(name, "name");
    const auto color =
        call.exchange.ask_form("step2", "Step 2 of 2: " + person + ", which colour do you like best?", color_form);
    if (!color) return without(call.exchange, color);
    return text_result(person + " likes " + field(color, "color") + " best.");
}

std::string confirm(Call &call) {
    const auto ok = call.exchange.ask_form("confirm", "Please confirm.", ok_form);
    if (!ok) return without(call.exchange, ok);
    return text_result(parsed(ok.content()).at("ok") == true ? "Confirmed." : "Not confirmed.");
}

// Asks what this client can answer, and does without the rest.
std::string capabilities(Call &call) {
    const mrtr::Exchange &exchange = call.exchange;
    const auto name = exchange.ask_form("user_name", "What is your name?", name_form);
    const auto greeting = exchange.ask_sampling("greeting", greeting_request);
    const auto roots = exchange.ask_roots("client_roots");
    if (exchange.pending() > 0) return exchange.result();
    std::string used;
    if (name) used += " a name";
    if (greeting) used += " a greeting";
    if (roots) used += " roots";
    return text_result("This client gave:" + (used.empty() ? " nothing" : used));
}

std::string context_prompt(Call &call) {
    static constexpr const char *form =
        R"({"type":"object","properties":{"context":{"type":"string","title":"Context"}},"required":["context"]})";
    const auto answer = call.exchange.ask_form("context", "What is this prompt going to be used for?", form);
    if (answer.refused()) return complete({{"messages", Json::array()}});
    if (!answer) return call.exchange.result();
    return complete({{"messages",
                      Json::array({{{"role", "user"},
                                    {"content",
                                     {{"type", "text"}, {"text", "Bear in mind: " + field(answer, "context")}}}}})}});
}

}  // namespace

void add_mrtr_tools(Registry &registry) {
    const auto add = [&](const char *name, const char *description, Handler run,
                         mrtr::Gate gate = mrtr::Gate::refuse) {
        registry.tools.push_back({name, description, no_arguments, std::move(run), gate});
    };
    add("test_input_required_result_elicitation", "Asks the user for a name", elicitation);
    add("test_input_required_result_sampling", "Asks the model a question", sampling);
    add("test_input_required_result_list_roots", "Asks for the client's roots", list_roots);
    add("test_input_required_result_request_state", "Keeps its progress in the state", request_state);
    add("test_input_required_result_multiple_inputs", "Asks three things in one round", multiple_inputs);
    add("test_input_required_result_multi_round", "Asks in two rounds", multi_round);
    add("test_input_required_result_tampered_state", "Refuses a state that was changed", confirm);
    add("test_input_required_result_capabilities", "Asks only what the client can answer", capabilities,
        mrtr::Gate::filter);
    add("test_missing_capability", "Needs a client with sampling, and refuses any other", sampling);
    add("test_streaming_elicitation", "Asks the user without a request of its own on the stream", elicitation);
    registry.prompts.push_back({"test_input_required_result_prompt", "A prompt that asks for its context",
                                Json::array(), context_prompt});
}
