"""The application: the only place that builds long-lived objects."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QApplication

from pi_ask_qt import garbage
from pi_ask_qt.activation import take_from_environment
from pi_ask_qt.assets import resource
from pi_ask_qt.loop import new_event_loop
from pi_ask_qt.x11 import release

_T = TypeVar("_T")
_log = logging.getLogger("pi_ask_qt")

DESKTOP_FILE = "pi-ask"
FAILED = 3
INTERRUPTED = 130

_STARTED_SECONDS = 1.0

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
# What Qt says before it ends the process with the code 1, which stands for a person's cancel here.
_LAST_WORDS = ("The X11 connection broke", "The Wayland connection broke", "The Wayland connection experienced a fatal")


class InterruptedByUser(Exception):  # noqa: N818 - it is no error
    """The program was told to end (Ctrl+C, SIGTERM, or the desktop quits it) while ``main`` was running."""


class AskApplication(QApplication):
    """A QApplication that hands a request to quit to ``on_quit`` instead of pulling the loop from under asyncio."""

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        super().__init__([sys.argv[0] or "pi-ask", *arguments])
        self.on_quit: Callable[[], object] | None = None
        self.setApplicationName("pi-ask")
        self.setApplicationDisplayName("pi-ask")
        self.setDesktopFileName(DESKTOP_FILE)
        self.setWindowIcon(QIcon(str(resource("icons", "pi-ask.svg"))))
        self.setQuitOnLastWindowClosed(False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Quit and self.on_quit is not None:
            self.on_quit()
            event.ignore()
            return True
        return super().event(event)


def run(main: Callable[[AskApplication], Awaitable[_T]]) -> _T:
    """Run ``main`` on a new application and its loop, to its end.

    Raises:
        InterruptedByUser: Ctrl+C, SIGTERM, the end of the terminal or a quit came first; ``main`` was cancelled and
            has cleaned up.
    """
    with _messages_logged():
        app = QApplication.instance()
        if not isinstance(app, AskApplication):
            take_from_environment()
            app = AskApplication()
        release()
        try:
            with asyncio.Runner(loop_factory=lambda: new_event_loop(app)) as runner:
                return runner.run(_supervised(main, app))
        finally:
            clear_clipboard()


def clear_clipboard() -> None:
    """Empty a clipboard that ends with this process.

    Without a screen Qt keeps it until after Python has gone, and what Python made for it would end the process by a
    fault then.
    """
    if QApplication.platformName() in {"offscreen", "minimal"}:
        QApplication.clipboard().clear()


def has_fonts() -> bool:
    """Return whether there is any font to write with; Qt draws boxes where there is none."""
    # Qt lists families that stand for others even where there is no font at all.
    return QFontMetrics(QApplication.font()).inFont("a")


async def _supervised(main: Callable[[AskApplication], Awaitable[_T]], app: AskApplication) -> _T:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_log_lost_exception)
    loop.call_later(_STARTED_SECONDS, garbage.resume)
    task = asyncio.ensure_future(main(app))
    ending = _Ending(task)
    app.on_quit = ending.on_request
    for number in _SIGNALS:
        # What was started to ignore a signal (nohup, a job in the background) goes on doing so. Python's own handlers
        # would wait for the next byte code, which Qt's loop may not run for seconds.
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, ending.on_request)
    try:
        return await task
    except asyncio.CancelledError:
        if ending.requested:
            raise InterruptedByUser from None
        raise
    finally:
        app.on_quit = None
        task.cancel()


class _Ending:
    """Ends the main task when asked to; asked again, it ends the process."""

    def __init__(self, task: asyncio.Future[Any]) -> None:
        self._task = task
        self.requested = False

    def on_request(self) -> None:
        if self.requested:
            os._exit(INTERRUPTED)
        self.requested = True
        self._task.cancel()


@contextmanager
def _messages_logged() -> Iterator[None]:
    """Log what Qt says and what slots raise, for as long as the application runs."""
    hook = sys.excepthook
    sys.excepthook = _log_exception
    handler = qInstallMessageHandler(_log_message)
    try:
        yield
    finally:
        qInstallMessageHandler(handler)
        sys.excepthook = hook


def _log_message(kind: QtMsgType, _: QMessageLogContext, message: str) -> None:
    if message.startswith(_LAST_WORDS):
        _log.error("the screen went away; nothing was chosen")
        os._exit(FAILED)
    _log.log(_LEVELS.get(kind, logging.WARNING), "Qt says: %s", message)


def _log_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.error("an error in the user interface", exc_info=(kind, error, trace))


def _log_lost_exception(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _log.error("%s", context.get("message", "an error in a task"), exc_info=context.get("exception"))
