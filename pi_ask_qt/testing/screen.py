"""What a window shows, as plain data and in words: its drawn texts, and the marks of its widgets as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from PySide6.QtWidgets import QAbstractButton, QWidget

from pi_ask.models import AskQuestion, QuestionType
from pi_ask.text import clipped, one_line
from pi_ask_qt.views.window import QuestionView, ReviewItemView, RowView, WindowView
from pi_ask_qt.widgets.editors import TextEditor
from pi_ask_qt.widgets.window import AskWindow

REVIEW = "review"
"""The step after the questions, where there is more than one."""

_TEXT_LIMIT = 300
_ROW_LIMIT = 60


class StepShown(NamedTuple):
    """A step: a question's id or :data:`REVIEW`, its label, and whether it has its mark of an answer."""

    id: str
    label: str
    answered: bool


class OptionShown(NamedTuple):
    """An option that is on the screen."""

    value: str
    label: str
    chosen: bool
    description: str
    note: str
    recommended: bool


class QuestionShown(NamedTuple):
    """The question that is on the screen; ``type`` is the one that it has now.

    ``options``: those that the ``filter`` lets through. ``own_text``: what its editor shows, and ``own_text_counts``:
    whether that is part of the answer. ``preview``: the text beside the options, ``None`` where there is none.
    """

    id: str
    prompt: str
    type: QuestionType
    options: tuple[OptionShown, ...]
    own_text: str
    own_text_counts: bool
    note: str
    filter: str
    preview: str | None

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values of the options that are chosen, in the order of the form."""
        return tuple(option.value for option in self.options if option.chosen)


class ReviewShown(NamedTuple):
    """A question on Review: its answer and its notes in words."""

    id: str
    answer: str
    answered: bool
    notes: tuple[str, ...]


class Screen(NamedTuple):
    """What a window shows; ``str()`` says it in words.

    ``step``: the id of the question shown, or :data:`REVIEW`. ``question``, or ``review`` there. ``notice``: the
    warning, ``""`` without one. ``waiting``: what the window says of other forms that wait.
    """

    title: str
    subtitle: str
    waiting: str
    steps: tuple[StepShown, ...]
    step: str
    question: QuestionShown | None
    review: tuple[ReviewShown, ...]
    notice: str
    buttons: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def read_screen(window: AskWindow, questions: tuple[AskQuestion, ...]) -> Screen:
    """Return what ``window`` shows of a form with ``questions``."""
    view = window.drawn
    ids = [question.id for question in questions]
    return Screen(
        title=view.title,
        subtitle=view.subtitle,
        waiting=view.waiting,
        steps=_steps(view, ids),
        step=ids[view.step] if view.question is not None else REVIEW,
        question=_question(window, view.question) if view.question is not None else None,
        review=tuple(_review(item, ids) for item in view.review or ()),
        notice=view.notice,
        buttons=tuple(_button(window, name).text() for name in ("cancel", "elaborate", "submit")),
    )


def _steps(view: WindowView, ids: list[str]) -> tuple[StepShown, ...]:
    pairs = zip([*ids, REVIEW], view.steps, strict=False)
    return tuple(StepShown(id_, step.label, bool(step.answered)) for id_, step in pairs)


def _review(item: ReviewItemView, ids: list[str]) -> ReviewShown:
    return ReviewShown(ids[item.step], item.answer, item.answered, item.notes)


def _question(window: AskWindow, view: QuestionView) -> QuestionShown:
    page = window.findChild(QWidget, f"question:{view.id}") or window
    return QuestionShown(
        id=view.id,
        prompt=view.prompt.text,
        type=view.type,
        options=tuple(_option(page, view, row) for row in view.options if row.shown),
        own_text=_written(page, f"custom:{view.id}"),
        own_text_counts=_button(page, f"customRow:{view.id}").isChecked(),
        note=_written(page, f"note:{view.id}"),
        filter=view.filter,
        preview=None if view.preview is None else view.preview.text.text,
    )


def _option(page: QWidget, view: QuestionView, row: RowView) -> OptionShown:
    button = _button(page, f"option:{view.id}:{row.value}")
    note = _written(page, f"optionNote:{view.id}:{row.value}") or row.note
    return OptionShown(row.value or "", button.text(), button.isChecked(), row.description, note, row.recommended)


def _button(place: QWidget, name: str) -> QAbstractButton:
    button = place.findChild(QWidget, name)
    if not isinstance(button, QAbstractButton):
        raise LookupError(f"the window has no {name}")
    return button


def _written(page: QWidget, name: str) -> str:
    """Return the text of an editor that is on the screen."""
    editor = page.findChild(QWidget, name)
    return editor.typed() if isinstance(editor, TextEditor) and editor.isVisible() else ""


# --- in words ---------------------------------------------------------------------------------------------------------


def _lines(screen: Screen) -> Iterator[str]:
    yield from (_short(text) for text in (screen.title, screen.subtitle, screen.waiting) if text)
    steps = screen.steps or (StepShown(screen.step, "", answered=False),)
    for step in steps:
        here = step.id == screen.step
        if here and screen.question is not None:
            yield from _question_lines(screen.question)
        else:
            yield f"{'>' if here else ' '} {step.id}{': answered' if step.answered else ''}"
    for item in screen.review:
        yield f"    {item.id}: {_short(item.answer)}"
        yield from _notes(item.notes)
    if screen.notice:
        yield f"! {screen.notice}"
    yield " ".join(f"[{button}]" for button in screen.buttons)


def _question_lines(question: QuestionShown) -> Iterator[str]:
    yield f"> {question.id} ({question.type}): {_short(question.prompt)}"
    if question.filter:
        yield f"    only what matches {question.filter!r}:"
    for option in question.options[:_ROW_LIMIT]:
        extra = [option.description, "recommended" if option.recommended else ""]
        told = " · ".join([option.label, *(one for one in extra if one)])
        yield f"    {_mark(on=option.chosen)} {option.value}: {_short(told)}"
        yield from _notes([option.note])
    if len(question.options) > _ROW_LIMIT:
        yield f"    … and {len(question.options) - _ROW_LIMIT} more options"
    if question.own_text:
        yield f"    {_mark(on=question.own_text_counts)} own text: {_short(question.own_text)}"
    if question.note:
        yield f"    note: {_short(question.note)}"


def _notes(notes: Iterable[str]) -> Iterator[str]:
    return (f"        note: {_short(note)}" for note in notes if note)


def _mark(*, on: bool) -> str:
    return "[x]" if on else "[ ]"


def _short(text: str) -> str:
    return one_line(clipped(text, _TEXT_LIMIT))
