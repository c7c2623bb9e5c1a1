"""Looking at values that came from outside, before anything about them is known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeGuard

from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from pi_ask.text import quoted, visible

_SHOWN = 60


def plain(value: Any) -> Any:
    """Return a model as a mapping of its own fields, whatever they hold; anything else as it is."""
    if not isinstance(value, BaseModel):
        return value
    fields = type(value).model_fields.items()
    held = ((info.alias or name, getattr(value, name, None)) for name, info in fields)
    return {name: item for name, item in held if item is not None}


def is_list(value: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Return whether ``value`` is what JSON calls an array."""
    return isinstance(value, (list, tuple))


def kind_of(value: Any) -> str:
    """Return what ``value`` is, in the words of JSON."""
    if value is None:
        return "null"
    for types, name in _KINDS:
        if isinstance(value, types):
            return name
    return f"a {type(value).__name__}"


_KINDS: tuple[tuple[Any, str], ...] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "text"),
    ((list, tuple), "a list"),
    (Mapping, "an object"),
)


def shown(value: Any) -> str:
    """Return ``value`` for a message: short texts in quotation marks, anything else by its kind."""
    if not isinstance(value, str):
        return kind_of(value)
    return quoted(visible(value)) if len(value) <= _SHOWN else f"{quoted(visible(value[:_SHOWN]))}…"


@cache
def snake(name: str) -> str:
    """Return the Python spelling of a wire name."""
    return to_snake(name)


def field(raw: Mapping[Any, Any], name: str, default: Any = None) -> Any:
    """Return a field in either spelling."""
    return raw.get(name, raw.get(snake(name), default))
