"""The window of one form, built from the form's state. All text in it is safe for the eye."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from pi_ask.config.schema import AskConfig
from pi_ask.models import AskOption, AskQuestion, QuestionType, Requester
from pi_ask.state.form import Confirm, Editor, EditorKind, Entry, FormAction, FormState
from pi_ask.state.selectors import (
    at_review,
    custom_counts,
    custom_row,
    editor_text,
    is_answered,
    is_blank,
    unanswered,
    visible_rows,
)
from pi_ask.text import Shown, clipped, isolated, one_line, shown, visible
from pi_ask_qt.views import sentences
from pi_ask_qt.views.hints import FILTER_FROM, hints

# More than anybody reads in a row, a name or a line; laying out megabytes would hold up the whole desk.
_ROW_LIMIT = 20_000
_LINE_LIMIT = 500
_NAME_LIMIT = 5_000
_ASKED_STEP = 10


class EditorView(NamedTuple):
    """An editor: which one, its text exactly as it is held, and whether it is shown and has the keyboard."""

    editor: Editor
    text: str
    shown: bool
    focused: bool


class RowView(NamedTuple):
    """One row: an option, or own text (``value`` is ``None``). ``exclusive``: a radio button, else a check box."""

    value: str | None
    number: int
    label: str
    position: str
    exclusive: bool
    checked: bool
    in_focus: bool
    description: str = ""
    note: str = ""
    recommended: bool = False
    shown: bool = True


class PreviewView(NamedTuple):
    """The preview of the option in focus; ``is_own`` where it stands for no option."""

    label: str
    text: Shown
    is_own: bool = False


class QuestionView(NamedTuple):
    """A question's page. ``focused_row`` is an option's value, ``None`` for own text; it counts without an editor."""

    id: str
    prompt: Shown
    type: QuestionType
    options: tuple[RowView, ...]
    custom: RowView
    custom_editor: EditorView
    note: EditorView
    option_notes: tuple[EditorView, ...]
    focused_editor: Editor | None
    focused_row: str | None
    has_filter: bool
    filter: str
    preview: PreviewView | None
    has_previews: bool


class StepView(NamedTuple):
    """One step in the bar; ``answered`` is ``None`` for Review."""

    label: str
    answered: bool | None


class ReviewItemView(NamedTuple):
    """One question on Review."""

    step: int
    label: str
    answer: str
    answered: bool
    notes: tuple[str, ...]


class WindowView(NamedTuple):
    """Everything that a window shows. ``question`` or ``review`` is there, never both."""

    window_title: str
    title: str
    subtitle: str
    waiting: str
    steps: tuple[StepView, ...]
    step: int
    question: QuestionView | None
    review: tuple[ReviewItemView, ...] | None
    action: FormAction | None
    notice: str
    hints: str
    has_previous: bool
    has_next: bool


class About(NamedTuple):
    """What a window shows beside its form: who asked, how long ago (in seconds), and how many others wait.

    ``notice`` is shown where the form itself has nothing to say.
    """

    requester: Requester | None = None
    asked: float = 0.0
    waiting: int = 0
    notice: str = ""


def build_window(state: FormState, config: AskConfig, about: About) -> WindowView:
    """Return what the window of ``state`` shows now."""
    several = len(state.questions) > 1
    last = len(state.questions) if several else 0
    title = visible(clipped(state.title or "", _LINE_LIMIT))
    return WindowView(
        window_title=sentences.window_title(isolated(one_line(title))),
        title=title or sentences.UNTITLED,
        subtitle=_subtitle(about),
        waiting=sentences.waiting(about.waiting),
        steps=_steps(state) if several else (),
        step=state.step,
        question=None if at_review(state) else _question(state),
        review=_review(state) if at_review(state) else None,
        action=state.action,
        notice=_notice(state) or _line(about.notice),
        hints=hints(state, config) if config.behaviour.show_footer_hints else "",
        has_previous=several and state.step > 0,
        has_next=several and state.step < last,
    )


@lru_cache(maxsize=8)
def _shown(text: str) -> Shown:
    """Look at a long text once, not at every key."""
    return shown(text)


def _row_text(text: str) -> str:
    return visible(clipped(text, _ROW_LIMIT))


def _line(text: str) -> str:
    return isolated(one_line(visible(clipped(text, _LINE_LIMIT))))


def _name(text: str) -> str:
    """Return who asks, whole: it is cut where there is no room for it, and can be opened there."""
    return isolated(one_line(visible(clipped(text, _NAME_LIMIT))))


def _subtitle(about: About) -> str:
    who = about.requester
    names = () if who is None else (_name(who.name), _name(who.cwd or ""))
    return " · ".join([*(name for name in names if name), _asked(about.asked)])


def _asked(seconds: float) -> str:
    """Return how long ago that was, in steps that are calm to look at."""
    steps = int(seconds // _ASKED_STEP)
    return sentences.asked(sentences.waited(round(steps * _ASKED_STEP * 1000))) if steps > 0 else sentences.ASKED_NOW


def _steps(state: FormState) -> tuple[StepView, ...]:
    pairs = zip(state.questions, state.entries, strict=True)
    questions = [StepView(_line(question.label), is_answered(entry)) for question, entry in pairs]
    return (*questions, StepView(sentences.REVIEW, None))


# --- a question -------------------------------------------------------------------------------------------------------


def _question(state: FormState) -> QuestionView:
    question, entry = state.questions[state.step], state.entries[state.step]
    has_previews = (question.requested_type or question.type) == "preview"
    return QuestionView(
        id=question.id,
        prompt=_shown(question.prompt),
        type=entry.type,
        options=_options(state, question, entry),
        custom=_custom(state, question, entry),
        custom_editor=_editor(state, Editor(EditorKind.CUSTOM, question.id)),
        note=_editor(state, Editor(EditorKind.QUESTION_NOTE, question.id)),
        option_notes=_option_notes(state, question, entry),
        focused_editor=state.editing,
        focused_row=question.options[entry.row].value if entry.row < len(question.options) else None,
        has_filter=len(question.options) >= FILTER_FROM,
        filter=entry.filter,
        preview=_preview(question, entry) if has_previews else None,
        has_previews=has_previews,
    )


def _options(state: FormState, question: AskQuestion, entry: Entry) -> tuple[RowView, ...]:
    rows = frozenset(visible_rows(question, entry))
    notes = dict(entry.option_notes)
    if state.editing is not None and state.editing.question_id == question.id:
        notes.pop(state.editing.option_value or "", None)  # its editor shows it
    selected = frozenset(entry.selected)
    focus = _row_in_focus(state, entry)
    count = len(question.options) + 1
    return tuple(
        RowView(
            value=option.value,
            number=index + 1,
            label=_row_text(option.label),
            description=_row_text(option.description or ""),
            note=_shown_note(notes.get(option.value, "")),
            recommended=bool(option.recommended),
            exclusive=entry.type != "multi",
            checked=option.value in selected,
            in_focus=index == focus,
            shown=index in rows,
            position=sentences.position(index + 1, count),
        )
        for index, option in enumerate(question.options)
    )


def _shown_note(note: str) -> str:
    return "" if is_blank(note) else _row_text(note)


def _row_in_focus(state: FormState, entry: Entry) -> int:
    return -1 if state.action is not None or state.editing is not None else entry.row


def _custom(state: FormState, question: AskQuestion, entry: Entry) -> RowView:
    number = custom_row(question) + 1
    return RowView(
        value=None,
        number=number,
        label=sentences.TYPE_YOUR_OWN,
        exclusive=entry.type != "multi",
        checked=custom_counts(entry),
        in_focus=_row_in_focus(state, entry) == number - 1,
        position=sentences.position(number, number),
    )


def _editor(state: FormState, editor: Editor) -> EditorView:
    text = editor_text(state, editor)
    focused = state.editing == editor
    return EditorView(editor, text, shown=focused or (text != "" and editor.option_value is None), focused=focused)


def _option_notes(state: FormState, question: AskQuestion, entry: Entry) -> tuple[EditorView, ...]:
    """Return the editors of the options that have a note or are getting one."""
    values = {value for value, _ in entry.option_notes}
    editing = state.editing
    if editing is not None and editing.question_id == question.id and editing.option_value is not None:
        values.add(editing.option_value)
    wanted = [option.value for option in question.options if option.value in values]
    return tuple(_editor(state, Editor(EditorKind.OPTION_NOTE, question.id, value)) for value in wanted)


def _preview(question: AskQuestion, entry: Entry) -> PreviewView:
    if entry.row >= len(question.options):
        return PreviewView(sentences.TYPE_YOUR_OWN, shown(sentences.PREVIEW_OF_OWN_TEXT), is_own=True)
    option: AskOption = question.options[entry.row]
    return PreviewView(_line(option.label), _shown(option.preview or ""))


# --- Review and the notice --------------------------------------------------------------------------------------------


def _review(state: FormState) -> tuple[ReviewItemView, ...]:
    every_note = state.action is FormAction.ELABORATE
    pairs = zip(state.questions, state.entries, strict=True)
    return tuple(_review_item(step, *pair, every_note=every_note) for step, pair in enumerate(pairs))


def _review_item(step: int, question: AskQuestion, entry: Entry, *, every_note: bool) -> ReviewItemView:
    labels = {option.value: _line(option.label) for option in question.options}
    chosen = [labels[value] for value in entry.selected]
    own = [sentences.own_words(_row_text(entry.custom_text))] if custom_counts(entry) else []
    answered = is_answered(entry)
    return ReviewItemView(
        step=step,
        label=_line(question.label),
        answer=", ".join([*chosen, *own]) or sentences.NO_ANSWER,
        answered=answered,
        notes=_review_notes(entry, labels, every_note=every_note) if answered or every_note else (),
    )


def _review_notes(entry: Entry, labels: Mapping[str, str], *, every_note: bool) -> tuple[str, ...]:
    notes = [] if is_blank(entry.note) else [_row_text(entry.note)]
    notes += [
        sentences.note_on(labels[value], _row_text(note))
        for value, note in entry.option_notes
        if not is_blank(note) and (every_note or value in entry.selected)
    ]
    return tuple(notes)


def _notice(state: FormState) -> str:
    if state.pending is not None:
        return _pending_notice(state)
    if state.dismiss_warned:
        return sentences.DISMISS_WARNING
    if at_review(state) and state.action is FormAction.SUBMIT:
        return sentences.left_open([_line(question.label) for question in unanswered(state)])
    return ""


def _pending_notice(state: FormState) -> str:
    pending = state.pending
    if pending is None:
        return ""
    if pending.what is Confirm.SUBMIT:
        names = {question.id: _line(question.label) for question in state.questions}
        labels = [names[id_] for id_ in pending.missing]
        return sentences.submit_again(labels) if pending.by_digit else sentences.missing_required(labels)
    return {
        Confirm.ELABORATE: sentences.ELABORATE_AGAIN,
        Confirm.CANCEL: sentences.CANCEL_AGAIN,
        Confirm.CHANGE_TYPE: sentences.CHANGE_TYPE_WARNING,
    }[pending.what]
