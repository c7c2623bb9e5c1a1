"""Keys go by what they write, by where they are, and by the names in the keymaps."""

from __future__ import annotations

import pytest
from helpers import form
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from surface import surface

from pi_ask.config.keymaps import parse_key
from pi_ask_qt.keys import key_names

KEY, MODIFIER = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CTRL, ALT = (
    MODIFIER.NoModifier,
    MODIFIER.ShiftModifier,
    MODIFIER.ControlModifier,
    MODIFIER.AltModifier,
)


def press(key: int, modifiers: Qt.KeyboardModifier, text: str, code: int = 0) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, code, 0, 0, text)


@pytest.mark.parametrize(
    ("event", "names"),
    [
        (press(KEY.Key_N, NONE, "n"), ("n",)),
        (press(KEY.Key_N, SHIFT, "N"), ("shift+n",)),
        (press(KEY.Key_N, NONE, "N"), ("n",)),  # Caps Lock
        (press(KEY.Key_Question, SHIFT, "?"), ("?",)),
        (press(KEY.Key_C, CTRL, "\x03"), ("ctrl+c",)),
        (press(KEY.Key_Tab, CTRL, ""), ("ctrl+tab",)),
        (press(KEY.Key_Backtab, CTRL | SHIFT, ""), ("ctrl+shift+tab",)),
        (press(KEY.Key_Enter, MODIFIER.KeypadModifier, "\r"), ("enter",)),
        (press(KEY.Key_5, MODIFIER.KeypadModifier, "5"), ("5",)),
        (press(KEY.Key_1, SHIFT, "1"), ("1",)),  # a layout on which digits want Shift
        (press(KEY.Key_F7, ALT, ""), ("alt+f7",)),
        (press(0x0422, NONE, "т", 57), ("т", "n")),
        (press(0x0421, CTRL, "", 54), ("ctrl+с", "ctrl+c")),
        (press(KEY.Key_Shift, SHIFT, ""), ()),
        (press(KEY.Key_AltGr, NONE, ""), ()),
    ],
)
def test_a_key_has_the_names_of_the_keymaps(event: QKeyEvent, names: tuple[str, ...]) -> None:
    assert key_names(event) == names
    assert tuple(parse_key(name) for name in names if not name.isdigit()) == tuple(
        name for name in names if not name.isdigit()
    )


async def test_a_letter_of_another_alphabet_is_found_by_its_place() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        QApplication.sendEvent(desk.find("option:q:a"), press(0x0422, NONE, "т", 57))
        assert desk.editor("optionNote:q:a").hasFocus()
        desk.press(KEY.Key_Escape)
        desk.click("cancel")
        await task


async def test_the_keypad_chooses_and_confirms() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        for key, text in ((KEY.Key_2, "2"), (KEY.Key_Enter, "\r"), (KEY.Key_Enter, "\r")):
            QApplication.sendEvent(desk.window.focusWidget(), press(key, MODIFIER.KeypadModifier, text))
        assert (await task).details.answers["q"].values == ("b",)
