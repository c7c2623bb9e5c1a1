"""OpenAI Agents SDK: approval of interrupted tool calls by the person.

Needs the package ``openai-agents`` (``pip install 'pi-ask[openai-agents]'``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pi_ask.integrations.approval import ToolCall, ask_approval
from pi_ask.integrations.asking import Ask, need_kit

if TYPE_CHECKING:
    from agents import Agent, RunResult, RunState
    from agents.items import ToolApprovalItem


async def run(agent: Agent[Any], given: Any, ask: Ask, **options: Any) -> RunResult:
    """Run ``agent`` with ``given`` to its end, and ask about every tool call that needs approval on the way.

    ``options`` are those of ``Runner.run``. A call that was denied, cancelled, or is to be explained first, is rejected
    with words that say which.

    Raises:
        UnansweredError: there is no surface, or the program withdrew a form.
        ExternalUIError: the surface failed.
    """
    need_kit("agents", "openai-agents")
    from agents import Runner

    result = await Runner.run(agent, given, **options)
    # The state carries the context of the run; another one would take its approvals away.
    options.pop("context", None)
    while result.interruptions:
        state = result.to_state()
        await decide(state, result.interruptions, ask)
        result = await Runner.run(agent, state, **options)
    return result


async def decide(state: RunState[Any], interruptions: Iterable[ToolApprovalItem], ask: Ask) -> None:
    """Ask about each of ``interruptions``, one after the other, and approve or reject it in ``state``.

    For a run of your own, streamed or not: go on with ``Runner.run(agent, state)``.

    Raises:
        UnansweredError: there is no surface, or the program withdrew a form.
        ExternalUIError: the surface failed.
    """
    for item in interruptions:
        approval = await ask_approval(ask, _call(item))
        if approval.approved:
            state.approve(item)
        else:
            state.reject(item, rejection_message=approval.message)


def _call(item: ToolApprovalItem) -> ToolCall:
    request = f"The agent {item.agent.name} wants to call this tool."
    return ToolCall(name=item.qualified_name or "", arguments=item.arguments, id=item.call_id, request=request)
