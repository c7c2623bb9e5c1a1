"""Offering files while a person writes ``@`` in an editor."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QListWidget, QPlainTextEdit
from shiboken6 import isValid

from pi_ask.text import visible
from pi_ask_qt.file_index import list_files, match_files
from pi_ask_qt.references import References, open_reference

_ROWS = 8


class FileFinder(QObject):
    """Finds files in a thread of its own; ``found`` carries the query and the paths."""

    found = Signal(str, list)

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._files: list[str] | None = None
        self._lock = threading.Lock()
        self._wanted = ""

    def find(self, query: str) -> None:
        """Look for ``query``; the answer to an older one is not told any more."""
        self._wanted = query
        threading.Thread(target=self._work, args=(query,), name="pi-ask files", daemon=True).start()

    def _work(self, query: str) -> None:
        with self._lock:
            if query != self._wanted:
                return
            if self._files is None:
                self._files = list_files(self._folder, lambda: not isValid(self))
            matches = match_files(self._files, query)
        if query == self._wanted and isValid(self):
            self.found.emit(query, matches)


class Completion(QObject):
    """The list of files below the cursor of one editor."""

    def __init__(self, editor: QPlainTextEdit, references: References) -> None:
        super().__init__(editor)
        self._editor = editor
        self._references = references
        self._finder = FileFinder(references.folder, self)
        self._list = QListWidget(editor.window())
        self._list.setObjectName("completions")
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.hide()
        self._list.itemClicked.connect(lambda _: self.accept())
        self._finder.found.connect(self._on_found)

    @property
    def is_open(self) -> bool:
        """Whether there is something to choose from."""
        return self._list.isVisible()

    def follow(self) -> None:
        """Look at what is being written."""
        query = self._query()
        if query is None:
            self.close()
        else:
            self._finder.find(query)

    def move(self, delta: int) -> None:
        """Go ``delta`` rows on."""
        row = min(max(self._list.currentRow() + delta, 0), self._list.count() - 1)
        self._list.setCurrentRow(row)

    def accept(self) -> None:
        """Write the reference to the file in focus in place of what was typed."""
        item, query = self._list.currentItem(), self._query()
        self.close()
        if item is None or query is None:
            return
        path = self._references.folder / str(item.data(Qt.ItemDataRole.UserRole))
        cursor = self._editor.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        typed = len(before) - before.rindex("@")
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, typed)
        cursor.insertText(self._references.spelled(path) + " ")
        self._editor.setTextCursor(cursor)

    def close(self) -> None:
        """Offer nothing."""
        self._list.hide()

    def _query(self) -> str | None:
        cursor = self._editor.textCursor()
        return None if cursor.hasSelection() else open_reference(cursor.block().text()[: cursor.positionInBlock()])

    def _on_found(self, query: str, paths: list[str]) -> None:
        if query != self._query() or self._editor.window().focusWidget() is not self._editor:
            return
        self._list.clear()
        for path in paths:
            self._list.addItem(visible(path))
            self._list.item(self._list.count() - 1).setData(Qt.ItemDataRole.UserRole, path)
        self._list.setVisible(bool(paths))
        if paths:
            self._list.setCurrentRow(0)
            self._place()

    def _place(self) -> None:
        window, editor = self._editor.window(), self._editor
        row = max(self._list.sizeHintForRow(0), 1)
        height = row * min(self._list.count(), _ROWS) + 2 * self._list.frameWidth()
        corner = editor.viewport().mapTo(window, editor.cursorRect().bottomLeft()) + QPoint(0, 2)
        width = min(max(self._list.sizeHintForColumn(0) + row * 2, row * 12), window.width() - 8)
        if corner.y() + height > window.height():
            corner.setY(max(0, corner.y() - height - editor.cursorRect().height() - 4))
        self._list.setGeometry(min(corner.x(), window.width() - width - 4), corner.y(), width, height)
        self._list.raise_()
