"""Kind `state`: sealers, and steps that seal, open and configure."""

from __future__ import annotations

from typing import Any, Callable

import mrtr

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
OPTIONS = {"ttlMs": "ttl_ms", "skewMs": "skew_ms", "maxAgeMs": "max_age_ms", "maxRounds": "max_rounds", "maxStateBytes": "max_state_bytes"}


def make_sealer(options: dict[str, Any]) -> mrtr.Sealer:
    known = {*OPTIONS, "keys", "cipher", "audience", "singleUse", "ephemeral"}
    if not known.issuperset(options):
        raise LookupError(f"options {set(options) - known}")
    numbers = {name: options[key] for key, name in OPTIONS.items() if key in options}
    return mrtr.Sealer(
        [bytes.fromhex(key) for key in options.get("keys", [])],
        cipher=options.get("cipher", "aes256gcm"),
        audience=options.get("audience"),
        single_use=bool(options.get("singleUse")),
        ephemeral=bool(options.get("ephemeral")),
        **numbers,
    )


def principal(value: Any) -> mrtr.Principal:
    return mrtr.NOBODY if value is None else value


def observe(case: dict[str, Any]) -> dict[str, Any]:
    sealers = {name: make_sealer(options) for name, options in case["sealers"].items()}
    tokens: dict[str, str] = {}
    steps = []
    for step in case["steps"]:
        if "config" in step:
            steps.append(config(step["config"]))
        elif "seal" in step:
            steps.append(seal(step, sealers, tokens))
        else:
            steps.append(open_token(step["open"], sealers, tokens))
    return {"steps": steps}


def config(options: dict[str, Any]) -> dict[str, Any]:
    try:
        make_sealer(options).close()
    except mrtr.MrtrError as error:
        return {"outcome": error.name}
    except (ValueError, TypeError):
        return {"outcome": "config_error"}  # the language's own refusal of a number that is none
    return {"outcome": "ok"}


def seal(step: dict[str, Any], sealers: dict[str, mrtr.Sealer], tokens: dict[str, str]) -> dict[str, Any]:
    said = step["seal"]
    state = bytes.fromhex(said["stateHex"]) if "stateHex" in said else said.get("state")
    if isinstance(state, str):
        state = state.encode("utf-8", "surrogatepass")
    previous = said.get("next")
    if previous is not None and previous not in tokens:
        return {"outcome": "no_token"}
    try:
        token = sealers[said["by"]].seal(
            said["method"], said["params"], principal(said["principal"]), state,
            previous=None if previous is None else tokens[previous], now_ms=said["atMs"],
        )  # fmt: skip
    except mrtr.MrtrError as error:
        return {"outcome": error.name}
    if "as" in step:
        tokens[step["as"]] = token
    return {"outcome": "ok"}


def open_token(said: dict[str, Any], sealers: dict[str, mrtr.Sealer], tokens: dict[str, str]) -> dict[str, Any]:
    if "token" in said and said["token"] not in tokens:
        return {"outcome": "no_token"}
    token, edit = tokens.get(said.get("token", ""), ""), said.get("edit") or {}

    def once(text: str) -> dict[str, Any]:
        try:
            opened = sealers[said["by"]].open(
                said["method"], said["params"], principal(said["principal"]), text.encode("utf-8", "surrogatepass"), now_ms=said["atMs"]
            )
        except mrtr.MrtrError as error:
            return {"outcome": error.name, "rpc": error.rpc}
        return {"outcome": "ok", "round": opened.round, **told(opened.state)}

    variants = variants_of(edit, token)
    return once(edited(edit, token)) if variants is None else every(variants, once)


def told(state: bytes | None) -> dict[str, Any]:
    if state is None:
        return {"state": None}
    try:
        return {"state": state.decode("utf-8")}
    except UnicodeDecodeError:
        return {"stateHex": state.hex()}


def edited(edit: dict[str, Any], token: str) -> str:
    if "append" in edit:
        return token + edit["append"]
    if "insertAt" in edit:
        at, what = edit["insertAt"]
        return token[:at] + what + token[at:]
    if "prefix" in edit:
        return edit["prefix"] + token[token.index(".") + 1 :]
    return edit.get("text", token)


def variants_of(edit: dict[str, Any], token: str) -> list[str] | None:
    if edit.get("eachLastChar"):
        return [token[:-1] + other for other in ALPHABET if other != token[-1]]
    if edit.get("eachLength"):
        return [token[:length] for length in range(len(token))]
    if edit.get("eachBit"):
        return [token[:i] + chr(ord(c) ^ (1 << bit)) + token[i + 1 :] for i, c in enumerate(token) for bit in range(7)]
    return None


def every(variants: list[str], once: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    seen = [once(text) for text in variants]
    refused = all(item["outcome"] != "ok" for item in seen)
    return {"outcome": "refused" if refused else "accepted", "rpc": sorted({item.get("rpc") or "" for item in seen})}
