#!/usr/bin/env python3
"""Every crate in the graph has a licence that deny.toml allows (an SPDX expression: OR = one suffices, AND = all), and none comes from elsewhere than the registry."""
import json
import os
import re
import subprocess
import sys
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def allowed(expression, allow):
    """Evaluates the expression by turning each licence into True or False."""
    words = re.findall(r"[()]|[^\s()/]+|/", expression)
    out, at = [], 0
    while at < len(words):
        word = words[at]
        if word in "()":
            out.append(word)
        elif word in ("OR", "/"):
            out.append("or")
        elif word == "AND":
            out.append("and")
        else:
            if words[at + 1:at + 2] == ["WITH"]:
                word, at = " ".join(words[at:at + 3]), at + 2
            out.append(str(word in allow))
        at += 1
    return eval(" ".join(out), {"__builtins__": {}})  # only True, False, and, or and brackets are left


def main():
    with open(os.path.join(ROOT, "deny.toml"), "rb") as file:
        rules = tomllib.load(file)["licenses"]
    exceptions = {e["name"]: set(e["allow"]) for e in rules.get("exceptions", [])}
    meta = json.loads(subprocess.run(["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    faults = 0
    for crate in meta["packages"]:
        ours = crate["source"] is None
        if not ours and not crate["source"].startswith("registry+"):
            faults += 1
            print(f"{crate['name']} {crate['version']}: comes from {crate['source']}")
        allow = set(rules["allow"]) | exceptions.get(crate["name"], set())
        if not crate["license"] or not allowed(crate["license"], allow):
            faults += 1
            print(f"{crate['name']} {crate['version']}: licence {crate['license']} is not allowed by deny.toml")
    print(f"licences: {len(meta['packages']) - faults} passed, {faults} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
