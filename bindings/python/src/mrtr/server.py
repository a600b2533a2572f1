"""`Server` and `Exchange`: a handler states what it needs, in order, and can be run again from the start (X1-X10)."""

from __future__ import annotations

import json
from ctypes import addressof, byref, c_uint32, c_uint64, sizeof
from dataclasses import dataclass
from typing import Any, Callable, Sequence

from . import _native as native
from ._call import Call, back, fill, lend
from ._handle import Owned
from ._hooks import Issued, forget, hearing
from ._layout import cut, layout, made
from ._request import JsonText, Principal, clock, options_of
from .form import Form
from .result import gate_number
from .sealer import Sealer

STATUS = {1: "missing", 2: "accepted", 3: "declined", 4: "cancelled", 5: "invalid", 6: "stale", 7: "unaskable"}

NEEDS = {"form": 1, "url": 2, "sampling": 4, "sampling.tools": 8, "sampling.context": 16, "roots": 32}


def needs_mask(names: Sequence[str]) -> int:
    mask = 0
    for name in names:
        if name not in NEEDS:
            raise ValueError(f"{name!r} is no kind of ask; choose from {', '.join(NEEDS)}")
        mask |= NEEDS[name]
    return mask


@dataclass(frozen=True)
class Answer:
    """What is known of one ask. ``content`` can only be read when it was accepted and is valid (X3)."""

    status: str
    text: str | None
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        """Whether the user said yes. Anything else has no content."""
        return self.status == "accepted"

    @property
    def pending(self) -> bool:
        """Whether this ask goes out (again) with this leg's result."""
        return self.status in ("missing", "invalid", "stale")

    @property
    def content(self) -> Any:
        """The accepted content as Python values; ``text`` has it byte for byte. An accepted URL has ``{}`` (X5)."""
        if not self.accepted:
            raise LookupError(f"this ask is {self.status}: there is no content")
        return json.loads(self.text or "{}")

    def __repr__(self) -> str:  # answers are private
        return f"Answer({self.status})"


@dataclass(frozen=True)
class ExchangeInfo:
    """``round`` is 0 on a first request. ``flow_id`` is the same in every round: use it as idempotency key.

    ``expires_ms``: until when the state of the last `Exchange.result` can come back; 0 before one.
    """

    round: int
    has_token: bool
    flow_id: bytes
    first_seen_ms: int
    expires_ms: int


_begin, _set_state, _result = native.bare("mrtr_exchange_begin"), native.bare("mrtr_exchange_set_state"), native.bare("mrtr_exchange_result")
_ask, _ask_form, _ask_url = native.bare("mrtr_exchange_ask"), native.bare("mrtr_exchange_ask_form"), native.bare("mrtr_exchange_ask_url")
_ask_sampling, _ask_roots = native.bare("mrtr_exchange_ask_sampling"), native.bare("mrtr_exchange_ask_roots")
_ANSWER = layout(native.AnswerOut, "status", "content", "reasons", "warnings", "storage")


class Server(Owned):
    """Sealer, gate and limits: what every exchange of a server shares. Safe to share between threads.

    Without a sealer the host protects its state itself: the string goes out and comes in raw (D19).
    ``gate``: "refuse" answers -32021 when the client cannot be asked; "filter" leaves such asks out (B8).
    ``on_issued`` hears of asks that went out with a result and of the time until which they can be answered, on the thread that
    made the result: to release then what a handler holds. What it raises is dropped. Not called without a sealer.
    """

    _FREE = native.bare("mrtr_server_free")

    def __init__(
        self,
        sealer: Sealer | None,
        *,
        gate: str = "refuse",
        allow_http: bool = False,
        allow_secret: Sequence[str] = (),
        max_message_bytes: int | None = None,
        max_depth: int | None = None,
        max_asks: int | None = None,
        max_answers: int | None = None,
        max_key_bytes: int | None = None,
        on_issued: Callable[[Issued], object] | None = None,
    ) -> None:
        options = options_of(
            native.ServerOptions(),
            "mrtr_server_options_init",
            gate=gate_number(gate),
            allow_http=int(allow_http),
            max_message_bytes=max_message_bytes,
            max_depth=max_depth,
            max_asks=max_asks,
            max_answers=max_answers,
            max_key_bytes=max_key_bytes,
        )
        options.sealer = c_uint64() if sealer is None else sealer._handle
        names = [native.text(name) for name in allow_secret]
        options.allow_secret, options.allow_secret_count = native.slices_of(names), len(names)
        number = 0
        if on_issued is not None:
            callbacks, number = hearing(on_issued)
            options.callbacks = addressof(callbacks)
        handle, error = c_uint64(), c_uint64()
        status = native.lib.mrtr_server_new(byref(options), byref(handle), byref(error))
        if status != 0:
            forget(number)
        native.check(status, error)
        super().__init__(handle)

    def exchange(
        self, method: str, params: JsonText | None, *, principal: Principal, capabilities: JsonText | None = None, now_ms: int | None = None
    ) -> Exchange:
        """Begins to serve one request. ``params`` is its text as received, retry fields and ``_meta`` included.

        A state that does not hold raises `MrtrError` here, before any handler runs (S10).
        """
        handle, call = c_uint64(), lend()
        try:
            call.bind(method, params, principal, capabilities)
            native.check(_begin(self._handle, call.request_at, clock(now_ms), byref(handle), call.error_at), call.error)
        finally:
            call.done()
        return Exchange(handle)


