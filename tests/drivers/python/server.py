"""Kinds `server` and `build`: exchanges in stages, and results without an exchange."""

from __future__ import annotations

import json
from typing import Any

import mrtr
from state import principal

KEY = bytes(range(32))
SETTLED = ("accepted", "declined", "cancelled", "unaskable")


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def observe(case: dict[str, Any]) -> dict[str, Any]:
    options = case.get("options", {})
    sealer = None
    if not options.get("noSealer"):
        sealer = mrtr.Sealer([KEY], max_rounds=options.get("maxRounds"), max_state_bytes=options.get("maxStateBytes"))
    server = mrtr.Server(sealer, gate=options.get("gate", "refuse"), max_asks=options.get("maxAsks"))
    legs, token, handler = [], None, case["handler"]
    for leg in case["legs"]:
        handler = leg.get("handler", handler)
        seen, token = serve(server, case, leg, handler, token)
        legs.append(seen)
    return {"legs": legs}


def params_of(case: dict[str, Any], leg: dict[str, Any], token: str | None) -> str:
    """The params text with the retry fields and, where it has none, the capabilities spliced in."""
    text = leg.get("params", case["params"]).strip()
    extra = []
    meta = json.loads(text).get("_meta") if text.startswith("{") else None
    caps = '"io.modelcontextprotocol/clientCapabilities":' + case["caps"]
    if meta is None:
        extra.append('"_meta":{' + caps + "}")
    else:
        at = text.index('"_meta"')
        at = text.index("{", at) + 1
        text = text[:at] + caps + ("," if meta else "") + text[at:]
    if "answers" in leg:
        extra.append('"inputResponses":' + leg["answers"])
    if "tokenJson" in leg:
        extra.append('"requestState":' + leg["tokenJson"])
    elif leg.get("token") == "echo":
        extra.append('"requestState":' + (token if token is not None else "null"))
    elif "token" in leg and leg["token"] != "none":
        extra.append('"requestState":' + json.dumps(leg["token"]))
    body = text[:-1].rstrip()
    return body + ("," if extra and not body.endswith("{") else "") + ",".join(extra) + "}"


def serve(server: mrtr.Server, case: dict[str, Any], leg: dict[str, Any], handler: list[Any], token: str | None) -> tuple[dict[str, Any], str | None]:
    seen: dict[str, Any] = {"status": {}, "token": False}
    who = principal(leg["principal"] if "principal" in leg else case["principal"])
    try:
        with server.exchange(case["method"], raw(params_of(case, leg, token)), principal=who, now_ms=leg.get("atMs", 0)) as exchange:
            state = exchange.state
            seen["state"] = None if state is None else state.decode("utf-8")
            run(exchange, handler, seen)
    except mrtr.MrtrError as error:
        return {**seen, **error_of(error)}, token
    if "result" not in seen:
        return seen, token
    result = seen.pop("result")
    parsed = json.loads(result)
    seen["asks"], seen["token"] = list(parsed.get("inputRequests", {})), "requestState" in parsed
    seen["requestState"] = parsed.get("requestState")  # for another driver, which the next leg may go to
    # Kept as JSON, so that it goes back exactly as it came.
    return seen, json.dumps(parsed["requestState"]) if seen["token"] else None


def run(exchange: mrtr.Exchange, handler: list[Any], seen: dict[str, Any]) -> None:
    done: dict[str, str] = {}
    for stage in handler:
        if "state" in stage:
            exchange.state = stage["state"]
        answers = {}
        for key, ask in stage.get("asks", {}).items():
            answers[key] = exchange.ask(key, raw(ask))
            seen["status"][key] = answers[key].status
        if not all(answer.status in SETTLED for answer in answers.values()):
            seen["result"] = exchange.result()
            return
        done.update({key: told(answer, stage["asks"][key]) for key, answer in answers.items()})
    seen["done"] = done


def told(answer: mrtr.Answer, ask: str) -> str:
    if not answer.accepted or answer.text is None:
        return answer.status
    params = json.loads(ask).get("params") or {}
    return "accepted" if params.get("mode") == "url" else answer.text


def error_of(error: mrtr.MrtrError) -> dict[str, Any]:
    if error.rpc is None:
        return {"error": {"code": None, "reason": error.name}}
    data = json.loads(error.rpc).get("data")
    reason = data.get("reason") if isinstance(data, dict) else None
    return {"error": {"code": error.rpc_code, "reason": reason}, "data": None if data is None else json.dumps(data)}


def observe_build(case: dict[str, Any]) -> dict[str, Any]:
    try:
        built = mrtr.build_result(
            case["method"],
            [(key, raw(ask)) for key, ask in case["asks"]],
            state=case.get("state"),
            capabilities=None if case.get("caps") is None else raw(case["caps"]),
            gate=case.get("gate", "refuse"),
            allow_http=case.get("allowHttp", False),
            allow_secret=case.get("allowSecret", ()),
        )
    except mrtr.MrtrError as error:
        rpc = None
        if error.rpc is not None:
            told = json.loads(error.rpc)
            rpc = {"code": told["code"], "data": json.dumps(told["data"]) if "data" in told else None}
        return {"error": error.name, "at": error.at, "key": error.key, "rpc": rpc}
    return {"result": built.text, "warnings": list(built.warnings)}
