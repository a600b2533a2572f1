"""`Client`: handlers for what servers ask, and the loop that resumes a call until it is complete (C1-C18)."""

from __future__ import annotations

import json
import threading
from ctypes import byref, c_uint64
from dataclasses import dataclass, field
from typing import Any, Callable, Final, Mapping, Sequence, Union

from . import _native as native
from ._call import fill, lend
from ._handle import Owned
from ._layout import made
from ._request import JsonText, clock, options_of, set_number
from .flow import Ask, CancelLeg, Done, Event, Flow, Idle, Note, Progress, Round, Send, Sleep, done_error
from .server import needs_mask

TRACES = {"off": 0, "events": 1, "content": 2}
ORDERS = {"default": 0, "serial": 1, "concurrent": 2}


class Reply:
    """What a handler may return instead of a value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name.upper()


ACCEPT: Final = Reply("accept")  # consent to a URL, or an empty form
DECLINE: Final = Reply("decline")
CANCEL: Final = Reply("cancel")
REFUSE: Final = Reply("refuse")
UNAVAILABLE: Final = Reply("unavailable")


@dataclass(frozen=True)
class Json:
    """A handler's value as ready JSON text: it is checked and then sent byte for byte."""

    text: str = field(repr=False)


#: A handler returns the value (a dict, or `Json`), or one of ACCEPT, DECLINE, CANCEL, REFUSE, UNAVAILABLE.
Handler = Callable[[Ask], Union[Mapping[str, Any], Json, Reply]]


