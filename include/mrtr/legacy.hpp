// Clients of older protocol versions, served by handlers of this one.
#ifndef MRTR_LEGACY_HPP
#define MRTR_LEGACY_HPP

#include "server.hpp"

namespace mrtr {

/// The other side of a session, or of one request. The texts are borrowed.
struct Peer {
    /// Protocol version that was agreed on, such as "2025-11-25".
    std::string_view version = "2026-07-28";
    /// JSON text of what it declared, in `initialize` or in this request; absent = nothing.
    std::optional<std::string_view> capabilities = std::nullopt;
    /// A request can be sent to it while it waits for its answer. Of no account in 2026-07-28.
    bool back_channel = false;
};

namespace detail {

inline mrtr_peer peer(const Peer &peer) {
    mrtr_peer raw{};
    raw.struct_size = static_cast<std::uint32_t>(sizeof raw);
    raw.back_channel = peer.back_channel ? 1 : 0;
    raw.version = text(peer.version);
    raw.capabilities = text(peer.capabilities);
    return raw;
}

}  // namespace detail

/// Whether a peer can be asked, and if not, why.
enum class CanAsk : std::uint32_t {
    yes = MRTR_CAN_ASK_YES,
    not_on_this_method = MRTR_CAN_ASK_METHOD,
    not_in_its_era = MRTR_CAN_ASK_ERA,
    no_channel = MRTR_CAN_ASK_CHANNEL,
    undeclared = MRTR_CAN_ASK_UNDECLARED,
};

/// Whether `peer` can be asked what needs all of `needs` (bits of mrtr::need) while a request of `method` is served (E3).
inline CanAsk can_ask(const Peer &peer, std::string_view method, std::uint32_t needs) {
    const mrtr_peer raw = detail::peer(peer);
    std::uint32_t can = 0;
    detail::call(mrtr_peer_can_ask, &raw, detail::text(method), needs, &can);
    return static_cast<CanAsk>(can);
}

/// What a Legacy call wants done next.
struct LegacyStep {
    enum class Type : std::uint32_t {
        idle = MRTR_LEGACY_IDLE,
        /// Run the handler in exchange(), then handled() or failed().
        run = MRTR_LEGACY_RUN,
        /// Send `method` with `params` to the client, under an id of the host's; then deliver() or deliver_error().
        send = MRTR_LEGACY_SEND,
        /// Send `notifications/cancelled` for `ask`.
        cancel = MRTR_LEGACY_CANCEL,
        /// Nothing to do before `until_ms`.
        sleep = MRTR_LEGACY_SLEEP,
        /// Answer with `result`, or with the error object `rpc`, or, if the call was cancelled, not at all.
        done = MRTR_LEGACY_DONE,
    };
    Type type = Type::idle;
    std::uint32_t ask = 0;
    std::uint64_t until_ms = 0;
    std::string method;
    std::optional<std::string> params, result, rpc;
    /// Why the library refused the call, such as MRTR_NO_BACK_CHANNEL; 0 if the handler ended it.
    mrtr_status refused = 0;
};

/// One call of a client of an older version, from its request to its end (L3). Sans-I/O: next() says what to do.
class Legacy : public Handle<mrtr_legacy, mrtr_legacy_free> {
public:
    Legacy(const Server &server, const Request &request, const Peer &peer) {
        const detail::CRequest c(request);
        const mrtr_peer raw = detail::peer(peer);
        detail::call(mrtr_legacy_begin, server.get(), c.get(), &raw, out());
    }

    LegacyStep next(std::uint64_t now_ms = now) const {
        detail::Out<mrtr_legacy_step> out;
        detail::call(mrtr_legacy_next, get(), now_ms, &out.value);
        const mrtr_legacy_step &raw = out.value;
        LegacyStep step;
        step.type = static_cast<LegacyStep::Type>(raw.type);
        step.ask = raw.ask;
        step.until_ms = raw.until_ms;
        step.method = detail::str(raw.method);
        step.params = detail::maybe(raw.params);
        step.result = detail::maybe(raw.result);
        step.rpc = detail::maybe(raw.rpc);
        step.refused = raw.refused;
        return step;
    }

    /// The exchange of the round; what it throws goes to failed().
    Exchange exchange(std::uint64_t now_ms = now) const { return Exchange(get(), now_ms); }
    /// The handler's result: a complete one, or that of its exchange.
    void handled(std::string_view result, std::uint64_t now_ms = now) const {
        detail::call(mrtr_legacy_handled, get(), detail::text(result), now_ms);
    }
    /// The JSON-RPC error object that the handler or its exchange failed with.
    void failed(std::string_view rpc) const { detail::call(mrtr_legacy_failed, get(), detail::text(rpc)); }
    /// The result of the client's response to an ask.
    void deliver(std::uint32_t ask, std::string_view result) const {
        detail::call(mrtr_legacy_deliver, get(), ask, detail::text(result));
    }
    /// The client answered an ask with an error.
    void deliver_error(std::uint32_t ask) const { detail::call(mrtr_legacy_deliver_error, get(), ask); }
    /// The client cancelled its call, or is gone.
    void cancel() const { detail::call(mrtr_legacy_cancel, get()); }
};

}  // namespace mrtr

#endif
