"""Calling through the package: C1, C4, C8-C12."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from typing import Any, Callable

import mrtr
import pytest

ASK = '{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}}}},"requestState":"S\\u00e91"}'
DONE = '{"resultType":"complete","content":[],"n":1e400}'
PARAMS = '{"name":"copy","arguments":{"big":123456789012345678901234567890,"x":3.0}}'


class Server:
    """Answers the legs from a list and keeps what was sent."""

    def __init__(self, *results: str | BaseException) -> None:
        self.results, self.sent, self.ids = list(results), [], []  # type: ignore[var-annotated]

    def __call__(self, leg: mrtr.Leg) -> str:
        self.sent.append(leg.params)
        self.ids.append(leg.id)
        result = self.results.pop(0)
        if isinstance(result, BaseException):
            raise result
        return result


def failed(handler: Callable[[mrtr.Ask], Any], *results: str | BaseException) -> tuple[mrtr.MrtrError, Server]:
    server = Server(*(results or (ASK, DONE)))
    with mrtr.Client(form=handler) as client, pytest.raises(mrtr.MrtrError) as caught:
        client.call("tools/call", PARAMS, server)
    return caught.value, server


def test_a_round() -> None:
    server, rounds = Server(ASK, DONE), []
    with mrtr.Client(form=lambda ask: {"n": f"{ask.key}{ask.kind}"}) as client:
        result = client.call("tools/call", PARAMS, server, on_round=rounds.append)
    assert result.text == DONE and result.rounds == 1 and not result.cacheable and rounds == [1]
    assert '"big":123456789012345678901234567890,"x":3.0' in server.sent[1] and '"requestState":"S\\u00e91"' in server.sent[1]
    assert json.loads(server.sent[1])["inputResponses"] == {"a": {"action": "accept", "content": {"n": "aform"}}}
    assert len(set(server.ids)) == 2


@pytest.mark.parametrize("reply, action", [(mrtr.DECLINE, "decline"), (mrtr.CANCEL, "cancel")])
def test_no_is_sent_as_no(reply: Any, action: str) -> None:
    server = Server(ASK, DONE)
    with mrtr.Client(form=lambda ask: reply) as client:
        client.call("tools/call", PARAMS, server)
    assert json.loads(server.sent[1])["inputResponses"] == {"a": {"action": action}}


@pytest.mark.parametrize("reply, end", [(mrtr.REFUSE, "refused"), (mrtr.UNAVAILABLE, "unavailable"), (None, "handler_failed"), ({"n": 3}, "handler_failed"), ({"n": float("nan")}, "handler_failed"), ("yes", "handler_failed")])
def test_what_is_no_answer_is_never_sent(reply: Any, end: str) -> None:
    error, server = failed(lambda ask: reply)
    assert error.name == end and error.key == "a" and len(server.sent) == 1 and error.continuation is not None


def test_a_handler_that_raises_never_becomes_an_accept() -> None:
    def broken(ask: mrtr.Ask) -> Any:
        raise ValueError("no window")

    error, server = failed(broken)
    assert error.name == "handler_failed" and "no window" in error.message and len(server.sent) == 1


def test_an_interrupt_goes_through() -> None:
    def interrupted(ask: mrtr.Ask) -> Any:
        raise KeyboardInterrupt

    with mrtr.Client(form=interrupted) as client, pytest.raises(KeyboardInterrupt):
        client.call("tools/call", PARAMS, Server(ASK, DONE))


def test_errors_of_the_server_and_of_the_line() -> None:
    error, _ = failed(lambda ask: {}, mrtr.RpcError('{"code":-32000,"message":"busy"}'))
    assert error.name == "rpc_error" and error.rpc == '{"code":-32000,"message":"busy"}'
    error, server = failed(lambda ask: {"n": "x"}, ASK, ConnectionResetError())
    assert error.name == "lost" and len(server.sent) == 2
    error, _ = failed(lambda ask: {}, '{"resultType":"Input_Required"}')
    assert error.name == "invalid_result" and error.raw == b'{"resultType":"Input_Required"}'


def test_no_handler_hands_back_something_to_go_on_with() -> None:
    server = Server(ASK)
    with mrtr.Client() as client:
        assert client.capabilities == "{}"
        with pytest.raises(mrtr.MrtrError) as caught:
            client.call("tools/call", PARAMS, server)
    assert caught.value.name == "input_required" and caught.value.continuation
    with mrtr.Client(form=lambda ask: {"n": "later"}) as other:
        server = Server(DONE)
        assert other.drive(other.resume(caught.value.continuation), server).text == DONE
    assert json.loads(server.sent[0])["inputResponses"]["a"]["content"] == {"n": "later"}


def test_steps_by_hand_cancel_and_save() -> None:
    with mrtr.Client(form=lambda ask: mrtr.UNAVAILABLE) as client:
        flow = client.begin("tools/call", PARAMS, now_ms=0)
        send = flow.next(0)
        assert isinstance(send, mrtr.Send) and send.deadline_ms == 60_000
        flow.deliver(send.leg, ASK, 5)
        events = [flow.next(5) for _ in range(3)]
        assert [type(event) for event in events] == [mrtr.Round, mrtr.Ask, mrtr.Sleep]
        with pytest.raises(mrtr.MrtrError):
            flow.answer("zz", "{}", 6)
        saved = flow.save()
        flow.cancel(7)
        ends = [flow.next(7) for _ in range(3)]
        assert isinstance(ends[0], mrtr.StopAsk) and isinstance(ends[1], mrtr.Done) and ends[1].end == "cancelled" and isinstance(ends[2], mrtr.Idle)
        with client.resume(saved, now_ms=0) as again:
            shown = [event for event in (again.next(0) for _ in range(3)) if isinstance(event, mrtr.Ask)]
            assert [ask.key for ask in shown] == ["a"]
        with pytest.raises(mrtr.MrtrError, match="config_error"):
            client.resume(saved[:-1], now_ms=0)


def test_what_is_told_is_as_good_as_what_is_made() -> None:
    """Events are filled in another way than their constructors do, and an ask reads its texts when they are wanted (C13)."""
    seen: list[Any] = []
    server = Server(ASK, DONE)

    def transport(leg: mrtr.Leg) -> str:
        seen.append(leg)
        return server(leg)

    with mrtr.Client(form=lambda ask: seen.append(copy.copy(ask)) or seen.append(ask) or {"n": "x"}, label="shop") as client:
        client.call("tools/call", PARAMS, transport)
        with client.begin("tools/call", PARAMS, now_ms=0) as flow:
            seen.append(flow.next(0))
            flow.deliver(1, DONE, 0)
            seen.append(flow.next(0))
    assert [type(thing) for thing in seen] == [mrtr.Leg, mrtr.Ask, mrtr.Ask, mrtr.Leg, mrtr.Send, mrtr.Done]
    for thing in seen:
        fields = {field.name: getattr(thing, field.name) for field in dataclasses.fields(thing)}
        again = type(thing)(**fields)
        assert again == thing and hash(again) == hash(thing) and repr(again) == repr(thing) and dataclasses.replace(thing) == thing
        with pytest.raises(dataclasses.FrozenInstanceError):
            thing.method = "other"
        with pytest.raises(AttributeError):
            thing.mesage
    ask = pickle.loads(pickle.dumps(seen[2]))
    assert seen[1] == seen[2] == ask
    assert (ask.key, ask.kind, ask.round, ask.message, ask.label, ask.call_method, ask.call_target) == ("a", "form", 1, "Name?", "shop", "tools/call", "copy")
    assert json.loads(ask.params)["message"] == json.loads(ask.ask)["params"]["message"] == "Name?" and ask.schema["required"] == ["n"]
    assert ask.url is ask.host_ascii is ask.host_unicode is ask.server_name is ask.server_shown is ask.server_version is None
    assert ask.secret_fields == () and ask.url_flags == frozenset() and ask.previously_declined is False
    assert mrtr.Ask(key="k", kind="form", ask="{}", params="{}", round=1).message is None


def test_bad_options_and_params() -> None:
    with pytest.raises(TypeError):
        mrtr.Client(max_round=3)
    with pytest.raises(mrtr.MrtrError, match="config_error"):
        mrtr.Client(max_rounds=0xFFFFFFFF)
    with mrtr.Client() as client, pytest.raises(mrtr.MrtrError) as caught:
        client.begin("tools/call", "[1]")
    assert caught.value.name == "config_error"


def test_after_close() -> None:
    client = mrtr.Client()
    flow = client.begin("tools/call", PARAMS)
    client.close()
    assert isinstance(flow.next(), mrtr.Send)  # a flow keeps what it needs
    flow.close()
    flow.close()
    with pytest.raises(mrtr.MrtrError, match="stale_handle"):
        flow.next()


def test_member_text_is_exact() -> None:
    message = '{"jsonrpc":"2.0","id":1,"result":{"a":1e400,"b":"\\ud800"}}'
    assert mrtr.member(message, "result") == b'{"a":1e400,"b":"\\ud800"}'
    assert mrtr.member(message, "error") is None
    with pytest.raises(mrtr.MrtrError, match="bad_json"):
        mrtr.member('{"result":1,"result":2}', "result")


def test_nothing_private_is_printed() -> None:
    seen: list[object] = []
    server = Server(ASK, DONE.replace('"n":1e400', '"n":"hush"'))

    def transport(leg: mrtr.Leg) -> str:
        seen.append(leg)
        return server(leg)

    def handler(ask: mrtr.Ask) -> Any:
        seen.append(ask)
        return mrtr.Json('{"n":"hush"}')

    with mrtr.Client(form=handler) as client:
        seen += [mrtr.Json('{"n":"hush"}'), client.call("tools/call", '{"name":"copy","arguments":{"x":"hush"}}', transport)]
        with client.begin("tools/call", '{"name":"copy","arguments":{"x":"hush"}}') as flow:
            step = flow.next()
            assert isinstance(step, mrtr.Send) and "hush" in step.params
            flow.deliver(step.leg, DONE.replace("1e400", '"hush"'))
            end = flow.next()
            assert isinstance(end, mrtr.Done) and end.result is not None and "hush" in end.result
            seen += [step, end]
    assert "hush" in server.sent[1] and len(seen) == 7
    for thing in seen:
        assert "hush" not in repr(thing) and "S\\u00e91" not in repr(thing)
