// Building results and serving exchanges.
#include "common.hpp"

TEST(an_exchange_asks_and_gets_its_answer) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    const mrtr::Exchange first = server.begin(request());
    const mrtr::Answer missing = first.ask_form("who", "Your name?", name_form);
    CHECK(missing.status() == mrtr::AnswerStatus::missing && !missing && !missing.refused());
    CHECK(first.pending() == 1);
    CHECK(first.info().round == 0 && !first.info().has_token);
    const std::string result = first.result();
    CHECK(contains(result, R"("resultType":"input_required")"));
    CHECK(contains(result, R"("who")") && contains(result, "Your name?"));

    const std::string state = member(result, "requestState");
    const std::string text = retry(R"({"who":{"action":"accept","content":{"name":"Ada"}}})", state);
    const mrtr::Exchange second = server.begin(request(text));
    const mrtr::Answer answer = second.ask_form("who", "Your name?", name_form);
    CHECK(static_cast<bool>(answer));
    CHECK(answer.content() == R"({"name":"Ada"})");
    CHECK(second.pending() == 0);
    CHECK(second.info().round == 1 && second.info().has_token);
    CHECK(thrown([&] { second.result(); }) == MRTR_NOTHING_PENDING);
}

TEST(content_is_out_of_reach_unless_accepted) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    const auto status = [&](const std::string &entry) {
        const std::string text = retry("{\"who\":" + entry + "}", "");
        const mrtr::Exchange exchange = server.begin(request(text));
        const mrtr::Answer answer = exchange.ask_form("who", "Your name?", name_form);
        CHECK(thrown([&] { answer.content(); }) == (answer ? MRTR_OK : MRTR_WRONG_STATE));
        CHECK(answer.reasons().empty() == (answer.status() != mrtr::AnswerStatus::invalid));
        return answer.status();
    };
    CHECK(status(R"({"action":"accept","content":{"name":"Ada"}})") == mrtr::AnswerStatus::accepted);
    CHECK(status(R"({"action":"decline","content":{"name":"Ada"}})") == mrtr::AnswerStatus::declined);
    CHECK(status(R"({"action":"cancel"})") == mrtr::AnswerStatus::cancelled);
    CHECK(status(R"({"action":"accept","content":{"name":3}})") == mrtr::AnswerStatus::invalid);
    CHECK(status("12345") == mrtr::AnswerStatus::invalid);
    CHECK(status("null") == mrtr::AnswerStatus::missing);
}

TEST(host_state_rides_along) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    const mrtr::Exchange first = server.begin(request());
    CHECK(!first.state().has_value());
    first.set_state(std::string_view());
    CHECK(first.state() == "");
    first.set_state(std::string_view("a\0b", 3));
    first.ask_form("who", "Your name?", name_form);
    const std::string text = retry("", member(first.result(), "requestState"));
    const mrtr::Exchange second = server.begin(request(text));
    CHECK(second.state() == std::string("a\0b", 3));
    second.ask_form("who", "Your name?", name_form);
    const std::string third = retry("", member(second.result(), "requestState"));
    CHECK(server.begin(request(third)).info().flow_id == second.info().flow_id);
    CHECK(server.begin(request(third)).info().round == 2);
}

TEST(what_was_declined_is_asked_again_when_it_is_forgotten) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    const mrtr::Exchange first = server.begin(request());
    first.ask_form("who", "Your name?", name_form);
    const std::string text = retry(R"({"who":{"action":"decline"}})", member(first.result(), "requestState"));
    const mrtr::Exchange second = server.begin(request(text));
    CHECK(second.ask_form("who", "Your name?", name_form).status() == mrtr::AnswerStatus::declined && second.pending() == 0);
    second.forget("who");
    CHECK(second.ask_form("who", "Your name?", name_form).status() == mrtr::AnswerStatus::missing && second.pending() == 1);
}

TEST(a_foreign_state_never_reaches_a_handler) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    const std::string text = retry("", "made-up");
    try {
        server.begin(request(text));
        check::fail("begun");
    } catch (const mrtr::Error &e) {
        CHECK(e.rpc_code() == -32602);
        CHECK(contains(e.rpc().value_or(""), "invalid_request_state"));
    }
}

