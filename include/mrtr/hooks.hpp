// What a host does for its sealer, and what it hears of it and of its server.
#ifndef MRTR_HOOKS_HPP
#define MRTR_HOOKS_HPP

#include <array>
#include <functional>

#include "base.hpp"

namespace mrtr {

/// Sixteen random bytes that name a flow or a token.
using Id = std::array<std::uint8_t, 16>;

/// Functions of the host, called on whichever thread seals or opens, several at once; each may be left empty.
/// What they throw never crosses the library: it refuses the token (guard_failed, tampered), fails the seal (crypto_failed),
/// and is given to `failed`.
struct SealerHooks {
    /// Single use (S11): true if the id was not claimed before and is now, until `until_ms` at least; false if it was.
    /// Atomic over all who share the store. Both times are those of the call.
    std::function<bool(const Id &token_id, std::uint64_t until_ms, std::uint64_t now_ms)> claim;
    /// Own crypto in place of keys (S13): both or neither. `unseal` must authenticate.
    std::function<std::string(std::string_view plain)> seal;
    std::function<std::string(std::string_view sealed)> unseal;
    /// Hears why a token was refused (a MRTR_* code), and nothing of its content.
    std::function<void(mrtr_status reason)> refused;
    /// Hears what `claim`, `seal` or `unseal` threw.
    std::function<void(std::exception_ptr)> failed;
};

/// Asks that went out with a result; never their content. What it looks at lives until the function returns.
struct Issued {
    Id flow_id{};
    /// Round of the state that went out: the request that brings its answers has this one.
    std::uint32_t round = 0;
    /// Unix time; the state opens before that, not at it.
    std::uint64_t expires_ms = 0;
    std::string_view method;
    std::vector<std::string_view> keys;
};

namespace detail {

inline Id id(const std::uint8_t (&bytes)[16]) noexcept {
    Id out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = bytes[i];
    return out;
}

inline std::string_view look(mrtr_slice slice) { return {reinterpret_cast<const char *>(slice.ptr), slice.len}; }

// The C side of SealerHooks; `user` owns a copy of them, given back by destroy.
struct HookTable {
    static mrtr_sealer_callbacks of(const SealerHooks &hooks) {
        mrtr_sealer_callbacks table{};
        mrtr_sealer_callbacks_init(&table, static_cast<std::uint32_t>(sizeof table), MRTR_ABI);
        if (hooks.claim) table.claim = claim;
        if (hooks.seal) table.seal = seal;
        if (hooks.unseal) table.unseal = unseal;
        if (hooks.refused) table.refused = refused;
        if (table.claim || table.seal || table.unseal || table.refused) {
            table.user_data = new SealerHooks(hooks);
            table.destroy = destroy;
        }
        return table;
    }
    static void destroy(void *user) { delete of(user); }

private:
    static SealerHooks *of(void *user) { return static_cast<SealerHooks *>(user); }

    template <class Work>
    static void safely(SealerHooks *hooks, Work work) noexcept {
        try {
            work();
        } catch (...) {
            try {
                if (hooks->failed) hooks->failed(std::current_exception());
            } catch (...) {  // an observer decides nothing, so its faults change nothing
            }
        }
    }
    static void claim(void *user, const std::uint8_t *id, std::uint64_t until, std::uint64_t now, std::uint32_t *claimed) {
        safely(of(user), [&] {
            Id token{};
            for (std::size_t i = 0; i < token.size(); ++i) token[i] = id[i];
            *claimed = of(user)->claim(token, until, now) ? MRTR_CLAIM_FIRST : MRTR_CLAIM_USED;
        });
    }
    static void give(const std::string &made, mrtr_buf *out) {
        call(mrtr_buf_copy, text(std::string_view(made)), out);
    }
    static void seal(void *user, mrtr_slice plain, mrtr_buf *sealed) {
        safely(of(user), [&] { give(of(user)->seal(look(plain)), sealed); });
    }
    static void unseal(void *user, mrtr_slice sealed, mrtr_buf *plain) {
        safely(of(user), [&] { give(of(user)->unseal(look(sealed)), plain); });
    }
    static void refused(void *user, mrtr_status reason) {
        safely(of(user), [&] { of(user)->refused(reason); });
    }
};

// The C side of a function that hears of asks that went out; `user` owns a copy of it, given back by destroy.
struct IssuedTable {
    using Hear = std::function<void(const Issued &)>;

