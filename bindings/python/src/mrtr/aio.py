"""`AsyncClient`: the same calls for asyncio. It stands on `Flow` alone: no thread but the loop's is ever involved."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Awaitable, Callable, Mapping, Union

from ._request import JsonText
from .client import Client, Json, Leg, Reply, Result, RpcError, give_reply, now_ms
from .flow import Ask, CancelLeg, Done, Flow, Idle, Note, Progress, Round, Send, Sleep, StopAsk, done_error

#: A handler may be a coroutine function. One that blocks stops the loop: give it to `asyncio.to_thread`.
AsyncHandler = Callable[[Ask], Union[Mapping[str, Any], Json, Reply, Awaitable[Union[Mapping[str, Any], Json, Reply]]]]


@dataclass(frozen=True)
class AsyncLeg(Leg):
    """One request to send; see `Leg`. Its task is cancelled when nobody waits for it any more: tell the server then."""

    wake: Callable[[], None] = field(default=lambda: None, repr=False)

    def progress(self, value: float) -> None:
        """Hands on a progress notification that arrived for this leg. From the loop's thread."""
        super().progress(value)
        self.wake()


#: Sends a leg and returns the text of ``result``; raises `RpcError` for ``error``, `OSError` if the connection broke.
AsyncTransport = Callable[[AsyncLeg], Awaitable[JsonText]]


