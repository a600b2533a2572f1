// Sealing and opening `requestState`.
#ifndef MRTR_SEALER_HPP
#define MRTR_SEALER_HPP

#include "hooks.hpp"
#include "request.hpp"

namespace mrtr {

/// An Id in lower-case hex: 32 characters, fit for an idempotency key.
inline std::string hex(const Id &id) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * id.size());
    for (std::uint8_t byte : id) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

/// Options of a Sealer: the fields of mrtr_sealer_options with the library's defaults, the texts as C++ types.
/// What `keys` and `audience` look at is borrowed until the Sealer is made.
struct SealerOptions : mrtr_sealer_options {
    SealerOptions() : mrtr_sealer_options{} {
        mrtr_sealer_options_init(this, static_cast<std::uint32_t>(sizeof(mrtr_sealer_options)), MRTR_ABI);
    }
    /// Secrets of at least 32 bytes each: the first seals, all open (S7).
    std::vector<std::string_view> keys;
    std::optional<std::string_view> audience;
    /// What the host does for the sealer; copied.
    SealerHooks hooks;
};

/// What an opened token says.
struct Opened {
    std::uint32_t round = 0;
    Id token_id{}, flow_id{};
    std::uint64_t issued_ms = 0, expires_ms = 0, flow_start_ms = 0;
    /// The host's own bytes.
    std::optional<std::string> state;
};

/// Seals a host's state for one request and opens it again. Threads may share it.
class Sealer : public Handle<mrtr_sealer, mrtr_sealer_free> {
public:
    explicit Sealer(const SealerOptions &options) {
        const std::vector<mrtr_slice> keys = detail::texts(options.keys);
        mrtr_sealer_options raw = options;
        raw.keys = keys.data();
        raw.key_count = keys.size();
        raw.audience = detail::text(options.audience);
        const mrtr_sealer_callbacks table = detail::HookTable::of(options.hooks);
        if (table.destroy != nullptr) raw.callbacks = &table;
        try {
            detail::call(mrtr_sealer_new, &raw, out());
        } catch (...) {
            if (table.destroy != nullptr) table.destroy(table.user_data);
            throw;
        }
    }
    explicit Sealer(std::vector<std::string_view> keys) : Sealer(with_keys(std::move(keys))) {}

    /// A sealer with a key of its own that dies with it: for one process and for tests.
    static Sealer ephemeral() {
        SealerOptions options;
        options.mrtr_sealer_options::ephemeral = 1;
        return Sealer(options);
    }

    /// Replaces the ring in one step; calls under way finish with the old one.
    void set_keys(const std::vector<std::string_view> &keys) const {
        const std::vector<mrtr_slice> slices = detail::texts(keys);
        detail::call(mrtr_sealer_set_keys, get(), slices.data(), slices.size());
    }

    /// A token for `request`. With `previous`, the token of the round before, its flow goes on.
    std::string seal(const Request &request, std::optional<std::string_view> state,
                     std::optional<std::string_view> previous = std::nullopt,
                     std::uint64_t now_ms = now) const {
        const detail::CRequest c(request);
        detail::Buffer token;
        detail::call(mrtr_sealer_seal, get(), c.get(), detail::text(state), detail::text(previous), now_ms,
                     &token.value);
        return token.take();
    }

    /// Opens a token; every refusal has the same rpc() for the peer and its true reason in code().
    Opened open(const Request &request, std::string_view token, std::uint64_t now_ms = now) const {
        const detail::CRequest c(request);
        detail::Out<mrtr_opened> out;
        detail::call(mrtr_sealer_open, get(), c.get(), detail::text(token), now_ms, &out.value);
        Opened opened;
        opened.round = out.value.round;
        opened.token_id = detail::id(out.value.token_id);
        opened.flow_id = detail::id(out.value.flow_id);
        opened.issued_ms = out.value.issued_ms;
        opened.expires_ms = out.value.expires_ms;
        opened.flow_start_ms = out.value.flow_start_ms;
        if (out.value.has_state != 0) opened.state = detail::str(out.value.state);
        return opened;
    }

    /// What was sealed, opened and refused so far; numbers only.
    mrtr_sealer_counters counters() const {
        mrtr_sealer_counters counters{};
        counters.struct_size = static_cast<std::uint32_t>(sizeof counters);
        detail::call(mrtr_sealer_get_counters, get(), &counters);
        return counters;
    }

private:
    static SealerOptions with_keys(std::vector<std::string_view> keys) {
        SealerOptions options;
        options.keys = std::move(keys);
        return options;
    }
};

}  // namespace mrtr

#endif
