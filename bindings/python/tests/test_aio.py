"""Calling from asyncio: handlers as coroutines, cancellation, side by side (C1, C7, C8, C10, C13, C15)."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Coroutine

import mrtr
import pytest
from test_client import ASK, DONE, PARAMS

FORM = ASK[ASK.index('{"method"') : ASK.index('},"requestState"')]
TWO = '{"resultType":"input_required","inputRequests":{"a":%s,"b":%s},"requestState":"s"}' % (FORM, FORM)


class Server:
    """Answers the legs from a list; an exception is raised, None never comes."""

    def __init__(self, *results: Any) -> None:
        self.results, self.sent, self.cancelled = list(results), [], 0  # type: ignore[var-annotated]

    async def __call__(self, leg: mrtr.AsyncLeg) -> str:
        self.sent.append(leg.params)
        result = self.results.pop(0)
        try:
            await asyncio.sleep(3600 if result is None else 0)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(result, BaseException):
            raise result
        return str(result)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 20))


def ended(*results: Any, **options: Any) -> tuple[mrtr.MrtrError, Server]:
    server = Server(*results)

    async def work() -> None:
        async with mrtr.AsyncClient(**options) as client:
            await client.call("tools/call", PARAMS, server)

    with pytest.raises(mrtr.MrtrError) as caught:
        run(work())
    return caught.value, server


def test_handlers_may_be_coroutines() -> None:
    server, rounds = Server(ASK, DONE), []

    async def form(ask: mrtr.Ask) -> dict[str, str]:
        await asyncio.sleep(0)
        return {"n": ask.key}

    async def work() -> mrtr.Result:
        async with mrtr.AsyncClient(form=form) as client:
            assert json.loads(client.capabilities) == {"elicitation": {"form": {}}}
            return await client.call("tools/call", PARAMS, server, on_round=rounds.append)

    result = run(work())
    assert result.text == DONE and result.rounds == 1 and rounds == [1]
    assert '"requestState":"S\\u00e91"' in server.sent[1]
    assert json.loads(server.sent[1])["inputResponses"] == {"a": {"action": "accept", "content": {"n": "a"}}}


@pytest.mark.parametrize("reply, end", [(mrtr.REFUSE, "refused"), (mrtr.UNAVAILABLE, "unavailable"), (None, "handler_failed"), ("yes", "handler_failed")])
def test_what_is_no_answer_is_never_sent(reply: Any, end: str) -> None:
    error, server = ended(ASK, DONE, form=lambda ask: reply)
    assert error.name == end and error.key == "a" and len(server.sent) == 1 and error.continuation


def test_a_handler_that_raises_fails() -> None:
    async def form(ask: mrtr.Ask) -> Any:
        raise KeyError("no window")

    error, server = ended(ASK, DONE, form=form)
    assert error.name == "handler_failed" and "no window" in error.message and len(server.sent) == 1


@pytest.mark.parametrize("thrown, end", [(mrtr.RpcError('{"code":-1,"message":"no"}'), "rpc_error"), (ConnectionResetError("gone"), "lost")])
def test_how_legs_fail(thrown: BaseException, end: str) -> None:
    error, _ = ended(thrown)
    assert error.name == end


def test_a_leg_that_takes_too_long_is_cancelled() -> None:
    error, server = ended(None, leg_timeout_ms=30)
    assert error.name == "leg_timeout" and server.cancelled == 1


def test_nobody_answers_in_time() -> None:
    stopped = []

    async def form(ask: mrtr.Ask) -> Any:
        try:
            await asyncio.sleep(3600)
        finally:
            stopped.append(ask.key)

    error, _ = ended(ASK, form=form, input_timeout_ms=30)
    assert error.name == "input_timeout" and error.key == "a" and stopped == ["a"]


def test_cancelling_the_task_cancels_the_leg() -> None:
    server = Server(None)

    async def work() -> None:
        async with mrtr.AsyncClient() as client:
            task = asyncio.create_task(client.call("tools/call", PARAMS, server))
            await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(work())
    assert len(server.sent) == 1 and server.cancelled == 1


def test_cancelling_the_task_cancels_the_handlers() -> None:
    open_asks, server = set(), Server(TWO, DONE)

    async def form(ask: mrtr.Ask) -> Any:
        open_asks.add(ask.key)
        try:
            await asyncio.sleep(3600)
        finally:
            open_asks.discard(ask.key)

    async def work() -> None:
        async with mrtr.AsyncClient(form=form, order="concurrent") as client:
            task = asyncio.create_task(client.call("tools/call", PARAMS, server))
            await asyncio.sleep(0.02)
            assert open_asks == {"a", "b"}
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(work())
    assert not open_asks and len(server.sent) == 1


def test_a_fault_of_the_transport_comes_out_of_the_call() -> None:
    async def work() -> None:
        async with mrtr.AsyncClient() as client:
            await client.call("tools/call", PARAMS, Server(ZeroDivisionError("a bug of the host's")))

    with pytest.raises(ZeroDivisionError):
        run(work())


def test_calls_run_side_by_side() -> None:
    most, inside = 0, 0

    async def form(ask: mrtr.Ask) -> dict[str, str]:
        nonlocal most, inside
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.02)
        inside -= 1
        return {"n": "x"}

    async def work() -> list[mrtr.Result]:
        async with mrtr.AsyncClient(form=form) as client:
            return await asyncio.gather(*(client.call("tools/call", PARAMS, Server(ASK, DONE)) for _ in range(50)))

    assert [result.text for result in run(work())] == [DONE] * 50 and most == 50


def test_progress_reaches_the_caller_while_the_leg_runs() -> None:
    seen: list[float] = []

    async def transport(leg: mrtr.AsyncLeg) -> str:
        leg.progress(1)
        await asyncio.sleep(0.02)
        assert seen == [1]
        leg.progress(2)
        return DONE

    async def work() -> None:
        async with mrtr.AsyncClient() as client:
            await client.call("tools/call", '{"name":"x","_meta":{"progressToken":1}}', transport, on_progress=seen.append)

    run(work())
    assert seen == [1, 2]


def test_a_call_goes_on_from_where_it_stood() -> None:
    error, _ = ended(ASK, form=lambda ask: mrtr.UNAVAILABLE)
    server = Server(DONE)

    async def work() -> mrtr.Result:
        async with mrtr.AsyncClient(form=lambda ask: {"n": "x"}) as client:
            with client.resume(error.continuation or "") as flow:
                return await client.drive(flow, server)

    assert run(work()).text == DONE and '"requestState":"S\\u00e91"' in server.sent[0]


def test_a_server_of_2025_meets_the_same_handlers() -> None:
    async def form(ask: mrtr.Ask) -> dict[str, str]:
        await asyncio.sleep(0)
        return {"n": ask.message or ""}

    request = '{"jsonrpc":"2.0","id":"q-1","method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}}'

    async def work() -> str | None:
        async with mrtr.AsyncClient(form=form) as client:
            assert "elicitation" in client.older_capabilities("2025-06-18")
            return await client.respond(request, "2025-06-18")

    assert json.loads(run(work()) or "") == {"jsonrpc": "2.0", "id": "q-1", "result": {"action": "accept", "content": {"n": "Name?"}}}
