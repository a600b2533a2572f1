// The server half: building `input_required` results, and serving one request as an exchange.
#ifndef MRTR_SERVER_HPP
#define MRTR_SERVER_HPP

#include "form.hpp"
#include "sealer.hpp"

namespace mrtr {

/// What a peer must be able to do, as bits.
namespace need {
inline constexpr std::uint32_t form = MRTR_NEED_FORM;
inline constexpr std::uint32_t url = MRTR_NEED_URL;
inline constexpr std::uint32_t sampling = MRTR_NEED_SAMPLING;
inline constexpr std::uint32_t sampling_tools = MRTR_NEED_SAMPLING_TOOLS;
inline constexpr std::uint32_t sampling_context = MRTR_NEED_SAMPLING_CONTEXT;
inline constexpr std::uint32_t roots = MRTR_NEED_ROOTS;
}  // namespace need

/// What happens to an ask that the client cannot answer: the request is refused, or the ask is left out (B8).
enum class Gate : std::uint32_t { refuse = MRTR_GATE_REFUSE, filter = MRTR_GATE_FILTER };

/// How an ask stands.
enum class AnswerStatus : std::uint32_t {
    missing = MRTR_ANSWER_MISSING,
    accepted = MRTR_ANSWER_ACCEPTED,
    declined = MRTR_ANSWER_DECLINED,
    cancelled = MRTR_ANSWER_CANCELLED,
    invalid = MRTR_ANSWER_INVALID,
    stale = MRTR_ANSWER_STALE,
    unaskable = MRTR_ANSWER_UNASKABLE,
};

/// What became of an ask. True if it was accepted, and only then there is content (X3).
class Answer {
public:
    Answer(AnswerStatus status, std::string content, std::string reasons)
        : status_(status), content_(std::move(content)), reasons_(std::move(reasons)) {}

    AnswerStatus status() const noexcept { return status_; }
    explicit operator bool() const noexcept { return status_ == AnswerStatus::accepted; }
    /// The user said no, or closed the question. It is not asked again.
    bool refused() const noexcept {
        return status_ == AnswerStatus::declined || status_ == AnswerStatus::cancelled;
    }
    /// Validated JSON text: the content of a form, `{}` of a URL, the whole result for sampling and roots.
    /// Throws wrong_state unless accepted.
    const std::string &content() const {
        if (status_ == AnswerStatus::accepted) return content_;
        Error::Facts facts;
        facts.code = MRTR_WRONG_STATE;
        facts.name = detail::str(mrtr_code_name(MRTR_WRONG_STATE));
        facts.message = "only an accepted answer has content";
        throw Error(std::move(facts));
    }
    /// Why an answer is invalid, as a JSON array of strings; empty otherwise.
    const std::string &reasons() const noexcept { return reasons_; }

private:
    AnswerStatus status_;
    std::string content_, reasons_;
};

/// Options of a Server: the fields of mrtr_server_options with the library's defaults.
/// The gate is given here, the sealer to the Server.
struct ServerOptions : mrtr_server_options {
    explicit ServerOptions(Gate mode = Gate::refuse) : mrtr_server_options{} {
        mrtr_server_options_init(this, static_cast<std::uint32_t>(sizeof(mrtr_server_options)), MRTR_ABI);
        gate = static_cast<std::uint32_t>(mode);
    }
    /// Form fields that may ask for a secret all the same (B5); borrowed until the Server is made.
    std::vector<std::string_view> allow_secret;
    /// Hears of asks that went out with a result, on the thread that made it, several at once; copied. What it throws is dropped.
    std::function<void(const Issued &)> issued;
};

/// One request being served: state what you need in order, and either get it or end the leg with result().
class Exchange : public Handle<mrtr_exchange, mrtr_exchange_free> {
public:
    /// States an ask, as the JSON text of one entry of `inputRequests`, and says how it stands.
    Answer ask(std::string_view key, std::string_view ask) const {
        return put(mrtr_exchange_ask, detail::text(key), detail::text(ask));
    }
    /// `schema`: JSON text of the form's `requestedSchema`.
    Answer ask_form(std::string_view key, std::string_view message, std::string_view schema) const {
        return put(mrtr_exchange_ask_form, detail::text(key), detail::text(message), detail::text(schema));
    }
    Answer ask_form(std::string_view key, std::string_view message, const Form &form) const {
        return ask_form(key, message, form.schema());
    }
    /// Accepted means that the user agreed to open the URL, not that anything happened there (X5).
    Answer ask_url(std::string_view key, std::string_view message, std::string_view url) const {
        return put(mrtr_exchange_ask_url, detail::text(key), detail::text(message), detail::text(url));
    }
    /// `params`: JSON text of the `sampling/createMessage` params.
    Answer ask_sampling(std::string_view key, std::string_view params) const {
        return put(mrtr_exchange_ask_sampling, detail::text(key), detail::text(params));
    }
    Answer ask_roots(std::string_view key) const { return put(mrtr_exchange_ask_roots, detail::text(key)); }

