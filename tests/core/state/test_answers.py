"""Checking a response: only what the form offers, exactly, and every problem at once."""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any

import pytest
from helpers import form, question
from hypothesis import given
from hypothesis import strategies as st
from requirements import proves

from pi_ask.errors import InvalidResponseError
from pi_ask.form import Editor, EditorKind, EditText, answer_response, open_form, reduce
from pi_ask.models import AskQuestion, RemoteAskAnswer, RemoteAskResponse
from pi_ask.state.answers import CheckedAnswer, CheckedResponse, allowed_types, check_response
from pi_ask.state.normalize import read_form
from pi_ask.state.result import build_result
from pi_ask.text import has_surrogate

OPTIONS = [{"value": value, "preview": "p"} for value in ("a", "b", "A", "c d")]
QUESTIONS = read_form(
    form(*(question(type_, type=type_, options=OPTIONS) for type_ in ("single", "multi", "preview")))
).questions
AS_MULTI = read_form(form(question("single", options=OPTIONS)), present_single_as_multi=True).questions

NO_TEXT: list[Any] = [None, 0, 1.5, True, [], ["x"], {}, float("nan"), float("inf"), 10**400, b"x", object()]
NO_LIST: list[Any] = [None, "a", "", 0, True, {}, {"a": True}, float("nan"), b"a", {"a"}, object()]
NO_OBJECT: list[Any] = [None, "a", "", 0, 1.5, True, [], [["a", "b"]], float("inf"), b"a", object()]

FULL: dict[str, Any] = {
    "kind": "answer",
    "mode": "elaborate",
    "answers": {"multi": {"values": ["a"], "customText": "x", "note": "n", "optionNotes": {"a": "m"}}},
    "presentedTypes": {"single": "multi"},
}
ANSWER = ("answers", "multi")
WRONG = [
    *((("kind",), value) for value in (*NO_TEXT, "Answer", "submit", "", " cancel")),
    *((("mode",), value) for value in (*NO_TEXT, "Submit", "", "cancel")),
    *((("answers",), value) for value in NO_OBJECT),
    *((ANSWER, value) for value in NO_OBJECT),
    *(((*ANSWER, "values"), value) for value in NO_LIST),
    *(((*ANSWER, "values", 0), value) for value in (*NO_TEXT, "", "z", " a", "a ", "b\n", "C D", "\ud800")),
    *(((*ANSWER, "customText"), value) for value in (*NO_TEXT, "\ud800", " \udfff")),
    *(((*ANSWER, "note"), value) for value in (*NO_TEXT, "\ud800")),
    *(((*ANSWER, "optionNotes"), value) for value in NO_OBJECT),
    *(((*ANSWER, "optionNotes", "a"), value) for value in (*NO_TEXT, "\ud800")),
    *((("presentedTypes",), value) for value in NO_OBJECT),
    *((("presentedTypes", "single"), value) for value in (*NO_TEXT, "", "Multi", "preview", "radio")),
]


def checked(values: Any = (), custom: Any = "", id_: str = "multi", **parts: Any) -> CheckedResponse:
    answer = {"values": list(values), "customText": custom, **parts}
    return check_response(QUESTIONS, {"kind": "answer", "answers": {id_: answer}})


def problems(response: Any, questions: tuple[AskQuestion, ...] = QUESTIONS) -> tuple[str, ...]:
    with pytest.raises(InvalidResponseError) as caught:
        check_response(questions, response)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


