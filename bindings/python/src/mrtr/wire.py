"""What goes beside the JSON of a request: HTTP headers, and the protocol version to speak (E1)."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import Sequence

from . import _native as native
from ._request import JsonText


def request_headers(method: str, params: JsonText, tool: JsonText | None = None) -> dict[str, str]:
    """The headers of a request of this era: version, method, target, and what the tool marks of its arguments.

    ``params`` are those of the leg to send, ``tool`` is the tool's definition from ``tools/list`` if it is known.
    Raises `MrtrError` (``invalid_tool``, ``invalid_params``).
    """
    lines, error = native.Buf(), c_uint64()
    texts = [native.text_slice(method), native.text_slice(params), native.optional_slice(tool)]
    native.check(native.lib.mrtr_wire_headers(*texts, byref(lines), byref(error)), error)
    pairs = (line.split(": ", 1) for line in native.take(lines).decode("utf-8").split("\r\n") if line)
    return {name: value for name, value in pairs}


def check_tool(tool: JsonText) -> None:
    """Raises `MrtrError` (``invalid_tool``) if a tool marks parameters for headers in a way that the protocol forbids: leave it out."""
    error = c_uint64()
    native.check(native.lib.mrtr_wire_check_tool(native.text_slice(tool), byref(error)), error)


def retry_version(error: JsonText, spoken: Sequence[str]) -> str | None:
    """The version to retry with, once, after the error object ``error`` (-32022): the first of ``spoken`` that the server serves."""
    version, fault, own = native.View(), c_uint64(), [native.text(name) for name in spoken]
    native.check(
        native.lib.mrtr_wire_retry_version(native.text_slice(error), native.slices_of(own), len(own), byref(version), byref(fault)), fault
    )
    return native.read_text(version)
