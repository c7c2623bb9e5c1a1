"""Bringing windows before all others, where the person is known to want that; nobody is robbed of the keyboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from pi_ask_qt.activation import WAYLAND_VARIABLE


def show(window: QWidget, token: str | None, *, wanted: bool) -> None:
    """Show ``window``, before all others where the person is known to want that: by ``token`` or as ``wanted`` says.

    Otherwise whether it gets the keyboard is for the desktop to decide: the person may be typing somewhere else.
    """
    if wanted and window.isMinimized():
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    if token is None:
        window.show()
        if wanted:
            window.activateWindow()
        return
    from pi_ask_qt import x11_activation  # noqa: PLC0415 - few callers have a token

    x11_activation.announce(window, token)
    with _in_environment(token):
        window.show()
        window.activateWindow()
    x11_activation.activate(window, token)


def point_to(window: QWidget) -> None:
    """Point the person to a window that has come without the keyboard; it is for them to take it up."""
    if not window.isVisible() or window.isActiveWindow():
        return
    from pi_ask_qt import x11_activation  # noqa: PLC0415 - most windows have the keyboard by then

    if x11_activation.is_unmanaged():
        window.activateWindow()  # where nobody else gives the keyboard to windows
    else:
        QApplication.alert(window)


@contextmanager
def _in_environment(token: str) -> Iterator[None]:
    """Put ``token`` where Qt looks for one on Wayland."""
    os.environ[WAYLAND_VARIABLE] = token
    try:
        yield
    finally:
        os.environ.pop(WAYLAND_VARIABLE, None)
