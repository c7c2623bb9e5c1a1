"""Cards for every form of a process, in a panel: opened, cancelled and answered through public ways only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from pi_ask import COMPLETED, DISPOSED, STARTED, CompletedEvent, DisposedEvent, PiAsk, StartedEvent
from pi_ask.runtime.flows import now_ms
from pi_ask_qt.card_actions import CardAction
from pi_ask_qt.provider import QtAskProvider
from pi_ask_qt.tray.foreign import ForeignForms, Submitter
from pi_ask_qt.tray.panel import Panel
from pi_ask_qt.views import sentences
from pi_ask_qt.views.cards import Board, PanelView, Word, build_panel, titled

_LONGEST_MS = 3_600_000


class Cards(QObject):
    """Follows ``pi`` from now on, with the forms that are open already; :meth:`close` lets go of it.

    ``started`` and ``ended`` carry the event and the id of a flow; ``drawn`` tells what the panel shows now;
    ``confirmed`` tells that the person pressed the button beside what the panel says.
    """

    started = Signal(object)
    ended = Signal(str)
    drawn = Signal(object)
    confirmed = Signal()

    def __init__(self, pi: PiAsk, provider: QtAskProvider, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pi = pi
        self._provider = provider
        self._actions: dict[str, tuple[CardAction, ...]] = {}
        self._board = Board()
        self._word = Word()
        self._guard = provider.new_guard()
        self._submitter = Submitter(pi)
        self._foreign = ForeignForms(provider, self._submitter, self)
        self.panel = Panel()
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
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
        self._submitter.close()
        self._foreign.close()
        self._clock.stop()
        self.panel.hide()
        self.panel.deleteLater()
        self.deleteLater()

    def show_panel(self, word: Word | None = None, *, active: bool = True) -> None:
        """Show the panel, or bring it forward; it says ``word`` until something happens to a form.

        Not ``active``: the keyboard stays where it is.
        """
        if word is not None:
            self._word = word
        self._draw()
        self.panel.come_forward(active=active)
        self._draw()

    def say(self, word: Word) -> None:
        """Have the panel say ``word``, whether or not it is shown."""
        self._word = word
        self._draw()

    def draw(self) -> PanelView:
        """Show what is there now, and return it."""
        return self._draw()

    def open_form(self, flow_id: str) -> None:
        """Show a form: its own window where it has one here, else one that answers through the submit channel."""
        event = self._board.get(flow_id)
        if event is not None and not self._provider.bring_forward(flow_id):
            self._foreign.show(event)

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

    # --- following the flows ------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        events, panel = self._pi.events, self.panel
        self._stops = [
            events.on(STARTED, self._on_started),
            events.on(COMPLETED, self._on_completed),
            events.on(DISPOSED, self._on_disposed),
        ]
        panel.open_requested.connect(self.open_form)
        panel.cancel_requested.connect(self._on_cancel)
        panel.action_requested.connect(self._on_action)
        panel.quiet_changed.connect(lambda on: self.set_quiet(on=on))
        panel.came_forward.connect(self._on_came_forward)
        panel.confirmed.connect(self.confirmed)

    def _add(self, event: StartedEvent) -> None:
        self._board = self._board.started(event)
        self._actions[event.flow_id] = self._provider.actions_of(event)

    def _on_started(self, event: StartedEvent) -> None:
        self._add(event)
        self.started.emit(event)
        self._draw()

    def _on_completed(self, event: CompletedEvent) -> None:
        answered = not event.result.cancelled
        self._end(event.flow_id, sentences.answered_elsewhere if answered else sentences.ended_elsewhere)

    def _on_disposed(self, event: DisposedEvent) -> None:
        self._end(event.flow_id, sentences.ended_elsewhere)

    def _end(self, flow_id: str, said: Callable[[str], str]) -> None:
        event = self._board.get(flow_id)
        self._board = self._board.ended(flow_id)
        self._actions.pop(flow_id, None)
        self._word = Word()
        if self._foreign.take_away(flow_id) and event is not None:
            # The window goes from under the person's hands.
            self.show_panel(Word(said(titled(event))), active=False)
        # The cards below move up, perhaps under a pointer that is about to click.
        self._raise_guard()
        self.ended.emit(flow_id)
        self._draw()

    def _on_came_forward(self) -> None:
        self._raise_guard()
        self._draw()

    def _raise_guard(self) -> None:
        self._guard = self._provider.new_guard()

    def _is_guarded(self) -> bool:
        now = self._provider.now
        held = self._guard.holds(now)
        self._guard = self._guard.pressed(now)
        return held

    def _on_cancel(self, flow_id: str) -> None:
        if not self._is_guarded():
            self.cancel_form(flow_id)

    def _on_action(self, flow_id: str, index: int) -> None:
        actions = self._actions.get(flow_id, ())
        if index < len(actions) and not self._is_guarded():
            self._submit(flow_id, actions[index].response)

    def _submit(self, flow_id: str, response: Any) -> None:
        refusal = self._submitter.submit(flow_id, response)  # which may have ended the flow by now
        self._board = self._board.refuse(flow_id, refusal)
        self._draw()

    def _draw(self) -> PanelView:
        labels = {flow_id: [action.label for action in actions] for flow_id, actions in self._actions.items()}
        now = now_ms()
        view = build_panel(self._board, now, quiet=self._provider.quiet, actions=labels, word=self._word)
        self.panel.draw(view)
        self._wait_for_change(now)
        self.drawn.emit(view)
        return view

    def _wait_for_change(self, now: int) -> None:
        """Draw again when a card says another time, unless nobody looks."""
        delay = self._board.next_change(now)
        if delay is None or not self.panel.isVisible() or self.panel.isMinimized():
            self._clock.stop()
        else:
            self._clock.start(min(delay, _LONGEST_MS))
