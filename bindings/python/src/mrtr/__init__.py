"""Multi round-trip requests of MCP 2026-07-28: a server asks for missing input, a client resumes the call.

Server side: `Sealer`, `Server`, `Exchange`, `build_result`, `check_request`. Client side: `Client`, `Flow`; `AsyncClient` for asyncio; `Runtime` for many flows at once.
Every failure is a `MrtrError` with a name from the list of error codes.
"""

from ._errors import MrtrError
from ._hooks import Crypto, Guard, Issued
from ._request import NOBODY, JsonText, Principal
from .aio import AsyncClient, AsyncLeg
from .client import ACCEPT, CANCEL, DECLINE, REFUSE, UNAVAILABLE, Client, Json, Leg, Result, RpcError
from .flow import Ask, CancelLeg, Done, Event, Flow, Idle, Note, Progress, Round, Send, Sleep, StopAsk
from .form import Form
from .gateway import gateway_params, gateway_result, gateway_state, prefix_key, split_key, unwrap_state, wrap_state
from .json_text import member
from .legacy import Legacy, LegacyStep, Peer, can_ask
from .redis_guard import RedisGuard
from .result import BuiltResult, build_result, check_request, complete_result, discover_result
from .runtime import Drained, Runtime
from .sealer import Counters, Opened, Sealer
from .server import Answer, Exchange, ExchangeInfo, Server
from .version import Version, has_feature, live_objects, version
from .wire import check_tool, request_headers, retry_version

__all__ = [
    "ACCEPT", "CANCEL", "DECLINE", "NOBODY", "REFUSE", "UNAVAILABLE", "Answer", "Ask", "AsyncClient", "AsyncLeg", "BuiltResult", "CancelLeg",
    "Client", "Counters", "Crypto", "Done", "Drained", "Event", "Exchange", "ExchangeInfo", "Flow", "Form", "Guard", "Idle", "Issued", "Json", "JsonText",
    "Leg", "Legacy", "LegacyStep", "MrtrError", "Note", "Opened", "Peer", "Principal", "Progress", "RedisGuard", "Result", "Round", "RpcError",
    "Runtime", "Sealer", "Send", "Server", "Sleep", "StopAsk", "Version", "build_result", "can_ask", "check_request", "check_tool", "complete_result",
    "discover_result", "gateway_params", "gateway_result", "gateway_state", "has_feature", "live_objects", "member", "prefix_key", "request_headers", "retry_version", "split_key", "unwrap_state",
    "version", "wrap_state",
]  # fmt: skip
