"""The loop keeps asyncio's promises."""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from collections.abc import AsyncIterator

import pytest
from helpers import until
from PySide6.QtWidgets import QApplication

from pi_ask_qt.loop import AskEventLoop, new_event_loop


def running() -> AskEventLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, AskEventLoop)
    return loop


async def test_2000_waits_leave_no_timer_behind() -> None:
    loop = running()
    before = loop.timer_count
    for _ in range(2_000):
        await asyncio.wait_for(asyncio.sleep(0), timeout=600)
    assert loop.timer_count <= before + 1


async def test_a_timer_is_never_early() -> None:
    loop = running()
    for delay in (0.0004, 0.0011, 0.0055, 0.0101, 0.02):
        start = loop.time()
        await asyncio.sleep(delay)
        assert loop.time() - start >= delay


async def test_a_cancelled_timer_is_gone_and_never_runs() -> None:
    loop = running()
    ran: list[int] = []
    before = loop.timer_count
    handle = loop.call_later(0.001, ran.append, 1)
    assert isinstance(handle, asyncio.TimerHandle)
    handle.cancel()
    assert loop.timer_count == before
    await asyncio.sleep(0.01)
    assert ran == []


async def test_call_soon_runs_in_order_and_can_be_cancelled() -> None:
    ran: list[int] = []
    loop = running()
    for number in range(5):
        loop.call_soon(ran.append, number)
    loop.call_soon(ran.append, 99).cancel()
    await until(lambda: len(ran) == 5)
    await asyncio.sleep(0)
    assert ran == [0, 1, 2, 3, 4]


async def test_context_goes_along_from_another_thread() -> None:
    number = contextvars.ContextVar("number", default=0)
    seen: list[int] = []
    loop = running()

    def other() -> None:
        number.set(7)
        loop.call_soon_threadsafe(lambda: seen.append(number.get()))

    thread = threading.Thread(target=other)
    thread.start()
    await until(lambda: seen)
    thread.join()
    assert seen == [7]


async def test_subprocesses_run() -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(6*7)", stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert out.split() == [b"42"]


async def test_work_in_a_thread_returns() -> None:
    assert await asyncio.to_thread(lambda: threading.current_thread() is threading.main_thread()) is False


async def test_an_abandoned_generator_is_finalised() -> None:
    closed: list[bool] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    async for _ in numbers():
        break
    await until(lambda: closed)


def test_a_closed_loop_refuses(qapp: QApplication) -> None:
    loop = new_event_loop(qapp)
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_soon_threadsafe(print)


def test_no_policy_is_installed(qapp: QApplication) -> None:
    policy = asyncio.get_event_loop_policy()
    with asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        runner.run(asyncio.sleep(0))
    assert asyncio.get_event_loop_policy() is policy
