"""Reading what the library filled in, in few steps: a struct at once, its texts from one copy, objects from ready fields."""

from __future__ import annotations

import struct
from ctypes import POINTER, Structure, byref, c_char, c_double, c_int32, c_uint8, c_uint32, c_uint64
from typing import Any, TypeVar

from . import _native as native

T = TypeVar("T")

_CODES: dict[Any, str] = {c_uint32: "I", c_int32: "i", c_uint64: "Q", c_double: "d", c_uint8 * 16: "16s", native.View: "PN", native.Buf: "PN"}


def layout(kind: type[Structure], *names: str) -> struct.Struct:
    """Reads these members, named in the order of the struct. A view or a storage gives its address and its length."""
    kinds, format, end = {name: of for name, of, *_ in kind._fields_}, "@", 0
    for name in names:
        offset, code = getattr(kind, name).offset, _CODES[kinds[name]]
        format, end = f"{format}{offset - end}x{code}", offset + struct.calcsize(code)
    return struct.Struct(format)


class Storage:
    """The buffer that a struct owns, or is. Made once for a struct that is filled many times."""

    def __init__(self, owner: Structure, offset: int = 0) -> None:
        self._bytes: Any = POINTER(c_char).from_buffer(owner, offset)
        self._at = byref(owner, offset)

    def take(self, size: int) -> bytes:
        """Its bytes, of which there are that many; the buffer itself is freed (and wiped) here."""
        if not self._bytes:
            return b""
        data: bytes = self._bytes[:size]
        native.buf_free(self._at)
        return data


def cut(data: bytes, base: int, at: int, size: int) -> str | None:
    """The text at an address, from a copy of the storage that began at ``base``; None where there is none."""
    if not at:
        return None
    at -= base
    return data[at : at + size].decode("utf-8", "surrogatepass")


_new, _set = object.__new__, object.__setattr__


def made(kind: type[T], fields: dict[str, Any]) -> T:
    """A frozen dataclass from all of its fields at once: its own __init__ takes a tenth of a microsecond for each."""
    new = _new(kind)
    _set(new, "__dict__", fields)
    return new
