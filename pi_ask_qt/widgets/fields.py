"""Fields of one line that are left with Esc, and never end a form."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from pi_ask_qt.views import sentences


class FilterField(QLineEdit):
    """Narrows a list: Esc empties it, then leaves; Enter and Down leave for the list."""

    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText(sentences.FILTER)
        self.setAccessibleName(sentences.FILTER)

    def showEvent(self, event: QShowEvent) -> None:
        self.setClearButtonEnabled(True)  # its picture takes milliseconds, and most lists are too short for a filter
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self.textEdited.emit("")
        elif event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down}:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class SearchField(QLineEdit):
    """Searches a text: Enter and Shift+Enter go on, Esc closes it."""

    next_requested = Signal(bool)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText(sentences.SEARCH)
        self.setAccessibleName(sentences.SEARCH)
        self.hide()

    def say_found(self, *, found: bool) -> None:
        """Say whether there is such a text."""
        self.setProperty("missing", not found)
        self.setAccessibleDescription("" if found else sentences.NOT_FOUND)
        self.style().unpolish(self)
        self.style().polish(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.next_requested.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.closed.emit()
        else:
            super().keyPressEvent(event)
