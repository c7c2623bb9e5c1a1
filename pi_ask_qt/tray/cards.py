"""Cards for every form of a process, in a panel: opened, cancelled and answered through public ways only."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from pi_ask import (
    COMPLETED,
    DISPOSED,
    STARTED,
    SUBMIT,
    SUBMIT_RESULT,
    AbortController,
    ExternalAskRequest,
    PiAsk,
    StartedEvent,
    SubmitResultEvent,
)
from pi_ask.runtime.flows import now_ms
from pi_ask_qt.card_actions import CardAction
from pi_ask_qt.provider import QtAskProvider
from pi_ask_qt.tray.panel import Panel
from pi_ask_qt.views.cards import Board, PanelView, build_panel

_log = logging.getLogger("pi_ask_qt")

_PREFIX = "card-"
_REFRESH_MS = 1_000


class Cards(QObject):
    """Follows ``pi`` from now on, with the forms that are open already; :meth:`close` lets go of it.

    ``started`` and ``ended`` carry the event and the id of a flow; ``drawn`` tells what the panel shows now.
    """

    started = Signal(object)
    ended = Signal(str)
    drawn = Signal(object)

    def __init__(self, pi: PiAsk, provider: QtAskProvider, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pi = pi
        self._provider = provider
        self._actions: dict[str, tuple[CardAction, ...]] = {}
        self._board = Board()
        self._notice = ""
        self._numbers = itertools.count(1)
        self._elsewhere: dict[str, AbortController] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.panel = Panel()
        self._guard = provider.new_guard()
        self._clock = QTimer(self)
        self._clock.setInterval(_REFRESH_MS)
        self._clock.timeout.connect(self._draw)
        self._connect()
        for event in pi.pending():
            self._add(event)

    @property
    def board(self) -> Board:
        """The forms that wait."""
        return self._board

    def close(self) -> None:
        """Let go of the flows, and take the panel away."""
        for stop in self._stops:
            stop()
        for controller in self._elsewhere.values():
            controller.abort("the cards were closed")
        self._clock.stop()
        self.panel.hide()
        self.panel.deleteLater()
        self.deleteLater()

    def show_panel(self, notice: str | None = None) -> None:
        """Show the panel, or bring it forward; it says ``notice`` until something happens to a form."""
        if notice is not None:
            self._notice = notice
        self._draw()
        self.panel.show()
        self.panel.activateWindow()

    def draw(self) -> PanelView:
        """Show what is there now, and return it."""
        return self._draw()

    def open_form(self, flow_id: str) -> None:
        """Show a form: its own window where it has one here, else one that answers through the submit channel."""
        event = self._board.get(flow_id)
        if event is None or self._provider.bring_forward(flow_id) or flow_id in self._elsewhere:
            return
        task = asyncio.get_running_loop().create_task(self._answer_elsewhere(event), name=f"card of {flow_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel_form(self, flow_id: str) -> None:
        """Cancel a form, explicitly; one with something in it wants a second press."""
        if not self._provider.let_through(self._guard):
            return
        if self._provider.is_dirty(flow_id) and flow_id not in self._board.warned:
            self._board = self._board.warn(flow_id)
            self._draw()
        else:
            self._submit(flow_id, {"kind": "cancel"})

    def set_quiet(self, *, on: bool) -> None:
        """Do not disturb: forms wait as cards, with no window and no sound."""
        self._provider.set_quiet(on=on)
        self._draw()

    # --- following the flows ------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        events = self._pi.events
        self._stops = [
            events.on(STARTED, self._on_started),
            events.on(COMPLETED, lambda event: self._on_ended(event.flow_id)),
            events.on(DISPOSED, lambda event: self._on_ended(event.flow_id)),
            events.on(SUBMIT_RESULT, self._on_submit_result),
        ]
        self.panel.came_forward.connect(self._raise_guard)
        self.panel.open_requested.connect(self.open_form)
        self.panel.cancel_requested.connect(self.cancel_form)
        self.panel.action_requested.connect(self._on_action)
        self.panel.quiet_changed.connect(lambda on: self.set_quiet(on=on))

    def _raise_guard(self) -> None:
        self._guard = self._provider.new_guard()

    def _add(self, event: StartedEvent) -> None:
        self._board = self._board.started(event)
        self._actions[event.flow_id] = self._provider.actions_of(event)

    def _on_started(self, event: StartedEvent) -> None:
        self._add(event)
        self.started.emit(event)
        self._draw()

    def _on_ended(self, flow_id: str) -> None:
        self._board = self._board.ended(flow_id)
        self._actions.pop(flow_id, None)
        controller = self._elsewhere.pop(flow_id, None)
        if controller is not None:
            controller.abort("answered elsewhere")
        self._notice = ""
        self._raise_guard()  # the cards below have moved up, perhaps under the pointer
        self.ended.emit(flow_id)
        self._draw()

    def _on_submit_result(self, event: SubmitResultEvent) -> None:
        if not event.ok and event.request_id.startswith(_PREFIX):
            self._notice = event.message or ""
            self._draw()

    def _on_action(self, flow_id: str, index: int) -> None:
        actions = self._actions.get(flow_id, ())
        if index < len(actions) and self._provider.let_through(self._guard):
            self._submit(flow_id, actions[index].response)

    async def _answer_elsewhere(self, event: StartedEvent) -> None:
        """Show a form whose surface is not ours, and send what the person says by the submit channel."""
        controller = self._elsewhere[event.flow_id] = AbortController()
        request = ExternalAskRequest(
            flow_id=event.flow_id,
            tool_call_id=event.tool_call_id,
            title=event.title,
            requester=event.requester,
            questions=event.questions,
            signal=controller.signal,
        )
        try:
            response = await self._provider.open_in_front(request)
        except asyncio.CancelledError:
            if not controller.signal.aborted:
                raise
        except Exception:
            _log.exception("a form could not be shown from its card")
        else:
            self._submit(event.flow_id, response)
        finally:
            self._elsewhere.pop(event.flow_id, None)

    def _submit(self, flow_id: str, response: Any) -> None:
        request = {"version": 1, "requestId": f"{_PREFIX}{next(self._numbers)}", "flowId": flow_id}
        self._pi.events.emit(SUBMIT, {**request, "response": response})

    def _draw(self) -> PanelView:
        labels = {flow_id: [action.label for action in actions] for flow_id, actions in self._actions.items()}
        view = build_panel(self._board, now_ms(), quiet=self._provider.quiet, actions=labels, notice=self._notice)
        self.panel.draw(view)
        # Nothing has to be drawn again while nothing waits or nobody looks.
        if self._board.waiting and self.panel.isVisible():
            self._clock.start()
        else:
            self._clock.stop()
        self.drawn.emit(view)
        return view
