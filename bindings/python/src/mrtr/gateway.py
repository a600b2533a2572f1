"""For gateways: a backend's state inside ours, and keys of asks that do not meet (S14)."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import Any

from . import _native as native


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
