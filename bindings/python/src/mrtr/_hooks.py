"""What Python does for a sealer: single use, own crypto, refusals heard of; and what it hears of a server. The C side calls in here, on any thread.

The functions that C holds live as long as the module; what a sealer or a server was given is found by the number in ``user_data``.
"""

from __future__ import annotations

import ctypes
import itertools
from ctypes import CFUNCTYPE, byref, c_uint64, c_void_p, cast, sizeof
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Protocol

from . import _native as native
from ._errors import keep_failure, take_failure

FIRST, USED = 1, 2


class Guard(Protocol):
    """A claim-once store that any number of processes share (S11)."""

    def claim(self, token_id: bytes, until_ms: int, now_ms: int) -> bool:
        """True if the id was not claimed before and is now, until ``until_ms`` at least; False if it was.

        Atomic over all who share the store: of many claims of one id at once exactly one is True. Whatever it raises
        refuses the token as ``guard_failed``, with the exception as its cause.
        """


class Crypto(Protocol):
    """The host's own protection of bytes, in place of keys: a key service, say (S13). ``unseal`` must authenticate."""

    def seal(self, plain: bytes) -> bytes:
        """Protects bytes. What it raises is the cause of ``crypto_failed``."""

    def unseal(self, sealed: bytes) -> bytes:
        """Checks and opens what `seal` made. What it raises is the cause of ``tampered``."""


class Issued(NamedTuple):
    """Asks that went out with a result; never their content.

    ``round`` is that of the state which went out: the exchange that its answers begin has the same. The state can come back
    before ``expires_ms``, in Unix time, and not at it.
    """

    flow_id: bytes
    round: int
    method: str
    keys: tuple[str, ...]
    expires_ms: int


@dataclass
class Hooks:
    guard: Guard | None
    crypto: Crypto | None
    on_refused: Callable[[str], object] | None


_alive: dict[int, Hooks] = {}
_hearing: dict[int, Callable[[Issued], object]] = {}
_numbers = itertools.count(1)


def _safely(work: Callable[[], None]) -> None:
    """An exception must not cross the library: it is kept for whoever lifts the error that follows."""
    keep_failure(None)
    try:
        work()
    except BaseException as failure:
        keep_failure(failure)


def _claim(number: int, token_id: int, until_ms: int, now_ms: int, claimed: Any) -> None:
    def work() -> None:
        guard = _alive[number].guard
        assert guard is not None
        answer = guard.claim(ctypes.string_at(token_id, 16), until_ms, now_ms)
        if answer is True or answer is False:
            claimed[0] = FIRST if answer else USED
        else:
            raise TypeError(f"a guard answers True or False, not {type(answer).__name__}")

    _safely(work)


def _change(number: int, what: str, data: Any, out: Any) -> None:
    def work() -> None:
        made = bytes(getattr(_alive[number].crypto, what)(ctypes.string_at(data.ptr, data.len)))
        error = c_uint64()
        native.check(native.lib.mrtr_buf_copy(native.slice_of(made), out, byref(error)), error)

    _safely(work)


def _seal(number: int, plain: Any, out: Any) -> None:
    _change(number, "seal", plain, out)


def _unseal(number: int, sealed: Any, out: Any) -> None:
    _change(number, "unseal", sealed, out)


def _refused(number: int, reason: int) -> None:
    on_refused = _alive[number].on_refused
    failure = take_failure()  # the guard's, which belongs to the refusal
    try:
        if on_refused is not None:
            on_refused(native.read_text(native.lib.mrtr_code_name(reason)) or "unknown")
    except BaseException:  # an observer decides nothing, so its faults change nothing
        pass
    keep_failure(failure)


def _issued(number: int, at: Any) -> None:
    try:
        raw = at.contents
        keys = tuple(native.read_text(raw.keys[i]) or "" for i in range(raw.key_count))
        _hearing[number](Issued(bytes(raw.flow_id), raw.round, native.read_text(raw.method) or "", keys, raw.expires_ms))
    except BaseException:  # an observer decides nothing, so its faults change nothing
        pass


def forget(number: int) -> None:
    _alive.pop(number, None)
    _hearing.pop(number, None)


_CLAIM, _SEAL, _UNSEAL = native.CLAIM(_claim), native.CHANGE(_seal), native.CHANGE(_unseal)
_REFUSED, _ISSUED = native.REFUSED(_refused), native.ISSUED(_issued)
_DESTROY = CFUNCTYPE(None, c_void_p)(forget)


def table(hooks: Hooks) -> tuple[native.SealerCallbacks, int]:
    """The struct for a new sealer, and the number to forget if it was not made."""
    number = next(_numbers)
    _alive[number] = hooks
    out = native.SealerCallbacks()
    native.lib.mrtr_sealer_callbacks_init(byref(out), sizeof(out), native.ABI)
    out.user_data, out.destroy = number, cast(_DESTROY, c_void_p)
    if hooks.guard is not None:
        out.claim = cast(_CLAIM, c_void_p)
    if hooks.crypto is not None:
        out.seal, out.unseal = cast(_SEAL, c_void_p), cast(_UNSEAL, c_void_p)
    if hooks.on_refused is not None:
        out.refused = cast(_REFUSED, c_void_p)
    return out, number


def hearing(on_issued: Callable[[Issued], object]) -> tuple[native.ServerCallbacks, int]:
    """The same for a new server."""
    number = next(_numbers)
    _hearing[number] = on_issued
    out = native.ServerCallbacks()
    native.lib.mrtr_server_callbacks_init(byref(out), sizeof(out), native.ABI)
    out.user_data, out.issued, out.destroy = number, cast(_ISSUED, c_void_p), cast(_DESTROY, c_void_p)
    return out, number