    /// Asks that still wait for an answer.
    std::uint32_t pending() const noexcept { return mrtr_exchange_pending(get()); }
    /// Whether this client can be asked for all of `needs` (bits of mrtr::need).
    bool can_ask(std::uint32_t needs) const {
        std::uint32_t yes = 0;
        detail::call(mrtr_exchange_can_ask, get(), needs, &yes);
        return yes != 0;
    }
    /// Throws missing_capability (-32021) if an ask was left out because the client cannot answer it (D8).
    void require() const { detail::call(mrtr_exchange_require, get()); }
    /// Drops what was answered under a key, in this request and before: it is asked anew, even if it was declined (X6).
    void forget(std::string_view key) const { detail::call(mrtr_exchange_forget, get(), detail::text(key)); }

    /// The host's bytes that came with the request.
    std::optional<std::string> state() const {
        std::uint32_t has = 0;
        detail::Buffer bytes;
        detail::call(mrtr_exchange_state, get(), &has, &bytes.value);
        if (has == 0) return std::nullopt;
        return bytes.take();
    }
    /// The host's bytes to bring back with the retry; they stay until set anew.
    void set_state(std::string_view bytes) const {
        detail::call(mrtr_exchange_set_state, get(), detail::text(bytes));
    }

    struct Info {
        /// 0 on a first request, else the round of the token that came.
        std::uint32_t round = 0;
        bool has_token = false;
        /// The same over all rounds of a flow: an idempotency key.
        Id flow_id{};
        std::uint64_t first_seen_ms = 0;
        /// Until when the state of the last result() can come back; 0 before one.
        std::uint64_t expires_ms = 0;
    };
    Info info() const {
        mrtr_exchange_info raw{};
        raw.struct_size = static_cast<std::uint32_t>(sizeof raw);
        detail::call(mrtr_exchange_get_info, get(), &raw);
        return {raw.round, raw.has_token != 0, detail::id(raw.flow_id), raw.first_seen_ms, raw.expires_ms};
    }

    /// The `input_required` result for all that is pending, with a freshly sealed state.
    /// Throws the first error that any ask had, or nothing_pending when the handler can answer.
    std::string result() const {
        detail::Buffer json;
        detail::call(mrtr_exchange_result, get(), &json.value);
        return json.take();
    }

private:
    friend class Server;
    friend class Legacy;
    Exchange(mrtr_legacy legacy, std::uint64_t now_ms) { detail::call(mrtr_legacy_exchange, legacy, now_ms, out()); }
    Exchange(mrtr_server server, const Request &request, std::uint64_t now_ms) {
        const detail::CRequest c(request);
        detail::call(mrtr_exchange_begin, server, c.get(), now_ms, out());
    }

    template <class... P, class... A>
    Answer put(mrtr_status (*function)(P...), A... arguments) const {
        detail::Out<mrtr_answer> out;
        detail::call(function, get(), arguments..., &out.value);
        return Answer(static_cast<AnswerStatus>(out.value.status), detail::str(out.value.content),
                      detail::str(out.value.reasons));
    }
};

/// Sealer, gate and limits of a server. Threads may share it.
class Server : public Handle<mrtr_server, mrtr_server_free> {
public:
    explicit Server(const Sealer &sealer, const ServerOptions &options = ServerOptions())
        : Server(some(sealer), options) {}
    /// A server whose host protects the state itself: the bytes go out and come in as they are (D19).
    static Server unsealed(const ServerOptions &options = ServerOptions()) {
        return Server(mrtr_sealer{0}, options);
    }

