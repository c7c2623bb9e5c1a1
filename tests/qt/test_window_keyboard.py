"""The keyboard is where it is seen: no key acts on anything else, and no click is lost on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from helpers import form, question, until
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from surface import Surface, surface

from pi_ask_qt.testing import AskDesk

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TWO = form(question("q", "a", "b", "c"), question("r"), title="Two things")
LONG = form(question("q", *[f"v{number}" for number in range(15)]))
ENTER_OR_SPACE = pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Enter, KEY.Key_Space])


async def leave(desk: Surface, task: Any) -> None:
    desk.click("cancel")
    if not task.done() and any(window.isVisible() for window in desk.provider.windows):
        desk.click("cancel")
    await task


def tab_to(desk: Surface, name: str, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for _ in range(40):
        if desk.window.focusWidget() is desk.find(name):
            return
        desk.press(KEY.Key_Tab, modifiers=modifiers)
    raise AssertionError(f"Tab does not reach {name}")


@contextmanager
def small(desk: Surface) -> Iterator[None]:
    """Make the window small for a while; the size that it has at its end is remembered."""
    size = desk.window.size()
    desk.window.resize(500, 420)
    yield
    desk.window.resize(size)


async def a_moment() -> None:
    """Let Qt do what is due."""
    for _ in range(5):
        await asyncio.sleep(0)


async def press_slowly(widget: QWidget) -> None:
    """Press and release as a hand does: the window has time to move things in between."""
    place = QPointF(widget.rect().center())
    where = widget.mapToGlobal(place)
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    widget.setFocus(Qt.FocusReason.MouseFocusReason)
    for kind, buttons in ((QEvent.Type.MouseButtonPress, left), (QEvent.Type.MouseButtonRelease, none)):
        at = widget.mapFromGlobal(where)
        event = QMouseEvent(kind, at, where, left, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(widget, event)
        await a_moment()


@ENTER_OR_SPACE
async def test_keys_on_next_go_on_although_cancel_had_the_keyboard_before(key: Qt.Key) -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        tab_to(desk, "cancel")
        tab_to(desk, "next", SHIFT)
        desk.press(key)
        assert not task.done()
        assert desk.find("question:r").isVisible()
        await leave(desk, task)


async def test_enter_on_the_prompt_does_not_submit_although_submit_had_the_keyboard_before() -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        tab_to(desk, "submit")
        tab_to(desk, "prompt:q")
        desk.press(KEY.Key_Return)
        assert not task.done()
        assert desk.editor("custom:q").hasFocus()  # Tab went over its row last
        await leave(desk, task)


@ENTER_OR_SPACE
async def test_keys_on_a_row_of_review_go_to_its_question(key: Qt.Key) -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        desk.press(KEY.Key_Right, KEY.Key_Right)
        tab_to(desk, "review:0")
        desk.press(key)
        assert not task.done()
        assert desk.find("question:q").isVisible()
        await leave(desk, task)


@ENTER_OR_SPACE
async def test_keys_on_the_steps_neither_choose_nor_submit(key: Qt.Key) -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        for steps in (0, 2):
            desk.press(*[KEY.Key_Right] * steps)
            tab_to(desk, "tabs")
            desk.press(key)
            assert not task.done()
        desk.press(KEY.Key_Left, KEY.Key_Left)
        assert not desk.button("option:q:a").isChecked()
        await leave(desk, task)


@ENTER_OR_SPACE
async def test_keys_on_add_a_note_open_the_note_although_an_editor_was_open(key: Qt.Key) -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("customRow:q")
        QTest.keyClicks(desk.editor("custom:q"), "mine")
        tab_to(desk, "addNote:q")
        desk.press(key)
        assert desk.editor("note:q").hasFocus()
        assert desk.editor("custom:q").toPlainText() == "mine"
        await leave(desk, task)


@pytest.mark.parametrize(("opens", "closes"), [("shift+n", "esc"), ("shift+n", "enter"), ("n", "esc"), ("n", "enter")])
async def test_a_note_that_stays_empty_gives_the_keyboard_back_to_its_row(
    ask_desk: AskDesk, opens: str, closes: str
) -> None:
    driver = await ask_desk.ask(TWO)
    driver.press("down", opens, closes)
    assert driver.window.focusWidget().objectName() == "option:q:b"
    driver.press("space").submit()
    assert (await driver.result()).answers["q"].values == ("b",)


async def test_another_form_that_arrives_leaves_the_keyboard_on_a_button() -> None:
    async with surface() as desk:
        first = await desk.ask(TWO)
        tab_to(desk, "submit")
        tab_to(desk, "next", SHIFT)
        second = await desk.ask(form())
        assert desk.window.focusWidget() is desk.find("next")
        await leave(desk, first)
        await leave(desk, second)


async def test_a_digit_chooses_wherever_the_keyboard_is() -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        tab_to(desk, "cancel")
        tab_to(desk, "next", SHIFT)
        desk.press("2")
        assert desk.button("option:q:b").isChecked()
        await leave(desk, task)


async def test_a_slow_click_arrives_although_an_empty_editor_above_it_closes() -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        desk.press("n")
        await a_moment()
        assert desk.editor("optionNote:q:a").hasFocus()
        await press_slowly(desk.find("option:q:c"))
        assert desk.button("option:q:c").isChecked()
        assert desk.window.focusWidget() is desk.find("option:q:c")
        await leave(desk, task)


async def test_a_press_that_ends_beside_the_row_moves_the_focus_and_chooses_nothing() -> None:
    async with surface() as desk:
        task = await desk.ask(TWO)
        row = desk.find("option:q:b")
        row.setFocus(Qt.FocusReason.MouseFocusReason)
        QTest.mousePress(row, Qt.MouseButton.LeftButton)
        QTest.mouseRelease(row, Qt.MouseButton.LeftButton, pos=row.rect().bottomRight() + row.rect().bottomRight())
        assert not desk.button("option:q:b").isChecked()
        desk.press(KEY.Key_Space)
        assert desk.button("option:q:b").isChecked()
        await leave(desk, task)


async def test_a_required_question_is_asked_for_once_by_mouse() -> None:
    async with surface() as desk:
        task = await desk.ask(form(question("q", required=True)))
        for _ in range(2):
            assert not task.done()
            await press_slowly(desk.find("submit"))
        assert (await task).details.answers == {}


async def test_blanks_that_do_not_break_arrive_as_they_were_typed() -> None:
    typed = "20\u00a0000\u202f€"
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("customRow:q")
        editor = desk.editor("custom:q")
        editor.insertPlainText(typed)
        QTest.keyClick(editor, KEY.Key_Return, SHIFT)
        QTest.keyClicks(editor, "more")
        desk.click("submit")
        assert (await task).details.answers["q"].custom_text == f"{typed}\nmore"


async def test_text_with_such_blanks_keeps_its_caret_when_the_window_is_drawn() -> None:
    async with surface() as desk:
        first = await desk.ask(form())
        desk.click("customRow:q")
        editor = desk.editor("custom:q")
        editor.insertPlainText("20\u00a0000")
        editor.moveCursor(editor.textCursor().MoveOperation.Start)
        second = await desk.ask(form())
        assert editor.textCursor().position() == 0
        await leave(desk, first)
        await leave(desk, second)


async def test_ctrl_f_goes_to_the_filter_and_enter_back_to_the_row_that_is_marked() -> None:
    async with surface() as desk:
        task = await desk.ask(LONG)
        desk.press("f", modifiers=CTRL)
        field = desk.find("filter:q")
        assert field.hasFocus()
        QTest.keyClicks(field, "v1")
        desk.press(KEY.Key_Return)
        assert desk.window.focusWidget() is desk.find("option:q:v1")
        desk.press(KEY.Key_Down, KEY.Key_Return, KEY.Key_Return)
        assert (await task).details.answers["q"].values == ("v10",)


async def test_an_editor_that_opens_is_scrolled_to() -> None:
    async with surface() as desk:
        task = await desk.ask(LONG)
        with small(desk):
            desk.press("N", modifiers=SHIFT)
            note = desk.editor("note:q")
            await until(lambda: note.visibleRegion().boundingRect().height() == note.height())
        await leave(desk, task)


async def test_focus_by_the_mouse_says_nothing_before_the_button_is_released() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.press("n")
        editor = desk.editor("optionNote:q:a")
        QApplication.sendEvent(desk.find("submit"), QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
        assert editor.isVisible()
        await leave(desk, task)


def tabbed(desk: Surface) -> list[str]:
    """Return the names of everything that Tab goes through, from the steps on."""
    tab_to(desk, "tabs")
    names: list[str] = []
    while not names or desk.window.focusWidget() is not desk.find("tabs"):
        names.append(focused(desk))
        desk.press(KEY.Key_Tab)
        assert len(names) < 40
    return names


def focused(desk: Surface) -> str:
    widget = desk.window.focusWidget()
    assert widget is not None
    return widget.objectName()


async def test_tab_goes_through_everything_in_the_order_in_which_it_is_seen() -> None:
    ways_out = ["cancel", "elaborate", "submit"]
    preview = {"id": "p", "prompt": "?", "type": "preview", "options": [{"value": "x", "preview": "text"}]}
    async with surface() as desk:
        task = await desk.ask(form(question("q"), preview))
        rows = ["option:q:a", "option:q:b", "customRow:q", "addNote:q"]
        assert tabbed(desk) == ["tabs", "next", "prompt:q", *rows, *ways_out]
        desk.click("customRow:q")
        QTest.keyClicks(desk.editor("custom:q"), "mine")
        assert tabbed(desk) == ["tabs", "next", "prompt:q", *rows[:3], "custom:q", "addNote:q", *ways_out]
        desk.click("next")
        beside = ["wrap:p", "preview:p"]  # there is nothing to copy while the row for own text is in focus
        rows = ["option:p:x", "customRow:p", "addNote:p"]
        assert tabbed(desk) == ["tabs", "previous", "next", "prompt:p", *rows, *beside, *ways_out]
        desk.click("next")
        assert tabbed(desk) == ["tabs", "previous", "review:0", "review:1", *ways_out]
        desk.click("previous")
        desk.click("previous")
        assert tabbed(desk)[:4] == ["tabs", "next", "prompt:q", "option:q:a"]
        await leave(desk, task)
