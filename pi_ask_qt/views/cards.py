"""Which forms wait, as cards: pure data that follows the events of flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pi_ask.models import StartedEvent
from pi_ask.text import clipped, isolated, one_line, visible
from pi_ask_qt.views import sentences

_LINE_LIMIT = 300
_NAME_LIMIT = 5_000  # who asks is cut where there is no room for it, and can be opened there


class Board(NamedTuple):
    """The forms that wait, oldest first, and those whose card was asked once to cancel."""

    waiting: tuple[StartedEvent, ...] = ()
    warned: frozenset[str] = frozenset()

    def started(self, event: StartedEvent) -> Board:
        """Return the board with one form more."""
        if any(one.flow_id == event.flow_id for one in self.waiting):
            return self
        ordered = sorted((*self.waiting, event), key=lambda one: one.created_at)
        return self._replace(waiting=tuple(ordered))

    def ended(self, flow_id: str) -> Board:
        """Return the board without a form; a card never outlives its flow."""
        left = tuple(one for one in self.waiting if one.flow_id != flow_id)
        return self._replace(waiting=left, warned=self.warned - {flow_id})

    def warn(self, flow_id: str) -> Board:
        """Return the board on which one card asks to cancel a second time; the others forget."""
        return self._replace(warned=frozenset({flow_id}))

    def get(self, flow_id: str) -> StartedEvent | None:
        """Return a waiting form."""
        return next((one for one in self.waiting if one.flow_id == flow_id), None)


class CardView(NamedTuple):
    """One card. ``actions`` are the labels of the quick answers that the integrator gave for it."""

    flow_id: str
    title: str
    who: str
    prompt: str
    waited: str
    cancel_label: str
    actions: tuple[str, ...] = ()


class PanelView(NamedTuple):
    """The whole panel."""

    heading: str
    cards: tuple[CardView, ...]
    quiet: bool
    notice: str = ""


def build_panel(
    board: Board, now_ms: int, *, quiet: bool, actions: Mapping[str, Sequence[str]] | None = None, notice: str = ""
) -> PanelView:
    """Return what the panel shows at ``now_ms``; ``actions``: labels of quick answers by flow id."""
    given = actions or {}
    return PanelView(
        heading=sentences.waiting_heading(len(board.waiting)),
        cards=tuple(
            _card(event, now_ms, event.flow_id in board.warned, tuple(given.get(event.flow_id, ())))
            for event in board.waiting
        ),
        quiet=quiet,
        notice=notice,
    )


def _card(event: StartedEvent, now_ms: int, warned: bool, actions: tuple[str, ...]) -> CardView:  # noqa: FBT001 - by name would say no more
    who = event.requester
    names = () if who is None else (_line(who.name, _NAME_LIMIT), _line(who.cwd or "", _NAME_LIMIT))
    return CardView(
        flow_id=event.flow_id,
        title=_line(event.title or "") or sentences.UNTITLED,
        who=" · ".join(name for name in names if name),
        prompt=_line(event.questions[0].prompt),
        waited=sentences.waited(now_ms - event.created_at),
        cancel_label=sentences.CARD_CANCEL_AGAIN if warned else sentences.CANCEL,
        actions=tuple(_line(label) for label in actions),
    )


def _line(text: str, limit: int = _LINE_LIMIT) -> str:
    return isolated(one_line(visible(clipped(text, limit))))
