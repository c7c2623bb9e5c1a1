"""A list that scrolls and leaves its keys to the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

_PAGES = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class ListArea(QScrollArea):
    """Scrolls ``column`` up and down; only the keys for a page are its own."""

    def __init__(self, parent: QWidget, spacing: int) -> None:
        super().__init__(parent)
        content = QWidget(self)
        self.column = QVBoxLayout(content)
        self.column.setContentsMargins(0, 0, 0, spacing)
        self.column.setSpacing(spacing * 2)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PAGES:
            super().keyPressEvent(event)
        else:
            event.ignore()
