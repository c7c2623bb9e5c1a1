"""The scripted person: does what a person could do, and says what is on the screen where it cannot."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from helpers import form, question

from pi_ask.errors import ExternalUIError
from pi_ask.models import AskResult
from pi_ask.runtime.abort import AbortController
from pi_ask.runtime.tool import PiAsk
from pi_ask.testing import REVIEW, ScriptedForm, ScriptedPerson, ScriptError

FORM = form(
    question("env", "prod", "stage", label="Env", required=True),
    question("parts", "api", "web", "docs", type="multi"),
    title="Release",
)


async def played(script: Any, params: Any = FORM) -> AskResult:
    async with PiAsk() as pi:
        ScriptedPerson(script).register(pi)
        return (await pi.ask_user(params)).details


async def error_of(script: Any) -> str:
    """Return the message of the script's error, as its cause in the call."""
    with pytest.raises(ExternalUIError) as caught:
        await played(script)
    assert isinstance(caught.value.__cause__, ScriptError)
    return str(caught.value.__cause__)


async def test_a_script_answers_every_form_that_comes() -> None:
    async with PiAsk() as pi:
        person = ScriptedPerson(lambda form: form.choose("env", "prod").choose("parts", "web", "api").submit())
        person.register(pi)
        for _ in range(2):
            answers = (await pi.ask_user(FORM)).details.answers
            assert (answers["env"].values, answers["parts"].values) == (("prod",), ("api", "web"))
        assert person.forms == ()


async def test_choosing_what_is_chosen_keeps_it() -> None:
    def script(form: ScriptedForm) -> None:
        form.choose("parts", "api").choose("parts", "api", "docs").choose("env", "prod").choose("env", "stage").submit()

    answers = (await played(script)).answers
    assert (answers["env"].values, answers["parts"].values) == (("stage",), ("api", "docs"))


async def test_own_text_and_notes_arrive() -> None:
    def script(form: ScriptedForm) -> None:
        form.type("env", "own words").choose("parts", "api").note("parts", "why?").note("parts", "old", option="docs")
        form.elaborate()

    result = await played(script)
    assert result.mode == "elaborate"
    assert result.answers["env"].custom_text == "own words"
    assert result.elaboration is not None
    assert [item.note for item in result.elaboration.items] == ["why?", "old"]


async def test_a_changed_type_is_in_the_result() -> None:
    def script(form: ScriptedForm) -> None:
        form.change_type("env").choose("env", "prod", "stage").change_type("parts").submit()

    result = await played(script)
    assert result.answers["env"].values == ("prod", "stage")
    assert [one.presented_type for one in result.questions] == ["multi", "single"]


async def test_a_test_can_wait_for_a_form_and_fill_it_in_by_hand() -> None:
    async with PiAsk() as pi:
        person = ScriptedPerson()
        unregister = person.register(pi)
        calls = [asyncio.create_task(pi.ask_user({**FORM, "title": title})) for title in ("first", "second")]
        for title, value in (("first", "prod"), ("second", "stage")):
            shown = await person.form()
            assert shown.request.title == title
            shown.choose("env", value).submit()
            assert (await calls.pop(0)).details.answers["env"].values == (value,)
        unregister()
        assert (await pi.ask_user(FORM)).outcome == "not_shown"


async def test_a_person_can_be_made_to_hesitate() -> None:
    async with PiAsk() as pi:
        person = ScriptedPerson()
        person.register(pi)
        call = asyncio.create_task(pi.ask_user(FORM))
        shown = await person.form()
        shown.submit(insist=False)
        assert not shown.ended
        assert "! asks for a second submit without env" in shown.shown()
        shown.note("env", "n").cancel(insist=False)
        assert "! asks for a second cancel" in shown.shown()
        shown.cancel(insist=False)
        assert shown.ended
        assert (await call).outcome == "cancelled"


async def test_insisting_submits_without_a_required_answer_and_cancels_a_dirty_form() -> None:
    assert not (await played(lambda form: form.submit())).cancelled
    assert (await played(lambda form: form.choose("env", "prod").cancel())).cancelled


async def test_what_is_shown_is_told_in_words() -> None:
    async with PiAsk() as pi:
        person = ScriptedPerson()
        person.register(pi)
        call = asyncio.create_task(pi.ask_user(FORM))
        shown = await person.form()
        shown.choose("env", "prod").note("env", "why", option="stage").type("parts", "own").note("parts", "n").go_to(
            REVIEW
        )
        assert shown.shown().splitlines() == [
            "Release",
            "  env (single): About env?",
            "    [x] prod: Prod",
            "    [ ] stage: Stage",
            "        note: why",
            "  parts (multi): About parts?",
            "    [ ] api: Api",
            "    [ ] web: Web",
            "    [ ] docs: Docs",
            "    [x] own text: own",
            "    note: n",
            "> review",
        ]
        shown.submit()
        assert shown.shown().endswith("ended: submit")
        await call


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (lambda form: form.choose("nobody", "prod"), "there is no question 'nobody'"),
        (lambda form: form.choose("env", "Prod"), "question 'env' has no option 'Prod'"),
        (
            lambda form: form.choose("env", "prod", "stage"),
            "question 'env' takes one answer; change_type('env') lets it take several",
        ),
        (lambda form: form.type("nobody", "x"), "there is no question 'nobody'"),
        (lambda form: form.note("env", "x", option="api"), "question 'env' has no option 'api'"),
        (lambda form: form.go_to("nowhere"), "there is no step 'nowhere'"),
        (lambda form: form.choose("env", "prod"), "the script has ended and left the form open"),
        (lambda form: form.submit().submit(), "the form has ended"),
    ],
)
async def test_what_cannot_be_done_fails_and_says_what_is_on_the_screen(script: Any, problem: str) -> None:
    told = await error_of(script)
    assert told.startswith(problem)
    assert "env (single): About env?" in told


async def test_a_script_may_wait_and_a_withdrawn_form_can_no_longer_be_filled_in() -> None:
    controller = AbortController()
    told: list[str] = []

    async def script(form: ScriptedForm) -> None:
        form.choose("env", "prod")
        controller.abort()
        with pytest.raises(ScriptError, match="the form has ended"):
            form.submit()
        told.append(form.shown())
        await asyncio.sleep(0)

    async with PiAsk() as pi:
        ScriptedPerson(script).register(pi)
        result = await pi.ask_user(FORM, signal=controller.signal)
    assert result.outcome == "aborted"
    assert "[x] prod" in told[0]


async def test_waiting_for_a_form_that_does_not_come_is_bounded() -> None:
    with pytest.raises(ScriptError, match=r"no form came within 0\.01 s"):
        await ScriptedPerson().form(0.01)
