"""What a state is bound to: method, params, and who is calling."""

from __future__ import annotations

from ctypes import c_uint64, sizeof
from typing import Any, Final, Sequence, Union

from . import _native as native


class Nobody:
    """The principal of a server that knows no users; said by name, never by leaving something empty (S4)."""

    def __repr__(self) -> str:
        return "NOBODY"


NOBODY: Final = Nobody()

#: Who is calling: one text, several parts (issuer, subject, client), or NOBODY. Bind all three parts where there are three.
Principal = Union[str, bytes, Sequence[Union[str, bytes]], Nobody]

#: JSON text. `str` is encoded as UTF-8; `bytes` travel as they are.
JsonText = Union[str, bytes]


def request(method: str, params: JsonText | None, principal: Principal, capabilities: JsonText | None = None) -> native.Request:
    who = native.PrincipalArg(kind=1)
    if not isinstance(principal, Nobody):
        if principal is None:
            raise TypeError("principal: pass mrtr.NOBODY if there is no user; None is refused because it is too easily an accident")
        parts = [principal] if isinstance(principal, (str, bytes)) else list(principal)
        who = native.PrincipalArg(kind=2, parts=native.slices_of([native.text(p) for p in parts]), count=len(parts))
    return native.Request(
        struct_size=sizeof(native.Request),
        method=native.text_slice(method),
        params=native.optional_slice(params),
        principal=who,
        capabilities=native.optional_slice(capabilities),
    )


_NOW = c_uint64(native.NOW)


def clock(now_ms: int | None) -> c_uint64:
    """None is the system's clock; a time is milliseconds and not negative."""
    return _NOW if now_ms is None else c_uint64(whole("now_ms", now_ms))


def whole(name: str, value: int, top: int = native.NO_LIMIT - 1) -> int:
    """ctypes would wrap a negative or too large number around silently."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: a whole number is needed, not {type(value).__name__}")
    if not 0 <= value <= top:
        raise ValueError(f"{name}: {value} is out of range (0 to {top})")
    return value


def options_of(options: Any, init: str, **values: int | None) -> Any:
    """Defaults of the library, then what the caller gave; None leaves the default."""
    getattr(native.lib, init)(options, sizeof(options), native.ABI)
    for name, value in values.items():
        set_number(options, name, value)
    return options


def set_number(options: Any, name: str, value: int | None) -> None:
    """A number of a struct; None leaves what is there."""
    if value is not None:
        setattr(options, name, whole(name, value, (1 << 8 * getattr(type(options), name).size) - 1))
