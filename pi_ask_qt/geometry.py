"""The size of a window: remembered, and never larger than the screen it is on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QRect, QSettings, QSize
from PySide6.QtWidgets import QWidget

_KEY = "window/size"
_FRAME_SHARE = 0.96
_SMALLEST, _LARGEST = 50, 20_000

_forgetting = False


@contextmanager
def forgetting() -> Iterator[None]:
    """Give every window its own size within the block, and remember none."""
    global _forgetting  # noqa: PLW0603 - there is one place that remembers
    before, _forgetting = _forgetting, True
    try:
        yield
    finally:
        _forgetting = before


def restore_size(window: QWidget) -> None:
    """Give ``window`` the size that it last had, as far as its screen has room for it."""
    wanted = (None if _forgetting else _remembered(_settings().value(_KEY))) or window.size()
    room = _room(window)
    window.setMinimumSize(window.minimumSize().boundedTo(room))
    window.resize(wanted.boundedTo(room).expandedTo(window.minimumSize()))


def remember_size(window: QWidget) -> None:
    """Remember the size of ``window``, but not that of one that fills its screen."""
    if not (_forgetting or window.isMaximized() or window.isFullScreen() or window.isMinimized()):
        size = window.size()
        _settings().setValue(_KEY, [size.width(), size.height()])


def _settings() -> QSettings:
    # A state, not a setting: apart from the configuration, which a person edits.
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "pi-ask", "state")


def _remembered(value: Any) -> QSize | None:
    """Return the size in ``value``, which may be anything: the file is open to everybody."""
    try:
        width, height = (int(part) for part in value)
    except (TypeError, ValueError):
        return None
    return QSize(width, height) if min(width, height) >= _SMALLEST and max(width, height) <= _LARGEST else None


def _room(window: QWidget) -> QSize:
    screen = window.screen()
    available = screen.availableGeometry() if screen is not None else QRect(0, 0, 800, 600)
    return available.size() * _FRAME_SHARE
