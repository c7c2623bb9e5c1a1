"""Labels that show foreign text as what it is: plain, without mnemonics, never wider than their place."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from pi_ask_qt.theme import Colours, colours, scaled
from pi_ask_qt.views import sentences
from pi_ask_qt.widgets.text import Block, lay_out

_ENDLESS = 10_000

Pick = Callable[[Colours], QColor]


class TextLabel(QLabel):
    """A plain text that wraps anywhere, with a size and colour that follow the theme.

    ``wraps`` is false for a few words of the interface's own that take the width they need.
    """

    def __init__(
        self,
        parent: QWidget,
        pick: Pick,
        *,
        factor: float = 1.0,
        weight: QFont.Weight | None = None,
        wraps: bool = True,
    ) -> None:
        super().__init__(parent)
        self._wraps = wraps
        self._pick = pick
        self._factor = factor
        self._weight = weight
        self._max_lines = 0
        self._cache: tuple[tuple[str, int, str], Block] | None = None
        self.setTextFormat(Qt.TextFormat.PlainText)
        across = QSizePolicy.Policy.Ignored if wraps else QSizePolicy.Policy.Fixed
        policy = QSizePolicy(across, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_max_lines(self, lines: int) -> None:
        """Cut the text after ``lines``; 0 for never."""
        self._max_lines = lines
        self._cache = None
        self.updateGeometry()
        self.update()

    def show_text(self, text: str) -> None:
        """Show ``text``; an empty one takes no room."""
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)
            self.updateGeometry()
        self.setVisible(bool(text))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._block(width).height + 0.5)

    def sizeHint(self) -> QSize:
        width = (self.width() or 300) if self._wraps else ceil(self._block(_ENDLESS).width)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(20, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._pick(colours(self.palette())))
        self._block(self.width()).draw(painter, 0, 0)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange}:
            self._cache = None
            self.updateGeometry()
        super().changeEvent(event)

    def _block(self, width: int) -> Block:
        font = scaled(self.font(), self._factor, self._weight)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        key = (self.text(), width, f"{font.key()} {mirrored}")
        if self._cache is None or self._cache[0] != key:
            self._cache = (key, lay_out(self.text(), font, width, self._max_lines, mirrored=mirrored))
        return self._cache[1]


class OpeningLabel(TextLabel):
    """A text of one line that is cut where there is no room; a click, Enter or Space shows all of it, or cuts it again.

    Where nothing is cut it is a plain text, which the keyboard passes by.
    """

    def __init__(self, parent: QWidget, pick: Pick, *, factor: float = 1.0) -> None:
        super().__init__(parent, pick, factor=factor)
        self._opened = False
        self.set_max_lines(1)

    @property
    def can_open(self) -> bool:
        """Whether there is more than is shown, or was before it was opened."""
        return self._opened or self._block(self.width()).is_cut

    def toggle(self) -> None:
        """Show all, or one line again."""
        if self.can_open:
            self._opened = not self._opened
            self.set_max_lines(0 if self._opened else 1)
            self._offer()

    def show_text(self, text: str) -> None:
        super().show_text(text)
        self._offer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._offer()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(self.can_open)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.toggle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and not event.isAutoRepeat():
            self.toggle()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(colours(self.palette()).accent)
            painter.drawLine(self.rect().bottomLeft(), self.rect().bottomRight())
            painter.end()

    def _offer(self) -> None:
        offers = self.can_open
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if offers else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if offers else Qt.CursorShape.ArrowCursor)
        if offers:
            self.setAccessibleDescription(sentences.SHOW_LESS if self._opened else sentences.SHOW_ALL)
        else:
            self.setAccessibleDescription("")


def without_mnemonic(text: str) -> str:
    """Return ``text`` for a widget of Qt's that would take ``&`` for a mnemonic."""
    return text.replace("&", "&&")
