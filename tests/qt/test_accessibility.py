"""A screen reader finds everything: roles, names, states, places; and everybody can read it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers import form, question, until
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor, QFont, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from surface import Surface, surface

from pi_ask_qt.theme import apply_theme, colours, contrast

ROLE = QAccessible.Role
OPTIONS = [
    {"value": "a", "label": "First", "description": "Quiet words", "recommended": True},
    {"value": "b", "label": "Second"},
]
PREVIEW = {
    "id": "p",
    "prompt": "Which?",
    "type": "preview",
    "options": [{"value": "x", "preview": "1"}, {"value": "y", "preview": "2"}],
}
FORM = form(
    {"id": "q", "prompt": "What now?", "label": "Now", "options": OPTIONS}, question("r", type="multi"), PREVIEW
)


@pytest.fixture(autouse=True)
def _usual_looks(qapp: QApplication) -> Iterator[None]:
    font = QFont(qapp.font())
    yield
    qapp.setFont(font)
    apply_theme(qapp, "system")


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found


def tree(root: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield root
    for index in range(root.childCount()):
        child = root.child(index)
        if child is not None and child.isValid() and not child.state().invisible:
            yield from tree(child)


async def leave(desk: Surface, task: object) -> None:
    desk.click("cancel")
    await task  # type: ignore[misc]  # a task of the surface


async def test_an_option_has_role_name_description_state_and_place() -> None:
    async with surface() as desk:
        task = await desk.ask(FORM)
        row = interface(desk.find("option:q:a"))
        assert row.role() == ROLE.RadioButton
        assert row.text(QAccessible.Text.Name) == "First"
        description = row.text(QAccessible.Text.Description)
        assert "Quiet words" in description
        assert "recommended" in description
        assert "1 of 3" in description
        assert not row.state().checked
        desk.press("1")
        assert interface(desk.find("option:q:a")).state().checked
        desk.press(Qt.Key.Key_Right)
        assert interface(desk.find("option:r:a")).role() == ROLE.CheckBox
        desk.click("cancel")
        await leave(desk, task)


async def test_everything_that_takes_the_keyboard_has_a_name() -> None:
    async with surface() as desk:
        task = await desk.ask(FORM)
        for _ in range(4):
            for part in tree(interface(desk.window)):
                if part.state().focusable and part.role() != ROLE.PageTabList:
                    assert part.text(QAccessible.Text.Name).strip(), (part.role(), part.object())
            desk.press(Qt.Key.Key_Right)
        await leave(desk, task)


async def test_the_steps_are_tabs_that_say_whether_they_are_answered() -> None:
    async with surface() as desk:
        task = await desk.ask(FORM)
        tabs = interface(desk.find("tabs"))
        assert tabs.role() == ROLE.PageTabList
        assert tabs.child(0).text(QAccessible.Text.Name) == "Now, not answered"
        desk.press("1")
        assert tabs.child(0).text(QAccessible.Text.Name) == "Now, answered"
        desk.click("cancel")
        await leave(desk, task)


async def test_a_notice_is_announced() -> None:
    async with surface() as desk:
        task = await desk.ask(form(question("q", required=True)))
        desk.click("submit")
        notice = interface(desk.find("notice"))
        assert notice.text(QAccessible.Text.Name) == desk.notice()
        assert notice.text(QAccessible.Text.Name)
        desk.click("submit")
        await task


async def test_tab_goes_over_everything_in_the_order_in_which_it_is_seen_and_back() -> None:
    async with surface() as desk:
        task = await desk.ask(FORM)
        QApplication.processEvents()
        forward = [names(desk, Qt.Key.Key_Tab) for _ in range(20)]
        for name in ("option:q:a", "option:q:b", "customRow:q", "addNote:q", "cancel", "elaborate", "submit", "tabs"):
            assert name in forward, forward
        rows = [name for name in forward if name in {"option:q:b", "customRow:q", "addNote:q", "cancel", "submit"}]
        assert rows[:5] == ["option:q:b", "customRow:q", "addNote:q", "cancel", "submit"]
        here = focus_name(desk)
        names(desk, Qt.Key.Key_Tab)
        QTest.keyClick(desk.window.focusWidget(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
        assert focus_name(desk) == here
        await leave(desk, task)


def names(desk: Surface, key: Qt.Key) -> str:
    QTest.keyClick(desk.window.focusWidget(), key)
    return focus_name(desk)


def focus_name(desk: Surface) -> str:
    widget = desk.window.focusWidget()
    return widget.objectName() if widget is not None else ""


def high_contrast() -> QPalette:
    palette = QPalette(QColor("black"), QColor("black"))
    for role, name in (
        (QPalette.ColorRole.WindowText, "white"),
        (QPalette.ColorRole.Text, "white"),
        (QPalette.ColorRole.Base, "black"),
        (QPalette.ColorRole.Highlight, "yellow"),
        (QPalette.ColorRole.HighlightedText, "black"),
    ):
        palette.setColor(role, QColor(name))
    return palette


@pytest.mark.parametrize("theme", ["light", "dark", "system", "high contrast"])
def test_every_text_can_be_read_on_its_ground(qapp: QApplication, theme: str) -> None:
    if theme == "high contrast":
        qapp.setPalette(high_contrast())
    else:
        apply_theme(qapp, theme)
    c = colours(qapp.palette())
    pairs = [
        (c.text, c.window),
        (c.text, c.base),
        (c.text, c.tint),
        (c.text, c.hover),
        (c.muted, c.window),
        (c.muted, c.base),
        (c.muted, c.tint),
        (c.accent_text, c.base),
        (c.accent_text, c.tint),
        (c.accent_text, c.window),
        (c.on_accent, c.accent),
        (c.pill_text, c.pill),
        (c.warning, c.window),
    ]
    assert [(one.name(), ground.name()) for one, ground in pairs if contrast(one, ground) < 4.5] == []


async def test_text_at_28_points_keeps_every_button_on_the_screen(qapp: QApplication) -> None:
    large = QFont(qapp.font())
    large.setPointSize(28)
    qapp.setFont(large)
    async with surface() as desk:
        task = await desk.ask(FORM)
        QApplication.processEvents()
        area = desk.window.rect()
        for name in ("submit", "elaborate", "cancel", "option:q:a"):
            widget = desk.find(name)
            assert area.contains(widget.mapTo(desk.window, widget.rect().center())), name
        row = desk.find("option:q:a")
        assert row.height() >= row.fontMetrics().height() * 2
        await leave(desk, task)


async def test_a_change_of_font_while_a_window_is_open_is_followed(qapp: QApplication) -> None:
    async with surface() as desk:
        task = await desk.ask(FORM)
        QApplication.processEvents()
        before = desk.find("option:q:a").height()
        large = QFont(qapp.font())
        large.setPointSizeF(large.pointSizeF() * 2)
        qapp.setFont(large)
        await until(lambda: desk.find("option:q:a").height() > before * 1.5)
        await leave(desk, task)
