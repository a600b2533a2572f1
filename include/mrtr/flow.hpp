// One call of a client, from its first leg to its end.
#ifndef MRTR_FLOW_HPP
#define MRTR_FLOW_HPP

#include <functional>
#include <type_traits>

#include "event.hpp"

namespace mrtr {

/// What a flow can be told; the calls of Flow and FlowRef.
/// What comes too late for a leg is ignored. A key that was not asked throws config_error, one that has its answer
/// wrong_state; both leave the flow as it is.
template <class Self>
class FlowCalls {
public:
    /// The `result` of the response to a leg, as JSON text.
    void deliver(std::uint32_t leg, std::string_view result, std::uint64_t now_ms = now) const {
        detail::call(mrtr_flow_deliver, flow(), leg, detail::text(result), now_ms);
    }
    /// The `error` of the response to a leg, as JSON text.
    void deliver_error(std::uint32_t leg, std::string_view error, std::uint64_t now_ms = now) const {
        detail::call(mrtr_flow_deliver_error, flow(), leg, detail::text(error), now_ms);
    }
    /// The connection of a leg is gone; it is never sent again by itself.
    void lost(std::uint32_t leg, std::uint64_t now_ms = now) const {
        detail::call(mrtr_flow_lost, flow(), leg, now_ms);
    }
    void progress(std::uint32_t leg, double value, std::uint64_t now_ms = now) const {
        detail::call(mrtr_flow_progress, flow(), leg, value, now_ms);
    }

    /// A form: its content. A URL: `{}`. Sampling and roots: the whole result. Checked before it is sent (C9).
    void answer(std::string_view key, std::string_view value, std::uint64_t now_ms = now) const {
        detail::call(mrtr_flow_answer, flow(), detail::text(key), detail::text(value), now_ms);
    }
    /// The user said no; forms and URLs only.
    void decline(std::string_view key, std::uint64_t now_ms = now) const { act(mrtr_flow_decline, key, now_ms); }
    /// The user closed the question; forms and URLs only.
    void cancel_ask(std::string_view key, std::uint64_t now_ms = now) const {
        act(mrtr_flow_cancel_ask, key, now_ms);
    }
    /// The ask is denied: nothing is sent, the flow ends as refused.
    void refuse(std::string_view key, std::uint64_t now_ms = now) const { act(mrtr_flow_refuse, key, now_ms); }
    /// Nobody could be asked; never counts as a decline.
    void unavailable(std::string_view key, std::uint64_t now_ms = now) const {
        act(mrtr_flow_unavailable, key, now_ms);
    }
    /// The handler failed; the flow ends as handler_failed with this text.
    void fail(std::string_view key, std::string_view text, std::uint64_t now_ms = now) const {
        detail::call(mrtr_flow_fail, flow(), detail::text(key), detail::text(text), now_ms);
    }

    void cancel(std::uint64_t now_ms = now) const { detail::call(mrtr_flow_cancel, flow(), now_ms); }

    /// A page that a 2025 server's -32042 asked for is done; absent: the user says that all are (L2).
    void complete(std::optional<std::string_view> elicitation_id, std::uint64_t now_ms = now) const {
        detail::call(mrtr_older_complete, flow(), detail::text(elicitation_id), now_ms);
    }

    /// What happened so far, as JSON lines; ClientOptions::trace says what is written down.
    std::string trace_lines() const { return trace(MRTR_TRACE_LINES); }
    /// The same as a sequence diagram in Mermaid's language, without content.
    std::string trace_mermaid() const { return trace(MRTR_TRACE_MERMAID); }

    /// The flow as text for Client::resume(), in this process or another. It holds answers: keep it safe.
    std::string save() const {
        detail::Buffer text;
        detail::call(mrtr_flow_save, flow(), &text.value);
        return text.take();
    }

private:
    std::string trace(std::uint32_t form) const {
        detail::Buffer text;
        detail::call(mrtr_trace_write, flow(), form, &text.value);
        return text.take();
    }
    using Act = mrtr_status (*)(mrtr_flow, mrtr_slice, std::uint64_t, mrtr_error *);
    void act(Act function, std::string_view key, std::uint64_t now_ms) const {
        detail::call(function, flow(), detail::text(key), now_ms);
    }
    mrtr_flow flow() const noexcept { return static_cast<const Self *>(this)->get(); }
};

/// A flow as handlers see it: acts on it without owning it. After the flow is gone every call throws stale_handle.
class FlowRef : public FlowCalls<FlowRef> {
public:
    explicit FlowRef(mrtr_flow flow) noexcept : flow_(flow) {}
    mrtr_flow get() const noexcept { return flow_; }

private:
    mrtr_flow flow_;
};

/// Functions for Flow::step(). An event without one goes to `event`, if that is set.
/// What `ask` throws ends the flow as handler_failed; what `send` throws counts as a lost leg. Neither, nor an
/// exception of another function, crosses the library: all but those of `ask` come out of step() afterwards.
struct Handlers {
    std::function<void(FlowRef, const event::Send &)> send;
    std::function<void(FlowRef, const event::CancelLeg &)> cancel_leg;
    std::function<void(FlowRef, const event::Ask &)> ask;
    std::function<void(FlowRef, const event::StopAsk &)> stop_ask;
    std::function<void(FlowRef, const event::Round &)> round;
    std::function<void(FlowRef, const event::Progress &)> progress;
    std::function<void(FlowRef, const event::Note &)> note;
    std::function<void(FlowRef, const event::Done &)> done;
    std::function<void(FlowRef, const Event &)> event;
};

namespace detail {

// What a step in progress and its callbacks share.
struct StepState {
    std::uint64_t now_ms = now;
    std::exception_ptr thrown;
};

class Dispatcher {
public:
    Dispatcher(Handlers handlers, std::shared_ptr<StepState> state)
        : handlers_(std::move(handlers)), state_(std::move(state)) {}

