"""What a call of the library reads and fills in, made once and used again: filling a struct is cheaper than making it."""

from __future__ import annotations

import ctypes
from ctypes import addressof, byref, c_size_t, c_uint64, sizeof
from typing import Any, Final

from . import _native as native
from ._layout import Storage
from ._request import JsonText, Nobody, Principal, request

#: Room that is kept for the next call.
LEAST, KEEP = 4096, 1 << 20
#: Params that a sealer keeps for the next call, in bytes: as many as a thread of the library keeps.
KEEP_PARAMS = 4096
_ANOTHER: Final = object()
#: Principals that cannot change behind our back.
_FIXED = (str, bytes, tuple, Nobody)


class Call:
    """Serves one call at a time; `lend` hands out one that nobody uses, `done` takes it back."""

    def __init__(self) -> None:
        self.bound_to: tuple[Any, ...] | None = ()
        self.params = native.Slice()
        self.params_of: object = _ANOTHER
        self.first, self.second, self.third = native.Slice(), native.Slice(), native.Slice()
        self.error, self.len, self.room = c_uint64(), c_size_t(), native.Room()
        self.buf = native.Buf()
        self.opened = native.OpenedOut(struct_size=sizeof(native.OpenedOut))
        self.answer = native.AnswerOut(struct_size=sizeof(native.AnswerOut))
        self.event = native.EventOut(struct_size=sizeof(native.EventOut))
        self.error_at, self.len_at, self.buf_at = byref(self.error), byref(self.len), byref(self.buf)
        self.opened_at, self.answer_at, self.event_at = byref(self.opened), byref(self.answer), byref(self.event)
        self.buf_storage = Storage(self.buf)
        self.answer_storage = Storage(self.answer, native.AnswerOut.storage.offset)
        self.event_storage = Storage(self.event, native.EventOut.storage.offset)
        self.need(LEAST)

    def need(self, size: int) -> None:
        """Room for that many bytes at least."""
        self.memory: Any = ctypes.create_string_buffer(max(size, LEAST))
        self.bytes = memoryview(self.memory).cast("B")
        self.address, self.size = addressof(self.memory), len(self.memory)
        self.room.ptr, self.room.len = self.address, self.size

    def grow(self, size: int) -> None:
        """The same after the library has said that there was too little."""
        native.lib.mrtr_error_free(self.error)
        self.need(size)

    def bind(self, method: str, params: JsonText | None, principal: Principal, capabilities: JsonText | None = None) -> None:
        """Fills in the request; what is the same as before is not written anew: often a state is opened and sealed for one call."""
        who = tuple(principal) if type(principal) is list else principal
        bound_to = (method, type(who), who, capabilities)
        if self.bound_to != bound_to:
            self.request = request(method, None, principal, capabilities)
            self.request_at = byref(self.request)
            # Not `request.params`: a struct within a struct is slow to give something to keep alive.
            self.params = native.Slice.from_buffer(self.request, native.Request.params.offset)
            self.bound_to = bound_to if type(who) in _FIXED and capabilities is None else None
            self.params_of = _ANOTHER
        if self.params_of is not params:
            self._forget_params()
            if params is not None:
                fill(self.params, params)
            self.params_of = params

    def _forget_params(self) -> None:
        self.params.ptr, self.params.len, self.params_of = None, 0, _ANOTHER

    def done(self, keep: int = 0) -> None:
        """Lets go of what the caller gave, but for params of at most ``keep`` bytes, and waits for the next call."""
        self.first.ptr = self.second.ptr = self.third.ptr = None
        if self.bound_to is not None and self.size <= KEEP:
            if self.params.len > keep:
                self._forget_params()
            _free.append(self)


def fill(slice: native.Slice, value: str | bytes) -> native.Slice:
    """Text is UTF-8; the slice keeps the bytes alive."""
    data = value.encode("utf-8") if isinstance(value, str) else value
    slice.ptr, slice.len = data, len(data)
    return slice


_free: list[Call] = []
#: Takes back a call that was given nothing of the caller's.
back = _free.append


def lend() -> Call:
    """A call that nobody else uses: on whatever thread, and also inside a hook of another call."""
    try:
        return _free.pop()
    except IndexError:
        return Call()
