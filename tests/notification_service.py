"""A notification service for tests, by Qt's own D-Bus: it says what it is told, and does what a test says.

Its one argument is a JSON object: ``capabilities``, and ``seconds`` that it takes for every notification.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from PySide6 import QtCore
from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Slot
from PySide6.QtDBus import QDBusAbstractAdaptor, QDBusConnection

NAME = "org.freedesktop.Notifications"

qt: Any = QtCore  # whose types know neither the names of C++ types in a signal nor ClassInfo as a decorator


def say(what: str, **fields: Any) -> None:
    print(json.dumps({"what": what, **fields}), flush=True)


@qt.ClassInfo({"D-Bus Interface": NAME})
class Service(QDBusAbstractAdaptor):
    """Implements the four methods and the three signals of the specification."""

    NotificationClosed = qt.Signal("uint", "uint")
    ActionInvoked = qt.Signal("uint", "QString")
    ActivationToken = qt.Signal("uint", "QString")

    def __init__(self, parent: QObject, capabilities: list[str], seconds: float) -> None:
        super().__init__(parent)
        self._capabilities = capabilities
        self._seconds = seconds
        self._last = 0

    @Slot(result="QStringList")
    def GetCapabilities(self) -> list[str]:  # noqa: N802 - the specification's name
        say("asked")
        return self._capabilities

    @Slot(str, "uint", str, str, str, "QStringList", "QVariantMap", int, result="uint")
    def Notify(self, *given: Any) -> int:  # noqa: N802 - the specification's name
        names = ("app", "replaces", "icon", "summary", "body", "actions", "hints", "timeout")
        self._last += 1
        say("shown", id=self._last, **dict(zip(names, given, strict=True)))
        time.sleep(self._seconds)
        return self._last

    @Slot("uint")
    def CloseNotification(self, number: int) -> None:  # noqa: N802 - the specification's name
        say("closed", id=number)
        self.NotificationClosed.emit(number, 3)

    def read(self) -> None:
        """Do what a test says on standard input."""
        for line in os.read(0, 4096).decode().splitlines():
            self._obey(line)

    def _obey(self, line: str) -> None:
        """``click ID TOKEN``, ``act ID ACTION`` or ``expire ID``."""
        word, number, *rest = line.split()
        if word == "expire":
            self.NotificationClosed.emit(int(number), 1)
            return
        if word == "click" and rest:
            self.ActivationToken.emit(int(number), rest[0])
        self.ActionInvoked.emit(int(number), rest[0] if word == "act" else "default")


def main() -> int:
    app = QCoreApplication(sys.argv)
    root = QObject()
    service = Service(root, **json.loads(sys.argv[1]))
    bus = QDBusConnection.sessionBus()
    assert bus.registerObject("/org/freedesktop/Notifications", root), bus.lastError().message()
    assert bus.registerService(NAME), bus.lastError().message()
    notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)
    notifier.activated.connect(service.read)
    say("ready")
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
