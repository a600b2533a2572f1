// What a flow wants done: one struct per kind of event.
#ifndef MRTR_EVENT_HPP
#define MRTR_EVENT_HPP

#include <variant>

#include "base.hpp"

namespace mrtr {

/// The kinds of asks.
enum class Kind : std::uint32_t { form = 1, url = 2, sampling = 3, roots = 4 };

/// What to tell a user about a URL before it is opened, as bits (C14).
namespace url_flag {
inline constexpr std::uint32_t not_https = MRTR_URL_NOT_HTTPS;
inline constexpr std::uint32_t user_info = MRTR_URL_USER_INFO;
inline constexpr std::uint32_t ip_literal = MRTR_URL_IP_LITERAL;
inline constexpr std::uint32_t punycode = MRTR_URL_PUNYCODE;
inline constexpr std::uint32_t mixed_script = MRTR_URL_MIXED_SCRIPT;
}  // namespace url_flag

namespace event {

/// Nothing to do until something is delivered or answered; also after Done.
struct Idle {};

/// Send a request; deliver() its result under the same leg number.
struct Send {
    std::uint32_t leg = 0;
    /// A JSON-RPC id that is free to use for this leg.
    std::uint64_t id = 0;
    std::string method, params;
    /// The leg times out then; mrtr::no_limit = never.
    std::uint64_t until_ms = no_limit;
    /// The wait that was taken before this leg (C6).
    std::uint64_t paced_ms = 0;
};

/// Tell the server that nobody waits for this leg any more.
struct CancelLeg {
    std::uint32_t leg = 0;
    std::uint64_t id = 0;
};

/// Ask the user (form, url), the model (sampling) or the host (roots); then answer() or one of its siblings.
struct Ask {
    std::string key;
    Kind kind = Kind::form;
    std::uint32_t round = 0;
    /// The same question was declined before.
    bool previously_declined = false;
    /// The whole ask and its params, as JSON text.
    std::string ask, params;
    /// The text for the user; forms and URLs only.
    std::string message;
    /// JSON text of the form's schema; forms only.
    std::string schema;
    std::string url, host_ascii, host_unicode;
    /// Bits of mrtr::url_flag; URLs only.
    std::uint32_t url_flags = 0;
    /// Who asks: the host's name for the server, and the call (C14).
    std::string label, call_method, call_target;
    /// What the server calls itself: as it came, and for the eye. Not verified by anyone.
    std::string server_name, server_shown, server_version;
    /// JSON array of form fields that look as if they asked for a secret; empty = none.
    std::string secret_fields;
};

/// Take this question down again.
struct StopAsk {
    std::string key;
};

/// A round with asks begins.
struct Round {
    std::uint32_t round = 0;
};

/// The server's progress value for a leg; never decreases.
struct Progress {
    std::uint32_t leg = 0;
    double value = 0;
};

/// Something odd that was tolerated; for logs.
struct Note {
    std::optional<std::string> key;
    std::string text;
};

/// Nothing to do before then, unless something is delivered or answered.
struct Sleep {
    std::uint64_t until_ms = no_limit;
    /// The wait paces a retry without asks.
    bool pacing = false;
};

/// The end of the flow; comes exactly once.
struct Done {
    /// MRTR_OK = complete, else why it ended.
    mrtr_status end = MRTR_OK;
    /// The raw result: the final one, or the one kept with the error.
    std::optional<std::string> result;
    std::optional<std::string> key, rpc_error, continuation;
    std::string message;
    std::uint32_t rounds = 0;
    /// False for a result that was obtained through rounds (C18).
    bool cacheable = false;

    bool complete() const noexcept { return end == MRTR_OK; }
    /// The end by name, such as `refused`; `ok` when complete.
    std::string name() const { return detail::str(mrtr_code_name(end)); }
    /// The final result; throws an Error if the flow ended without one.
    const std::string &value() const {
        if (complete() && result) return *result;
        Error::Facts facts;
        facts.code = end;
        facts.name = name();
        facts.message = message;
        facts.key = key;
        facts.rpc = rpc_error;
        facts.raw = result;
        facts.continuation = continuation;
        throw Error(std::move(facts));
    }
};

}  // namespace event

/// Use std::get_if or std::visit.
using Event = std::variant<event::Idle, event::Send, event::CancelLeg, event::Ask, event::StopAsk, event::Round,
                           event::Progress, event::Note, event::Sleep, event::Done>;

namespace detail {

inline event::Ask ask_event(const mrtr_event &e) {
    event::Ask ask;
    ask.key = str(e.key);
    ask.kind = static_cast<Kind>(e.kind);
    ask.round = e.round;
    ask.previously_declined = e.previously_declined != 0;
    ask.ask = str(e.ask);
    ask.params = str(e.params);
    ask.message = str(e.message);
    ask.schema = str(e.schema);
    ask.url = str(e.url);
    ask.host_ascii = str(e.host_ascii);
    ask.host_unicode = str(e.host_unicode);
    ask.url_flags = e.url_flags;
    ask.label = str(e.label);
    ask.call_method = str(e.call_method);
    ask.call_target = str(e.call_target);
    ask.server_name = str(e.server_name);
    ask.server_shown = str(e.server_shown);
    ask.server_version = str(e.server_version);
    ask.secret_fields = str(e.secret_fields);
    return ask;
}

inline event::Done done_event(const mrtr_event &e) {
    event::Done done;
    done.end = e.end;
    done.result = maybe(e.result);
    done.key = maybe(e.key);
    done.rpc_error = maybe(e.rpc_error);
    done.continuation = maybe(e.continuation);
    done.message = str(e.text);
    done.rounds = e.round;
    done.cacheable = e.cacheable != 0;
    return done;
}

inline Event event_of(const mrtr_event &e) {
    switch (e.type) {
        case MRTR_EVENT_SEND:
            return event::Send{e.leg, e.id, str(e.method), str(e.params), e.until_ms, e.paced_ms};
        case MRTR_EVENT_CANCEL_LEG: return event::CancelLeg{e.leg, e.id};
        case MRTR_EVENT_ASK: return ask_event(e);
        case MRTR_EVENT_STOP_ASK: return event::StopAsk{str(e.key)};
        case MRTR_EVENT_ROUND: return event::Round{e.round};
        case MRTR_EVENT_PROGRESS: return event::Progress{e.leg, e.progress};
        case MRTR_EVENT_NOTE: return event::Note{maybe(e.key), str(e.text)};
        case MRTR_EVENT_SLEEP: return event::Sleep{e.until_ms, e.pacing != 0};
        case MRTR_EVENT_DONE: return done_event(e);
        default: return event::Idle{};
    }
}

}  // namespace detail

}  // namespace mrtr

#endif
