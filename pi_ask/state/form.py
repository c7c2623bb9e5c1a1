"""The state of a form while a person fills it in, as frozen values; ``transitions`` makes the next one."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from pi_ask.models import AskQuestion, QuestionType, ResponseMode


class FormAction(Enum):
    """The three ways out of a form, in the order of Review's digits."""

    SUBMIT = "submit"
    ELABORATE = "elaborate"
    CANCEL = "cancel"


class Confirm(Enum):
    """What the person has to ask for a second time before it happens."""

    SUBMIT = "submit"
    ELABORATE = "elaborate"
    CANCEL = "cancel"
    CHANGE_TYPE = "change_type"


class Confirmation(NamedTuple):
    """A question to the person that the same action answers and every other one drops.

    ``by_digit``: Review's double press armed it. ``missing``: ids of required questions without an answer that a
    submit would leave so.
    """

    what: Confirm
    by_digit: bool = False
    missing: tuple[str, ...] = ()


class EditorKind(Enum):
    """The three kinds of text a person can write."""

    CUSTOM = "custom"
    QUESTION_NOTE = "question_note"
    OPTION_NOTE = "option_note"


class Editor(NamedTuple):
    """Which text an editor holds. ``option_value`` is there for option notes only."""

    kind: EditorKind
    question_id: str
    option_value: str | None = None


class Entry(NamedTuple):
    """What the person did with one question.

    ``selected``: option values in the order of the form. ``custom_text`` is kept whether ``custom_on`` or not; it
    counts only while it is on and not blank. ``option_notes``: (option value, text) in the order in which they were
    first given. ``row``: the row in focus, 0-based; the row after the last option is the one for own text.
    ``filter``: what the person typed to narrow a long list.
    """

    type: QuestionType
    selected: tuple[str, ...] = ()
    custom_text: str = ""
    custom_on: bool = False
    note: str = ""
    option_notes: tuple[tuple[str, str], ...] = ()
    row: int = 0
    filter: str = ""


class FormRules(NamedTuple):
    """The part of the configuration that changes how a form behaves."""

    auto_submit_when_answered_without_notes: bool = False
    confirm_dismiss_when_dirty: bool = True
    double_press_review_shortcuts: bool = True


class Outcome(NamedTuple):
    """How the person ended the form."""

    cancelled: bool
    mode: ResponseMode = "submit"


class FormState(NamedTuple):
    """A form being filled in.

    ``step``: 0-based index of the question shown; with more than one question ``len(questions)`` is Review.
    ``action``: the button in focus, or ``None`` while the rows (or an editor) have the focus; on Review never ``None``.
    ``editing``: the editor that has the keyboard. ``dismiss_warned``: the person was told that cancelling discards
    what they did; it stays until the step changes. ``outcome``: set once, then nothing changes any more.
    """

    questions: tuple[AskQuestion, ...]
    entries: tuple[Entry, ...]
    title: str | None = None
    rules: FormRules = FormRules()
    step: int = 0
    action: FormAction | None = None
    editing: Editor | None = None
    pending: Confirmation | None = None
    dismiss_warned: bool = False
    outcome: Outcome | None = None
