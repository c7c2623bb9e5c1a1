"""The names of keys, as the keymaps spell them, from Qt's key events."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_K = Qt.Key
_NAMES = {
    _K.Key_Return: "enter",
    _K.Key_Enter: "enter",
    _K.Key_Escape: "esc",
    _K.Key_Space: "space",
    _K.Key_Tab: "tab",
    _K.Key_Backtab: "tab",
    _K.Key_Up: "up",
    _K.Key_Down: "down",
    _K.Key_Left: "left",
    _K.Key_Right: "right",
    _K.Key_Home: "home",
    _K.Key_End: "end",
    _K.Key_PageUp: "pageUp",
    _K.Key_PageDown: "pageDown",
    _K.Key_Backspace: "backspace",
    _K.Key_Delete: "delete",
    _K.Key_Insert: "insert",
    **{getattr(_K, f"Key_F{number}"): f"f{number}" for number in range(1, 36)},
}
_MODIFIERS = (
    (Qt.KeyboardModifier.ControlModifier, "ctrl"),
    (Qt.KeyboardModifier.ShiftModifier, "shift"),
    (Qt.KeyboardModifier.AltModifier, "alt"),
    (Qt.KeyboardModifier.MetaModifier, "super"),
)
# The letters of a Latin keyboard by the codes of their keys, as X and Wayland give them (evdev's plus 8).
_PLACES = {
    first + index: letter
    for first, row in ((24, "qwertyuiop"), (38, "asdfghjkl"), (52, "zxcvbnm"))
    for index, letter in enumerate(row)
}
_CODES = frozenset(key.value for key in Qt.Key)
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def key_name(event: QKeyEvent) -> str:
    """Return the name of the key that was pressed, with its modifiers; ``""`` for one without a name."""
    name = _NAMES.get(Qt.Key(event.key())) or _character(event)
    if not name:
        return ""
    modifiers = event.modifiers()
    # A symbol such as ? is its own key, whatever a layout wants to be held down for it.
    is_symbol = len(name) == 1 and not name.isalpha()
    held = [word for flag, word in _MODIFIERS if modifiers & flag and not (word == "shift" and is_symbol)]
    return "+".join([*held, name])


def key_names(event: QKeyEvent) -> tuple[str, ...]:
    """Return the names that a key press can go by: what it writes and, on a non-Latin layout, where the key is.

    So ``n`` opens a note where that key writes ``т``, unless ``т`` means something itself.
    """
    name, place = key_name(event), _PLACES.get(event.nativeScanCode(), "")
    letter = name.rpartition("+")[2]
    if not place or len(letter) != 1 or letter.isascii() or not letter.isalpha():
        return (name,) if name else ()
    return (name, name.removesuffix(letter) + place)


def key_of(name: str) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    """Return the key that goes by ``name`` and what is held down with it; the inverse of :func:`key_name`.

    Raises:
        ValueError: no key has this name.
    """
    held = Qt.KeyboardModifier.NoModifier
    rest = name
    for flag, word in _MODIFIERS:
        if rest.startswith(f"{word}+"):
            held, rest = held | flag, rest.removeprefix(f"{word}+")
    named = next((key for key, its in _NAMES.items() if its == rest), None)
    if named is None and len(rest) == 1 and rest.isprintable():
        named = Qt.Key(ord(rest.upper())) if ord(rest.upper()) in _CODES else None
    if named is None:
        raise ValueError(f"there is no key {name!r}")
    if named is _K.Key_Tab and held & Qt.KeyboardModifier.ShiftModifier:
        return _K.Key_Backtab, held
    return named, held


def _character(event: QKeyEvent) -> str:
    text = event.text()
    if event.modifiers() & _COMMANDS or not (len(text) == 1 and text.isprintable()):
        key = event.key()
        text = chr(key) if 0x20 < key < 0x110000 and not key >= 0x1000000 else ""  # noqa: PLR2004 - Qt's own keys
    return text.lower()[:1] if len(text) == 1 and text.isprintable() else ""
