#!/usr/bin/env python3
"""Runs every driver of drivers.json over case files and judges what it observed.

    run.py [--drivers a,b] [FILE…]

Without FILE: the files beside this script, and the cases of waiting.txt may fail. With FILE every case counts.
Prints a line per failing (case, driver); closes with `N passed, M failed`; exit status 0 only if M is 0."""
import argparse
import glob
import json
import os
import sys

import compare
import driver

HERE = os.path.dirname(os.path.abspath(__file__))


class Unusable(Exception):
    """An argument or a file of the run is no good."""


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            cases = json.load(file)
    except (OSError, ValueError) as fault:
        raise Unusable(f"{path}: {fault}") from fault
    if not isinstance(cases, list):
        raise Unusable(f"{path}: expected an array of cases")
    for at, case in enumerate(cases):
        if not isinstance(case, dict) or not all(isinstance(case.get(k), str) for k in ("name", "kind")):
            raise Unusable(f"{path}: entry {at} is no case: it needs a name and a kind")
    return cases


def load_waiting():
    waiting = {}
    with open(os.path.join(HERE, "waiting.txt"), encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if len(words) == 1:
                raise Unusable(f"waiting.txt: {words[0]} names no rule")
            if words:
                waiting[words[0]] = words[1:]
    return waiting


def load_drivers(chosen):
    with open(os.path.join(HERE, "drivers.json"), encoding="utf-8") as file:
        drivers = json.load(file)
    missing = set(chosen or ()) - {d["name"] for d in drivers}
    if missing:
        raise Unusable(f"no driver named {', '.join(sorted(missing))}; there are {', '.join(d['name'] for d in drivers)}")
    return [d for d in drivers if not chosen or d["name"] in chosen]


def verdicts(entry, cases):
    """For each case the lines that say what was wrong in this driver."""
    try:
        driver.build(entry)
        seen = driver.run(entry, cases)
    except driver.Broken as fault:
        seen = [str(fault)] * len(cases)
    return [[got] if isinstance(got, str) else compare.differences(case, got) for case, got in zip(cases, seen)]


def report(name, driver_name, lines):
    print(f"FAIL {name} [{driver_name}] {' | '.join(lines)}".encode("utf-8", "backslashreplace").decode())


def judge(cases, drivers, waiting):
    """Counts (passed, failed, still waiting) over all pairs of case and driver, and prints what failed."""
    passed = failed = 0
    held = {name: 0 for name in waiting}
    for entry in drivers:
        ok = bad = 0
        for case, lines in zip(cases, verdicts(entry, cases)):
            name = case["name"]
            if name in held:
                held[name] += bool(lines)
            elif lines:
                bad += 1
                report(name, entry["name"], lines)
            else:
                ok += 1
        print(f"{entry['name']}: {ok} of {ok + bad} cases as expected", flush=True)
        passed, failed = passed + ok, failed + bad
    known = {case["name"] for case in cases}
    for name in held:
        if name not in known:
            failed += 1
            report(name, "waiting.txt", ["no such case: remove it from the list"])
        elif not held[name]:
            failed += 1
            report(name, "waiting.txt", ["passes in every driver: remove it from the list"])
    return passed, failed, sum(1 for n in held.values() if n)


def main():
    sys.setrecursionlimit(20_000)  # a case may nest deeper than the library allows
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--drivers", default="", help="only these, comma-separated")
    options.add_argument("files", nargs="*")
    chosen = options.parse_args()
    try:
        files = chosen.files or sorted(glob.glob(os.path.join(HERE, "*.json")))
        cases = [c for f in files if chosen.files or os.path.basename(f) != "drivers.json" for c in load(f)]
        drivers = load_drivers([d for d in chosen.drivers.split(",") if d])
        waiting = {} if chosen.files else load_waiting()
    except Unusable as fault:
        print(fault)
        print("0 passed, 1 failed")
        return 1
    if not drivers or not cases:
        print("there is no driver" if not drivers else "there is no case")
        print("0 passed, 1 failed")
        return 1
    passed, failed, held = judge(cases, drivers, waiting)
    if held:
        print(f"{held} cases wait for rules that are not built (waiting.txt)")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
