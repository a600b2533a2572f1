#include "common.hpp"

namespace {

constexpr const char *confirm = R"({"type":"object","properties":{}})";

std::string handler(const mrtr::Exchange &exchange) {
    if (!exchange.ask_form("k", "Go on?", confirm)) return exchange.result();
    return mrtr::complete_result(R"({"content":[]})");
}

}  // namespace

TEST(a_call_of_an_older_client) {
    using Type = mrtr::LegacyStep::Type;
    const mrtr::Server server(mrtr::Sealer::ephemeral());
    const mrtr::Peer peer{"2025-11-25", R"({"elicitation":{}})", true};
    const mrtr::Legacy call(server, {"tools/call", R"({"name":"t"})", mrtr::nobody}, peer);
    int sent = 0;
    for (;;) {
        const mrtr::LegacyStep step = call.next();
        if (step.type == Type::run) call.handled(handler(call.exchange()));
        if (step.type == Type::send) {
            ++sent;
            CHECK(step.method == "elicitation/create" && contains(*step.params, "Go on?"));
            call.deliver(step.ask, R"({"action":"accept"})");
        }
        if (step.type != Type::done) continue;
        CHECK(step.result == R"({"content":[]})" && !step.rpc && step.refused == 0);
        break;
    }
    CHECK(sent == 1);
}

TEST(who_can_be_asked) {
    const mrtr::Peer peer{"2025-06-18", R"({"elicitation":{}})", true};
    CHECK(mrtr::can_ask(peer, "tools/call", mrtr::need::form) == mrtr::CanAsk::yes);
    CHECK(mrtr::can_ask(peer, "tools/call", mrtr::need::url) == mrtr::CanAsk::not_in_its_era);
    CHECK(mrtr::can_ask({}, "tools/call", mrtr::need::form) == mrtr::CanAsk::undeclared);
}

TEST(a_server_of_this_era_describes_itself_and_checks_headers) {
    mrtr::Discovery discovery;
    discovery.capabilities = R"({"tools":{}})";
    discovery.ttl_ms = 5;
    CHECK(discovery.result() ==
          R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":5})");
    mrtr::HttpRequest request;
    request.method = "tools/list";
    request.params = R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                     R"("io.modelcontextprotocol/clientCapabilities":{}}})";
    request.headers = {{"mcp-method", "tools/list"}, {"mcp-protocol-version", "2026-07-28"}};
    mrtr::check_http_request(request);
    request.headers.pop_back();
    CHECK(thrown([&] { mrtr::check_http_request(request); }) == MRTR_HEADER_MISMATCH);
}
