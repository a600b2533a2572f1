"""For gateways: a backend's state inside ours, keys of asks that do not meet, and what is passed on (S14)."""

from __future__ import annotations

from ctypes import byref, c_uint32, c_uint64
from typing import Any

from . import _native as native
from ._request import JsonText


def wrap_state(backend: str, state: str) -> bytes:
    """Host state that carries the ``requestState`` of a backend, any string, with the backend's name."""
    return _made("mrtr_gateway_wrap", backend, state)


def unwrap_state(host_state: bytes) -> tuple[str, str] | None:
    """Backend and state of what `wrap_state` made, exact to the code unit; None for anything else."""
    return _parts("mrtr_gateway_unwrap", host_state)


def prefix_key(backend: str, key: str) -> str:
    """The key of a backend's ask as the gateway's own client sees it."""
    return _made("mrtr_gateway_prefix", backend, key).decode("utf-8", "surrogatepass")


def split_key(key: str) -> tuple[str, str] | None:
    """Backend and key of what `prefix_key` made; None for anything else, a key of the gateway's own, say."""
    return _parts("mrtr_gateway_split", native.key_bytes(key))


def gateway_params(backend: str, params: JsonText | None, host_state: bytes | None = None) -> str:
    """The params of the request that goes on to a backend: the end client's own, ``_meta`` with its capabilities among them, byte for byte.

    Of its answers those of this backend are in it, under the backend's own keys; the state is the backend's, out of ``host_state``. Open the
    gateway's own state before: nothing is checked here.
    """
    host = native.slice_of(host_state)
    return _passed("mrtr_gateway_params", backend, native.optional_slice(params), host)


def gateway_state(backend: str, result: JsonText) -> bytes | None:
    """The state of a backend's result as host state, ready to be sealed; None if it asks nothing or has no state."""
    has, out, error = c_uint32(), native.Buf(), c_uint64()
    slices = native.text_slice(backend), native.text_slice(result)
    native.check(native.lib.mrtr_gateway_state(*slices, byref(has), byref(out), byref(error)), error)
    return native.take(out) if has.value else None


def gateway_result(backend: str, result: JsonText, state: str | None = None) -> str:
    """A backend's result as the end client gets it: keys of asks with the backend's prefix, and ``state``, the gateway's own token, in place of
    the backend's. A result that asks nothing comes back as it is."""
    return _passed("mrtr_gateway_result", backend, native.text_slice(result), native.optional_slice(state))


def _passed(function: str, backend: str, *slices: Any) -> str:
    out, error = native.Buf(), c_uint64()
    native.check(getattr(native.lib, function)(native.text_slice(backend), *slices, byref(out), byref(error)), error)
    return native.take(out).decode("utf-8")


def _made(function: str, backend: str, text: str) -> bytes:
    out, error = native.Buf(), c_uint64()
    slices = native.text_slice(backend), native.key_slice(text)
    native.check(getattr(native.lib, function)(*slices, byref(out), byref(error)), error)
    return native.take(out)


def _parts(function: str, data: bytes) -> tuple[str, str] | None:
    first, second, error = native.View(), native.View(), c_uint64()
    slice: Any = native.slice_of(data)
    native.check(getattr(native.lib, function)(slice, byref(first), byref(second), byref(error)), error)
    if not first.ptr:
        return None
    return native.read_text(first) or "", native.read_text(second) or ""
