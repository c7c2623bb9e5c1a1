"""Async tests just run: on a plain asyncio loop in tests/core, on the project's Qt loop in tests/qt."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import tempfile
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, cast

import pytest
from buses import NOWHERE
from hypothesis import settings

from pi_ask_qt import pytest_plugin

if TYPE_CHECKING:
    from pi_ask_qt.testing import AskDesk

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# What a program remembers of its person is none of a test's business, nor the other way round.
_home = tempfile.TemporaryDirectory(prefix="pi-ask-tests-")
os.environ["XDG_CONFIG_HOME"] = _home.name

# Nor shall a test show anything on the desktop of whoever runs it.
os.environ["DBUS_SESSION_BUS_ADDRESS"] = NOWHERE

# Whoever runs the tests without a terminal (nohup, a job in the background) has the process, and every program of a
# test, ignore signals; tests of how programs end send them.
for _number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)

# The first example builds models; a busy machine is no failure.
settings.register_profile("pi_ask", deadline=None)
settings.load_profile("pi_ask")

LoopFactory = Callable[[], asyncio.AbstractEventLoop]

_GUARD = "test_binding.py"
_GRACE_TURNS = 10
_MARGIN_SECONDS = 5


def pytest_configure(config: pytest.Config) -> None:
    """Have the project's own plugin, where the checkout is on the path without being installed."""
    if not config.pluginmanager.is_registered(pytest_plugin):
        config.pluginmanager.register(pytest_plugin, "pi-ask")


@pytest.fixture
def loop_factory() -> LoopFactory:
    """The loop that an async test runs on."""
    return asyncio.new_event_loop


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the guard of the Qt binding first: with a broken one, everything after it may abort the process."""
    items.sort(key=lambda item: item.path.name != _GUARD)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine function to its end; errors and tasks that it leaves behind fail it.

    Forms that are open on its desk at the end are no such thing: the desk withdraws them.
    """
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    arguments = {name: pyfuncitem.funcargs[name] for name in names if name in pyfuncitem.funcargs}
    factory: LoopFactory = pyfuncitem._request.getfixturevalue("loop_factory")  # no public way at this point
    with asyncio.Runner(debug=False, loop_factory=factory) as runner:
        desk = cast("AskDesk | None", pyfuncitem.funcargs.get("ask_desk"))
        runner.run(_checked(_closing(pyfuncitem.obj(**arguments), desk), _limit(pyfuncitem)))
    return True


def _limit(item: pytest.Function) -> float:
    """Return the seconds for an async test: pytest-timeout's signal is not seen while Qt's loop has nothing to do."""
    marker = item.get_closest_marker("timeout")
    given = marker.args[0] if marker is not None and marker.args else item.config.getini("timeout")
    return float(given) - _MARGIN_SECONDS


async def _closing(test: Coroutine[Any, Any, None], desk: AskDesk | None) -> None:
    try:
        await test
    finally:
        if desk is not None:
            await desk.aclose()


async def _checked(test: Coroutine[Any, Any, None], seconds: float) -> None:
    errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    async with asyncio.timeout(seconds):
        await test
    left = await _tasks_left()
    assert not left, f"the test left tasks behind: {sorted(task.get_name() for task in left)}: {left}"
    if errors:
        raise AssertionError(f"errors that nobody caught: {errors}") from errors[0].get("exception")


async def _tasks_left() -> set[asyncio.Task[Any]]:
    for _ in range(_GRACE_TURNS):
        if len(asyncio.all_tasks()) == 1:
            break
        await asyncio.sleep(0)
    return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
