"""A gateway between a client and two servers, all by this library: each side sees what is its own (S14, B8)."""

from __future__ import annotations

import json
from typing import Any

import mrtr
import pytest

NAME = {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}


class Backend:
    """A server whose tool asks twice; it keeps the capabilities that each request came with."""

    def __init__(self, name: str) -> None:
        self.name, self.seen = name, []  # type: ignore[var-annotated]
        self.server = mrtr.Server(mrtr.Sealer(ephemeral=True))

    def call(self, params: str) -> str:
        self.seen.append(json.loads(params)["_meta"]["io.modelcontextprotocol/clientCapabilities"])
        with self.server.exchange("tools/call", params, principal="gateway") as x:
            who = x.ask_form("k", f"Who, {self.name}?", NAME)
            if x.pending:
                return str(x.result())
            where = x.ask_form("l", "Where?", NAME)
            if x.pending:
                return str(x.result())
            return json.dumps({"resultType": "complete", "answers": [who.content["n"], where.content["n"]]})


class Gateway:
    """Sends a tool `backend/tool` on to its backend, and seals what it must know in the next round."""

    def __init__(self) -> None:
        self.backends = {name: Backend(name) for name in ("a", "a:b")}
        self.sealer = mrtr.Sealer([b"g" * 32], single_use=True)

    def __call__(self, leg: mrtr.Leg) -> str:
        params = json.loads(leg.params)
        backend = params["name"].split("/")[0]
        token = params.get("requestState")
        host = self.sealer.open("tools/call", leg.params, "user", token).state if token is not None else None
        try:
            result = self.backends[backend].call(mrtr.gateway_params(backend, leg.params, host))
        except mrtr.MrtrError as error:
            raise mrtr.RpcError(error.rpc or "") from error
        state = mrtr.gateway_state(backend, result)
        own = None if state is None else self.sealer.seal("tools/call", leg.params, "user", state, previous=token)
        return mrtr.gateway_result(backend, result, own)


def test_a_call_through_a_gateway() -> None:
    gateway, asked = Gateway(), []

    def form(ask: mrtr.Ask) -> Any:
        asked.append((ask.key, ask.message))
        return {"n": f"answer {len(asked)}"}

    with mrtr.Client(form=form) as client:
        for backend, first in (("a", 1), ("a:b", 3)):
            result = client.call("tools/call", {"name": f"{backend}/tool", "arguments": {"x": 1}}, gateway)
            assert result.json()["answers"] == [f"answer {first}", f"answer {first + 1}"] and result.rounds == 2
    assert [key for key, _ in asked] == ["1:a:k", "1:a:l", "3:a:b:k", "3:a:b:l"] and asked[0][1] == "Who, a?"
    declared = {"elicitation": {"form": {}}}
    assert [backend.seen for backend in gateway.backends.values()] == [[declared] * 3] * 2


def test_a_client_that_declares_nothing_is_refused_by_the_backend_itself() -> None:
    gateway = Gateway()
    with mrtr.Client() as client, pytest.raises(mrtr.MrtrError) as caught:
        client.call("tools/call", {"name": "a/tool"}, gateway)
    error = json.loads(caught.value.rpc or "{}")
    assert error["code"] == -32021 and error["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}
    assert gateway.backends["a"].seen == [{}]


def test_what_is_not_the_backends_is_refused() -> None:
    for host in (mrtr.wrap_state("b", "x"), b"something else"):
        with pytest.raises(mrtr.MrtrError, match="bad_argument"):
            mrtr.gateway_params("a", "{}", host)
    assert mrtr.gateway_params("a", None) == "{}" and mrtr.gateway_state("a", '{"resultType":"complete"}') is None
    with pytest.raises(mrtr.MrtrError, match="invalid_params"):
        mrtr.gateway_params("a", '{"inputResponses":5}')
