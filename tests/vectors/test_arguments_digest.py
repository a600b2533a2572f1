"""A second implementation of docs/arguments-digest.md, written from that page, held against its vectors."""
import hashlib
import json
import pathlib
import re

import pytest

FILE = pathlib.Path(__file__).parents[2] / "docs/vectors/arguments-digest.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))


class Twice(Exception):
    """A member stands twice in an object."""


class Number(str):
    """The spelling of a number."""


def read(text):
    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=lambda pairs: ("object", pairs))


def length(count):
    out = bytearray()
    while count > 127:
        out.append(count % 128 + 128)
        count //= 128
    return bytes(out) + bytes([count])


def decoded(text):
    return text.encode("utf-8", "surrogatepass")


def number(spelling):
    sign, whole, fraction, power = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?", spelling).groups()
    digits, power = whole + (fraction or ""), int(power or 0) - len(fraction or "")
    digits = digits.lstrip("0")
    if not digits:
        return b"0"
    significant = digits.rstrip("0")
    return f"{sign}{significant}e{power + len(digits) - len(significant)}".encode()


def canonical(value):
    if isinstance(value, Number):
        return b"d" + number(value) + b";"
    if isinstance(value, str):
        return b"s" + length(len(decoded(value))) + decoded(value)
    if isinstance(value, list):
        return b"a" + b"".join(map(canonical, value)) + b"e"
    if isinstance(value, tuple):
        members = sorted((decoded(name), inner) for name, inner in value[1]) if unique(value[1]) else []
        return b"o" + b"".join(b"k" + length(len(name)) + name + canonical(inner) for name, inner in members) + b"e"
    return {None: b"n", True: b"t", False: b"f"}[value]


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise Twice
    return True


def hashed(method, target, arguments):
    what = b"n" if target is None else canonical(read(target))
    value = None if arguments is None else read(arguments)
    return b"mrtr request 1\n" + canonical(method) + what + (b"oe" if value is None else canonical(value))


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("vector", VECTORS["canonical"], ids=lambda v: v["name"])
def test_canonical(vector):
    form = canonical(read(vector["text"]))
    assert (form.hex(), sha256(form)) == (vector["canonical"], vector["sha256"])


@pytest.mark.parametrize("vector", VECTORS["requests"], ids=lambda v: v["name"])
def test_request(vector):
    data = hashed(vector["method"], vector["target"], vector["arguments"])
    assert (data.hex(), sha256(data)) == (vector["bytes"], vector["sha256"])


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda v: v["name"])
def test_refused(vector):
    with pytest.raises(Twice):
        canonical(read(vector["text"]))
