#!/usr/bin/env python3
"""Rules of the house that no compiler checks: arrows between rooms, where `unsafe` may stand, length of files, words that do not belong."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_LINES = 400
ROOMS = {  # room: the rooms it may use
    "json": set(),
    "protocol": {"json"},
    "state": {"json", "protocol"},
    "server": {"json", "protocol", "state"},
    "client": {"json", "protocol"},
    "runtime": {"json", "protocol", "client"},
    "ffi": {"json", "protocol", "state", "server", "client", "runtime"},
}
SOURCE = (".rs", ".py", ".go", ".swift", ".h", ".hpp", ".c", ".cpp", ".sh")
GENERATED = {"include/mrtr.h"}
LEFT_OPEN = re.compile(r"\b(todo!|unimplemented!|TODO|FIXME|XXX)")
UNSAFE = re.compile(r"\bunsafe\b\s*(\{|fn|impl|extern|trait)")
SKIPPED = re.compile(r"#\[ignore|t\.Skip\(|pytest\.mark\.skip|XCTSkip")
# The folder that this tree lies in and numbers of a tracker help no reader.
STRAY = re.compile(re.escape(os.path.dirname(ROOT)) + r"/|\bissue #?\d")
CODE = re.compile(r"//.*|\"(?:[^\"\\]|\\.)*\"")


def files():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    for name in sorted(filter(None, listed.decode().split("\0"))):
        if os.path.isfile(os.path.join(ROOT, name)):
            yield name


def room_of(name):
    parts = name.split("/")
    room = parts[1].removesuffix(".rs") if len(parts) > 1 and parts[0] == "src" else None
    return room if room in ROOMS else None


def used_rooms(code):
    """(offset, name) of each `crate::name` and of each first name inside `crate::{…}`, however deep and over however many lines."""
    for found in re.finditer(r"\bcrate::\s*(?:(\w+)|\{)", code):
        if found.group(1):
            yield found.start(), found.group(1)
            continue
        depth, first = 1, True
        for word in re.finditer(r"\w+|[{},]", code[found.end():]):
            depth += {"{": 1, "}": -1}.get(word.group(), 0)
            if depth == 0:
                break
            if depth == 1 and first and word.group()[0].isalpha():
                yield found.end() + word.start(), word.group()
            first = word.group() == "," and depth == 1


def arrows(name, lines):
    room = room_of(name)
    if room is None:
        return
    code = "\n".join(CODE.sub("", line) for line in lines)
    for offset, used in used_rooms(code):
        if used in ROOMS and used != room and used not in ROOMS[room]:
            yield f"{name}:{code.count(chr(10), 0, offset) + 1}: the room {room} must not use {used}"


def faults_of(name, text):
    lines = text.splitlines()
    if name.endswith(SOURCE) and name not in GENERATED and len(lines) > MAX_LINES:
        yield f"{name}: {len(lines)} lines, more than {MAX_LINES}: split it by noun"
    yield from arrows(name, lines)
    for number, line in enumerate(lines, 1):
        if name != "scripts/tidy.py" and STRAY.search(line):
            yield f"{name}:{number}: {STRAY.search(line).group()!r} does not belong into the tree"
        if not name.endswith(SOURCE) or name == "scripts/tidy.py":
            continue
        if LEFT_OPEN.search(line):
            yield f"{name}:{number}: left open: {line.strip()[:80]}"
        if SKIPPED.search(line):
            yield f"{name}:{number}: a test that does not run: {line.strip()[:80]}"
        if name.startswith("src/") and not name.startswith("src/ffi/abi/") and UNSAFE.search(CODE.sub("", line)):
            yield f"{name}:{number}: unsafe outside src/ffi/abi"


def main():
    count, faults = 0, []
    for name in files():
        try:
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        count += 1
        faults += faults_of(name, text)
    print("\n".join(faults), end="\n" if faults else "")
    print(f"tidy: {count} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
