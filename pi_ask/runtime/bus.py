"""The local event bus: synchronous, in order, on the thread of its loop."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from pi_ask.errors import WrongThreadError
from pi_ask.models import EXTERNAL_UI

_log = logging.getLogger("pi_ask.events")

Listener = Callable[[Any], object]
"""Takes the payload; what it returns is ignored, but for a coroutine, which is scheduled as a task."""

# A negotiation asks for a reply within the call, so it cannot wait its turn; it is no part of the history.
_IMMEDIATE = frozenset({EXTERNAL_UI})


class EventBus:
    """Delivers payloads to the listeners of a channel.

    An emit from within a listener is delivered after the one under way::

        emit(A) -> listener 1 emits B -> listener 2 gets A -> then B goes to its listeners -> emit(A) returns

    so that every listener sees events in the order in which they happened. A listener that raises is logged and stops
    neither the emitter nor the other listeners.
    """

    def __init__(self) -> None:
        self._listeners: dict[str, dict[object, Listener]] = {}
        self._queue: deque[tuple[str, tuple[Listener, ...], Any]] = deque()
        self._dispatching = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thread = threading.get_ident()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._see_loop()

    @property
    def dispatching(self) -> bool:
        """Whether a listener is running now, further up the stack."""
        return self._dispatching

    def on(self, channel: str, listener: Listener) -> Callable[[], None]:
        """Subscribe ``listener`` to ``channel``; return a function that unsubscribes.

        Raises:
            TypeError: the channel is not a string or the listener cannot be called.
        """
        if not isinstance(channel, str):
            raise TypeError(f"a channel is a string, not {type(channel).__name__}")
        if not callable(listener):
            raise TypeError(f"a listener is a callable that takes the payload, not {type(listener).__name__}")
        key = object()
        self._listeners.setdefault(channel, {})[key] = listener
        return lambda: self._forget(channel, key)

    def emit(self, channel: str, payload: Any = None) -> None:
        """Deliver ``payload`` to the listeners that ``channel`` has now, before this returns.

        Raises:
            WrongThreadError: called from a thread that is not the loop's; use :meth:`emit_threadsafe` there.
        """
        self._see_loop()
        self._check_thread()
        delivery = (channel, tuple(self._listeners.get(channel, {}).values()), payload)
        if self._dispatching and channel in _IMMEDIATE:
            self._deliver(*delivery)
            return
        self._queue.append(delivery)
        if not self._dispatching:
            self._drain()

    def emit_threadsafe(self, channel: str, payload: Any = None) -> None:
        """Emit from any thread: the event is delivered soon, on the thread of the loop.

        Raises:
            RuntimeError: the bus has not been used within a running event loop yet, or that loop is closed.
        """
        loop = self._loop
        if loop is None:
            raise RuntimeError("this bus has no event loop yet: create PiAsk, or use it once, within the running loop")
        if loop.is_closed():  # not every loop says so by itself
            raise RuntimeError("the event loop of this bus is closed")
        loop.call_soon_threadsafe(self.emit, channel, payload)

    def clear(self) -> set[asyncio.Task[Any]]:
        """Remove every listener and cancel the tasks of coroutine listeners, but not the calling one; return them."""
        self._listeners.clear()
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        return tasks

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make ``loop``, which runs on the calling thread, the one this bus belongs to."""
        self._loop = loop
        self._thread = threading.get_ident()

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop this bus belongs to, as far as it is known."""
        return self._loop

    def _see_loop(self) -> None:
        if self._loop is None or self._loop.is_closed():
            try:
                self.bind(asyncio.get_running_loop())
            except RuntimeError:
                return

    def _check_thread(self) -> None:
        if threading.get_ident() != self._thread:
            raise WrongThreadError(
                "emit() belongs to the thread of the event loop; from another thread call emit_threadsafe()"
            )

    def _forget(self, channel: str, key: object) -> None:
        listeners = self._listeners.get(channel)
        if listeners is None:
            return
        listeners.pop(key, None)
        if not listeners:
            del self._listeners[channel]

    def _drain(self) -> None:
        self._dispatching = True
        try:
            while self._queue:
                self._deliver(*self._queue.popleft())
        finally:
            self._dispatching = False
            # A BaseException (the process is being ended) leaves nothing behind for a later, unrelated emit.
            self._queue.clear()

    def _deliver(self, channel: str, listeners: tuple[Listener, ...], payload: Any) -> None:
        for listener in listeners:
            try:
                returned = listener(payload)
                if inspect.iscoroutine(returned):
                    self._schedule(channel, returned)
            except (Exception, asyncio.CancelledError):
                _log.exception("a listener of %s failed: %r", channel, listener)

    def _schedule(self, channel: str, coroutine: Coroutine[Any, Any, object]) -> None:
        try:
            task = asyncio.get_running_loop().create_task(coroutine, name=f"listener of {channel}")
        except RuntimeError:
            coroutine.close()
            raise
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a %s failed", task.get_name(), exc_info=error)
