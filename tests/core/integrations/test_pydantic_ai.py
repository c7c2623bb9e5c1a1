"""Pydantic AI's real agents, whose deferred calls a person approves."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from persons import NOT_APPROVED, Desk, Endless, approve, deny, desk, fails, preview
from requirements import proves

from pi_ask import ExternalUIError, PiAsk, UnansweredError

pytest.importorskip("pydantic_ai", reason="the extra pydantic-ai is not installed")

from pydantic_ai import Agent, CallDeferred, DeferredToolRequests, models
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pi_ask.integrations.pydantic_ai import answer_requests, request_input

models.ALLOW_MODEL_REQUESTS = False


class Branches:
    """An agent that wants to delete two branches, and what became of them."""

    def __init__(self, *capabilities: Any, output: Any = str) -> None:
        self.deleted: list[str] = []
        self.told: list[str] = []
        self.agent: Agent[None, Any] = Agent(FunctionModel(self._model), capabilities=capabilities, output_type=output)
        self.agent.tool_plain(requires_approval=True)(self.delete_branch)

    def delete_branch(self, name: str) -> str:
        """Delete a branch."""
        self.deleted.append(name)
        return f"{name} is gone"

    def _model(self, messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if not returned:
            calls = [ToolCallPart("delete_branch", {"name": name}, tool_call_id=f"call-{name}") for name in "ab"]
            return ModelResponse(parts=calls)
        self.told = [str(part.content) for part in returned]
        return ModelResponse(parts=[TextPart("done")])


async def run(here: Desk, **options: Any) -> Branches:
    branches = Branches(request_input(here.pi, **options))
    assert (await branches.agent.run("clean up")).output == "done"
    return branches


@proves("kit-approve")
async def test_approved_calls_run_and_the_run_goes_on() -> None:
    async with desk(approve) as here:
        branches = await run(here)
    assert branches.deleted == ["a", "b"]
    assert branches.told == ["a is gone", "b is gone"]
    assert [request.tool_call_id for request in here.requests] == ["call-a", "call-b"]
    assert [preview(request) for request in here.requests] == ['{\n  "name": "a"\n}', '{\n  "name": "b"\n}']


async def test_each_call_is_decided_by_itself() -> None:
    async with desk(deny, approve) as here:
        branches = await run(here)
    assert branches.deleted == ["b"]
    assert "not on a Friday" in branches.told[0]
    assert branches.told[1] == "b is gone"


@proves("kit-refuse")
@pytest.mark.parametrize("name", NOT_APPROVED)
async def test_whatever_else_a_person_does_denies_the_call_with_words(name: str) -> None:
    script, words = NOT_APPROVED[name]
    async with desk(script) as here:
        branches = await run(here)
    assert branches.deleted == []
    assert len(branches.told) == 2
    assert all(words in told for told in branches.told)


@proves("kit-failure")
async def test_a_failure_of_the_surface_fails_the_run() -> None:
    async with desk(fails) as here:
        with pytest.raises(ExternalUIError, match="on fire"):
            await run(here)


async def test_without_a_surface_the_run_fails() -> None:
    branches: list[Branches] = []
    async with PiAsk() as pi:
        branches.append(Branches(request_input(pi)))
        with pytest.raises(UnansweredError):
            await branches[0].agent.run("clean up")
    assert branches[0].deleted == []


async def test_after_a_time_out_the_form_is_gone_and_the_call_denied() -> None:
    person = Endless()
    async with desk(person) as here:
        branches = await run(here, timeout=timedelta(seconds=0.2))
        assert here.pi.pending() == ()
    assert branches.deleted == []
    assert len(person.closed) == 1
    assert "No decision on this tool call arrived" in branches.told[0]


@proves("kit-cancel")
async def test_cancelling_the_run_closes_the_form() -> None:
    person = Endless()
    async with desk(person) as here:
        running = asyncio.create_task(run(here))
        await person.shown.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert here.pi.pending() == ()
    assert len(person.closed) == 1


async def test_a_run_that_ended_in_requests_goes_on_with_the_answers() -> None:
    branches = Branches(output=[str, DeferredToolRequests])
    first = await branches.agent.run("clean up")
    assert isinstance(first.output, DeferredToolRequests)
    async with desk(approve, deny) as here:
        results = await answer_requests(here.pi, first.output)
    second = await branches.agent.run(message_history=first.all_messages(), deferred_tool_results=results)
    assert second.output == "done"
    assert branches.deleted == ["a"]
    assert "not on a Friday" in branches.told[1]


async def test_calls_that_wait_for_something_else_are_left_alone() -> None:
    branches = Branches(output=[str, DeferredToolRequests])

    @branches.agent.tool_plain(name="ask_the_oracle")
    def ask_the_oracle() -> str:
        raise CallDeferred

    requests = DeferredToolRequests(
        calls=[ToolCallPart("ask_the_oracle", {}, tool_call_id="o")],
        approvals=[ToolCallPart("delete_branch", {"name": "a"}, tool_call_id="d")],
    )
    async with desk(approve) as here:
        results = await answer_requests(here.pi, requests)
    assert list(results.approvals) == ["d"]
    assert results.calls == {}
