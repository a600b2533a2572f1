"""`Sealer`: seals and opens `requestState` (S1-S15)."""

from __future__ import annotations

from ctypes import byref, c_uint64, sizeof
from dataclasses import dataclass
from typing import Sequence

from . import _native as native
from ._handle import Owned
from ._request import JsonText, Principal, clock, fill, request

CIPHERS = {"aes256gcm": 1, "chacha20poly1305": 2, "signed": 3}


@dataclass(frozen=True)
class Opened:
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


class Sealer(Owned):
    """Keys, claims and limits of `requestState`. Safe to share between threads.

    ``keys``: secrets of at least 32 bytes, the first one seals, every one opens (S7). ``ephemeral=True`` draws a key
    that dies with this process: only for a server of one process (S1). Durations are milliseconds (S6).
    ``single_use=True`` accepts each token once, remembered in this process (S11).
    """

    _FREE = "mrtr_sealer_free"

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
    ) -> None:
        if cipher not in CIPHERS:
            raise ValueError(f"cipher: {cipher!r} is unknown; choose one of {', '.join(CIPHERS)}")
        options = fill(
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
        options.audience = native.slice_of(None if audience is None else native.text(audience))
        handle, error = c_uint64(), c_uint64()
        native.check(native.lib.mrtr_sealer_new(byref(options), byref(handle), byref(error)), error)
        super().__init__(handle.value)

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
        bound = request(method, params, principal)
        token, error = native.Buf(), c_uint64()
        status = native.lib.mrtr_sealer_seal(
            self._handle,
            byref(bound),
            native.slice_of(None if state is None else native.text(state)),
            native.slice_of(None if previous is None else native.text(previous)),
            clock(now_ms),
            byref(token),
            byref(error),
        )
        native.check(status, error)
        return native.take(token).decode("ascii")

    def open(self, method: str, params: JsonText | None, principal: Principal, token: str | bytes, *, now_ms: int | None = None) -> Opened:
        """Opens a token that came back. A refusal raises `MrtrError`: ``name`` is the true reason, ``rpc`` the wire's (S9)."""
        bound = request(method, params, principal)
        out, error = native.OpenedOut(struct_size=sizeof(native.OpenedOut)), c_uint64()
        status = native.lib.mrtr_sealer_open(self._handle, byref(bound), native.slice_of(native.text(token)), clock(now_ms), byref(out), byref(error))
        native.check(status, error)
        try:
            state = (native.read(out.state) or b"") if out.has_state else None
            return Opened(state, out.round, bytes(out.flow_id), bytes(out.token_id), out.issued_ms, out.expires_ms, out.flow_start_ms)
        finally:
            native.lib.mrtr_buf_free(byref(out.storage))


def _secrets(keys: Sequence[bytes]) -> list[bytes]:
    if isinstance(keys, (bytes, str)):
        raise TypeError("keys: a list of secrets is needed, not one secret")
    return [bytes(key) for key in keys]
