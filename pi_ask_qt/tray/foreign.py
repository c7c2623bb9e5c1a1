"""Forms on the surfaces of others: shown in a window of ours on request, and answered through the submit channel."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import Any

from PySide6.QtCore import QObject

from pi_ask import (
    SUBMIT,
    SUBMIT_RESULT,
    AbortController,
    ExternalAskRequest,
    PiAsk,
    RemoteAskResponse,
    StartedEvent,
    SubmitResultEvent,
)
from pi_ask_qt.provider import QtAskProvider

_log = logging.getLogger("pi_ask_qt")

_PREFIX = "card-"


class Submitter:
    """Sends responses through the submit channel."""

    def __init__(self, pi: PiAsk) -> None:
        self._events = pi.events
        self._numbers = itertools.count(1)
        self._refusals: dict[str, str] = {}
        self._waits_for = ""
        self.close = self._events.on(SUBMIT_RESULT, self._on_result)

    def submit(self, flow_id: str, response: Any) -> str:
        """Submit ``response`` for a flow; return why it was refused, ``""`` where it was not."""
        self._waits_for = request_id = f"{_PREFIX}{next(self._numbers)}"
        request = {"version": 1, "requestId": request_id, "flowId": flow_id, "response": response}
        self._events.emit(SUBMIT, request)
        self._waits_for = ""
        return self._refusals.pop(request_id, "")

    def _on_result(self, event: SubmitResultEvent) -> None:
        if event.request_id == self._waits_for and not event.ok:
            self._refusals[event.request_id] = event.message or str(event.error)


class ForeignForms(QObject):
    """Shows forms of other surfaces, each in one window."""

    def __init__(self, provider: QtAskProvider, submitter: Submitter, parent: QObject) -> None:
        super().__init__(parent)
        self._provider = provider
        self._submitter = submitter
        self._shown: dict[str, AbortController] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sent = ""

    def show(self, event: StartedEvent) -> None:
        """Show a form, unless it is shown already."""
        if event.flow_id in self._shown:
            return
        self._shown[event.flow_id] = AbortController()
        task = asyncio.get_running_loop().create_task(self._answer(event), name=f"card of {event.flow_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def take_away(self, flow_id: str) -> bool:
        """Close the window of a form that has ended; return whether that takes the form from a person who sees it."""
        controller = self._shown.pop(flow_id, None)
        if controller is None:
            return False
        controller.abort("the form ended elsewhere")
        return self._sent != flow_id

    def close(self) -> None:
        """Close every window."""
        for flow_id in tuple(self._shown):
            self.take_away(flow_id)

    async def _answer(self, event: StartedEvent) -> None:
        controller = self._shown[event.flow_id]
        request = ExternalAskRequest(
            flow_id=event.flow_id,
            tool_call_id=event.tool_call_id,
            title=event.title,
            requester=event.requester,
            questions=event.questions,
            signal=controller.signal,
        )
        try:
            await self._provider.open_in_front(request, lambda response: self._deliver(event.flow_id, response))
        except asyncio.CancelledError:
            if not controller.signal.aborted:
                raise
        except Exception:
            _log.exception("a form could not be shown from its card")
        finally:
            self._shown.pop(event.flow_id, None)

    def _deliver(self, flow_id: str, response: RemoteAskResponse) -> str:
        self._sent = flow_id
        try:
            refusal = self._submitter.submit(flow_id, response)
            # The way out is always open.
            return "" if response.kind == "cancel" else refusal
        finally:
            self._sent = ""
