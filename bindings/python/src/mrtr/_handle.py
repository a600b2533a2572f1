"""One life for every object that stands for a handle: closed once, by name or by the collector."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any, TypeVar

from . import _native as native

Self = TypeVar("Self", bound="Owned")


def _release(free: str, handle: int) -> None:
    getattr(native.lib, free)(handle)


class Owned:
    """Owns a handle. `close` may be called any number of times; after it every other call raises `MrtrError`."""

    _FREE = ""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        # Not __del__: it would run while the interpreter is coming down.
        self._finalizer: Any = weakref.finalize(self, _release, self._FREE, handle)

    def close(self) -> None:
        """Frees the object now. Anything made from it lives on."""
        self._finalizer()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return not self._finalizer.alive

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
