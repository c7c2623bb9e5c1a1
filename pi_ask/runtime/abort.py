"""Abort tokens: a one-shot signal whose first reason stays and whose late listeners are called at once."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable

from pi_ask.errors import AbortedError

_log = logging.getLogger("pi_ask.abort")

AbortListener = Callable[[], object]
"""Called without arguments when the signal fires; it may read ``signal.reason``."""


def _nothing() -> None:
    return


class AbortSignal:
    """Tells whoever holds it to stop and clean up. Made by an :class:`AbortController`, ``timeout`` or ``any``.

    The first reason stays. A listener that raises is logged and stops no other listener.
    """

    __slots__ = ("__weakref__", "_aborted", "_listeners", "_lock", "_on_idle", "_reason", "_sources")

    def __init__(self) -> None:
        self._aborted = False
        self._reason: object = None
        self._listeners: dict[object, AbortListener] = {}
        self._lock = threading.Lock()
        self._on_idle: Callable[[], None] = _nothing
        self._sources: Callable[[], Callable[[], None]] | None = None

    @property
    def aborted(self) -> bool:
        """Whether the signal has fired."""
        return self._aborted

    @property
    def reason(self) -> object:
        """The reason of the first abort, ``None`` before it or where none was given."""
        return self._reason

    def on_abort(self, listener: AbortListener) -> Callable[[], None]:
        """Call ``listener`` once when the signal fires, at once if it has; return a function that unsubscribes."""
        with self._lock:
            if not self._aborted:
                key = object()
                self._listeners[key] = listener
                return lambda: self._forget(key)
        _call(listener)
        return _nothing

    async def wait(self) -> object:
        """Wait until the signal fires; return its reason."""
        loop = asyncio.get_running_loop()
        fired = asyncio.Event()
        stop = self.on_abort(lambda: _wake(loop, fired))
        try:
            await fired.wait()
        finally:
            stop()
        return self._reason

    def throw_if_aborted(self) -> None:
        """Raise :class:`~pi_ask.errors.AbortedError` if the signal has fired."""
        if self._aborted:
            raise AbortedError(self._reason)
