"""The preview beside the options of a preview question."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from pi_ask_qt.theme import unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import PreviewView
from pi_ask_qt.widgets.checks import TickBox
from pi_ask_qt.widgets.code_area import CodeArea
from pi_ask_qt.widgets.fields import SearchField
from pi_ask_qt.widgets.labels import TextLabel


class PreviewPane(QWidget):
    """Title, text, and what can be done with it."""

    search_closed = Signal()

    def __init__(self, question_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._view: PreviewView | None = None
        self._title = TextLabel(self, lambda c: c.muted)
        self._title.set_max_lines(1)
        self._copy = QPushButton(sentences.COPY, self)
        self._copy.setProperty("quiet", True)
        self._copy.setObjectName(f"copy:{question_id}")
        self._wrap = TickBox(sentences.WRAP, self)
        self._wrap.setObjectName(f"wrap:{question_id}")
        self._area = CodeArea(f"preview:{question_id}", self)
        self._search = SearchField(self)
        self._search.setObjectName(f"search:{question_id}")
        self._area.use_size_of(self.font())
        self._lay_out()
        self._search.textEdited.connect(lambda _: self._find_anew())
        self._search.next_requested.connect(lambda backward: self._find(backward=backward))
        self._search.closed.connect(self.search_closed)
        self._copy.clicked.connect(self._on_copy)
        self._wrap.toggled.connect(lambda on: self._area.wrap_lines(wrap=on))

    def draw(self, view: PreviewView) -> None:
        """Show the preview of an option."""
        if view == self._view:
            return
        self._view = view
        self._title.show_text(view.label)
        self._area.setAccessibleName(view.label)
        self._area.show_text(view.text)
        self._copy.setEnabled(not view.is_own)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._title, 1, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._wrap)
        head.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(round(unit(self.font())))
        layout.addLayout(head)
        layout.addWidget(self._search)
        layout.addWidget(self._area, 1)

    def stand_beside(self, *, beside: bool) -> None:
        """Keep away from the options, which it stands ``beside`` of or below."""
        gap = round(unit(self.font()) * 2)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        margins = (0, 0, gap, 0) if mirrored else (gap, 0, 0, 0)
        self.setContentsMargins(*(margins if beside else (0, gap, 0, 0)))

    def tab_order(self) -> list[QWidget]:
        """Return what the Tab key goes through, in the order in which it is seen."""
        return [self._wrap, self._copy, self._search, self._area]

    def copy_selection(self) -> bool:
        """Copy what is selected; return whether anything is."""
        return self._area.copy_selection()

    def open_search(self) -> None:
        """Show the search field and give it the keyboard."""
        self._search.show()
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._area.use_size_of(self.font())

    def _find(self, *, backward: bool = False) -> None:
        self._search.say_found(found=self._area.find_text(self._search.text(), backward=backward))

    def _find_anew(self) -> None:
        self._area.moveCursor(QTextCursor.MoveOperation.Start)
        self._find()

    def _on_copy(self) -> None:
        if self._view is not None:
            QGuiApplication.clipboard().setText(self._view.text.source)