    static mrtr_server_callbacks of(const Hear &hear) {
        mrtr_server_callbacks table{};
        mrtr_server_callbacks_init(&table, static_cast<std::uint32_t>(sizeof table), MRTR_ABI);
        if (hear) {
            table.user_data = new Hear(hear);
            table.issued = issued;
            table.destroy = destroy;
        }
        return table;
    }

private:
    static void destroy(void *user) { delete static_cast<Hear *>(user); }

    static void issued(void *user, const mrtr_issued *raw) noexcept {
        try {
            Issued told{id(raw->flow_id), raw->round, raw->expires_ms, look(raw->method), {}};
            for (std::size_t i = 0; i < raw->key_count; ++i) told.keys.push_back(look(raw->keys[i]));
            (*static_cast<Hear *>(user))(told);
        } catch (...) {  // an observer decides nothing, so its faults change nothing
        }
    }
};

}  // namespace detail

/// Host state that carries the `requestState` of a backend, any string, with the backend's name (S14).
inline std::string wrap_state(std::string_view backend, std::string_view state) {
    detail::Buffer made;
    detail::call(mrtr_gateway_wrap, detail::text(backend), detail::text(state), &made.value);
    return made.take();
}

/// The key of a backend's ask as the gateway's own client sees it, so that keys of two backends never meet (S14).
inline std::string prefix_key(std::string_view backend, std::string_view key) {
    detail::Buffer made;
    detail::call(mrtr_gateway_prefix, detail::text(backend), detail::text(key), &made.value);
    return made.take();
}

/// The params of the request that goes on to a backend: the end client's own, `_meta` with its capabilities among them, byte for byte; of its
/// answers those of this backend, under the backend's own keys; and the backend's state, out of `host_state`, if there is one.
inline std::string gateway_params(std::string_view backend, std::string_view params,
                                  std::optional<std::string_view> host_state = std::nullopt) {
    detail::Buffer made;
    detail::call(mrtr_gateway_params, detail::text(backend), detail::text(params), detail::text(host_state), &made.value);
    return made.take();
}

/// The state of a backend's result as host state, ready to be sealed; none if it asks nothing or has no state.
inline std::optional<std::string> gateway_state(std::string_view backend, std::string_view result) {
    std::uint32_t has = 0;
    detail::Buffer made;
    detail::call(mrtr_gateway_state, detail::text(backend), detail::text(result), &has, &made.value);
    if (has == 0) return std::nullopt;
    return made.take();
}

/// A backend's result as the end client gets it: keys of asks with the backend's prefix, `state` in place of the backend's.
inline std::string gateway_result(std::string_view backend, std::string_view result,
                                  std::optional<std::string_view> state = std::nullopt) {
    detail::Buffer made;
    detail::call(mrtr_gateway_result, detail::text(backend), detail::text(result), detail::text(state), &made.value);
    return made.take();
}

/// Backend and state, or backend and key: views into what was taken apart.
using OfBackend = std::optional<std::pair<std::string_view, std::string_view>>;

namespace detail {
template <class Function>
OfBackend parts(Function function, std::string_view whole) {
    mrtr_slice backend{}, rest{};
    call(function, text(whole), &backend, &rest);
    if (backend.ptr == nullptr) return std::nullopt;
    return std::make_pair(look(backend), look(rest));
}
}  // namespace detail

/// What wrap_state() put together; empty for anything else.
inline OfBackend unwrap_state(std::string_view host_state) { return detail::parts(mrtr_gateway_unwrap, host_state); }
/// What prefix_key() put together; empty for anything else, a key of the gateway's own, say.
inline OfBackend split_key(std::string_view prefixed) { return detail::parts(mrtr_gateway_split, prefixed); }

}  // namespace mrtr

#endif
