// What a host does for its sealer (S11, S13), what it hears of it, and the helpers of gateways (S14).
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "common.hpp"

static mrtr::SealerOptions with(mrtr::SealerHooks hooks) {
    mrtr::SealerOptions options;
    options.keys = {key_a};
    options.hooks = std::move(hooks);
    return options;
}

TEST(of_many_threads_with_one_token_one_gets_in) {
    auto seen = std::make_shared<std::set<mrtr::Id>>();
    auto lock = std::make_shared<std::mutex>();
    std::atomic<int> in{0}, used{0}, heard{0};
    mrtr::SealerHooks hooks;
    hooks.claim = [=](const mrtr::Id &id, std::uint64_t until, std::uint64_t now) {
        const std::lock_guard<std::mutex> guard(*lock);
        return until > now && seen->insert(id).second;
    };
    hooks.refused = [&](mrtr_status reason) { heard += reason == MRTR_REPLAYED ? 1 : 100; };
    const mrtr::Sealer sealer(with(hooks));
    const std::string token = sealer.seal(request(), "x");
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            if (thrown([&] { sealer.open(request(), token); }) == MRTR_REPLAYED) ++used;
            else ++in;
        });
    for (std::thread &thread : threads) thread.join();
    CHECK(in == 1 && used == 7 && heard == 7);
    const mrtr_sealer_counters counters = sealer.counters();
    CHECK(counters.sealed == 1 && counters.opened == 1 && counters.refused == 7 && counters.replayed == 7);
    CHECK(counters.sealed_bytes == token.size());
}

TEST(a_guard_that_throws_refuses) {
    std::string why;
    mrtr::SealerHooks hooks;
    hooks.claim = [](const mrtr::Id &, std::uint64_t, std::uint64_t) -> bool { throw std::runtime_error("store is down"); };
    hooks.failed = [&](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception &e) {
            why = e.what();
        }
    };
    const mrtr::Sealer sealer(with(hooks));
    const std::string token = sealer.seal(request(), "x");
    CHECK(thrown([&] { sealer.open(request(), token); }) == MRTR_GUARD_FAILED);
    CHECK(why == "store is down");
}

TEST(own_crypto_keeps_our_claims) {
    const auto turn = [](std::string_view in) {
        std::string out(in);
        for (char &c : out) c = static_cast<char>(c ^ 0x55);
        return out;
    };
    mrtr::SealerHooks hooks;
    hooks.seal = turn;
    CHECK(thrown([&] { mrtr::Sealer{with(hooks)}; }) == MRTR_BAD_ARGUMENT);
    hooks.unseal = turn;
    CHECK(thrown([&] { mrtr::Sealer{with(hooks)}; }) == MRTR_CONFIG_ERROR);
    mrtr::SealerOptions options;
    options.hooks = hooks;
    const mrtr::Sealer sealer(options);
    const std::string token = sealer.seal(request(), "mine", std::nullopt, 0);
    CHECK(sealer.open(request(), token, 1).state == "mine");
    CHECK(thrown([&] { sealer.open(request(), token, 600000); }) == MRTR_EXPIRED);
    CHECK(thrown([&] { sealer.open(request(), "mrtr1.AAAAAAAAAAAA", 1); }) == MRTR_MALFORMED);
}

TEST(hooks_end_with_the_last_user_of_the_sealer) {
    auto held = std::make_shared<int>(1);
    {
        mrtr::SealerHooks hooks;
        hooks.refused = [held](mrtr_status) {};
        mrtr::Sealer sealer(with(hooks));
        hooks.refused = nullptr;
        CHECK(held.use_count() == 2);
        sealer.close();
        CHECK(held.use_count() == 1);
    }
}

TEST(a_gateway_carries_what_is_not_its_own) {
    const std::string wrapped = mrtr::wrap_state("b\xC3\xBCro", "v1.abc");
    const mrtr::OfBackend back = mrtr::unwrap_state(wrapped);
    CHECK(back && back->first == "b\xC3\xBCro" && back->second == "v1.abc");
    CHECK(!mrtr::unwrap_state("something else"));
    const std::string key = mrtr::prefix_key("a:b", "c");
    const mrtr::OfBackend parts = mrtr::split_key(key);
    CHECK(key == "3:a:b:c" && parts && parts->first == "a:b" && parts->second == "c");
    CHECK(!mrtr::split_key("region"));
}

TEST(a_gateway_passes_on_what_is_the_backends) {
    const std::string asks = R"({"resultType":"input_required","inputRequests":{"k":{}},"requestState":"S"})";
    const auto state = mrtr::gateway_state("a", asks);
    CHECK(state && !mrtr::gateway_state("a", R"({"resultType":"complete"})"));
    CHECK(mrtr::gateway_result("a", asks, "T") == R"({"resultType":"input_required","inputRequests":{"1:a:k":{}},"requestState":"T"})");
    CHECK(mrtr::gateway_params("a", R"({"_meta":{"x":1.0},"inputResponses":{"1:a:k":{},"k":{}},"requestState":"T"})", *state) ==
          R"({"_meta":{"x":1.0},"inputResponses":{"k":{}},"requestState":"S"})");
    CHECK(thrown([&] { mrtr::gateway_params("b", "{}", *state); }) == MRTR_BAD_ARGUMENT);
}

TEST(asks_that_went_out_are_told_and_a_throw_changes_nothing) {
    struct Heard {
        mrtr::Id flow{};
        std::uint32_t round = 0;
        std::uint64_t expires = 0;
        std::string method, keys;
    } heard;
    mrtr::ServerOptions options;
    options.issued = [&](const mrtr::Issued &issued) {
        heard = {issued.flow_id, issued.round, issued.expires_ms, std::string(issued.method), {}};
        for (const std::string_view key : issued.keys) heard.keys += std::string(key) + ";";
        throw std::runtime_error("a fault of the host");
    };
    const mrtr::Sealer sealer(with({}));
    const mrtr::Server server(sealer, options);
    const mrtr::Exchange exchange = server.begin(request(), 1000);
    exchange.ask_form("b", "Your name?", name_form);
    exchange.ask_form("a", "Your name?", name_form);
    CHECK(contains(exchange.result(), "requestState"));
    CHECK(heard.flow == exchange.info().flow_id && heard.round == 1 && heard.expires == 601000);
    CHECK(heard.method == "tools/call" && heard.keys == "b;a;");

    auto alive = std::make_shared<int>(0);
    options.issued = [alive](const mrtr::Issued &) {};
    options.gate = 9;
    CHECK(thrown([&] { mrtr::Server(sealer, options); }) == MRTR_BAD_ARGUMENT);
    options.gate = MRTR_GATE_REFUSE;
    {
        const mrtr::Server kept(sealer, options);
        options.issued = nullptr;
        CHECK(alive.use_count() == 2);
    }
    CHECK(alive.use_count() == 1);
}
