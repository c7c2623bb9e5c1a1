"""LangGraph's real graphs, whose interrupts a person answers."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from helpers import form, question
from persons import NOT_APPROVED, Desk, Endless, approve, cancel, deny, desk, fails, preview
from requirements import proves

from pi_ask import AskConfig, AskParams, AskResult, ExternalUIError, PiAsk, UnansweredError
from pi_ask.testing import ScriptedForm, ScriptedPerson

pytest.importorskip("langgraph", reason="the extra langgraph is not installed")

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from pi_ask.integrations.langgraph import UnknownInterruptError, ask_user, run


class State(TypedDict, total=False):
    """What the graph knows."""

    form: Any
    seen: Any


CONFIG: Any = {"configurable": {"thread_id": "1"}}


def graph(*nodes: Any) -> Any:
    """Return a graph whose nodes run side by side."""
    builder = StateGraph(State)
    for number, node in enumerate(nodes):
        builder.add_node(str(number), node)
        builder.add_edge(START, str(number))
        builder.add_edge(str(number), END)
    return builder.compile(checkpointer=InMemorySaver())


def asking(state: State) -> State:
    return {"seen": ask_user(state["form"]).to_wire()}


async def seen(script: Any, asked: Any) -> AskResult:
    async with desk(script) as here:
        output = await run(graph(asking), {"form": asked}, CONFIG, here.pi)
    return AskResult.model_validate(output["seen"])


def choose(form: ScriptedForm) -> None:
    form.choose("q", "b").note("q", "why not").submit()


@pytest.mark.parametrize("kind", ["mapping", "model"])
async def test_a_node_asks_and_gets_the_same_result_as_from_the_core(kind: str) -> None:
    asked = form() if kind == "mapping" else AskParams.model_validate(form())
    async with desk(choose) as here:
        direct = await here.pi.ask_user(form())
    assert await seen(choose, asked) == direct.details


async def test_questions_are_presented_as_the_person_prefers() -> None:
    def both(form: ScriptedForm) -> None:
        form.choose("q", "a", "b").submit()

    async with PiAsk(config=AskConfig.model_validate({"behaviour": {"presentSingleAsMulti": True}})) as pi:
        ScriptedPerson(both).register(pi)
        output = await run(graph(asking), {"form": form()}, CONFIG, pi)
    assert output["seen"]["answers"]["q"]["values"] == ["a", "b"]


async def test_a_cancel_and_a_request_to_elaborate_are_results() -> None:
    assert (await seen(cancel, form())).cancelled
    elaborated = await seen(lambda form: form.note("q", "why?").elaborate(), form())
    assert elaborated.mode == "elaborate"
    assert elaborated.continuation is not None
    assert elaborated.continuation.affected_question_ids == ("q",)


async def test_a_form_with_issues_is_a_result_that_names_them() -> None:
    result = await seen(choose, {"questions": []})
    assert result.error is not None
    assert result.error.issues[0].path == "questions"


async def test_interrupts_side_by_side_are_each_answered_by_their_own_form() -> None:
    def node(name: str) -> Any:
        def ask(_: State) -> State:
            result = ask_user(form(question(name)))
            assert list(result.answers) == [name]
            return {}

        return ask

    def answer(form: ScriptedForm) -> None:
        form.choose(form.request.questions[0].id, "a").submit()

    async with desk(answer) as here:
        await run(graph(node("x"), node("y")), {"form": 1}, CONFIG, here.pi)
    assert sorted(request.questions[0].id for request in here.requests) == ["x", "y"]


async def test_a_node_that_asks_twice_runs_again_with_the_first_answer() -> None:
    def twice(_: State) -> State:
        first = ask_user(form(question("x")))
        second = ask_user(form(question("y")))
        return {"seen": [*first.answers, *second.answers]}

    async with desk(lambda form: form.choose(form.request.questions[0].id, "a").submit()) as here:
        output = await run(graph(twice), {"form": 1}, CONFIG, here.pi)
    assert output["seen"] == ["x", "y"]
    assert len(here.requests) == 2


@pytest.mark.parametrize("value", ["how old are you?", {"age": 7}, ["a"], None])
async def test_an_interrupt_of_another_kind_is_an_error_and_nobody_is_asked(value: Any) -> None:
    def other(_: State) -> State:
        return {"seen": interrupt(value)}

    async with desk(choose) as here:
        with pytest.raises(UnknownInterruptError, match="must be a form"):
            await run(graph(asking, other), {"form": form()}, CONFIG, here.pi)
    assert here.requests == []


@proves("kit-failure")
async def test_a_failure_of_the_surface_and_no_surface_are_failures() -> None:
    with pytest.raises(ExternalUIError, match="on fire"):
        await seen(fails, form())
    async with PiAsk() as pi:
        with pytest.raises(UnansweredError):
            await run(graph(asking), {"form": form()}, CONFIG, pi)


@proves("kit-cancel")
async def test_cancelling_the_run_closes_the_form() -> None:
    person = Endless()
    async with desk(person) as here:
        running = asyncio.create_task(run(graph(asking), {"form": form()}, CONFIG, here.pi))
        await person.shown.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert here.pi.pending() == ()
    assert len(person.closed) == 1


# --- LangChain's middleware -------------------------------------------------------------------------------------------

pytest.importorskip("langchain", reason="langchain is not installed")

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage


class Model(GenericFakeChatModel):
    """A model that says what it was given to say."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:  # noqa: ARG002 - as the kit calls it
        """Take any tools."""
        return self


