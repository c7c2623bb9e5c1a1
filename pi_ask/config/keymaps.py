"""The names of keys, and the rule that a key means one thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MODIFIERS = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "shift": "shift",
    "alt": "alt",
    "option": "alt",
    "super": "super",
    "meta": "super",
    "cmd": "super",
    "command": "super",
    "win": "super",
}
_ORDER = ("ctrl", "shift", "alt", "super")
_NAMES = {
    "enter": "enter",
    "return": "enter",
    "esc": "esc",
    "escape": "esc",
    "space": "space",
    "tab": "tab",
    "backspace": "backspace",
    "delete": "delete",
    "del": "delete",
    "insert": "insert",
    "ins": "insert",
    "home": "home",
    "end": "end",
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "pageup": "pageUp",
    "pagedown": "pageDown",
    "plus": "+",
    **{f"f{number}": f"f{number}" for number in range(1, 36)},
}


def parse_key(text: str) -> str:
    """Return the canonical name of a key: ``Control+C`` is ``ctrl+c``, ``N`` is ``shift+n``, ``shift+?`` is ``?``.

    Raises:
        ValueError: there is no such key, or it is a digit; the message says what to change.
    """
    *words, last = _parts(text.strip())
    held = {_modifier(word, text) for word in words}
    name = _NAMES.get(last.lower(), last)
    if len(name) == 1 and name.isupper():
        held.add("shift")
        name = name.lower()
    if name not in _NAMES.values() and not (len(name) == 1 and name.isprintable() and not name.isspace()):
        raise ValueError(f"{text!r} is no key; use names such as enter, esc, f2, n, shift+n or ctrl+tab")
    if name.isdigit() and not held - {"shift"}:
        raise ValueError(f"{text!r} is a digit; digits choose options and cannot mean anything else")
    if len(name) == 1 and not name.isalpha():
        held.discard("shift")  # a symbol is its own key, whatever a layout wants to be held down for it
    return "+".join([*(word for word in _ORDER if word in held), name])


def read_keys(value: Any) -> tuple[str, ...]:
    """Return the canonical names of a key or a list of keys.

    Raises:
        ValueError: it is no key or list of keys, or there is none.
    """
    keys = (value,) if isinstance(value, str) else value
    if not isinstance(keys, (list, tuple)) or not all(isinstance(key, str) for key in keys):
        raise ValueError('give a key such as "enter" or a list of keys')
    if not keys:
        raise ValueError("give at least one key")
    return tuple(dict.fromkeys(parse_key(key) for key in keys))


def repeated_keys(contexts: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[str]:
    """Return what is wrong where a key means two things: within a context, or in ``global`` and another.

    The settings dialog is a window of its own; it may use the keys of ``global`` again.
    """
    problems: list[str] = []
    everywhere = _owners("global", contexts.get("global", {}))
    for context, actions in contexts.items():
        owners: dict[str, str] = {} if context in {"global", "settingsModal"} else dict(everywhere)
        for place, keys in ((f"{context}.{action}", keys) for action, keys in actions.items()):
            problems += [f"{place}: {key} is already {owners[key]}" for key in keys if key in owners]
            owners.update(dict.fromkeys(keys, place))
    return problems


def _owners(context: str, actions: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {key: f"{context}.{action}" for action, keys in actions.items() for key in keys}


def _parts(text: str) -> list[str]:
    """Split at ``+``, which is a key itself: ``ctrl++``."""
    if text in {"", "+"}:
        return [text]
    if text.endswith("++"):
        return [*text[:-2].split("+"), "+"]
    return text.split("+")


def _modifier(word: str, text: str) -> str:
    name = _MODIFIERS.get(word.strip().lower())
    if name is None:
        raise ValueError(f"{text!r} is no key: {word!r} is no modifier; use ctrl, shift, alt or super")
    return name
