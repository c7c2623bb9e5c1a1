"""Telling a person that a form waits: best effort, once for each form, and withdrawn when it ends."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from pi_ask.config.schema import AskConfig, CommandChannel
from pi_ask.models import StartedEvent
from pi_ask.text import clipped, one_line, visible

_log = logging.getLogger("pi_ask_qt")

TITLE = "pi-ask"
EVENT = "question.waiting"
_DELAY_MS = 100
_COMMAND_MS = 5_000
_LIMIT = 200

Show = Callable[[str, str], None]
"""Shows a title and a message on the desktop."""


class Notifier(QObject):
    """Tells of forms through the channels of the configuration. A channel that fails harms nothing."""

    def __init__(self, config: Callable[[], AskConfig], show: Show, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._config = config
        self._show = show
        self._timers: dict[str, QTimer] = {}

    def announce(self, event: StartedEvent) -> None:
        """Tell of a form, unless it ends within a tenth of a second."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: self._tell(event))
        self._timers[event.flow_id] = timer
        timer.start(_DELAY_MS)

    def withdraw(self, flow_id: str) -> None:
        """Tell nothing any more of a form that has ended."""
        timer = self._timers.pop(flow_id, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()

    def _tell(self, event: StartedEvent) -> None:
        self.withdraw(event.flow_id)
        settings = self._config().notifications
        if not settings.enabled:
            return
        message = _message(event)
        for channel in settings.channels:
            try:
                self._through(channel, message)
            except Exception:
                _log.exception("a notification failed")

    def _through(self, channel: str | CommandChannel, message: str) -> None:
        if isinstance(channel, CommandChannel):
            _run(channel.command, message, self)
        elif channel == "bell":
            QApplication.beep()
        else:
            self._show(TITLE, message)


def show_by(icon: QSystemTrayIcon, title: str, message: str) -> None:
    """Show a message by a tray icon; it guesses rich text, so that markup in it is taken apart."""
    icon.showMessage(title, message.replace("<", "‹").replace(">", "›"), icon.icon())


def _message(event: StartedEvent) -> str:
    first = event.questions[0]
    about = event.title or first.label
    return f"Question waiting: {one_line(visible(clipped(about, _LIMIT)))}"


def _run(command: str, message: str, parent: QObject) -> None:
    process = QProcess(parent)
    environment = QProcessEnvironment.systemEnvironment()
    for name, value in (("EVENT", EVENT), ("TITLE", TITLE), ("MESSAGE", message)):
        environment.insert(f"ASK_NOTIFY_{name}", value)
    process.setProcessEnvironment(environment)
    process.setStandardInputFile(QProcess.nullDevice())
    process.setStandardOutputFile(QProcess.nullDevice())
    process.setStandardErrorFile(QProcess.nullDevice())
    process.finished.connect(process.deleteLater)
    QTimer.singleShot(_COMMAND_MS, process, process.kill)
    process.start("/bin/sh", ["-c", command])