class Exchange(Owned):
    """One request being served. Made by `Server.exchange`; used by one thread at a time."""

    _FREE = native.bare("mrtr_exchange_free")

    def ask(self, key: str, ask: JsonText) -> Answer:
        """States one ask, given as JSON text of an ``inputRequests`` entry, and reads what is known of it."""
        return self._ask(key, lambda call, named: _ask(self._handle, named, fill(call.second, ask), call.answer_at, call.error_at))

    def ask_form(self, key: str, message: str, schema: JsonText | dict[str, Any] | Form) -> Answer:
        """Asks the user to fill a form. ``schema``: a `Form`, or the requested schema as JSON text or as a dict."""
        if isinstance(schema, Form):
            schema = schema.schema
        body = json.dumps(schema) if isinstance(schema, dict) else schema
        return self._ask(
            key,
            lambda call, named: _ask_form(
                self._handle, named, fill(call.second, message), fill(call.third, body), call.answer_at, call.error_at
            ),
        )

    def ask_url(self, key: str, message: str, url: str) -> Answer:
        """Asks the user to open a page. Accepted means consent, never that the page was finished (X5)."""
        return self._ask(
            key,
            lambda call, named: _ask_url(
                self._handle, named, fill(call.second, message), fill(call.third, url), call.answer_at, call.error_at
            ),
        )

    def ask_sampling(self, key: str, params: JsonText | dict[str, Any]) -> Answer:
        """Asks the client's model. ``params`` of ``sampling/createMessage``."""
        body = json.dumps(params) if isinstance(params, dict) else params
        return self._ask(key, lambda call, named: _ask_sampling(self._handle, named, fill(call.second, body), call.answer_at, call.error_at))

    def ask_roots(self, key: str) -> Answer:
        """Asks for the client's roots; the content holds ``roots``."""
        return self._ask(key, lambda call, named: _ask_roots(self._handle, named, call.answer_at, call.error_at))

    def can_ask(self, *kinds: str) -> bool:
        """Whether this client declared all of these: form, url, sampling, sampling.tools, sampling.context, roots (B8)."""
        yes, error = c_uint32(), c_uint64()
        native.check(native.lib.mrtr_exchange_can_ask(self._handle, needs_mask(kinds), byref(yes), byref(error)), error)
        return bool(yes.value)

    def require(self) -> None:
        """Says that the handler cannot do without what was ``unaskable``: raises the -32021 refusal if something was (D8)."""
        error = c_uint64()
        native.check(native.lib.mrtr_exchange_require(self._handle, byref(error)), error)

    def forget(self, key: str) -> None:
        """Drops what was answered under a key, in this request and before: it is asked anew, even if it was declined (X6)."""
        error = c_uint64()
        native.check(native.lib.mrtr_exchange_forget(self._handle, native.key_slice(key), byref(error)), error)

    @property
    def pending(self) -> int:
        """How many asks go out with this leg's result. 0: the handler can answer for good."""
        if self.closed:
            self.info  # raises the ordinary error for a closed exchange
        return int(native.lib.mrtr_exchange_pending(self._handle))

    @property
    def state(self) -> bytes | None:
        """The host's own state that came back (X9). None if it never set one."""
        has, buf, error = c_uint32(), native.Buf(), c_uint64()
        native.check(native.lib.mrtr_exchange_state(self._handle, byref(has), byref(buf), byref(error)), error)
        data = native.take(buf)
        return data if has.value else None

    @state.setter
    def state(self, value: bytes | str) -> None:
        call = lend()
        try:
            native.check(_set_state(self._handle, fill(call.first, value), call.error_at), call.error)
        finally:
            call.done()

    @property
    def info(self) -> ExchangeInfo:
        """Round, flow id, and when the flow began."""
        out, error = native.ExchangeInfoOut(struct_size=sizeof(native.ExchangeInfoOut)), c_uint64()
        native.check(native.lib.mrtr_exchange_get_info(self._handle, byref(out), byref(error)), error)
        return ExchangeInfo(out.round, bool(out.has_token), bytes(out.flow_id), out.first_seen_ms, out.expires_ms)

    def result(self) -> str:
        """The ``input_required`` result with a freshly sealed state. The first error of any ask is raised here (again).

        With nothing pending it is a state alone (the client comes back after a while), or an error if there is none.
        """
        call = lend()
        try:
            native.check(_result(self._handle, call.buf_at, call.error_at), call.error)
            return call.buf_storage.take(call.buf.len).decode("utf-8")
        finally:
            back(call)

    def _ask(self, key: str, ask: Callable[[Call, native.Slice], int]) -> Answer:
        call = lend()
        try:
            native.check(ask(call, fill(call.first, native.key_bytes(key))), call.error)
            return _answer(call)
        finally:
            call.done()


def _answer(call: Call) -> Answer:
    number, content, content_len, reasons, reasons_len, warnings, warnings_len, base, size = _ANSWER.unpack_from(call.answer)
    if not base and number in _PLAIN:
        return _PLAIN[number]
    data, status = call.answer_storage.take(size), STATUS.get(number, "missing")
    text = (cut(data, base, content, content_len) or "") if status == "accepted" else None
    why, odd = cut(data, base, reasons, reasons_len), cut(data, base, warnings, warnings_len)
    return made(Answer, {"status": status, "text": text, "reasons": _names(why), "warnings": _names(odd)})


#: Answers that say nothing but their status: most of those without content.
_PLAIN = {number: Answer(status, None, (), ()) for number, status in STATUS.items() if status != "accepted"}


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text else ()