    /// Opens and checks the state of a request, and reads its answers. Nothing of the request is kept by reference.
    Exchange begin(const Request &request, std::uint64_t now_ms = now) const {
        return Exchange(get(), request, now_ms);
    }

private:
    // A moved-from Sealer must not turn into "no sealer".
    static mrtr_sealer some(const Sealer &sealer) {
        if (!sealer) detail::raise(MRTR_NULL_ARGUMENT, mrtr_error{0});
        return sealer.get();
    }

    Server(mrtr_sealer sealer, const ServerOptions &options) {
        const std::vector<mrtr_slice> allowed = detail::texts(options.allow_secret);
        mrtr_server_options raw = options;
        raw.sealer = sealer;
        raw.mrtr_server_options::allow_secret = allowed.data();
        raw.allow_secret_count = allowed.size();
        const mrtr_server_callbacks table = detail::IssuedTable::of(options.issued);
        if (table.destroy != nullptr) raw.callbacks = &table;
        try {
            detail::call(mrtr_server_new, &raw, out());
        } catch (...) {
            if (table.destroy != nullptr) table.destroy(table.user_data);
            throw;
        }
    }
};

/// One ask of build_result(): its key, and one entry of `inputRequests` as JSON text.
struct Ask {
    std::string_view key, ask;
};

/// Options of build_result(): the fields of mrtr_result_options, the texts borrowed as C++ types.
struct ResultOptions : mrtr_result_options {
    ResultOptions() : mrtr_result_options{} {
        mrtr_result_options_init(this, static_cast<std::uint32_t>(sizeof(mrtr_result_options)), MRTR_ABI);
    }
    std::string_view method;
    std::vector<Ask> asks;
    /// Goes out as it is.
    std::optional<std::string_view> state;
    /// JSON text; absent = no gate.
    std::optional<std::string_view> capabilities;
    std::vector<std::string_view> allow_secret;
};

struct BuiltResult {
    std::string json;
    /// Names of what was noticed, as a JSON array.
    std::string warnings;
};

/// Builds an `input_required` result without an exchange.
inline BuiltResult build_result(const ResultOptions &options) {
    std::vector<mrtr_ask> asks;
    for (const Ask &ask : options.asks) asks.push_back({detail::text(ask.key), detail::text(ask.ask)});
    const std::vector<mrtr_slice> allowed = detail::texts(options.allow_secret);
    mrtr_result_options raw = options;
    raw.method = detail::text(options.method);
    raw.asks = asks.data();
    raw.ask_count = asks.size();
    raw.state = detail::text(options.state);
    raw.capabilities = detail::text(options.capabilities);
    raw.allow_secret = allowed.data();
    raw.allow_secret_count = allowed.size();
    detail::Out<mrtr_result> out;
    detail::call(mrtr_result_build, &raw, &out.value);
    return {detail::str(out.value.json), detail::str(out.value.warnings)};
}

/// Stamps a complete result of this era: `resultType` at its end unless it is there, all else byte for byte (E2).
inline std::string complete_result(std::string_view result) {
    detail::Buffer json;
    detail::call(mrtr_result_complete, detail::text(result), &json.value);
    return json.take();
}

/// What `server/discover` tells of a server. The texts are borrowed.
struct Discovery {
    /// Protocol versions that it speaks, best first.
    std::vector<std::string_view> supported{"2026-07-28"};
    /// JSON objects: what it can do, and its name and version.
    std::string_view capabilities = "{}";
    std::optional<std::string_view> server_info = std::nullopt;
    /// How to use it, for the model.
    std::optional<std::string_view> instructions = std::nullopt;
    /// How long the answer may be kept, and by whom: "public" or "private".
    std::uint64_t ttl_ms = no_limit;
    std::optional<std::string_view> cache_scope = std::nullopt;

    /// The result of `server/discover` (E2).
    std::string result() const {
        const std::vector<mrtr_slice> versions = detail::texts(supported);
        mrtr_discovery raw{};
        mrtr_discovery_init(&raw, static_cast<std::uint32_t>(sizeof raw), MRTR_ABI);
        raw.supported = versions.data();
        raw.supported_count = versions.size();
        raw.capabilities = detail::text(capabilities);
        raw.server_info = detail::text(server_info);
        raw.instructions = detail::text(instructions);
        raw.ttl_ms = ttl_ms;
        raw.cache_scope = detail::text(cache_scope);
        detail::Buffer json;
        detail::call(mrtr_discovery_result, &raw, &json.value);
        return json.take();
    }
};

}  // namespace mrtr

#endif
