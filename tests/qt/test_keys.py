"""Keys go by what they write, by where they are, and by the names in the keymaps."""

from __future__ import annotations

import pytest
from helpers import form, question
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from surface import surface

from pi_ask import AskConfig
from pi_ask.config.document import with_setting
from pi_ask.config.keymaps import parse_key
from pi_ask.state.actions import CancelForm, CloseEditor, OpenEditor
from pi_ask.state.form import Editor, EditorKind
from pi_ask.state.normalize import read_form
from pi_ask.state.transitions import open_form, reduce
from pi_ask_qt.keys import key_names
from pi_ask_qt.views.keys import Command, action_for

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
        (press(0x0130, SHIFT, "İ"), ("shift+i",)),
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
        assert desk.has_keyboard(desk.editor("optionNote:q:a"))
        desk.press(KEY.Key_Escape)
        desk.click("cancel")
        await task


def test_a_key_that_writes_is_text_in_an_editor_and_another_has_its_action() -> None:
    config = AskConfig()
    for place, key in (("global.settings", "f1"), ("editor.close", ["q", "f2"]), ("editor.submit", ["shift+s", "+"])):
        config = with_setting(config, f"keymaps.{place}", key)
    state = reduce(open_form(read_form(form()).questions), OpenEditor(Editor(EditorKind.CUSTOM, "q")))
    assert state.editing is not None
    for key in ("q", "shift+s", "+", "space", "shift+space", "5"):
        assert action_for(key, state, config) is None
    assert action_for("f1", state, config) is Command.SETTINGS
    assert action_for("f2", state, config) == CloseEditor()
    assert action_for("ctrl+c", state, config) == CancelForm()


async def test_the_keypad_chooses_and_confirms() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        for key, text in ((KEY.Key_2, "2"), (KEY.Key_Enter, "\r"), (KEY.Key_Enter, "\r")):
            QApplication.sendEvent(desk.window.focusWidget(), press(key, MODIFIER.KeypadModifier, text))
        assert (await task).details.answers["q"].values == ("b",)


async def test_a_keymap_that_names_tab_for_a_step_wins_in_the_list_and_nowhere_else() -> None:
    keymaps = AskConfig().keymaps.to_wire()
    keymaps["main"].update(nextTab=["tab"], previousTab=["shift+tab"])
    config = AskConfig.model_validate({"keymaps": keymaps, "desktop": {"inputGuardMs": 0}})
    async with surface(config) as desk:
        task = await desk.ask(form(question("q"), question("r")))
        desk.press(KEY.Key_Tab)
        assert desk.find("question:r").isVisible()
        QApplication.sendEvent(desk.window.focusWidget(), press(KEY.Key_Backtab, SHIFT, ""))
        assert desk.find("question:q").isVisible()
        desk.find("submit").setFocus()
        desk.press(KEY.Key_Tab)
        assert desk.find("question:q").isVisible()
        desk.click("cancel")
        await task
