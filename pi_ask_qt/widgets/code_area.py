"""The area of a preview: monospace, exact and coloured."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFont, QFontDatabase, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from pi_ask.text import Shown
from pi_ask_qt.theme import colours
from pi_ask_qt.views.highlight import spans
from pi_ask_qt.widgets.areas import MOVES, PAGES, ReadingArea
from pi_ask_qt.widgets.highlighter import Highlighter


class CodeArea(ReadingArea):
    """A preview: monospace and exact; scrolls both ways until its lines are wrapped."""

    _KEYS = PAGES | MOVES

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._highlighter = Highlighter(self.document())
        self.wrap_lines(wrap=False)

    def show_text(self, shown: Shown) -> None:
        if shown == self._shown:
            return
        super().show_text(shown)
        self._colour()

    def find_text(self, text: str, *, backward: bool = False) -> bool:
        """Select the next place of ``text``, from the other end where there is none further on; return whether."""
        self.finish()
        flags = QTextDocument.FindFlag.FindBackward if backward else QTextDocument.FindFlag(0)
        if not text:
            return True
        if self.find(text, flags):
            return True
        before = self.textCursor()
        self.moveCursor(QTextCursor.MoveOperation.End if backward else QTextCursor.MoveOperation.Start)
        if self.find(text, flags):
            return True
        self.setTextCursor(before)
        return False

    def _colour(self) -> None:
        lines = () if self._cuts else spans(self._shown.text)
        self._highlighter.show(lines, colours(self.palette()))

    def wrap_lines(self, *, wrap: bool) -> None:
        """Wrap lines at the edge, or let them go on beyond it."""
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wrap else mode.NoWrap)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown.text:
            self._colour()

    def use_size_of(self, font: QFont) -> None:
        """Write in the platform's fixed font, in the size of ``font``."""
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        if font.pointSizeF() > 0:
            fixed.setPointSizeF(font.pointSizeF())
        else:
            fixed.setPixelSize(font.pixelSize())
        self.setFont(fixed)