def with_value(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(FULL)
    at: Any = changed
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return changed


def test_the_full_response_fits() -> None:
    assert check_response(QUESTIONS, FULL).answers == {
        "multi": CheckedAnswer(values=("a",), custom_text="x", note="n", option_notes=(("a", "m"),))
    }


@proves("response-strict")
@pytest.mark.parametrize(
    ("path", "value"), WRONG, ids=[f"{'.'.join(map(str, path))}={str(value)[:12]!a}" for path, value in WRONG]
)
def test_a_wrong_part_is_one_problem(path: tuple[str | int, ...], value: Any) -> None:
    assert len(problems(with_value(path, value))) == 1


@proves("response-strict")
@pytest.mark.parametrize(
    "response", [None, "cancel", 0, True, [], [FULL], b"{}", object(), RemoteAskAnswer()], ids=repr
)
def test_what_is_no_response_at_all_is_refused(response: Any) -> None:
    assert len(problems(response)) == 1


@proves("response-strict")
def test_what_the_form_does_not_offer_is_refused() -> None:
    assert len(problems({"kind": "answer", "answers": {"Multi": {}, "multi ": {}, "": {}, "\ud800": {}}})) == 4
    assert len(problems({"kind": "answer", "answers": {5: {}, None: {}, ("multi",): {}}})) == 3
    notes = {"A ": "n", "z": "n", "": "n", 1: "n"}
    assert len(problems({"kind": "answer", "answers": {"multi": {"optionNotes": notes}}})) == 4
    assert len(problems({"kind": "answer", "answers": {}, "presentedTypes": {"other": "multi", 5: "multi"}})) == 2


@proves("response-strict")
@pytest.mark.parametrize("id_", ["single", "multi", "preview"])
def test_a_repeated_value_is_refused(id_: str) -> None:
    with pytest.raises(InvalidResponseError, match="twice"):
        checked(["a", "a"], id_=id_)


def test_every_problem_of_a_response_is_told_at_once() -> None:
    found = problems(
        {
            "kind": "answer",
            "mode": "later",
            "answers": {
                "single": {"values": ["a", "b"], "note": None},
                "other": {},
                "multi": {"values": ["z", "a", "a"]},
            },
            "presentedTypes": {"preview": "single"},
        }
    )
    assert len(found) == 7


@proves("response-one")
@pytest.mark.parametrize("id_", ["single", "preview"])
def test_one_value_or_own_text_is_all_that_a_single_question_takes(id_: str) -> None:
    assert checked(["A"], " ", id_).answers[id_] == CheckedAnswer(values=("A",))
    assert checked([], " own ", id_).answers[id_] == CheckedAnswer(custom_text=" own ")
    for values, custom in ((["a", "b"], ""), (["a"], "own"), (["a", "b"], "own")):
        with pytest.raises(InvalidResponseError, match="one value or own text"):
            checked(values, custom, id_)


def test_a_multi_question_takes_values_in_the_order_sent_and_own_text() -> None:
    assert checked(["c d", "a", "A"], "own").answers["multi"] == CheckedAnswer(
        values=("c d", "a", "A"), custom_text="own"
    )


@proves("response-blank")
@pytest.mark.parametrize("blank", ["", " ", "\n\t\u3000"])
def test_blank_text_counts_as_absent(blank: str) -> None:
    assert checked([], blank, note=blank, optionNotes={"a": blank}).answers["multi"] == CheckedAnswer()


@proves("response-extra")
def test_unknown_extra_keys_are_ignored() -> None:
    extra = {
        "version": 9,
        "kind": "answer",
        "answers": {"multi": {"values": ["a"], "labels": 5, "selected": None}},
        "x": [None],
    }
    assert check_response(QUESTIONS, extra).answers == {"multi": CheckedAnswer(values=("a",))}
    cancelled = check_response(QUESTIONS, {"kind": "cancel", "answers": {"nobody": 5}, "mode": 7})
    assert (cancelled.cancelled, cancelled.answers) == (True, {})


def test_every_part_of_an_answer_is_optional() -> None:
    answers: list[dict[str, Any]] = [{}, {"values": []}, {"customText": ""}, {"optionNotes": {}}]
    for answer in answers:
        assert check_response(QUESTIONS, {"kind": "answer", "answers": {"multi": answer}}).answers == {
            "multi": CheckedAnswer()
        }
    empty = check_response(QUESTIONS, {"kind": "answer", "answers": {}})
    assert (empty.cancelled, empty.mode, empty.answers) == (False, "submit", {})


@proves("form-spellings")
def test_a_response_reads_the_same_however_it_comes() -> None:
    model = RemoteAskResponse.model_validate(FULL)
    answers = {
        "multi": {"values": ("a",), "custom_text": "x", "note": "n", "option_notes": MappingProxyType({"a": "m"})}
    }
    snake = {"kind": "answer", "mode": "elaborate", "answers": answers, "presented_types": {"single": "multi"}}
    mixed = {**FULL, "answers": {"multi": RemoteAskAnswer.model_validate(FULL["answers"]["multi"])}}
    for response in (model, model.to_wire(), snake, mixed, MappingProxyType(FULL)):
        assert check_response(QUESTIONS, response) == check_response(QUESTIONS, FULL)
    assert check_response(QUESTIONS, RemoteAskResponse(kind="cancel")).cancelled


def test_a_model_that_was_not_checked_is_checked_here() -> None:
    answer = RemoteAskAnswer.model_construct(values=5, note=["n"])
    response = RemoteAskResponse.model_construct(kind="answer", answers={"multi": answer}, mode="submit")
    assert len(problems(response)) == 2


@proves("response-presented")
@pytest.mark.parametrize(
    ("questions", "id_", "types"),
    [
        (QUESTIONS, "single", ("single", "multi")),
        (QUESTIONS, "multi", ("multi", "single")),
        (QUESTIONS, "preview", ("preview", "multi")),
        (AS_MULTI, "single", ("single", "multi")),
    ],
)
def test_a_person_can_give_a_question_these_types_and_no_other(
    questions: tuple[AskQuestion, ...], id_: str, types: tuple[str, ...]
) -> None:
    asked = next(one for one in questions if one.id == id_)
    assert allowed_types(asked) == types
    for type_ in ("single", "multi", "preview"):
        response = {"kind": "answer", "answers": {}, "presentedTypes": {id_: type_}}
        if type_ in types:
            assert check_response(questions, response).types[id_] == type_
        else:
            assert len(problems(response, questions)) == 1


@proves("response-presented")
def test_an_answer_is_checked_against_the_type_that_the_person_saw() -> None:
    two = {"values": ["a", "b"], "customText": "own"}
    for id_ in ("single", "preview"):
        response = {"kind": "answer", "answers": {id_: two}, "presentedTypes": {id_: "multi"}}
        assert check_response(QUESTIONS, response).answers[id_].values == ("a", "b")
    assert len(problems({"kind": "answer", "answers": {"multi": two}, "presentedTypes": {"multi": "single"}})) == 1
    assert check_response(AS_MULTI, {"kind": "answer", "answers": {"single": two}}).types == {"single": "multi"}
    back = {"kind": "answer", "answers": {"single": two}, "presentedTypes": {"single": "single"}}
    assert len(problems(back, AS_MULTI)) == 1


def test_a_megabyte_of_text_is_taken_as_it_is() -> None:
    text = "ä" * 1_048_576
    answer = checked(["a"], text, note=text, optionNotes={"b": text}).answers["multi"]
    assert answer == CheckedAnswer(values=("a",), custom_text=text, note=text, option_notes=(("b", text),))


def test_half_a_character_in_what_a_person_wrote_does_not_cost_them_their_answer() -> None:
    editors = [Editor(EditorKind.CUSTOM, "multi"), Editor(EditorKind.QUESTION_NOTE, "multi")]
    state = open_form(QUESTIONS)
    for editor in (*editors, Editor(EditorKind.OPTION_NOTE, "multi", "a")):
        state = reduce(state, EditText(editor, "mine \ud83d"))
    answer = check_response(QUESTIONS, answer_response(state)).answers["multi"]
    assert answer == CheckedAnswer(custom_text="mine \ufffd", note="mine \ufffd", option_notes=(("a", "mine \ufffd"),))


# --- any response at all ---------------------------------------------------------------------------------------------

TEXT = st.sampled_from(["", " ", "a", "b", "A", "c d", "own", "\ud800", "single", "multi", "preview"])
SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JUNK = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=5
)
IDS = st.sampled_from(["single", "multi", "preview"])


