"""Quick answers on cards: an explicit mapping from a button to a response. Nothing is guessed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pi_ask.errors import InvalidResponseError
from pi_ask.models import RemoteAskResponse, StartedEvent
from pi_ask.state.answers import check_response
from pi_ask.text import has_visible_character

_log = logging.getLogger("pi_ask_qt")


class CardAction(NamedTuple):
    """A quick answer on a card: what its button says, and the response that a press on it sends, exactly."""

    label: str
    response: RemoteAskResponse | Mapping[str, Any]


CardActions = Mapping[str, RemoteAskResponse | Mapping[str, Any]] | Callable[[StartedEvent], Sequence[CardAction]]
"""Responses by the label of their button, or a function that returns the quick answers for one form."""

ActionsOf = Callable[[StartedEvent], tuple[CardAction, ...]]


def actions_of(given: CardActions | None) -> ActionsOf:
    """Return the function that finds the quick answers for a form: those that were given and fit it.

    Raises:
        TypeError: ``given`` is neither a mapping nor a function, or a response is none.
        ValueError: a label has no visible character.
    """
    if given is None:
        return lambda _: ()
    if isinstance(given, Mapping):
        fixed = tuple(_checked(CardAction(label, response)) for label, response in given.items())
        return lambda event: tuple(action for action in fixed if _problem(action, event) is None)
    if not callable(given):
        raise TypeError(f"card_actions must be a mapping or a function, not {type(given).__name__}")
    return lambda event: _computed(given, event)


def _computed(given: Callable[[StartedEvent], Sequence[CardAction]], event: StartedEvent) -> tuple[CardAction, ...]:
    """Return what a function gives for a form; what goes wrong in it is logged, and costs no form its card."""
    try:
        actions = tuple(_checked(action) for action in given(event))
    except Exception:
        _log.exception("card_actions failed; the card has no quick answers")
        return ()
    fitting = []
    for action in actions:
        problem = _problem(action, event)
        if problem is None:
            fitting.append(action)
        else:
            _log.warning("the quick answer %r does not fit its form: %s", action.label, problem)
    return tuple(fitting)


def _checked(action: Any) -> CardAction:
    if not isinstance(action, CardAction):
        raise TypeError(f"a quick answer must be a CardAction, not {type(action).__name__}")
    if not isinstance(action.label, str) or not has_visible_character(action.label):
        raise ValueError(f"the label of a quick answer must be text that a person can read, not {action.label!r}")
    if not isinstance(action.response, (RemoteAskResponse, Mapping)):
        raise TypeError(f"the response of {action.label!r} must be a response, not {type(action.response).__name__}")
    return action


def _problem(action: CardAction, event: StartedEvent) -> str | None:
    try:
        check_response(event.questions, action.response)
    except InvalidResponseError as error:
        return str(error)
    return None
