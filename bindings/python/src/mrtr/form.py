"""`Form`: the schema of a form ask, written field by field (B4)."""

from __future__ import annotations

from ctypes import byref, c_uint64, sizeof
from typing import Sequence, Union

from . import _native as native
from ._handle import Owned
from ._request import whole

_TEXT, _NUMBER, _INTEGER, _BOOLEAN, _SELECT, _MULTI_SELECT = range(1, 7)

#: A value to choose, alone or with what the user sees in its place.
Choice = Union[str, "tuple[str, str]"]

#: A number as such or as text; text is exact whatever its size.
Number = Union[int, float, str]


class Form(Owned):
    """A form being written. Every method adds a field and gives the form back, so that calls can be chained::

        Form().text("mail", title="E-mail", format="email", required=True).integer("seats", minimum=1, maximum=9)

    Without fields it asks only to confirm. A field that breaks a rule raises `MrtrError` ``bad_schema`` with ``at``.
    """

    _FREE = native.bare("mrtr_form_free")

    def __init__(self) -> None:
        handle, error = c_uint64(), c_uint64()
        native.check(native.lib.mrtr_form_new(byref(handle), byref(error)), error)
        super().__init__(handle)

    def text(
        self,
        name: str,
        *,
        title: str | None = None,
        description: str | None = None,
        format: str | None = None,
        min_length: int = 0,
        max_length: int | None = None,
        default: str | None = None,
        required: bool = False,
    ) -> Form:
        """A text; lengths in code points; ``format`` is email, uri, date or date-time."""
        return self._add(
            _TEXT, name, title, description, required, format=format, min_count=min_length, max_count=max_length, default=_one(default)
        )

    def number(
        self,
        name: str,
        *,
        title: str | None = None,
        description: str | None = None,
        minimum: Number | None = None,
        maximum: Number | None = None,
        default: Number | None = None,
        required: bool = False,
    ) -> Form:
        """A number."""
        return self._add(_NUMBER, name, title, description, required, minimum=minimum, maximum=maximum, default=_one(default))

    def integer(
        self,
        name: str,
        *,
        title: str | None = None,
        description: str | None = None,
        minimum: Number | None = None,
        maximum: Number | None = None,
        default: Number | None = None,
        required: bool = False,
    ) -> Form:
        """A whole number."""
        return self._add(_INTEGER, name, title, description, required, minimum=minimum, maximum=maximum, default=_one(default))

    def boolean(
        self, name: str, *, title: str | None = None, description: str | None = None, default: bool | None = None, required: bool = False
    ) -> Form:
        """Yes or no."""
        return self._add(_BOOLEAN, name, title, description, required, default=None if default is None else [str(bool(default)).lower()])

    def select(
        self,
        name: str,
        choices: Sequence[Choice],
        *,
        title: str | None = None,
        description: str | None = None,
        default: str | None = None,
        required: bool = False,
    ) -> Form:
        """One of ``choices``: values, or pairs of value and title."""
        return self._add(_SELECT, name, title, description, required, choices=choices, default=_one(default))

    def multi_select(
        self,
        name: str,
        choices: Sequence[Choice],
        *,
        title: str | None = None,
        description: str | None = None,
        min_items: int = 0,
        max_items: int | None = None,
        default: Sequence[str] | None = None,
        required: bool = False,
    ) -> Form:
        """Several of ``choices``."""
        return self._add(
            _MULTI_SELECT, name, title, description, required, choices=choices, min_count=min_items, max_count=max_items,
            default=None if default is None else list(default),
        )  # fmt: skip

    @property
    def schema(self) -> str:
        """The JSON text of the ``requestedSchema``."""
        buf, error = native.Buf(), c_uint64()
        native.check(native.lib.mrtr_form_schema(self._handle, byref(buf), byref(error)), error)
        return native.take(buf).decode("utf-8")

    def _add(
        self,
        kind: int,
        name: str,
        title: str | None,
        description: str | None,
        required: bool,
        *,
        format: str | None = None,
        min_count: int = 0,
        max_count: int | None = None,
        minimum: Number | None = None,
        maximum: Number | None = None,
        choices: Sequence[Choice] = (),
        default: list[str] | None = None,
    ) -> Form:
        field = native.FieldArg()
        native.lib.mrtr_field_init(byref(field), sizeof(field), native.ABI)
        field.name, field.kind, field.required = native.text_slice(name), kind, int(bool(required))
        field.title, field.description, field.format = native.optional_slice(title), native.optional_slice(description), native.optional_slice(format)
        field.min_count = whole("the least count", min_count)
        if max_count is not None:
            field.max_count = whole("the greatest count", max_count)
        field.minimum, field.maximum = native.optional_slice(_number(minimum)), native.optional_slice(_number(maximum))
        pairs = [(choice, None) if isinstance(choice, str) else choice for choice in choices]
        field.choices = (native.ChoiceArg * len(pairs))(*[native.ChoiceArg(native.text_slice(value), native.optional_slice(shown)) for value, shown in pairs])
        field.choice_count = len(pairs)
        if default is not None:
            field.defaults, field.default_count = native.slices_of([native.text(value) for value in default]), len(default)
        error = c_uint64()
        native.check(native.lib.mrtr_form_add(self._handle, byref(field), byref(error)), error)
        return self


def _number(value: Number | None) -> str | None:
    return None if value is None else str(value)


def _one(value: Number | None) -> list[str] | None:
    return None if value is None else [str(value)]
