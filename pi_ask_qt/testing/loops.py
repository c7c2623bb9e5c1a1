"""Event loops for tests: Qt's events on a loop of somebody else's, and a test on Qt's loop that can be stopped."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop

from pi_ask_qt.loop import LENT, runs_qt

_T = TypeVar("_T")

_TURN_SECONDS = 0.005
_PUMP_SECONDS = 0.005
_PUMP_MS = 20
_HEARTBEAT_SECONDS = 0.1

__tracebackhide__ = True  # what failed is a line of the test

_users: dict[asyncio.AbstractEventLoop, int] = {}


@contextmanager
def qt_events() -> Iterator[None]:
    """Have Qt's events run within the block, where the running loop does not do so by itself.

    So a window works on whatever loop another plugin has chosen for a test.
    """
    loop = asyncio.get_running_loop()
    if runs_qt(loop) and loop not in _users:
        yield
        return
    _users[loop] = _users.get(loop, 0) + 1
    if loop not in LENT:
        LENT.add(loop)
        _pump(loop)
    try:
        yield
    finally:
        _users[loop] -= 1
        if not _users[loop]:
            del _users[loop]
            LENT.discard(loop)


def _pump(loop: asyncio.AbstractEventLoop) -> None:
    if loop in _users:
        loop.call_later(_PUMP_SECONDS, _pump, loop)
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, _PUMP_MS)


async def stoppable(test: Coroutine[Any, Any, _T]) -> _T:
    """Run ``test``; Ctrl+C, or a time-out that another plugin raises from a signal, ends it whatever Qt is doing."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    stopped: list[BaseException] = []

    def stop(error: BaseException) -> None:
        stopped.append(error)
        if task is not None:
            task.cancel()

    with _stops_seen(loop, stop):
        try:
            return await test
        except asyncio.CancelledError as cancelled:
            if stopped:
                raise stopped[0].with_traceback(cancelled.__traceback__) from None
            raise


@contextmanager
def _stops_seen(loop: asyncio.AbstractEventLoop, stop: Callable[[BaseException], None]) -> Iterator[None]:
    """Call ``stop`` with what is to end a test and was raised between two turns, where nobody else would hear of it."""

    def on_lost(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is None or isinstance(error, Exception):
            loop.default_exception_handler(context)
        else:
            stop(error)

    def on_raised(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, Exception):
            hook(kind, error, trace)
        else:
            stop(error)

    hook, sys.excepthook = sys.excepthook, on_raised  # Qt hands over what is raised as it calls Python
    loop.set_exception_handler(on_lost)
    end_beating = _beating(loop)
    try:
        yield
    finally:
        end_beating()
        loop.set_exception_handler(None)
        sys.excepthook = hook


def _beating(loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
    """Come back to Python again and again, for it looks at signals there: a loop of Qt's that waits has no need to."""
    handles: list[asyncio.TimerHandle] = []

    def beat() -> None:
        handles[:] = [loop.call_later(_HEARTBEAT_SECONDS, beat)]

    def stop() -> None:
        handles[0].cancel()

    beat()
    return stop


async def until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait until ``condition`` holds, or for ``seconds``."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not condition() and loop.time() < end:  # noqa: ASYNC110 - what it waits for may be anything
        await asyncio.sleep(_TURN_SECONDS)
