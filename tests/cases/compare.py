"""Holds one observation (OBSERVATION.md) against what its case expects (FORMAT.md). Returns the differences as lines."""
import collections
import json
import re

import tokens

RETRY = ("inputResponses", "requestState")
S9 = '{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}'
REASONS = {"malformed", "unknown_key", "tampered", "expired", "not_yet_valid", "flow_expired", "too_many_rounds", "wrong_principal",
           "wrong_request", "wrong_audience", "replayed", "too_large", "wrong_type"}


def differences(case, seen):
    """Lines that say what differs; none if the observation is as expected."""
    if not isinstance(seen, dict) or seen.get("name") != case["name"]:
        return [f"expected an observation of {case['name']}, got {show(seen)}"]
    if seen.get("unsupported"):
        return ["the driver does not know this kind of case"]
    if "failed" in seen:
        return [f"the driver could not tell the story: {seen['failed']}"]
    judge = {"client": client, "state": state, "server": server, "build": build, "legacy": legacy}.get(case["kind"])
    if judge is None:
        return [f"kind {case['kind']} has no comparison"]
    try:
        return list(judge(case, seen))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
        return [f"the observation cannot be read ({type(fault).__name__}: {fault}): {show(seen)}"]


def show(value):
    text = json.dumps(value, ensure_ascii=False)
    return (text if len(text) <= 600 else text[:600] + " …").encode("utf-8", "backslashreplace").decode()


def differ(name, expected, observed):
    return f"{name}: expected {show(expected)}, observed {show(observed)}"


def same_text(expected, observed, free=lambda path: True, drop=()):
    if observed is None or expected is None:
        return observed is expected
    want = tokens.without(tokens.parse(expected), drop)
    try:
        have = tokens.without(tokens.parse(observed), drop)
    except tokens.Bad:
        return False
    return tokens.same(want, have, free)


# kind client

def same_params(expected, observed):
    """The caller's members in their order; the retry members, which the library writes, wherever they stand."""
    try:
        want, have = (tokens.without(tokens.parse(t), ("_meta",)) for t in (expected, observed))
    except tokens.Bad:
        return False
    written = lambda path: path == () or (path[0] == "inputResponses" and (len(path) < 3 or path[2:] == ("content",)))
    return (tokens.same(tokens.without(want, RETRY), tokens.without(have, RETRY), lambda path: False)
            and tokens.same(tokens.only(want, RETRY), tokens.only(have, RETRY), written))


def same_sent(expected, observed):
    return isinstance(observed, list) and len(expected) == len(observed) and all(map(same_params, expected, observed))


def same_set(expected, observed):
    return collections.Counter(expected) == collections.Counter(observed)


CLIENT = {
    "end": None, "legs": None, "cancelledLegs": None, "key": None, "result": None, "endMs": None, "gapsMs": None,
    "progress": None, "rounds": None, "shown": None,
    "sent": same_sent,
    "stopped": same_set,
    "continuation": lambda want, have: bool(have) is want,
    "declared": same_text,
    "again": lambda want, have: all(bool((have or {}).get(k)) is v for k, v in want.items()),
    "flags": lambda want, have: all(k in (have or {}) and same_set(v, have[k]) for k, v in want.items()),
}
LISTS = {"cancelledLegs", "gapsMs", "progress", "shown", "sent", "stopped"}


def client(case, seen):
    for name, want in case["expect"].items():
        field, test = name, CLIENT.get(name, KeyError)
        if name == "shownAnyOrder":
            field, test = "shown", same_set
        if test is KeyError:
            yield f"{name}: this expectation is not known to the comparer"
            continue
        have = seen.get(field, [] if field in LISTS else None)
        if not (test(want, have) if test else want == have):
            yield differ(name, want, have)


# kind state

def state_bytes(entry):
    if entry.get("stateHex") is not None:
        return bytes.fromhex(entry["stateHex"])
    return None if entry.get("state") is None else entry["state"].encode("utf-8", "surrogatepass")


def rpc_faults(rpc):
    for text in rpc if isinstance(rpc, list) else [rpc]:
        if text is None or not same_text(S9, text):
            yield f"rpc: expected {S9}, observed {show(text)}"


def state(case, seen):
    steps = seen.get("steps") or []
    if len(steps) != len(case["steps"]):
        yield differ("steps", len(case["steps"]), len(steps))
        return
    for at, (step, got) in enumerate(zip(case["steps"], steps)):
        for line in state_step(step, got):
            yield f"step {at}: {line}"
    refusals = {text for got in steps for text in frozen(got)}
    if len(refusals) > 1:
        yield f"the refusals differ on the wire: {show(sorted(refusals))}"


def frozen(got):
    """The wire texts of a refused token; duplicates in arguments have an answer of their own (D14)."""
    if got.get("outcome") == "bad_json" or got.get("rpc") is None:
        return []
    return got["rpc"] if isinstance(got["rpc"], list) else [got["rpc"]]


