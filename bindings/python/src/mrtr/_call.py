"""Structs of a call of a sealer, made once and used again: filling one in is cheaper than making it."""

from __future__ import annotations

import ctypes
import struct
from ctypes import addressof, byref, c_size_t, c_uint64, pointer, sizeof
from typing import Any

from . import _native as native
from ._request import JsonText, Nobody, Principal, request

#: `mrtr_opened` in one go: struct_size, round, has_state, reserved, token_id, flow_id, three times, state.
OPENED = struct.Struct("@4I16s16s3QPN")
#: Room that is kept for the next call.
LEAST, KEEP = 4096, 1 << 20
#: Principals that cannot change behind our back.
_FIXED = (str, bytes, tuple, Nobody)


class Call:
    """Serves one call at a time; `lend` hands out one that nobody uses."""

    def __init__(self) -> None:
        self.bound_to: tuple[Any, ...] | None = None
        self.first, self.second = native.Slice(), native.Slice()
        self.room = native.Room()
        self.len, self.error = c_size_t(), c_uint64()
        self.len_at, self.error_at = byref(self.len), pointer(self.error)
        self.opened = native.OpenedOut(struct_size=sizeof(native.OpenedOut))
        self.opened_at = byref(self.opened)
        self.need(LEAST)

    def need(self, size: int) -> None:
        """Room for that many bytes at least."""
        self.memory = ctypes.create_string_buffer(max(size, LEAST))
        self.bytes = memoryview(self.memory).cast("B")
        self.address, self.size = addressof(self.memory), len(self.memory)
        self.room.ptr, self.room.len = self.address, self.size

    def grow(self, size: int) -> None:
        """The same after the library has said that there was too little."""
        native.lib.mrtr_error_free(self.error)
        self.need(size)

    def bind(self, method: str, params: JsonText | None, principal: Principal) -> None:
        """Fills in the request; method and principal are written anew only if they are others than before."""
        who = tuple(principal) if type(principal) is list else principal
        bound_to = (method, type(who), who)
        if self.bound_to != bound_to:
            self.request = request(method, None, principal)
            self.params, self.request_at = self.request.params, byref(self.request)
            self.bound_to = bound_to if type(who) in _FIXED else None
        fill(self.params, None if params is None else native.text(params))

    def done(self) -> None:
        """Lets go of what the caller gave, and waits for the next call."""
        self.first.ptr = self.second.ptr = None
        if self.bound_to is not None and self.size <= KEEP:
            self.params.ptr = None
            _free.append(self)


def fill(slice: native.Slice, data: bytes | None) -> native.Slice:
    """None is absent, b"" is empty; the slice keeps the bytes alive."""
    slice.ptr, slice.len = data, 0 if data is None else len(data)
    return slice


_free: list[Call] = []


def lend() -> Call:
    """A call that nobody else uses: on whatever thread, and also inside a hook of another call."""
    try:
        return _free.pop()
    except IndexError:
        return Call()
