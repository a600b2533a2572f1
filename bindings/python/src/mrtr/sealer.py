"""`Sealer`: seals and opens `requestState` (S1-S15)."""

from __future__ import annotations

from ctypes import addressof, byref, c_uint64, sizeof
from typing import Callable, NamedTuple, Sequence

from . import _native as native
from ._call import KEEP_PARAMS, fill, lend
from ._handle import Owned
from ._hooks import Crypto, Guard, Hooks, forget, table
from ._layout import layout
from ._request import JsonText, Principal, clock, options_of

CIPHERS = {"aes256gcm": 1, "chacha20poly1305": 2, "signed": 3}


class Opened(NamedTuple):
    """A state that was opened: what the host put in, and where in the flow it stands.

    ``flow_id`` stays the same over the rounds of a flow and cannot be guessed: an idempotency key. Times are Unix milliseconds.
    """

    state: bytes | None
    round: int
    flow_id: bytes
    token_id: bytes
    issued_ms: int
    expires_ms: int
    flow_start_ms: int

    def __repr__(self) -> str:  # never the content
        return f"Opened(round={self.round}, state={'none' if self.state is None else f'{len(self.state)} bytes'})"


class Counters(NamedTuple):
    """Numbers only, never content. ``reasons`` has the refusals by name."""

    sealed: int
    sealed_bytes: int
    opened: int
    opened_bytes: int
    refused: int
    reasons: dict[str, int]


_seal, _open = native.bare("mrtr_sealer_seal_into"), native.bare("mrtr_sealer_open_into")
_OPENED = layout(native.OpenedOut, "round", "has_state", "token_id", "flow_id", "issued_ms", "expires_ms", "flow_start_ms", "state")


class Sealer(Owned):
    """Keys, claims and limits of `requestState`. Safe to share between threads.

    ``keys``: secrets of at least 32 bytes, the first one seals, every one opens (S7). ``ephemeral=True`` draws a key
    that dies with this process: only for a server of one process (S1). Durations are milliseconds (S6).
    ``single_use=True`` accepts each token once, remembered in this process; a ``guard`` does so for any number of processes
    (S11). ``crypto`` protects the bytes in place of keys, claims stay ours (S13). ``on_refused`` hears the reason of every
    refused token, and nothing else. All three may be called on any thread.
    """

    _FREE = native.bare("mrtr_sealer_free")

    def __init__(
        self,
        keys: Sequence[bytes] = (),
        *,
        ephemeral: bool = False,
        cipher: str = "aes256gcm",
        ttl_ms: int | None = None,
        skew_ms: int | None = None,
        max_age_ms: int | None = None,
        max_rounds: int | None = None,
        max_state_bytes: int | None = None,
        max_token_bytes: int | None = None,
        audience: str | None = None,
        single_use: bool = False,
        guard_capacity: int | None = None,
        guard: Guard | None = None,
        crypto: Crypto | None = None,
        on_refused: Callable[[str], object] | None = None,
    ) -> None:
        if cipher not in CIPHERS:
            raise ValueError(f"cipher: {cipher!r} is unknown; choose one of {', '.join(CIPHERS)}")
        options = options_of(
            native.SealerOptions(),
            "mrtr_sealer_options_init",
            ttl_ms=ttl_ms,
            skew_ms=skew_ms,
            max_age_ms=max_age_ms,
            max_rounds=max_rounds,
            max_state_bytes=max_state_bytes,
            max_token_bytes=max_token_bytes,
            guard_capacity=guard_capacity,
            cipher=CIPHERS[cipher],
            ephemeral=int(ephemeral),
            single_use=int(single_use),
        )
        secrets = _secrets(keys)
        options.keys, options.key_count = native.slices_of(secrets), len(secrets)
        options.audience = native.optional_slice(audience)
        hooks, number = table(Hooks(guard, crypto, on_refused))
        if guard is not None or crypto is not None or on_refused is not None:
            options.callbacks = addressof(hooks)
        handle, error = c_uint64(), c_uint64()
        status = native.lib.mrtr_sealer_new(byref(options), byref(handle), byref(error))
        if status != 0 or not options.callbacks:
            forget(number)
        native.check(status, error)
        super().__init__(handle)

    def set_keys(self, keys: Sequence[bytes]) -> None:
        """Replaces the key ring at once, for all threads. Rotate in three steps: old+new, new+old, new (S7)."""
        secrets = _secrets(keys)
        error = c_uint64()
        native.check(native.lib.mrtr_sealer_set_keys(self._handle, native.slices_of(secrets), len(secrets), byref(error)), error)

    def seal(
        self,
        method: str,
        params: JsonText | None,
        principal: Principal,
        state: bytes | str | None,
        *,
        previous: str | None = None,
        now_ms: int | None = None,
    ) -> str:
        """Seals ``state`` for this request. ``previous`` is the token of the round before: its flow goes on."""
        call = lend()
        try:
            call.bind(method, params, principal)
            data, now = native.ABSENT if state is None else fill(call.first, state), clock(now_ms)
            before = native.ABSENT if previous is None else fill(call.second, previous)
            while True:
                status = _seal(self._handle, call.request_at, data, before, now, call.room, call.len_at, call.error_at)
                if status == 0:
                    return str(call.bytes[: call.len.value], "ascii")
                if status != native.SMALL_BUFFER:
                    raise native.lift(status, call.error)
                call.grow(call.len.value + 64)
        finally:
            call.done(KEEP_PARAMS)

    def open(self, method: str, params: JsonText | None, principal: Principal, token: str | bytes, *, now_ms: int | None = None) -> Opened:
        """Opens a token that came back. A refusal raises `MrtrError`: ``name`` is the true reason, ``rpc`` the wire's (S9)."""
        call = lend()
        try:
            call.bind(method, params, principal)
            data, now = fill(call.first, token), clock(now_ms)
            while True:
                status = _open(self._handle, call.request_at, data, now, call.room, call.opened_at, call.error_at)
                if status == 0:
                    break
                if status != native.SMALL_BUFFER:
                    raise native.lift(status, call.error)
                call.grow(data.len)
            round, has_state, token_id, flow_id, issued, expires, start, at, size = _OPENED.unpack_from(call.opened)
            state = None
            if has_state:
                at -= call.address
                state = call.memory[at : at + size]
                call.bytes[at : at + size] = bytes(size)  # the room is used again: what was secret does not stay in it
            return Opened(state, round, flow_id, token_id, issued, expires, start)
        finally:
            call.done(KEEP_PARAMS)

    def counters(self) -> Counters:
        """What was sealed, opened and refused so far, on all threads and by the servers that use it."""
        out, error = native.CountersOut(struct_size=sizeof(native.CountersOut)), c_uint64()
        native.check(native.lib.mrtr_sealer_get_counters(self._handle, byref(out), byref(error)), error)
        reasons = {name: getattr(out, name) for name, *_ in native.CountersOut._fields_[7:]}
        return Counters(out.sealed, out.sealed_bytes, out.opened, out.opened_bytes, out.refused, reasons)


def _secrets(keys: Sequence[bytes]) -> list[bytes]:
    if isinstance(keys, (bytes, str)):
        raise TypeError("keys: a list of secrets is needed, not one secret")
    return [bytes(key) for key in keys]
