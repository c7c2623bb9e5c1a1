"""The outcome in words: a line for every question, and nothing that could be read into it."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import form, question
from hypothesis import given
from hypothesis import strategies as st
from requirements import proves

from pi_ask.models import AskQuestion
from pi_ask.state.answers import check_response
from pi_ask.state.normalize import read_form
from pi_ask.state.result import INSTRUCTION, build_result, cancelled_result, invalid_result
from pi_ask.state.summary import CANCELLED, ELABORATE, FALLBACK, list_questions, summarize

OPTIONS = [{"value": "a", "label": "Alpha"}, {"value": "b"}]
QUESTIONS = read_form(
    form(question("one", label="First", options=OPTIONS), question("two", type="multi", options=OPTIONS))
).questions


def lines(answers: dict[str, Any], *, questions: tuple[AskQuestion, ...] = QUESTIONS, **parts: Any) -> list[str]:
    response = {"kind": "answer", "answers": answers, **parts}
    return summarize(build_result(questions, check_response(questions, response))).splitlines()


@proves("result-text")
def test_every_question_has_a_line_and_one_without_an_answer_is_named_so() -> None:
    assert lines({}) == ["First: no answer", "Q2: no answer"]
    assert lines({"two": {"values": ["b", "a"], "customText": "and more"}}) == [
        "First: no answer",
        'Q2: "B" [value b], "Alpha" [value a], own words "and more"',
    ]


@proves("result-text")
def test_notes_have_lines_of_their_own() -> None:
    answers = {"one": {"note": "why?"}, "two": {"values": ["a"], "note": "n", "optionNotes": {"a": "m", "b": "lost"}}}
    assert lines(answers) == [
        "First: no answer",
        'First, note: "why?"',
        'Q2: "Alpha" [value a]',
        'Q2, note: "n"',
        'Q2, note on "Alpha" [value a]: "m"',
    ]


@proves("result-text")
def test_a_request_to_elaborate_names_every_note_and_what_to_do() -> None:
    answers = {"one": {"values": ["a"]}, "two": {"note": "n", "optionNotes": {"b": "m"}}}
    assert lines(answers, mode="elaborate") == [
        ELABORATE,
        'First: "Alpha" [value a]',
        "Q2: no answer",
        'Elaborate on question "About two?" with the note "n"; answer so far: no answer.',
        (
            'Elaborate on question "About two?", option "B" [value b] (not chosen) with the note "m"; '
            "answer so far: no answer."
        ),
        INSTRUCTION,
    ]


@pytest.mark.parametrize(
    "label", ["no answer", "No answer", 'own words "x"', "A, B", '"A" [value a]', "A\nQ2: no answer"]
)
def test_a_label_cannot_pass_for_something_else(label: str) -> None:
    questions = read_form(form(question("q", options=[{"value": "v", "label": label}, {"value": "w"}]))).questions
    (chosen,) = lines({"q": {"values": ["v"]}}, questions=questions)
    assert chosen not in {*lines({}, questions=questions), *lines({"q": {"customText": "x"}}, questions=questions)}
    assert chosen.startswith('Q1: "')
    assert chosen.endswith('" [value v]')


def test_own_words_cannot_pass_for_an_option() -> None:
    (first, _) = lines({"one": {"customText": "Alpha"}})
    assert first == 'First: own words "Alpha"'
    (first, *others) = lines({"one": {"customText": 'x"\nQ2: "B" [value b]\u2028Q2: "B"\x85Q2'}})
    assert first.startswith('First: own words "x\\"\\n')
    assert others == ["Q2: no answer"]


def test_own_words_that_read_like_a_value_do_not_take_its_label() -> None:
    told = lines({"two": {"values": ["a"], "customText": "a", "optionNotes": {"a": "m"}}})
    assert told[1:] == ['Q2: "Alpha" [value a], own words "a"', 'Q2, note on "Alpha" [value a]: "m"']


def test_options_and_questions_with_equal_labels_are_told_apart() -> None:
    options = [{"value": "x", "label": "Same"}, {"value": "y", "label": "Same"}]
    questions = read_form(form(question("p", label="Q2", options=options), question("r", options=options))).questions
    told = lines({"p": {"values": ["y"]}}, questions=questions)
    assert told == ['Q2 [id p]: "Same" [value y]', "Q2 [id r]: no answer"]


def test_a_changed_type_is_said() -> None:
    assert lines({}, presentedTypes={"one": "multi"})[-1] == "Shown as multi instead of the requested type: First."


@proves("result-text")
def test_a_cancelled_form_says_that_there_is_no_answer() -> None:
    assert summarize(cancelled_result(QUESTIONS)) == CANCELLED
    assert "no answer" in CANCELLED


@proves("form-nothing-opens")
def test_the_text_of_an_invalid_form_names_every_issue() -> None:
    issues = read_form({"title": 5, "questions": []}).issues
    assert summarize(invalid_result(issues)).splitlines()[1:] == [
        "- title: must be text, not a number",
        "- questions: needs at least one question",
    ]
    assert summarize(invalid_result(read_form("[").issues)).splitlines()[1].startswith("- the form is not JSON")


@proves("surface-fallback")
def test_the_fallback_lists_the_questions_with_their_options() -> None:
    options = [{"value": "a", "label": "Alpha\nBeta", "description": "two\nlines", "recommended": True}, {"value": "b"}]
    questions = read_form(form(question("one", options=options), question("two", type="multi"))).questions
    assert list_questions(questions, FALLBACK).splitlines() == [
        FALLBACK,
        "1. Q1 [id one, choose one]: About one?",
        "   - Alpha Beta [value a] (recommended) - two lines",
        "   - B [value b]",
        "   - or the person's own words",
        "2. Q2 [id two, choose any number]: About two?",
        "   - A [value a]",
        "   - B [value b]",
        "   - or the person's own words",
    ]


FREE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(lambda text: f"x{text}")


@proves("result-text")
@given(FREE, FREE, FREE, FREE)
def test_whatever_the_texts_hold_there_are_as_many_lines_as_there_is_to_say(
    label: str, name: str, own: str, note: str
) -> None:
    asked = question("q", label=label, options=[{"value": "v", "label": name}], type="multi")
    questions = read_form(form(asked, question("r"))).questions
    told = lines({"q": {"values": ["v"], "customText": own, "note": note}}, questions=questions)
    assert len(told) == 3
    assert sum(line.endswith(": no answer") for line in told) == 1
