"""Esc, Ctrl+C and the frame: each leaves what it is meant to leave, and nothing else."""

from __future__ import annotations

from helpers import form, question
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from surface import surface

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MANY = form(question("q", *[f"value-{number}" for number in range(20)]))


def hold(widget: QWidget, key: Qt.Key, times: int = 5) -> None:
    for number in range(times):
        press = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, "", autorep=number > 0)
        QApplication.sendEvent(widget.window().focusWidget(), press)


async def test_a_held_esc_in_an_editor_closes_the_editor_and_no_more() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("customRow:q")
        QTest.keyClicks(desk.editor("custom:q"), "draft")
        hold(desk.window, KEY.Key_Escape)
        assert desk.notice() == ""
        assert not task.done()
        desk.press(KEY.Key_Escape)
        assert desk.notice()
        hold(desk.window, KEY.Key_Escape, 1)
        assert (await task).outcome == "cancelled"


async def test_a_double_esc_on_an_untouched_form_cancels_it_once() -> None:
    async with surface() as desk:
        first, second = await desk.ask(form(title="one")), await desk.ask(form(title="two"))
        desk.press(KEY.Key_Escape)
        assert (await first).outcome == "cancelled"
        assert not second.done()
        desk.press(KEY.Key_Escape)
        assert (await second).outcome == "cancelled"


async def test_esc_in_the_filter_empties_it_then_goes_back_to_the_list() -> None:
    async with surface() as desk:
        task = await desk.ask(MANY)
        field = desk.find("filter:q")
        field.setFocus()
        QTest.keyClicks(field, "value 1")
        QTest.keyClick(field, KEY.Key_Escape)
        assert field.property("text") == ""
        assert desk.has_keyboard(field)
        QTest.keyClick(field, KEY.Key_Escape)
        assert desk.has_keyboard(desk.find("option:q:value-1"))
        assert not task.done()
        desk.click("cancel")
        await task


async def test_digits_and_letters_in_the_filter_choose_nothing() -> None:
    async with surface() as desk:
        task = await desk.ask(MANY)
        field = desk.find("filter:q")
        field.setFocus()
        QTest.keyClicks(field, "1 n t 9")
        assert field.property("text") == "1 n t 9"
        assert not desk.button("option:q:value-0").isChecked()
        desk.click("cancel")
        await task


async def test_ctrl_c_copies_what_is_selected_and_leaves_nothing() -> None:
    async with surface() as desk:
        task = await desk.ask(form(question("q", prompt="Copy me")))
        prompt = desk.editor("prompt:q")
        prompt.selectAll()
        desk.press(KEY.Key_C, modifiers=CTRL)
        assert QGuiApplication.clipboard().text() == "Copy me"
        assert not task.done()
        desk.click("customRow:q")
        editor = desk.editor("custom:q")
        QTest.keyClicks(editor, "own")
        editor.selectAll()
        prompt.moveCursor(prompt.textCursor().MoveOperation.Start)
        desk.press(KEY.Key_C, modifiers=CTRL)
        assert QGuiApplication.clipboard().text() == "own"
        assert desk.notice() == ""
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        desk.press(KEY.Key_C, modifiers=CTRL)
        assert desk.notice()
        desk.press(KEY.Key_C, modifiers=CTRL)
        assert (await task).outcome == "cancelled"


async def test_keys_work_while_the_prompt_has_the_keyboard() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.find("prompt:q").setFocus()
        desk.press("N", modifiers=SHIFT)
        assert desk.editor("note:q").isVisible()
        desk.press(KEY.Key_Escape, "2")
        assert desk.button("option:q:b").isChecked()
        desk.click("submit")
        await task


async def test_closing_the_settings_never_ends_the_form() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("option:q:a")
        dialog = desk.provider.show_settings(desk.window)
        QTest.keyClick(dialog, KEY.Key_Escape)
        assert not task.done()
        assert desk.notice() == ""
        desk.click("submit")
        assert (await task).outcome == "answered"
