"""What each action does to a form, one table or sentence each."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import form, question

from pi_ask.form import (
    Action,
    ApplyRules,
    CancelForm,
    ChangeType,
    ChooseOption,
    CloseEditor,
    Confirm,
    Confirmation,
    ConfirmRow,
    Editor,
    EditorKind,
    EditText,
    ElaborateForm,
    Entry,
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
    at_review,
    is_dirty,
    open_form,
    reduce,
    response,
    visible_rows,
)
from pi_ask.state.normalize import read_form

CUSTOM = Editor(EditorKind.CUSTOM, "q")
NOTE = Editor(EditorKind.QUESTION_NOTE, "q")
NOTE_A = Editor(EditorKind.OPTION_NOTE, "q", "a")


def opened(*questions: dict[str, Any], as_multi: bool = False, **rules: bool) -> FormState:
    read = read_form(form(*questions), present_single_as_multi=as_multi)
    assert not read.issues
    return open_form(read.questions, rules=FormRules(**rules))


def after(state: FormState, *actions: Action) -> FormState:
    for action in actions:
        state = reduce(state, action)
    return state


def entry(state: FormState, index: int = 0) -> Entry:
    return state.entries[index]


def answers(state: FormState) -> dict[str, Any]:
    sent: dict[str, Any] = answer_response(state).to_wire()["answers"]
    return sent


def single() -> FormState:
    return opened(question("q", "a", "b", "c"))


def multi() -> FormState:
    return opened(question("q", "a", "b", "c", type="multi"))


def preview() -> FormState:
    options = [{"value": value, "preview": f"about {value}"} for value in "abc"]
    return opened({"id": "q", "prompt": "?", "type": "preview", "options": options})


def three() -> FormState:
    return opened(question("q"), question("r", type="multi"), question("s", required=True))


def test_a_new_form_has_its_first_option_in_focus_and_nothing_chosen() -> None:
    state = three()
    assert (state.step, entry(state).row, state.action, state.editing, state.outcome) == (0, 0, None, None, None)
    assert all(not e.selected and not e.custom_on for e in state.entries)
    assert not is_dirty(state)


def test_a_form_without_questions_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one question"):
        open_form(())


def test_states_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        single().step = 1  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize(
    ("actions", "selected"),
    [
        ([ToggleRow()], ("a",)),
        ([ToggleRow(), ToggleRow()], ()),
        ([MoveRow(1), ToggleRow()], ("b",)),
        ([ChooseOption("q", "c")], ("c",)),
        ([ChooseOption("q", "c"), ChooseOption("q", "c")], ("c",)),
        ([ChooseOption("q", "c"), ChooseOption("q", "a")], ("a",)),
        ([PressDigit(2)], ("b",)),
        ([PressDigit(2), PressDigit(2)], ("b",)),
        ([PressDigit(9)], ()),
        ([PressDigit(0)], ()),
        ([ChooseOption("q", "nothing")], ()),
        ([ChooseOption("nowhere", "a")], ()),
        ([ConfirmRow()], ("a",)),
    ],
)
@pytest.mark.parametrize("make", [single, preview])
def test_one_option_is_chosen_at_most(make: Any, actions: list[Action], selected: tuple[str, ...]) -> None:
    assert entry(after(make(), *actions)).selected == selected


@pytest.mark.parametrize(
    ("actions", "selected"),
    [
        ([ToggleRow()], ("a",)),
        ([ToggleRow(), ToggleRow()], ()),
        ([PressDigit(3), PressDigit(1)], ("a", "c")),
        ([PressDigit(3), PressDigit(1), PressDigit(3)], ("a",)),
        ([ChooseOption("q", "b"), ChooseOption("q", "b")], ()),
        ([ConfirmRow()], ()),
    ],
)
def test_multi_toggles_and_keeps_the_order_of_the_form(actions: list[Action], selected: tuple[str, ...]) -> None:
    assert entry(after(multi(), *actions)).selected == selected


def test_enter_takes_the_option_in_focus_and_goes_on() -> None:
    state = after(three(), MoveRow(1), ConfirmRow())
    assert (entry(state).selected, state.step) == (("b",), 1)


def test_enter_on_multi_goes_on_without_toggling() -> None:
    state = after(three(), MoveStep(1), ConfirmRow())
    assert (entry(state, 1).selected, state.step) == ((), 2)


def test_with_one_question_enter_moves_to_submit_and_enter_there_submits() -> None:
    state = after(single(), ConfirmRow())
    assert (state.action, state.outcome) == (FormAction.SUBMIT, None)
    sent = response(after(state, ConfirmRow()))
    assert sent is not None
    assert sent.to_wire() == {"kind": "answer", "mode": "submit", "answers": {"q": {"values": ["a"]}}}


def test_up_from_submit_goes_back_to_the_rows_of_a_single_question() -> None:
    state = after(single(), ConfirmRow(), MoveRow(1), MoveRow(1), MoveRow(1))
    assert state.action is FormAction.CANCEL
    state = after(state, MoveRow(-1), MoveRow(-1), MoveRow(-1))
    assert state.action is None


@pytest.mark.parametrize(("delta", "step"), [(1, 1), (-1, 3)])
def test_steps_wrap_around_over_review(delta: int, step: int) -> None:
    state = after(three(), MoveStep(delta))
    assert state.step == step
    assert at_review(state) == (step == 3)


def test_review_has_its_submit_in_focus_and_moves_over_its_buttons() -> None:
    state = after(three(), GoToStep(3))
    assert state.action is FormAction.SUBMIT
    assert after(state, MoveRow(1)).action is FormAction.ELABORATE
    assert after(state, MoveRow(-1)).action is FormAction.SUBMIT
    assert after(state, MoveRow(1), MoveRow(1), MoveRow(1)).action is FormAction.CANCEL


def test_every_question_remembers_its_row() -> None:
    state = after(three(), MoveRow(1), MoveStep(1), MoveStep(-1))
    assert entry(state).row == 1


@pytest.mark.parametrize("action", [MoveRow(0), MoveRow(2), MoveStep(0), GoToStep(-1), GoToStep(9), FocusRow(9)])
def test_refused_input_leaves_the_very_same_state(action: Action) -> None:
    state = three()
    assert reduce(state, action) is state


def test_rows_end_at_the_row_for_own_text() -> None:
    assert entry(after(single(), *[MoveRow(1)] * 9)).row == 3
    assert entry(after(single(), MoveRow(-1))).row == 0


# --- own text -----------------------------------------------------------------------------------------------------


def test_typing_own_text_marks_its_row_and_replaces_the_choice_of_single() -> None:
    state = after(single(), PressDigit(1), OpenEditor(CUSTOM), EditText(CUSTOM, "mine"))
    assert answers(state) == {"q": {"values": [], "customText": "mine"}}


def test_own_text_adds_to_the_choices_of_multi() -> None:
    state = after(multi(), PressDigit(1), PressDigit(2), OpenEditor(CUSTOM), EditText(CUSTOM, "mine"))
    assert answers(state) == {"q": {"values": ["a", "b"], "customText": "mine"}}


def test_300_words_stay_in_their_editor_when_another_option_is_taken() -> None:
    words = "word " * 300
    state = after(single(), OpenEditor(CUSTOM), EditText(CUSTOM, words), CloseEditor(), FocusRow(1), ConfirmRow())
    assert entry(state).custom_text == words
    assert answers(state) == {"q": {"values": ["b"]}}


def test_digits_are_text_while_an_editor_is_open() -> None:
    state = after(multi(), OpenEditor(CUSTOM))
    state = after(state, PressDigit(1), PressDigit(5), EditText(CUSTOM, "15:00"))
    assert answers(state) == {"q": {"values": [], "customText": "15:00"}}


@pytest.mark.parametrize("make", [single, multi])
def test_own_text_is_switched_off_and_on_again_without_losing_it(make: Any) -> None:
    state = after(make(), EditText(CUSTOM, "mine"), FocusRow(3), ToggleRow())
    assert (entry(state).custom_on, entry(state).custom_text) == (False, "mine")
    assert entry(after(state, ToggleRow())).custom_on


def test_space_on_an_empty_own_text_row_opens_its_editor() -> None:
    assert after(single(), FocusRow(3), ToggleRow()).editing == CUSTOM


def test_the_digit_of_the_own_text_row_opens_its_editor() -> None:
    assert after(single(), PressDigit(4)).editing == CUSTOM


def test_enter_on_the_own_text_row_opens_its_editor() -> None:
    assert after(single(), FocusRow(3), ConfirmRow()).editing == CUSTOM


def test_a_click_on_the_own_text_row_opens_switches_off_and_on() -> None:
    state = after(single(), UseCustom("q"))
    assert state.editing == CUSTOM
    assert not entry(state).custom_on
    state = after(state, EditText(CUSTOM, "mine"), UseCustom("q"))
    assert (state.editing, entry(state).custom_on) == (None, False)
    state = after(state, PressDigit(1), UseCustom("q"))
    assert (state.editing, entry(state).custom_on, entry(state).selected) == (CUSTOM, True, ())


def test_blank_own_text_is_no_answer_and_keeps_the_choice() -> None:
    state = after(single(), PressDigit(1), OpenEditor(CUSTOM), EditText(CUSTOM, " \n"))
    assert answers(state) == {"q": {"values": ["a"]}}


def test_enter_in_the_editor_goes_on_from_single_and_stays_on_multi() -> None:
    state = after(three(), OpenEditor(CUSTOM), EditText(CUSTOM, "mine"), SubmitEditor())
    assert (state.step, state.editing) == (1, None)
    own = Editor(EditorKind.CUSTOM, "r")
    state = after(state, OpenEditor(own), EditText(own, "too"), SubmitEditor())
    assert (state.step, state.editing) == (1, None)


def test_enter_in_an_empty_editor_only_closes_it() -> None:
    state = after(three(), OpenEditor(CUSTOM), SubmitEditor())
    assert (state.step, state.editing, state.action) == (0, None, None)


def test_each_question_keeps_its_own_text() -> None:
    other = Editor(EditorKind.CUSTOM, "r")
    state = after(
        three(),
        OpenEditor(CUSTOM),
        EditText(CUSTOM, "one"),
        MoveStep(1),
        OpenEditor(other),
        EditText(other, "two"),
        MoveStep(-1),
        MoveStep(1),
    )
    assert (entry(state).custom_text, entry(state, 1).custom_text) == ("one", "two")


def test_choosing_on_single_switches_own_text_off() -> None:
    state = after(single(), EditText(CUSTOM, "mine"), ChooseOption("q", "a"))
    assert (entry(state).custom_on, entry(state).custom_text) == (False, "mine")


# --- notes --------------------------------------------------------------------------------------------------------


def test_notes_are_kept_in_the_order_in_which_they_were_given() -> None:
    note_c = Editor(EditorKind.OPTION_NOTE, "q", "c")
    state = after(single(), EditText(note_c, "c"), EditText(NOTE_A, "a"), EditText(note_c, "cc"), EditText(NOTE, "n"))
    assert entry(state).option_notes == (("c", "cc"), ("a", "a"))
    assert answers(state) == {"q": {"values": [], "note": "n", "optionNotes": {"c": "cc", "a": "a"}}}


def test_an_emptied_note_is_gone_and_a_blank_one_does_not_count() -> None:
    state = after(single(), EditText(NOTE_A, "a"), EditText(NOTE_A, ""), EditText(NOTE, "  "))
    assert answers(state) == {}
    assert not is_dirty(state)


def test_enter_in_a_note_editor_closes_it_and_stays() -> None:
    state = after(three(), OpenEditor(NOTE), EditText(NOTE, "n"), SubmitEditor())
    assert (state.step, state.editing, entry(state).note) == (0, None, "n")


@pytest.mark.parametrize(
    "editor",
    [
        Editor(EditorKind.CUSTOM, "nowhere"),
        Editor(EditorKind.OPTION_NOTE, "q", "nothing"),
        Editor(EditorKind.OPTION_NOTE, "q"),
        Editor(EditorKind.CUSTOM, "q", "a"),
    ],
)
def test_an_editor_that_does_not_exist_is_refused(editor: Editor) -> None:
    state = single()
    assert after(state, OpenEditor(editor), EditText(editor, "x")) is state


def test_opening_a_note_on_an_option_puts_the_focus_there() -> None:
    state = after(three(), MoveStep(1), OpenEditor(Editor(EditorKind.OPTION_NOTE, "q", "b")))
    assert (state.step, entry(state).row) == (0, 1)


# --- Review ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("digit", "mode"), [(1, "submit"), (2, "elaborate")], ids=["1 is Submit", "2 is Elaborate"])
def test_digits_on_review_are_pressed_twice(digit: int, mode: str) -> None:
    state = after(opened(question("q"), question("r")), GoToStep(2), PressDigit(digit))
    assert state.outcome is None
    assert state.pending is not None
    assert state.pending.by_digit
    ended = after(state, PressDigit(digit)).outcome
    assert ended is not None
    assert ended.mode == mode


@pytest.mark.parametrize(
    "other", [MoveRow(1), PressDigit(2), PressDigit(7), MoveStep(1), FocusAction(FormAction.SUBMIT)]
)
def test_another_key_drops_the_first_press(other: Action) -> None:
    state = after(opened(question("q"), question("r")), GoToStep(2), PressDigit(1), other, GoToStep(2), PressDigit(1))
    assert state.outcome is None


def test_one_press_is_enough_where_double_press_is_off() -> None:
    form_ = opened(question("q"), question("r"), double_press_review_shortcuts=False)
    assert after(form_, GoToStep(2), PressDigit(1)).outcome is not None


def test_the_second_press_of_3_cancels_even_a_dirty_form() -> None:
    state = after(three(), PressDigit(1), GoToStep(3), PressDigit(3), PressDigit(3))
    assert state.outcome is not None
    assert state.outcome.cancelled


def test_the_first_press_of_1_names_what_is_missing() -> None:
    state = after(three(), GoToStep(3), PressDigit(1))
    assert state.pending == Confirmation(Confirm.SUBMIT, by_digit=True, missing=("s",))


def test_a_required_question_without_an_answer_asks_once_more() -> None:
    state = after(three(), SubmitForm())
    assert (state.outcome, state.pending) == (None, Confirmation(Confirm.SUBMIT, missing=("s",)))
    assert after(state, SubmitForm()).outcome is not None
    assert after(state, MoveRow(1), SubmitForm()).outcome is None


def test_unanswered_questions_never_block_submit() -> None:
    assert after(opened(question("q"), question("r")), SubmitForm()).outcome is not None


def test_elaborate_needs_neither_answers_nor_notes() -> None:
    sent = response(after(three(), ElaborateForm()))
    assert sent is not None
    assert sent.to_wire() == {"kind": "answer", "mode": "elaborate", "answers": {}}


# --- the type of a question -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "types"), [(single, ["multi", "single"]), (multi, ["single", "multi"]), (preview, ["multi", "preview"])]
)
def test_the_type_changes_to_its_counterpart_and_back(make: Any, types: list[str]) -> None:
    state = make()
    for type_ in types:
        state = reduce(state, ChangeType())
        assert entry(state).type == type_


def test_a_single_presented_as_multi_changes_back_to_single() -> None:
    state = after(opened(question("q"), as_multi=True), ChangeType())
    assert answer_response(state).to_wire()["presentedTypes"] == {"q": "single"}


def test_several_choices_are_given_up_only_at_the_second_press() -> None:
    state = after(multi(), PressDigit(1), PressDigit(2), ChangeType())
    assert (entry(state).type, state.pending) == ("multi", Confirmation(Confirm.CHANGE_TYPE))
    assert entry(after(state, ChangeType())) == Entry(type="single", row=1)
    assert entry(after(state, MoveRow(1), ChangeType())).type == "multi"


def test_own_text_survives_the_change_of_type() -> None:
    state = after(multi(), PressDigit(1), EditText(CUSTOM, "mine"), ChangeType(), ChangeType())
    assert answers(state) == {"q": {"values": [], "customText": "mine"}}


def test_one_choice_survives_the_change_of_type() -> None:
    assert answers(after(multi(), PressDigit(2), ChangeType())) == {"q": {"values": ["b"]}}


def test_the_response_names_only_types_that_the_person_changed() -> None:
    assert "presentedTypes" not in answer_response(after(single(), ChangeType(), ChangeType())).to_wire()
    assert answer_response(after(single(), ChangeType())).to_wire()["presentedTypes"] == {"q": "multi"}


def test_review_has_no_type_to_change() -> None:
    state = after(three(), GoToStep(3))
    assert reduce(state, ChangeType()) is state


# --- leaving --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", [PressDigit(1), EditText(CUSTOM, "mine"), EditText(NOTE, "n"), EditText(NOTE_A, "n")]
)
def test_leaving_a_dirty_form_asks_for_it_twice(action: Action) -> None:
    state = after(single(), action, CancelForm())
    assert (state.outcome, state.dismiss_warned) == (None, True)
    sent = response(after(state, CancelForm()))
    assert sent is not None
    assert sent.to_wire() == {"kind": "cancel"}


def test_leaving_an_untouched_form_asks_nothing() -> None:
    assert after(single(), MoveRow(1), CancelForm()).outcome is not None


def test_the_warning_stays_until_the_step_changes() -> None:
    state = after(three(), PressDigit(1), CancelForm(), MoveRow(1))
    assert state.dismiss_warned
    state = after(state, MoveStep(1))
    assert not state.dismiss_warned
    assert after(state, CancelForm()).outcome is None


def test_leaving_asks_nothing_where_the_rule_is_off() -> None:
    assert after(opened(confirm_dismiss_when_dirty=False), PressDigit(1), CancelForm()).outcome is not None


def test_esc_in_an_editor_keeps_the_draft_and_the_next_asks() -> None:
    state = after(single(), OpenEditor(CUSTOM), EditText(CUSTOM, "mine"), CloseEditor())
    assert (state.outcome, state.editing, entry(state).custom_text) == (None, None, "mine")
    assert after(state, CancelForm()).dismiss_warned


EVERY_ACTION: list[Action] = [
    MoveStep(1),
    GoToStep(1),
    MoveRow(1),
    FocusRow(1),
    FocusAction(FormAction.CANCEL),
    ConfirmRow(),
    ToggleRow(),
    PressDigit(1),
    ChooseOption("q", "a"),
    UseCustom("q"),
    OpenEditor(NOTE),
    EditText(CUSTOM, "late"),
    SubmitEditor(),
    CloseEditor(),
    FilterOptions("q", "a"),
    ChangeType(),
    SubmitForm(),
    ElaborateForm(),
    CancelForm(),
    ApplyRules(FormRules(auto_submit_when_answered_without_notes=True)),
]


@pytest.mark.parametrize("action", EVERY_ACTION, ids=lambda action: type(action).__name__)
@pytest.mark.parametrize("end", [SubmitForm(), CancelForm(), ElaborateForm()], ids=lambda end: type(end).__name__)
def test_an_ended_form_is_unchanged(end: Action, action: Action) -> None:
    ended = after(three(), end, end)
    assert ended.outcome is not None
    assert reduce(ended, action) is ended


def test_every_action_is_in_the_table() -> None:
    assert {type(action) for action in EVERY_ACTION} == set(Action.__args__)


# --- auto-submit and the filter -------------------------------------------------------------------------------------


def auto(*questions: dict[str, Any]) -> FormState:
    return opened(*questions, auto_submit_when_answered_without_notes=True)


def test_a_complete_form_without_notes_submits_itself_at_review() -> None:
    state = after(auto(question("q"), question("r")), ConfirmRow())
    assert state.outcome is None
    assert after(state, ConfirmRow()).outcome is not None


@pytest.mark.parametrize("extra", [EditText(NOTE, "n"), EditText(NOTE_A, "n")])
def test_a_note_stops_it_from_submitting_itself(extra: Action) -> None:
    assert after(auto(question("q"), question("r")), extra, ConfirmRow(), ConfirmRow()).outcome is None


def test_a_draft_that_is_switched_off_stops_it_too() -> None:
    state = after(auto(question("q"), question("r")), EditText(CUSTOM, "mine"), ConfirmRow(), ConfirmRow())
    assert (state.outcome, at_review(state)) == (None, True)


def test_an_incomplete_form_does_not_submit_itself() -> None:
    assert after(auto(question("q"), question("r")), ConfirmRow(), GoToStep(2)).outcome is None


def test_a_single_question_submits_itself_when_it_is_taken_but_not_when_submit_gets_the_focus() -> None:
    assert after(auto(), ConfirmRow()).outcome is not None
    assert after(auto(), PressDigit(1), FocusAction(FormAction.SUBMIT)).outcome is None


def test_switching_it_on_submits_nothing_until_the_person_comes_to_review_again() -> None:
    state = after(opened(question("q"), question("r")), ConfirmRow(), ConfirmRow())
    switched_on = ApplyRules(FormRules(auto_submit_when_answered_without_notes=True))
    state = after(state, switched_on, switched_on)
    assert (at_review(state), state.outcome) == (True, None)
    assert after(state, MoveStep(-1), MoveStep(1)).outcome is not None


def test_the_filter_hides_rows_and_moves_the_focus_to_one_that_is_seen() -> None:
    state = after(opened(question("q", "apple", "pear", "plum")), FilterOptions("q", "P"), FocusRow(0))
    state = after(state, FilterOptions("q", "pl"))
    assert visible_rows(state.questions[0], entry(state)) == (0, 2, 3)
    state = after(state, FilterOptions("q", "plu"))
    assert entry(state).row == 2
    assert after(state, PressDigit(1)).entries == state.entries
    assert entry(after(state, MoveRow(1))).row == 3


def test_moving_while_an_editor_is_open_closes_it_and_keeps_its_text() -> None:
    state = after(three(), OpenEditor(CUSTOM), EditText(CUSTOM, "mine"), MoveRow(-1))
    assert (state.editing, entry(state).row, entry(state).custom_text) == (None, 1, "mine")