TEST(the_gate_refuses_or_filters) {
    const mrtr::Sealer sealer({key_a});
    const mrtr::Server refusing(sealer), filtering(sealer, mrtr::ServerOptions(mrtr::Gate::filter));
    const mrtr::Exchange strict = refusing.begin(request());
    CHECK(strict.can_ask(mrtr::need::form) && !strict.can_ask(mrtr::need::form | mrtr::need::roots));
    try {
        strict.ask_roots("roots");
        strict.result();
        check::fail("asked");
    } catch (const mrtr::Error &e) {
        CHECK(e.code() == MRTR_MISSING_CAPABILITY && e.rpc_code() == -32021 && e.http_status() == 400);
        CHECK(contains(e.rpc().value_or(""), R"("requiredCapabilities":{"roots":{}})"));
    }
    const mrtr::Exchange lenient = filtering.begin(request());
    CHECK(lenient.ask_roots("roots").status() == mrtr::AnswerStatus::unaskable);
    CHECK(lenient.pending() == 0);
    CHECK(thrown([&] { lenient.require(); }) == MRTR_MISSING_CAPABILITY);
}

TEST(the_first_error_of_an_ask_comes_out_again) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    const mrtr::Exchange exchange = server.begin(request());
    CHECK(thrown([&] { exchange.ask_form("a", "Your name?", R"({"type":"array"})"); }) == MRTR_BAD_SCHEMA);
    CHECK(thrown([&] { exchange.result(); }) == MRTR_BAD_SCHEMA);
}

TEST(without_a_sealer_the_state_is_the_hosts) {
    const mrtr::Server server = mrtr::Server::unsealed();
    const mrtr::Exchange first = server.begin(request());
    first.set_state("as it is");
    first.ask_form("who", "Your name?", name_form);
    CHECK(member(first.result(), "requestState") == "as it is");
    const std::string text = retry("", "as it is");
    CHECK(server.begin(request(text)).state() == "as it is");
}

TEST(every_kind_can_be_asked) {
    const mrtr::Server server(mrtr::Sealer({key_a}));
    mrtr::Request able = request();
    able.capabilities = R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}})";
    const mrtr::Exchange exchange = server.begin(able);
    exchange.ask("a", R"({"method":"roots/list"})");
    exchange.ask_form("b", "Your name?", name_form);
    exchange.ask_url("c", "Open this page?", "https://example.com/pay");
    exchange.ask_sampling("d", R"({"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":9})");
    exchange.ask_roots("e");
    CHECK(exchange.pending() == 5);
    const std::string result = exchange.result();
    CHECK(contains(result, "https://example.com/pay") && contains(result, "sampling/createMessage"));
}

TEST(a_result_is_built_without_an_exchange) {
    mrtr::ResultOptions options;
    options.method = "tools/call";
    options.asks = {{"a", R"({"method":"roots/list"})"}};
    options.state = "mine";
    const mrtr::BuiltResult built = mrtr::build_result(options);
    CHECK(contains(built.json, R"("requestState":"mine")") && contains(built.json, "roots/list"));
    options.asks.push_back(options.asks.front());
    CHECK(thrown([&] { mrtr::build_result(options); }) == MRTR_DUPLICATE_KEY);
    options.method = "tools/list";
    CHECK(thrown([&] { mrtr::build_result(options); }) == MRTR_METHOD_NOT_ALLOWED);
    const std::string bad = R"({"method":"elicitation/create","params":{"message":"?","requestedSchema":)"
                            R"({"type":"object","properties":{"a":{"type":"object"}}}}})";
    options.method = "tools/call";
    options.asks = {{"the key", bad}};
    try {
        mrtr::build_result(options);
        check::fail("built");
    } catch (const mrtr::Error &e) {
        CHECK(e.code() == MRTR_BAD_SCHEMA && e.key() == "the key");
        CHECK(e.at() == "/requestedSchema/properties/a/type");
    }
}

TEST(requests_are_checked_in_order) {
    const auto refusal = [](std::string_view text, std::optional<std::string_view> header, std::string_view method) {
        try {
            mrtr::check_request(method, text, header, {"2026-07-28"}, {"tools/list"});
            return std::make_pair(std::int64_t{0}, 200);
        } catch (const mrtr::Error &e) {
            return std::make_pair(e.rpc_code(), e.http_status());
        }
    };
    const auto meta = [](const char *version) {
        return std::string(R"({"_meta":{"io.modelcontextprotocol/protocolVersion":")") + version +
               R"(","io.modelcontextprotocol/clientCapabilities":{}}})";
    };
    using Told = std::pair<std::int64_t, int>;
    CHECK(refusal(meta("2026-07-28"), "2026-07-28", "tools/list") == Told(0, 200));
    CHECK(refusal("{}", "2026-07-28", "tools/list") == Told(-32602, 400));
    CHECK(refusal(meta("v999"), "2026-07-28", "tools/list") == Told(-32020, 400));
    CHECK(refusal(meta("v999"), "v999", "tools/list") == Told(-32022, 400));
    CHECK(refusal(meta("2026-07-28"), "2026-07-28", "ping") == Told(-32601, 404));
}
