"""The loop keeps asyncio's promises."""

from __future__ import annotations

import asyncio
import contextvars
import math
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator

import anyio
import pytest
from helpers import until
from PySide6.QtTest import QTest
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


async def test_a_wait_for_ever_can_be_cancelled() -> None:
    for delay in (math.inf, 10.0**9):
        waiting = asyncio.create_task(asyncio.sleep(delay))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


async def test_timers_run_in_order_of_their_times() -> None:
    ran: list[float] = []
    loop = running()
    start = loop.time()
    for delay in (0.03, 0.01, 0.02, -1.0, 0.0):
        loop.call_at(start + delay, ran.append, delay)
    await until(lambda: len(ran) == 5)
    assert ran[2:] == [0.01, 0.02, 0.03]


async def test_call_soon_runs_in_order_and_can_be_cancelled() -> None:
    ran: list[int] = []
    loop = running()
    for number in range(5):
        loop.call_soon(ran.append, number)
    loop.call_soon(ran.append, 99).cancel()
    await until(lambda: len(ran) == 5)
    await asyncio.sleep(0)
    assert ran == [0, 1, 2, 3, 4]


async def test_callbacks_run_in_the_context_that_they_are_given() -> None:
    number = contextvars.ContextVar("number", default=0)
    seen: list[int] = []
    loop = running()
    context = contextvars.copy_context()
    context.run(number.set, 3)

    def see() -> None:
        seen.append(number.get())

    loop.call_soon(see, context=context)
    loop.call_later(0.001, see, context=context)
    loop.call_soon_threadsafe(see, context=context)
    loop.call_soon(see)
    await until(lambda: len(seen) == 4)
    assert sorted(seen) == [0, 3, 3, 3]


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


async def test_readers_and_writers_are_called_until_removed() -> None:
    loop = running()
    here, there = socket.socketpair()
    here.settimeout(0)
    there.settimeout(0)
    got: list[bytes] = []
    with here, there:
        loop.add_reader(here, lambda: got.append(here.recv(10)))
        await loop.sock_sendall(there, b"one")
        await until(lambda: got == [b"one"])
        loop.add_writer(there, lambda: (there.send(b"two"), loop.remove_writer(there)))
        await until(lambda: got == [b"one", b"two"])
        assert loop.remove_reader(here)
        await loop.sock_sendall(there, b"three")
        await asyncio.sleep(0.01)
        assert got == [b"one", b"two"]


async def test_streams_carry_a_conversation() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.readline()).upper())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"hello\n")
        assert await reader.read() == b"HELLO\n"
        writer.close()
        await writer.wait_closed()


async def test_anyio_runs_on_it() -> None:
    with anyio.move_on_after(0.01) as scope:
        await anyio.sleep_forever()
    assert scope.cancelled_caught
    done = await anyio.run_process([sys.executable, "-c", "print(6*7)"])
    assert done.stdout.split() == [b"42"]
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 0.001)
    assert await anyio.to_thread.run_sync(threading.current_thread) is not threading.main_thread()


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
    for call in (loop.call_soon, loop.call_soon_threadsafe):
        with pytest.raises(RuntimeError, match="closed"):
            call(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_later(1, print)


@pytest.mark.parametrize("ending", [SystemExit(7), KeyboardInterrupt()])
def test_what_ends_the_program_comes_out_of_the_loop(qapp: QApplication, ending: BaseException) -> None:
    def end() -> None:
        raise ending

    async def main() -> None:
        asyncio.get_running_loop().call_later(0.001, end)
        await asyncio.Event().wait()

    with pytest.raises(type(ending)), asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        runner.run(main())


def test_a_task_that_exits_ends_the_loop(qapp: QApplication) -> None:
    async def main() -> None:
        sys.exit(3)

    with pytest.raises(SystemExit, match="3"), asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        runner.run(main())


def test_a_loop_can_follow_another(qapp: QApplication) -> None:
    for number in range(20):
        with asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
            assert runner.run(asyncio.sleep(0.001, number)) == number


def test_what_is_due_while_the_loop_stands_still_waits_until_it_runs_again(qapp: QApplication) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def start() -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(0.01, lambda: loops.append(asyncio.get_running_loop()))

    with asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        runner.run(start())
        QTest.qWait(50)
        assert loops == []
        runner.run(asyncio.sleep(0.01))
        assert loops == [runner.get_loop()]


def test_a_signal_is_seen_at_once_while_the_loop_is_idle(qapp: QApplication) -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        seen = asyncio.Event()
        loop.add_signal_handler(signal.SIGUSR1, seen.set)

        def send() -> None:
            sent.append(loop.time())
            os.kill(os.getpid(), signal.SIGUSR1)

        threading.Timer(0.1, send).start()
        await seen.wait()
        return loop.time() - sent[0]

    sent: list[float] = []
    with asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        assert runner.run(main()) < 0.5


def test_another_thread_has_a_plain_loop(qapp: QApplication) -> None:
    kinds: list[type] = []

    async def see() -> None:
        kinds.append(type(asyncio.get_running_loop()))

    async def main() -> None:
        await asyncio.to_thread(lambda: asyncio.run(see()))

    with asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        runner.run(main())
    assert not issubclass(kinds[0], AskEventLoop)


def test_no_policy_is_installed(qapp: QApplication) -> None:
    policy = asyncio.get_event_loop_policy()
    with asyncio.Runner(loop_factory=lambda: new_event_loop(qapp)) as runner:
        runner.run(asyncio.sleep(0))
    assert asyncio.get_event_loop_policy() is policy
