"""Pydantic AI: approval of deferred tool calls by the person, within a run or between two runs.

Needs the package ``pydantic-ai-slim`` (``pip install 'pi-ask[pydantic-ai]'``).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pi_ask.integrations.approval import Approval, ToolCall, ask_approval
from pi_ask.integrations.asking import Ask, need_kit

if TYPE_CHECKING:
    from pydantic_ai import DeferredToolRequests, DeferredToolResults, RunContext, ToolApproved, ToolDenied
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ToolCallPart


def request_input(ask: Ask, *, timeout: timedelta | None = None) -> AbstractCapability[Any]:
    """Return a capability for ``Agent(capabilities=[…])`` that asks about every call that requires approval.

    The run goes on with the approved calls; a call that was denied, cancelled, or is to be explained first, is denied
    with words that say which. After ``timeout`` the form closes, and the kit denies the call because no decision came.
    Where nobody could be asked, the run fails. Calls that wait for something other than approval are left alone.
    """
    need_kit("pydantic_ai", "pydantic-ai")
    from pydantic_ai import capabilities

    async def decide(_: RunContext[Any], requests: DeferredToolRequests, __: str) -> DeferredToolResults:
        return await answer_requests(ask, requests)

    capability: Any = capabilities.HandleDeferredToolCalls
    # Before 2.78 this one's handlers got no token, and could not be timed.
    if not issubclass(capabilities.RequestInput, capability):
        capability = capabilities.RequestInput
    handler: AbstractCapability[Any] = capability(decide, timeout=timeout)
    return handler


async def answer_requests(ask: Ask, requests: DeferredToolRequests) -> DeferredToolResults:
    """Ask about each call in ``requests`` that requires approval, one after the other.

    For a run that ended in ``requests``: pass what this returns to the next run as ``deferred_tool_results``.

    Raises:
        UnansweredError: there is no surface, or the program withdrew a form.
        ExternalUIError: the surface failed.
    """
    approvals = {part.tool_call_id: _answer(await ask_approval(ask, _call(part))) for part in requests.approvals}
    return requests.build_results(approvals=approvals)


def _call(part: ToolCallPart) -> ToolCall:
    return ToolCall(name=part.tool_name, arguments=part.args, id=part.tool_call_id)


def _answer(approval: Approval) -> ToolApproved | ToolDenied:
    from pydantic_ai import ToolApproved, ToolDenied

    return ToolApproved() if approval.approved else ToolDenied(approval.message)
