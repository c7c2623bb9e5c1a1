"""Which forms wait, as cards: pure data that follows the events of flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pi_ask.models import StartedEvent
from pi_ask.text import clipped, isolated, one_line, visible
from pi_ask_qt.views import sentences

_LINE_LIMIT = 300
_NAME_LIMIT = 5_000  # who asks is cut where there is no room for it, and can be opened there
_LABEL_LIMIT = 40
_SECOND_MS, _MINUTE_MS, _HOUR_MS = 1_000, 60_000, 3_600_000


class Board(NamedTuple):
    """The forms that wait, oldest first, and what their cards have to say beside what the forms do.

    ``warned``: those whose card was asked once to cancel. ``refused``: why the answer that a card sent was not taken.
    """

    waiting: tuple[StartedEvent, ...] = ()
    warned: frozenset[str] = frozenset()
    refused: Mapping[str, str] = MappingProxyType({})

    def started(self, event: StartedEvent) -> Board:
        """Return the board with one form more."""
        if any(one.flow_id == event.flow_id for one in self.waiting):
            return self
        ordered = sorted((*self.waiting, event), key=lambda one: one.created_at)
        return self._replace(waiting=tuple(ordered))

    def ended(self, flow_id: str) -> Board:
        """Return the board without a form; a card never outlives its flow."""
        left = tuple(one for one in self.waiting if one.flow_id != flow_id)
        return self._replace(waiting=left, warned=self.warned - {flow_id}, refused=self._refused_without(flow_id))

    def warn(self, flow_id: str) -> Board:
        """Return the board on which one card asks to cancel a second time; the others forget."""
        return self._replace(warned=frozenset({flow_id}), refused=self._refused_without(flow_id))

    def refuse(self, flow_id: str, reason: str) -> Board:
        """Return the board on which a waiting form's card says why its answer was not taken; ``""``: it was."""
        said = {**self._refused_without(flow_id)}
        if reason and self.get(flow_id) is not None:
            said[flow_id] = reason
        return self._replace(refused=MappingProxyType(said))

    def get(self, flow_id: str) -> StartedEvent | None:
        """Return a waiting form."""
        return next((one for one in self.waiting if one.flow_id == flow_id), None)

    def next_change(self, now_ms: int) -> int | None:
        """Return in how many milliseconds a card says another time, ``None`` where none will."""
        return min((_next_step(now_ms - event.created_at) for event in self.waiting), default=None)

    def _refused_without(self, flow_id: str) -> Mapping[str, str]:
        return MappingProxyType({one: reason for one, reason in self.refused.items() if one != flow_id})


class CardView(NamedTuple):
    """One card. ``actions`` are the labels of the quick answers that the integrator gave for it."""

    flow_id: str
    title: str
    who: str
    prompt: str
    waited: str
    cancel_label: str
    actions: tuple[str, ...] = ()
    notice: str = ""


class PanelView(NamedTuple):
    """The whole panel. ``confirm`` is what a button beside the notice says, ``""`` where there is none."""

    window_title: str
    heading: str
    cards: tuple[CardView, ...]
    quiet: bool
    notice: str = ""
    confirm: str = ""


class Word(NamedTuple):
    """What the panel says above its cards, and what a button beside it does on a press, where there is one."""

    text: str = ""
    confirm: str = ""


def build_panel(
    board: Board,
    now_ms: int,
    *,
    quiet: bool,
    actions: Mapping[str, Sequence[str]] | None = None,
    word: Word | None = None,
) -> PanelView:
    """Return what the panel shows at ``now_ms``; ``actions``: labels of quick answers by flow id."""
    given, said = actions or {}, word or Word()
    heading = sentences.waiting_heading(len(board.waiting))
    return PanelView(
        window_title=sentences.window_title(heading if board.waiting else None),
        heading=heading,
        cards=tuple(_card(board, event, now_ms, given.get(event.flow_id, ())) for event in board.waiting),
        quiet=quiet,
        notice=said.text,
        confirm=said.confirm,
    )


def titled(event: StartedEvent) -> str:
    """Return the title of a form as its card shows it."""
    return _line(event.title or "") or sentences.UNTITLED


def _card(board: Board, event: StartedEvent, now_ms: int, actions: Sequence[str]) -> CardView:
    who = event.requester
    names = () if who is None else (_line(who.name, _NAME_LIMIT), _line(who.cwd or "", _NAME_LIMIT))
    warned = event.flow_id in board.warned
    return CardView(
        flow_id=event.flow_id,
        title=titled(event),
        who=" · ".join(name for name in names if name),
        prompt=_line(event.questions[0].prompt),
        waited=sentences.waited(now_ms - event.created_at),
        cancel_label=sentences.CARD_CANCEL_AGAIN if warned else sentences.CANCEL,
        actions=tuple(_label(label) for label in actions),
        notice=_line(board.refused.get(event.flow_id, "")),
    )


def _next_step(age_ms: int) -> int:
    """Return in how many milliseconds the time in words changes for a form of this age."""
    unit = _SECOND_MS if age_ms < _MINUTE_MS else _MINUTE_MS if age_ms < _HOUR_MS else _HOUR_MS
    # A clock that was set back makes a form younger than nothing; it says nothing until it is older than that.
    return unit - age_ms if age_ms < 0 else unit - age_ms % unit


def _line(text: str, limit: int = _LINE_LIMIT) -> str:
    return isolated(one_line(visible(clipped(text, limit))))


def _label(text: str) -> str:
    """Return a label that fits on a button; the integrator gave it, but perhaps from somebody else's words."""
    said = one_line(visible(clipped(text, _LINE_LIMIT)))
    return isolated(said if len(said) <= _LABEL_LIMIT else f"{said[: _LABEL_LIMIT - 1]}…")
