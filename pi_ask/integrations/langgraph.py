"""LangGraph: questions and approvals for a graph that is interrupted for a person.

Needs the package ``langgraph`` (``pip install 'pi-ask[langgraph]'``). It also answers the interrupts of LangChain's
``HumanInTheLoopMiddleware``, batched and one a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pi_ask.errors import PiAskError
from pi_ask.integrations.approval import ToolCall, ask_approval
from pi_ask.integrations.asking import Ask, Form, ask_person, need_kit
from pi_ask.models import AskParams, AskResult

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.pregel import Pregel
    from langgraph.types import Interrupt

INTERRUPTS = "__interrupt__"

_DECISIONS = ("approve", "reject")


class UnknownInterruptError(PiAskError):
    """A graph was interrupted by something that no form can be made of; the message says what would do."""


def ask_user(form: Form) -> AskResult:
    """Within a node: interrupt the graph until the person has answered ``form``; return the result.

    The node runs again from its start when the graph goes on. A cancellation and a request to elaborate are results.
    """
    need_kit("langgraph", "langgraph")
    from langgraph.types import interrupt

    value = form.to_wire() if isinstance(form, AskParams) else dict(form)
    return AskResult.model_validate(interrupt(value))


async def run(graph: Pregel[Any, Any, Any, Any], given: Any, config: RunnableConfig, ask: Ask) -> Any:
    """Run ``graph`` to its end, and ask about every interrupt on the way; return its output.

    Raises:
        UnknownInterruptError: an interrupt is neither a form nor a request for approval.
        UnansweredError: there is no surface, or the program withdrew a form.
        ExternalUIError: the surface failed.
    """
    need_kit("langgraph", "langgraph")
    from langgraph.types import Command

    output = await graph.ainvoke(given, config)
    while interrupts := pending(output):
        output = await graph.ainvoke(Command(resume=await answers(interrupts, ask)), config)
    return output


async def answers(interrupts: Iterable[Interrupt[Any]], ask: Ask) -> dict[str, Any]:
    """Ask about each of ``interrupts``, one after the other; return what ``Command(resume=…)`` takes.

    Raises:
        UnknownInterruptError: one of them is neither a form nor a request for approval; then nobody is asked.
        UnansweredError: there is no surface, or the program withdrew a form.
        ExternalUIError: the surface failed.
    """
    waiting = tuple(interrupts)
    for interrupt in waiting:
        _check(interrupt.value)
    return {interrupt.id: await _answer(interrupt.value, ask, interrupt.id) for interrupt in waiting}


def pending(output: Any) -> tuple[Interrupt[Any], ...]:
    """Return the interrupts in what a graph returned."""
    found = output.get(INTERRUPTS, ()) if isinstance(output, Mapping) else getattr(output, "interrupts", ())
    return tuple(found)


def _check(value: Any) -> None:
    """Raise unless a form can be made of ``value``."""
    if not isinstance(value, Mapping) or not (_is_form(value) or _is_request(value) or _is_batch(value)):
        raise UnknownInterruptError(
            "an interrupt must be a form, which has questions, or a request for approval of LangChain's "
            f"HumanInTheLoopMiddleware, not {type(value).__name__}"
        )
    if _is_batch(value):
        _check_policies(value)


def _check_policies(batch: Mapping[str, Any]) -> None:
    for policy in batch.get("review_configs", ()):
        missing = [decision for decision in _DECISIONS if decision not in policy["allowed_decisions"]]
        if missing:
            raise UnknownInterruptError(
                f"the tool {policy['action_name']} does not allow {' and '.join(missing)}; "
                "a person must be able to do both, so allow approve and reject"
            )


async def _answer(value: Mapping[str, Any], ask: Ask, id_: str) -> Any:
    if _is_form(value):
        return (await ask_person(ask, value, call_id=id_)).details.to_wire()
    if _is_request(value):
        return await _decide(value, ask, value.get("tool_call_id"))
    return {"decisions": [await _decide(action, ask, id_) for action in value["action_requests"]]}


async def _decide(action: Mapping[str, Any], ask: Ask, id_: str | None) -> dict[str, str]:
    details = tuple(filter(None, [_own_description(action)]))
    approval = await ask_approval(ask, ToolCall(action["name"], action["args"], id_, details=details))
    return {"type": "approve"} if approval.approved else {"type": "reject", "message": approval.message}


def _own_description(action: Mapping[str, Any]) -> str | None:
    """Return what the graph says about a call, unless it only repeats the call itself as the middleware does."""
    description = action.get("description")
    repeated = f"Tool: {action['name']}\nArgs: {action['args']}"
    return None if description is None or str(description).endswith(repeated) else str(description)


def _is_form(value: Mapping[str, Any]) -> bool:
    return "questions" in value


def _is_request(value: Mapping[str, Any]) -> bool:
    return value.get("type") == "tool_approval"


def _is_batch(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("action_requests"), Sequence)
