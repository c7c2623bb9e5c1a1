"""What a window shows, as data: made from a form's state alone."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import form, question

from pi_ask import AskConfig
from pi_ask.form import (
    Action,
    CancelForm,
    ChooseOption,
    Editor,
    EditorKind,
    EditText,
    FilterOptions,
    FocusAction,
    FormAction,
    FormState,
    GoToStep,
    MoveRow,
    OpenEditor,
    PressDigit,
    SubmitForm,
    open_form,
    reduce,
)
from pi_ask.models import Requester
from pi_ask.state.normalize import read_form
from pi_ask_qt.views.hints import key_label
from pi_ask_qt.views.window import About, WindowView, build_window

PREVIEW = {"id": "p", "prompt": "?", "type": "preview", "options": [{"value": "x", "preview": "text"}]}
NOTE_ON_A = Editor(EditorKind.OPTION_NOTE, "q", "a")
NOTE_ON_Q = Editor(EditorKind.QUESTION_NOTE, "q")
OWN = Editor(EditorKind.CUSTOM, "q")


def filled(document: dict[str, Any], *actions: Action) -> FormState:
    read = read_form(document)
    state = open_form(read.questions, title=read.title)
    for action in actions:
        state = reduce(state, action)
    return state


def shown(document: dict[str, Any], *actions: Action, config: AskConfig | None = None) -> WindowView:
    return build_window(filled(document, *actions), config or AskConfig(), About())


def marked(view: WindowView) -> list[int]:
    assert view.question is not None
    return [row.number for row in (*view.question.options, view.question.custom) if row.in_focus]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (MoveRow(1), [2]),
        (FocusAction(FormAction.SUBMIT), []),
        (OpenEditor(NOTE_ON_A), []),
        (OpenEditor(OWN), []),
    ],
    ids=["a row", "a button", "a note", "own text"],
)
def test_one_row_is_in_focus_and_none_while_something_else_is(action: Action, expected: list[int]) -> None:
    assert marked(shown(form(), action)) == expected


def test_an_empty_editor_is_there_only_while_it_has_the_keyboard() -> None:
    question_view = shown(form(), OpenEditor(OWN)).question
    assert question_view is not None
    assert (question_view.custom_editor.shown, question_view.focused_editor) == (True, OWN)
    moved = shown(form(), OpenEditor(OWN), MoveRow(-1)).question
    assert moved is not None
    assert (moved.custom_editor.shown, moved.focused_editor) == (False, None)


def test_a_note_is_shown_by_its_row_or_by_its_editor_but_not_by_both() -> None:
    written = shown(form(), EditText(NOTE_ON_A, "why")).question
    assert written is not None
    assert written.options[0].note == "why"
    writing = shown(form(), EditText(NOTE_ON_A, "why"), OpenEditor(NOTE_ON_A)).question
    assert writing is not None
    assert writing.options[0].note == ""
    assert [editor.text for editor in writing.option_notes if editor.shown] == ["why"]


@pytest.mark.parametrize(
    ("action", "notes"),
    [
        (FormAction.SUBMIT, [("on q", "B: on b"), ()]),
        (FormAction.CANCEL, [("on q", "B: on b"), ()]),
        (FormAction.ELABORATE, [("on q", "A: on a", "B: on b"), ("on r",)]),
    ],
)
def test_review_shows_notes_of_answered_questions_and_with_elaborate_all(action: FormAction, notes: list[Any]) -> None:
    view = shown(
        form(question("q"), question("r")),
        EditText(NOTE_ON_A, "on a"),
        EditText(Editor(EditorKind.OPTION_NOTE, "q", "b"), "on b"),
        EditText(NOTE_ON_Q, "on q"),
        EditText(Editor(EditorKind.QUESTION_NOTE, "r"), "on r"),
        ChooseOption("q", "b"),
        GoToStep(2),
        FocusAction(action),
    )
    assert view.review is not None
    assert [item.notes for item in view.review] == notes


@pytest.mark.parametrize(
    ("actions", "part"),
    [
        ([SubmitForm()], "Target needs an answer"),
        ([ChooseOption("q", "a"), CancelForm()], "discards"),
        ([GoToStep(2)], "Target, Q2 have no answer"),
        ([ChooseOption("r", "a"), GoToStep(2), PressDigit(1)], "Target needs an answer"),
        ([GoToStep(2), PressDigit(2)], "Press 2 again"),
        ([GoToStep(2), PressDigit(3)], "Press 3 again"),
        ([ChooseOption("q", "a"), ChooseOption("r", "a"), GoToStep(2)], ""),
        ([], ""),
    ],
)
def test_the_notice_says_what_is_to_be_known_now(actions: list[Action], part: str) -> None:
    notice = shown(form(question("q", label="Target", required=True), question("r")), *actions).notice
    assert part in notice
    assert bool(part) == bool(notice)


def test_what_the_program_has_to_say_gives_way_to_what_the_form_has() -> None:
    state = filled(form(), ChooseOption("q", "a"))
    about = About(notice="the file is broken")
    assert build_window(state, AskConfig(), about).notice == "the file is broken"
    assert "discards" in build_window(reduce(state, CancelForm()), AskConfig(), about).notice


@pytest.mark.parametrize(
    ("document", "actions", "hints"),
    [
        (form(), [], ["1–9 choose", "Enter choose, submit", "T several answers"]),
        (form(question("q"), question("r")), [], ["Enter choose, next"]),
        (form(question("q", type="multi")), [], ["Space toggle", "Enter submit", "T one answer"]),
        (form(PREVIEW), [], ["Ctrl+F search"]),
        (form(question("q", *map(str, range(13)))), [], ["Ctrl+F filter"]),
        (form(), [OpenEditor(OWN)], ["Enter take it", "Shift+Enter new line"]),
        (form(), [OpenEditor(NOTE_ON_Q)], ["Enter keep the note"]),
        (form(question("q"), question("r")), [GoToStep(2)], ["1 submit", "3 cancel, pressed twice"]),
    ],
)
def test_the_foot_says_which_keys_matter_now(document: dict[str, Any], actions: list[Action], hints: list[str]) -> None:
    found = shown(document, *actions).hints.split(" · ")
    assert [hint for hint in hints if hint not in found] == []
    assert ("Ctrl+F" in " ".join(found)) == ("Ctrl+F" in " ".join(hints))


def test_the_foot_follows_the_keymaps() -> None:
    config = AskConfig.model_validate({"keymaps": {"main": {"optionNote": "ctrl+n", "confirm": ["f2", "enter"]}}})
    found = shown(form(), config=config).hints.split(" · ")
    assert {"Ctrl+N note", "F2 choose, submit"} <= set(found)


def test_the_foot_names_no_key_that_would_write_instead() -> None:
    keymaps = {"noteEditor": {"save": ["k", "enter"], "close": "space"}}
    found = shown(form(), OpenEditor(NOTE_ON_Q), config=AskConfig.model_validate({"keymaps": keymaps})).hints
    assert found == "Enter keep the note · Shift+Enter new line"


@pytest.mark.parametrize(
    ("key", "label"), [("shift+n", "Shift+N"), ("ctrl+tab", "Ctrl+Tab"), ("?", "?"), ("+", "+"), ("pageUp", "PageUp")]
)
def test_keys_have_the_names_that_people_know(key: str, label: str) -> None:
    assert key_label(key) == label


def test_a_filter_hides_rows_but_renumbers_none() -> None:
    view = shown(form(question("q", *[f"v{n}" for n in range(15)])), FilterOptions("q", "v1")).question
    assert view is not None
    assert [row.number for row in view.options if row.shown] == [2, 11, 12, 13, 14, 15]
    assert view.custom.shown


def test_nobody_can_pass_for_another_line_of_the_window() -> None:
    document = form(question("q", label="one\ntwo"), question("r"), title="first\nsecond \u202e third")
    about = About(Requester(name="agent\npi-ask: all is well", cwd="~/\u2028x"))
    view = build_window(filled(document), AskConfig(), about)
    for line in (view.window_title, view.subtitle, *(step.label for step in view.steps)):
        assert "\n" not in line
    assert "⟦U+202E⟧" in view.window_title
    assert "⟦U+2028⟧" in view.subtitle


def test_a_view_cannot_be_changed() -> None:
    view = shown(form())
    with pytest.raises(AttributeError):
        view.notice = "other"  # type: ignore[misc]  # the point
