"""Pure functions of the server side: a result without an exchange (B1-B8), the check of a request (B9)."""

from __future__ import annotations

import json
from ctypes import byref, c_uint64, sizeof
from dataclasses import dataclass, field
from typing import Sequence

from . import _native as native
from ._request import JsonText, options_of

GATES = {"refuse": 1, "filter": 2}


@dataclass(frozen=True)
class BuiltResult:
    """``text`` is the result (one line of JSON); ``warnings`` name what was odd but allowed (D11)."""

    text: str = field(repr=False)  # holds the state
    warnings: tuple[str, ...]


def gate_number(gate: str) -> int:
    if gate not in GATES:
        raise ValueError(f"gate: {gate!r} is unknown; choose refuse or filter")
    return GATES[gate]


def build_result(
    method: str,
    asks: Sequence[tuple[str, JsonText]],
    *,
    state: str | None = None,
    capabilities: JsonText | None = None,
    gate: str = "refuse",
    allow_http: bool = False,
    allow_secret: Sequence[str] = (),
    max_asks: int | None = None,
    max_message_bytes: int | None = None,
) -> BuiltResult:
    """An ``input_required`` result from ready asks. ``capabilities`` (JSON text of the client's) turns the gate on.

    ``state`` goes out as it is: protect it yourself, or use `Exchange`. Faults raise `MrtrError` with ``at`` and ``key``.
    """
    options = options_of(
        native.ResultOptions(), "mrtr_result_options_init", gate=gate_number(gate), allow_http=int(allow_http), max_asks=max_asks,
        max_message_bytes=max_message_bytes,
    )  # fmt: skip
    items = [(native.key_bytes(key), native.text(ask)) for key, ask in asks]
    options.method = native.text_slice(method)
    options.asks = (native.AskArg * len(items))(*[native.AskArg(native.slice_of(k), native.slice_of(a)) for k, a in items])
    options.ask_count = len(items)
    options.state = native.optional_slice(state)
    options.capabilities = native.optional_slice(capabilities)
    names = [native.text(name) for name in allow_secret]
    options.allow_secret, options.allow_secret_count = native.slices_of(names), len(names)
    out, error = native.ResultOut(struct_size=sizeof(native.ResultOut)), c_uint64()
    native.check(native.lib.mrtr_result_build(byref(options), byref(out), byref(error)), error)
    try:
        warnings = json.loads(native.read_text(out.warnings) or "[]")
        return BuiltResult(native.read_text(out.json) or "", tuple(warnings))
    finally:
        native.lib.mrtr_buf_free(byref(out.storage))


def check_request(
    method: str,
    params: JsonText | None,
    *,
    header_version: str | None = None,
    supported: Sequence[str] = ("2026-07-28",),
    methods: Sequence[str] = (),
    headers: Sequence[tuple[str, str]] | None = None,
    input_schema: JsonText | None = None,
) -> None:
    """Checks ``_meta``, the version header and the method, in the order of the protocol (B9).

    With ``headers``, all those of an HTTP request, each of them is checked, and ``header_version`` is not looked at (E2);
    ``input_schema`` of the tool that is called says which arguments are repeated in headers.

    Raises `MrtrError` with ``rpc`` and ``http_status`` to answer with. No ``methods`` = the method is not checked.
    """
    check = native.RequestCheck()
    native.lib.mrtr_request_check_init(byref(check), sizeof(check), native.ABI)
    check.method = native.text_slice(method)
    check.params = native.optional_slice(params)
    check.header_version = native.optional_slice(header_version)
    versions, known = [native.text(v) for v in supported], [native.text(m) for m in methods]
    check.supported, check.supported_count = native.slices_of(versions), len(versions)
    check.methods, check.method_count = native.slices_of(known), len(known)
    if headers is not None:
        pairs = [native.HeaderArg(native.text_slice(name), native.text_slice(value)) for name, value in headers]
        # One more, so that no headers have an address: they are none at all only where the request came another way.
        check.headers, check.header_count = (native.HeaderArg * (len(pairs) + 1))(*pairs), len(pairs)
        check.input_schema = native.optional_slice(input_schema)
    error = c_uint64()
    native.check(native.lib.mrtr_request_check_run(byref(check), byref(error)), error)


def complete_result(result: JsonText) -> str:
    """A complete result of this era: ``resultType`` at its end unless it is there, all else byte for byte (E2)."""
    buf, error = native.Buf(), c_uint64()
    native.check(native.lib.mrtr_result_complete(native.text_slice(result), byref(buf), byref(error)), error)
    return native.take(buf).decode("utf-8")


def discover_result(
    capabilities: JsonText,
    *,
    supported: Sequence[str] = ("2026-07-28",),
    server_info: JsonText | None = None,
    instructions: str | None = None,
    ttl_ms: int | None = None,
    cache_scope: str | None = None,
) -> str:
    """The result of ``server/discover`` (E2). What is given as JSON goes out byte for byte."""
    discovery = options_of(native.DiscoveryArg(), "mrtr_discovery_init", ttl_ms=ttl_ms)
    versions = [native.text(version) for version in supported]
    discovery.supported, discovery.supported_count = native.slices_of(versions), len(versions)
    discovery.capabilities = native.text_slice(capabilities)
    for name, value in (("server_info", server_info), ("instructions", instructions), ("cache_scope", cache_scope)):
        setattr(discovery, name, native.optional_slice(value))
    buf, error = native.Buf(), c_uint64()
    native.check(native.lib.mrtr_discovery_result(byref(discovery), byref(buf), byref(error)), error)
    return native.take(buf).decode("utf-8")
