"""Serving through the package: B1, B8, X1-X9."""

from __future__ import annotations

import json
from typing import Any, Iterator

import mrtr
import pytest

META = '"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}}'
NAME = '{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}'


def params(*more: str, meta: str = META, tool: str = "deploy") -> str:
    return "{" + ",".join([f'"name":"{tool}","arguments":{{"site":"north"}}', meta, *more]) + "}"


def responses(text: str) -> str:
    return '"inputResponses":' + text


def state_of(result: str) -> str:
    return '"requestState":' + json.dumps(json.loads(result)["requestState"])


@pytest.fixture
def server() -> Iterator[mrtr.Server]:
    with mrtr.Sealer([bytes(32)]) as sealer, mrtr.Server(sealer) as server:
        yield server


def begin(server: mrtr.Server, text: str, **more: Any) -> mrtr.Exchange:
    return server.exchange("tools/call", text, principal=more.pop("principal", mrtr.NOBODY), **more)


def test_what_is_missing_is_asked_and_what_was_accepted_is_kept(server: mrtr.Server) -> None:
    def handler(x: mrtr.Exchange) -> tuple[mrtr.Answer, mrtr.Answer]:
        return x.ask_form("a", "Name?", NAME), x.ask_url("u", "Open this", "https://example.com/consent")

    with begin(server, params()) as x:
        assert [answer.status for answer in handler(x)] == ["missing", "missing"] and x.pending == 2
        assert x.info.round == 0
        x.state = b"step one"
        first = x.result()
    asked = json.loads(first)
    assert asked["resultType"] == "input_required" and list(asked["inputRequests"]) == ["a", "u"]
    retry = params(responses('{"a":{"action":"accept","content":{"n":"\\u00e9","x":1}},"extra":5}'), state_of(first))
    with begin(server, retry) as x:
        assert x.state == b"step one" and x.info.round == 1
        form, url = handler(x)
        assert form.accepted and form.text == '{"n":"\\u00e9"}' and form.content == {"n": "é"}
        assert url.status == "missing"
        with pytest.raises(LookupError):
            url.content
        second = x.result()
    assert list(json.loads(second)["inputRequests"]) == ["u"]
    with begin(server, params(responses('{"u":{"action":"decline"}}'), state_of(second))) as x:
        form, url = handler(x)
        assert form.text == '{"n":"\\u00e9"}' and url.status == "declined" and x.pending == 0
        x.forget("u")
        assert handler(x)[1].status == "missing" and x.pending == 1


def test_a_result_with_nothing_pending(server: mrtr.Server) -> None:
    with begin(server, params()) as x, pytest.raises(mrtr.MrtrError, match="nothing_pending"):
        x.result()
    with begin(server, params()) as x:
        x.state = b"still at work"
        assert list(json.loads(x.result())) == ["resultType", "requestState"]


def test_answers_without_a_state_are_read_when_the_handler_asks_again(server: mrtr.Server) -> None:
    with begin(server, params(responses('{"a":{"action":"accept","content":{"n":"x"}}}'))) as x:
        assert x.ask_form("a", "Name?", NAME).content == {"n": "x"}


def test_invalid_answers_say_why_and_are_asked_again(server: mrtr.Server) -> None:
    with begin(server, params(responses('{"a":{"action":"accept","content":{"n":3}}}'))) as x:
        answer = x.ask_form("a", "Name?", NAME)
        assert answer.status == "invalid" and answer.reasons and x.pending == 1


@pytest.mark.parametrize("shape", ["[]", "7", '"x"'])
def test_input_responses_of_another_shape(server: mrtr.Server, shape: str) -> None:
    with pytest.raises(mrtr.MrtrError) as caught:
        begin(server, params(responses(shape)))
    assert caught.value.rpc_code == -32602


def test_a_state_of_another_tool_or_user_is_refused(server: mrtr.Server) -> None:
    with begin(server, params(), principal="user-1") as x:
        x.ask_form("a", "Name?", NAME)
        state = state_of(x.result())
    for text, who, reason in [(params(state, tool="erase"), "user-1", "wrong_request"), (params(state), "user-2", "wrong_principal")]:
        with pytest.raises(mrtr.MrtrError) as caught:
            begin(server, text, principal=who)
        assert caught.value.name == reason and caught.value.rpc_code == -32602


def test_the_gate_refuses_or_filters(server: mrtr.Server) -> None:
    bare = '"_meta":{"io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}'
    with begin(server, params(meta=bare)) as x:
        assert not x.can_ask("form") and x.can_ask("sampling")
        with pytest.raises(mrtr.MrtrError) as caught:
            x.ask_form("a", "Name?", NAME)
            x.result()
    assert caught.value.rpc_code == -32021 and caught.value.http_status == 400
    assert caught.value.rpc is not None
    assert json.loads(caught.value.rpc)["data"]["requiredCapabilities"] == {"elicitation": {"form": {}}}
    with mrtr.Sealer(ephemeral=True) as sealer, mrtr.Server(sealer, gate="filter") as filtering, begin(filtering, params(meta=bare)) as x:
        assert x.ask_form("a", "Name?", NAME).status == "unaskable"
        with pytest.raises(mrtr.MrtrError):
            x.require()


def test_a_bad_schema_names_the_spot(server: mrtr.Server) -> None:
    with begin(server, params()) as x, pytest.raises(mrtr.MrtrError) as caught:
        x.ask_form("a", "Name?", {"type": "object", "properties": {"v": {"type": "object"}}})
    assert caught.value.name == "bad_schema" and caught.value.at == "/requestedSchema/properties/v/type" and caught.value.key == "a"


def test_free_order_and_close(server: mrtr.Server) -> None:
    x = begin(server, params())
    server.close()
    assert x.ask_form("a", "Name?", NAME).status == "missing"
    x.close()
    with pytest.raises(mrtr.MrtrError, match="stale_handle"):
        x.pending
    with pytest.raises(mrtr.MrtrError, match="stale_handle"):
        begin(server, params())


def test_results_without_an_exchange() -> None:
    built = mrtr.build_result("tools/call", [("r", '{"method":"roots/list"}')], state="mine")
    assert json.loads(built.text) == {"resultType": "input_required", "inputRequests": {"r": {"method": "roots/list"}}, "requestState": "mine"}
    with pytest.raises(mrtr.MrtrError, match="empty_result"):
        mrtr.build_result("tools/call", [])


def test_the_check_of_a_request() -> None:
    good = '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}'
    mrtr.check_request("tools/list", good, header_version="2026-07-28", methods=["tools/list"])
    for text, header, method, code, status in [
        ("{}", "2026-07-28", "tools/list", -32602, 400),
        (good, "2025-11-25", "tools/list", -32020, 400),
        (good.replace("2026-07-28", "v9"), "v9", "tools/list", -32022, 400),
        (good, "2026-07-28", "ping", -32601, 404),
    ]:
        with pytest.raises(mrtr.MrtrError) as caught:
            mrtr.check_request(method, text, header_version=header, methods=["tools/list"])
        assert (caught.value.rpc_code, caught.value.http_status) == (code, status)
