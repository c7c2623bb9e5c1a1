"""The plugin for pytest: the fixture ``ask_desk``, and async tests that use it without any other plugin."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pi_ask_qt.testing.desk import AskDesk

FIXTURE = "ask_desk"


@pytest.fixture
def ask_desk(request: pytest.FixtureRequest, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AskDesk]:
    """A ``PiAsk`` with windows, and a driver for each of them. Async tests that use it run on its loop.

    Nothing of the user's own configuration counts, and nothing is written to it.
    """
    from pi_ask_qt.display import draw_somewhere  # noqa: PLC0415 - nothing for tests that do not use it

    draw_somewhere()
    if request.config.pluginmanager.has_plugin("pytest-qt"):
        request.getfixturevalue("qapp")  # the application that the project has chosen
    monkeypatch.setenv("PI_ASK_CONFIG", str(tmp_path / "pi-ask.json"))
    monkeypatch.setenv("PI_ASK_LANGUAGE", "en")
    from pi_ask_qt.testing.desk import AskDesk  # noqa: PLC0415 - Qt only for tests that use it

    with AskDesk() as desk:
        yield desk


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine function that uses the desk on the desk's loop, whatever other plugin would run it."""
    if FIXTURE not in pyfuncitem.fixturenames:
        return None
    test = inspect.unwrap(pyfuncitem.obj)
    if not inspect.iscoroutinefunction(test):
        return None
    desk: AskDesk = pyfuncitem._request.getfixturevalue(FIXTURE)  # where another fixture uses it, it is no argument
    names = inspect.signature(test).parameters
    desk.run(test(**{name: pyfuncitem.funcargs[name] for name in names if name in pyfuncitem.funcargs}))
    return True
