"""`Flow`: one call as a state machine without I/O. `next` says what to do, the host says what came of it (C)."""

from __future__ import annotations

import json
from ctypes import byref, c_uint64, sizeof
from dataclasses import dataclass, field
from typing import Any, Callable, Union

from . import _native as native
from ._errors import MrtrError
from ._handle import Owned
from ._request import JsonText, clock, whole

KINDS = {1: "form", 2: "url", 3: "sampling", 4: "roots"}
ASK = 3
FLAGS = {1: "not_https", 2: "user_info", 4: "ip_literal", 8: "punycode", 16: "mixed_script"}


@dataclass(frozen=True)
class Send:
    """Send this request: ``method`` and ``params`` (JSON text, byte for byte) under the JSON-RPC id ``id``.

    ``deadline_ms`` is on the flow's clock, None if there is none. ``paced_ms``: the wait that was taken before it.
    """

    leg: int
    id: int
    method: str
    params: str = field(repr=False)  # holds answers and the state
    deadline_ms: int | None
    paced_ms: int


@dataclass(frozen=True)
class CancelLeg:
    """Tell the transport that this leg is no longer wanted."""

    leg: int
    id: int


@dataclass(frozen=True)
class Ask:
    """Show this to the user (form, url), the model (sampling) or answer it (roots).

    ``ask`` and ``params`` are JSON text as the server sent it. ``message``, ``url`` and the rest come from a server
    that is not trusted: show them as its words. ``url_flags`` warn about an address; nothing is ever opened here (C14).
    """

    key: str
    kind: str
    ask: str = field(repr=False)
    params: str = field(repr=False)
    round: int
    message: str | None = field(default=None, repr=False)
    schema_text: str | None = field(default=None, repr=False)
    url: str | None = field(default=None, repr=False)  # its path may be a credential
    host_ascii: str | None = None
    host_unicode: str | None = None
    url_flags: frozenset[str] = frozenset()
    previously_declined: bool = False
    #: Who asks: the host's own name for the server, and the call it belongs to.
    label: str | None = None
    call_method: str = ""
    call_target: str | None = None
    #: What the server calls itself, as it came and for the eye; verified by nobody.
    server_name: str | None = None
    server_shown: str | None = None
    server_version: str | None = None
    #: Fields of a form that look as if they asked for a secret, which no server may do by form.
    secret_fields: tuple[str, ...] = ()

    @property
    def schema(self) -> Any:
        """The form's schema as Python values; None for other kinds."""
        return None if self.schema_text is None else json.loads(self.schema_text)


@dataclass(frozen=True)
class StopAsk:
    """The answer to this ask is no longer wanted: take it off the screen."""

    key: str


@dataclass(frozen=True)
class Round:
    """Round ``number`` of asks begins."""

    number: int


@dataclass(frozen=True)
class Progress:
    """Progress of a leg; values never decrease (C15)."""

    leg: int
    value: float


@dataclass(frozen=True)
class Note:
    """Something odd but harmless in what the server sent."""

    text: str
    key: str | None


@dataclass(frozen=True)
class Sleep:
    """Nothing to do before ``until_ms`` (None: before something is delivered). ``pacing``: a wait before a retry."""

    until_ms: int | None
    pacing: bool


@dataclass(frozen=True)
class Done:
    """The end; comes exactly once. ``end`` is "complete" or the name of the error.

    ``result`` is the final result byte for byte (or the one that was not understood), ``error`` the JSON-RPC error
    object, ``continuation`` the text that `Client.resume` takes. A result got through rounds is not ``cacheable`` (C18).
    """

    code: int
    end: str
    result: str | None = field(repr=False)
    error: str | None = field(repr=False)
    key: str | None
    rounds: int
    continuation: str | None = field(repr=False)  # holds answers
    cacheable: bool
    message: str


@dataclass(frozen=True)
class Idle:
    """The flow is over and everything was told."""


Event = Union[Send, CancelLeg, Ask, StopAsk, Round, Progress, Note, Sleep, Done, Idle]


