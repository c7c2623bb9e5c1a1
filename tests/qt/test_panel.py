"""The panel is usable by keys alone, holds any text and any number of cards, and says what became of an answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from helpers import form, question, until
from processes import ROOT
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QWidget
from requirements import proves
from surface import Surface, surface

from pi_ask import AskUserResult
from pi_ask_qt import CardAction, QtAskProvider, languages
from pi_ask_qt.tray.controller import Tray
from pi_ask_qt.tray.panel import Panel
from pi_ask_qt.widgets.labels import OpeningLabel

KEY = Qt.Key
HOSTILE = "<b>x</b> \u202eevil\u2066 &Yes " + "W" * 5_000


class Person:
    """Somebody at the panel of a tray."""

    def __init__(self, desk: Surface, tray: Tray) -> None:
        self.desk = desk
        self.tray = tray
        self.panel: Panel = tray.panel

    @property
    def flows(self) -> list[str]:
        return [event.flow_id for event in self.tray.board.waiting]

    @property
    def at(self) -> str:
        """The name of what has the keyboard."""
        widget = self.panel.focusWidget()
        return widget.objectName() if widget is not None else ""

    def part(self, name: str) -> QWidget:
        found = self.panel.findChild(QWidget, name)
        assert found is not None, name
        return found

    def text(self, name: str) -> str:
        return str(self.part(name).property("text"))

    def press(self, *keys: Qt.Key, held: bool = False) -> None:
        for key in keys:
            target = self.panel.focusWidget() or self.panel
            kind, none = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
            if held:
                QApplication.sendEvent(target, QKeyEvent(kind, key, none, "", autorep=True))
            else:
                QTest.keyClick(target, key)

    async def ask(self, count: int, **options: Any) -> list[asyncio.Task[AskUserResult]]:
        return [await self.desk.ask(form(title=f"form {number}"), **options) for number in range(count)]

    async def cancel_all(self, tasks: list[asyncio.Task[AskUserResult]]) -> None:
        for flow_id in self.flows:
            self.tray.cards.cancel_form(flow_id)
            self.tray.cards.cancel_form(flow_id)
        for task in tasks:
            assert (await task).outcome in {"cancelled", "answered"}


@asynccontextmanager
async def person(provider: QtAskProvider | None = None) -> AsyncIterator[Person]:
    async with surface(provider=provider) as desk:
        tray = Tray(desk.pi, desk.provider)
        try:
            tray.show_panel()
            yield Person(desk, tray)
        finally:
            tray.close()


def approving(*labels: str) -> QtAskProvider:
    answer = {"kind": "answer", "answers": {"q": {"values": ["a"]}}}
    return QtAskProvider(card_actions=dict.fromkeys(labels, answer))


@proves("tray-keys")
async def test_arrows_go_over_cards_and_their_buttons_and_enter_opens() -> None:
    async with person(approving("Approve")) as she:
        tasks = await she.ask(3)
        one, two, three = she.flows
        she.panel.hide()
        she.tray.show_panel()
        seen = [she.at]
        for key in (KEY.Key_Down, KEY.Key_Down, KEY.Key_Down, KEY.Key_Left, KEY.Key_Left, KEY.Key_Left, KEY.Key_Up):
            she.press(key)
            seen.append(she.at)
        last = [f"action:0:{three}", f"cancel:{three}", f"cancel:{three}"]
        assert seen == [f"open:{one}", f"open:{two}", f"open:{three}", f"open:{three}", *last, f"open:{two}"]
        she.press(KEY.Key_Return)
        assert she.desk.window.windowTitle().startswith("form 1")
        await she.cancel_all(tasks)


async def test_tab_goes_over_everything_in_the_order_in_which_it_is_seen() -> None:
    async with person(approving("Approve", "Agree")) as she:
        tasks = await she.ask(2)
        she.part("quiet").setFocus(Qt.FocusReason.TabFocusReason)
        seen = []
        for _ in range(9):
            she.panel.focusNextChild()
            seen.append(she.at.rpartition(":")[0] or she.at)
        card = ["cancel", "action:0", "action:1", "open"]
        assert seen == ["more", *card, *card]
        await she.cancel_all(tasks)


@proves("tray-keys")
@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Enter, KEY.Key_Space])
async def test_a_key_presses_a_button_once_however_long_it_is_held(key: Qt.Key) -> None:
    async with person(approving("Approve")) as she:
        tasks = await she.ask(3)
        one, two, three = she.flows
        she.part(f"action:0:{one}").setFocus(Qt.FocusReason.TabFocusReason)
        she.press(key)
        assert (await tasks[0]).details.answers["q"].values == ("a",)
        # The keyboard has gone to what harms nothing, and a key that is still down does not even do that.
        assert she.at == f"open:{two}"
        she.desk.provider.bring_forward(three)
        she.press(key, held=True)
        assert she.desk.window.windowTitle().startswith("form 2")
        await she.cancel_all(tasks)


async def test_escape_leaves_the_panel_and_a_click_on_a_card_opens_its_form() -> None:
    async with person() as she:
        tasks = await she.ask(2)
        card = she.part(f"card:{she.flows[1]}")
        QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
        assert she.desk.window.windowTitle().startswith("form 1")
        QTest.mouseClick(card, Qt.MouseButton.RightButton, pos=QPoint(4, 4))
        she.panel.stands_in = False
        she.press(KEY.Key_Escape)
        assert not she.panel.isVisible()
        assert not any(task.done() for task in tasks)
        await she.cancel_all(tasks)


@proves("tray-quick")
async def test_an_answer_that_does_not_fit_any_more_is_refused_on_its_card_and_nothing_is_sent() -> None:
    values = ["a"]
    provider = QtAskProvider(card_actions={"Approve": {"kind": "answer", "answers": {"q": {"values": values}}}})
    async with person(provider) as she:
        tasks = await she.ask(2)
        one, two = she.flows
        values[:] = ["gone"]
        button = she.part(f"action:0:{one}")
        assert isinstance(button, QAbstractButton)
        button.click()
        assert "gone" in she.text(f"notice:{one}")
        assert she.part(f"notice:{one}").isVisible()
        assert she.text(f"notice:{two}") == ""
        assert not any(task.done() for task in tasks)
        values[:] = ["b"]
        button.click()
        assert (await tasks[0]).details.answers["q"].values == ("b",)
        await she.cancel_all(tasks)


@proves("tray-quick")
async def test_the_quick_answers_of_the_documentation_work_as_it_says() -> None:
    text = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "card_actions=" in block]
    assert len(blocks) == 2
    for block, title, label, value in zip(
        blocks, ("Deploy?", "Read a file"), ("Approve", "Allow"), ("approve", "allow"), strict=True
    ):
        names: dict[str, Any] = {"QtAskProvider": QtAskProvider, "CardAction": CardAction}
        exec(block, names)  # noqa: S102 - our own documentation
        async with person(names["provider"]) as she:
            asked = form(question("decision", value, "deny"), title=title)
            tasks = [await she.desk.ask(asked), *await she.ask(1)]
            one, other = she.flows
            button, none = she.part(f"action:0:{one}"), she.panel.findChild(QWidget, f"action:0:{other}")
            assert (button.property("text"), none) == (label, None)
            button.setFocus(Qt.FocusReason.TabFocusReason)
            she.press(KEY.Key_Space)
            assert (await tasks[0]).details.answers["decision"].values == (value,)
            await she.cancel_all(tasks)


@proves("tray-quit")
async def test_quitting_with_forms_waiting_asks_and_a_button_does_it() -> None:
    async with person() as she:
        quits: list[int] = []
        she.tray.quit_requested.connect(lambda: quits.append(1))
        assert not she.part("panelConfirm").isVisible()
        tasks = await she.ask(1)
        she.tray.quit()
        confirm = she.part("panelConfirm")
        assert (quits, confirm.isVisible()) == ([], True)
        confirm.setFocus(Qt.FocusReason.TabFocusReason)
        she.press(KEY.Key_Return)
        assert quits == [1]
        await she.cancel_all(tasks)
        assert not she.part("panelConfirm").isVisible()


async def test_the_menu_of_the_panel_is_made_when_it_is_asked_for_and_its_keys_work() -> None:
    def entries() -> list[tuple[str, bool]]:
        she.part("more").setFocus(Qt.FocusReason.TabFocusReason)
        she.press(KEY.Key_Return)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        told = [(action.text(), action.isChecked()) for action in menu.actions()]
        QTest.keyClick(menu, KEY.Key_Down)
        QTest.keyClick(menu, KEY.Key_Return)
        return told

    async with person() as she:
        assert entries() == [("Do not disturb", False), ("Settings", False), ("Quit", False)]
        assert she.desk.provider.quiet
        assert entries()[0] == ("Do not disturb", True)
        assert not she.desk.provider.quiet


@proves("tray-any-text")
@pytest.mark.parametrize("language", ["en", "de", "zh_CN"])
async def test_any_text_stays_within_the_panel(language: str) -> None:
    languages.install(language)
    try:
        async with person(approving(HOSTILE, *"BCDEF")) as she:
            requester = {"name": HOSTILE, "cwd": "/" + "x" * 3_000}
            hostile = form(question("q", prompt=HOSTILE), title=HOSTILE)
            tasks = [await she.desk.ask(hostile, requester=requester), *await she.ask(1)]
            she.panel.resize(she.panel.minimumSize())
            she.desk.press("1")
            she.tray.cards.cancel_form(she.flows[0])
            await until(lambda: she.part(f"card:{she.flows[0]}").width() < she.panel.width())
            assert_within(she.panel)
            who = she.part(f"who:{she.flows[0]}")
            assert isinstance(who, OpeningLabel)
            who.toggle()
            await until(lambda: who.height() > 10 * who.fontMetrics().height())
            assert_within(she.panel)
            await she.cancel_all(tasks)
    finally:
        languages.install("en")


def assert_within(panel: Panel) -> None:
    """Every part of every card is as wide as the panel at most, and no two buttons of a card overlap."""
    buttons: dict[str, list[QRect]] = {}
    for widget in panel.findChildren(QWidget):
        if widget.isVisible():
            left = widget.mapTo(panel, QPoint(0, 0)).x()
            assert left >= 0, widget.objectName()
            assert left + widget.width() <= panel.width(), widget.objectName()
        if widget.isVisible() and isinstance(widget, QPushButton):
            assert widget.width() >= min(widget.sizeHint().width(), 40)
            buttons.setdefault(widget.objectName().split(":")[-1], []).append(widget.geometry())
    for places in buttons.values():
        assert not any(one.intersects(other) for one in places for other in places if one is not other)


@proves("tray-any-text")
async def test_forty_cards_scroll_to_the_one_that_has_the_keyboard() -> None:
    async with person() as she:
        tasks = await she.ask(40)
        she.panel.hide()
        she.tray.show_panel()
        await until(she.panel.isActiveWindow)
        she.press(*[KEY.Key_Down] * 39)
        assert she.at == f"open:{she.flows[-1]}"
        await until(lambda: she.part(she.at).visibleRegion().boundingRect().height() > 10)
        she.press(*[KEY.Key_Up] * 39)
        await until(lambda: she.part(f"open:{she.flows[0]}").visibleRegion().boundingRect().height() > 10)
        await she.cancel_all(tasks)


async def test_an_open_panel_follows_the_colours_and_the_font() -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    palette, font = app.palette(), app.font()
    async with person() as she:
        tasks = await she.ask(1)
        card = she.part(f"card:{she.flows[0]}")
        before, height = she.panel.styleSheet(), card.height()
        dark = QPalette(QColor("#202020"))
        app.setPalette(dark)
        try:
            await until(lambda: she.panel.styleSheet() != before)
            picture = she.panel.grab().toImage()
            assert picture.pixelColor(2, picture.height() - 3).lightness() < 80
            app.setFont(QFont(font.family(), font.pointSize() * 2))
            await until(lambda: card.height() > 1.5 * height)
        finally:
            app.setFont(font)
            app.setPalette(palette)
        await she.cancel_all(tasks)


async def test_a_card_tells_a_screen_reader_what_it_is_and_what_its_buttons_belong_to() -> None:
    async with person(approving("R&D")) as she:
        tasks = await she.ask(1, requester={"name": "agent"})
        flow_id = she.flows[0]
        card = she.part(f"card:{flow_id}")
        assert card.accessibleName() == "form 0"
        assert card.accessibleDescription().startswith("agent, ")
        for name, said in (("cancel", "Cancel"), ("action:0", "R&D"), ("open", "Open")):
            button = she.part(f"{name}:{flow_id}")
            assert (button.accessibleName(), button.accessibleDescription()) == (said, "form 0")
        await she.cancel_all(tasks)
