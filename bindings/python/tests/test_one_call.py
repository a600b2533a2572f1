"""What one call may have of its own (C7, C12), and calls that hear of something while they sleep (C10, L2)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from typing import Any

import mrtr
import pytest
from test_client import ASK, DONE, PARAMS, Server

WAIT = '{"resultType":"input_required","requestState":"s"}'
PAGES = '{"code":-32042,"message":"open","data":{"elicitations":[%s]}}'
PAGE = '{"mode":"url","message":"Pay","url":"https://pay.example/%s","elicitationId":"%s"}'
#: Long enough for any machine, and far below what would be waited for without a wake-up.
SOON_S = 20


def end_of(client: mrtr.Client, server: Any, **options: Any) -> mrtr.MrtrError:
    with pytest.raises(mrtr.MrtrError) as caught:
        client.call("tools/call", PARAMS, server, **options)
    return caught.value


def test_manual_for_one_call_and_by_hand_afterwards() -> None:
    asked: list[str] = []
    with mrtr.Client(form=lambda ask: asked.append(ask.key) or {"n": "x"}) as client:
        error = end_of(client, Server(ASK), manual=True)
        assert error.name == "input_required" and error.raw == ASK.encode() and asked == []
        server = Server(DONE)
        assert error.continuation is not None and client.drive(client.resume(error.continuation), server).text == DONE
        assert asked == ["a"] and '"requestState":"S\\u00e91"' in server.sent[0]
        # The next call is as the client says again.
        assert client.call("tools/call", PARAMS, Server(ASK, DONE)).rounds == 1


def test_limits_and_switches_of_one_call() -> None:
    def late(leg: mrtr.Leg) -> str:
        assert leg.timeout_s is not None and leg.timeout_s < 0.031
        raise TimeoutError

    with mrtr.Client(form=lambda ask: {"n": "x"}, jitter=False, label="shop", continuation_keys=[b"k" * 32]) as client:
        assert end_of(client, late, leg_timeout_ms=30).name == "leg_timeout"
        assert end_of(client, late, flow_timeout_ms=30).name == "flow_timeout"
        assert end_of(client, Server(WAIT, WAIT, WAIT), poll_budget_ms=60, pacing_initial_ms=50, pacing_max_ms=50).name == "poll_budget_exceeded"
        assert end_of(client, Server(ASK), max_rounds=0).name == "rounds_exceeded"
        assert end_of(client, Server(DONE.replace('"resultType":"complete",', "")), strict=True).name == "invalid_result"
        with client.begin("tools/call", PARAMS, now_ms=0, input_timeout_ms=10) as flow:
            flow.next(0)
            flow.deliver(1, ASK, 0)
            ask = [flow.next(0) for _ in range(2)][1]
            assert isinstance(ask, mrtr.Ask) and ask.label == "shop"  # what is left out is the client's
            assert flow.save().startswith("mrtrs1.")
            ends = [flow.next(10) for _ in range(2)]
            assert isinstance(ends[1], mrtr.Done) and ends[1].end == "input_timeout"
        for bad in ({"max_round": 3}, {"form": None}, {"leg_timeout_ms": True}):
            with pytest.raises(TypeError):
                client.begin("tools/call", PARAMS, **bad)  # type: ignore[arg-type]
        with pytest.raises(mrtr.MrtrError, match="config_error"):
            client.begin("tools/call", PARAMS, max_rounds=0xFFFFFFFF)


@pytest.mark.parametrize("resets, end", [(True, None), (False, "leg_timeout")])
def test_progress_may_reset_the_legs_clock_of_one_call(resets: bool, end: str | None) -> None:
    with mrtr.Client() as client, client.begin("tools/call", PARAMS, now_ms=0, leg_timeout_ms=100, flow_timeout_ms=300, reset_on_progress=resets) as flow:
        flow.next(0)
        flow.progress(1, 1, 80)
        ended = [event.end for event in (flow.next(150) for _ in range(4)) if isinstance(event, mrtr.Done)]
        assert ended == ([] if end is None else [end])
        if end is None:
            flow.progress(1, 2, 170)
            flow.progress(1, 3, 260)
            assert [event.end for event in (flow.next(300) for _ in range(6)) if isinstance(event, mrtr.Done)] == ["flow_timeout"]


def test_progress_is_told_while_the_leg_runs_and_ends_one_that_is_over() -> None:
    seen: list[float] = []

    def talks(leg: mrtr.Leg) -> str:
        leg.progress(1)
        leg.progress(0)
        assert seen == [1]
        leg.progress(2)
        return DONE

    def talks_on(leg: mrtr.Leg) -> str:
        for value in range(10_000):
            leg.progress(value)
            time.sleep(0.005)
        return DONE

    with mrtr.Client() as client:
        assert client.call("tools/call", PARAMS, talks, on_progress=seen.append).text == DONE and seen == [1, 2]
        assert end_of(client, talks_on, leg_timeout_ms=30).name == "leg_timeout"

        def deaf(leg: mrtr.Leg) -> str:
            for _ in range(5):
                time.sleep(0.02)
                with contextlib.suppress(TimeoutError):
                    leg.progress(1)
            return DONE

        assert end_of(client, deaf, leg_timeout_ms=30).name == "leg_timeout"
        assert end_of(client, talks_on, flow_timeout_ms=30, reset_on_progress=True).name == "flow_timeout"
        with client.begin("tools/call", PARAMS) as flow:
            threading.Timer(0.05, flow.cancel).start()
            with pytest.raises(mrtr.MrtrError, match="cancelled"):
                client.drive(flow, talks_on)

        def elsewhere(leg: mrtr.Leg) -> str:  # as a thread that reads a pipe does
            thread = threading.Thread(target=leg.progress, args=[7])
            thread.start()
            thread.join()
            return DONE

        assert client.call("tools/call", PARAMS, elsewhere, on_progress=seen.append).text == DONE and seen == [1, 2, 7]


def test_progress_says_what_is_left_of_the_legs_clock() -> None:
    left: list[float | None] = []

    def talks(leg: mrtr.Leg) -> str:
        time.sleep(0.05)
        left.append(leg.progress(1))
        thread = threading.Thread(target=lambda: left.append(leg.progress(2)))
        thread.start()
        thread.join()
        return DONE

    with mrtr.Client() as client:
        for options in ({"leg_timeout_ms": 10_000}, {"leg_timeout_ms": 10_000, "reset_on_progress": True}):
            began = time.monotonic()
            client.call("tools/call", PARAMS, talks, **options)
            took = time.monotonic() - began
            now, elsewhere = left.pop(0), left.pop(0)
            assert now is not None and elsewhere is None
            if "reset_on_progress" in options:
                assert 10 - (took - 0.05) - 0.01 <= now <= 10
            else:
                assert 10 - took - 0.01 <= now <= 9.96


def test_asyncio_takes_the_same_options() -> None:
    async def work() -> None:
        async def legs(leg: mrtr.AsyncLeg) -> str:
            await asyncio.sleep(0 if "leg" not in slow else 3600)
            return ASK

        async with mrtr.AsyncClient(form=lambda ask: {"n": "x"}) as client:
            slow: set[str] = set()
            with pytest.raises(mrtr.MrtrError, match="input_required"):
                await client.call("tools/call", PARAMS, legs, manual=True)
            slow.add("leg")
            with pytest.raises(mrtr.MrtrError, match="leg_timeout"):
                await client.call("tools/call", PARAMS, legs, leg_timeout_ms=20)
            with client.begin("tools/call", PARAMS, leg_timeout_ms=20) as flow, pytest.raises(mrtr.MrtrError, match="leg_timeout"):
                await client.drive(flow, legs)

    asyncio.run(asyncio.wait_for(work(), SOON_S))


def test_a_sleeping_call_wakes_when_it_is_cancelled() -> None:
    with mrtr.Client(jitter=False, pacing_initial_ms=60_000, pacing_max_ms=60_000) as client:
        with client.begin("tools/call", PARAMS) as flow:
            threading.Timer(0.1, flow.cancel).start()
            began = time.monotonic()
            with pytest.raises(mrtr.MrtrError, match="cancelled"):
                client.drive(flow, Server(WAIT))
            assert time.monotonic() - began < SOON_S
        with client.begin("tools/call", PARAMS) as flow:
            flow.cancel()  # before it is driven: nothing is sent
            with pytest.raises(mrtr.MrtrError, match="cancelled"):
                client.drive(flow, Server())


def pages(*names: str) -> mrtr.RpcError:
    return mrtr.RpcError(PAGES % ",".join(PAGE % (name, name) for name in names))


def test_a_call_of_2025_goes_on_when_its_pages_are_done() -> None:
    """The second page is done before anybody has seen it: it is waited for from the first moment (L2)."""
    shown: list[str] = []
    server = Server(pages("e1", "e2"), DONE)

    with mrtr.Client(url=lambda ask: show(ask), protocol_version="2025-11-25") as client, client.begin("tools/call", PARAMS) as flow:

        def show(ask: mrtr.Ask) -> mrtr.Reply:
            shown.append(ask.key)
            if ask.key == "e1":
                flow.complete("e2")
                flow.complete("nobody waits for this")
                threading.Timer(0.1, flow.complete, ["e1"]).start()
            return mrtr.ACCEPT

        assert client.drive(flow, server).text == DONE
    assert shown == ["e1", "e2"] and len(server.sent) == 2 and "inputResponses" not in server.sent[1]
    assert json.loads(server.sent[1])["arguments"] == json.loads(PARAMS)["arguments"]


def test_asyncio_wakes_too() -> None:
    async def work() -> None:
        results: list[Any] = [pages("e1"), DONE, WAIT]

        async def legs(leg: mrtr.AsyncLeg) -> str:
            result = results.pop(0)
            if isinstance(result, BaseException):
                raise result
            return str(result)

        options: dict[str, Any] = {"jitter": False, "pacing_initial_ms": 60_000, "pacing_max_ms": 60_000}
        async with mrtr.AsyncClient(url=lambda ask: mrtr.ACCEPT, protocol_version="2025-11-25", **options) as client:
            with client.begin("tools/call", PARAMS) as flow:
                threading.Timer(0.1, flow.complete, ["e1"]).start()  # from another thread
                assert (await client.drive(flow, legs)).text == DONE
            with client.begin("tools/call", PARAMS) as flow:
                asyncio.get_running_loop().call_later(0.1, flow.cancel)
                with pytest.raises(mrtr.MrtrError, match="cancelled"):
                    await client.drive(flow, legs)
                flow.cancel()  # over: nobody is woken any more

    asyncio.run(asyncio.wait_for(work(), SOON_S))
