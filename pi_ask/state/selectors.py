"""Questions about a form's state. They answer; they change nothing."""

from __future__ import annotations

from pi_ask.models import AskOption, AskQuestion, QuestionType
from pi_ask.state.form import Editor, EditorKind, Entry, FormState


def step_count(state: FormState) -> int:
    """Return how many steps there are: the questions, and Review where there is more than one."""
    count = len(state.questions)
    return count + 1 if count > 1 else count


def at_review(state: FormState) -> bool:
    """Return whether Review is shown."""
    return state.step >= len(state.questions)


def current_question(state: FormState) -> AskQuestion | None:
    """Return the question shown, ``None`` on Review."""
    return None if at_review(state) else state.questions[state.step]


def current_entry(state: FormState) -> Entry | None:
    """Return what was done with the question shown, ``None`` on Review."""
    return None if at_review(state) else state.entries[state.step]


def index_of(state: FormState, question_id: str) -> int | None:
    """Return the 0-based place of a question, ``None`` where there is none with this id."""
    return next((index for index, q in enumerate(state.questions) if q.id == question_id), None)


def option_index(question: AskQuestion, value: str) -> int | None:
    """Return the 0-based place of an option, ``None`` where there is none with this value."""
    return next((index for index, option in enumerate(question.options) if option.value == value), None)


def custom_row(question: AskQuestion) -> int:
    """Return the row for own text: the one after the last option."""
    return len(question.options)


def matches_filter(option: AskOption, text: str) -> bool:
    """Return whether a filter text lets an option through: it is part of what a person reads or a program gets."""
    wanted = text.strip().casefold()
    return any(wanted in (part or "").casefold() for part in (option.label, option.description, option.value))


def visible_rows(question: AskQuestion, entry: Entry) -> tuple[int, ...]:
    """Return the rows that the filter shows; the row for own text is always among them."""
    if not entry.filter.strip():
        return tuple(range(len(question.options) + 1))
    shown = [index for index, option in enumerate(question.options) if matches_filter(option, entry.filter)]
    return (*shown, custom_row(question))


def focused_option(state: FormState) -> AskOption | None:
    """Return the option in focus, ``None`` on Review or on the row for own text."""
    question, entry = current_question(state), current_entry(state)
    if question is None or entry is None or entry.row >= len(question.options):
        return None
    return question.options[entry.row]


def custom_counts(entry: Entry) -> bool:
    """Return whether own text is part of the answer."""
    return entry.custom_on and not is_blank(entry.custom_text)


def is_answered(entry: Entry) -> bool:
    """Return whether a question has an answer: an option, or own text."""
    return bool(entry.selected) or custom_counts(entry)


def choice_count(entry: Entry) -> int:
    """Return how many things are chosen, own text among them."""
    return len(entry.selected) + custom_counts(entry)


def has_note(entry: Entry) -> bool:
    """Return whether there is a note on a question or on any of its options."""
    return not is_blank(entry.note) or any(not is_blank(note) for _, note in entry.option_notes)


def is_dirty(state: FormState) -> bool:
    """Return whether leaving would lose something: a choice, a note or a draft."""
    return any(entry.selected or has_note(entry) or not is_blank(entry.custom_text) for entry in state.entries)


def unanswered(state: FormState) -> tuple[AskQuestion, ...]:
    """Return the questions without an answer."""
    pairs = zip(state.questions, state.entries, strict=True)
    return tuple(question for question, entry in pairs if not is_answered(entry))


def missing_required(state: FormState) -> tuple[str, ...]:
    """Return the ids of the required questions without an answer."""
    return tuple(question.id for question in unanswered(state) if question.required)


def option_note(entry: Entry, value: str) -> str:
    """Return the note on an option, ``""`` where there is none."""
    return dict(entry.option_notes).get(value, "")


def editor_text(state: FormState, editor: Editor) -> str:
    """Return the text of an editor, ``""`` where it has none or does not exist."""
    index = index_of(state, editor.question_id)
    if index is None:
        return ""
    entry = state.entries[index]
    if editor.kind is EditorKind.CUSTOM:
        return entry.custom_text
    if editor.kind is EditorKind.QUESTION_NOTE:
        return entry.note
    return option_note(entry, editor.option_value or "")


def other_type(question: AskQuestion, current: QuestionType) -> QuestionType:
    """Return the type that a change of type leads to: back to the requested one, or its counterpart."""
    requested = question.requested_type or question.type
    if current != requested:
        return requested
    return "single" if requested == "multi" else "multi"


def is_blank(text: str) -> bool:
    """Return whether ``text`` counts as absent."""
    return not text or text.isspace()
