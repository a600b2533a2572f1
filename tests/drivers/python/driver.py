"""Case driver on the Python package: one case per line in, one observation per line out."""

from __future__ import annotations

import json
import sys
from typing import Any

import client
import legacy
import server
import state

KINDS = {"client": client.observe, "state": state.observe, "server": server.observe, "build": server.observe_build, "legacy": legacy.observe}


def observation(case: dict[str, Any]) -> dict[str, Any]:
    observe = KINDS.get(case.get("kind", ""))
    if observe is None or case.get("era", "2026-07-28") != "2026-07-28" and case["kind"] != "client":
        return {"unsupported": True}
    try:
        return observe(case)
    except Exception as why:  # told as an observation: the other cases go on
        return {"failed": f"{type(why).__name__}: {why}"}


def main() -> None:
    for line in sys.stdin.buffer:
        case = json.loads(line)
        # ASCII output: a lone surrogate goes out as its escape.
        print(json.dumps({"name": case.get("name"), **observation(case)}), flush=True)


if __name__ == "__main__":
    main()
