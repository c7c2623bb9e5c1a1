"""Activation tokens: by such a token a window may come to the front, because of what the person did elsewhere.

Sources: the Startup Notification Protocol of freedesktop.org, the Wayland protocol xdg-activation-v1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

WAYLAND_VARIABLE = "XDG_ACTIVATION_TOKEN"
X11_VARIABLE = "DESKTOP_STARTUP_ID"
VARIABLES = (WAYLAND_VARIABLE, X11_VARIABLE)

activation_token: ContextVar[str | None] = ContextVar("activation_token", default=None)
"""Set while a provider's ``open`` runs for a form that came with ``XDG_ACTIVATION_TOKEN``; for one use."""

_own: list[str] = []


def take_from_environment() -> None:
    """Take the token that this program was started with out of the environment: no child of it may use it again."""
    given = [os.environ.pop(name, "") for name in VARIABLES]
    _own[:] = [token for token in given if token][:1]


def take() -> str | None:
    """Return the token of who asks or clicks now, else the one that this program was started with; each is for once."""
    token = activation_token.get()
    activation_token.set(None)
    return token or (_own.pop() if _own else None)


@contextmanager
def handed_over(token: str | None) -> Iterator[None]:
    """Let ``token`` be taken in the block, and no longer."""
    before = activation_token.set(token)
    try:
        yield
    finally:
        activation_token.reset(before)


def show(window: QWidget, token: str | None) -> None:
    """Show ``window`` and bring it to the front, as far as ``token`` and the desktop let it."""
    if window.isMinimized():
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    if token is None:
        window.show()
        window.activateWindow()
        return
    from pi_ask_qt import x11_activation  # noqa: PLC0415 - few callers have a token

    x11_activation.announce(window, token)
    with _in_environment(token):
        window.show()
        window.activateWindow()
    x11_activation.activate(window, token)


@contextmanager
def _in_environment(token: str) -> Iterator[None]:
    """Put ``token`` where Qt looks for one on Wayland."""
    os.environ[WAYLAND_VARIABLE] = token
    try:
        yield
    finally:
        os.environ.pop(WAYLAND_VARIABLE, None)
