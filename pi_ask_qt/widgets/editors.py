"""Text areas: the editors for own words and notes, and read-only text that can be selected."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontDatabase,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from pi_ask.state.form import Editor
from pi_ask.text import Shown
from pi_ask_qt.references import References, save_picture
from pi_ask_qt.theme import colours, unit
from pi_ask_qt.views.highlight import spans
from pi_ask_qt.widgets.completion import Completion
from pi_ask_qt.widgets.highlighter import Highlighter
from pi_ask_qt.widgets.text import wrap_mode

KeyHandler = Callable[[QKeyEvent], bool]
"""Takes a key press; returns whether it meant an action and is not text."""

_MIN_LINES = 2
_MAX_LINES = 8
_PAGES = frozenset({Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End})
_MOVES = _PAGES | {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right}
_LONG = 5_000
_PIECE = 4_000
_FIRST = 300_000
_MORE = 100_000
_LINE_ENDS = re.compile("[\u2028\u2029]")
_LONG_PARAGRAPH = re.compile(rf"[^\n]{{{_PIECE + 1},}}")


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
            self.setWordWrapMode(wrap_mode(text) if len(text) > _LONG else self.wordWrapMode())
            self.insertPlainText(text)

    def line_count(self) -> int:
        """Return how many lines are seen, wrapped ones counted each."""
        return max(1, round(self.document().size().height()))

    def height_of(self, lines: int) -> int:
        """Return the height that ``lines`` lines take, in pixels."""
        margins = self.contentsMargins()
        extra = 2 * self.frameWidth() + margins.top() + margins.bottom() + 2 * round(self.document().documentMargin())
        return self.fontMetrics().lineSpacing() * lines + extra + round(unit(self.font()) * 2)


class TextEditor(PlainArea):
    """An editor for own words or a note. It grows with its text, up to eight lines."""

    edited = Signal(object, str)
    entered = Signal(object)

    def __init__(self, name: str, parent: QWidget, *, editor: Editor, on_key: KeyHandler, folder: Path) -> None:
        super().__init__(name, parent)
        self._editor = editor
        self._on_key = on_key
        self._composing = False
        self._references = References(folder)
        self._completion: Completion | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._on_text_changed)

    def draw(self, text: str) -> None:
        """Show ``text``, where it is not there already."""
        if self.typed() != text:
            with QSignalBlocker(self):
                self.setPlainText(text)
            self.moveCursor(QTextCursor.MoveOperation.End)
            self.updateGeometry()

    def typed(self) -> str:
        """Return the text as it was typed; ``toPlainText`` would make plain blanks of those that do not break."""
        return _LINE_ENDS.sub("\n", self.document().toRawText())

    def sizeHint(self) -> QSize:
        # Counting the lines of a very long text would lay all of it out, again and again.
        is_long = self.document().characterCount() > _LONG
        lines = _MAX_LINES if is_long else min(max(self.line_count(), _MIN_LINES), _MAX_LINES)
        return QSize(200, self.height_of(lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def pictures(self) -> list[tuple[str, Path]]:
        """Return the pictures from the clipboard that the text refers to, with the spelling of each reference."""
        return self._references.pictures(self.typed())

    def remove_reference(self, spelling: str) -> None:
        """Take a reference out of the text."""
        self.setPlainText(self.typed().replace(f"{spelling} ", "").replace(spelling, ""))

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or source.hasImage() or source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        if not files and source.hasImage() and not source.hasText():
            saved = save_picture(QImage(source.imageData()))
            files = [saved] if saved is not None else []
        if files:
            self.insertPlainText("".join(f"{self._references.spelled(path)} " for path in files))
        else:
            super().insertFromMimeData(source)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._completion is not None:
            self._completion.close()

    def _completes(self, event: QKeyEvent) -> bool:
        """Return whether a key was for the list of files."""
        completion, key = self._completion, event.key()
        if completion is None or not completion.is_open:
            return False
        moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        if Qt.Key(key) in moves:
            completion.move(moves[Qt.Key(key)])
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
            completion.accept()
        elif key == Qt.Key.Key_Escape:
            completion.close()
        else:
            return False
        return True

    def event(self, event: QEvent) -> bool:
        # Tab moves the focus before a key press is seen.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._completes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # While an input method composes, every key belongs to it; a selection is what a copy is for.
        copies = self.textCursor().hasSelection() and event.matches(QKeySequence.StandardKey.Copy)
        if not self._composing and not copies and self._on_key(event):
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit(self._editor)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def _on_text_changed(self) -> None:
        self.updateGeometry()
        self._offer_files()
        self.edited.emit(self._editor, self.typed())

    def _has_keyboard(self) -> bool:
        """Return whether keys go here, as far as this window gets them."""
        return self.window().focusWidget() is self

    def _offer_files(self) -> None:
        cursor = self.textCursor()
        if (
            self._completion is None
            and "@" in cursor.block().text()[: cursor.positionInBlock()]
            and self._has_keyboard()
        ):
            self._completion = Completion(self, self._references)
        if self._completion is not None:
            self._completion.follow()


class ReadingArea(PlainArea):
    """Text to read: it can be selected and copied, and leaves every key that it does not need to the window.

    A copy gives what the form says, not what was made visible in its place.
    """

    _KEYS = _PAGES

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
        extends = key in _MOVES and modifiers == Qt.KeyboardModifier.ShiftModifier
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
    cuts: list[int] = []
    for paragraph in _LONG_PARAGRAPH.finditer(text):
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


class CodeArea(ReadingArea):
    """A preview: monospace and exact; scrolls both ways until its lines are wrapped."""

    _KEYS = _MOVES

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
