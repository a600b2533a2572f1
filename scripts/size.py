#!/usr/bin/env python3
"""size.py [--record WHY]: the stripped release library against abi/size.json: inside the budget, and no more than 2 % over the last line there.
--record adds a line with today's size and the reason for the growth."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BOOK = os.path.join(ROOT, "abi", "size.json")
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))


def measure():
    # Built alone: beside a Rust library the linker has to keep what only Rust programs could call, a tenth of the size.
    subprocess.run(["cargo", "rustc", "--quiet", "--release", "--lib", "--locked", "--crate-type", "cdylib"], cwd=ROOT, check=True)
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "--strip-all", "-o", stripped.name, os.path.join(TARGET, "release", "libmrtr.so")], check=True)
        return os.path.getsize(stripped.name)


def main():
    with open(BOOK, encoding="utf-8") as file:
        book = json.load(file)
    size, last = measure(), book["sizes"][-1]["bytes"] if book["sizes"] else None
    if sys.argv[1:2] == ["--record"] and len(sys.argv) == 3:
        book["sizes"].append({"bytes": size, "why": sys.argv[2]})
        lines = ",\n".join("    " + json.dumps(line) for line in book["sizes"])
        with open(BOOK, "w", encoding="utf-8") as file:
            file.write(f'{{\n  "budget": {book["budget"]},\n  "sizes": [\n{lines}\n  ]\n}}\n')
        last = size
    faults = []
    if size > book["budget"]:
        faults.append(f"over the budget of {book['budget']}")
    if last is None or size > last * 1.02:
        faults.append(f"more than 2 % over the last recorded {last}: make it smaller, or record why with scripts/size.py --record WHY")
    print(f"stripped release library: {size} bytes; " + ("; ".join(faults) or f"last recorded {last}, budget {book['budget']}"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
