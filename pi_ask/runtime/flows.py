"""Flows: one run of a form each, ended in one place, exactly once."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pi_ask.errors import ExternalUIError
from pi_ask.models import (
    COMPLETED,
    DISPOSED,
    STARTED,
    AskResult,
    CompletedEvent,
    DisposedEvent,
    DisposeReason,
    FlowSource,
    Requester,
    StartedEvent,
)
from pi_ask.runtime.abort import AbortController, AbortSignal
from pi_ask.runtime.bus import EventBus
from pi_ask.runtime.external_ui import ExternalAskRequest
from pi_ask.state.answers import check_response
from pi_ask.state.normalize import Form
from pi_ask.state.result import build_result, cancelled_result
from pi_ask.state.summary import ABORTED, summarize

Outcome = Literal["answered", "cancelled", "aborted", "invalid", "not_shown"]
"""How a call ended: an answer, the person's cancel, withdrawn by the program, a bad form, or no surface for it."""


@dataclass(frozen=True, slots=True)
class AskUserResult:
    """What ``ask_user`` returns: ``details`` for a program, ``text`` for a model, ``outcome`` in a word."""

    details: AskResult
    text: str
    outcome: Outcome

    @property
    def content(self) -> tuple[dict[str, str], ...]:
        """The outcome in words, as a tool returns it to a model."""
        return ({"type": "text", "text": self.text},)


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks: the tool call, where it came from and, where it is known, in whose name."""

    tool_call_id: str | None = None
    source: FlowSource = "tool"
    requester: Requester | None = None


class Flow:
    """One run of a form. Whatever ends it comes through ``_end``; the first to come wins."""

    def __init__(self, form: Form, call: Call, registry: Flows) -> None:
        self.id = uuid.uuid4().hex
        self.form = form
        self.call = call
        self._registry = registry
        self._controller = AbortController()
        self._outcome: asyncio.Future[AskUserResult] = asyncio.get_running_loop().create_future()
        self._stop_watching: Callable[[], None] | None = None
        self._announced = False
        self.ended = False
        self.started = StartedEvent.made(
            flow_id=self.id,
            tool_call_id=call.tool_call_id,
            source=call.source,
            title=form.title,
            requester=call.requester,
            questions=form.questions,
            created_at=now_ms(),
        )

    def request(self) -> ExternalAskRequest:
        """Return what the provider is asked."""
        return ExternalAskRequest.made(
            flow_id=self.id,
            tool_call_id=self.call.tool_call_id,
            title=self.form.title,
            requester=self.call.requester,
            questions=self.form.questions,
            signal=self._controller.signal,
        )

    def watch(self, signal: AbortSignal) -> None:
        """End the flow as aborted when ``signal`` fires, on whatever thread."""
        loop, thread = asyncio.get_running_loop(), threading.get_ident()

        def on_abort() -> None:
            if threading.get_ident() == thread:
                self.abort(signal.reason)
            else:
                loop.call_soon_threadsafe(self.abort, signal.reason)

        self._stop_watching = signal.on_abort(on_abort)
        if self.ended:
            self._stop_watching()

    def announce(self) -> None:
        """Tell the listeners that the flow has started; it may have ended by the time this returns."""
        self._announced = True
        self._registry.bus.emit(STARTED, self.started)

    async def outcome(self) -> AskUserResult:
        """Wait for the end; return the result, or raise the failure of the surface."""
        return await self._outcome

    def respond(self, response: Any) -> None:
        """End the flow with a response.

        Raises:
            InvalidResponseError: the response does not fit the form; the flow is still open.
        """
        checked = check_response(self.form.questions, response)
        result = build_result(self.form.questions, checked, title=self.form.title)
        outcome: Outcome = "cancelled" if checked.cancelled else "answered"
        self._complete(AskUserResult(result, summarize(result), outcome), outcome)

    def respond_finally(self, response: Any, provider_id: str) -> None:
        """End the flow with what the provider returned; an invalid response is a failure."""
        if self.ended or self.notice_abandoned():
            return
        try:
            self.respond(response)
        except Exception as error:
            problem = f"the user interface {provider_id!r} returned an invalid response: {error}"
            self.fail(ExternalUIError(problem), "invalid_response")

    def notice_abandoned(self) -> bool:
        """End the flow if the task that awaits it was cancelled but has not run since; return whether it was."""
        if self._outcome.cancelled():
            self.abandon()
        return self._outcome.cancelled()

    def abandon(self) -> None:
        """End the flow because nobody awaits it any more."""
        self.abort("cancelled by the caller")

    def abort(self, reason: object = None) -> None:
        """End the flow as withdrawn by the program that asked."""
        result = cancelled_result(self.form.questions, title=self.form.title)
        self._complete(AskUserResult(result, ABORTED, "aborted"), reason if reason is not None else "aborted")

    def fail(self, error: ExternalUIError, reason: DisposeReason = "surface_failed") -> None:
        """End the flow with a failure of the surface: neither an answer nor a cancellation."""
        if not self.notice_abandoned() and self._end("failed"):
            self._emit(DISPOSED, DisposedEvent(flow_id=self.id, reason=reason))
            if not self._outcome.done():
                self._outcome.set_exception(error)

    def _complete(self, result: AskUserResult, reason: object) -> None:
        if not self._end(reason):
            return
        event = CompletedEvent(
            flow_id=self.id,
            tool_call_id=self.call.tool_call_id,
            source=self.call.source,
            result=result.details,
            completed_at=now_ms(),
        )
        self._emit(COMPLETED, event)
        if not self._outcome.done():
            self._outcome.set_result(result)

    def _emit(self, channel: str, event: CompletedEvent | DisposedEvent) -> None:
        if self._announced:
            self._registry.bus.emit(channel, event)

    def _end(self, reason: object) -> bool:
        if self.ended:
            return False
        self.ended = True
        self._registry.forget(self)
        if self._stop_watching is not None:
            self._stop_watching()
        self._controller.abort(reason)
        return True


class Flows:
    """The flows that are open, by id, in order of arrival."""

    def __init__(self, bus: EventBus) -> None:
        self.bus = bus
        self._open: dict[str, Flow] = {}

    def start(self, form: Form, call: Call, signal: AbortSignal) -> Flow:
        """Register a flow and announce it. It may have ended by the time this returns."""
        flow = Flow(form, call, self)
        self._open[flow.id] = flow
        flow.watch(signal)
        if not flow.ended:
            flow.announce()
        return flow

    def get(self, flow_id: str) -> Flow | None:
        """Return the open flow with this id."""
        flow = self._open.get(flow_id)
        return None if flow is None or flow.notice_abandoned() else flow

    def pending(self) -> tuple[StartedEvent, ...]:
        """Return the started events of the open flows."""
        return tuple(flow.started for flow in self._open.values())

    def forget(self, flow: Flow) -> None:
        """Drop an ended flow."""
        self._open.pop(flow.id, None)


def now_ms() -> int:
    """Return the time, in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000
