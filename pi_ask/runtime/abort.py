"""Abort tokens: one-shot, the first reason stays, a late listener is called at once."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import logging
import math
import threading
from collections.abc import Callable, Iterable
from typing import Any

from pi_ask.errors import AbortedError

_log = logging.getLogger("pi_ask.abort")
_order = itertools.count(1)

AbortListener = Callable[..., object]
"""Called once when a signal fires: without arguments or, where it needs one, with the reason."""


class AbortSignal:
    """Tells whoever holds it to stop and clean up.

    Made by an :class:`AbortController`, by :meth:`timeout` or by :meth:`any`. A listener that raises is logged and
    stops no other listener. A signal may fire on any thread; its listeners run on that thread.
    """

    def __init__(self) -> None:
        self._fired = 0
        self._reason: object = None
        self._listeners: dict[object, Callable[[], None]] = {}
        self._lock = threading.Lock()

    @staticmethod
    def timeout(seconds: float) -> AbortSignal:
        """Return a signal that fires after ``seconds``, with a :class:`TimeoutError` as its reason.

        Needs a running event loop. Raises :class:`ValueError` for a negative or infinite time.
        """
        if not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"a time-out is a finite number of seconds, 0 or more, not {seconds!r}")
        signal = AbortSignal()
        reason = TimeoutError(f"timed out after {seconds:g} s")
        asyncio.get_running_loop().call_later(seconds, signal._fire, reason)
        return signal

    @staticmethod
    def any(signals: Iterable[AbortSignal]) -> AbortSignal:
        """Return a signal that fires with the first of ``signals``; it keeps nothing alive on them by itself."""
        return _AnySignal(tuple(signals))

    @property
    def aborted(self) -> bool:
        """Whether the signal has fired."""
        return self._fired > 0

    @property
    def reason(self) -> Any:
        """The first reason, ``None`` before the signal fires or where none was given."""
        return self._reason

    def on_abort(self, listener: AbortListener) -> Callable[[], None]:
        """Call ``listener`` once when the signal fires, at once if it has; return a function that unsubscribes.

        Raises :class:`TypeError` for a listener that cannot be called.
        """
        call = _caller(self, listener)
        key = object()
        with self._lock:
            if not self._fired:
                self._listeners[key] = call
                return lambda: self._forget(key)
        call()
        return _nothing

    async def wait(self) -> Any:
        """Wait until the signal fires; return its reason."""
        loop = asyncio.get_running_loop()
        fired: asyncio.Future[None] = loop.create_future()
        stop = self.on_abort(lambda: loop.call_soon_threadsafe(_resolve, fired))
        try:
            await fired
        finally:
            stop()
        return self.reason

    def throw_if_aborted(self) -> None:
        """Raise :class:`~pi_ask.errors.AbortedError` if the signal has fired."""
        if self.aborted:
            raise AbortedError(self.reason)

    @property
    def _when(self) -> int:
        return self._fired

    def _forget(self, key: object) -> None:
        with self._lock:
            self._listeners.pop(key, None)

    def _fire(self, reason: object) -> None:
        with self._lock:
            if self._fired:
                return
            self._reason = reason
            self._fired = next(_order)
        while (call := self._next_listener()) is not None:
            call()

    def _next_listener(self) -> Callable[[], None] | None:
        with self._lock:
            return self._listeners.pop(next(iter(self._listeners))) if self._listeners else None


class _AnySignal(AbortSignal):
    """Reads its sources and subscribes to them only while somebody listens, so that long-lived ones keep nothing."""

    def __init__(self, sources: tuple[AbortSignal, ...]) -> None:
        super().__init__()
        self._sources = sources

    @property
    def aborted(self) -> bool:
        return any(source.aborted for source in self._sources)

    @property
    def reason(self) -> Any:
        fired = [source for source in self._sources if source.aborted]
        return min(fired, key=lambda source: source._when).reason if fired else None

    def on_abort(self, listener: AbortListener) -> Callable[[], None]:
        call = _once(_caller(self, listener))
        stops: list[Callable[[], None]] = []

        fired = threading.Event()

        def stop_all() -> None:
            for stop in tuple(stops):
                stop()

        def on_source() -> None:
            fired.set()
            stop_all()
            call()

        stops.extend(source.on_abort(on_source) for source in self._sources)
        if fired.is_set():
            stop_all()
        return stop_all

    @property
    def _when(self) -> int:
        return min((source._when for source in self._sources if source.aborted), default=0)


class AbortController:
    """Owns a signal and fires it."""

    def __init__(self) -> None:
        self._signal = AbortSignal()

    @property
    def signal(self) -> AbortSignal:
        """The signal to hand out."""
        return self._signal

    def abort(self, reason: object = None) -> None:
        """Fire the signal. Only the first call counts, with its reason."""
        self._signal._fire(reason)


def _caller(signal: AbortSignal, listener: AbortListener) -> Callable[[], None]:
    if not callable(listener):
        raise TypeError(f"an abort listener is a callable, not {type(listener).__name__}")
    wants_reason = _needs_argument(listener)

    def call() -> None:
        try:
            if wants_reason:
                listener(signal.reason)
            else:
                listener()
        except (Exception, asyncio.CancelledError):
            _log.exception("an abort listener failed: %r", listener)

    return call


def _needs_argument(listener: AbortListener) -> bool:
    try:
        inspect.signature(listener).bind()
    except TypeError:
        return True
    except ValueError:  # a C function without a signature
        return False
    return False


def _once(call: Callable[[], None]) -> Callable[[], None]:
    calls = itertools.count()
    return lambda: call() if next(calls) == 0 else None


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _nothing() -> None:
    return
