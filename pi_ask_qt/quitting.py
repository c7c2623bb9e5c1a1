"""Hearing that a program quits before its windows are asked to close."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QThread, QTimer
from PySide6.QtWidgets import QApplication

_AGAIN_MS = 50


class QuitWatch(QObject):
    """Tells of a program that is about to quit, and of what becomes of it.

    Qt asks every window to close first, by an event like that of a person's click, which a form would take for a
    cancel; any window may refuse, and then the program goes on. ``on_asked`` is called before the windows are asked,
    then ``on_left`` where the program ends, or ``on_stayed``.
    """

    def __init__(
        self, *, on_asked: Callable[[], object], on_left: Callable[[], object], on_stayed: Callable[[], object]
    ) -> None:
        super().__init__()
        self._on_asked = on_asked
        self._on_left = on_left
        self._on_stayed = on_stayed
        self._watched: QApplication | None = None
        self._asked = False
        self._level = 0

    def set_watching(self, *, on: bool) -> None:
        """Watch, or stop it: every event of the program passes by here meanwhile."""
        app = QApplication.instance()
        if on and self._watched is None and isinstance(app, QApplication):
            self._watched = app
            app.installEventFilter(self)
            app.aboutToQuit.connect(self._on_about_to_quit)
        elif not on and self._watched is not None:
            self._watched.removeEventFilter(self)
            self._watched.aboutToQuit.disconnect(self._on_about_to_quit)
            self._watched = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Quit and watched is self._watched and not self._asked:
            self._asked = True
            self._level = QThread.currentThread().loopLevel()
            self._on_asked()
            QTimer.singleShot(0, self, self._settle)
        return False

    def _settle(self) -> None:
        if QThread.currentThread().loopLevel() > self._level:  # another window asks the person whether to quit
            QTimer.singleShot(_AGAIN_MS, self, self._settle)
        elif self._asked:
            self._asked = False
            self._on_stayed()

    def _on_about_to_quit(self) -> None:
        # qasync's loop says so too whenever it stops.
        if self._asked:
            self._asked = False
            self._on_left()
