"""Everything a person can do with a form. A surface emits these; ``transitions.reduce`` carries them out."""

from __future__ import annotations

from typing import NamedTuple

from pi_ask.state.form import Editor, FormAction, FormRules


class _Plain:
    """An action that is all said by its name."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class MoveStep(NamedTuple):
    """Go ``delta`` (1 or -1) steps on, past the end to the other end. An open editor closes and keeps its text."""

    delta: int


class GoToStep(NamedTuple):
    """Show step ``step`` (0-based; ``len(questions)`` is Review)."""

    step: int


class MoveRow(NamedTuple):
    """Move the focus ``delta`` (1 or -1) rows, over the rows that the filter shows; on Review over the buttons."""

    delta: int


class FocusRow(NamedTuple):
    """Put the focus on row ``row`` of the question shown; ``len(options)`` is the row for own text."""

    row: int


class FocusAction(NamedTuple):
    """Put the focus on one of the three buttons."""

    action: FormAction


class ConfirmRow(_Plain):
    """Enter: take what is in focus and go on; on a button, press it; on the own-text row, open its editor."""


class ToggleRow(_Plain):
    """Space: take or clear what is in focus and stay."""


class PressDigit(NamedTuple):
    """A digit from 1 to 9: choose or toggle that option and stay; on Review the three ways out."""

    digit: int


class ChooseOption(NamedTuple):
    """A click on an option: choose it (``multi``: toggle it) and stay."""

    question_id: str
    value: str


class UseCustom(NamedTuple):
    """A click on the own-text row: switch it on and open its editor; when it is on and holds text, switch it off."""

    question_id: str


class OpenEditor(NamedTuple):
    """Give an editor the keyboard."""

    editor: Editor


class EditText(NamedTuple):
    """An editor now holds ``text``; sent for every change, so that the state never lags behind what is seen."""

    editor: Editor
    text: str


class SubmitEditor(_Plain):
    """Enter in an editor: close it; own text of a ``single`` or ``preview`` question also goes on."""


class CloseEditor(_Plain):
    """Esc in an editor: close it and keep its text. Never ends the form."""


class FilterOptions(NamedTuple):
    """Narrow the options of a question to those that contain ``text``."""

    question_id: str
    text: str


class ChangeType(_Plain):
    """Change the type of the question shown, for this flow only."""


class SubmitForm(_Plain):
    """Answer. A required question without an answer asks for it a second time."""


class ElaborateForm(_Plain):
    """Answer, and ask the agent to explain first."""


class CancelForm(_Plain):
    """Leave without an answer, from any key, button or the frame. A dirty form asks for it a second time."""


class ApplyRules(NamedTuple):
    """The configuration changed while the form is open."""

    rules: FormRules


Action = (
    MoveStep
    | GoToStep
    | MoveRow
    | FocusRow
    | FocusAction
    | ConfirmRow
    | ToggleRow
    | PressDigit
    | ChooseOption
    | UseCustom
    | OpenEditor
    | EditText
    | SubmitEditor
    | CloseEditor
    | FilterOptions
    | ChangeType
    | SubmitForm
    | ElaborateForm
    | CancelForm
    | ApplyRules
)