class AsyncClient:
    """`Client` for asyncio: the same arguments, handlers may be coroutine functions, `call` is awaited.

    Cancelling the task that awaits `call` cancels the leg that is under way and every handler. Asks of one round are shown as ``order`` says.
    """

    def __init__(
        self, *, form: AsyncHandler | None = None, url: AsyncHandler | None = None, sampling: AsyncHandler | None = None, roots: AsyncHandler | None = None, **options: Any
    ) -> None:
        self._handlers: dict[str, AsyncHandler | None] = {"form": form, "url": url, "sampling": sampling, "roots": roots}
        # The client declares what there are handlers for, and runs none of them.
        declared: dict[str, Any] = {kind: _not_run for kind, handler in self._handlers.items() if handler is not None}
        self._client = Client(**declared, **options)

    @property
    def capabilities(self) -> str:
        """The client capabilities that this client declares, as JSON text."""
        return self._client.capabilities

    def begin(self, method: str, params: JsonText | Mapping[str, Any], **options: int | None) -> Flow:
        """A call, not yet sent; `drive` runs it. ``options``: how it differs from its client, as in `Client.begin`."""
        return self._client.begin(method, params, **options)

    def resume(self, saved: str) -> Flow:
        """Goes on from `Flow.save` or a continuation (C11); `drive` runs it."""
        return self._client.resume(saved)

    async def call(
        self,
        method: str,
        params: JsonText | Mapping[str, Any],
        transport: AsyncTransport,
        *,
        on_round: Callable[[int], None] | None = None,
        on_progress: Callable[[float], None] | None = None,
        on_note: Callable[[str], None] | None = None,
        **options: int | None,
    ) -> Result:
        """Calls, runs the handlers for what is asked, retries with the exact state, and returns the final result.

        ``options``: how this call differs from its client, as in `Client.begin`.
        Any other end raises `MrtrError`, with ``continuation`` where the call can be taken up again.
        """
        with self.begin(method, params, **options) as flow:
            return await self.drive(flow, transport, on_round=on_round, on_progress=on_progress, on_note=on_note)

    async def drive(
        self,
        flow: Flow,
        transport: AsyncTransport,
        *,
        on_round: Callable[[int], None] | None = None,
        on_progress: Callable[[float], None] | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> Result:
        """The loop of `call` for a flow that was begun or resumed elsewhere."""
        done = await _Drive(flow, self._handlers, transport, (on_round, on_progress, on_note)).run()
        if done.code != 0:
            raise done_error(done)
        return Result(done.result or "", done.rounds, done.cacheable)

    def older_capabilities(self, version: str) -> str:
        """The capabilities to declare in ``initialize`` of a protocol version of 2025, as JSON text (L1)."""
        return self._client.older_capabilities(version)

    async def respond(self, message: JsonText, version: str) -> str | None:
        """Runs the handlers for a request that a server of 2025 made: the response to send, None if there is none (L1)."""
        with self._client.incoming(message, version) as flow:
            return (await _Drive(flow, self._handlers, _no_legs, (None, None, None)).run()).result

    def close(self) -> None:
        """Frees the client now; flows begun with it go on."""
        self._client.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _Drive:
    """One call under way: a task for each leg and each ask, and the flow that says what they are for."""

    def __init__(self, flow: Flow, handlers: Mapping[str, AsyncHandler | None], transport: AsyncTransport, listeners: tuple[Any, Any, Any]) -> None:
        self._flow, self._handlers, self._transport = flow, handlers, transport
        self._on_round, self._on_progress, self._on_note = listeners
        self._changed = asyncio.Event()
        self._tasks: dict[int | str, asyncio.Task[None]] = {}  # legs by number, asks by key
        self._ended: list[asyncio.Task[None]] = []
        self._thrown: BaseException | None = None

    async def run(self) -> Done:
        loop = asyncio.get_running_loop()
        self._flow._wake = lambda: _soon(loop, self._changed.set)
        try:
            while True:
                event = self._flow.next()
                if isinstance(event, Done):
                    if self._thrown is not None:
                        raise self._thrown
                    return event
                if isinstance(event, Idle):
                    raise RuntimeError("mrtr: this flow was driven to its end before")
                if isinstance(event, Sleep):
                    await self._sleep(event)
                else:
                    self._act(event)
        except BaseException:
            self._flow.cancel()  # without effect on a flow that is over
            raise
        finally:
            self._flow._wake = None
            await self._stop_all()

    def _act(self, event: Any) -> None:
        if isinstance(event, Send):
            self._tasks[event.leg] = asyncio.create_task(self._send(event))
        elif isinstance(event, Ask):
            self._tasks[event.key] = asyncio.create_task(self._show(event))
        elif isinstance(event, CancelLeg):
            self._stop(event.leg)
        elif isinstance(event, StopAsk):
            self._stop(event.key)
        elif isinstance(event, Round) and self._on_round is not None:
            self._on_round(event.number)
        elif isinstance(event, Progress) and self._on_progress is not None:
            self._on_progress(event.value)
        elif isinstance(event, Note) and self._on_note is not None:
            self._on_note(event.text)

    async def _sleep(self, event: Sleep) -> None:
        left = None if event.until_ms is None else max(0.0, (event.until_ms - now_ms()) / 1000)
        try:
            await asyncio.wait_for(self._changed.wait(), left)
        except (TimeoutError, asyncio.TimeoutError):
            pass
        self._changed.clear()

    def _stop(self, name: int | str) -> None:
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()
            self._ended.append(task)

    async def _stop_all(self) -> None:
        for name in list(self._tasks):
            self._stop(name)
        if self._ended:
            await asyncio.gather(*self._ended, return_exceptions=True)

    def _wanted(self, name: int | str) -> bool:
        """Whether the flow still waits for the task that runs; its place is given back, and the loop looks at the flow again."""
        wanted = self._tasks.get(name) is asyncio.current_task()
        if wanted:
            del self._tasks[name]
            self._changed.set()
        return wanted

    def _settle(self, name: int | str, tell: Callable[[], None]) -> None:
        """What came of a task, unless nobody waits for it any more. A fault of the host's own ends the call and comes out of it."""
        if not self._wanted(name):
            return
        try:
            tell()
        except BaseException as why:
            self._thrown = why
            self._flow.cancel()

    def _throw(self, name: int | str, why: BaseException) -> None:
        def tell() -> None:
            raise why

        self._settle(name, tell)
        if isinstance(why, asyncio.CancelledError):
            raise why

    async def _send(self, event: Send) -> None:
        left = None if event.deadline_ms is None else max(0.0, (event.deadline_ms - now_ms()) / 1000)
        leg = AsyncLeg(event.leg, event.id, event.method, event.params, left, self._flow, self._changed.set)
        try:
            result = await self._transport(leg)
        except RpcError as answer:
            error = answer.error
            self._settle(event.leg, lambda: self._flow.deliver_error(event.leg, error))
        except (TimeoutError, asyncio.TimeoutError):
            self._wanted(event.leg)  # the leg's clock decides: `next` ends the flow when it has run out
        except OSError:
            self._settle(event.leg, lambda: self._flow.lost(event.leg))
        except BaseException as why:
            self._throw(event.leg, why)
        else:
            self._settle(event.leg, lambda: self._flow.deliver(event.leg, result))

    async def _show(self, ask: Ask) -> None:
        handler = self._handlers.get(ask.kind)
        if handler is None:
            return self._settle(ask.key, lambda: self._flow.unavailable(ask.key))
        try:
            reply = handler(ask)
            if inspect.isawaitable(reply):
                reply = await reply
        except Exception as why:
            text = f"{type(why).__name__}: {why}"
            self._settle(ask.key, lambda: self._flow.fail(ask.key, text))
        except BaseException as why:
            self._throw(ask.key, why)
        else:
            self._settle(ask.key, lambda: give_reply(self._flow, ask.key, reply))


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """From any thread. A loop that is closed has nothing left to wake."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


async def _no_legs(leg: AsyncLeg) -> JsonText:
    raise AssertionError(f"{leg.method}: an answer sends no request")


def _not_run(ask: Ask) -> Reply:
    raise AssertionError(f"{ask.kind} is answered by the loop")
