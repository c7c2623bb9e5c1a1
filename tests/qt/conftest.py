"""Qt tests run on the project's loop and application, and leave no window behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from wheels import built_wheel, installed

from pi_ask_qt.app import AskApplication, clear_clipboard
from pi_ask_qt.loop import new_event_loop


@pytest.fixture(scope="session")
def qapp_cls() -> type[QApplication]:
    """The application that pytest-qt makes."""
    return AskApplication


@pytest.fixture
def loop_factory(qapp: QApplication) -> Callable[[], asyncio.AbstractEventLoop]:
    """The loop that an async test runs on."""
    return lambda: new_event_loop(qapp)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as it is released."""
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def own_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel installed."""
    return installed(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session", autouse=True)
def _clipboard_is_left_empty(qapp: QApplication) -> Iterator[None]:  # noqa: ARG001 - it is there until the end
    yield
    clear_clipboard()


@pytest.fixture(autouse=True)
def _no_window_is_left(qapp: QApplication) -> Iterator[None]:
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    visible = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    names = [repr(widget) for widget in visible]
    for widget in visible:
        widget.hide()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not names, f"the test left windows open: {names}"
