"""When to tell a person of a form, and through which channels."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from pi_ask.config.schema import CommandChannel, NotificationsConfig
from pi_ask_qt.activation import handed_over
from pi_ask_qt.views.notices import Asked, Notice, build_notice

if TYPE_CHECKING:
    from pi_ask_qt.notify.commands import Commands
    from pi_ask_qt.notify.service import DesktopService

_log = logging.getLogger("pi_ask_qt")

_DELAY_MS = 100

Show = Callable[[str, Notice], object]
"""Shows a notice of a flow, given by its id."""


class Notifier(QObject):
    """Tells of forms through the channels of the configuration. A channel that fails harms nothing.

    ``clicked`` carries the id of a flow whose notification was clicked. ``fallback`` shows what the desktop's service
    does not.
    """

    clicked = Signal(str)

    def __init__(self, settings: Callable[[], NotificationsConfig], is_quiet: Callable[[], bool]) -> None:
        super().__init__()
        self._settings = settings
        self._is_quiet = is_quiet
        self.fallback: Show | None = None
        self._known: dict[str, QTimer] = {}
        self._service: DesktopService | None = None
        self._commands: Commands | None = None

    def announce(self, asked: Asked, is_seen: Callable[[], bool] = lambda: False) -> None:
        """Tell of a form once, unless it ends within a tenth of a second.

        One that ``is_seen`` by then is told to a person's own commands alone, who may be elsewhere.
        """
        if asked.flow_id in self._known:
            return
        timer = self._known[asked.flow_id] = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: self._tell(asked, is_seen))
        timer.start(_DELAY_MS)

    def withdraw(self, flow_id: str) -> None:
        """Tell nothing any more of a form that has ended, and take back what was told."""
        timer = self._known.pop(flow_id, None)
        if timer is None:
            return
        timer.stop()
        timer.deleteLater()
        if self._service is not None:
            self._service.withdraw(flow_id)

    def close(self) -> None:
        """Take back everything."""
        for flow_id in tuple(self._known):
            self.withdraw(flow_id)
        for part in (self._service, self._commands):
            if part is not None:
                part.close()

    def _tell(self, asked: Asked, is_seen: Callable[[], bool]) -> None:
        settings = self._settings()
        if not settings.enabled or self._is_quiet():
            return
        seen = is_seen()
        notice = build_notice(asked, show_text=settings.show_text)
        for channel in dict.fromkeys(settings.channels):
            if seen and not isinstance(channel, CommandChannel):
                continue
            try:
                self._through(channel, asked.flow_id, notice)
            except Exception:
                _log.exception("a notification failed")

    def _through(self, channel: str | CommandChannel, flow_id: str, notice: Notice) -> None:
        if isinstance(channel, CommandChannel):
            self._run(channel.command, notice)
        elif channel == "bell":
            QApplication.beep()
        else:
            self._show(flow_id, notice)

    def _run(self, command: str, notice: Notice) -> None:
        from pi_ask_qt.notify.commands import Commands  # noqa: PLC0415 - most people have none

        if self._commands is None:
            self._commands = Commands()
        self._commands.run(command, notice)

    def _show(self, flow_id: str, notice: Notice) -> None:
        from pi_ask_qt.notify.service import DesktopService  # noqa: PLC0415 - not before there is something to tell

        if self._service is None:
            self._service = DesktopService(self._on_clicked)
        self._service.show(flow_id, notice, lambda: self._fall_back(flow_id, notice))

    def _fall_back(self, flow_id: str, notice: Notice) -> None:
        if self.fallback is not None:
            self.fallback(flow_id, notice)

    def _on_clicked(self, flow_id: str, token: str | None) -> None:
        with handed_over(token):
            self.clicked.emit(flow_id)
