"""The Claude Agent SDK's real client, whose permissions come from a person."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import until
from persons import NOT_APPROVED, Endless, approve, cancel, desk, fails, preview
from requirements import proves

from pi_ask import PiAsk
from pi_ask.testing import ScriptedForm

pytest.importorskip("claude_agent_sdk", reason="the extra claude is not installed")

from claude_cli import Cli, client, permission

COMMAND = {"command": "rm -rf build", "description": "Remove the build folder"}
WHERE: dict[str, Any] = {
    "question": "Where do we deploy?",
    "header": "Target",
    "multiSelect": False,
    "options": [
        {"label": "Staging", "description": "A copy of production."},
        {"label": "Production, EU", "description": "The real thing."},
    ],
}
WHAT: dict[str, Any] = {
    "question": "What goes along?",
    "header": "Extras",
    "multiSelect": True,
    "options": [{"label": "Docs", "description": "d"}, {"label": "Samples", "description": "s"}],
}
LOOK: dict[str, Any] = {
    "question": "Which layout?",
    "header": "Layout",
    "multiSelect": False,
    "options": [{"label": "Wide", "preview": "+----+"}, {"label": "Narrow"}],
}


def questions(*asked: dict[str, Any]) -> dict[str, Any]:
    return {"questions": list(asked)}


async def asked(script: Any, *form: dict[str, Any]) -> dict[str, Any]:
    async with desk(script) as here:
        answer = await permission(here.pi, "AskUserQuestion", questions(*form))
    assert answer["subtype"] == "success", answer
    response: dict[str, Any] = answer["response"]
    return response


@proves("kit-approve")
async def test_an_approved_call_is_allowed_as_it_was() -> None:
    async with desk(approve) as here:
        answer = await permission(here.pi, "Bash", COMMAND, title="Claude wants to run rm -rf build")
    assert answer["response"] == {"behavior": "allow", "updatedInput": COMMAND}
    assert here.request.tool_call_id == "toolu_1"
    assert here.request.title == "Allow Bash?"
    assert here.request.questions[0].prompt == "Claude wants to run rm -rf build"
    assert '"command": "rm -rf build"' in preview(here.request)


async def test_the_form_says_all_that_the_sdk_knows_about_a_call() -> None:
    context = {
        "display_name": "Read file",
        "description": "notes.txt",
        "decision_reason": "a hook wants to know",
        "blocked_path": "/etc/notes.txt",
    }
    async with desk(approve) as here:
        await permission(here.pi, "Read", {"file_path": "/etc/notes.txt"}, **context)
    assert here.request.title == "Allow Read file?"
    assert here.request.questions[0].prompt.splitlines() == [
        "Claude wants to use the tool Read.",
        "notes.txt",
        "a hook wants to know",
        "It reaches outside the allowed folders: /etc/notes.txt",
    ]


@proves("kit-refuse")
@pytest.mark.parametrize("name", NOT_APPROVED)
async def test_whatever_else_a_person_does_denies_with_words_and_only_a_cancel_interrupts(name: str) -> None:
    script, words = NOT_APPROVED[name]
    async with desk(script) as here:
        answer = await permission(here.pi, "Bash", COMMAND)
    response = answer["response"]
    assert response["behavior"] == "deny"
    assert words in response["message"]
    assert response.get("interrupt", False) == (name == "cancel")


@proves("kit-failure")
async def test_a_failure_of_the_surface_is_an_error_and_no_denial() -> None:
    async with desk(fails) as here:
        answer = await permission(here.pi, "Bash", COMMAND)
    assert answer["subtype"] == "error"
    assert "on fire" in answer["error"]


async def test_without_a_surface_the_permission_is_an_error() -> None:
    async with PiAsk() as pi:
        answer = await permission(pi, "Bash", COMMAND)
    assert answer["subtype"] == "error"
    assert "no user interface" in answer["error"]


@proves("kit-cancel")
async def test_an_abandoned_request_closes_its_form_and_is_not_answered() -> None:
    person, cli = Endless(), Cli()
    async with desk(person) as here, client(here.pi, cli):
        cli.ask("Bash", COMMAND)
        await person.shown.wait()
        cli.abandon()
        await until(lambda: person.closed)
        assert here.pi.pending() == ()
        assert cli.unanswered


async def test_the_question_tool_becomes_a_form_of_its_questions() -> None:
    async with desk(cancel) as here:
        await permission(here.pi, "AskUserQuestion", questions(WHERE, WHAT, LOOK))
    where, what, look = here.request.questions
    assert [question.type for question in here.request.questions] == ["single", "multi", "preview"]
    assert [question.label for question in here.request.questions] == ["Target", "Extras", "Layout"]
    assert where.prompt == "Where do we deploy?"
    assert [option.label for option in where.options] == ["Staging", "Production, EU"]
    assert where.options[0].description == "A copy of production."
    assert [option.preview for option in look.options] == ["+----+", "(This option comes without a preview.)"]
    assert not any(option.recommended for question in (where, what, look) for option in question.options)


async def test_answers_go_back_by_the_text_of_the_question_and_the_labels_of_the_options() -> None:
    def answer(form: ScriptedForm) -> None:
        form.choose(WHERE["question"], "Production, EU").choose(WHAT["question"], "Docs", "Samples")
        form.type(WHAT["question"], "the old logo").type(LOOK["question"], "neither").submit()

    response = await asked(answer, WHERE, WHAT, LOOK)
    assert response["behavior"] == "allow"
    assert response["updatedInput"] == {
        "questions": [WHERE, WHAT, LOOK],
        "answers": {
            "Where do we deploy?": "Production, EU",
            "What goes along?": "Docs, Samples, the old logo",
            "Which layout?": "neither",
        },
    }


async def test_labels_go_back_exactly_as_they_came() -> None:
    spaced = {**WHERE, "question": " Where? ", "options": [{"label": " Staging "}, {"label": "b"}]}
    response = await asked(lambda form: form.choose("Where?", "Staging").submit(), spaced)
    assert response["updatedInput"]["answers"] == {" Where? ": " Staging "}


async def test_notes_go_along_and_a_question_without_an_answer_has_none() -> None:
    def answer(form: ScriptedForm) -> None:
        form.choose(WHERE["question"], "Staging").note(WHERE["question"], "for now")
        form.note(WHERE["question"], "the small one", option="Staging").submit()

    response = await asked(answer, WHERE, WHAT)
    assert response["updatedInput"]["answers"] == {"Where do we deploy?": "Staging"}
    assert response["updatedInput"]["annotations"] == {"Where do we deploy?": {"notes": "for now\nthe small one"}}


async def test_a_form_without_one_answer_is_denied_in_words() -> None:
    response = await asked(lambda form: form.note(WHERE["question"], "ask Ada").submit(), WHERE)
    assert response["behavior"] == "deny"
    assert "answered none" in response["message"]
    assert '"ask Ada"' in response["message"]
    assert "interrupt" not in response


async def test_a_request_to_elaborate_on_a_question_is_passed_on_as_words() -> None:
    def elaborate(form: ScriptedForm) -> None:
        form.choose(WHERE["question"], "Staging").note(WHERE["question"], "which copy?").elaborate()

    response = await asked(elaborate, WHERE)
    assert response["behavior"] == "deny"
    assert '"which copy?"' in response["message"]
    assert "interrupt" not in response


async def test_cancelling_the_questions_interrupts_the_agent() -> None:
    response = await asked(cancel, WHERE)
    assert response["behavior"] == "deny"
    assert response["interrupt"] is True


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "questions: needs at least one question"),
        ({"questions": "Where?"}, "must be a list"),
        ({"questions": [7]}, "questions[0]: must be an object"),
        (questions({**WHERE, "options": []}), "questions[0].options: needs at least one option"),
        (questions({**WHERE, "options": ["a"]}), "questions[0].options[0]: must be an object"),
        (questions({**WHERE, "options": [{"label": "a"}, {"label": "a"}]}), "is used twice"),
        (questions({**WHERE, "options": [{"label": "a", "preview": 7}]}), "preview: must be text"),
        (questions(WHERE, WHERE), "is used twice"),
        (questions({**WHERE, "question": None}), "questions[0].id: is required"),
    ],
)
async def test_questions_that_cannot_be_asked_are_denied_with_what_to_change(
    arguments: dict[str, Any], problem: str
) -> None:
    async with desk(approve) as here:
        answer = await permission(here.pi, "AskUserQuestion", arguments)
    assert here.requests == []
    assert answer["response"]["behavior"] == "deny"
    assert problem in answer["response"]["message"]
    assert "interrupt" not in answer["response"]
