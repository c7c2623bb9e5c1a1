"""What a notification says about a form that waits: who asks, and what, unless the person wants that hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pi_ask.models import AskQuestion, Requester
from pi_ask.text import clipped, isolated, one_line, visible
from pi_ask_qt.views import sentences

_NAME_LIMIT = 100
_TITLE_LIMIT = 200
_PROMPT_LIMIT = 300


class Asked(Protocol):
    """A form that somebody asks: a ``StartedEvent`` or an ``ExternalAskRequest``."""

    @property
    def flow_id(self) -> str:
        """The flow that it belongs to."""

    @property
    def title(self) -> str | None:
        """Its title."""

    @property
    def requester(self) -> Requester | None:
        """Who asks."""

    @property
    def questions(self) -> Sequence[AskQuestion]:
        """Its questions."""


class Notice(NamedTuple):
    """A notification, in plain text without line breaks. ``lines`` is empty where the form's text is hidden."""

    who: str
    lines: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it in one line, but for what the title says already."""
        return sentences.about(self.who, self.lines[0]) if self.lines else self.who


def build_notice(asked: Asked, *, show_text: bool = True) -> Notice:
    """Return what to tell about a form."""
    name = _line(asked.requester.name, _NAME_LIMIT) if asked.requester is not None else ""
    who = sentences.asks(name) if name else sentences.QUESTION_WAITING
    lines = (_line(asked.title or "", _TITLE_LIMIT), _line(asked.questions[0].prompt, _PROMPT_LIMIT))
    return Notice(who, tuple(line for line in lines if line) if show_text else ())


def _line(text: str, limit: int) -> str:
    return isolated(one_line(visible(clipped(text, limit))))
