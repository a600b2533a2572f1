// Many flows at once, the library keeping their clocks.
#ifndef MRTR_RUNTIME_HPP
#define MRTR_RUNTIME_HPP

#include "flow.hpp"

namespace mrtr {

/// What a Queue gives: an event and the flow that it is of; `drained` = nothing will come any more.
struct Taken {
    FlowRef flow{mrtr_flow{0}};
    /// Idle without a flow: the time is over, or wake() was called.
    Event event;
    bool drained = false;
};

/// The events of a Runtime, taken on the host's own threads. It outlives its runtime.
class Queue : public Handle<mrtr_queue, mrtr_queue_free> {
public:
    /// The next event; waits for one at most that long.
    Taken next(std::uint64_t timeout_ms = no_limit) const {
        detail::Out<mrtr_event> out;
        mrtr_flow flow{};
        detail::call(mrtr_queue_next, get(), timeout_ms, &flow, &out.value);
        return Taken{FlowRef(flow), detail::event_of(out.value), out.value.type == MRTR_EVENT_DRAINED};
    }
    /// Lets a next() that waits come back with Idle.
    void wake() const { detail::call(mrtr_queue_wake, get()); }
    /// For poll and event loops: readable while next() would not wait. Never read or close it.
    int fd() const {
        std::int32_t fd = -1;
        detail::call(mrtr_queue_fd, get(), &fd);
        return fd;
    }

private:
    friend class Runtime;
    explicit Queue(mrtr_queue queue) noexcept : Handle(queue) {}
};

/// Runs many flows. Threads may share it. A child after fork cannot use it (wrong_state).
///
/// Its end has two steps: shutdown() cancels what runs; when it is drained nothing is called any more. Destroyed before that, it
/// throws away what is left; a handler that is running goes on.
class Runtime : public Handle<mrtr_runtime, mrtr_runtime_free> {
public:
    /// Its events wait in queue(); no thread of the library runs the host's code.
    Runtime() { make(nullptr); }
    /// One thread of the library calls the handlers for all its flows, one event after the other. They may use everything but wait().
    /// An exception in `ask` ends the flow as handler_failed, one in `send` loses the leg; others are dropped.
    explicit Runtime(Handlers handlers) {
        auto dispatcher = std::make_unique<detail::Dispatcher>(std::move(handlers), std::make_shared<detail::StepState>());
        mrtr_flow_callbacks callbacks{};
        callbacks.struct_size = static_cast<std::uint32_t>(sizeof callbacks);
        callbacks.abi = MRTR_ABI;
        callbacks.user_data = dispatcher.get();
        callbacks.event = detail::Dispatcher::on_event;
        callbacks.destroy = detail::Dispatcher::destroy;
        make(&callbacks);
        static_cast<void>(dispatcher.release());  // the library destroys it now
    }

    /// Takes a flow over that was begun with mrtr::now. It stays the caller's: free it when its end has come.
    void start(const Flow &flow) const { detail::call(mrtr_runtime_start, get(), flow.get()); }
    /// Throws wrong_state if handlers take the events.
    Queue queue() const {
        mrtr_queue queue{};
        detail::call(mrtr_runtime_queue, get(), &queue);
        return Queue(queue);
    }
    /// No flow is started any more, those that run are cancelled; their ends still come.
    void shutdown() const { detail::call(mrtr_runtime_close, get()); }
    /// Waits until all was taken after shutdown(), and the handlers are gone; false if the time is over first. Throws busy in a handler.
    bool wait(std::uint64_t timeout_ms = no_limit) const {
        std::uint32_t drained = 0;
        detail::call(mrtr_runtime_wait, get(), timeout_ms, &drained);
        return drained != 0;
    }

private:
    void make(const mrtr_flow_callbacks *callbacks) {
        detail::call(mrtr_runtime_new, static_cast<const mrtr_runtime_options *>(nullptr), callbacks, out());
    }
};

}  // namespace mrtr

#endif
