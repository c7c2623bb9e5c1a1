"""The preview beside the options of a preview question."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from pi_ask_qt.theme import unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import PreviewView
from pi_ask_qt.widgets.checks import TickBox
from pi_ask_qt.widgets.editors import CodeArea
from pi_ask_qt.widgets.labels import TextLabel


class PreviewPane(QWidget):
    """Title, text, and what can be done with it."""

    def __init__(self, question_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._view: PreviewView | None = None
        self._title = TextLabel(self, lambda c: c.muted)
        self._title.set_max_lines(1)
        self._copy = QPushButton(sentences.COPY, self)
        self._copy.setProperty("quiet", True)
        self._wrap = TickBox(sentences.WRAP, self)
        self._area = CodeArea(f"preview:{question_id}", self)
        self._lay_out()
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
        head.addWidget(self._title, 1)
        head.addWidget(self._wrap)
        head.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(round(unit(self.font()) * 2), 0, 0, 0)
        layout.setSpacing(round(unit(self.font())))
        layout.addLayout(head)
        layout.addWidget(self._area, 1)

    def _on_copy(self) -> None:
        if self._view is not None:
            QGuiApplication.clipboard().setText(self._view.text.source)
