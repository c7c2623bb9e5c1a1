"""The only maker of a new form state: one table from action to transition.

Refused input leaves the very same state, and an ended form is unchanged by everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pi_ask.models import AskQuestion, ResponseMode
from pi_ask.state.actions import (
    Action,
    ApplyRules,
    CancelForm,
    ChangeType,
    ChooseOption,
    CloseEditor,
    ConfirmRow,
    EditText,
    ElaborateForm,
    FilterOptions,
    FocusAction,
    FocusRow,
    GoToStep,
    MoveRow,
    MoveStep,
    OpenEditor,
    PressDigit,
    SubmitEditor,
    SubmitForm,
    ToggleRow,
    UseCustom,
)
from pi_ask.state.form import (
    Confirm,
    Confirmation,
    Editor,
    EditorKind,
    Entry,
    FormAction,
    FormRules,
    FormState,
    Outcome,
)
from pi_ask.state.selectors import (
    at_review,
    choice_count,
    custom_counts,
    custom_row,
    focused_option,
    has_note,
    index_of,
    is_answered,
    is_blank,
    is_dirty,
    missing_required,
    option_index,
    other_type,
    step_count,
    visible_rows,
)

_ACTIONS = tuple(FormAction)
_DIGITS = 9


def open_form(
    questions: Sequence[AskQuestion], *, title: str | None = None, rules: FormRules | None = None
) -> FormState:
    """Return the state of a form that a person sees for the first time: nothing chosen, the first option in focus."""
    if not questions:
        raise ValueError("a form needs at least one question")
    return FormState(
        questions=tuple(questions),
        entries=tuple(Entry(type=question.type) for question in questions),
        title=title,
        rules=rules or FormRules(),
    )


def reduce(state: FormState, action: Action) -> FormState:
    """Return the state after ``action``; the same object where the action does nothing."""
    transition = _TABLE.get(type(action))
    if transition is None or state.outcome is not None:
        return state
    after = transition(_without_pending(state, action), action)
    if after.step != state.step:
        after = after._replace(editing=_editing_here(after), dismiss_warned=False)
    after = _auto_submitted(state, after, action)
    return state if after == state else after


def _without_pending(state: FormState, action: Action) -> FormState:
    """Any other action drops what waits to be confirmed; the transitions that confirm look at it themselves."""
    confirms = (SubmitForm, ElaborateForm, CancelForm, ChangeType, PressDigit, ConfirmRow, ToggleRow)
    if state.pending is None or isinstance(action, confirms):
        return state
    return state._replace(pending=None)


def _editing_here(state: FormState) -> Editor | None:
    if state.editing is None or at_review(state):
        return None
    return state.editing if state.editing.question_id == state.questions[state.step].id else None


def _auto_submitted(before: FormState, after: FormState, action: Action) -> FormState:
    if not after.rules.auto_submit_when_answered_without_notes or after.outcome is not None:
        return after
    if len(after.questions) > 1:
        arrived = at_review(after) and not at_review(before)
    else:
        went_on = isinstance(action, (ConfirmRow, SubmitEditor))
        arrived = went_on and after.action is FormAction.SUBMIT and before.action is None
    complete = all(is_answered(entry) and not has_note(entry) and not _has_idle_draft(entry) for entry in after.entries)
    return _ended(after, "submit") if arrived and complete else after


def _has_idle_draft(entry: Entry) -> bool:
    return not entry.custom_on and not is_blank(entry.custom_text)


# --- steps and rows ---------------------------------------------------------------------------------------------------


def _move_step(state: FormState, action: MoveStep) -> FormState:
    if action.delta not in {1, -1}:
        return state
    return _at_step(state, (state.step + action.delta) % step_count(state))


def _go_to_step(state: FormState, action: GoToStep) -> FormState:
    if not 0 <= action.step < step_count(state):
        return state
    return _at_step(state, action.step)


def _at_step(state: FormState, step: int) -> FormState:
    review = step >= len(state.questions)
    return state._replace(step=step, action=FormAction.SUBMIT if review else None, editing=None, pending=None)


def _next_step(state: FormState) -> FormState:
    """Go on after an answer: to the next step or, with one question, to Submit."""
    if len(state.questions) == 1:
        return state._replace(action=FormAction.SUBMIT, editing=None, pending=None)
    return _at_step(state, state.step + 1)


def _move_row(state: FormState, action: MoveRow) -> FormState:
    if action.delta not in {1, -1}:
        return state
    if state.action is not None:
        return _move_action(state, state.action, action.delta)
    question, entry = _shown(state)
    rows = visible_rows(question, entry)
    beyond = [row for row in rows if (row > entry.row if action.delta > 0 else row < entry.row)]
    row = (beyond[0] if action.delta > 0 else beyond[-1]) if beyond else entry.row
    return _with_entry(state._replace(editing=None), entry._replace(row=row))


def _move_action(state: FormState, current: FormAction, delta: int) -> FormState:
    place = _ACTIONS.index(current) + delta
    if place < 0 and not at_review(state):
        return state._replace(action=None, editing=None)
    return state._replace(action=_ACTIONS[min(max(place, 0), len(_ACTIONS) - 1)], editing=None)


def _focus_row(state: FormState, action: FocusRow) -> FormState:
    if at_review(state) or action.row not in visible_rows(*_shown(state)):
        return state
    return _on_row(state, action.row)


def _on_row(state: FormState, row: int) -> FormState:
    entry = _focused(*_shown(state), row)
    return _with_entry(state._replace(action=None, editing=None, pending=None), entry)


def _focus_action(state: FormState, action: FocusAction) -> FormState:
    return state._replace(action=action.action, editing=None)


def _filter_options(state: FormState, action: FilterOptions) -> FormState:
    index = index_of(state, action.question_id)
    if index is None:
        return state
    question, entry = state.questions[index], state.entries[index]._replace(filter=action.text)
    rows = visible_rows(question, entry)
    return _with_entry(state, entry if entry.row in rows else entry._replace(row=rows[0]), index)


# --- choosing ---------------------------------------------------------------------------------------------------------


def _confirm_row(state: FormState, _: ConfirmRow) -> FormState:
    if state.action is not None:
        return _press(state, state.action)
    state = state._replace(pending=None)
    question, entry = _shown(state)
    option = focused_option(state)
    if option is None:
        return _opened(state, Editor(EditorKind.CUSTOM, question.id))
    if entry.type != "multi":
        state = _with_entry(state, _chosen(entry, option.value))
    return _next_step(state)


def _toggle_row(state: FormState, _: ToggleRow) -> FormState:
    if state.action is not None:
        return _press(state, state.action)
    state = state._replace(pending=None, editing=None)
    question, entry = _shown(state)
    option = focused_option(state)
    if option is None:
        return _toggled_custom(state, question, entry)
    return _with_entry(state, _toggled(question, entry, option.value))


def _toggled_custom(state: FormState, question: AskQuestion, entry: Entry) -> FormState:
    if is_blank(entry.custom_text):
        return _opened(state, Editor(EditorKind.CUSTOM, question.id))
    return _with_entry(state, _custom_switched(entry, on=not entry.custom_on))


def _choose_option(state: FormState, action: ChooseOption) -> FormState:
    index = index_of(state, action.question_id)
    if index is None or (row := option_index(state.questions[index], action.value)) is None:
        return state
    return _picked(state if index == state.step else _at_step(state, index), row)


def _picked(state: FormState, row: int) -> FormState:
    """Choose the option of a row (``multi``: toggle it) and put the focus there."""
    state = _on_row(state, row)
    question, entry = _shown(state)
    value = question.options[row].value
    return _with_entry(state, _toggled(question, entry, value) if entry.type == "multi" else _chosen(entry, value))


def _use_custom(state: FormState, action: UseCustom) -> FormState:
    index = index_of(state, action.question_id)
    if index is None:
        return state
    state = state if index == state.step else _at_step(state, index)
    question, entry = _shown(state)
    state = _on_row(state, custom_row(question))
    if custom_counts(entry):
        return _with_entry(state, _shown(state)[1]._replace(custom_on=False))
    if not is_blank(entry.custom_text):
        state = _with_entry(state, _custom_switched(_shown(state)[1], on=True))
    return _opened(state, Editor(EditorKind.CUSTOM, question.id))


def _press_digit(state: FormState, action: PressDigit) -> FormState:
    if state.editing is not None:
        return state._replace(pending=None)
    if at_review(state):
        return _press_review_digit(state, action.digit)
    state = state._replace(pending=None)
    question, entry = _shown(state)
    row = action.digit - 1
    if not 0 <= row < _DIGITS or row not in visible_rows(question, entry):
        return state
    if row < custom_row(question):
        return _picked(state, row)
    state = _on_row(state, row)
    return _toggled_custom(state, *_shown(state))


def _press_review_digit(state: FormState, digit: int) -> FormState:
    if not 1 <= digit <= len(_ACTIONS):
        return state._replace(pending=None)
    action = _ACTIONS[digit - 1]
    what = Confirm(action.value)
    armed = state.pending is not None and state.pending.what is what
    if armed or not state.rules.double_press_review_shortcuts:
        return _press(state, action, confirmed=armed)
    missing = missing_required(state) if action is FormAction.SUBMIT else ()
    return state._replace(action=action, pending=Confirmation(what, by_digit=True, missing=missing))


def _chosen(entry: Entry, value: str) -> Entry:
    return entry._replace(selected=(value,), custom_on=False)


def _toggled(question: AskQuestion, entry: Entry, value: str) -> Entry:
    if entry.type != "multi":
        return entry._replace(selected=()) if value in entry.selected else _chosen(entry, value)
    wanted = set(entry.selected) ^ {value}
    return entry._replace(selected=tuple(option.value for option in question.options if option.value in wanted))


def _custom_switched(entry: Entry, *, on: bool) -> Entry:
    selected = () if on and entry.type != "multi" else entry.selected
    return entry._replace(custom_on=on, selected=selected)


# --- editors ----------------------------------------------------------------------------------------------------------


def _open_editor(state: FormState, action: OpenEditor) -> FormState:
    editor = action.editor
    index = index_of(state, editor.question_id)
    if index is None or not _exists(state.questions[index], editor):
        return state
    state = state if index == state.step else _at_step(state, index)
    return _opened(state, editor)


def _exists(question: AskQuestion, editor: Editor) -> bool:
    if editor.kind is EditorKind.OPTION_NOTE:
        return editor.option_value is not None and option_index(question, editor.option_value) is not None
    return editor.option_value is None


def _opened(state: FormState, editor: Editor) -> FormState:
    question, entry = _shown(state)
    row = entry.row
    if editor.kind is EditorKind.CUSTOM:
        row = custom_row(question)
    elif editor.option_value is not None:
        row = option_index(question, editor.option_value) or 0
    return _with_entry(state._replace(action=None, editing=editor), _focused(question, entry, row))


def _edit_text(state: FormState, action: EditText) -> FormState:
    editor = action.editor
    index = index_of(state, editor.question_id)
    if index is None or not _exists(state.questions[index], editor):
        return state
    return _with_entry(state, _edited(state.entries[index], editor, action.text), index)


def _edited(entry: Entry, editor: Editor, text: str) -> Entry:
    if editor.kind is EditorKind.CUSTOM:
        if text == entry.custom_text:
            return entry
        return _custom_switched(entry, on=not is_blank(text))._replace(custom_text=text)
    if editor.kind is EditorKind.QUESTION_NOTE:
        return entry._replace(note=text)
    notes = dict(entry.option_notes)
    notes[editor.option_value or ""] = text
    return entry._replace(option_notes=tuple((value, note) for value, note in notes.items() if note))


def _submit_editor(state: FormState, _: SubmitEditor) -> FormState:
    editor = state.editing
    if editor is None:
        return state
    state = state._replace(editing=None)
    entry = _shown(state)[1]
    if editor.kind is EditorKind.CUSTOM and entry.type != "multi" and not is_blank(entry.custom_text):
        return _next_step(_with_entry(state, _custom_switched(entry, on=True)))
    return state


def _close_editor(state: FormState, _: CloseEditor) -> FormState:
    return state._replace(editing=None)


# --- the type of a question -------------------------------------------------------------------------------------------


def _change_type(state: FormState, _: ChangeType) -> FormState:
    confirmed = state.pending is not None and state.pending.what is Confirm.CHANGE_TYPE
    state = state._replace(pending=None)
    if at_review(state) or state.editing is not None:
        return state
    question, entry = _shown(state)
    type_ = other_type(question, entry.type)
    if type_ != "multi" and choice_count(entry) > 1:
        if not confirmed:
            return state._replace(pending=Confirmation(Confirm.CHANGE_TYPE))
        entry = entry._replace(selected=())
    return _with_entry(state, entry._replace(type=type_))


# --- the ways out -----------------------------------------------------------------------------------------------------


def _press(state: FormState, action: FormAction, *, confirmed: bool = False) -> FormState:
    if action is FormAction.SUBMIT:
        return _submitted(state, confirmed=confirmed)
    if action is FormAction.ELABORATE:
        return _ended(state, "elaborate")
    return _cancelled(state, confirmed=confirmed)


def _submitted(state: FormState, *, confirmed: bool = False) -> FormState:
    missing = missing_required(state)
    confirmed = confirmed or (state.pending is not None and state.pending.what is Confirm.SUBMIT)
    if missing and not confirmed:
        return state._replace(pending=Confirmation(Confirm.SUBMIT, missing=missing))
    return _ended(state, "submit")


def _cancelled(state: FormState, *, confirmed: bool = False) -> FormState:
    warned = confirmed or state.dismiss_warned or not state.rules.confirm_dismiss_when_dirty
    if is_dirty(state) and not warned:
        return state._replace(dismiss_warned=True, pending=None)
    return state._replace(outcome=Outcome(cancelled=True), editing=None, pending=None)


def _ended(state: FormState, mode: ResponseMode) -> FormState:
    return state._replace(outcome=Outcome(cancelled=False, mode=mode), editing=None, pending=None)


def _apply_rules(state: FormState, action: ApplyRules) -> FormState:
    return state._replace(rules=action.rules)


# --- helpers ----------------------------------------------------------------------------------------------------------


def _shown(state: FormState) -> tuple[AskQuestion, Entry]:
    return state.questions[state.step], state.entries[state.step]


def _focused(question: AskQuestion, entry: Entry, row: int) -> Entry:
    """Put the focus on ``row``; a filter that hides it has to go."""
    hidden = row not in visible_rows(question, entry)
    return entry._replace(row=row, filter="" if hidden else entry.filter)


def _with_entry(state: FormState, entry: Entry, index: int | None = None) -> FormState:
    place = state.step if index is None else index
    return state._replace(entries=(*state.entries[:place], entry, *state.entries[place + 1 :]))


_TABLE: dict[type[Any], Callable[[FormState, Any], FormState]] = {
    MoveStep: _move_step,
    GoToStep: _go_to_step,
    MoveRow: _move_row,
    FocusRow: _focus_row,
    FocusAction: _focus_action,
    ConfirmRow: _confirm_row,
    ToggleRow: _toggle_row,
    PressDigit: _press_digit,
    ChooseOption: _choose_option,
    UseCustom: _use_custom,
    OpenEditor: _open_editor,
    EditText: _edit_text,
    SubmitEditor: _submit_editor,
    CloseEditor: _close_editor,
    FilterOptions: _filter_options,
    ChangeType: _change_type,
    SubmitForm: lambda state, _: _submitted(state),
    ElaborateForm: lambda state, _: _ended(state, "elaborate"),
    CancelForm: lambda state, _: _cancelled(state),
    ApplyRules: _apply_rules,
}
