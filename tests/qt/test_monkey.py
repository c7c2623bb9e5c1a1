"""Whatever keys and clicks come, the window goes on, and what it sends is what it showed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from asking import Record
from helpers import form, question
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QTabBar, QWidget
from surface import Surface, surface

from pi_ask.state.answers import check_response

KEYS = [
    Qt.Key.Key_Return,
    Qt.Key.Key_Space,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Escape,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
]
TEXT = "1239ntxN?@ "
LEAVE = {"submit", "elaborate", "cancel"}


def random_form(dice: random.Random) -> dict[str, Any]:
    def one(number: int) -> dict[str, Any]:
        kind = dice.choice(["single", "multi", "preview"])
        options = [{"value": f"v{index}", "preview": f"text {index}\n" * 5} for index in range(dice.randint(1, 15))]
        return {
            "id": f"q{number}",
            "prompt": "?" * 20,
            "type": kind,
            "options": options,
            "required": dice.random() < 0.3,
        }

    return {"questions": [one(number) for number in range(dice.randint(1, 4))], "title": "Monkey"}


def act(desk: Surface, dice: random.Random) -> None:
    window = desk.window
    target = window.focusWidget() or window
    kind = dice.random()
    if kind < 0.5:
        QTest.keyClick(target, dice.choice(KEYS))
    elif kind < 0.75:
        QTest.keyClicks(target, dice.choice(TEXT))
    else:
        kinds = (QAbstractButton, QPlainTextEdit, QTabBar)
        found = [widget for widget in window.findChildren(QWidget) if isinstance(widget, kinds)]
        widgets = [widget for widget in found if widget.isVisible() and widget.objectName() not in LEAVE]
        QTest.mouseClick(dice.choice(widgets), Qt.MouseButton.LeftButton)


def state_of(desk: Surface) -> Any:
    return desk.provider._flows[0].state


@pytest.mark.parametrize("seed", range(12))
async def test_random_keys_and_clicks_break_nothing(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - no secret, a game
    async with surface() as desk:
        record = Record(desk.pi)
        task = await desk.ask(random_form(dice))
        for _ in range(150):
            if not any(window.isVisible() for window in desk.provider.windows):
                break
            dialog = desk.provider._settings
            if dialog is not None:
                dialog.reject()
            act(desk, dice)
        if not task.done() and any(window.isVisible() for window in desk.provider.windows):
            shown = {entry.selected for entry in state_of(desk).entries}
            desk.click("elaborate")
            result = await task
            assert result.details.mode == "elaborate"
            sent = {answer.values for answer in result.details.answers.values()}
            assert {values for values in shown if values} <= {tuple(v for v in s if v.startswith("v")) for s in sent}
        else:
            result = await task
        assert result.outcome in {"answered", "cancelled"}
        assert len(record.completed) == 1


async def test_a_question_after_every_key_sends_what_is_chosen() -> None:
    async with surface() as desk:
        task = await desk.ask(form(question("q", "a", "b", type="multi"), question("r")))
        for key in "12121":
            desk.press(key)
            chosen = [v for v in "ab" if desk.button(f"option:q:{v}").isChecked()]
            assert list(state_of(desk).entries[0].selected) == chosen
            check_response(state_of(desk).questions, {"kind": "answer", "answers": {"q": {"values": chosen}}})
        desk.click("submit")
        assert (await task).details.answers["q"].values == ("a",)
