"""The tray as a whole: it follows the flows of a process, shows them as cards, and answers through public ways only."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
from pi_ask_qt.notify import Notifier
from pi_ask_qt.provider import QtAskProvider
from pi_ask_qt.tray.icon import MenuEntry, TrayIcon
from pi_ask_qt.tray.panel import Panel
from pi_ask_qt.views import sentences
from pi_ask_qt.views.cards import Board, build_panel

_log = logging.getLogger("pi_ask_qt")

_REFRESH_MS = 1_000
_LOOK_FOR_TRAY_MS = 5_000


@dataclass(frozen=True, slots=True)
class CardAction:
    """A quick answer on a card: what its button says, and the response that it sends, exactly."""

    label: str
    response: Mapping[str, Any]


CardActions = Callable[[StartedEvent], Sequence[CardAction]]
"""Returns the quick answers for a form, none for most. Nothing is guessed from labels."""


class Tray(QObject):
    """Follows ``pi`` from now on, with the forms that are open already; :meth:`close` lets go of it.

    ``hidden``: where the desktop has no tray, the panel does not stand in for it before a form comes.
    """

    quit_requested = Signal()

    def __init__(
        self, pi: PiAsk, provider: QtAskProvider, card_actions: CardActions | None = None, *, hidden: bool = False
    ) -> None:
        super().__init__()
        self._hidden = hidden
        self._pi = pi
        self._provider = provider
        self._card_actions = card_actions or (lambda _: ())
        self._actions: dict[str, Sequence[CardAction]] = {}
        self._board = Board()
        self._notice = ""
        self._quitting = False
        self._numbers = itertools.count(1)
        self._elsewhere: dict[str, AbortController] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.panel = Panel()
        self.icon = TrayIcon(self._entries, self)
        self._notifier = Notifier(lambda: pi.config, self.icon.show_message, self)
        self._clock = _timer(self, _REFRESH_MS, self._draw)
        self._looking = _timer(self, _LOOK_FOR_TRAY_MS, self._look_for_tray)
        self._connect()
        for event in pi.pending():
            self._on_started(event)
        self._look_for_tray()
        self._looking.start()
        self._draw()

    @property
    def board(self) -> Board:
        """The forms that wait."""
        return self._board

    def close(self) -> None:
        """Let go of the flows, and take icon and panel away."""
        for stop in self._stops:
            stop()
        for controller in self._elsewhere.values():
            controller.abort("the tray was closed")
        for timer in (self._clock, self._looking):
            timer.stop()
        self.icon.hide()
        self.panel.hide()
        self.panel.deleteLater()
        self.deleteLater()

    def show_panel(self) -> None:
        """Show the panel, or bring it forward."""
        self._draw()
        self.panel.show()
        self.panel.activateWindow()

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
        if self._provider.is_dirty(flow_id) and flow_id not in self._board.warned:
            self._board = self._board.warn(flow_id)
            self._draw()
        else:
            self._submit(flow_id, {"kind": "cancel"})

    def set_quiet(self, *, on: bool) -> None:
        """Do not disturb: forms wait as cards, with no window and no sound."""
        self._provider.set_quiet(on=on)
        self._draw()

    def quit(self) -> None:
        """Ask to end the program; with forms waiting it wants a second time, since they would end as failed."""
        if self._board.waiting and not self._quitting:
            self._quitting = True
            self._notice = sentences.QUIT_AGAIN
            self.show_panel()
        else:
            self.quit_requested.emit()

    # --- following the flows ------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        events = self._pi.events
        self._stops = [
            events.on(STARTED, self._on_started),
            events.on(COMPLETED, lambda event: self._on_ended(event.flow_id)),
            events.on(DISPOSED, lambda event: self._on_ended(event.flow_id)),
            events.on(SUBMIT_RESULT, self._on_submit_result),
        ]
        self.icon.opened.connect(self.show_panel)
        self.panel.open_requested.connect(self.open_form)
        self.panel.cancel_requested.connect(self.cancel_form)
        self.panel.action_requested.connect(self._on_action)
        self.panel.quiet_changed.connect(lambda on: self.set_quiet(on=on))

    def _on_started(self, event: StartedEvent) -> None:
        self._board = self._board.started(event)
        self._hidden = False
        self._actions[event.flow_id] = tuple(self._card_actions(event))
        if not self._provider.quiet:
            self._notifier.announce(event)
        self._draw()

    def _on_ended(self, flow_id: str) -> None:
        self._board = self._board.ended(flow_id)
        self._actions.pop(flow_id, None)
        self._notifier.withdraw(flow_id)
        controller = self._elsewhere.pop(flow_id, None)
        if controller is not None:
            controller.abort("answered elsewhere")
        self._quitting = False
        self._notice = ""
        self._draw()

    def _on_submit_result(self, event: SubmitResultEvent) -> None:
        if not event.ok and event.request_id.startswith(_PREFIX):
            self._notice = event.message or ""
            self._draw()

    def _on_action(self, flow_id: str, index: int) -> None:
        actions = self._actions.get(flow_id, ())
        if index < len(actions):
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

    # --- drawing ------------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        labels = {flow_id: [action.label for action in actions] for flow_id, actions in self._actions.items()}
        view = build_panel(self._board, now_ms(), quiet=self._provider.quiet, actions=labels, notice=self._notice)
        self.panel.draw(view)
        if self.icon.is_there:
            self.icon.show_count(len(self._board.waiting), view.heading)
        # Nothing has to be drawn again while nothing waits or nobody looks.
        if self._board.waiting and self.panel.isVisible():
            self._clock.start()
        else:
            self._clock.stop()

    def _look_for_tray(self) -> None:
        """A tray may appear later, go away and come back; without one the panel stands in for it, and says so once."""
        if self.icon.is_there:
            self.icon.show_count(len(self._board.waiting), "")
            return
        if not self._said_no_tray and not self._hidden:
            self._said_no_tray = True
            self._notice = sentences.NO_TRAY
            self.show_panel()

    _said_no_tray = False

    def _entries(self) -> list[MenuEntry]:
        return [
            (sentences.SHOW_PANEL, None, self.show_panel),
            (sentences.QUIET, self._provider.quiet, lambda: self.set_quiet(on=not self._provider.quiet)),
            (sentences.SETTINGS_TITLE, None, self._provider.show_settings),
            (sentences.QUIT, None, self.quit),
        ]


_PREFIX = "card-"


def _timer(parent: QObject, interval: int, slot: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setInterval(interval)
    timer.timeout.connect(slot)
    return timer
