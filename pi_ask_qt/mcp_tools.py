"""The tools that the Model Context Protocol's server offers: what they take, what they say, what they return."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations

from pi_ask.integrations.approval import Approval, decision_form, read_approval
from pi_ask.models import AskResult
from pi_ask.runtime.flows import AskUserResult
from pi_ask.schema import Schema, json_schema, tool_parameters
from pi_ask.state.raw import kind_of
from pi_ask.text import has_visible_character, without_surrogates
from pi_ask_qt.ending import Ending

ASK_USER = "ask_user"
CONFIRM_ACTION = "confirm_action"

_ASK_DESCRIPTION = (
    "Ask the person at this desktop in a window, and wait for their answer.\n"
    "Ask when the decision is theirs and guessing wrong would cost them: unclear requirements, reasonable alternatives "
    "that they may see differently, facts that only they know. Collect what you need to ask into one form instead of "
    "asking again and again.\n"
    "One decision a question; say in the prompt what depends on it. Give two to five options that exclude each other "
    "(type multi where several may hold), with a description of what each one means. No option such as Other: the "
    "person can always write their own words. Mark the option that you would take as recommended; nothing is "
    "preselected. Where options are better seen than described (diffs, layouts, commands), use type preview with a "
    "preview text for every option.\n"
    "The result has the chosen values by question id, own words and notes. A cancelled form has no answer: do not "
    "assume one. With mode elaborate the person wants an explanation first: explain, then ask again only what is left."
)
_CONFIRM_DESCRIPTION = (
    "Ask the person at this desktop whether to go ahead with one action, and wait for their decision.\n"
    "Use it before what is hard to undo or visible to others: deleting, overwriting, publishing, paying, sending, "
    "changing what runs in production. Say exactly what will happen, and put the full text of it (the command, the "
    "mail, the diff) into details. Go ahead only where approved is true, and only with exactly that. Anything else, a "
    "cancelled form too, means no; the message says what the person wants instead."
)
_CONFIRM_PARAMETERS: Schema = {
    "type": "object",
    "properties": {
        "action": {
            "type": "string",
            "minLength": 1,
            "description": "What will happen if the person approves, in one or two plain sentences.",
        },
        "details": {
            "type": "string",
            "description": "All of what is about to be run, sent or changed, shown exactly as it is.",
        },
        "title": {"type": "string", "description": "What it is about, in a few words."},
    },
    "required": ["action"],
}
_CONFIRM_INVALID = "Invalid confirm_action arguments; nothing was shown. Change this and ask again:"
_LOOK = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)


def tools() -> list[Tool]:
    """Return what the server offers."""
    return [
        Tool(
            name=ASK_USER,
            title="Ask the person",
            description=_ASK_DESCRIPTION,
            input_schema=tool_parameters(),
            output_schema=_result_schema(),
            annotations=_LOOK,
        ),
        Tool(
            name=CONFIRM_ACTION,
            title="Ask for approval",
            description=_CONFIRM_DESCRIPTION,
            input_schema=_CONFIRM_PARAMETERS,
            output_schema=_confirmation_schema(),
            annotations=_LOOK,
        ),
    ]


def confirm_problems(arguments: Mapping[str, Any]) -> list[str]:
    """Return everything that is wrong with the arguments of ``confirm_action``, each with what to change."""
    problems = [
        f"- {name}: must be text, not {kind_of(arguments[name])}"
        for name in ("action", "details", "title")
        if arguments.get(name) is not None and not isinstance(arguments[name], str)
    ]
    action = arguments.get("action")
    if action is None or (isinstance(action, str) and not has_visible_character(action)):
        problems.append("- action: is required; say what will happen")
    return [_CONFIRM_INVALID, *problems] if problems else []


def confirm_form(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form for the arguments of ``confirm_action``."""
    title, details = arguments.get("title"), arguments.get("details")
    shown = None if details is None or not has_visible_character(details) else without_surrogates(details)
    return decision_form(
        None if title is None else without_surrogates(title),
        without_surrogates(arguments["action"]),
        shown,
        note_travels=True,
    ).to_wire()


def form_result(ending: Ending) -> CallToolResult:
    """Return what ask_user returns."""
    return CallToolResult(
        content=[TextContent(type="text", text=ending.text)],
        structured_content=ending.result,
        is_error=ending.outcome not in {"answered", "cancelled"},
    )


def confirm_result(ending: Ending) -> CallToolResult:
    """Return what confirm_action returns."""
    if ending.outcome not in {"answered", "cancelled"}:
        return failure(ending.text)
    details = AskResult.model_validate(ending.result)
    outcome: Any = ending.outcome
    approval = read_approval(AskUserResult(details, ending.text, outcome))
    message = _approved(approval) if approval.approved else approval.message
    decision = {"approved": approval.approved, "cancelled": approval.cancelled, "message": message}
    return CallToolResult(
        content=[TextContent(type="text", text=message)], structured_content={**decision, "result": ending.result}
    )


def _approved(approval: Approval) -> str:
    message = "The person approved this: go ahead with exactly that."
    return message if approval.note is None else f"{message} They note: {approval.note}"


def failure(text: str) -> CallToolResult:
    """Return an end that is neither an answer nor a cancellation."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def _result_schema() -> Schema:
    return {key: value for key, value in json_schema("result").items() if key != "$schema"}


def _confirmation_schema() -> Schema:
    result = _result_schema()
    models = result.pop("$defs")
    return {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean", "description": "Whether to go ahead, by an explicit choice of the person."},
            "cancelled": {"type": "boolean", "description": "Whether the person left without a decision."},
            "message": {"type": "string", "description": "The decision in words, with what the person wrote."},
            "result": {"$ref": "#/$defs/AskResult"},
        },
        "required": ["approved", "cancelled", "message", "result"],
        "$defs": {**models, "AskResult": result},
    }
