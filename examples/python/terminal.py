"""Asks on the terminal: a form field by field, and consent to an address. The server's words are shown as its words."""

from __future__ import annotations

import json
from typing import Any

import mrtr


def plain(text: str | None) -> str:
    """A server's text without what could repaint the terminal or turn the reading direction."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text or "")


def short(text: str, width: int = 64) -> str:
    """A message for the eye: `_meta` left out, long texts cut."""

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cut(item) for key, item in value.items() if key != "_meta"}
        if isinstance(value, list):
            return [cut(item) for item in value]
        if isinstance(value, str) and len(value) > width:
            return f"{value[: width - 12]}… ({len(value)} characters)"
        return value

    return json.dumps(cut(json.loads(text)), ensure_ascii=False)


def ask_form(ask: mrtr.Ask) -> Any:
    """Field by field; an empty line leaves an optional field out, `/decline` and `/cancel` end the form."""
    print(f"\nThe server asks: {plain(ask.message)}   (/decline, /cancel)")
    if ask.previously_declined:
        print("You declined this before.")
    schema = ask.schema
    required, content = schema.get("required", []), {}
    for name, field in schema.get("properties", {}).items():
        while True:
            line = input(f"  {plain(field.get('title', name))}{hint(field)}{'' if name in required else ' [optional]'}: ").strip()
            if line in ("/decline", "/cancel"):
                return mrtr.DECLINE if line == "/decline" else mrtr.CANCEL
            if not line and (name not in required or "default" in field):
                break
            value = convert(field, line)
            if value is not None:
                content[name] = value
                break
            print("  That does not fit.")
    return content


def choices(field: dict[str, Any]) -> list[tuple[str, str]]:
    """(value, title) of an enum in any of its forms."""
    source = field.get("items", field) if field.get("type") == "array" else field
    if "enum" in source:
        return list(zip(source["enum"], source.get("enumNames", source["enum"])))
    return [(option["const"], option.get("title", option["const"])) for option in source.get("oneOf", source.get("anyOf", []))]


def hint(field: dict[str, Any]) -> str:
    options = choices(field)
    if options:
        return " (" + ", ".join(plain(v if v == t else f"{v} = {t}") for v, t in options) + ("; several with commas" if field.get("type") == "array" else "") + ")"
    return " (yes/no)" if field.get("type") == "boolean" else ""


def convert(field: dict[str, Any], line: str) -> Any:
    """The typed value, or None where the line does not fit; the library checks the rest."""
    kind, values = field.get("type"), [value for value, _ in choices(field)]
    if kind == "array":
        picked = [part.strip() for part in line.split(",")]
        return picked if all(part in values for part in picked) else None
    if values:
        return line if line in values else None
    if kind == "boolean":
        return {"yes": True, "y": True, "no": False, "n": False}.get(line.lower())
    if kind in ("integer", "number"):
        try:
            return int(line) if kind == "integer" else float(line)
        except ValueError:
            return None
    return line


def ask_url(ask: mrtr.Ask) -> Any:
    """Consent to an address. Nothing is opened: the person does that."""
    print(f"\nThe server asks you to open an address: {plain(ask.message)}\n  {plain(ask.url)}\n  host: {plain(ask.host_ascii)}")
    for flag in sorted(ask.url_flags):
        print(f"  careful: {flag.replace('_', ' ')}")
    answer = input("  open it yourself, then say yes; or no: ").strip().lower()
    return {"yes": mrtr.ACCEPT, "y": mrtr.ACCEPT, "no": mrtr.DECLINE, "n": mrtr.DECLINE}.get(answer, mrtr.CANCEL)
