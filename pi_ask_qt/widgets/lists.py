"""A list that scrolls and leaves its keys to the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid

from pi_ask_qt.theme import unit

_SETTLING_MS = 50
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
        self._wanted: tuple[QWidget, ...] = ()
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.timeout.connect(self._on_settled)
        self.verticalScrollBar().rangeChanged.connect(self._show_wanted)

    def reveal(self, *widgets: QWidget) -> None:
        """Scroll to ``widgets``, and again once what was shown or hidden a moment ago has moved the others.

        Where there is not room for all of them, the last counts most.
        """
        self._wanted = widgets
        self._show_wanted()
        self._settled.start(_SETTLING_MS)

    def minimumSizeHint(self) -> QSize:
        # In a low window the list gives way, and scrolls.
        u = unit(self.font())
        return QSize(round(u * 20), round(u * 9))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PAGES:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def _show_wanted(self) -> None:
        content = self.widget()
        if content is None:
            return
        margin = round(unit(self.font()) * 3)
        for widget in self._wanted:
            if isValid(widget) and content.isAncestorOf(widget):
                top = widget.mapTo(content, QPoint(0, 0)).y()
                # Of what is too high, the top is what counts; Qt's own way would be content with an editor's caret.
                for y in (top + widget.height(), top):
                    self.ensureVisible(0, y, 0, margin)

    def _on_settled(self) -> None:
        self._show_wanted()
        self._wanted = ()
