"""Claude Agent SDK: a ``can_use_tool`` that asks the person, and answers the agent's own question tool.

Needs the package ``claude-agent-sdk`` (``pip install 'pi-ask[claude]'``), which calls it in streaming mode only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pi_ask.integrations.approval import ToolCall, ask_approval
from pi_ask.integrations.asking import Ask, ask_person, need_kit
from pi_ask.models import AskAnswer, AskResult

if TYPE_CHECKING:
    from claude_agent_sdk import CanUseTool, PermissionResult, ToolPermissionContext

QUESTION_TOOL = "AskUserQuestion"

_NO_PREVIEW = "(This option comes without a preview.)"


def can_use_tool(ask: Ask) -> CanUseTool:
    """Return a callback for ``ClaudeAgentOptions(can_use_tool=…)``.

    Every tool call that the SDK asks about becomes a form: Approve or Deny, beside the call's arguments. The agent's
    question tool becomes a form of its questions, and the answers go back the way that the tool takes them. Cancelling
    a form denies the call and interrupts the agent; a request to elaborate denies it with the person's words. Where
    nobody could be asked, the callback raises, which the SDK reports to the agent as an error of the permission.
    """
    need_kit("claude_agent_sdk", "claude")

    async def callback(name: str, arguments: dict[str, Any], context: ToolPermissionContext) -> PermissionResult:
        if name == QUESTION_TOOL:
            return await _answer_questions(ask, arguments, context)
        return await _approve(ask, name, arguments, context)

    return callback


async def _approve(ask: Ask, name: str, arguments: dict[str, Any], context: ToolPermissionContext) -> PermissionResult:
    from claude_agent_sdk import PermissionResultAllow

    details = (context.description, context.decision_reason, _blocked(context.blocked_path))
    call = ToolCall(
        name=context.display_name or name,
        arguments=arguments,
        id=context.tool_use_id,
        request=context.title or f"Claude wants to use the tool {name}.",
        details=tuple(filter(None, details)),
    )
    approval = await ask_approval(ask, call)
    if approval.approved:
        return PermissionResultAllow(updated_input=arguments)
    return _denial(approval.message, interrupt=approval.cancelled)


async def _answer_questions(ask: Ask, arguments: dict[str, Any], context: ToolPermissionContext) -> PermissionResult:
    from claude_agent_sdk import PermissionResultAllow

    result = await ask_person(ask, question_form(arguments), call_id=context.tool_use_id)
    if result.outcome != "answered" or result.details.mode == "elaborate":
        return _denial(result.text, interrupt=result.outcome == "cancelled")
    answers = read_answers(arguments, result.details)
    if not answers:
        return _denial(f"The person answered none of the questions. Do not assume an answer.\n{result.text}")
    updated = {**arguments, "answers": answers}
    notes = read_notes(arguments, result.details)
    return PermissionResultAllow(updated_input={**updated, "annotations": notes} if notes else updated)


def question_form(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form for the arguments of the question tool; what is wrong with them is for the core to say.

    A question's id is its text, by which the tool wants its answers.
    """
    return {"questions": _mapped(arguments.get("questions"), _question)}


def read_answers(arguments: Mapping[str, Any], result: AskResult) -> dict[str, str]:
    """Return the answers as the tool takes them: for each question's text the labels, and own words last."""
    return {
        question["question"]: ", ".join([*_labels(question, answer), *_own_words(answer)])
        for question, answer in _answered(arguments, result)
        if answer.values
    }


def read_notes(arguments: Mapping[str, Any], result: AskResult) -> dict[str, dict[str, str]]:
    """Return the notes on questions and chosen options as the tool takes them."""
    notes = {
        question["question"]: "\n".join(filter(None, [answer.note, *(answer.option_notes or {}).values()]))
        for question, answer in _answered(arguments, result)
    }
    return {question: {"notes": note} for question, note in notes.items() if note}


def _answered(arguments: Mapping[str, Any], result: AskResult) -> list[tuple[Mapping[str, Any], AskAnswer]]:
    pairs = zip(arguments["questions"], result.questions, strict=True)
    return [(question, result.answers[asked.id]) for question, asked in pairs if asked.id in result.answers]


def _labels(question: Mapping[str, Any], answer: AskAnswer) -> list[str]:
    return [question["options"][index - 1]["label"] for index in answer.indices]


def _own_words(answer: AskAnswer) -> list[str]:
    return [] if answer.custom_text is None else [answer.custom_text]


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    options = question.get("options")
    previews = isinstance(options, list) and any(_preview_of(option) for option in options)
    many = question.get("multiSelect") is True
    return {
        "id": question.get("question"),
        "prompt": question.get("question"),
        "label": question.get("header"),
        "type": "multi" if many else "preview" if previews else "single",
        "options": _mapped(options, lambda option: _option(option, placeholder=previews and not many)),
    }


def _option(option: Mapping[str, Any], *, placeholder: bool) -> dict[str, Any]:
    preview = _preview_of(option) or (_NO_PREVIEW if placeholder else None)
    fields = {
        "value": option.get("label"),
        "label": option.get("label"),
        "description": option.get("description"),
        "preview": preview,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _preview_of(option: Any) -> Any:
    preview = option.get("preview") if isinstance(option, Mapping) else None
    return None if isinstance(preview, str) and not preview.strip() else preview


def _mapped(items: Any, change: Any) -> Any:
    """Return ``items`` with each mapping in them changed; anything of another type as it is."""
    if not isinstance(items, (list, tuple)):
        return items
    return [change(item) if isinstance(item, Mapping) else item for item in items]


def _denial(message: str, *, interrupt: bool = False) -> PermissionResult:
    from claude_agent_sdk import PermissionResultDeny

    return PermissionResultDeny(message=message, interrupt=interrupt)


def _blocked(path: str | None) -> str | None:
    return None if path is None else f"It reaches outside the allowed folders: {path}"
