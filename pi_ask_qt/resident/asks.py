"""A client's forms: what it asked, how it is put to the core, and what is said to the client in the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from pi_ask.errors import ExternalUIError
from pi_ask.models import STARTED, Requester, StartedEvent
from pi_ask.runtime.abort import AbortController
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk
from pi_ask.text import has_surrogate
from pi_ask.wire import WireError
from pi_ask_qt.activation import activation_token
from pi_ask_qt.resident.limits import Limits

_log = logging.getLogger("pi_ask_qt.resident")

Reply = tuple[str, dict[str, Any]]
"""A message's type and its fields."""


@dataclass(slots=True, eq=False)
class Ask:
    """One form of a client, from its message to its reply."""

    id: str
    form: Any
    size: int
    call: dict[str, Any]
    activation_token: str | None = None
    controller: AbortController = field(default_factory=AbortController)
    withdrawn_by: Literal["client", "resident"] | None = None
    flow_id: str | None = None
    on_started: Callable[[str], None] | None = None
    task: asyncio.Task[None] | None = None

    def withdraw(self, by: Literal["client", "resident"], reason: str) -> None:
        """End the form without an answer; only the first call counts."""
        if self.withdrawn_by is None:
            self.withdrawn_by = by
            self.controller.abort(reason)


_current: ContextVar[Ask | None] = ContextVar("current_ask", default=None)


class AskService:
    """The core as its clients share it, and the count of what they hold together."""

    def __init__(self, pi: PiAsk, limits: Limits | None = None) -> None:
        self.pi = pi
        self.limits = limits if limits is not None else Limits()
        self.forms = 0
        self.held_bytes = 0
        self._gate = asyncio.Lock()
        self._stop = pi.events.on(STARTED, _on_started)

    def close(self) -> None:
        """Listen to the core no longer."""
        self._stop()

    async def run(self, ask: Ask) -> Reply:
        """Put ``ask`` to the person; return what to tell the client."""
        # To open a window takes a while. One form in each turn of the loop, so that others are heard in between.
        async with self._gate:
            await asyncio.sleep(0)
        _current.set(ask)
        activation_token.set(ask.activation_token)
        try:
            return _ended(ask, await self.pi.ask_user(ask.form, signal=ask.controller.signal, **ask.call))
        except ExternalUIError as error:
            return failed("surface_failed", str(error))
        except Exception as error:
            _log.exception("a client's form failed")
            return failed("internal", f"{type(error).__name__}: {error}")


def read_ask(id_: str, message: Mapping[str, Any], size: int) -> Ask:
    """Return the form that ``message`` asks for.

    Raises:
        WireError: ``invalid_message``; what is wrong with the form itself is for the core to say.
    """
    if "form" not in message:
        raise WireError("invalid_message", 'an "ask" needs a "form": an object, or its JSON text')
    call = {
        "tool_call_id": _text(message, "toolCallId"),
        "requester": _requester(message.get("requester")),
        "cwd": _folder(message),
        "present_single_as_multi": _flag(message, "presentSingleAsMulti"),
    }
    return Ask(id_, message["form"], size, call, _text(message, "activationToken"))


def failed(error: str, text: str) -> Reply:
    """Return the reply for a form that ended with neither an answer nor a cancellation."""
    return "failed", {"error": error, "message": text}


def _ended(ask: Ask, ended: AskUserResult) -> Reply:
    if ended.outcome == "aborted" and ask.withdrawn_by != "client":
        return failed("closing", "the resident closed before the form was answered")
    return "result", {"outcome": ended.outcome, "result": ended.details.to_wire(), "text": ended.text}


def _on_started(event: StartedEvent) -> None:
    # The event comes within the task that asks; a form that somebody opens from there later comes second.
    ask = _current.get()
    if ask is not None and ask.flow_id is None:
        ask.flow_id = event.flow_id
        if ask.on_started is not None:
            ask.on_started(event.flow_id)


def _text(message: Mapping[str, Any], name: str) -> str | None:
    value = message.get(name)
    if value is not None and not (isinstance(value, str) and not has_surrogate(value)):
        raise WireError("invalid_message", f'"{name}" must be text')
    return value


def _flag(message: Mapping[str, Any], name: str) -> bool | None:
    value = message.get(name)
    if value is not None and not isinstance(value, bool):
        raise WireError("invalid_message", f'"{name}" must be true or false')
    return value


def _folder(message: Mapping[str, Any]) -> str | None:
    value = message.get("cwd")
    if value is not None and not (isinstance(value, str) and "\0" not in value and Path(value).is_absolute()):
        raise WireError("invalid_message", '"cwd" must be the absolute path of a folder')
    return value


def _requester(value: Any) -> Requester | None:
    try:
        return None if value is None else Requester.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(["requester", *map(str, first["loc"])])
        raise WireError("invalid_message", f'"{where}": {first["msg"]}') from None
