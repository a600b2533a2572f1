"""One life for every object that stands for a handle: closed once, by name or by the collector."""

from __future__ import annotations

import atexit
import weakref
from ctypes import c_uint64
from types import TracebackType
from typing import Any, TypeVar

Self = TypeVar("Self", bound="Owned")


class _Tie(weakref.ref["Owned"]):
    """Frees a handle when its object goes. Leaner than `weakref.finalize`, as objects are made for every request."""

    __slots__ = ("free", "handle")
    free: Any
    handle: c_uint64


#: The ties of all objects that are open, by the number of the handle. Whoever takes one out frees it: so it happens once.
_open: dict[int, _Tie] = {}


def _untie(tie: _Tie) -> None:
    if _open.pop(tie.handle.value, None) is not None:
        tie.free(tie.handle)


@atexit.register
def _untie_all() -> None:
    """The newest first. Not by __del__: it would run while the interpreter is coming down."""
    for tie in reversed(list(_open.values())):
        _untie(tie)


class Owned:
    """Owns a handle. `close` may be called any number of times; after it every other call raises `MrtrError`."""

    #: Frees a handle of this kind: a `native.bare` function.
    _FREE: Any

    def __init__(self, handle: c_uint64) -> None:
        self._handle = handle
        self._tie = tie = _Tie(self, _untie)
        tie.free, tie.handle = self._FREE, handle
        _open[handle.value] = tie

    def close(self) -> None:
        """Frees the object now. Anything made from it lives on."""
        _untie(self._tie)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.value not in _open

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
