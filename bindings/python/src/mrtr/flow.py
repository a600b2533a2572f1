"""`Flow`: one call as a state machine without I/O. `next` says what to do, the host says what came of it (C)."""

from __future__ import annotations

import json
from ctypes import byref, c_uint64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Union

from . import _native as native
from ._call import Call, back, fill, lend
from ._errors import MrtrError
from ._handle import Owned
from ._layout import cut, layout, made
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


def _text(repr: bool = True) -> Any:
    """A text that may be absent. A factory leaves no default in the class, so that `Ask.__getattr__` hears of it."""
    return field(default_factory=lambda: None, repr=repr)


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
    message: str | None = _text(repr=False)
    schema_text: str | None = _text(repr=False)
    url: str | None = _text(repr=False)  # its path may be a credential
    host_ascii: str | None = _text()
    host_unicode: str | None = _text()
    url_flags: frozenset[str] = frozenset()
    previously_declined: bool = False
    #: Who asks: the host's own name for the server, and the call it belongs to.
    label: str | None = _text()
    call_method: str = field(default_factory=str)
    call_target: str | None = _text()
    #: What the server calls itself, as it came and for the eye; verified by nobody.
    server_name: str | None = _text()
    server_shown: str | None = _text()
    server_version: str | None = _text()
    #: Fields of a form that look as if they asked for a secret, which no server may do by form.
    secret_fields: tuple[str, ...] = field(default_factory=tuple)

    if not TYPE_CHECKING:  # which knows the texts, and would take any name for one

        def __getattr__(self, name: str) -> Any:
            """An ask has many texts, and most hosts want few of them: each is read when it is first wanted."""
            place, told = _PLACES.get(name), self.__dict__.get("_told")
            if place is None or told is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            data, base, values = told
            value: Any = cut(data, base, *values[place : place + 2])
            if name == "secret_fields":
                value = tuple(json.loads(value or "[]"))
            elif name in _NEVER_ABSENT:
                value = value or ""
            self.__dict__[name] = value
            return value

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


_next, _deliver, _answer = native.bare("mrtr_flow_next"), native.bare("mrtr_flow_deliver"), native.bare("mrtr_flow_answer")


class Flow(Owned):
    """One call. Made by `Client.begin` or `Client.resume`. ``now_ms`` is any clock that only goes forward; None = the system's."""

    _FREE = native.bare("mrtr_flow_free")
    #: Wakes the loop that drives the flow, and whether there was a reason to since it last slept: in this order, so that none is missed.
    _wake: Callable[[], None] | None = None
    _touched = False
    #: Takes what the flow says while its loop waits in a transport.
    _hear: Callable[[], float | None] | None = None

    def next(self, now_ms: int | None = None) -> Event:
        """What to do next. Call it again until it says `Sleep`, `Done` or `Idle`."""
        call = lend()
        try:
            native.check(_next(self._handle, clock(now_ms), call.event_at, call.error_at), call.error)
            return read_event(call)
        finally:
            back(call)

    def asks(self) -> list[Ask]:
        """The open asks of the round, shown or not, for a host that shows them on one page; answers to all are taken (C13)."""
        asks: list[Ask] = []
        while True:
            call = lend()
            try:
                native.check(native.lib.mrtr_flow_open_ask(self._handle, len(asks), call.event_at, call.error_at), call.error)
                if call.event.type != ASK:
                    return asks
                asks.append(_ask(call))
            finally:
                call.done()

    def deliver(self, leg: int, result: JsonText, now_ms: int | None = None) -> None:
        """The text of the ``result`` member that answered a leg. Late or unknown legs are ignored (C10)."""
        call = lend()
        try:
            native.check(_deliver(self._handle, whole("leg", leg, 0xFFFFFFFF), fill(call.first, result), clock(now_ms), call.error_at), call.error)
        finally:
            call.done()

    def deliver_error(self, leg: int, error: JsonText, now_ms: int | None = None) -> None:
        """The text of the ``error`` member that answered a leg."""
        self._leg("mrtr_flow_deliver_error", leg, native.text_slice(error), clock(now_ms))

    def lost(self, leg: int, now_ms: int | None = None) -> None:
        """The connection of this leg broke; it is never sent again by the library (D5)."""
        self._leg("mrtr_flow_lost", leg, clock(now_ms))

    def progress(self, leg: int, value: float, now_ms: int | None = None) -> None:
        """A progress notification of this leg."""
        self._leg("mrtr_flow_progress", leg, float(value), clock(now_ms))

    def answer(self, key: str, value: JsonText, now_ms: int | None = None) -> None:
        """The value for an ask: form content, ``{}`` for a URL, the whole result for sampling and roots (D3)."""
        call = lend()
        try:
            named, given = fill(call.first, native.key_bytes(key)), fill(call.second, value)
            native.check(_answer(self._handle, named, given, clock(now_ms), call.error_at), call.error)
        finally:
            call.done()

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
        self._key("mrtr_flow_fail", key, native.text_slice(why), clock(now_ms))

    def cancel(self, now_ms: int | None = None) -> None:
        """Ends the flow as cancelled (C10). From any thread; a loop that drives the flow wakes if it sleeps."""
        error = c_uint64()
        native.check(native.lib.mrtr_flow_cancel(self._handle, clock(now_ms), byref(error)), error)
        self._touch()

    def complete(self, elicitation_id: str | None = None, now_ms: int | None = None) -> None:
        """A page that a 2025 server's -32042 asked for is done; None: the user says that all are. Then the call is made again (L2).

        From any thread; a loop that drives the flow wakes. An id that nobody waits for is ignored.
        """
        error, key = c_uint64(), native.ABSENT if elicitation_id is None else native.key_slice(elicitation_id)
        native.check(native.lib.mrtr_older_complete(self._handle, key, clock(now_ms), byref(error)), error)
        self._touch()

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

    def _touch(self) -> None:
        self._touched = True
        wake = self._wake
        if wake is not None:
            wake()

    def _leg(self, name: str, leg: int, *rest: Any) -> None:
        error = c_uint64()
        native.check(getattr(native.lib, name)(self._handle, whole("leg", leg, 0xFFFFFFFF), *rest, byref(error)), error)

    def _key(self, name: str, key: str, *rest: Any) -> None:
        error = c_uint64()
        native.check(getattr(native.lib, name)(self._handle, native.key_slice(key), *rest, byref(error)), error)


