// Sealing and opening states.
#include <atomic>
#include <thread>

#include "common.hpp"

TEST(what_was_sealed_opens) {
    const mrtr::Sealer sealer({key_a});
    const std::string state("a\0b\xff", 4);
    const mrtr::Opened opened = sealer.open(request(), sealer.seal(request(), state));
    CHECK(opened.state == state);
    CHECK(opened.round == 1);
    CHECK(opened.expires_ms > opened.issued_ms);
    CHECK(opened.flow_start_ms == opened.issued_ms);
    CHECK(mrtr::hex(opened.flow_id).size() == 32);
    CHECK(opened.flow_id != mrtr::Id{} && opened.token_id != mrtr::Id{});
}

TEST(an_empty_state_is_not_no_state) {
    const mrtr::Sealer sealer({key_a});
    CHECK(sealer.open(request(), sealer.seal(request(), std::string_view())).state == "");
    CHECK(!sealer.open(request(), sealer.seal(request(), std::nullopt)).state.has_value());
}

TEST(an_empty_token_is_a_token) {
    const mrtr::Sealer sealer({key_a});
    CHECK(thrown([&] { sealer.open(request(), std::string_view()); }) == MRTR_MALFORMED);
    CHECK(thrown([&] { sealer.seal(request(), "x", std::string_view()); }) == MRTR_MALFORMED);
}

TEST(a_flow_goes_on_from_its_last_token) {
    const mrtr::Sealer sealer({key_a});
    const std::string first = sealer.seal(request(), "one");
    const mrtr::Opened second = sealer.open(request(), sealer.seal(request(), "two", first));
    CHECK(second.round == 2);
    CHECK(second.flow_id == sealer.open(request(), first).flow_id);
}

TEST(a_state_is_bound_to_principal_and_request) {
    const mrtr::Sealer sealer({key_a});
    const mrtr::Request alice{"tools/call", params, mrtr::Principal::of("alice")};
    const mrtr::Request bob{"tools/call", params, mrtr::Principal::of("bob", std::string("desktop"))};
    const mrtr::Request prompt{"prompts/get", params, mrtr::Principal::of("alice")};
    const std::string token = sealer.seal(alice, "x");
    CHECK(sealer.open(alice, token).state == "x");
    CHECK(thrown([&] { sealer.open(bob, token); }) == MRTR_WRONG_PRINCIPAL);
    CHECK(thrown([&] { sealer.open(request(), token); }) == MRTR_WRONG_PRINCIPAL);
    CHECK(thrown([&] { sealer.open(prompt, token); }) == MRTR_WRONG_REQUEST);
    const mrtr::Request none{"tools/call", params, mrtr::Principal::of()};
    CHECK(thrown([&] { sealer.seal(none, "x"); }) == MRTR_CONFIG_ERROR);
}

TEST(every_refusal_says_the_same_to_the_peer) {
    const mrtr::Sealer sealer({key_a});
    const std::string token = sealer.seal(request(), "x", std::nullopt, 1000);
    std::vector<std::string> told;
    const auto refuse = [&](mrtr_status reason, std::string_view text, std::uint64_t now_ms) {
        try {
            sealer.open(request(), text, now_ms);
            check::fail("opened");
        } catch (const mrtr::Error &e) {
            CHECK(e.code() == reason);
            CHECK(e.rpc_code() == -32602);
            told.push_back(e.rpc().value_or(""));
        }
    };
    refuse(MRTR_MALFORMED, token + "=", 1000);
    refuse(MRTR_EXPIRED, token, 100'000'000);
    refuse(MRTR_UNKNOWN_KEY, mrtr::Sealer({key_b}).seal(request(), "x", std::nullopt, 1000), 1000);
    CHECK(told.size() == 3 && told[0] == told[1] && told[1] == told[2]);
    CHECK(contains(told[0], "invalid_request_state"));
}

TEST(keys_rotate) {
    const mrtr::Sealer sealer({key_a});
    const std::string old = sealer.seal(request(), "old");
    sealer.set_keys({key_b, key_a});
    CHECK(sealer.open(request(), old).state == "old");
    sealer.set_keys({key_b});
    CHECK(thrown([&] { sealer.open(request(), old); }) == MRTR_UNKNOWN_KEY);
    CHECK(thrown([&] { sealer.set_keys({}); }) == MRTR_CONFIG_ERROR);
}

TEST(options_start_with_the_defaults) {
    mrtr::SealerOptions options;
    CHECK(options.ttl_ms == 600'000 && options.skew_ms == 60'000 && options.max_age_ms == 3'600'000);
    options.keys = {key_a};
    options.audience = "";
    CHECK(thrown([&] { mrtr::Sealer sealer(options); }) == MRTR_CONFIG_ERROR);
    options.audience = "shop";
    options.cipher = MRTR_CIPHER_CHACHA20_POLY1305;
    const mrtr::Sealer shop(options);
    CHECK(shop.open(request(), shop.seal(request(), "x")).state == "x");
    CHECK(thrown([] { mrtr::Sealer keyless{mrtr::SealerOptions()}; }) == MRTR_CONFIG_ERROR);
}

TEST(threads_share_a_sealer) {
    const mrtr::Sealer sealer({key_a});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 200; ++n) {
                const std::string state = std::to_string(i) + "/" + std::to_string(n);
                try {
                    if (sealer.open(request(), sealer.seal(request(), state)).state != state) ++wrong;
                } catch (const mrtr::Error &) {
                    ++wrong;
                }
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    CHECK(wrong == 0);
}
