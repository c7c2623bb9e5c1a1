"""The form that asks for approval, and what counts as one."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from helpers import until
from persons import NOT_APPROVED, QUESTION, Endless, approve, desk, fails, preview
from requirements import proves

from pi_ask import AskParams, AskUserResult, ExternalUIError, PiAsk, UnansweredError
from pi_ask.config.schema import AskConfig
from pi_ask.integrations.approval import (
    MAX_ARGUMENTS,
    Approval,
    ToolCall,
    approval_form,
    ask_approval,
    decision_form,
)
from pi_ask.integrations.asking import need_kit
from pi_ask.testing import ScriptedForm, ScriptedPerson

CALL = ToolCall(name="delete_branch", arguments={"name": "release/4.2", "force": True}, id="call-7")


async def decided(script: Any, call: ToolCall = CALL) -> Approval:
    async with desk(script) as here:
        return await ask_approval(here.pi, call)


@proves("kit-approve")
async def test_an_explicit_choice_of_approve_approves() -> None:
    assert await decided(approve) == Approval(approved=True)


@proves("kit-refuse")
@pytest.mark.parametrize("name", NOT_APPROVED)
async def test_whatever_else_a_person_does_is_no_approval_and_is_told_in_words(name: str) -> None:
    script, words = NOT_APPROVED[name]
    approval = await decided(script)
    assert not approval.approved
    assert words in approval.message
    assert approval.cancelled == (name == "cancel")


async def test_a_note_beside_an_approval_is_kept() -> None:
    approval = await decided(lambda form: form.choose(QUESTION, "approve").note(QUESTION, "once").submit())
    assert approval == Approval(approved=True, note="once")


@pytest.mark.parametrize("more", ["deny", "own words"])
async def test_approve_beside_anything_else_is_no_plain_approval(more: str) -> None:
    def both(form: ScriptedForm) -> None:
        form.change_type(QUESTION).choose(QUESTION, "approve")
        (form.choose(QUESTION, "deny") if more == "deny" else form.type(QUESTION, "only in staging")).submit()

    approval = await decided(both)
    assert not approval.approved
    assert "no plain approval" in approval.message
    assert '"Approve"' in approval.message


async def test_a_note_on_the_option_deny_reaches_the_agent() -> None:
    approval = await decided(
        lambda form: form.choose(QUESTION, "deny").note(QUESTION, "ask Ada", option="deny").submit()
    )
    assert '"ask Ada"' in approval.message


async def test_the_form_shows_the_call_and_preselects_nothing() -> None:
    async with desk(approve) as here:
        await ask_approval(here.pi, CALL)
    assert here.request.tool_call_id == "call-7"
    assert here.request.title == "Allow delete_branch?"
    (question,) = here.request.questions
    assert question.type == "preview"
    assert [option.value for option in question.options] == ["approve", "deny"]
    assert not any(option.recommended for option in question.options)
    assert json.loads(preview(here.request)) == CALL.arguments


async def test_a_call_without_arguments_is_asked_without_a_preview() -> None:
    nothing: list[Any] = [None, {}, "", [], "  "]
    for arguments in nothing:
        (question,) = approval_form(ToolCall("stop", arguments)).questions
        assert question.type == "single"


async def test_an_approval_takes_one_choice_whatever_the_person_prefers_elsewhere() -> None:
    types: list[str] = []

    def play(form: ScriptedForm) -> None:
        types.append(form.request.questions[0].type)
        approve(form)

    config = AskConfig.model_validate({"behaviour": {"presentSingleAsMulti": True}})
    async with PiAsk(config=config) as pi:
        ScriptedPerson(play).register(pi)
        assert (await ask_approval(pi, ToolCall("stop"))).approved
    assert types == ["single"]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('{"b":1,"a":"ü"}', '{\n  "b": 1,\n  "a": "ü"\n}'),
        ("rm -rf /", "rm -rf /"),
        ({"path": "/home\u202egnp.txt"}, '{\n  "path": "/home\\u202egnp.txt"\n}'),
        ({"x": "a\u200bb\ud800"}, '{\n  "x": "a\\u200bb\\ud800"\n}'),
        ("tail\U000e0041", "tail\\udb40\\udc41"),
        ({"family": "👩\u200d👧"}, '{\n  "family": "👩\u200d👧"\n}'),
        (
            {"command": "cd /\nrm -r *", "list": ["one\n", 'a\n"b\\n"'], "path": "C:\\new"},
            r"""{
  "command":
    "cd /\n"
    "rm -r *",
  "list": [
    "one\n",
    "a\n"
    "\"b\\n\""
  ],
  "path": "C:\\new"
}""",
        ),
        ('"x\\ny"', '"x\\n"\n"y"'),
        ({"when": complex(1)}, '{\n  "when": "(1+0j)"\n}'),
        ({(1, 2): "x"}, "{(1, 2): 'x'}"),
        (b'{"a":1}', '{\n  "a": 1\n}'),
    ],
)
async def test_arguments_of_every_kind_are_shown_as_they_are(arguments: Any, shown: str) -> None:
    async with desk(approve) as here:
        assert (await ask_approval(here.pi, ToolCall("tool", arguments))).approved
    assert preview(here.request) == shown


async def test_arguments_that_go_in_circles_or_too_deep_are_asked_about_all_the_same() -> None:
    circle: dict[str, Any] = {}
    circle["me"] = circle
    for arguments in (circle, "[" * 100_000):
        async with desk(approve) as here:
            assert (await ask_approval(here.pi, ToolCall("tool", arguments))).approved
        assert preview(here.request)


async def test_arguments_too_long_to_be_read_are_cut_and_the_form_says_so() -> None:
    async with desk(approve) as here:
        await ask_approval(here.pi, ToolCall("write", {"text": "x" * 300_000}))
    assert len(preview(here.request)) < MAX_ARGUMENTS + 100
    prompt = here.request.questions[0].prompt
    assert "Only the first 200,000 characters" in prompt
    assert "100,016 not" in prompt


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\ud800", "a\nb", "n" * 5_000])
async def test_a_name_of_any_kind_makes_a_form_that_opens(name: str) -> None:
    async with desk(approve) as here:
        assert (await ask_approval(here.pi, ToolCall(name, {"a": 1}, request=name, details=(name,)))).approved
    title = here.request.title
    assert title is not None
    assert "\n" not in title
    assert len(title) < 200


@proves("kit-failure")
async def test_without_a_surface_nobody_was_asked_and_that_is_a_failure() -> None:
    async with PiAsk() as pi:
        with pytest.raises(UnansweredError, match="no user interface"):
            await ask_approval(pi, CALL)


async def test_a_surface_that_fails_is_a_failure() -> None:
    with pytest.raises(ExternalUIError, match="on fire"):
        await decided(fails)


async def test_a_core_that_closes_meanwhile_is_a_failure_and_no_denial() -> None:
    person = Endless()
    async with desk(person) as here:
        asking = asyncio.create_task(ask_approval(here.pi, CALL))
        await person.shown.wait()
    with pytest.raises(UnansweredError, match="withdrawn"):
        await asking


async def test_a_form_that_is_none_was_asked_of_nobody() -> None:
    async def ask(_: Any) -> AskUserResult:
        async with PiAsk() as pi:
            return await pi.ask_user({"questions": []})

    with pytest.raises(UnansweredError, match="at least one question"):
        await ask_approval(ask, CALL)


@proves("kit-cancel")
async def test_cancelling_the_task_closes_the_form() -> None:
    person = Endless()
    async with desk(person) as here:
        asking = asyncio.create_task(ask_approval(here.pi, CALL))
        await person.shown.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert len(person.closed) == 1
        assert here.pi.pending() == ()


async def test_any_coroutine_function_can_stand_for_the_core() -> None:
    forms: list[AskParams] = []
    async with desk(approve) as here:

        async def ask(form: AskParams) -> AskUserResult:
            forms.append(form)
            return await here.pi.ask_user(form, requester={"name": "deploy-agent"})

        assert (await ask_approval(ask, CALL)).approved
    assert [form.title for form in forms] == ["Allow delete_branch?"]
    assert here.request.requester is not None
    assert here.request.requester.name == "deploy-agent"


async def test_an_agent_on_another_thread_is_answered_by_the_core_where_it_lives() -> None:
    answers: list[Approval] = []
    async with desk(approve) as here:
        await here.pi.ask_user({"questions": []})  # from now on the core belongs to this loop
        agent = threading.Thread(target=lambda: answers.append(asyncio.run(ask_approval(here.pi, CALL))))
        agent.start()
        await asyncio.to_thread(agent.join, 10)
    assert answers == [Approval(approved=True)]


async def test_an_agent_on_another_thread_that_is_cancelled_closes_its_form() -> None:
    person = Endless()

    async def impatient(pi: PiAsk) -> None:
        await asyncio.wait_for(ask_approval(pi, CALL), 0.2)

    async with desk(person) as here:
        await here.pi.ask_user({"questions": []})
        with pytest.raises(TimeoutError):
            await asyncio.to_thread(lambda: asyncio.run(impatient(here.pi)))
        await until(lambda: person.closed)


def test_the_form_says_where_a_note_goes() -> None:
    lost = decision_form(None, "Go?", None).questions[0].options[0].description
    kept = decision_form(None, "Go?", None, note_travels=True).questions[0].options[0].description
    assert lost is not None
    assert kept is not None
    assert "does not reach the agent" in lost
    assert "does not reach" not in kept


def test_a_kit_that_is_missing_is_named_with_what_to_install() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pi-ask\[some-kit\]'"):
        need_kit("no_such_kit_anywhere", "some-kit")
    need_kit("json", "json")
