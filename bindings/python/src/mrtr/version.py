"""Which library this is, and what it can do."""

from __future__ import annotations

from ctypes import byref, sizeof
from dataclasses import dataclass

from . import _native as native


@dataclass(frozen=True)
class Version:
    """The native library's version and its ABI numbers."""

    text: str
    abi_major: int
    abi_level: int


def version() -> Version:
    """The version of the native library that is loaded."""
    info = native.VersionInfo(struct_size=sizeof(native.VersionInfo))
    status = native.lib.mrtr_version(byref(info))
    if status != 0:
        raise native.lift(status, native.Handle())
    return Version(native.read_text(info.version) or "", info.abi_major, info.abi_level)


def has_feature(name: str) -> bool:
    """Whether the library was built with a feature, such as "runtime"."""
    return bool(native.lib.mrtr_has_feature(native.text_slice(name)))


def live_objects() -> int:
    """How many objects of the library are alive in this process; for leak tests."""
    return int(native.lib.mrtr_live_objects())
