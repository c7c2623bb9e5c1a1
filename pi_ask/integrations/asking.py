"""What the adapters share: how they ask, and what they take for an end."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from pi_ask.errors import UnansweredError
from pi_ask.models import AskParams
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk

Form = AskParams | Mapping[str, Any]
"""A form as the adapters make it, or as an agent sent it."""

Ask = PiAsk | Callable[[Any], Awaitable[AskUserResult]]
"""Who is asked: a :class:`~pi_ask.PiAsk`, or any coroutine function that takes a form and returns its result."""


async def ask_person(ask: Ask, form: Form, *, call_id: str | None = None, one_choice: bool = False) -> AskUserResult:
    """Ask ``form`` and return an answer, a cancellation, or the issues of the form.

    A :class:`~pi_ask.PiAsk` may live on another thread's loop; it is asked there. ``one_choice``: a question of type
    single stays one, whatever the configuration says.

    Raises:
        UnansweredError: there is no surface, or the program withdrew the form.
        ExternalUIError: the surface failed.
    """
    if isinstance(ask, PiAsk):
        as_multi = False if one_choice else None
        result = await _on_its_loop(ask, ask.ask_user(form, tool_call_id=call_id, present_single_as_multi=as_multi))
    else:
        result = await ask(form)
    if result.outcome in {"not_shown", "aborted"}:
        raise UnansweredError(result.text)
    return result


async def _on_its_loop(pi: PiAsk, asking: Coroutine[Any, Any, AskUserResult]) -> AskUserResult:
    loop = pi.events.loop
    if loop is None or loop is asyncio.get_running_loop() or not loop.is_running():
        return await asking
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asking, loop))


def need_kit(module: str, extra: str) -> None:
    """Raise :class:`ModuleNotFoundError`, with what to install, where an adapter's kit is not there."""
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        what = f"this adapter needs the package {module}; install it with: pip install 'pi-ask[{extra}]'"
        raise ModuleNotFoundError(what, name=module) from None