class Branches:
    """An agent that wants to delete two branches, and what became of them."""

    def __init__(self, mode: Any, *, policy: Any = True) -> None:
        self.deleted: list[str] = []
        calls = [{"name": "delete_branch", "args": {"name": name}, "id": f"call-{name}"} for name in "ab"]
        self.agent = create_agent(
            Model(messages=iter([AIMessage(content="", tool_calls=calls), AIMessage(content="done")])),
            tools=[self.delete_branch],
            middleware=[HumanInTheLoopMiddleware({"delete_branch": policy}, interrupt_mode=mode)],
            checkpointer=InMemorySaver(),
        )

    def delete_branch(self, name: str) -> str:
        """Delete a branch."""
        self.deleted.append(name)
        return f"{name} is gone"

    async def run(self, here: Desk) -> list[str]:
        """Run the agent; return what the model was told about its calls."""
        given = {"messages": [{"role": "user", "content": "clean up"}]}
        output = await run(self.agent, given, CONFIG, here.pi)
        assert output["messages"][-1].content == "done"
        return [str(message.content) for message in output["messages"] if isinstance(message, ToolMessage)]


MODES = ("batched", "per_call")


@proves("kit-approve")
@pytest.mark.parametrize("mode", MODES)
async def test_approved_calls_run(mode: str) -> None:
    branches = Branches(mode)
    async with desk(approve) as here:
        told = await branches.run(here)
    assert sorted(branches.deleted) == ["a", "b"]
    assert sorted(told) == ["a is gone", "b is gone"]
    assert {preview(request) for request in here.requests} == {'{\n  "name": "a"\n}', '{\n  "name": "b"\n}'}
    assert {request.questions[0].prompt for request in here.requests} == {"The agent wants to call this tool."}


@pytest.mark.parametrize("mode", MODES)
async def test_each_call_is_decided_by_itself(mode: str) -> None:
    branches = Branches(mode)

    def only_b(form: ScriptedForm) -> None:
        (approve if '"b"' in preview(form.request) else deny)(form)

    async with desk(only_b) as here:
        told = await branches.run(here)
    assert branches.deleted == ["b"]
    assert any("not on a Friday" in one for one in told)


@proves("kit-refuse")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NOT_APPROVED)
async def test_whatever_else_a_person_does_rejects_the_call_with_words(name: str, mode: str) -> None:
    script, words = NOT_APPROVED[name]
    branches = Branches(mode)
    async with desk(script) as here:
        told = await branches.run(here)
    assert branches.deleted == []
    assert len(told) == 2
    assert all(words in one for one in told)


@pytest.mark.parametrize("mode", MODES)
async def test_what_the_graph_says_about_a_call_is_shown(mode: str) -> None:
    branches = Branches(
        mode, policy={"allowed_decisions": ["approve", "reject"], "description": "It is merged already."}
    )
    async with desk(approve) as here:
        await branches.run(here)
    assert here.requests[0].questions[0].prompt.splitlines()[-1] == "It is merged already."


async def test_a_policy_that_leaves_no_choice_is_an_error_and_nobody_is_asked() -> None:
    branches = Branches("batched", policy={"allowed_decisions": ["edit", "approve"]})
    async with desk(approve) as here:
        with pytest.raises(UnknownInterruptError, match="does not allow reject"):
            await branches.run(here)
    assert here.requests == []
    assert branches.deleted == []