def done_error(done: Done) -> MrtrError:
    """The exception for an end that is not complete."""
    raw = None if done.result is None else done.result.encode("utf-8", "surrogatepass")
    return MrtrError(done.code, done.end, done.message, key=done.key, rpc=done.error, raw=raw, continuation=done.continuation)


def _limit(value: int) -> int | None:
    return None if value == native.NO_LIMIT else value


_SEND = layout(native.EventOut, "leg", "id", "until_ms", "paced_ms", "method", "params", "storage")
_NOTE = layout(native.EventOut, "key", "text", "storage")
_DONE = layout(native.EventOut, "round", "end", "cacheable", "key", "result", "rpc_error", "continuation", "text", "storage")
_ASK_TEXTS = (
    "params", "key", "ask", "message", "schema", "url", "host_ascii", "host_unicode", "storage", "label", "call_method", "call_target",
    "server_name", "server_shown", "server_version", "secret_fields",
)  # fmt: skip
_ASK = layout(native.EventOut, "round", "kind", "url_flags", "previously_declined", *_ASK_TEXTS)
#: Where address and length of each text of an ask stand in what `_ASK` reads.
_PLACES = {"schema_text" if name == "schema" else name: 4 + 2 * at for at, name in enumerate(_ASK_TEXTS)}
_STORAGE = _PLACES.pop("storage")
_NEVER_ABSENT = ("ask", "params", "call_method")
_NO_FLAGS: frozenset[str] = frozenset()


def _send(call: Call) -> Send:
    leg, id, until, paced, method, method_len, params, params_len, base, size = _SEND.unpack_from(call.event)
    data = call.event_storage.take(size)
    fields = {
        "leg": leg,
        "id": id,
        "method": cut(data, base, method, method_len) or "",
        "params": cut(data, base, params, params_len) or "",
        "deadline_ms": _limit(until),
        "paced_ms": paced,
    }
    return made(Send, fields)


def _ask(call: Call) -> Ask:
    values = _ASK.unpack_from(call.event)
    round, kind, flags, declined, _, _, key, key_len = values[:8]
    base, size = values[_STORAGE : _STORAGE + 2]
    data = call.event_storage.take(size)
    fields = {
        "key": cut(data, base, key, key_len) or "",
        "kind": KINDS.get(kind, "unknown"),
        "round": round,
        "url_flags": frozenset(name for bit, name in FLAGS.items() if flags & bit) if flags else _NO_FLAGS,
        "previously_declined": bool(declined),
        "_told": (data, base, values),
    }
    return made(Ask, fields)


def _note(call: Call) -> tuple[str, str | None]:
    key, key_len, text, text_len, base, size = _NOTE.unpack_from(call.event)
    data = call.event_storage.take(size)
    return cut(data, base, text, text_len) or "", cut(data, base, key, key_len)


def _done(call: Call) -> Done:
    (rounds, code, cacheable, key, key_len, result, result_len, error, error_len, saved, saved_len, text, text_len, base, size) = _DONE.unpack_from(
        call.event
    )
    data = call.event_storage.take(size)
    fields = {
        "code": code,
        "end": "complete" if code == 0 else (native.read_text(native.lib.mrtr_code_name(code)) or "unknown"),
        "result": cut(data, base, result, result_len),
        "error": cut(data, base, error, error_len),
        "key": cut(data, base, key, key_len),
        "rounds": rounds,
        "continuation": cut(data, base, saved, saved_len),
        "cacheable": bool(cacheable),
        "message": cut(data, base, text, text_len) or "",
    }
    return made(Done, fields)


_READERS: dict[int, Callable[[Call], Event]] = {
    0: lambda call: Idle(),
    1: _send,
    2: lambda call: CancelLeg(call.event.leg, call.event.id),
    3: _ask,
    4: lambda call: StopAsk(_note(call)[1] or ""),
    5: lambda call: Round(call.event.round),
    6: lambda call: Progress(call.event.leg, call.event.progress),
    7: lambda call: Note(*_note(call)),
    8: lambda call: Sleep(_limit(call.event.until_ms), bool(call.event.pacing)),
    9: _done,
}


def read_event(call: Call) -> Event:
    """The event of a call as this package shows it."""
    read = _READERS.get(call.event.type)
    if read is not None:
        return read(call)
    # A newer library may know events that this package does not; they can be passed over.
    native.take(call.event.storage)
    return Note(f"event {call.event.type} is newer than this package", None)
