"""Many flows through one queue: order, clocks, the two steps of the end, fork (C7, F4, F5)."""

from __future__ import annotations

import os
import select
import threading
from typing import Iterator

import mrtr
import pytest
from test_client import ASK, DONE, PARAMS


@pytest.fixture
def client() -> Iterator[mrtr.Client]:
    with mrtr.Client(form=lambda ask: {"n": "x"}) as made:
        yield made


def test_flows_run_side_by_side(client: mrtr.Client) -> None:
    ends: dict[int, str] = {}
    with mrtr.Runtime() as runtime:
        flows = [client.begin("tools/call", PARAMS) for _ in range(20)]
        for flow in flows:
            runtime.start(flow)
        while len(ends) < len(flows):
            taken = runtime.next(20)
            assert taken is not None
            of, event = taken
            assert of is not None and id(of) not in ends
            if isinstance(event, mrtr.Send):
                of.deliver(event.leg, ASK if event.leg == 1 else DONE)
            elif isinstance(event, mrtr.Ask):
                of.answer(event.key, '{"n":"x"}')
            elif isinstance(event, mrtr.Done):
                ends[id(of)] = event.end
        assert set(ends.values()) == {"complete"} and runtime.next(0) is None


def test_the_descriptor_says_when_there_is_something(client: mrtr.Client) -> None:
    def ready() -> bool:
        return bool(select.select([runtime], [], [], 0)[0])

    with mrtr.Runtime() as runtime:
        assert not ready()
        runtime.start(client.begin("tools/call", PARAMS))
        assert ready()
        runtime.next(0)
        assert not ready()
        runtime.wake()
        assert ready() and runtime.next() is None and not ready()
        runtime.shutdown()
        assert ready()


def test_the_library_keeps_the_clocks() -> None:
    with mrtr.Client(leg_timeout_ms=30) as client, mrtr.Runtime() as runtime:
        runtime.start(client.begin("tools/call", PARAMS))
        events = [runtime.next(20) for _ in range(3)]
        assert [type(taken[1]) for taken in events if taken] == [mrtr.Send, mrtr.CancelLeg, mrtr.Done]
        assert isinstance(events[2], tuple) and isinstance(events[2][1], mrtr.Done) and events[2][1].end == "leg_timeout"


def test_the_end_has_two_steps(client: mrtr.Client) -> None:
    runtime = mrtr.Runtime()
    runtime.start(client.begin("tools/call", PARAMS))
    runtime.shutdown()
    with pytest.raises(mrtr.MrtrError) as late:
        runtime.start(client.begin("tools/call", PARAMS))
    assert late.value.name == "wrong_state" and not runtime.wait(0)
    taken = [runtime.next(20) for _ in range(4)]
    events = [one[1] for one in taken if one is not None]
    assert [type(event) for event in events] == [mrtr.Send, mrtr.CancelLeg, mrtr.Done, mrtr.Drained]
    assert isinstance(events[2], mrtr.Done) and events[2].end == "cancelled"
    assert runtime.wait() and runtime.next() == (None, mrtr.Drained())
    runtime.close()
    with pytest.raises(mrtr.MrtrError):
        runtime.shutdown()


def test_one_thread_waits_while_another_delivers(client: mrtr.Client) -> None:
    with mrtr.Runtime() as runtime:
        flow = client.begin("tools/call", PARAMS)
        runtime.start(flow)
        assert runtime.next(0) is not None
        thread = threading.Timer(0.05, lambda: flow.deliver(1, DONE))
        thread.start()
        taken = runtime.next(20)
        thread.join()
        assert taken is not None and taken[0] is flow and isinstance(taken[1], mrtr.Done)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_is_told(client: mrtr.Client) -> None:
    with mrtr.Runtime() as runtime:
        flow = client.begin("tools/call", PARAMS)
        runtime.start(flow)
        child = os.fork()
        if child == 0:
            told = 0
            for call in (runtime.shutdown, runtime.wake, lambda: runtime.next(0), flow.cancel):
                try:
                    call()
                except mrtr.MrtrError as error:
                    told += error.name == "wrong_state"
            runtime.close()
            os._exit(0 if told == 4 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert runtime.next(0) is not None
