"""Buttons side by side, in as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget


class ButtonFlow(QLayout):
    """Puts the first item at the start of the first line and all others at the ends of their lines."""

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def insert_widget(self, index: int, widget: QWidget) -> None:
        """Put ``widget`` before what is at ``index`` now."""
        self.addWidget(widget)
        self._items.insert(index, self._items.pop())

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem:
        # Qt takes nothing for "there is none"; the stubs do not know that.
        return self._items[index] if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def takeAt(self, index: int) -> QLayoutItem:
        return self._items.pop(index) if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width)
        return sum(_height(line) for line in lines) + self.spacing() * max(len(lines) - 1, 0)

    def sizeHint(self) -> QSize:
        width = sum(item.sizeHint().width() for item in self._items) + self.spacing() * max(len(self._items) - 1, 0)
        return QSize(width, _height(self._items))

    def minimumSize(self) -> QSize:
        # What is too wide for a line gives way.
        return QSize(0, _height(self._items))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        y = rect.top()
        for number, line in enumerate(self._lines(rect.width())):
            height = _height(line)
            x = rect.right() + 1
            for item in reversed(line):
                width = min(item.sizeHint().width(), rect.width())
                x = rect.left() if number == 0 and item is self._items[0] else x - width
                self._place(item, QRect(QPoint(x, y), QSize(width, height)))
                x -= self.spacing()
            y += height + self.spacing()

    def _place(self, item: QLayoutItem, place: QRect) -> None:
        parent = self.parentWidget()
        direction = parent.layoutDirection() if parent is not None else Qt.LayoutDirection.LeftToRight
        item.setGeometry(QStyle.visualRect(direction, self.geometry(), place))

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            needed = item.sizeHint().width() + self.spacing()
            if not lines or used + needed > width + self.spacing():
                lines.append([])
                used = 0
            lines[-1].append(item)
            used += needed
        return lines


def _height(items: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)
