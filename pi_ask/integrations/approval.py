"""Asking whether a tool call may run: the form, and what its result means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pi_ask.errors import UnansweredError
from pi_ask.integrations.asking import Ask, ask_person
from pi_ask.models import AskAnswer, AskOptionParams, AskParams, AskQuestionParams
from pi_ask.runtime.flows import AskUserResult
from pi_ask.state.summary import CANCELLED, answer_text
from pi_ask.text import clipped, escaped, has_visible_character, one_line, quoted, without_surrogates

QUESTION_ID = "approval"
APPROVE = "approve"
DENY = "deny"

MAX_ARGUMENTS = 200_000
MAX_SENTENCE = 2_000
MAX_NAME = 100

_REQUEST = "The agent wants to call this tool."
_NOT_APPROVED = "This was not approved; do not go ahead with it."
# A line of indented JSON that ends in a text, with what stands before it.
_TEXT = r'"(?:[^"\\]++|\\.)*+"'
_TEXT_LINE = re.compile(rf"( *)({_TEXT}: )?({_TEXT})(,?)")
_PIECES = re.compile(r"[^\n]*\n|[^\n]+")

_APPROVE_MEANS = "It goes ahead exactly as shown."
_NOTE_IS_LOST = "A note beside this choice does not reach the agent."
_DENY_MEANS = "It does not go ahead. A note is passed on to the agent."


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that waits for approval. All of it comes from an agent and is untrusted.

    ``arguments`` is a JSON value or JSON text. ``request`` is the sentence to show, where the kit has one, and
    ``details`` are further sentences below it.
    """

    name: str
    arguments: Any = None
    id: str | None = None
    request: str | None = None
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Approval:
    """What the person decided. Only an explicit choice of Approve, and nothing else beside it, is ``approved``.

    ``message`` is for the agent where the call was not approved; ``note`` is what the person wrote beside an approval.
    """

    approved: bool
    cancelled: bool = False
    message: str = ""
    note: str | None = None


async def ask_approval(ask: Ask, call: ToolCall) -> Approval:
    """Ask whether ``call`` may run.

    Raises:
        UnansweredError: there is no surface, or the program withdrew the form.
        ExternalUIError: the surface failed.
    """
    return read_approval(await ask_person(ask, approval_form(call), call_id=call.id, one_choice=True))


def approval_form(call: ToolCall) -> AskParams:
    """Return the form that asks for approval of ``call``: one question, nothing preselected."""
    preview, left_out = _preview(call.arguments)
    request = call.request or ""
    sentences = [request if has_visible_character(request) else _REQUEST, *filter(has_visible_character, call.details)]
    if left_out:
        sentences.append(f"Only the first {MAX_ARGUMENTS:,} characters of the arguments are shown, {left_out:,} not.")
    prompt = "\n".join(map(_sentence, sentences))
    return decision_form(f"Allow {_name(call.name)}?", prompt, preview)


def decision_form(title: str | None, prompt: str, preview: str | None, *, note_travels: bool = False) -> AskParams:
    """Return a form of one question to be answered with Approve or Deny, beside ``preview`` where there is one.

    Where a note on an approval does not reach the agent (``note_travels``), the form says so.
    """
    means = _APPROVE_MEANS if note_travels else f"{_APPROVE_MEANS} {_NOTE_IS_LOST}"
    options = (
        AskOptionParams(value=APPROVE, label="Approve", description=means, preview=preview),
        AskOptionParams(value=DENY, label="Deny", description=_DENY_MEANS, preview=preview),
    )
    question = AskQuestionParams(
        id=QUESTION_ID,
        label="Decision",
        prompt=prompt,
        type="single" if preview is None else "preview",
        required=True,
        options=options,
    )
    return AskParams(title=title, questions=(question,))


def read_approval(result: AskUserResult) -> Approval:
    """Return what the result of a decision's form means.

    Raises:
        UnansweredError: nobody was asked.
    """
    if result.outcome == "invalid":
        raise UnansweredError(result.text)
    if result.outcome == "cancelled":
        return Approval(approved=False, cancelled=True, message=f"{CANCELLED} {_NOT_APPROVED}")
    if result.details.mode == "elaborate":
        return Approval(approved=False, message=f"{_NOT_APPROVED}\n{result.text}")
    answer = result.details.answers.get(QUESTION_ID, AskAnswer())
    words = " ".join(map(quoted, _words(answer)))
    # Own words that read "approve" have no index.
    if answer.values == (APPROVE,) and len(answer.indices) == 1:
        return Approval(approved=True, note="\n".join(_words(answer)) or None)
    return Approval(approved=False, message=_refusal(answer, words))


def _refusal(answer: AskAnswer, words: str) -> str:
    if answer.values == (DENY,) and len(answer.indices) == 1:
        says = f" The person says: {words}" if words else ""
        return f"The person denied this; do not go ahead with it.{says}"
    if answer.indices:
        return f"{_NOT_APPROVED} The person's answer was no plain approval: {answer_text(answer)}"
    if words:
        return f"{_NOT_APPROVED} The person neither approved nor denied it, and says: {words}"
    return f"{_NOT_APPROVED} The person neither approved nor denied it."


def _words(answer: AskAnswer) -> Iterator[str]:
    yield from filter(None, (answer.custom_text, answer.note, *(answer.option_notes or {}).values()))


def _preview(arguments: Any) -> tuple[str | None, int]:
    """Return the arguments as text, and how many characters of it were left out."""
    if arguments is None or arguments in ("", {}, []):
        return None, 0
    text = escaped(_pretty(arguments))
    if not has_visible_character(text):
        return None, 0
    return clipped(text, MAX_ARGUMENTS), max(0, len(text) - MAX_ARGUMENTS)


def _pretty(arguments: Any) -> str:
    try:
        value = json.loads(arguments) if isinstance(arguments, (str, bytes)) else arguments
        made = json.dumps(value, ensure_ascii=False, indent=2, default=repr)
    except (TypeError, ValueError, RecursionError):
        return arguments if isinstance(arguments, str) else repr(arguments)
    # Most of what is longer than this is not shown anyway, and would take its time.
    return made if len(made) > 10 * MAX_ARGUMENTS else "\n".join(map(_in_full_view, made.split("\n")))


def _in_full_view(line: str) -> str:
    """Return a line of JSON whose text has line breaks as one line for each, so that none of it is out of sight."""
    match = _TEXT_LINE.fullmatch(line) if "\\n" in line else None
    if match is None:
        return line
    indent, key, text, comma = match.groups()
    pieces = _PIECES.findall(json.loads(text))
    if len(pieces) == 1:
        return line
    above = [f"{indent}{key.rstrip()}"] if key else []
    inner = f"{indent}  " if key else indent
    return "\n".join([*above, *(f"{inner}{json.dumps(piece, ensure_ascii=False)}" for piece in pieces)]) + comma


def _name(name: str) -> str:
    text = clipped(one_line(without_surrogates(name)), MAX_NAME)
    return text if has_visible_character(text) else "a tool without a name"


def _sentence(text: str) -> str:
    return clipped(without_surrogates(text).strip(), MAX_SENTENCE)