def seldom(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return what mostly fits, now and then anything else."""
    return st.integers(0, 14).flatmap(lambda number: JUNK if number == 0 else strategy)


VALUES = st.sampled_from(["a", "b", "A", "c d"])
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "values": seldom(st.lists(seldom(VALUES), max_size=2)),
        "customText": seldom(st.sampled_from(["", " ", "own", "a"])),
        "note": seldom(st.sampled_from(["", "why?"])),
        "optionNotes": seldom(st.dictionaries(VALUES, seldom(st.sampled_from(["", " ", "note"])), max_size=3)),
    },
)
RESPONSES = seldom(
    st.fixed_dictionaries(
        {"kind": seldom(st.just("answer"))},
        optional={
            "mode": seldom(st.sampled_from(["submit", "elaborate"])),
            "answers": seldom(st.dictionaries(IDS, seldom(ANSWERS), max_size=3)),
            "presentedTypes": seldom(st.dictionaries(IDS, seldom(st.just("multi")), max_size=2)),
        },
    )
)


@proves("response-strict")
@given(RESPONSES | JUNK)
def test_any_json_is_a_response_that_fits_or_is_refused(response: Any) -> None:
    try:
        found = check_response(QUESTIONS, response)
    except InvalidResponseError:
        assert not any(has_surrogate(problem) for problem in problems(response))
        return
    result = build_result(QUESTIONS, found)
    assert result.cancelled == (response["kind"] == "cancel")
    assert type(result).model_validate_json(result.to_json()) == result
