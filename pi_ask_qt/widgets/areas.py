"""Text areas that take plain text only: the base of the editors, and text to read that can be selected."""

from __future__ import annotations

import itertools
import re

from PySide6.QtCore import QMimeData, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from pi_ask.text import Shown
from pi_ask_qt.theme import unit
from pi_ask_qt.widgets.text import wrap_mode

MOVES = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right})
"""The keys that move through a text that scrolls both ways, beside those of :data:`PAGES`."""

PAGES = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End})
LONG = 5_000
_PIECE = 4_000
_FIRST = 300_000
_MORE = 100_000


class PlainArea(QPlainTextEdit):
    """A text area that takes plain text only and wraps anywhere."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWordWrapMode(wrap_mode(""))
        self.setTabChangesFocus(True)

    def setPlainText(self, text: str) -> None:
        self.setWordWrapMode(wrap_mode(text))
        super().setPlainText(text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            text = source.text()
            self.setWordWrapMode(wrap_mode(text) if len(text) > LONG else self.wordWrapMode())
            self.insertPlainText(text)

    def line_count(self) -> int:
        """Return how many lines are seen, wrapped ones counted each."""
        return max(1, round(self.document().size().height()))

    def height_of(self, lines: int) -> int:
        """Return the height that ``lines`` lines take, in pixels."""
        margins = self.contentsMargins()
        extra = 2 * self.frameWidth() + margins.top() + margins.bottom() + 2 * round(self.document().documentMargin())
        return self.fontMetrics().lineSpacing() * lines + extra + round(unit(self.font()) * 2)


class ReadingArea(PlainArea):
    """Text to read: it can be selected and copied, and leaves every key that it does not need to the window.

    A copy gives what the form says, not what was made visible in its place.
    """

    _KEYS = PAGES

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._shown = Shown("", "")
        self._cuts: tuple[int, ...] = ()
        self._rest = ""
        self._more = QTimer(self)
        self._more.timeout.connect(self._add_more)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)

    def show_text(self, shown: Shown) -> None:
        """Show a text."""
        if shown == self._shown:
            return
        self._shown = shown
        self._cuts = _cuts(shown.text)
        self._more.stop()
        first, self._rest = _split("\n".join(_pieces(shown.text, self._cuts)), _FIRST)
        self.setPlainText(first)
        if self._rest:
            self._more.start(0)

    def finish(self) -> None:
        """Bring in now what would come bit by bit."""
        while self._rest:
            self._add_more()

    def _add_more(self) -> None:
        """Take in some more of a long text; all of it at once would hold up the window."""
        more, self._rest = _split(self._rest, _MORE)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(more)
        if not self._rest:
            self._more.stop()

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor = self.textCursor()
        start, end = (self._place(place) for place in (cursor.selectionStart(), cursor.selectionEnd()))
        if self._rest and cursor.selectionEnd() >= self.document().characterCount() - 1:
            end = len(self._shown.text)
        data = QMimeData()
        data.setText(self._shown.said(start, end))
        return data

    def _place(self, shown: int) -> int:
        """Return the place in the text that a place in the document stands for."""
        plain = len16_to_len(self.toPlainText(), shown)
        return plain - sum(1 for number, cut in enumerate(self._cuts) if cut + number < plain)

    def copy_selection(self) -> bool:
        """Copy what is selected; return whether anything is."""
        if not (self.isVisible() and self.textCursor().hasSelection()):
            return False
        self.copy()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        scrolls = key in self._KEYS and modifiers == Qt.KeyboardModifier.NoModifier
        extends = key in PAGES | MOVES and modifiers == Qt.KeyboardModifier.ShiftModifier
        copies = event.matches(QKeySequence.StandardKey.Copy) and self.textCursor().hasSelection()
        if scrolls or extends or copies or event.matches(QKeySequence.StandardKey.SelectAll):
            super().keyPressEvent(event)
        else:
            event.ignore()


def _split(text: str, length: int) -> tuple[str, str]:
    """Return some ``length`` characters of ``text``, up to the end of a line, and the rest."""
    if len(text) <= length:
        return text, ""
    end = text.find("\n", length)
    return (text, "") if end < 0 else (text[:end], text[end:])


def _cuts(text: str) -> tuple[int, ...]:
    """Return where very long paragraphs are cut: Qt lays a paragraph out as a whole, however little of it is seen."""
    if len(text) <= _PIECE:
        return ()
    cuts: list[int] = []
    for paragraph in re.finditer(rf"[^\n]{{{_PIECE + 1},}}", text):
        cuts.extend(range(paragraph.start() + _PIECE, paragraph.end(), _PIECE))
    return tuple(cuts)


def _pieces(text: str, cuts: tuple[int, ...]) -> list[str]:
    places = (0, *cuts, len(text))
    return [text[start:end] for start, end in itertools.pairwise(places)]


def len16_to_len(text: str, units: int) -> int:
    """Return how many characters the first ``units`` UTF-16 units of ``text`` are; Qt counts in these."""
    return len(text.encode("utf-16-le", "surrogatepass")[: units * 2].decode("utf-16-le", "replace"))


class PromptArea(ReadingArea):
    """A question's prompt: as high as it needs to be, up to a share of the window, then it scrolls."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._limit = 10_000
        self.setProperty("bare", True)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def limit_height(self, pixels: int) -> None:
        """Never be higher than ``pixels``."""
        self._limit = max(pixels, self.fontMetrics().lineSpacing())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_text(self, shown: Shown) -> None:
        super().show_text(shown)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.verticalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def _fit(self) -> None:
        height = self.fontMetrics().lineSpacing() * self.line_count() + 2
        policy = Qt.ScrollBarPolicy
        fits = height <= self._limit
        self.setVerticalScrollBarPolicy(policy.ScrollBarAlwaysOff if fits else policy.ScrollBarAsNeeded)
        self.setFixedHeight(min(height, self._limit))
