#!/usr/bin/env python3
"""A token sealed in each language opens in every other: a flow of three legs whose legs go to drivers in turn.

    cross.py [DRIVER…]      the drivers of drivers.json, all by default

For every ordered pair (a, b): a asks and seals, b reads an answer with a lone surrogate and seals it, a finishes.
The host's state holds U+0000, or all that fits beside the answers below the limit of 64 KiB.
"""
import json
import sys

import driver

CAPS = '{"elicitation":{"form":{}}}'
ASK = '{"method":"elicitation/create","params":{"message":"%s?","requestedSchema":{"type":"object","properties":{"v":{"type":"string"}},"required":["v"]}}}'
ODD = '{"v":"\\ud800 \\u0000 \\/ \\u00e9"}'
STATES = {"NUL": "a\u0000b", "large": "\u00e9" * ((64 << 10) // 2 - 64)}


def case(name, state, leg):
    handler = [{"asks": {"a": ASK % "First"}, "state": state}, {"asks": {"b": ASK % "Second"}}]
    return {
        "name": name, "kind": "server", "caps": CAPS, "principal": ["issuer", "user-1"], "method": "tools/call",
        "params": '{"name":"cross","arguments":{"n":1e2}}', "handler": handler, "legs": [leg],
    }  # fmt: skip


def run(entry, cases):
    """The only leg's observation of each case."""
    seen = driver.run(entry, cases)
    return [o["legs"][0] if isinstance(o, dict) and o.get("legs") else {"fault": o} for o in seen]


def leg(answers=None, token=None):
    return {**({} if answers is None else {"answers": answers}), **({} if token is None else {"token": token}), "atMs": 1000}


def accept(key, content):
    return '{"%s":{"action":"accept","content":%s}}' % (key, content)


def main():
    with open(driver.ROOT + "/tests/cases/drivers.json", encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if not sys.argv[1:] or entry["name"] in sys.argv[1:]]
    for entry in entries:
        driver.build(entry)
    faults, count = [], 0
    first = {}
    for entry in entries:
        asked = run(entry, [case(name, state, leg()) for name, state in STATES.items()])
        first[entry["name"]] = dict(zip(STATES, asked))
    for sealing in entries:
        for opening in entries:
            if sealing is opening:
                continue
            pair = f"{sealing['name']} -> {opening['name']}"
            tokens = [first[sealing["name"]][name].get("requestState") or "" for name in STATES]
            second = run(opening, [case(n, s, leg(accept("a", ODD), t)) for (n, s), t in zip(STATES.items(), tokens)])
            third = run(sealing, [case(n, s, leg(accept("b", '{"v":"x"}'), o.get("requestState") or "")) for (n, s), o in zip(STATES.items(), second)])
            for name, middle, last in zip(STATES, second, third):
                count += 1
                if middle.get("asks") != ["b"] or middle.get("state") != STATES[name]:
                    faults.append(f"{pair}, {name}: the second leg saw {json.dumps(middle)[:300]}")
                elif last.get("done") != {"a": ODD, "b": '{"v":"x"}'}:
                    faults.append(f"{pair}, {name}: the third leg saw {json.dumps(last)[:300]}")
    print("\n".join(faults), end="\n" if faults else "")
    print(f"{count - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
