"""A person answers in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asking import Record
from helpers import form, question, until
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QFont, QInputMethodEvent, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QTabBar, QWidget
from surface import surface

from pi_ask import AskConfig
from pi_ask.models import Requester
from pi_ask_qt import QtAskProvider
from pi_ask_qt.testing import AskDesk, AskDriver
from pi_ask_qt.views.window import RowView
from pi_ask_qt.widgets import rows
from pi_ask_qt.widgets.faces import Face, lay_out_row
from pi_ask_qt.widgets.labels import OpeningLabel

KEY = Qt.Key
PREVIEWS = {
    "id": "p",
    "prompt": "Which?",
    "type": "preview",
    "options": [{"value": "x", "preview": "- old\n+ new"}, {"value": "y", "preview": "<b>bold</b>"}],
}
THREE = form(question("q"), question("r", "a", "b", "c", type="multi"), PREVIEWS, title="Three things")


async def answers(task: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await task).details.to_wire()["answers"]
    return found


async def test_clicks_choose_and_submit() -> None:
    async with surface() as desk:
        task = await desk.ask(THREE)
        desk.click("option:q:b")
        desk.click("next")
        desk.click("option:r:c")
        desk.click("option:r:a")
        desk.click("next")
        desk.click("option:p:y")
        desk.click("submit")
        found = await answers(task)
    assert {id_: answer["values"] for id_, answer in found.items()} == {"q": ["b"], "r": ["a", "c"], "p": ["y"]}


async def test_nothing_is_chosen_and_no_button_is_the_default() -> None:
    async with surface() as desk:
        task = await desk.ask(THREE)
        assert not any(desk.button(name).isChecked() for name in ("option:q:a", "option:q:b", "customRow:q"))
        buttons = desk.window.findChildren(QPushButton)
        assert not any(button.isDefault() or button.autoDefault() for button in buttons)
        assert desk.window.focusWidget() is desk.find("option:q:a")
        desk.click("cancel")
        assert (await task).details.cancelled


async def test_keys_answer_a_form_from_start_to_end(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(THREE)
    driver.press("down", "enter").press("1", "3", "enter").press("space", "enter").press("1", "1")
    found = (await driver.result()).answers
    assert {id_: answer.values for id_, answer in found.items()} == {"q": ("b",), "r": ("a", "c"), "p": ("x",)}


async def test_with_one_question_enter_moves_to_submit_and_enter_submits(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    assert driver.window.findChild(QWidget, "tabs") is None
    driver.press("enter")
    assert driver.window.focusWidget().objectName() == "submit"
    driver.press("enter")
    assert (await driver.result()).answers["q"].values == ("a",)


async def test_own_text_is_typed_in_place() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("customRow:q")
        editor = desk.editor("custom:q")
        assert desk.has_keyboard(editor)
        QTest.keyClicks(editor, "15:00 t n 1")
        assert desk.button("customRow:q").isChecked()
        QTest.keyClick(editor, KEY.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(editor, "more")
        desk.press(KEY.Key_Return)
        desk.press(KEY.Key_Return)
        assert (await answers(task))["q"]["customText"] == "15:00 t n 1\nmore"


async def test_two_ticks_and_own_text_all_arrive(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form(question("q", "a", "b", "c", type="multi")))
    driver.choose("q", "a", "c").type("q", "and mine").submit()
    assert (await driver.result()).answers["q"].values == ("a", "c", "and mine")


async def test_300_words_stay_when_another_option_is_taken(ask_desk: AskDesk) -> None:
    words = "word " * 300
    driver = await ask_desk.ask(THREE)
    driver.type("q", words).press("up", "enter")
    shown = driver.go_to("q").screen.question
    assert shown is not None
    assert (shown.own_text, shown.own_text_counts) == (words, False)
    driver.submit()
    assert (await driver.result()).answers["q"].values == ("b",)


async def test_each_question_keeps_its_own_text_back_and_forth(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(THREE)
    driver.type("q", "one").type("r", "two")
    for id_, text in (("q", "one"), ("r", "two")):
        shown = driver.go_to(id_).screen.question
        assert shown is not None
        assert shown.own_text == text
    found = (await driver.submit().result()).answers
    assert (found["q"].custom_text, found["r"].custom_text) == ("one", "two")


async def test_notes_on_options_and_questions_are_written_with_n_and_shift_n() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.press("n")
        QTest.keyClicks(desk.editor("optionNote:q:a"), "on a")
        desk.press(KEY.Key_Return)
        desk.press("N", modifiers=Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(desk.editor("note:q"), "on q")
        desk.press(KEY.Key_Escape)
        desk.press("1")
        desk.click("submit")
        found = await answers(task)
    assert found["q"]["note"] == "on q"
    assert found["q"]["optionNotes"] == {"a": "on a"}


async def test_elaborate_sends_every_note(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    result = await driver.note("q", "why?", option="a").elaborate().result()
    assert result.mode == "elaborate"
    assert result.elaboration is not None
    assert [item.note for item in result.elaboration.items] == ["why?"]


async def test_the_preview_follows_the_option_in_focus() -> None:
    async with surface() as desk:
        task = await desk.ask(form(PREVIEWS))
        assert desk.editor("preview:p").toPlainText() == "- old\n+ new"
        desk.press(KEY.Key_Down)
        assert desk.editor("preview:p").toPlainText() == "<b>bold</b>"
        desk.click("cancel")
        await task


async def test_a_click_on_the_steps_goes_there() -> None:
    async with surface() as desk:
        task = await desk.ask(THREE)
        tabs = desk.find("tabs")
        assert isinstance(tabs, QTabBar)
        assert [tabs.tabText(index) for index in range(tabs.count())] == ["Q1", "Q2", "Q3", "Review"]
        QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(3).center())
        assert desk.find("review").isVisible()
        desk.click("review:1")
        assert desk.find("question:r").isVisible()
        desk.click("cancel")
        await task


async def test_a_required_question_is_named_and_a_second_press_submits(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form(question("q", required=True, label="Target"), question("r")))
    driver.submit(insist=False)
    assert "Target" in driver.screen.notice
    driver.submit(insist=False)
    assert (await driver.result()).answers == {}


@pytest.mark.parametrize(
    "leave",
    [
        lambda driver: driver.press("esc"),
        lambda driver: driver.cancel(insist=False),
        lambda driver: driver.window.close(),
        lambda driver: driver.press("ctrl+c"),
    ],
    ids=["escape", "button", "frame", "ctrl+c"],
)
async def test_leaving_a_dirty_form_asks_for_it_twice(ask_desk: AskDesk, leave: Callable[[AskDriver], object]) -> None:
    record = Record(ask_desk.pi)
    driver = await ask_desk.ask(form())
    leave(driver.choose("q", "a"))
    assert driver.screen.notice
    assert driver.window.isVisible()
    leave(driver)
    assert (await driver.call).outcome == "cancelled"
    assert len(record.completed) == 1


async def test_closing_an_untouched_window_by_its_frame_cancels(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    driver.window.close()
    assert (await driver.call).outcome == "cancelled"


async def test_esc_in_an_editor_keeps_the_draft_and_the_next_asks() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("customRow:q")
        QTest.keyClicks(desk.editor("custom:q"), "draft")
        desk.press(KEY.Key_Escape)
        assert desk.editor("custom:q").toPlainText() == "draft"
        desk.press(KEY.Key_Escape)
        assert desk.notice()
        desk.press(KEY.Key_Escape)
        assert (await task).outcome == "cancelled"


async def test_t_changes_the_type_and_the_role_of_the_rows() -> None:
    async with surface() as desk:
        task = await desk.ask(form(question("q", "a", "b")))
        assert role(desk.find("option:q:a")) == QAccessible.Role.RadioButton
        desk.press("t")
        assert role(desk.find("option:q:a")) == QAccessible.Role.CheckBox
        desk.press("12")
        desk.click("submit")
        details = (await task).details
    assert details.questions[0].presented_type == "multi"
    assert details.answers["q"].values == ("a", "b")


def role(widget: QWidget) -> QAccessible.Role:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface.role()


async def test_labels_are_plain_and_make_no_shortcuts() -> None:
    labels = ["<b>x</b> R&D", "&Yes", "<user@example.org>", "_under_"]
    options = [{"value": str(number), "label": label} for number, label in enumerate(labels)]
    async with surface() as desk:
        task = await desk.ask(form({"id": "q", "prompt": "<i>?</i>", "options": options}, title="<h1>R&D</h1>"))
        for number, label in enumerate(labels):
            button = desk.button(f"option:q:{number}")
            assert button.text() == label
            assert button.shortcut().isEmpty()
            interface = QAccessible.queryAccessibleInterface(button)
            assert interface is not None
            assert interface.text(QAccessible.Text.Name) == label
        assert desk.editor("prompt:q").toPlainText() == "<i>?</i>"
        assert desk.window.windowTitle().startswith("<h1>R&D</h1>")
        desk.click("cancel")
        await task


async def test_hidden_characters_are_made_visible() -> None:
    options = [{"value": "a", "label": "rm -rf /home\u202egnp.txt"}, {"value": "b", "label": "saf\u200be"}]
    async with surface() as desk:
        task = await desk.ask(form({"id": "q", "prompt": "x\u202ey", "label": "l\u200b", "options": options}))
        assert desk.button("option:q:a").text() == "rm -rf /home⟦U+202E⟧gnp.txt"
        assert desk.button("option:q:b").text() == "saf⟦U+200B⟧e"
        assert desk.editor("prompt:q").toPlainText() == "x⟦U+202E⟧y"
        desk.click("option:q:a")
        desk.click("submit")
        assert (await task).details.answers["q"].labels == ("rm -rf /home\u202egnp.txt",)


async def test_a_held_key_acts_once() -> None:
    async with surface() as desk:
        task = await desk.ask(form(question("q", type="multi")))
        row = desk.find("option:q:a")
        for held in (False, True, True):
            press = QKeyEvent(QKeyEvent.Type.KeyPress, KEY.Key_Space, Qt.KeyboardModifier.NoModifier, " ", autorep=held)
            QApplication.sendEvent(row, press)
        assert desk.button("option:q:a").isChecked()
        desk.click("submit")
        await task


async def test_enter_belongs_to_the_input_method_while_it_composes() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("customRow:q")
        editor = desk.editor("custom:q")
        QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
        QTest.keyClick(editor, KEY.Key_Return)
        assert editor.isVisible()
        assert desk.has_keyboard(editor)
        QApplication.sendEvent(editor, QInputMethodEvent("", []))
        desk.press(KEY.Key_Escape)
        desk.click("cancel")
        await task


async def test_the_wheel_over_the_steps_changes_nothing() -> None:
    async with surface() as desk:
        task = await desk.ask(THREE)
        tabs = desk.find("tabs")
        middle = QPointF(tabs.rect().center())
        wheel = QWheelEvent(
            middle,
            tabs.mapToGlobal(middle),
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,  # noqa: FBT003 - Qt takes it by place
        )
        QApplication.sendEvent(tabs, wheel)
        assert desk.find("question:q").isVisible()
        desk.click("cancel")
        await task


async def test_buttons_stay_on_a_small_screen_whatever_the_form_holds() -> None:
    options = [{"value": "w", "label": "W" * 10_000}, {"value": "l", "label": "long " * 1_000}]
    prompt = "\n".join(f"line {number}" for number in range(200))
    async with surface() as desk:
        task = await desk.ask(form({"id": "q", "prompt": prompt, "options": options}, title="T" * 5_000))
        desk.window.resize(800, 600)
        QApplication.processEvents()
        assert (desk.window.width(), desk.window.height()) == (800, 600)
        area = desk.window.rect()
        for name in ("submit", "elaborate", "cancel"):
            button = desk.find(name)
            assert area.contains(button.geometry()), name
        desk.click("cancel")
        await task


async def test_2000_options_can_be_found_filtered_and_chosen(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form(question("q", *[f"value-{number}" for number in range(2_000)])))
    shown = driver.filter("q", "value 1999").screen.question
    assert shown is not None
    assert [option.value for option in shown.options] == ["value-1999"]
    driver.choose("q", "value-1999").submit()
    assert (await driver.result()).answers["q"].values == ("value-1999",)


async def test_a_megabyte_in_a_note_arrives(ask_desk: AskDesk) -> None:
    text = "0123456789abcdef" * 65_536
    driver = await ask_desk.ask(form())
    assert (await driver.note("q", text).submit().result()).answers["q"].note == text


async def test_pages_are_built_when_they_are_first_shown(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(THREE)
    assert driver.window.findChild(QWidget, "question:r") is None
    driver.go_to("r")
    assert driver.window.findChild(QWidget, "question:r") is not None


async def test_footer_hints_can_be_switched_off() -> None:
    config = AskConfig.model_validate({"behaviour": {"showFooterHints": False}, "desktop": {"inputGuardMs": 0}})
    async with surface(config) as desk:
        task = await desk.ask(form())
        assert not desk.find("hints").isVisible()
        desk.click("cancel")
        await task


@pytest.mark.parametrize("text", ["x" * 8_000_000, "word " * 1_600_000, "line\n" * 300_000])
async def test_megabytes_of_prompt_do_not_hold_up_the_window(text: str) -> None:
    async with surface() as desk:
        task = await desk.ask(form({"id": "q", "prompt": text, "options": [{"value": "a", "label": text}]}))
        prompt = desk.editor("prompt:q")
        prompt.selectAll()
        prompt.copy()
        assert QApplication.clipboard().text() == text.strip()
        desk.click("option:q:a")
        desk.click("submit")
        assert (await task).details.answers["q"].values == ("a",)


async def test_a_copy_of_a_part_gives_what_the_form_says() -> None:
    text = "🚀" + "x" * 9_000 + "END\nand a \u202e mark"
    async with surface() as desk:
        task = await desk.ask(form({"id": "q", "prompt": text, "options": [{"value": "a"}]}))
        prompt = desk.editor("prompt:q")
        cursor = prompt.textCursor()
        cursor.setPosition(0)
        cursor.setPosition(2 + 9_000 + 2 + 3, cursor.MoveMode.KeepAnchor)  # Qt's two units of the rocket, two cuts
        prompt.setTextCursor(cursor)
        prompt.copy()
        assert QApplication.clipboard().text() == "🚀" + "x" * 9_000 + "END"
        desk.click("cancel")
        await task


async def test_a_new_step_gives_the_keyboard_to_its_rows(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(THREE)
    for key, name in (("right", "option:r:a"), ("right", "option:p:x"), ("left", "option:r:a")):
        driver.press(key)
        QApplication.processEvents()
        assert driver.window.focusWidget().objectName() == name


async def test_a_key_in_an_editor_lays_no_other_row_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []

    def count(view: RowView, font: QFont, width: float, *, mirrored: bool = False) -> Face:
        laid_out.append(view.number)
        return lay_out_row(view, font, width, mirrored=mirrored)

    monkeypatch.setattr(rows, "lay_out_row", count)
    async with surface() as desk:
        task = await desk.ask(form(question("q", *[f"value-{number}" for number in range(200)])))
        desk.press("n")
        QApplication.processEvents()
        laid_out.clear()
        QTest.keyClicks(desk.editor("optionNote:q:value-0"), "a few words that make the editor grow" * 20)
        QApplication.processEvents()
        assert set(laid_out) <= {1}
        desk.click("submit")
        await task


async def test_the_window_says_who_asks_and_how_long_ago() -> None:
    now = 50.0
    async with surface(provider=QtAskProvider(clock=lambda: now)) as desk:
        first = await desk.ask(form(), requester=Requester(name="claude-code", cwd="~/shop"))
        seen = []
        others = []
        for seconds in (0, 12, 59, 60, 3_599, 7_200):
            now = 50.0 + seconds
            others.append(await desk.ask(form()))  # each arrival draws the window again
            seen.append(str(desk.find("subtitle").property("text")).removeprefix("claude-code · ~/shop · asked "))
        assert seen == ["just now", "10 s ago", "50 s ago", "1 min ago", "59 min ago", "2 h ago"]
        for task in (first, *others):
            desk.click("cancel")
            await task


LONG_NAME = "an agent with a very long name " * 40


async def test_who_asks_is_cut_and_opens_by_a_click_and_by_a_key() -> None:
    async with surface() as desk:
        task = await desk.ask(form(), requester={"name": LONG_NAME, "cwd": "/" + "folder/" * 50})
        label = desk.find("subtitle")
        assert isinstance(label, OpeningLabel)
        await until(lambda: label.can_open)
        one_line = label.height()
        assert label.accessibleName().startswith(LONG_NAME.strip())
        desk.click("subtitle")
        await until(lambda: label.height() > 3 * one_line)
        desk.click("subtitle")
        await until(lambda: label.height() == one_line)
        label.setFocus(Qt.FocusReason.TabFocusReason)
        desk.press(KEY.Key_Space)
        await until(lambda: label.height() > 3 * one_line)
        assert desk.find("submit").geometry().bottom() <= desk.window.height()
        assert desk.find("submit").isVisible()
        desk.click("cancel")
        await task


async def test_who_asks_is_passed_by_where_nothing_is_cut() -> None:
    async with surface() as desk:
        task = await desk.ask(form(), requester={"name": "agent"})
        label = desk.find("subtitle")
        assert label.focusPolicy() == Qt.FocusPolicy.NoFocus
        height = label.height()
        desk.click("subtitle")
        assert (label.height(), label.accessibleDescription()) == (height, "")
        desk.click("cancel")
        await task
