// Many flows at once: through a queue, and through handlers on the library's thread (C8, F4).
#include <atomic>
#include <thread>

#include "common.hpp"

namespace {

constexpr std::string_view asks =
    R"({"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?",)"
    R"("requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}}},"requestState":"s"})";
constexpr std::string_view complete = R"({"resultType":"complete"})";

mrtr::Client a_client() {
    mrtr::ClientOptions options;
    options.handlers = MRTR_NEED_FORM;
    return mrtr::Client(options);
}

}  // namespace

TEST(a_runtime_gives_its_events_through_its_queue) {
    const mrtr::Runtime runtime;
    const mrtr::Queue queue = runtime.queue();
    const mrtr::Flow flow = a_client().begin("tools/call", "{}");
    runtime.start(flow);
    bool over = false;
    while (!over) {
        const mrtr::Taken taken = queue.next(20000);
        CHECK(taken.flow.get().id == flow.get().id);
        if (const auto *send = std::get_if<mrtr::event::Send>(&taken.event))
            taken.flow.deliver(send->leg, send->leg == 1 ? asks : complete);
        if (const auto *ask = std::get_if<mrtr::event::Ask>(&taken.event)) taken.flow.answer(ask->key, R"({"n":"x"})");
        if (const auto *done = std::get_if<mrtr::event::Done>(&taken.event)) {
            CHECK(done->value() == complete);
            over = true;
        }
        if (!taken.flow.get().id) return;
    }
    queue.wake();
    CHECK(std::holds_alternative<mrtr::event::Idle>(queue.next().event));
    CHECK(queue.fd() >= 0);
    CHECK(!queue.next(0).drained);
    runtime.shutdown();
    CHECK(runtime.wait(0) && queue.next().drained);
    CHECK(thrown([&] { runtime.start(flow); }) == MRTR_WRONG_STATE);
}

TEST(handlers_run_on_the_thread_of_the_runtime) {
    const auto here = std::this_thread::get_id();
    std::atomic<int> ends{0}, strangers{0};
    mrtr::Handlers handlers;
    handlers.send = [&](mrtr::FlowRef flow, const mrtr::event::Send &send) {
        if (std::this_thread::get_id() == here) ++strangers;
        flow.deliver(send.leg, asks);
    };
    handlers.ask = [](mrtr::FlowRef, const mrtr::event::Ask &) { throw std::runtime_error("no window"); };
    handlers.done = [&](mrtr::FlowRef, const mrtr::event::Done &done) {
        if (done.end == MRTR_HANDLER_FAILED) ++ends;
    };
    const mrtr::Client client = a_client();
    const mrtr::Runtime runtime(std::move(handlers));
    std::vector<mrtr::Flow> flows;
    for (int at = 0; at < 5; ++at) {
        flows.push_back(client.begin("tools/call", "{}"));
        runtime.start(flows.back());
    }
    CHECK(thrown([&] { runtime.queue(); }) == MRTR_WRONG_STATE);
    for (int waited = 0; ends < 5 && waited < 20000; ++waited) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    runtime.shutdown();
    CHECK(runtime.wait(20000));
    CHECK(ends == 5 && strangers == 0);
}
