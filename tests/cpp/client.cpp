// Flows: by next(), and by step() with handlers (C8, C11, C12, C16).
#include "common.hpp"

namespace {

using namespace mrtr;

constexpr std::string_view call_params = R"({"name":"deploy"})";
constexpr std::string_view complete = R"({"resultType":"complete","content":[]})";

std::string asking(std::string_view key) {
    return R"({"resultType":"input_required","requestState":"s1","inputRequests":{")" + std::string(key) +
           R"(":{"method":"elicitation/create","params":{"message":"Your name?","requestedSchema":)" +
           std::string(name_form) + "}}}}";
}

Client form_client() {
    ClientOptions options;
    options.handlers = need::form;
    return Client(options);
}

/// The next event of this type; other kinds in between are noted and dropped. Throws bad_variant_access if it does not come.
template <class E>
E expect(const Flow &flow, std::uint64_t now_ms) {
    for (int i = 0; i < 10; ++i) {
        Event event = flow.next(now_ms);
        if (auto *wanted = std::get_if<E>(&event)) return std::move(*wanted);
        if (std::holds_alternative<event::Idle>(event)) break;
    }
    throw std::bad_variant_access();
}

/// Plays the server: the first leg is answered with a question, the second completes.
Handlers scripted(std::vector<std::string> &sent, std::optional<event::Done> &end) {
    Handlers handlers;
    handlers.send = [&sent](FlowRef flow, const event::Send &send) {
        sent.push_back(send.params);
        flow.deliver(send.leg, sent.size() == 1 ? asking("who") : std::string(complete), 0);
    };
    handlers.done = [&end](FlowRef, const event::Done &done) { end = done; };
    return handlers;
}

}  // namespace

TEST(capabilities_follow_from_handlers) {
    CHECK(form_client().capabilities() == R"({"elicitation":{"form":{}}})");
    ClientOptions bad;
    bad.pacing_initial_ms = 0;
    CHECK(thrown([&] { Client client(bad); }) == MRTR_CONFIG_ERROR);
}