    static void on_event(void *self, mrtr_flow flow, const mrtr_event *event) noexcept {
        static_cast<Dispatcher *>(self)->dispatch(FlowRef(flow), *event);
    }
    static void destroy(void *self) noexcept { delete static_cast<Dispatcher *>(self); }

private:
    void dispatch(FlowRef flow, const mrtr_event &raw) noexcept {
        // The handler may free the flow, and with it this object, so hold on to what is used afterwards.
        const std::shared_ptr<StepState> state = state_;
        try {
            run(flow, event_of(raw));
        } catch (const std::exception &e) {
            caught(flow, raw, *state, e.what());
        } catch (...) {
            caught(flow, raw, *state, "the handler threw something that is no std::exception");
        }
    }

    void run(FlowRef flow, const Event &event) {
        std::visit([&](const auto &one) { pick(flow, one, event); }, event);
    }

    template <class E>
    void pick(FlowRef flow, const E &one, const Event &event) {
        using Function = std::function<void(FlowRef, const E &)>;
        Function chosen;
        if constexpr (std::is_same_v<E, event::Send>) chosen = handlers_.send;
        if constexpr (std::is_same_v<E, event::CancelLeg>) chosen = handlers_.cancel_leg;
        if constexpr (std::is_same_v<E, event::Ask>) chosen = handlers_.ask;
        if constexpr (std::is_same_v<E, event::StopAsk>) chosen = handlers_.stop_ask;
        if constexpr (std::is_same_v<E, event::Round>) chosen = handlers_.round;
        if constexpr (std::is_same_v<E, event::Progress>) chosen = handlers_.progress;
        if constexpr (std::is_same_v<E, event::Note>) chosen = handlers_.note;
        if constexpr (std::is_same_v<E, event::Done>) chosen = handlers_.done;
        if (chosen) return chosen(flow, one);
        const auto fallback = handlers_.event;
        if (fallback) fallback(flow, event);
    }

    static void caught(FlowRef flow, const mrtr_event &raw, StepState &state, const char *what) noexcept {
        if (raw.type == MRTR_EVENT_ASK) {
            mrtr_flow_fail(flow.get(), raw.key, text(std::string_view(what)), state.now_ms, nullptr);
            return;
        }
        if (raw.type == MRTR_EVENT_SEND) mrtr_flow_lost(flow.get(), raw.leg, state.now_ms, nullptr);
        if (!state.thrown) state.thrown = std::current_exception();
    }

    Handlers handlers_;
    std::shared_ptr<StepState> state_;
};

}  // namespace detail

/// One call. Drive it by next(), or by step() with handlers. Times are the host's monotonic milliseconds; use
/// one clock throughout.
class Flow : public Handle<mrtr_flow, mrtr_flow_free>, public FlowCalls<Flow> {
public:
    /// What to do next; call it until it says Idle, Sleep or Done.
    Event next(std::uint64_t now_ms = now) const {
        detail::Out<mrtr_event> out;
        detail::call(mrtr_flow_next, get(), now_ms, &out.value);
        return detail::event_of(out.value);
    }

    /// The open asks of the round, shown or not, for a host that shows them on one page; answers to all are taken (C13).
    std::vector<event::Ask> asks() const {
        std::vector<event::Ask> open;
        for (;;) {
            detail::Out<mrtr_event> out;
            detail::call(mrtr_flow_open_ask, get(), open.size(), &out.value);
            if (out.value.type != MRTR_EVENT_ASK) return open;
            open.push_back(detail::ask_event(out.value));
        }
    }

    /// The flow as handlers see it.
    FlowRef ref() const noexcept { return FlowRef(get()); }

    /// Sets what step() calls.
    void set_handlers(Handlers handlers) {
        auto state = std::make_shared<detail::StepState>();
        auto dispatcher = std::make_unique<detail::Dispatcher>(std::move(handlers), state);
        mrtr_flow_callbacks callbacks{};
        callbacks.struct_size = static_cast<std::uint32_t>(sizeof callbacks);
        callbacks.abi = MRTR_ABI;
        callbacks.user_data = dispatcher.get();
        callbacks.event = detail::Dispatcher::on_event;
        callbacks.destroy = detail::Dispatcher::destroy;
        detail::call(mrtr_flow_set_callbacks, get(), &callbacks);
        static_cast<void>(dispatcher.release());  // the library destroys it now
        step_ = std::move(state);
    }

    struct Step {
        /// Call step() again then, or as soon as something was delivered or answered.
        std::uint64_t until_ms = no_limit;
        bool done = false;
    };
    /// Calls the handlers for all that is due. May be used from inside a handler of another flow.
    Step step(std::uint64_t now_ms = now) {
        const std::shared_ptr<detail::StepState> state = step_;  // a handler may drop this Flow
        if (state) *state = {now_ms, nullptr};
        std::uint32_t done = 0;
        Step result;
        detail::call(mrtr_flow_step, get(), now_ms, &result.until_ms, &done);
        result.done = done != 0;
        if (state && state->thrown) std::rethrow_exception(std::exchange(state->thrown, nullptr));
        return result;
    }

private:
    friend class Client;
    explicit Flow(mrtr_flow flow) noexcept : Handle(flow) {}

    std::shared_ptr<detail::StepState> step_;
};

}  // namespace mrtr

#endif
