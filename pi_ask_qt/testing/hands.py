"""A person's hands: clicks, keys and text for the widgets of a window."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QPlainTextEdit, QWidget

from pi_ask_qt.keys import key_of
from pi_ask_qt.widgets.areas import LONG
from pi_ask_qt.widgets.rows import CheckRow, RadioRow


def click(widget: QWidget, place: QPoint | None = None) -> None:
    """Click a widget at ``place``: a row where it is marked, anything else in its middle."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    if place is None:
        place = _mark_of(widget) if isinstance(widget, (RadioRow, CheckRow)) else target.rect().center()
    QTest.mouseClick(target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def press(widget: QWidget, key: str) -> None:
    """Press a key by its name in the keymaps, such as ``"shift+n"``.

    Raises:
        ValueError: there is no such key.
    """
    QTest.keyClick(widget, *key_of(key))


def write(field: QPlainTextEdit | QLineEdit, text: str) -> None:
    """Write ``text`` into a field in place of what is there."""
    press(field, "ctrl+a")
    press(field, "delete")
    if len(text) > LONG and isinstance(field, QPlainTextEdit):
        pasted = QMimeData()
        pasted.setText(text)
        field.insertFromMimeData(pasted)
    elif text:
        # As an input method does it: keys alone could not write every character.
        event = QInputMethodEvent()
        event.setCommitString(text)
        QApplication.sendEvent(field, event)


def _mark_of(row: QWidget) -> QPoint:
    """Return a place at the start of a row, away from its button for a note."""
    inset = min(row.width(), row.height()) // 4
    mirrored = row.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return QPoint(row.width() - inset if mirrored else inset, row.height() // 2)
