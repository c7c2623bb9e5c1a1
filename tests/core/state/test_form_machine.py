"""Whatever a person does, the form's response is accepted and no typed text is lost."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pi_ask.form import (
    Action,
    ApplyRules,
    CancelForm,
    ChangeType,
    ChooseOption,
    CloseEditor,
    ConfirmRow,
    Editor,
    EditorKind,
    EditText,
    ElaborateForm,
    FilterOptions,
    FocusAction,
    FocusRow,
    FormAction,
    FormRules,
    FormState,
    GoToStep,
    MoveRow,
    MoveStep,
    OpenEditor,
    PressDigit,
    SubmitEditor,
    SubmitForm,
    ToggleRow,
    UseCustom,
    answer_response,
    editor_text,
    open_form,
    reduce,
    response,
    step_count,
    visible_rows,
)
from pi_ask.state.answers import allowed_types, check_response
from pi_ask.state.normalize import read_form

IDS = ("q0", "q1", "q2", "nowhere")
VALUES = ("a", "b", "c", "nothing")
TEXTS = st.sampled_from(["", " ", "15:00", "own words", "\n", "a" * 50, "x y"])
EDITORS = st.builds(
    Editor,
    kind=st.sampled_from(EditorKind),
    question_id=st.sampled_from(IDS),
    option_value=st.sampled_from([None, None, *VALUES]),
)


@st.composite
def forms(draw: st.DrawFn) -> dict[str, Any]:
    def question(number: int) -> dict[str, Any]:
        options = [{"value": value, "preview": value} for value in VALUES[: draw(st.integers(1, 3))]]
        kind = draw(st.sampled_from(["single", "multi", "preview"]))
        return {"id": f"q{number}", "prompt": "?", "type": kind, "required": draw(st.booleans()), "options": options}

    return {"questions": [question(number) for number in range(draw(st.integers(1, 3)))]}


def exists(state: FormState, editor: Editor) -> bool:
    """Return whether a form has a place for the text of ``editor``."""
    options = {question.id: [option.value for option in question.options] for question in state.questions}
    if editor.question_id not in options:
        return False
    if editor.kind is EditorKind.OPTION_NOTE:
        return editor.option_value in options[editor.question_id]
    return editor.option_value is None


class FormMachine(RuleBasedStateMachine):
    """Any action, sensible or not, in any order."""

    state: FormState
    typed: dict[Editor, str]

    @initialize(form=forms(), as_multi=st.booleans(), rules=st.builds(FormRules))
    def open(self, form: dict[str, Any], as_multi: bool, rules: FormRules) -> None:
        self.state = open_form(read_form(form, present_single_as_multi=as_multi).questions, rules=rules)
        self.typed = {}

    def act(self, action: Action) -> None:
        before = self.state
        self.state = reduce(before, action)
        if before.outcome is not None:
            assert self.state is before

    @rule(delta=st.integers(-2, 2))
    def move_step(self, delta: int) -> None:
        self.act(MoveStep(delta))

    @rule(index=st.integers(-1, 5))
    def go_to_step(self, index: int) -> None:
        self.act(GoToStep(index))

    @rule(delta=st.integers(-2, 2))
    def move_row(self, delta: int) -> None:
        self.act(MoveRow(delta))

    @rule(index=st.integers(-1, 5))
    def focus_row(self, index: int) -> None:
        self.act(FocusRow(index))

    @rule(action=st.sampled_from(FormAction))
    def focus_action(self, action: FormAction) -> None:
        self.act(FocusAction(action))

    @rule(
        action=st.sampled_from([ConfirmRow(), ToggleRow(), SubmitEditor(), CloseEditor(), ChangeType(), SubmitForm()])
    )
    def plain_action(self, action: Action) -> None:
        self.act(action)

    @rule(digit=st.integers(-1, 10))
    def press_digit(self, digit: int) -> None:
        self.act(PressDigit(digit))

    @rule(id_=st.sampled_from(IDS), value=st.sampled_from(VALUES))
    def choose_option(self, id_: str, value: str) -> None:
        self.act(ChooseOption(id_, value))

    @rule(id_=st.sampled_from(IDS))
    def use_custom(self, id_: str) -> None:
        self.act(UseCustom(id_))

    @rule(editor=EDITORS)
    def open_editor(self, editor: Editor) -> None:
        self.act(OpenEditor(editor))

    @rule(editor=EDITORS, text=TEXTS)
    def edit_text(self, editor: Editor, text: str) -> None:
        before = self.state
        self.act(EditText(editor, text))
        if before.outcome is not None:
            return
        if exists(before, editor):
            self.typed[editor] = text
        else:
            assert self.state.entries == before.entries

    @rule(id_=st.sampled_from(IDS), text=st.sampled_from(["", "a", "B", "zzz"]))
    def filter_options(self, id_: str, text: str) -> None:
        self.act(FilterOptions(id_, text))

    @rule(rules=st.builds(FormRules, auto_submit_when_answered_without_notes=st.booleans()))
    def apply_rules(self, rules: FormRules) -> None:
        self.act(ApplyRules(rules))

    @rule()
    def cancel(self) -> None:
        self.act(CancelForm())

    @rule(late=st.integers(0, 9))
    def elaborate(self, late: int) -> None:
        # Elaborate ends a form at once; too much of it would leave little to explore.
        if late == 0:
            self.act(ElaborateForm())

    @invariant()
    def the_response_is_accepted(self) -> None:
        for mode in ("submit", "elaborate"):
            check_response(self.state.questions, answer_response(self.state, mode))
        made = response(self.state)
        if made is not None:
            assert check_response(self.state.questions, made.to_wire()).cancelled == (made.kind == "cancel")

    @invariant()
    def no_typed_text_is_lost(self) -> None:
        for editor, text in self.typed.items():
            assert editor_text(self.state, editor) == text

    @invariant()
    def every_place_exists(self) -> None:
        assert 0 <= self.state.step < step_count(self.state)
        for question, entry in zip(self.state.questions, self.state.entries, strict=True):
            assert entry.row in visible_rows(question, entry)
            assert entry.type in allowed_types(question)
            assert list(entry.selected) == [o.value for o in question.options if o.value in entry.selected]

    @invariant()
    def the_focus_is_in_one_place(self) -> None:
        assert self.state.editing is None or self.state.action is None


TestFormMachine = FormMachine.TestCase
TestFormMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
