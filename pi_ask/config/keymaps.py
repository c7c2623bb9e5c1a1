"""The names of keys, and the rule that a key means one thing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pi_ask.errors import ConfigError
from pi_ask.state.raw import field, is_list, kind_of, shown

Keymap = Mapping[str, tuple[str, ...]]
"""The keys of every action of one context."""

ABSENT: Any = object()
"""Stands for a field that is not there; ``null`` is there."""

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
    "pgup": "pageUp",
    "pagedown": "pageDown",
    "pgdn": "pageDown",
    "plus": "+",
    **{f"f{number}": f"f{number}" for number in range(1, 36)},
}
_DIGITS = frozenset("0123456789")
_WRITTEN = frozenset("LNPS")
"""The first letters of the Unicode categories of what a key writes by itself."""


class KeyNameError(ConfigError, ValueError):
    """There is no such key, or it cannot be chosen; the message says what to change."""


def parse_key(text: str) -> str:
    """Return the canonical name of a key: ``Control+C`` is ``ctrl+c``, ``N`` is ``shift+n``, ``shift+?`` is ``?``.

    Raises:
        KeyNameError: there is no such key, or it is a digit.
    """
    *words, last = _parts(unicodedata.normalize("NFC", "".join(text.split())))
    held = {_modifier(word, text) for word in words}
    name = _NAMES.get(last.lower()) or _character(last, text)
    letter = name.lower()[:1]
    if len(name) == 1 and letter != name:
        held |= set() if held else {"shift"}  # people write Ctrl+C and mean no Shift
        name = letter
    if len(name) == 1 and not name.isalpha():
        held.discard("shift")  # a symbol is its own key, whatever a layout wants to be held down for it
    return "+".join([*(word for word in _ORDER if word in held), name])


def read_keys(value: Any) -> tuple[str, ...]:
    """Return the canonical names of a key or a list of keys, each once.

    Raises:
        KeyNameError: it is no key or list of keys, or there is none.
    """
    keys = (value,) if isinstance(value, str) else value
    if not is_list(keys) or not all(isinstance(key, str) for key in keys):
        raise KeyNameError('give a key such as "enter" or a list of keys')
    if not keys:
        raise KeyNameError("give at least one key")
    return tuple(dict.fromkeys(parse_key(key) for key in keys))


def lookup(keymap: Keymap) -> dict[str, str]:
    """Return the action of every key of one context."""
    return {key: action for action, keys in keymap.items() for key in keys}


def repeated_keys(contexts: Mapping[str, Keymap]) -> Iterator[tuple[str, str]]:
    """Yield place and problem where a key means two things: within a context, or in ``global`` and another.

    The settings dialog is a window of its own; it may use the keys of ``global`` again.
    """
    everywhere = {key: f"global.{action}" for key, action in lookup(contexts.get("global", {})).items()}
    for context, keymap in contexts.items():
        owners = {} if context in {"global", "settingsModal"} else dict(everywhere)
        for action, keys in keymap.items():
            place = f"{context}.{action}"
            yield from ((place, f"{key} is already {owners[key]}") for key in keys if key in owners)
            owners.update(dict.fromkeys(keys, place))


def keymap_problems(raw: Any, actions: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Yield place and problem of everything that is wrong with the keymaps of a file; ``actions``: all, by context."""
    if not isinstance(raw, Mapping):
        yield "keymaps", f"must be an object, not {kind_of(raw)}"
        return
    contexts: dict[str, dict[str, tuple[str, ...]]] = {}
    for context, names in actions.items():
        given, keymap = field(raw, context, ABSENT), contexts.setdefault(context, {})
        if given is ABSENT:
            yield f"keymaps.{context}", "is missing; give it with all its actions"
        elif not isinstance(given, Mapping):
            yield f"keymaps.{context}", f"must be an object, not {kind_of(given)}"
        else:
            yield from ((f"keymaps.{context}.{name}", problem) for name, problem in _read(given, names, keymap))
    yield from ((f"keymaps.{place}", problem) for place, problem in repeated_keys(contexts))


def _read(
    given: Mapping[str, Any], names: Iterable[str], keymap: dict[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Put what is right into ``keymap``; yield action and problem of what is not."""
    for name in names:
        value = field(given, name, ABSENT)
        if value is ABSENT:
            yield name, "is missing; give it a key"
            continue
        try:
            keymap[name] = read_keys(value)
        except KeyNameError as error:
            yield name, str(error)


def _character(name: str, text: str) -> str:
    if name in _DIGITS:
        raise KeyNameError(f"{shown(text)} is a digit; digits choose options and cannot mean anything else")
    if len(name) != 1 or unicodedata.category(name)[0] not in _WRITTEN:
        raise KeyNameError(f"{shown(text)} is no key; use names such as enter, esc, space, f2, n, shift+n or ctrl+tab")
    return name


def _parts(text: str) -> list[str]:
    """Split at ``+``, which is a key itself: ``ctrl++``."""
    if text in {"", "+"}:
        return [text]
    if text.endswith("++"):
        return [*text[:-2].split("+"), "+"]
    return text.split("+")


def _modifier(word: str, text: str) -> str:
    name = _MODIFIERS.get(word.lower())
    if name is None:
        raise KeyNameError(f"{shown(text)} is no key: {shown(word)} is no modifier; use ctrl, shift, alt or super")
    return name
