"""The request digest, from docs/arguments-digest.md: method, target and arguments in canonical form, hashed."""

import hashlib
import json
import re

TARGET = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?")


class Number(str):
    """A number as it was written."""


class Members(list):
    """The members of an object as they were written, duplicates and all."""


def length(count: int) -> bytes:
    out = bytearray()
    while count >= 0x80:
        out.append(0x80 | count & 0x7F)
        count >>= 7
    out.append(count)
    return bytes(out)


def text(value: str) -> bytes:
    # json.loads joins surrogate pairs; what is left of surrogates is lone.
    data = value.encode("utf-8", "surrogatepass")
    return length(len(data)) + data


def number(written: str) -> bytes:
    sign, whole, fraction, exponent = NUMBER.fullmatch(written).groups()
    digits = (whole + (fraction or "")).lstrip("0")
    significant = digits.rstrip("0")
    if not significant:
        return b"0"
    power = int(exponent or 0) - len(fraction or "") + len(digits) - len(significant)
    return f"{sign}{significant}e{power}".encode()


def canonical(value) -> bytes:
    if value is None:
        return b"n"
    if value is True or value is False:
        return b"t" if value else b"f"
    if isinstance(value, Number):
        return b"d" + number(value) + b";"
    if isinstance(value, str):
        return b"s" + text(value)
    if isinstance(value, Members):
        members = {text(name): canonical(member) for name, member in value}
        if len(members) != len(value):
            raise ValueError("a member stands twice")
        by_name = sorted((name.encode("utf-8", "surrogatepass"), text(name)) for name, _ in value)
        return b"o" + b"".join(b"k" + name + members[name] for _, name in by_name) + b"e"
    return b"a" + b"".join(map(canonical, value)) + b"e"


def request_digest(method: str, params: str | None) -> bytes:
    parsed = json.loads(
        params or "{}",
        parse_int=Number,
        parse_float=Number,
        object_pairs_hook=Members,
    )
    members = dict(parsed)
    target = members.get(TARGET.get(method))
    arguments = members.get("arguments")
    data = b"mrtr request 1\n" + b"s" + text(method)
    data += canonical(target) if isinstance(target, str) and not isinstance(target, Number) else b"n"
    data += canonical(arguments if arguments is not None else Members())
    return hashlib.sha256(data).digest()
