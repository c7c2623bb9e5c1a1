"""What tests of calls share: a surface that a test plays, and a record of what the bus said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from helpers import until

from pi_ask.models import (
    COMPLETED,
    DISPOSED,
    EXTERNAL_UI,
    STARTED,
    SUBMIT,
    SUBMIT_RESULT,
    CompletedEvent,
    DisposedEvent,
    StartedEvent,
    SubmitResultEvent,
)
from pi_ask.runtime.external_ui import ExternalAskConnection, ExternalAskProvider, ExternalAskRequest
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk

CHANNELS = (EXTERNAL_UI, STARTED, COMPLETED, DISPOSED, SUBMIT_RESULT)

ANSWER = {"kind": "answer", "answers": {"q": {"values": ["a"]}}}
OTHER = {"kind": "answer", "answers": {"q": {"values": ["b"]}}}
CANCEL = {"kind": "cancel"}


class Record:
    """Everything that a bus said, in order."""

    def __init__(self, pi: PiAsk) -> None:
        self.events: list[tuple[str, Any]] = []
        for channel in CHANNELS:
            pi.events.on(channel, partial(self._say, channel))

    def _say(self, channel: str, payload: Any) -> None:
        self.events.append((channel, payload))

    def of(self, channel: str) -> list[Any]:
        return [payload for said, payload in self.events if said == channel]

    @property
    def channels(self) -> list[str]:
        return [channel for channel, _ in self.events]

    @property
    def started(self) -> list[StartedEvent]:
        return self.of(STARTED)

    @property
    def completed(self) -> list[CompletedEvent]:
        return self.of(COMPLETED)

    @property
    def disposed(self) -> list[DisposedEvent]:
        return self.of(DISPOSED)

    @property
    def submit_results(self) -> list[SubmitResultEvent]:
        return self.of(SUBMIT_RESULT)


class Surface:
    """A user interface whose person is the test: it holds each form until the test responds or it is withdrawn."""

    def __init__(self, pi: PiAsk) -> None:
        self.requests: list[ExternalAskRequest] = []
        self.closed: list[str] = []
        self._responses: dict[str, asyncio.Future[Any]] = {}
        connect(pi, self.open)

    async def open(self, request: ExternalAskRequest) -> Any:
        self.requests.append(request)
        response = self._responses[request.flow_id] = asyncio.get_running_loop().create_future()
        request.signal.on_abort(lambda: self.closed.append(request.flow_id))
        return await response

    def respond(self, response: Any, index: int = -1) -> None:
        self._responses[self.requests[index].flow_id].set_result(response)

    def fail(self, error: BaseException, index: int = -1) -> None:
        self._responses[self.requests[index].flow_id].set_exception(error)


def connect(pi: PiAsk, open_: Callable[[ExternalAskRequest], Any]) -> None:
    """Offer ``open_`` to every call of ``pi``."""
    provider = ExternalAskProvider(id="test", open=open_)

    def offer(connection: ExternalAskConnection) -> None:
        connection.connect(provider)

    pi.events.on(EXTERNAL_UI, offer)


async def asked(pi: PiAsk, surface: Surface, params: Any, **arguments: Any) -> asyncio.Task[AskUserResult]:
    """Ask in a task; return it once the surface shows the form."""
    before = len(surface.requests)
    task = asyncio.create_task(pi.ask_user(params, **arguments))
    await until(lambda: len(surface.requests) > before or task.done())
    return task


def submit(pi: PiAsk, flow_id: str, response: Any, request_id: str = "r1") -> None:
    """Send ``response`` by the submit channel."""
    pi.events.emit(SUBMIT, {"version": 1, "requestId": request_id, "flowId": flow_id, "response": response})
