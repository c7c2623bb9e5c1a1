"""The size of a window: remembered, and never larger than the screen it is on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

FORM, PANEL = "window/size", "panel/size"
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


def restore_size(window: QWidget, key: str = FORM) -> None:
    """Give ``window`` the size that windows of its kind last had, as far as its screen has room for it."""
    wanted = (None if _forgetting else _remembered(_settings().value(key))) or window.size()
    room = _room(window)
    window.setMinimumSize(window.minimumSize().boundedTo(room))
    window.resize(wanted.boundedTo(room).expandedTo(window.minimumSize()))


def remember_size(window: QWidget, key: str = FORM) -> None:
    """Remember the size of ``window``, but not that of one that fills its screen."""
    if not (_forgetting or window.isMaximized() or window.isFullScreen() or window.isMinimized()):
        size = window.size()
        _settings().setValue(key, [size.width(), size.height()])


def put_beside(window: QWidget, spot: QRect) -> None:
    """Put ``window`` beside ``spot``, whole on the screen that this is on; nowhere where no screen has it."""
    screen = QGuiApplication.screenAt(spot.center())
    if spot.isEmpty() or screen is None:
        return
    room = screen.availableGeometry()
    frame = QRect(QPoint(0, 0), window.frameSize() if window.isVisible() else window.size())
    frame.moveCenter(spot.center())
    if spot.center().y() < room.center().y():
        frame.moveTop(spot.bottom() + 1)
    else:
        frame.moveBottom(spot.top() - 1)
    frame.moveLeft(min(max(frame.left(), room.left()), room.right() + 1 - frame.width()))
    frame.moveTop(min(max(frame.top(), room.top()), room.bottom() + 1 - frame.height()))
    window.move(frame.topLeft())


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
