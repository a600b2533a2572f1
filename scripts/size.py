#!/usr/bin/env python3
"""size.py [--record WHY]: the stripped library, as it is shipped and as the small build, against abi/size.json: inside the budgets, and
no more than 2 % over the last line there. --record adds a line with today's sizes and the reason for the growth."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BOOK = os.path.join(ROOT, "abi", "size.json")
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
BUILDS = {"release": [], "dist-min": ["--no-default-features"]}


def measure(profile, more):
    # Built alone: beside a Rust library the linker has to keep what only Rust programs could call, a tenth of the size.
    build = ["cargo", "rustc", "--quiet", "--profile", profile, "--lib", "--locked", "--crate-type", "cdylib"]
    subprocess.run(build + more, cwd=ROOT, check=True)
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "--strip-all", "-o", stripped.name, os.path.join(TARGET, profile, "libmrtr.so")], check=True)
        return os.path.getsize(stripped.name)


def record(book, sizes, why):
    book["sizes"].append({**sizes, "why": why})
    lines = ",\n".join("    " + json.dumps(line) for line in book["sizes"])
    with open(BOOK, "w", encoding="utf-8") as file:
        file.write(f'{{\n  "budgets": {json.dumps(book["budgets"])},\n  "sizes": [\n{lines}\n  ]\n}}\n')


def faults_of(size, budget, last):
    if size > budget:
        yield f"{size - budget} over the budget of {budget}"
    if last is None or size > last * 1.02:
        yield f"more than 2 % over the last recorded {last}: make it smaller, or record why with scripts/size.py --record WHY"


def main():
    with open(BOOK, encoding="utf-8") as file:
        book = json.load(file)
    sizes = {profile: measure(profile, more) for profile, more in BUILDS.items()}
    if sys.argv[1:2] == ["--record"] and len(sys.argv) == 3:
        record(book, sizes, sys.argv[2])
    failed = False
    for profile, size in sizes.items():
        budget, last = book["budgets"][profile], next((line[profile] for line in reversed(book["sizes"]) if profile in line), None)
        faults = list(faults_of(size, budget, last))
        failed |= bool(faults)
        print(f"stripped library, {profile}: {size} bytes; " + ("; ".join(faults) or f"last recorded {last}, budget {budget}"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
