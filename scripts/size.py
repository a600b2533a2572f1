#!/usr/bin/env python3
"""size.py [--record WHY]: the stripped library, as it is shipped and as the small build, against abi/size.json: no more
than 2 % over the last line there. A size beyond its budget is told in bytes, and may not grow further without a line.
--record adds a line with today's sizes and the reason for the growth."""
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


def judged(size, budget, last):
    """Whether it may stand, and what there is to say."""
    over = f"{size - budget} over" if size > budget else "inside"
    if last is None or size > last * 1.02:
        return False, f"more than 2 % over the last recorded {last}: make it smaller, or record why with scripts/size.py --record WHY"
    return True, f"last recorded {last}; {over} the budget of {budget}"


def main():
    with open(BOOK, encoding="utf-8") as file:
        book = json.load(file)
    sizes = {profile: measure(profile, more) for profile, more in BUILDS.items()}
    if sys.argv[1:2] == ["--record"] and len(sys.argv) == 3:
        record(book, sizes, sys.argv[2])
    stand = 0
    for profile, size in sizes.items():
        last = next((line[profile] for line in reversed(book["sizes"]) if profile in line), None)
        holds, said = judged(size, book["budgets"][profile], last)
        stand += holds
        print(f"stripped library, {profile}: {size} bytes; {said}")
    print(f"{stand} passed, {len(sizes) - stand} failed")
    return 0 if stand == len(sizes) else 1


if __name__ == "__main__":
    sys.exit(main())
