"""Where forms are tested: one application, nothing of the user's own settings, and nothing left behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from pi_ask.config.schema import AskConfig
from pi_ask.config.store import ENVIRONMENT_VARIABLE as CONFIG_VARIABLE
from pi_ask_qt.app import AskApplication, clear_clipboard
from pi_ask_qt.display import draw_somewhere
from pi_ask_qt.geometry import forgetting
from pi_ask_qt.languages import ENVIRONMENT_VARIABLE as LANGUAGE_VARIABLE
from pi_ask_qt.x11 import release

_made: list[QApplication] = []
"""Kept as long as the process: Qt ends it where an application goes and another comes."""


def application() -> QApplication:
    """Return the application, which is made where there is none; without a screen it draws where nobody sees it.

    Raises:
        RuntimeError: there is an application without windows.
    """
    existing = QCoreApplication.instance()
    if isinstance(existing, QApplication):
        release()  # somebody else has made it after the screen was looked for
        return existing
    if existing is not None:
        raise RuntimeError("this process has a QCoreApplication, which shows no windows; make a QApplication instead")
    draw_somewhere()
    _made[:] = [AskApplication()]
    release()
    return _made[0]


def unguarded(config: AskConfig) -> AskConfig:
    """Return ``config`` without the input guard, which a test would have to wait for."""
    desktop = config.desktop.model_copy(update={"input_guard_ms": 0})
    return config.model_copy(update={"desktop": desktop})


@contextmanager
def apart(app: QApplication) -> Iterator[None]:
    """Keep what is shown within the block apart from the user: their settings, their language, their window sizes.

    Meanwhile the last window that closes does not end the loop, as it would in an application of another's.
    """
    quits = app.quitOnLastWindowClosed()
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory(prefix="pi-ask-desk-") as folder, forgetting():
        variables = {CONFIG_VARIABLE: os.path.join(folder, "config.json"), LANGUAGE_VARIABLE: "en"}
        with _variables(variables):
            try:
                yield
            finally:
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                clear_clipboard()
                app.setQuitOnLastWindowClosed(quits)


@contextmanager
def _variables(variables: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
