"""The editors for own words and notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QInputMethodEvent, QKeyEvent, QKeySequence, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QSizePolicy, QWidget

from pi_ask.state.form import Editor
from pi_ask_qt.references import References, save_picture
from pi_ask_qt.widgets.areas import LONG, PlainArea

if TYPE_CHECKING:
    from pi_ask_qt.widgets.completion import Completion

KeyHandler = Callable[[QKeyEvent], bool]
"""Takes a key press; returns whether it meant an action and is not text."""

_MIN_LINES = 2
_MAX_LINES = 8
_LINE_ENDS = re.compile("[\u2028\u2029]")


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
        is_long = self.document().characterCount() > LONG
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
            from pi_ask_qt.widgets.completion import Completion  # noqa: PLC0415 - most editors do without it

            self._completion = Completion(self, self._references)
        if self._completion is not None:
            self._completion.follow()
