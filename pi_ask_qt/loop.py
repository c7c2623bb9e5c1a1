"""The event loop: qasync's, with timers, threads and generators as asyncio promises them."""

from __future__ import annotations

import asyncio
import contextvars
import math
import os
import sys
from collections.abc import Callable
from typing import Any, cast

# qasync looks for other bindings first where none is imported or named.
os.environ.setdefault("QT_API", "pyside6")

from PySide6 import QtCore, QtWidgets
from qasync import QEventLoop

# Qt takes an int of 32 bits; a longer time is waited for in pieces.
_MAX_MS = 2**31 - 1


class _Timers(QtCore.QObject):
    """One precise Qt timer for every handle, killed as soon as the handle runs or is cancelled."""

    def __init__(self, loop: AskEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self._handles: dict[int, asyncio.Handle] = {}
        self._ids: dict[asyncio.Handle, int] = {}

    @property
    def count(self) -> int:
        """The number of timers that are running."""
        return len(self._handles)

    def add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        """Run ``handle`` after ``delay`` seconds, never earlier."""
        # Rounding up: a timer that fires early would find its time not come yet.
        ms = math.ceil(min(max(0.0, delay) * 1000, _MAX_MS))
        id_ = self.startTimer(ms, QtCore.Qt.TimerType.PreciseTimer)
        self._handles[id_] = handle
        self._ids[handle] = id_
        return handle

    def cancel(self, handle: asyncio.Handle) -> None:
        """Forget ``handle``."""
        id_ = self._ids.pop(handle, None)
        if id_ is not None:
            del self._handles[id_]
            self.killTimer(id_)

    def stop(self) -> None:
        """Forget everything."""
        for handle in tuple(self._ids):
            self.cancel(handle)

    def set_debug(self, enabled: bool) -> None:  # noqa: FBT001 - qasync calls it so
        """Do nothing: asyncio's own debugging serves."""

    def timerEvent(self, event: QtCore.QTimerEvent) -> None:
        handle = self._handles.get(event.timerId())
        if handle is None:
            return
        self.cancel(handle)
        remaining = handle.when() - self._loop.time() if isinstance(handle, asyncio.TimerHandle) else 0
        if remaining > 0:
            self.add_callback(handle, remaining)
        else:
            self._loop.run_handle(handle)


class AskEventLoop(QEventLoop):  # type: ignore[misc] # qasync has no types
    """Qt's and asyncio's loop in one.

    Against plain qasync: timers are precise and never early, a cancelled one is gone at once, ``call_soon_threadsafe``
    keeps its context and refuses a closed loop, async generators are finalised, and SystemExit ends the loop.
    """

    def __init__(self, app: QtCore.QCoreApplication) -> None:
        super().__init__(app)
        self._timer = _Timers(self)
        self._ended_by: BaseException | None = None

    @property
    def timer_count(self) -> int:
        """The number of Qt timers that are running for this loop."""
        return self._timer.count

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Run ``callback`` on the next turn."""
        self._check_closed()
        return self._timer.add_callback(asyncio.Handle(callback, args, self, context))

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Run ``callback`` after ``delay`` seconds."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Run ``callback`` at ``when`` on the loop's clock."""
        self._check_closed()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._timer.add_callback(handle, when - self.time())
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Run ``callback`` on the loop's thread, from any thread.

        Raises:
            RuntimeError: the loop is closed.
        """
        self._check_closed()
        handle = asyncio.Handle(callback, args, self, context)
        super().call_soon_threadsafe(self.run_handle, handle)
        return handle

    def run_forever(self) -> Any:
        """Run until stopped."""
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        try:
            code = super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*hooks)
        ended_by, self._ended_by = self._ended_by, None
        if ended_by is not None:
            raise ended_by
        return code

    def run_handle(self, handle: asyncio.Handle) -> None:
        """Run ``handle`` now; what would end the program comes out of :meth:`run_forever`, not into Qt's hands."""
        if handle.cancelled():
            return
        if asyncio._get_running_loop() is not self:
            # qasync looks at Qt's events once more after it has stopped, and so may others: no task is to run there.
            self._timer.add_callback(handle)
            return
        try:
            handle._run()
        except (SystemExit, KeyboardInterrupt) as error:
            self._ended_by = error
            self.stop()

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._timer.cancel(handle)


def new_event_loop(app: QtCore.QCoreApplication | None = None) -> asyncio.AbstractEventLoop:
    """Return a new loop for ``app``, the running application where none is given.

    Raises:
        RuntimeError: there is no application yet.
    """
    application = app or QtWidgets.QApplication.instance()
    if application is None:
        raise RuntimeError("make a QApplication first; the loop runs on it")
    return cast("asyncio.AbstractEventLoop", AskEventLoop(application))


LENT: set[asyncio.AbstractEventLoop] = set()
"""Other loops that run Qt's events for now, because somebody has them do so."""


def runs_qt(loop: asyncio.AbstractEventLoop) -> bool:
    """Return whether ``loop`` runs Qt's events too: one of ours, a plain one of qasync's, or one that was lent."""
    return isinstance(loop, QEventLoop) or loop in LENT
