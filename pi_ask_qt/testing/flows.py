"""The forms that come to a desk: what was asked, by whom, and what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field

from pi_ask.config.schema import AskConfig
from pi_ask.errors import ExternalUIError
from pi_ask.models import COMPLETED, DISPOSED, AskResult, CompletedEvent, DisposedEvent, RemoteAskResponse
from pi_ask.runtime.external_ui import ExternalAskRequest
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk
from pi_ask_qt.provider import QtAskProvider
from pi_ask_qt.testing.loops import qt_events
from pi_ask_qt.testing.place import unguarded
from pi_ask_qt.testing.screen import read_screen


@dataclass(slots=True)
class Asked:
    """One form that came. ``call``: the desk's own call that asked it; ``result`` is set by the end of the flow."""

    request: ExternalAskRequest
    call: asyncio.Task[AskUserResult] | None
    result: asyncio.Future[AskResult] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    ending: str = "it has just ended"
    error: Exception | None = None
    given: bool = False

    @property
    def flow_id(self) -> str:
        """The flow that this is the form of."""
        return self.request.flow_id

    @property
    def name(self) -> str:
        """What a person would call it: the title, else the first prompt."""
        return self.request.title or self.request.questions[0].prompt


calling: ContextVar[asyncio.Task[AskUserResult] | None] = ContextVar("pi_ask_desk_calling", default=None)
"""The desk's own call that is being made."""


class DeskProvider(QtAskProvider):
    """Shows forms in windows as ever, on whatever loop and without the input guard, and remembers what came."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[str, Asked] = {}
        self.on_arrival: Callable[[Asked], None] = lambda _: None

    def register(self, pi: PiAsk) -> Callable[[], None]:
        """Show the forms of ``pi``, and follow what becomes of them; return the way out."""
        ways_out = [
            pi.events.on(COMPLETED, self._on_completed),
            pi.events.on(DISPOSED, self._on_disposed),
            super().register(pi),
        ]

        def unregister() -> None:
            while ways_out:
                ways_out.pop()()

        return unregister

    def set_config(self, config: AskConfig, notice: str | None = None) -> None:
        """Use ``config`` from now on, without the input guard."""
        super().set_config(unguarded(config), notice)

    async def open(self, request: ExternalAskRequest) -> RemoteAskResponse:
        """Show the form of ``request`` until it ends."""
        asked = self.asked[request.flow_id] = Asked(request, calling.get())
        asked.result.add_done_callback(_look_at)
        self.on_arrival(asked)
        with qt_events():
            try:
                response = await super().open(request)
            except asyncio.CancelledError:
                asked.ending = "it was withdrawn"
                raise
            except Exception as error:
                asked.error, asked.ending = error, f"the window failed: {error}"
                raise
        asked.ending = "it was cancelled" if response.kind == "cancel" else f"it was answered ({response.mode})"
        return response

    def shown(self) -> str:
        """Return what is in front, in words."""
        for id_, asked in self.asked.items():
            flow = self.flow(id_)
            if flow is not None and flow.is_seen:
                return f"in front is:\n{read_screen(flow.window, asked.request.questions)}"
        return "there is no form on the screen"

    def _on_completed(self, event: CompletedEvent) -> None:
        asked = self.asked.get(event.flow_id)
        if asked is not None:
            asked.result.set_result(event.result)

    def _on_disposed(self, event: DisposedEvent) -> None:
        asked = self.asked.get(event.flow_id)
        if asked is not None:
            failure = ExternalUIError(f"the form failed: {event.reason}")
            failure.__cause__ = asked.error
            asked.result.set_exception(failure)


def _look_at(result: asyncio.Future[AskResult]) -> None:
    """Look at a failure, so that asyncio does not complain of one that no test waits for."""
    if not result.cancelled():
        result.exception()
