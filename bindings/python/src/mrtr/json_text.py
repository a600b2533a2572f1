"""JSON text without a printer: the raw text of a member (J1)."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_uint64

from . import _native as native
from ._request import JsonText


def member(text: JsonText, name: str) -> bytes | None:
    """The raw text of one top-level member of a JSON object; None if it has none.

    Use it to take ``result``, ``error`` or ``params`` out of a JSON-RPC message: a JSON library would write numbers
    and escapes anew. A member that stands twice raises `MrtrError` (J2).
    """
    data = native.text(text)
    value, error = native.View(), c_uint64()
    native.check(native.lib.mrtr_json_member(native.slice_of(data), native.key_slice(name), byref(value), byref(error)), error)
    return None if not value.ptr else ctypes.string_at(value.ptr, value.len)
