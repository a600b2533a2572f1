"""JSON texts compared by their tokens: every scalar keeps its spelling, duplicate members stay, nothing is converted."""
import json
import re

_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')
_SPACE = re.compile(r'[ \t\r\n]*')


class Bad(ValueError):
    """The text is not one JSON value."""


def parse(text):
    """('{', [(raw name, node)…]), ('[', [node…]) or ('.', raw scalar)."""
    node, at = _value(text, _skip(text, 0))
    if at != len(text):
        raise Bad(f"unexpected text at {at}")
    return node


def _skip(text, at):
    return _SPACE.match(text, at).end()


def _scalar(text, at):
    found = _SCALAR.match(text, at)
    if not found:
        raise Bad(f"no value at {at}")
    return found.group(), _skip(text, found.end())


def _value(text, at):
    start = text[at:at + 1]
    if start not in ('{', '['):
        raw, at = _scalar(text, at)
        return ('.', raw), at
    close = '}' if start == '{' else ']'
    items, at = [], _skip(text, at + 1)
    if text[at:at + 1] == close:
        return (start, items), _skip(text, at + 1)
    while True:
        name = None
        if start == '{':
            name, at = _scalar(text, at)
            if name[0] != '"' or text[at:at + 1] != ':':
                raise Bad(f"no member at {at}")
            at = _skip(text, at + 1)
        node, at = _value(text, at)
        items.append(node if name is None else (name, node))
        sign = text[at:at + 1]
        at = _skip(text, at + 1)
        if sign == close:
            return (start, items), at
        if sign != ',':
            raise Bad(f"no end of {start} at {at}")


def same(a, b, free=lambda path: True, path=()):
    """Same tokens. Members may stand in any order where free(path) holds (objects that the library writes itself);
    there a name may also be escaped differently. Elsewhere order and spelling count."""
    if a[0] != b[0]:
        return False
    if a[0] == '.':
        return a[1] == b[1]
    if len(a[1]) != len(b[1]):
        return False
    if a[0] == '[':
        return all(same(x, y, free, path + ('*',)) for x, y in zip(a[1], b[1]))
    if not free(path):
        return all(n == m and same(x, y, free, path + (json.loads(n),)) for (n, x), (m, y) in zip(a[1], b[1]))
    left = list(b[1])
    for name, node in a[1]:
        key = json.loads(name)
        for i, (other, twin) in enumerate(left):
            if json.loads(other) == key and same(node, twin, free, path + (key,)):
                del left[i]
                break
        else:
            return False
    return True


def without(node, names):
    """The object without the top-level members of these names."""
    return node if node[0] != '{' else ('{', [m for m in node[1] if json.loads(m[0]) not in names])


def only(node, names):
    """The object with the top-level members of these names alone."""
    return node if node[0] != '{' else ('{', [m for m in node[1] if json.loads(m[0]) in names])