class RpcError(Exception):
    """Raise this in a transport when a leg was answered by a JSON-RPC error: ``error`` is the text of its error object."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


@dataclass(frozen=True)
class Leg:
    """One request to send. ``timeout_s`` is what is left of its clock, None if there is none."""

    number: int
    id: int
    method: str
    params: str = field(repr=False)
    timeout_s: float | None
    flow: Flow

    def progress(self, value: float) -> float | None:
        """Hands on a progress notification that arrived for this leg. Returns what is left of its clock now, in seconds: as if nothing had come,
        or, with ``reset_on_progress``, from the start again; None if there is no limit (C7).

        ``on_progress`` is called here, and `TimeoutError` raised when nobody waits for the leg any more: its time is over, or another thread has
        cancelled. Let it through. Only on the thread that called the transport; on others the value is handed on, and None returned.
        """
        self.flow.progress(self.number, value)
        hear = self.flow._hear
        return None if hear is None else hear()


#: Sends a leg and returns the text of ``result``; raises RpcError for ``error``, OSError if the connection broke.
Transport = Callable[[Leg], JsonText]


@dataclass(frozen=True)
class Result:
    """The final result: ``text`` byte for byte."""

    text: str = field(repr=False)
    rounds: int
    cacheable: bool

    def json(self) -> Any:
        """The result as Python values."""
        return json.loads(self.text)


_begin = native.bare("mrtr_flow_begin")


class Client(Owned):
    """Handlers and options. Capabilities are derived from the handlers (C16). Safe to share between threads.

    Times are milliseconds. ``max_rounds``: retries with answers (C5). ``manual=True`` hands ``input_required`` back
    instead of running handlers (C12). ``sampling_tools`` declares that the sampling handler takes tools.
    ``continuation_keys``: secrets of at least 32 bytes that seal continuations; the first seals, every one opens (C11).
    ``trace``: what flows write down about themselves: "off", "events", or "content", which has questions and answers.
    ``label``: the host's own name for the server, handed on with each ask. ``result_types``: those of extensions that the host reads itself.

    One call may differ: `begin` and `call` take the switches (``manual``, ``reset_on_progress``, ...) and limits (``leg_timeout_ms``,
    ``flow_timeout_ms``, ``input_timeout_ms``, ``poll_budget_ms``, ``max_rounds``, ...) too; what is left out or None is the client's.
    """

    _FREE = native.bare("mrtr_client_free")

    def __init__(
        self,
        *,
        form: Handler | None = None,
        url: Handler | None = None,
        sampling: Handler | None = None,
        roots: Handler | None = None,
        sampling_tools: bool = False,
        sampling_context: bool = False,
        client_info: Mapping[str, Any] | None = None,
        protocol_version: str | None = None,
        continuation_keys: Sequence[bytes] = (),
        label: str | None = None,
        result_types: Sequence[str] = (),
        trace: str = "off",
        order: str = "default",
        jitter: bool | None = None,
        manual: bool | None = None,
        strict: bool | None = None,
        allow_http: bool | None = None,
        state_only_counts: bool | None = None,
        reset_on_progress: bool | None = None,
        cancel_if_unavailable: bool | None = None,
        **limits: int | None,
    ) -> None:
        self._handlers: dict[str, Handler | None] = {"form": form, "url": url, "sampling": sampling, "roots": roots}
        kinds = [kind for kind, handler in self._handlers.items() if handler is not None]
        if sampling is not None:
            kinds += ["sampling.tools"] * sampling_tools + ["sampling.context"] * sampling_context
        if order not in ORDERS:
            raise ValueError(f"order: {order!r} is unknown; choose one of {', '.join(ORDERS)}")
        switches = {
            "jitter": jitter, "manual": manual, "strict": strict, "allow_http": allow_http, "state_only_counts": state_only_counts,
            "reset_on_progress": reset_on_progress, "cancel_if_unavailable": cancel_if_unavailable,
        }  # fmt: skip
        options = _change(options_of(native.ClientOptions(), "mrtr_client_options_init"), {**limits, **switches})
        options.handlers, options.order = needs_mask(kinds), ORDERS[order]
        if protocol_version is not None:
            options.protocol_version = native.text_slice(protocol_version)
        if client_info is not None:
            options.client_info = native.text_slice(json.dumps(client_info))
        options.trace = TRACES[trace]
        if label is not None:
            options.label = native.text_slice(label)
        options.continuation_keys, options.continuation_key_count = native.slices_of(list(continuation_keys)), len(continuation_keys)
        options.result_types, options.result_type_count = native.slices_of([native.text(name) for name in result_types]), len(result_types)
        handle, error = c_uint64(), c_uint64()
        native.check(native.lib.mrtr_client_new(byref(options), byref(handle), byref(error)), error)
        super().__init__(handle)
        # For calls that differ, and without the keys: they stay the client's.
        options.continuation_keys, options.continuation_key_count = None, 0
        self._options = options

    @property
    def capabilities(self) -> str:
        """The client capabilities that this client declares, as JSON text."""
        buf, error = native.Buf(), c_uint64()
        native.check(native.lib.mrtr_client_capabilities(self._handle, byref(buf), byref(error)), error)
        return native.take(buf).decode("utf-8")

    def begin(self, method: str, params: JsonText | Mapping[str, Any], *, now_ms: int | None = None, **options: int | None) -> Flow:
        """A call, not yet sent: drive it with `Flow.next`, or use `call`. ``options``: how it differs from its client."""
        own = _change(type(self._options).from_buffer_copy(self._options), options) if options else None
        handle, call = c_uint64(), lend()
        try:
            named, given = fill(call.first, method), fill(call.second, _params(params))
            by = None if own is None else byref(own)
            native.check(_begin(self._handle, named, given, by, clock(now_ms), byref(handle), call.error_at), call.error)
        finally:
            call.done()
        return Flow(handle)

    def resume(self, saved: str, *, now_ms: int | None = None) -> Flow:
        """Goes on from `Flow.save` or a continuation, without the first leg being sent again (C11)."""
        handle, error = c_uint64(), c_uint64()
        status = native.lib.mrtr_flow_resume(self._handle, native.text_slice(saved), clock(now_ms), byref(handle), byref(error))
        native.check(status, error)
        return Flow(handle)

    def older_capabilities(self, version: str) -> str:
        """The capabilities to declare in ``initialize`` of a protocol version of 2025, as JSON text (L1)."""
        buf, error = native.Buf(), c_uint64()
        native.check(native.lib.mrtr_older_capabilities(self._handle, native.text_slice(version), byref(buf), byref(error)), error)
        return native.take(buf).decode("utf-8")

    def incoming(self, message: JsonText, version: str, *, now_ms: int | None = None) -> Flow:
        """A flow for a JSON-RPC request that a server of 2025 made; its `Done.result` is the response to send (L1)."""
        handle, error = c_uint64(), c_uint64()
        texts = [native.text_slice(message), native.text_slice(version)]
        native.check(native.lib.mrtr_older_request(self._handle, *texts, clock(now_ms), byref(handle), byref(error)), error)
        return Flow(handle)

    def respond(self, message: JsonText, version: str) -> str | None:
        """Runs the handlers for a request that a server of 2025 made: the response to send, None if there is none (L1)."""
        with self.incoming(message, version) as flow:
            while True:
                event = flow.next()
                if isinstance(event, Done):
                    return event.result
                if isinstance(event, Ask):
                    self._show(flow, event)
                elif isinstance(event, Sleep):
                    _sleep(flow, event)

    def call(
        self,
        method: str,
        params: JsonText | Mapping[str, Any],
        transport: Transport,
        *,
        on_round: Callable[[int], None] | None = None,
        on_progress: Callable[[float], None] | None = None,
        on_note: Callable[[str], None] | None = None,
        **options: int | None,
    ) -> Result:
        """Calls, runs the handlers for what is asked, retries with the exact state, and returns the final result.

        ``options``: how this call differs from its client, as in `begin`.
        Any other end raises `MrtrError`, with ``continuation`` where the call can be taken up again.
        """
        with self.begin(method, params, **options) as flow:
            return self.drive(flow, transport, on_round=on_round, on_progress=on_progress, on_note=on_note)

    def drive(
        self,
        flow: Flow,
        transport: Transport,
        *,
        on_round: Callable[[int], None] | None = None,
        on_progress: Callable[[float], None] | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> Result:
        """The loop of `call` for a flow that was begun or resumed elsewhere. Runs on this thread until the end."""
        heard: list[Event] = []
        thread = threading.get_ident()

        def hear() -> float | None:
            while threading.get_ident() == thread:
                event = flow.next()
                if isinstance(event, Sleep):
                    return _left(event.until_ms)
                if isinstance(event, Progress):
                    if on_progress is not None:
                        on_progress(event.value)
                elif not isinstance(event, Idle):
                    heard.append(event)
                if isinstance(event, (CancelLeg, Done, Idle)):
                    raise TimeoutError("nobody waits for this request any more")
            return None

        while True:
            event = heard.pop(0) if heard else flow.next()
            if isinstance(event, Done):
                if event.code != 0:
                    raise done_error(event)
                return Result(event.result or "", event.rounds, event.cacheable)
            if isinstance(event, Send):
                flow._hear = hear
                try:
                    _send(flow, event, transport)
                finally:
                    flow._hear = None
            elif isinstance(event, Ask):
                self._show(flow, event)
            elif isinstance(event, Sleep):
                _sleep(flow, event)
            elif isinstance(event, Round) and on_round is not None:
                on_round(event.number)
            elif isinstance(event, Progress) and on_progress is not None:
                on_progress(event.value)
            elif isinstance(event, Note) and on_note is not None:
                on_note(event.text)
            elif isinstance(event, Idle):
                raise RuntimeError("mrtr: this flow was driven to its end before")

    def _show(self, flow: Flow, ask: Ask) -> None:
        handler = self._handlers.get(ask.kind)
        if handler is None:
            return flow.unavailable(ask.key)
        try:
            reply = handler(ask)
        except Exception as why:
            return flow.fail(ask.key, f"{type(why).__name__}: {why}")
        except BaseException:
            flow.cancel()  # Ctrl-C at a prompt ends the call; the interrupt itself goes on
            raise
        give_reply(flow, ask.key, reply)


_json = json.JSONEncoder(allow_nan=False).encode


def give_reply(flow: Flow, key: str, reply: Any) -> None:
    """Tells a flow what a handler returned."""
    if isinstance(reply, Json):
        flow.answer(key, reply.text)
    elif isinstance(reply, Mapping):
        _answer(flow, key, reply)
    elif reply is ACCEPT:
        flow.answer(key, "{}")
    elif isinstance(reply, Reply):
        {"decline": flow.decline, "cancel": flow.cancel_ask, "refuse": flow.refuse, "unavailable": flow.unavailable}[reply.name](key)
    else:
        # A handler that forgot to return must never count as consent.
        flow.fail(key, f"the handler returned {type(reply).__name__}, which is no answer")


def _answer(flow: Flow, key: str, value: Mapping[str, Any]) -> None:
    try:
        body = _json(dict(value))
    except (TypeError, ValueError) as why:
        return flow.fail(key, f"the handler's value is no JSON: {why}")
    flow.answer(key, body)


def _send(flow: Flow, event: Send, transport: Transport) -> None:
    try:
        left = _left(event.deadline_ms)
        leg = {"number": event.leg, "id": event.id, "method": event.method, "params": event.params, "timeout_s": left, "flow": flow}
        result = transport(made(Leg, leg))
    except RpcError as answer:
        flow.deliver_error(event.leg, answer.error)
    except TimeoutError:
        pass  # the leg's clock decides: `next` ends the flow when it has run out
    except OSError:
        flow.lost(event.leg)
    except BaseException:
        flow.cancel()
        raise
    else:
        flow.deliver(event.leg, result)


def _sleep(flow: Flow, event: Sleep) -> None:
    """Until the time has come, or another thread cancels the flow or says that a page is done."""
    left = _left(event.until_ms)
    woken = threading.Event()
    flow._wake = woken.set
    if not flow._touched:
        woken.wait(None if left is None else min(left, threading.TIMEOUT_MAX))
    flow._wake, flow._touched = None, False


def _left(until_ms: int | None) -> float | None:
    """The seconds until a time on the clock of flows."""
    return None if until_ms is None else max(0.0, (until_ms - now_ms()) / 1000)


def now_ms() -> int:
    """The clock of flows: monotonic milliseconds, as the library reads them when it is given none."""
    return int(native.lib.mrtr_monotonic_ms())


def _params(params: JsonText | Mapping[str, Any]) -> JsonText:
    return params if isinstance(params, (str, bytes)) else _json(dict(params))


_LIMITS: Sequence[str] = (
    "max_rounds", "leg_timeout_ms", "input_timeout_ms", "flow_timeout_ms", "poll_budget_ms", "pacing_initial_ms", "pacing_max_ms",
    "max_message_bytes", "max_depth", "max_asks", "max_key_bytes", "max_token_bytes",
)  # fmt: skip


_SWITCHES: Sequence[str] = ("jitter", "manual", "strict", "allow_http", "state_only_counts", "reset_on_progress", "cancel_if_unavailable")


def _change(options: Any, changes: Mapping[str, int | None]) -> Any:
    for name, value in changes.items():
        if name in _SWITCHES:
            if value is not None:
                setattr(options, name, int(bool(value)))
        elif name in _LIMITS:
            set_number(options, name, value)
        else:
            raise TypeError(f"unexpected option {name!r}; limits are {', '.join(_LIMITS)}; switches are {', '.join(_SWITCHES)}")
    return options