TEST(a_flow_runs_by_next) {
    const Client client = form_client();
    const Flow flow = client.begin("tools/call", call_params, 0);
    const auto first = expect<event::Send>(flow, 0);
    CHECK(first.method == "tools/call" && first.leg == 1 && first.until_ms == 60'000);
    flow.deliver(first.leg, asking("who"), 10);
    const auto ask = expect<event::Ask>(flow, 10);
    CHECK(ask.key == "who" && ask.kind == Kind::form && ask.message == "Your name?" && ask.round == 1);
    CHECK(ask.schema == name_form && !ask.previously_declined);
    CHECK(thrown([&] { flow.answer("zz", "{}", 20); }) == MRTR_CONFIG_ERROR);
    flow.answer("who", R"({"name":"Ada"})", 20);
    const auto second = expect<event::Send>(flow, 20);
    CHECK(second.id != first.id && second.leg == 2);
    CHECK(contains(second.params, R"("requestState":"s1")"));
    CHECK(contains(second.params, R"({"name":"Ada"})"));
    flow.deliver(second.leg, complete, 30);
    const auto done = expect<event::Done>(flow, 30);
    CHECK(done.complete() && done.value() == complete && done.rounds == 1 && !done.cacheable);
    CHECK(std::holds_alternative<event::Idle>(flow.next(40)));
}

TEST(an_end_without_result_throws_when_asked_for_it) {
    const Client client = form_client();
    const Flow flow = client.begin("tools/call", call_params, 0);
    flow.deliver_error(expect<event::Send>(flow, 0).leg, R"({"code":-32602,"message":"no"})", 0);
    const auto done = expect<event::Done>(flow, 0);
    CHECK(!done.complete() && done.end == MRTR_RPC_ERROR);
    try {
        done.value();
        check::fail("a value");
    } catch (const Error &e) {
        CHECK(e.name() == "rpc_error" && contains(e.rpc().value_or(""), "-32602"));
    }
}

TEST(declining_and_refusing_differ) {
    const Client client = form_client();
    const Flow declined = client.begin("tools/call", call_params, 0);
    declined.deliver(expect<event::Send>(declined, 0).leg, asking("who"), 0);
    expect<event::Ask>(declined, 0);
    declined.decline("who", 0);
    CHECK(contains(expect<event::Send>(declined, 0).params, R"("action":"decline")"));
    const Flow refused = client.begin("tools/call", call_params, 0);
    refused.deliver(expect<event::Send>(refused, 0).leg, asking("who"), 0);
    expect<event::Ask>(refused, 0);
    refused.refuse("who", 0);
    const auto done = expect<event::Done>(refused, 0);
    CHECK(done.end == MRTR_REFUSED && done.key == "who" && done.continuation.has_value());
}

TEST(a_flow_is_saved_and_resumed) {
    std::string saved;
    {
        const Client client = form_client();
        const Flow flow = client.begin("tools/call", call_params, 0);
        flow.deliver(expect<event::Send>(flow, 0).leg, asking("who"), 0);
        expect<event::Ask>(flow, 0);
        saved = flow.save();
    }
    const Client other = form_client();
    const Flow flow = other.resume(saved, 5);
    CHECK(expect<event::Ask>(flow, 5).key == "who");
    flow.answer("who", R"({"name":"Ada"})", 6);
    CHECK(contains(expect<event::Send>(flow, 6).params, R"("requestState":"s1")"));
    CHECK(thrown([&] { other.resume(std::string_view(saved).substr(1), 5); }) == MRTR_CONFIG_ERROR);
    CHECK(thrown([&] { other.resume(std::string_view(), 5); }) == MRTR_CONFIG_ERROR);
}

TEST(a_flow_runs_by_handlers) {
    std::vector<std::string> sent;
    std::optional<event::Done> end;
    Handlers handlers = scripted(sent, end);
    handlers.ask = [](FlowRef flow, const event::Ask &ask) { flow.answer(ask.key, R"({"name":"Ada"})", 0); };
    const Client client = form_client();
    Flow flow = client.begin("tools/call", call_params, 0);
    flow.set_handlers(handlers);
    Flow moved = std::move(flow);
    CHECK(moved.step(0).done);
    CHECK(sent.size() == 2 && end && end->complete());
    CHECK(thrown([&] { flow.step(0); }) == MRTR_NULL_ARGUMENT);
}

TEST(an_ask_handler_that_throws_never_accepts) {
    std::vector<std::string> sent;
    std::optional<event::Done> end;
    Handlers handlers = scripted(sent, end);
    handlers.ask = [](FlowRef, const event::Ask &) { throw std::runtime_error("no terminal here"); };
    const Client client = form_client();
    Flow flow = client.begin("tools/call", call_params, 0);
    flow.set_handlers(handlers);
    CHECK(flow.step(0).done);
    CHECK(sent.size() == 1 && end && end->end == MRTR_HANDLER_FAILED && end->key == "who");
    CHECK(end && contains(end->message, "no terminal here"));
}

TEST(a_send_handler_that_throws_loses_its_leg) {
    std::optional<event::Done> end;
    Handlers handlers;
    handlers.send = [](FlowRef, const event::Send &) { throw std::runtime_error("no network"); };
    handlers.event = [&](FlowRef, const Event &event) {
        if (const auto *done = std::get_if<event::Done>(&event)) end = *done;
    };
    const Client client = form_client();
    Flow flow = client.begin("tools/call", call_params, 0);
    flow.set_handlers(handlers);
    bool came_out = false;
    try {
        flow.step(0);
    } catch (const std::runtime_error &e) {
        came_out = std::string(e.what()) == "no network";
    }
    CHECK(came_out);
    CHECK(end && end->end == MRTR_LOST);
}

TEST(a_handler_may_drop_its_flow) {
    const auto before = live_objects();
    {
        const Client client = form_client();
        auto flow = std::make_unique<Flow>(client.begin("tools/call", call_params, 0));
        FlowRef dangling = flow->ref();
        Handlers handlers;
        handlers.send = [&](FlowRef, const event::Send &) { flow.reset(); };
        flow->set_handlers(handlers);
        Flow &running = *flow;
        CHECK(running.step(0).done);
        CHECK(flow == nullptr);
        CHECK(thrown([&] { dangling.cancel(0); }) == MRTR_STALE_HANDLE);
    }
    CHECK(live_objects() == before);
}

TEST(step_needs_handlers) {
    const Client client = form_client();
    Flow flow = client.begin("tools/call", call_params, 0);
    CHECK(thrown([&] { flow.step(0); }) == MRTR_WRONG_STATE);
}

TEST(options_of_one_flow) {
    const Client client = form_client();
    ClientOptions manual;
    manual.manual = 1;
    const Flow flow = client.begin("tools/call", call_params, manual, 0);
    flow.deliver(expect<event::Send>(flow, 0).leg, asking("who"), 0);
    const auto done = expect<event::Done>(flow, 0);
    CHECK(done.end == MRTR_INPUT_REQUIRED && done.result == asking("who"));
}
