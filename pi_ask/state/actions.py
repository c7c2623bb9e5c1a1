"""Everything a person can do with a form. A surface emits these; ``transitions.reduce`` carries them out."""

from __future__ import annotations

from dataclasses import dataclass

from pi_ask.state.form import Editor, FormAction, FormRules


@dataclass(frozen=True, slots=True)
class MoveStep:
    """Go ``delta`` (1 or -1) steps on, past the end to the other end. An open editor closes and keeps its text."""

    delta: int


@dataclass(frozen=True, slots=True)
class GoToStep:
    """Show step ``index`` (0-based; ``len(questions)`` is Review)."""

    index: int


@dataclass(frozen=True, slots=True)
class MoveRow:
    """Move the focus ``delta`` (1 or -1) rows, over the rows that the filter shows; on Review over the buttons."""

    delta: int


@dataclass(frozen=True, slots=True)
class FocusRow:
    """Put the focus on row ``index`` of the question shown; ``len(options)`` is the row for own text."""

    index: int


@dataclass(frozen=True, slots=True)
class FocusAction:
    """Put the focus on one of the three buttons."""

    action: FormAction


@dataclass(frozen=True, slots=True)
class ConfirmRow:
    """Enter: take what is in focus and go on; on a button, press it; on the own-text row, open its editor."""


@dataclass(frozen=True, slots=True)
class ToggleRow:
    """Space: take or clear what is in focus and stay."""


@dataclass(frozen=True, slots=True)
class PressDigit:
    """A digit from 1 to 9: choose or toggle that option and stay; on Review the three ways out."""

    digit: int


@dataclass(frozen=True, slots=True)
class ChooseOption:
    """A click on an option: choose it (``multi``: toggle it) and stay."""

    question_id: str
    value: str


@dataclass(frozen=True, slots=True)
class UseCustom:
    """A click on the own-text row: switch it on and open its editor; when it is on and holds text, switch it off."""

    question_id: str


@dataclass(frozen=True, slots=True)
class OpenEditor:
    """Give an editor the keyboard."""

    editor: Editor


@dataclass(frozen=True, slots=True)
class EditText:
    """An editor now holds ``text``; sent for every change, so that the state never lags behind what is seen."""

    editor: Editor
    text: str


@dataclass(frozen=True, slots=True)
class SubmitEditor:
    """Enter in an editor: close it; own text of a ``single`` or ``preview`` question also goes on."""


@dataclass(frozen=True, slots=True)
class CloseEditor:
    """Esc in an editor: close it and keep its text. Never ends the form."""


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Narrow the options of a question to those that contain ``text``."""

    question_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ChangeType:
    """Change the type of the question shown, for this flow only."""


@dataclass(frozen=True, slots=True)
class SubmitForm:
    """Answer. A required question without an answer asks for it a second time."""


@dataclass(frozen=True, slots=True)
class ElaborateForm:
    """Answer, and ask the agent to explain first."""


@dataclass(frozen=True, slots=True)
class CancelForm:
    """Leave without an answer, from any key, button or the frame. A dirty form asks for it a second time."""


@dataclass(frozen=True, slots=True)
class ApplyRules:
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
