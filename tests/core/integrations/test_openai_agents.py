"""The OpenAI Agents SDK's real runner, whose interruptions a person decides."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from persons import NOT_APPROVED, Desk, Endless, approve, deny, desk, fails, preview
from requirements import proves

from pi_ask import ExternalUIError, PiAsk, UnansweredError

pytest.importorskip("agents", reason="the extra openai-agents is not installed")

from agents import Agent, RunContextWrapper, Runner, RunState, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from pi_ask.integrations.openai_agents import decide, run

set_tracing_disabled(disabled=True)


class Branches:
    """An agent that wants to delete two branches, and what became of them."""

    def __init__(self) -> None:
        self.deleted: list[str] = []
        self.contexts: list[Any] = []
        calls = [function_call("delete_branch", {"name": name}, call_id=f"call-{name}") for name in "ab"]
        self.model = ScriptedModel([calls, [assistant_message("done")]])
        tool = function_tool(self.delete_branch, needs_approval=True)
        self.agent: Agent[Any] = Agent(name="cleaner", model=self.model, tools=[tool])

    def delete_branch(self, context: RunContextWrapper[Any], name: str) -> str:
        """Delete a branch."""
        self.contexts.append(context.context)
        self.deleted.append(name)
        return f"{name} is gone"

    @property
    def told(self) -> list[str]:
        """What the model was told about its calls."""
        call = self.model.last_call
        assert call is not None
        assert isinstance(call.input, list)
        return [str(item["output"]) for item in call.input if item.get("type") == "function_call_output"]


async def cleaned(here: Desk, **options: Any) -> Branches:
    branches = Branches()
    result = await run(branches.agent, "clean up", here.pi, **options)
    assert result.final_output == "done"
    branches.model.assert_complete()
    return branches


@proves("kit-approve")
async def test_approved_calls_run_and_the_run_goes_on() -> None:
    async with desk(approve) as here:
        branches = await cleaned(here, context={"user": "ada"}, max_turns=5)
    assert sorted(branches.deleted) == ["a", "b"]
    assert branches.told == ["a is gone", "b is gone"]
    assert branches.contexts == [{"user": "ada"}] * 2
    assert [request.tool_call_id for request in here.requests] == ["call-a", "call-b"]
    assert preview(here.requests[0]) == '{\n  "name": "a"\n}'
    assert here.requests[0].title == "Allow delete_branch?"
    assert here.requests[0].questions[0].prompt == "The agent cleaner wants to call this tool."


async def test_each_call_is_decided_by_itself() -> None:
    async with desk(deny, approve) as here:
        branches = await cleaned(here)
    assert branches.deleted == ["b"]
    assert "not on a Friday" in branches.told[0]


@proves("kit-refuse")
@pytest.mark.parametrize("name", NOT_APPROVED)
async def test_whatever_else_a_person_does_rejects_the_call_with_words(name: str) -> None:
    script, words = NOT_APPROVED[name]
    async with desk(script) as here:
        branches = await cleaned(here)
    assert branches.deleted == []
    assert len(branches.told) == 2
    assert all(words in told for told in branches.told)


@proves("kit-failure")
async def test_a_failure_of_the_surface_fails_the_run() -> None:
    async with desk(fails) as here:
        with pytest.raises(ExternalUIError, match="on fire"):
            await cleaned(here)


async def test_without_a_surface_the_run_fails_and_nothing_runs() -> None:
    branches = Branches()
    async with PiAsk() as pi:
        with pytest.raises(UnansweredError):
            await run(branches.agent, "clean up", pi)
    assert branches.deleted == []


@proves("kit-cancel")
async def test_cancelling_the_run_closes_the_form() -> None:
    person = Endless()
    async with desk(person) as here:
        running = asyncio.create_task(cleaned(here))
        await person.shown.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert here.pi.pending() == ()
    assert len(person.closed) == 1


async def test_a_state_that_was_kept_elsewhere_is_decided_later() -> None:
    branches = Branches()
    first = await Runner.run(branches.agent, "clean up")
    kept = first.to_state().to_string()
    state = await RunState.from_string(branches.agent, kept)
    async with desk(approve, deny) as here:
        await decide(state, state.get_interruptions(), here.pi)
    assert (await Runner.run(branches.agent, state)).final_output == "done"
    assert branches.deleted == ["a"]
    assert "not on a Friday" in branches.told[1]


async def test_a_streamed_run_is_decided_alike() -> None:
    branches = Branches()
    streamed = Runner.run_streamed(branches.agent, "clean up")
    async for _ in streamed.stream_events():
        pass
    state = streamed.to_state()
    async with desk(approve) as here:
        await decide(state, streamed.interruptions, here.pi)
    assert (await Runner.run(branches.agent, state)).final_output == "done"
    assert sorted(branches.deleted) == ["a", "b"]
