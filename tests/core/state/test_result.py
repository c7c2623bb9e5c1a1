"""The result: what was answered, what is open, and what the notes are about."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import form, question
from hypothesis import given
from hypothesis import strategies as st
from requirements import proves

from pi_ask.models import AskIssue, AskQuestion, AskResult
from pi_ask.state.answers import check_response
from pi_ask.state.normalize import read_form
from pi_ask.state.result import INSTRUCTION, build_result, cancelled_result, invalid_result

OPTIONS = [
    {"value": "x", "label": "First", "description": "d", "preview": "p", "recommended": True},
    {"value": "y", "preview": "q"},
    {"value": "z", "preview": "r"},
]
QUESTIONS = read_form(
    form(
        question("one", label="Only", options=OPTIONS),
        question("many", type="multi", options=OPTIONS),
        question("look", type="preview", options=OPTIONS),
    )
).questions


def result(answers: dict[str, Any], *, questions: tuple[AskQuestion, ...] = QUESTIONS, **parts: Any) -> AskResult:
    response = {"kind": "answer", "answers": answers, **parts}
    return build_result(questions, check_response(questions, response), title="T")


def wire(answers: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return result(answers, **parts).to_wire()


@proves("result-submit", "result-from-form")
def test_submit_has_every_question_with_a_value_own_text_or_a_question_note() -> None:
    answers = {
        "one": {"values": ["y"]},
        "many": {"customText": "own"},
        "look": {"note": "why?", "optionNotes": {"x": "lost"}},
    }
    assert wire(answers) == {
        "title": "T",
        "cancelled": False,
        "mode": "submit",
        "questions": [
            {"id": "one", "label": "Only", "prompt": "About one?", "type": "single"},
            {"id": "many", "label": "Q2", "prompt": "About many?", "type": "multi"},
            {"id": "look", "label": "Q3", "prompt": "About look?", "type": "preview"},
        ],
        "answers": {
            "one": {"values": ["y"], "labels": ["Y"], "indices": [2]},
            "many": {"values": ["own"], "labels": ["own"], "indices": [], "customText": "own"},
            "look": {"values": [], "labels": [], "indices": [], "note": "why?"},
        },
    }


@proves("result-submit", "result-option-notes")
def test_a_note_on_an_option_that_was_not_chosen_makes_no_answer() -> None:
    answers = wire(
        {"many": {"values": ["x"], "optionNotes": {"z": "no", "x": "yes"}}, "one": {"optionNotes": {"x": "n"}}}
    )["answers"]
    assert answers == {"many": {"values": ["x"], "labels": ["First"], "indices": [1], "optionNotes": {"x": "yes"}}}


@proves("result-from-form")
def test_values_keep_the_order_in_which_they_were_sent_and_own_text_comes_last() -> None:
    answer = wire({"many": {"values": ["z", "x"], "customText": "x"}})["answers"]["many"]
    assert answer == {"values": ["z", "x", "x"], "labels": ["Z", "First", "x"], "indices": [3, 1], "customText": "x"}


def test_answers_stand_in_the_order_of_the_form() -> None:
    sent = {"look": {"values": ["x"]}, "many": {"values": ["x"]}, "one": {"values": ["x"]}}
    assert list(result(sent).answers) == ["one", "many", "look"]


@proves("result-elaborate", "result-option-notes", "result-continuation")
def test_elaborate_parts_what_is_kept_from_what_is_open() -> None:
    answers = {
        "one": {"values": ["x"]},
        "many": {"values": ["y"], "note": "n", "optionNotes": {"z": "not chosen", "y": "chosen"}},
    }
    told = wire(answers, mode="elaborate")
    one = {"values": ["x"], "labels": ["First"], "indices": [1]}
    many = {"values": ["y"], "labels": ["Y"], "indices": [2], "note": "n", "optionNotes": {"y": "chosen"}}
    assert told["answers"] == {"one": one, "many": many}
    assert told["continuation"] == {
        "strategy": "refine_only",
        "affectedQuestionIds": ["many"],
        "preservedAnswers": {"one": one},
        "questionStates": {
            "one": {"status": "answered"},
            "many": {"status": "needs_clarification"},
            "look": {"status": "unanswered"},
        },
    }


@proves("result-elaborate", "result-continuation")
@pytest.mark.parametrize(
    "notes", [{"note": "n"}, {"optionNotes": {"z": "n"}}, {"note": "n", "optionNotes": {"z": "n"}}], ids=str
)
@pytest.mark.parametrize("answer", [{}, {"values": ["x"]}, {"customText": "own"}], ids=str)
def test_any_note_makes_its_question_one_to_clarify(answer: dict[str, Any], notes: dict[str, Any]) -> None:
    told = result({"many": {**answer, **notes}}, mode="elaborate")
    assert told.continuation is not None
    assert told.continuation.question_states["many"].status == "needs_clarification"
    assert (told.continuation.affected_question_ids, told.continuation.preserved_answers) == (("many",), {})
    assert list(told.answers) == (["many"] if answer else [])


@proves("result-items")
def test_items_stand_in_the_order_of_the_form_with_everything_that_a_note_is_about() -> None:
    answers = {
        "look": {"optionNotes": {"x": "later"}},
        "one": {"optionNotes": {"z": "second", "x": "third"}, "note": "first", "values": ["x"]},
    }
    told = wire(answers, mode="elaborate")["elaboration"]
    assert (told["instruction"], told["nextAction"]) == (INSTRUCTION, "clarify_then_reask")
    options = [
        {"value": "x", "label": "First", "description": "d", "preview": "p", "recommended": True},
        {"value": "y", "label": "Y", "preview": "q"},
        {"value": "z", "label": "Z", "preview": "r"},
    ]
    asked = {"id": "one", "label": "Only", "prompt": "About one?", "type": "single", "options": options}
    answer = {"values": ["x"], "labels": ["First"], "indices": [1], "note": "first", "optionNotes": {"x": "third"}}
    common = {"question": asked, "answered": True, "answer": answer}
    assert told["items"] == [
        {"target": {"kind": "question"}, **common, "note": "first"},
        {
            "target": {"kind": "option", "optionValue": "z"},
            **common,
            "option": options[2],
            "selected": False,
            "note": "second",
        },
        {
            "target": {"kind": "option", "optionValue": "x"},
            **common,
            "option": options[0],
            "selected": True,
            "note": "third",
        },
        {
            "target": {"kind": "option", "optionValue": "x"},
            "question": {"id": "look", "label": "Q3", "prompt": "About look?", "type": "preview", "options": options},
            "option": options[0],
            "selected": False,
            "answered": False,
            "note": "later",
        },
    ]


def test_a_request_to_elaborate_without_notes_has_no_items() -> None:
    told = result({}, mode="elaborate")
    assert told.elaboration is not None
    assert (told.elaboration.items, told.answers) == ((), {})


@proves("response-presented", "questions-as-multi")
def test_the_presented_type_is_named_only_where_it_differs() -> None:
    told = result({"one": {"values": ["x", "y"]}}, presentedTypes={"one": "multi", "many": "multi", "look": "preview"})
    assert [(q.type, q.presented_type) for q in told.questions] == [
        ("single", "multi"),
        ("multi", None),
        ("preview", None),
    ]
    noted = result({"many": {"note": "n"}}, mode="elaborate", presentedTypes={"many": "single"})
    assert noted.elaboration is not None
    assert noted.elaboration.items[0].question.presented_type == "single"

    as_multi = read_form(form(question("one", options=OPTIONS)), present_single_as_multi=True).questions
    told = result({"one": {"values": ["x", "y"]}}, questions=as_multi)
    assert [(q.type, q.presented_type) for q in told.questions] == [("single", "multi")]
    assert [q.presented_type for q in cancelled_result(as_multi).questions] == ["multi"]
    back = result({}, questions=as_multi, presentedTypes={"one": "single"})
    assert [(q.type, q.presented_type) for q in back.questions] == [("single", None)]


def test_a_cancelled_result_has_the_questions_and_no_answers() -> None:
    cancelled = build_result(QUESTIONS, check_response(QUESTIONS, {"kind": "cancel"}), title="T")
    assert cancelled == cancelled_result(QUESTIONS, title="T")
    told = cancelled.to_wire()
    assert (told["title"], told["cancelled"], told["mode"], told["answers"]) == ("T", True, "submit", {})
    assert [one["id"] for one in told["questions"]] == ["one", "many", "look"]


def test_an_invalid_result_has_the_issues_and_nothing_else() -> None:
    issues = (AskIssue(path="questions", message="m"),)
    assert invalid_result(issues).to_wire() == {
        "cancelled": True,
        "error": {"kind": "invalid_input", "issues": [{"path": "questions", "message": "m"}]},
        "mode": "submit",
        "questions": [],
        "answers": {},
    }


# --- any answer at all -----------------------------------------------------------------------------------------------

VALUES = ["x", "y", "z"]
TEXTS = st.sampled_from(["", " ", "own", "x", " n "])


@st.composite
def answers_for(draw: st.DrawFn) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for id_ in draw(st.permutations(["one", "many", "look"])):
        values = draw(st.permutations(VALUES))[: draw(st.integers(0, 3 if id_ == "many" else 1))]
        custom = draw(TEXTS) if id_ == "many" or not values else " "
        notes = draw(st.dictionaries(st.sampled_from(VALUES), TEXTS))
        answers[id_] = {"values": values, "customText": custom, "note": draw(TEXTS), "optionNotes": notes}
        if draw(st.booleans()):
            del answers[id_]
    return answers


def notes_of(answer: dict[str, Any]) -> list[tuple[str | None, str]]:
    given_notes = [(None, answer["note"]), *answer["optionNotes"].items()]
    return [(value, note) for value, note in given_notes if note.strip()]


@proves(
    "result-submit",
    "result-elaborate",
    "result-option-notes",
    "result-from-form",
    "result-continuation",
    "result-items",
)
@given(answers_for(), st.sampled_from(["submit", "elaborate"]))
def test_every_result_follows_from_its_answers(sent: dict[str, Any], mode: str) -> None:
    told = result(sent, mode=mode)
    empty: dict[str, Any] = {"values": [], "customText": "", "note": "", "optionNotes": {}}
    by_id = {one.id: sent.get(one.id, empty) for one in QUESTIONS}
    committed = [id_ for id_, answer in by_id.items() if answer["values"] or answer["customText"].strip()]
    with_note = [id_ for id_, answer in by_id.items() if answer["note"].strip()]
    there = [id_ for id_ in by_id if id_ in committed or (mode == "submit" and id_ in with_note)]
    assert list(told.answers) == there

    for id_, answer in told.answers.items():
        given_answer = by_id[id_]
        own = [given_answer["customText"]] if given_answer["customText"].strip() else []
        labels = {"x": "First", "y": "Y", "z": "Z"}
        assert list(answer.values) == [*given_answer["values"], *own]
        assert list(answer.labels) == [*(labels[value] for value in given_answer["values"]), *own]
        assert list(answer.indices) == [VALUES.index(value) + 1 for value in given_answer["values"]]
        assert answer.note == (given_answer["note"] if given_answer["note"].strip() else None)
        chosen = {v: n for v, n in given_answer["optionNotes"].items() if v in given_answer["values"] and n.strip()}
        assert dict(answer.option_notes or {}) == chosen

    if mode == "submit":
        assert (told.continuation, told.elaboration) == (None, None)
        return
    assert told.continuation is not None
    assert told.elaboration is not None
    affected = [id_ for id_, answer in by_id.items() if notes_of(answer)]
    kept = [id_ for id_ in committed if id_ not in affected]
    assert list(told.continuation.affected_question_ids) == affected
    assert list(told.continuation.preserved_answers) == kept
    assert all(told.continuation.preserved_answers[id_] == told.answers[id_] for id_ in kept)
    expected = [(id_, value, note) for id_, answer in by_id.items() for value, note in notes_of(answer)]
    items = told.elaboration.items
    assert [(item.question.id, item.target.option_value, item.note) for item in items] == expected
    for item in items:
        assert item.answered == (item.question.id in committed)
        assert item.answer == told.answers.get(item.question.id)
        assert item.selected == (
            None if item.option is None else item.option.value in by_id[item.question.id]["values"]
        )
