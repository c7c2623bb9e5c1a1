"""Whoever was typing elsewhere answers nothing by accident."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from helpers import form, question
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from surface import Surface, surface

from pi_ask import AskConfig
from pi_ask_qt import QtAskProvider
from pi_ask_qt.views.guard import LONGEST_SECONDS, Guard

KEY = Qt.Key
TWO = form(question("q"), question("r"))


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_ms(self, ms: int) -> None:
        self.now += ms / 1000


def guarded(clock: Clock) -> Any:
    return surface(AskConfig(), QtAskProvider(clock=clock))


def untouched(desk: Surface, task: asyncio.Task[Any]) -> bool:
    buttons = ("option:q:a", "option:q:b", "customRow:q")
    return not task.done() and not any(desk.button(name).isChecked() for name in buttons)


async def leave(desk: Surface, clock: Clock, task: asyncio.Task[Any]) -> None:
    clock.pass_ms(5_000)
    desk.click("cancel")
    if any(window.isVisible() for window in desk.provider.windows):
        desk.click("cancel")
    await task


async def test_keys_of_somebody_who_types_elsewhere_choose_nothing() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        for key in ("o", "k", " "):
            desk.press(key)
            clock.pass_ms(100)
        desk.press(KEY.Key_Return, "1", KEY.Key_Escape, "n", "t")
        assert untouched(desk, task)
        assert desk.window.focusWidget() is desk.find("option:q:a")
        await leave(desk, clock, task)


async def test_every_key_starts_the_time_again() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        for _ in range(4):
            clock.pass_ms(250)
            desk.press("x")
        clock.pass_ms(250)
        desk.press(KEY.Key_Return, KEY.Key_Return)
        assert untouched(desk, task)
        await leave(desk, clock, task)


async def test_three_seconds_are_the_most() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        for _ in range(13):
            clock.pass_ms(250)
            desk.press("x")
        desk.press("1")
        assert desk.button("option:q:a").isChecked()
        await leave(desk, clock, task)


async def test_the_click_that_brings_a_window_forward_only_does_that() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        clock.pass_ms(60_000)
        QApplication.sendEvent(desk.window, QEvent(QEvent.Type.WindowActivate))
        desk.click("option:q:b")
        assert untouched(desk, task)
        clock.pass_ms(501)
        desk.click("option:q:b")
        assert desk.button("option:q:b").isChecked()
        await leave(desk, clock, task)


@pytest.mark.parametrize("name", ["option:q:a", "customRow:q", "submit", "elaborate", "cancel"])
async def test_clicks_do_nothing_right_after_the_window_appears(name: str) -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        clock.pass_ms(499)
        desk.click(name)
        assert untouched(desk, task)
        await leave(desk, clock, task)


async def test_the_frame_closes_nothing_right_after_the_window_appears() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        QApplication.sendEvent(desk.window, QCloseEvent())
        assert not task.done()
        clock.pass_ms(501)
        QApplication.sendEvent(desk.window, QCloseEvent())
        assert (await task).outcome == "cancelled"


async def test_the_next_form_is_guarded_when_it_comes_forward() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        first, second = await desk.ask(form()), await desk.ask(form())
        clock.pass_ms(60_000)
        desk.press("1")
        desk.click("submit")
        await first
        clock.pass_ms(100)
        desk.press(KEY.Key_Return, KEY.Key_Return)
        desk.click("submit")
        assert untouched(desk, second)
        await leave(desk, clock, second)


async def test_review_is_guarded_when_it_is_reached() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(TWO)
        clock.pass_ms(60_000)
        desk.press(KEY.Key_Return, KEY.Key_Return, KEY.Key_Return)
        assert not task.done()
        clock.pass_ms(501)
        desk.press(KEY.Key_Return)
        assert (await task).outcome == "answered"


async def test_a_key_held_down_since_before_never_acts() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        clock.pass_ms(60_000)
        row = desk.find("option:q:a")
        none = Qt.KeyboardModifier.NoModifier
        for key, text in ((KEY.Key_Space, " "), (KEY.Key_Return, "\r"), (KEY.Key_Down, "")):
            QApplication.sendEvent(row, QKeyEvent(QEvent.Type.KeyPress, key, none, text, autorep=True))
        assert untouched(desk, task)
        assert desk.window.focusWidget() is row
        await leave(desk, clock, task)


async def test_text_typed_in_an_editor_is_taken_although_the_window_just_came_forward() -> None:
    clock = Clock()
    async with guarded(clock) as desk:
        task = await desk.ask(form())
        clock.pass_ms(60_000)
        desk.click("customRow:q")
        QApplication.sendEvent(desk.window, QEvent(QEvent.Type.WindowActivate))
        QTest.keyClicks(desk.editor("custom:q"), "mine")
        desk.press(KEY.Key_Return)
        assert desk.has_keyboard(desk.editor("custom:q"))
        assert desk.editor("custom:q").toPlainText() == "mine"
        await leave(desk, clock, task)


@given(st.floats(0, 2), st.lists(st.floats(0, 1), max_size=30))
def test_a_guard_holds_at_least_its_span_and_at_most_three_seconds(span: float, pauses: list[float]) -> None:
    guard, now = Guard(span).raised(10.0), 10.0
    for pause in pauses:
        now += pause
        held = guard.holds(now)
        guard = guard.pressed(now)
        assert guard.holds(now) == held
    assert 10.0 + span <= guard.until <= 10.0 + max(span, LONGEST_SECONDS)
