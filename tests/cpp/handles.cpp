// Owning handles: moved-from, closed, freed behind the back, freed twice (F1).
#include <type_traits>

#include "common.hpp"

static_assert(!std::is_copy_constructible_v<mrtr::Sealer> && std::is_nothrow_move_constructible_v<mrtr::Sealer>);
static_assert(!std::is_copy_constructible_v<mrtr::Exchange> && std::is_nothrow_move_assignable_v<mrtr::Exchange>);
static_assert(!std::is_copy_constructible_v<mrtr::Flow> && std::is_nothrow_move_constructible_v<mrtr::Flow>);
static_assert(!std::is_default_constructible_v<mrtr::Principal>, "nobody must be written out");
static_assert(std::is_nothrow_copy_constructible_v<mrtr::Error>);

TEST(a_handle_frees_itself) {
    const auto before = mrtr::live_objects();
    {
        const mrtr::Sealer sealer = mrtr::Sealer::ephemeral();
        CHECK(mrtr::live_objects() == before + 1);
        CHECK(static_cast<bool>(sealer));
    }
    CHECK(mrtr::live_objects() == before);
}

TEST(a_moved_from_object_is_empty) {
    mrtr::Sealer first = mrtr::Sealer::ephemeral();
    const mrtr::Sealer second = std::move(first);
    CHECK(!first);
    CHECK(thrown([&] { first.seal(request(), "x"); }) == MRTR_NULL_ARGUMENT);
    CHECK(thrown([&] { mrtr::Server server(first); }) == MRTR_NULL_ARGUMENT);
    CHECK(!second.seal(request(), "x").empty());
}

TEST(moving_in_frees_what_was_there) {
    const auto before = mrtr::live_objects();
    mrtr::Sealer sealer = mrtr::Sealer::ephemeral();
    sealer = mrtr::Sealer::ephemeral();
    CHECK(mrtr::live_objects() == before + 1);
    mrtr::Sealer &same = sealer;
    sealer = std::move(same);
    CHECK(static_cast<bool>(sealer));
}

TEST(use_after_close_throws) {
    mrtr::Sealer sealer = mrtr::Sealer::ephemeral();
    sealer.close();
    CHECK(!sealer);
    CHECK(thrown([&] { sealer.seal(request(), "x"); }) == MRTR_NULL_ARGUMENT);
    CHECK(thrown([&] { sealer.close(); }) == MRTR_OK);
}

TEST(use_after_a_free_behind_its_back_throws) {
    mrtr::Sealer sealer = mrtr::Sealer::ephemeral();
    CHECK(mrtr_sealer_free(sealer.get()) == MRTR_OK);
    CHECK(thrown([&] { sealer.seal(request(), "x"); }) == MRTR_STALE_HANDLE);
    CHECK(thrown([&] { sealer.close(); }) == MRTR_STALE_HANDLE);
    CHECK(!sealer);
}

TEST(a_handle_of_another_kind_throws) {
    const mrtr::Sealer sealer = mrtr::Sealer::ephemeral();
    const mrtr::FlowRef flow(mrtr_flow{sealer.get().id});
    CHECK(thrown([&] { flow.cancel(); }) == MRTR_WRONG_HANDLE);
}

TEST(objects_may_die_in_any_order) {
    auto sealer = std::make_unique<mrtr::Sealer>(mrtr::Sealer::ephemeral());
    auto server = std::make_unique<mrtr::Server>(*sealer);
    sealer.reset();
    const mrtr::Exchange exchange = server->begin(request());
    server.reset();
    exchange.ask_form("a", "Your name?", name_form);
    CHECK(contains(exchange.result(), "requestState"));
}

TEST(an_error_outlives_its_cause_and_is_copied) {
    std::optional<mrtr::Error> kept;
    try {
        mrtr::Sealer sealer(std::vector<std::string_view>{"short"});
    } catch (const mrtr::Error &e) {
        kept = e;
    }
    CHECK(kept.has_value());
    const mrtr::Error copy = *kept;
    CHECK(copy.code() == MRTR_CONFIG_ERROR);
    CHECK(copy.name() == "config_error");
    CHECK(!copy.message().empty());
    CHECK(contains(copy.what(), "config_error: "));
    CHECK(!contains(copy.what(), "short\""));
}

TEST(the_library_says_its_version) {
    CHECK(mrtr::version() == MRTR_VERSION);
    CHECK(!mrtr::has_feature("no such feature"));
}

TEST(members_of_an_object_are_found_as_they_stand) {
    const std::string_view body = R"({"id": 1e400 ,"params":{"a" : "\ud800"},"":[]})";
    CHECK(mrtr::json_member(body, "id") == "1e400");
    CHECK(mrtr::json_member(body, "params") == R"({"a" : "\ud800"})");
    CHECK(mrtr::json_member(body, std::string_view()) == "[]");
    CHECK(!mrtr::json_member(body, "result").has_value());
    CHECK(thrown([] { mrtr::json_member(std::string_view(), "id"); }) == MRTR_BAD_JSON);
    CHECK(thrown([] { mrtr::json_member(R"({"id":1,"\u0069d":2})", "id"); }) == MRTR_BAD_JSON);
}
