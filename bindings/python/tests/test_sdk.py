"""The codec inside the SDK's own server, over its own client: a real flow, a changed state, another key, a second use."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

import mcp_types as types
import mrtr
import pytest
from mcp.client.client import Client
from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.request_state import InvalidRequestState
from mcp.shared.exceptions import MCPError
from mrtr.sdk import StateCodec

KEY, OTHER = b"k" * 32, b"o" * 32


def server_of(codec: StateCodec) -> Any:
    server = MCPServer("till", request_state_security=RequestStateSecurity(codec=codec))

    @server.tool()
    async def pay(amount: int, ctx: Context) -> Any:  # type: ignore[type-arg]
        if ctx.request_state is None:
            return types.InputRequiredResult(request_state=f"asked for {amount}")
        return f"{ctx.request_state}, done"

    return server


def call(codec: StateCodec, change: Callable[[str], str] = lambda token: token) -> str:
    async def run() -> str:
        async with Client(server_of(codec)) as client:
            first = await client.session.call_tool("pay", {"amount": 30}, allow_input_required=True)
            assert isinstance(first, types.InputRequiredResult) and first.request_state is not None
            assert first.request_state.startswith("mrtr1.") and "asked" not in first.request_state
            second = await client.session.call_tool("pay", {"amount": 30}, request_state=change(first.request_state), allow_input_required=True)
            return str(second.content[0].text)

    return asyncio.run(run())


def refused(codec: StateCodec, change: Callable[[str], str]) -> None:
    with pytest.raises(Exception) as caught:
        call(codec, change)
    failure: Any = caught.value
    while hasattr(failure, "exceptions"):  # the SDK's tasks wrap it in groups
        failure = failure.exceptions[0]
    assert isinstance(failure, MCPError)
    assert (failure.error.code, failure.error.message) == (-32602, "Invalid or expired requestState")


def test_a_flow_of_the_sdk_runs_on_our_tokens() -> None:
    assert call(StateCodec([KEY])) == "asked for 30, done"


def test_what_was_changed_or_sealed_elsewhere_is_refused() -> None:
    seen: list[str] = []
    codec = StateCodec([KEY], on_refused=seen.append)
    refused(codec, lambda token: token[:-2] + ("A" if token[-2] != "A" else "B") + token[-1])
    refused(codec, lambda token: StateCodec([OTHER]).seal(b"{}"))
    refused(codec, lambda token: "v1.x")
    assert seen == ["tampered", "unknown_key", "malformed"]
    assert codec.sealer.counters().refused == 3


def test_a_second_use_is_refused() -> None:
    codec = StateCodec([KEY], single_use=True)

    def used(token: str) -> str:
        codec.unseal(token)
        return token

    refused(codec, used)


def test_the_true_reason_is_for_the_log() -> None:
    with pytest.raises(InvalidRequestState, match="^malformed$"):
        StateCodec([KEY]).unseal("mrtr1.\ud800")
    assert StateCodec([KEY]).unseal(StateCodec([KEY]).seal(b"\x00\xff")) == b"\x00\xff"


def test_a_state_of_our_own_servers_is_not_the_sdks() -> None:
    with mrtr.Sealer([KEY]) as own, pytest.raises(InvalidRequestState, match="wrong_request"):
        StateCodec([KEY]).unseal(own.seal("tools/call", None, mrtr.NOBODY, b"x"))
