"""One question: its prompt, its rows with their editors and, beside them, a preview."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from pi_ask.state.actions import ChooseOption, EditText, FilterOptions, FocusRow, OpenEditor, UseCustom
from pi_ask.state.form import Editor, EditorKind
from pi_ask_qt.theme import scaled, unit
from pi_ask_qt.views import sentences
from pi_ask_qt.views.window import EditorView, QuestionView, RowView
from pi_ask_qt.widgets.areas import PromptArea
from pi_ask_qt.widgets.editors import KeyHandler, TextEditor
from pi_ask_qt.widgets.faces import label_left
from pi_ask_qt.widgets.fields import FilterField
from pi_ask_qt.widgets.lists import ListArea
from pi_ask_qt.widgets.pictures import PictureStrip
from pi_ask_qt.widgets.rows import Row, make_row

_SIDE_BY_SIDE_EM = 42
_PROMPT_SHARE = 0.35
_PROMPT_SIZE = 1.1
_NAME_LIMIT = 10_000


if TYPE_CHECKING:
    from pi_ask_qt.widgets.preview_pane import PreviewPane


class QuestionPage(QWidget):
    """A page that draws a :class:`QuestionView`; ``acted`` carries the actions of ``pi_ask.form``.

    ``rearranged``: it has other widgets than before, and so another :meth:`tab_order`.
    """

    acted = Signal(object)
    rearranged = Signal()

    def __init__(self, view: QuestionView, parent: QWidget, *, on_key: KeyHandler, folder: Path) -> None:
        super().__init__(parent)
        self.setObjectName(f"question:{view.id}")
        self._id = view.id
        self._on_key = on_key
        self._folder = folder
        self._rows: dict[str | None, Row] = {}
        self._boxes: dict[str | None, _Box] = {}
        self._editors: dict[Editor, TextEditor] = {}
        self._exclusive: bool | None = None
        self._row: str | None = None
        self._prompt = PromptArea(f"prompt:{view.id}", self)
        self._prompt.setFont(scaled(self.font(), _PROMPT_SIZE))
        self._filter = FilterField(self) if view.has_filter else None
        self._note_button = QPushButton(sentences.ADD_NOTE, self)
        self._scroll = ListArea(self, round(unit(self.font())))
        self._notes = _Box(self._scroll.widget())
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._pane = _preview_pane(view.id, self._splitter) if view.has_previews else None
        self._lay_out()
        self.draw(view)

    def draw(self, view: QuestionView) -> None:
        """Show ``view``."""
        self._view = view
        self._prompt.show_text(view.prompt)
        self._prompt.setAccessibleName(view.prompt.text[:_NAME_LIMIT])
        self._draw_filter(view)
        self._draw_rows(view)
        self._draw_editors(view)
        self._note_button.setVisible(not view.note.shown)
        if self._pane is not None and view.preview is not None:
            self._pane.draw(view.preview)

    def focus_row(self, value: str | None, *, take: bool = True) -> None:
        """Give the keyboard to a row, ``None`` for own text; or, where it stays elsewhere, only show the row."""
        row = self._rows.get(value)
        take = take and row is not self.window().focusWidget()
        if row is None or not (take or value != self._row):
            return
        self._row = value
        if take:
            row.setFocus(Qt.FocusReason.OtherFocusReason)
        self._scroll.reveal(row)

    def focus_editor(self, editor: Editor) -> None:
        """Give the keyboard to an editor."""
        widget = self._editors.get(editor)
        if widget is not None and widget is not self.window().focusWidget():
            widget.setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.reveal(widget)

    def copy_selection(self) -> bool:
        """Copy what is selected in the prompt or the preview; return whether anything is."""
        return self._prompt.copy_selection() or (self._pane is not None and self._pane.copy_selection())

    def open_search(self) -> bool:
        """Search the preview, or narrow a long list; return whether there is one of them."""
        if self._pane is not None:
            self._pane.open_search()
        elif self._filter is not None:
            self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._filter.selectAll()
        return self._pane is not None or self._filter is not None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._prompt.limit_height(round(self.height() * _PROMPT_SHARE))
        wide = self.width() >= unit(self.font()) * 4 * _SIDE_BY_SIDE_EM * 0.6
        self._splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        if self._pane is not None:
            self._pane.stand_beside(beside=wide)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._prompt.setFont(scaled(self.font(), _PROMPT_SIZE))

    def _focus_list(self) -> None:
        self.focus_row(self._view.focused_row)

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _draw_filter(self, view: QuestionView) -> None:
        if self._filter is not None and self._filter.text() != view.filter:
            with QSignalBlocker(self._filter):
                self._filter.setText(view.filter)

    def _draw_rows(self, view: QuestionView) -> None:
        rows = (*view.options, view.custom)
        if self._exclusive != view.custom.exclusive:
            self._make_rows(rows, exclusive=view.custom.exclusive)
        for row in rows:
            self._rows[row.value].draw(row)
            box = self._boxes[row.value]
            if box.isHidden() == row.shown:
                box.setVisible(row.shown)

    def _make_rows(self, views: tuple[RowView, ...], *, exclusive: bool) -> None:
        """Make the rows; they are made again when radio buttons become check boxes."""
        self._exclusive = exclusive
        for index, view in enumerate(views):
            box = self._box(view.value)
            name = f"customRow:{self._id}" if view.value is None else f"option:{self._id}:{view.value}"
            old = self._rows.get(view.value)
            row = make_row(name, box, exclusive=exclusive)
            self._connect(row, index, view.value)
            box.column.insertWidget(0, row)
            self._rows[view.value] = row
            if old is not None:
                old.setParent(None)
                old.deleteLater()
        self.rearranged.emit()

    def _box(self, value: str | None) -> _Box:
        """Return the place of a row and its editor; a row has it for itself, or Qt would clear its siblings."""
        box = self._boxes.get(value)
        if box is None:
            box = self._boxes[value] = _Box(self._scroll.widget(), indented=True)
            self._scroll.column.insertWidget(len(self._boxes) - 1, box)
        return box

    def _connect(self, row: Row, index: int, value: str | None) -> None:
        row.on_tab = self._on_key
        row.focused.connect(lambda: self.acted.emit(FocusRow(index)))
        if value is None:
            row.clicked.connect(lambda: self.acted.emit(UseCustom(self._id)))
            return
        note = Editor(EditorKind.OPTION_NOTE, self._id, value)
        row.clicked.connect(lambda: self.acted.emit(ChooseOption(self._id, value)))
        row.note_requested.connect(lambda: self.acted.emit(OpenEditor(note)))

    def _draw_editors(self, view: QuestionView) -> None:
        views = (view.custom_editor, view.note, *view.option_notes)
        made = [self._make_editor(one) for one in views if one.editor not in self._editors]
        if made:
            self.rearranged.emit()
        shown = {one.editor: one for one in views}
        for editor, widget in self._editors.items():
            one = shown.get(editor)
            if one is not None:
                widget.draw(one.text)
            widget.setVisible(one is not None and one.shown)

    def _make_editor(self, view: EditorView) -> TextEditor:
        editor = view.editor
        names = {
            EditorKind.CUSTOM: f"custom:{self._id}",
            EditorKind.QUESTION_NOTE: f"note:{self._id}",
            EditorKind.OPTION_NOTE: f"optionNote:{self._id}:{editor.option_value}",
        }
        box = self._notes if editor.kind is EditorKind.QUESTION_NOTE else self._box(editor.option_value)
        widget = TextEditor(names[editor.kind], box, editor=editor, on_key=self._on_key, folder=self._folder)
        strip = PictureStrip(f"pictures:{names[editor.kind]}", box, widget.remove_reference)
        widget.textChanged.connect(lambda: strip.draw(widget.pictures()))
        for one in (widget, strip):
            box.add_below(one)
        widget.setPlaceholderText(_placeholder(editor.kind))
        widget.setAccessibleName(_placeholder(editor.kind))
        widget.edited.connect(lambda of, text: self.acted.emit(EditText(of, text)))
        widget.entered.connect(lambda of: self.acted.emit(OpenEditor(of)))
        self._editors[editor] = widget
        return widget

    # --- places -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        u = round(unit(self.font()))
        self._note_button.setObjectName(f"addNote:{self._id}")
        self._note_button.setProperty("quiet", True)
        self._note_button.setProperty("flush", True)
        note = Editor(EditorKind.QUESTION_NOTE, self._id)
        self._note_button.clicked.connect(lambda: self.acted.emit(OpenEditor(note)))
        self._scroll.column.addWidget(self._notes)
        self._scroll.column.addWidget(self._note_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._scroll.column.addStretch(1)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.insertWidget(0, self._scroll)
        if self._pane is not None:
            self._splitter.setSizes([400, 600])
            self._pane.search_closed.connect(self._focus_list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(u * 3)
        layout.addWidget(self._prompt)
        if self._filter is not None:
            self._filter.setObjectName(f"filter:{self._id}")
            self._filter.left.connect(self._focus_list)
            self._filter.textEdited.connect(lambda text: self.acted.emit(FilterOptions(self._id, text)))
            layout.addWidget(self._filter)
        layout.addWidget(self._splitter, 1)

    def tab_order(self) -> list[QWidget]:
        """Return what the Tab key goes through, in the order in which it is seen."""
        order: list[QWidget] = [self._prompt, *([self._filter] if self._filter is not None else [])]
        for value, row in self._rows.items():
            order.append(row)
            kind = EditorKind.CUSTOM if value is None else EditorKind.OPTION_NOTE
            order.extend(self._made(Editor(kind, self._id, value)))
        order.extend(self._made(Editor(EditorKind.QUESTION_NOTE, self._id)))
        order.append(self._note_button)
        return [*order, *(self._pane.tab_order() if self._pane is not None else ())]

    def _made(self, editor: Editor) -> list[TextEditor]:
        widget = self._editors.get(editor)
        return [] if widget is None else [widget]


def _placeholder(kind: EditorKind) -> str:
    if kind is EditorKind.CUSTOM:
        return sentences.CUSTOM_PLACEHOLDER
    return (
        sentences.QUESTION_NOTE_PLACEHOLDER if kind is EditorKind.QUESTION_NOTE else sentences.OPTION_NOTE_PLACEHOLDER
    )


class _Box(QWidget):
    """A place for a row and, below it, what belongs to it: with ``indented`` where the row's texts start."""

    def __init__(self, parent: QWidget | None, *, indented: bool = False) -> None:
        super().__init__(parent)
        self._indent = QSpacerItem(0, 0, QSizePolicy.Policy.Fixed) if indented else None
        self._below: QVBoxLayout | None = None
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(round(unit(self.font()) * 1.5))

    def add_below(self, widget: QWidget) -> None:
        """Add a widget below all others."""
        if self._below is None:
            self._below = QVBoxLayout()
            across = QHBoxLayout()  # it changes sides by itself where text is read from right to left
            across.setSpacing(0)
            if self._indent is not None:
                across.addItem(self._indent)
            across.addLayout(self._below, 1)
            self.column.addLayout(across)
            self._set_indent()
        self._below.addWidget(widget)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_indent()

    def _set_indent(self) -> None:
        if self._indent is not None and self._below is not None:
            self._indent.changeSize(round(label_left(self.font())), 0, QSizePolicy.Policy.Fixed)
            self.column.invalidate()


def _preview_pane(id_: str, parent: QWidget) -> PreviewPane:
    from pi_ask_qt.widgets.preview_pane import PreviewPane  # noqa: PLC0415 - most questions do without it

    return PreviewPane(id_, parent)