def state_step(step, got):
    unknown = set(step) - {"seal", "open", "config", "as", "expect", "state", "stateHex", "round"}
    if unknown:
        yield f"{sorted(unknown)}: not known to the comparer"
    want, have = step["expect"], got.get("outcome")
    each = "open" in step and any(k.startswith("each") for k in step["open"].get("edit", {}))
    if each and want != "ok":
        right = have == "refused"
    elif want == "refused":
        right = have in REASONS
    else:
        right = want == have
    if not right:
        yield differ("outcome", want, have)
        return
    if "open" in step and want not in ("ok", "bad_json"):
        yield from rpc_faults(got.get("rpc"))
    if ("state" in step or "stateHex" in step) and state_bytes(step) != state_bytes(got):
        yield differ("state", step.get("state", step.get("stateHex")), got.get("state", got.get("stateHex")))
    if "round" in step and step["round"] != got.get("round"):
        yield differ("round", step["round"], got.get("round"))


# kind server

def server(case, seen):
    legs = seen.get("legs") or []
    if len(legs) != len(case["expect"]):
        yield differ("legs", len(case["expect"]), len(legs))
        return
    for at, (want, got) in enumerate(zip(case["expect"], legs), 1):
        for line in server_leg(want, got):
            yield f"leg {at}: {line}"


def server_leg(want, got):
    ends = [name for name in ("asks", "done", "error") if got.get(name) is not None]
    for name, expected in want.items():
        have = got.get(name)
        if name in ("asks", "done", "error") and ends != [name]:
            right, have = False, {n: got[n] for n in ends}
        elif name in ("asks", "token", "state"):
            right = expected == have
        elif name == "done":
            right = expected.keys() == have.keys() and all(same_done(expected[k], have[k]) for k in expected)
        elif name == "error":
            right = all(have.get(k) == v for k, v in expected.items())
        elif name == "status":
            right = all((have or {}).get(k) == v for k, v in expected.items())
        elif name == "data":
            right = same_text(expected, have)
        else:
            yield f"{name}: this expectation is not known to the comparer"
            continue
        if not right:
            yield differ(name, expected, have)


def same_done(expected, observed):
    if expected in ("accepted", "declined", "cancelled", "unaskable"):
        return expected == observed
    return observed is not None and same_text(expected, observed, lambda path: path == ())


# kind build

def build(case, seen):
    written = lambda path: len(path) == 0 or path == ("inputRequests",)
    for name, want in case["expect"].items():
        have = seen.get(name)
        if name == "result":
            right = have is not None and same_text(want, have, written)
        elif name in ("error", "at", "key"):
            right = want == have and seen.get("result") is None
        elif name == "rpc":
            right = bool(have) and have.get("code") == want["code"] and ("data" not in want or same_text(want["data"], have.get("data")))
        elif name == "warnings":
            right = want == (have or [])
        else:
            yield f"{name}: this expectation is not known to the comparer"
            continue
        if not right:
            yield differ(name, want, have if have is not None else {k: seen[k] for k in ("error", "at", "result") if seen.get(k) is not None})


# kind legacy

ID = re.compile(r'("elicitationId":")([0-9a-f]{32})(")')


def legacy(case, seen):
    result = json.loads(seen["result"]) if seen.get("result") is not None else None
    rpc = json.loads(seen["rpc"]) if seen.get("rpc") is not None else None
    if result is not None and "resultType" in result:
        yield f"result: there is no resultType on the older wire, observed {show(seen['result'])}"
    for name, want in case["expect"].items():
        have = seen.get(name)
        if name == "sent":
            have, ids = named(have or [])
            right = len(want) == len(have) and all(same_sent(w, h) for w, h in zip(want, have)) and len(ids) == len(set(ids))
        elif name == "done":
            right = have is not None and want.keys() == have.keys() and all(same_done(want[k], have[k]) for k in want) and result == {"content": []}
        elif name == "toolError":
            have = result
            right = bool(result) and result.get("isError") is True and result["_meta"]["mrtr/refusal"]["reason"] == case["expect"]["refused"]
        elif name == "rpcCode":
            have = rpc
            right = result is None and bool(rpc) and rpc.get("code") == want and rpc["data"]["reason"] == case["expect"]["refused"]
        elif name == "answered":
            have = result is not None or rpc is not None
            right = want == have
        elif name in ("cancelled", "sleepsMs"):
            right = want == (have or [])
        elif name in ("refused", "rounds", "state"):
            right = want == have
        else:
            yield f"{name}: this expectation is not known to the comparer"
            continue
        if not right:
            yield differ(name, want, have)


def named(sent):
    """The requests with `<id>` for ids that were made up, and those ids."""
    ids = [found[1] for _, params in sent for found in ID.findall(params or "")]
    return [[method, params and ID.sub(r"\1<id>\3", params)] for method, params in sent], ids


def same_sent(want, have):
    if want[0] != have[0] or (want[1] is None) != (have[1] is None):
        return False
    return want[1] is None or same_text(want[1], have[1])
