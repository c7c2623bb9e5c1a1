"""The input guard: a window that has just come to the front takes no answer yet. The person was typing elsewhere."""

from __future__ import annotations

from typing import NamedTuple

from pi_ask.state.actions import (
    Action,
    CancelForm,
    ChooseOption,
    ElaborateForm,
    MoveRow,
    MoveStep,
    SubmitForm,
    UseCustom,
)

LONGEST_SECONDS = 3.0

_CLICKS = (CancelForm, ChooseOption, ElaborateForm, SubmitForm, UseCustom)
_KEYS_THAT_MOVE = (MoveRow, MoveStep)


class Guard(NamedTuple):
    """When a window came to the front and until when it is guarded, in seconds on one clock."""

    span: float
    since: float = 0.0
    until: float = 0.0

    def raised(self, now: float) -> Guard:
        """Return the guard of a window that comes to the front now."""
        return self._replace(since=now, until=now + self.span)

    def pressed(self, now: float) -> Guard:
        """Return the guard after a key: while it holds, the time starts again, up to three seconds in all."""
        if not self.holds(now):
            return self
        return self._replace(until=max(self.until, min(now + self.span, self.since + LONGEST_SECONDS)))

    def holds(self, now: float) -> bool:
        """Return whether nothing may be chosen, submitted or cancelled now."""
        return now < self.until


def stops_click(action: Action) -> bool:
    """Return whether a guarded window ignores this, where a click asks for it."""
    return isinstance(action, _CLICKS)


def stops_key(action: Action) -> bool:
    """Return whether a guarded window ignores this, where a key asks for it: everything but moving about."""
    return not isinstance(action, _KEYS_THAT_MOVE)
