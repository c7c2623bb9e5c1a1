"""The plugin for pytest: the fixture ``ask_desk``, and async tests that use it without any other plugin.

pytest loads it at every start, of every project that has pi-ask installed; so it imports nothing until it is used.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from pi_ask import AskConfig
    from pi_ask_qt.testing import AskDesk

FIXTURE = "ask_desk"
TIMEOUT = "ask_desk_timeout"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one setting."""
    help_ = "seconds that an async test with ask_desk may take where no other plugin runs it; 0: as long as it likes"
    parser.addini(TIMEOUT, help_, default="60")


@pytest.fixture
def ask_desk_config() -> AskConfig | None:
    """The configuration of ``ask_desk``; a project overrides it with another than the defaults."""
    return None


@pytest.fixture
def ask_desk(request: pytest.FixtureRequest, ask_desk_config: AskConfig | None) -> Iterator[AskDesk]:
    """A ``PiAsk`` whose forms are real windows, with a driver for each that speaks of questions and options.

    Nothing of the user's own settings counts, and nothing is written to them. See ``pi_ask_qt.testing.AskDesk``.
    """
    if request.config.pluginmanager.has_plugin("pytest-qt"):
        request.getfixturevalue("qapp")  # the application that the project has chosen
    from pi_ask_qt.testing import AskDesk  # noqa: PLC0415 - Qt is for tests that use it

    with AskDesk(ask_desk_config) as desk:
        yield desk


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have Qt draw where nobody sees it, where there is no screen, before any fixture makes an application."""
    if FIXTURE in getattr(item, "fixturenames", ()) and not _has_application():
        from pi_ask_qt.display import draw_somewhere  # noqa: PLC0415 - see above

        draw_somewhere()


@pytest.hookimpl
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine function that uses the desk on a loop for Qt, where no other plugin runs it on its own."""
    if FIXTURE not in pyfuncitem.fixturenames or not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    desk = cast("AskDesk", pyfuncitem.funcargs[FIXTURE])
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    desk.run(pyfuncitem.obj(**arguments), seconds=float(pyfuncitem.config.getini(TIMEOUT)) or None)
    return True


def _has_application() -> bool:
    widgets = sys.modules.get("PySide6.QtWidgets")
    return widgets is not None and widgets.QApplication.instance() is not None