class Flow(Owned):
    """One call. Made by `Client.begin` or `Client.resume`. ``now_ms`` is any clock that only goes forward; None = the system's."""

    _FREE = "mrtr_flow_free"

    def next(self, now_ms: int | None = None) -> Event:
        """What to do next. Call it again until it says `Sleep`, `Done` or `Idle`."""
        out, error = native.EventOut(struct_size=sizeof(native.EventOut)), c_uint64()
        native.check(native.lib.mrtr_flow_next(self._handle, clock(now_ms), byref(out), byref(error)), error)
        try:
            return read_event(out)
        finally:
            native.lib.mrtr_buf_free(byref(out.storage))

    def asks(self) -> list[Ask]:
        """The open asks of the round, shown or not, for a host that shows them on one page; answers to all are taken (C13)."""
        asks: list[Ask] = []
        while True:
            out, error = native.EventOut(struct_size=sizeof(native.EventOut)), c_uint64()
            native.check(native.lib.mrtr_flow_open_ask(self._handle, len(asks), byref(out), byref(error)), error)
            try:
                if out.type != ASK:
                    return asks
                asks.append(_ask(out))
            finally:
                native.lib.mrtr_buf_free(byref(out.storage))

    def deliver(self, leg: int, result: JsonText, now_ms: int | None = None) -> None:
        """The text of the ``result`` member that answered a leg. Late or unknown legs are ignored (C10)."""
        self._leg("mrtr_flow_deliver", leg, native.slice_of(native.text(result)), clock(now_ms))

    def deliver_error(self, leg: int, error: JsonText, now_ms: int | None = None) -> None:
        """The text of the ``error`` member that answered a leg."""
        self._leg("mrtr_flow_deliver_error", leg, native.slice_of(native.text(error)), clock(now_ms))

    def lost(self, leg: int, now_ms: int | None = None) -> None:
        """The connection of this leg broke; it is never sent again by the library (D5)."""
        self._leg("mrtr_flow_lost", leg, clock(now_ms))

    def progress(self, leg: int, value: float, now_ms: int | None = None) -> None:
        """A progress notification of this leg."""
        self._leg("mrtr_flow_progress", leg, float(value), clock(now_ms))

    def answer(self, key: str, value: JsonText, now_ms: int | None = None) -> None:
        """The value for an ask: form content, ``{}`` for a URL, the whole result for sampling and roots (D3)."""
        self._key("mrtr_flow_answer", key, native.slice_of(native.text(value)), clock(now_ms))

    def decline(self, key: str, now_ms: int | None = None) -> None:
        """The user said no. Elicitation only."""
        self._key("mrtr_flow_decline", key, clock(now_ms))

    def cancel_ask(self, key: str, now_ms: int | None = None) -> None:
        """The user closed the question without choosing. Elicitation only."""
        self._key("mrtr_flow_cancel_ask", key, clock(now_ms))

    def refuse(self, key: str, now_ms: int | None = None) -> None:
        """Refuses the whole exchange: nothing is sent, the flow ends as refused (C8)."""
        self._key("mrtr_flow_refuse", key, clock(now_ms))

    def unavailable(self, key: str, now_ms: int | None = None) -> None:
        """Nobody was asked; never turned into a decline (C8)."""
        self._key("mrtr_flow_unavailable", key, clock(now_ms))

    def fail(self, key: str, why: str, now_ms: int | None = None) -> None:
        """The handler failed; never turned into an accept (C8)."""
        self._key("mrtr_flow_fail", key, native.slice_of(native.text(why)), clock(now_ms))

    def cancel(self, now_ms: int | None = None) -> None:
        """Ends the flow as cancelled (C10). May be called from another thread than the one that drives the flow."""
        error = c_uint64()
        native.check(native.lib.mrtr_flow_cancel(self._handle, clock(now_ms), byref(error)), error)

    def complete(self, elicitation_id: str | None = None, now_ms: int | None = None) -> None:
        """A page that a 2025 server's -32042 asked for is done; None: the user says that all are. Then the call is made again (L2)."""
        error, key = c_uint64(), None if elicitation_id is None else native.key_bytes(elicitation_id)
        native.check(native.lib.mrtr_older_complete(self._handle, native.slice_of(key), clock(now_ms), byref(error)), error)

    def trace(self, form: str = "lines") -> str:
        """What happened so far, as JSON ``lines`` or as a ``mermaid`` sequence diagram; the client's ``trace`` says what is written down."""
        buf, error = native.Buf(), c_uint64()
        native.check(native.lib.mrtr_trace_write(self._handle, {"lines": 1, "mermaid": 2}.get(form, 0), byref(buf), byref(error)), error)
        return native.take(buf).decode("utf-8")

    def save(self) -> str:
        """The flow as text; `Client.resume` goes on from it, here or elsewhere. It holds answers: keep it as private as they are."""
        buf, error = native.Buf(), c_uint64()
        native.check(native.lib.mrtr_flow_save(self._handle, byref(buf), byref(error)), error)
        return native.take(buf).decode("utf-8")

    def _leg(self, name: str, leg: int, *rest: Any) -> None:
        error = c_uint64()
        native.check(getattr(native.lib, name)(self._handle, whole("leg", leg, 0xFFFFFFFF), *rest, byref(error)), error)

    def _key(self, name: str, key: str, *rest: Any) -> None:
        error = c_uint64()
        native.check(getattr(native.lib, name)(self._handle, native.slice_of(native.key_bytes(key)), *rest, byref(error)), error)


