"""What a window shows, in words."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget

from pi_ask.text import one_line
from pi_ask_qt.flow_window import FlowWindow
from pi_ask_qt.views.window import QuestionView, RowView, WindowView
from pi_ask_qt.widgets.window import AskWindow


def screen_text(flow: FlowWindow) -> str:
    """Return what is on the screen of one form: the drawn texts, and the marks of the widgets as they are."""
    if not flow.is_seen:
        return "nothing of this form yet: another one is in front, or forms wait without a window"
    return "\n".join(_lines(flow.window, flow.window.drawn))


def _lines(window: AskWindow, view: WindowView) -> Iterator[str]:
    yield view.title
    yield view.subtitle
    if view.waiting:
        yield view.waiting
    if view.steps:
        yield " | ".join(_step(view, index) for index in range(len(view.steps)))
    if view.question is not None:
        yield from _question(window, view.question)
    for item in view.review or ():
        yield f"  {item.label}: {item.answer}"
        yield from (f"      note: {note}" for note in item.notes)
    if view.notice:
        yield f"! {view.notice}"
    yield " ".join(f"[{_text(window, name)}]" for name in ("cancel", "elaborate", "submit"))


def _step(view: WindowView, index: int) -> str:
    step = view.steps[index]
    label = f"{step.label} ✓" if step.answered else step.label
    return f"> {label}" if index == view.step else label


def _question(window: AskWindow, view: QuestionView) -> Iterator[str]:
    yield f"{view.id} ({view.type}): {view.prompt.text}"
    for row in view.options:
        if row.shown:
            yield f"  {_mark(window, f'option:{view.id}:{row.value}')} {row.value}: {_label(row)}"
            note = _written(window, f"optionNote:{view.id}:{row.value}") or row.note
            if note:
                yield f"      note: {one_line(note)}"
    if view.filter:
        yield f"  (only what matches {view.filter!r})"
    own = _written(window, f"custom:{view.id}")
    yield f"  {_mark(window, f'customRow:{view.id}')} {view.custom.label}{f': {one_line(own)}' if own else ''}"
    if note := _written(window, f"note:{view.id}"):
        yield f"  note: {one_line(note)}"


def _label(row: RowView) -> str:
    extra = [row.description, "recommended" if row.recommended else ""]
    return " · ".join([row.label, *(one for one in extra if one)])


def _mark(window: AskWindow, name: str) -> str:
    widget = window.findChild(QWidget, name)
    return "[x]" if isinstance(widget, QAbstractButton) and widget.isChecked() else "[ ]"


def _written(window: AskWindow, name: str) -> str:
    """Return the text of an editor that is on the screen."""
    editor = window.findChild(QWidget, name)
    return editor.toPlainText() if isinstance(editor, QPlainTextEdit) and editor.isVisible() else ""


def _text(window: AskWindow, name: str) -> str:
    button = window.findChild(QWidget, name)
    return button.text() if isinstance(button, QAbstractButton) else name
