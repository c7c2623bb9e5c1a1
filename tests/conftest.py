"""Async tests just run: on a plain asyncio loop in tests/core, on the project's Qt loop in tests/qt."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# The first example builds models; a busy machine is no failure.
settings.register_profile("pi_ask", deadline=None)
settings.load_profile("pi_ask")

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture
def loop_factory() -> LoopFactory:
    """The loop that an async test runs on."""
    return asyncio.new_event_loop


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine function to its end; errors and tasks that it leaves behind fail it."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    arguments = {name: pyfuncitem.funcargs[name] for name in names if name in pyfuncitem.funcargs}
    factory: LoopFactory = pyfuncitem._request.getfixturevalue("loop_factory")  # no public way at this point
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_checked(pyfuncitem.obj(**arguments)))
    return True


async def _checked(test: Coroutine[Any, Any, None]) -> None:
    errors: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: errors.append(context))
    await test
    for _ in range(10):
        if len(asyncio.all_tasks()) == 1:
            break
        await asyncio.sleep(0)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, f"the test left tasks behind: {left}"
    assert not errors, f"errors nobody caught: {errors}"