def done_error(done: Done) -> MrtrError:
    """The exception for an end that is not complete."""
    raw = None if done.result is None else done.result.encode("utf-8", "surrogatepass")
    return MrtrError(done.code, done.end, done.message, key=done.key, rpc=done.error, raw=raw, continuation=done.continuation)


def _need(view: native.View) -> str:
    return native.read_text(view) or ""


def _limit(value: int) -> int | None:
    return None if value == native.NO_LIMIT else value


def _done(out: native.EventOut) -> Done:
    end = "complete" if out.end == 0 else (native.read_text(native.lib.mrtr_code_name(out.end)) or "unknown")
    read = native.read_text
    return Done(
        out.end, end, read(out.result), read(out.rpc_error), read(out.key), out.round, read(out.continuation), bool(out.cacheable), _need(out.text)
    )


def _ask(out: native.EventOut) -> Ask:
    read = native.read_text
    return Ask(
        key=_need(out.key),
        kind=KINDS.get(out.kind, "unknown"),
        ask=_need(out.ask),
        params=_need(out.params),
        round=out.round,
        message=read(out.message),
        schema_text=read(out.schema),
        url=read(out.url),
        host_ascii=read(out.host_ascii),
        host_unicode=read(out.host_unicode),
        url_flags=frozenset(name for bit, name in FLAGS.items() if out.url_flags & bit),
        previously_declined=bool(out.previously_declined),
        label=read(out.label),
        call_method=_need(out.call_method),
        call_target=read(out.call_target),
        server_name=read(out.server_name),
        server_shown=read(out.server_shown),
        server_version=read(out.server_version),
        secret_fields=tuple(json.loads(native.read(out.secret_fields) or b"[]")),
    )


_READERS: dict[int, Callable[[native.EventOut], Event]] = {
    0: lambda out: Idle(),
    1: lambda out: Send(out.leg, out.id, _need(out.method), _need(out.params), _limit(out.until_ms), out.paced_ms),
    2: lambda out: CancelLeg(out.leg, out.id),
    3: _ask,
    4: lambda out: StopAsk(_need(out.key)),
    5: lambda out: Round(out.round),
    6: lambda out: Progress(out.leg, out.progress),
    7: lambda out: Note(_need(out.text), native.read_text(out.key)),
    8: lambda out: Sleep(_limit(out.until_ms), bool(out.pacing)),
    9: _done,
}


def read_event(out: native.EventOut) -> Event:
    """An event as this package shows it."""
    read = _READERS.get(out.type)
    # A newer library may know events that this package does not; they can be passed over.
    return Note(f"event {out.type} is newer than this package", None) if read is None else read(out)
