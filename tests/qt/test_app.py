"""The application ends only by its main task, and says what went wrong meanwhile."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest
from helpers import until
from processes import ROOT, environment
from PySide6.QtCore import QEvent, QTimer, qWarning
from PySide6.QtWidgets import QApplication, QWidget

from pi_ask_qt.app import AskApplication, InterruptedByUser, has_fonts, run
from pi_ask_qt.loop import AskEventLoop

HANGS = """
import asyncio, os, signal
from pi_ask_qt.app import run

async def main(app):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()
    finally:
        print("cleaning up", flush=True)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

run(main)
"""


def test_main_gets_the_application_and_its_loop(qapp: QApplication) -> None:
    async def main(app: AskApplication) -> str:
        assert app is qapp
        assert isinstance(asyncio.get_running_loop(), AskEventLoop)
        return "done"

    assert run(main) == "done"


def test_the_application_has_a_name_and_a_face(qapp: QApplication) -> None:
    assert (qapp.applicationDisplayName(), qapp.desktopFileName()) == ("pi-ask", "pi-ask")
    assert not qapp.windowIcon().pixmap(32, 32).isNull()
    assert has_fonts()


def test_what_main_raises_comes_out() -> None:
    async def main(_: AskApplication) -> None:
        raise KeyError("mine")

    async def cancelled(_: AskApplication) -> None:
        raise asyncio.CancelledError

    with pytest.raises(KeyError, match="mine"):
        run(main)
    with pytest.raises(asyncio.CancelledError):
        run(cancelled)


@pytest.mark.parametrize(
    "end",
    [
        lambda app: app.quit(),
        lambda app: app.postEvent(app, QEvent(QEvent.Type.Quit)),
        lambda _: os.kill(os.getpid(), signal.SIGINT),
        lambda _: os.kill(os.getpid(), signal.SIGTERM),
        lambda _: os.kill(os.getpid(), signal.SIGHUP),
    ],
    ids=["quit", "quit event", "SIGINT", "SIGTERM", "SIGHUP"],
)
def test_whatever_wants_an_end_cancels_main_which_cleans_up(end: Callable[[QApplication], None]) -> None:
    steps: list[str] = []

    async def main(app: AskApplication) -> None:
        asyncio.get_running_loop().call_soon(end, app)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            steps.append("cleaned up")

    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(InterruptedByUser):
        run(main)
    assert steps == ["cleaned up"]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == handlers


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    async def main(_: AskApplication) -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0.02)
        return "done"

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run(main) == "done"
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_signal_ends_a_program_that_hangs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGS], cwd=ROOT, env=environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True, check=False, timeout=20,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, b"cleaning up\n")


def test_the_last_window_takes_nothing_with_it() -> None:
    async def main(_: AskApplication) -> str:
        window = QWidget()
        window.show()
        await asyncio.sleep(0.01)
        window.close()
        window.deleteLater()
        await asyncio.sleep(0.02)
        return "still here"

    assert run(main) == "still here"


@pytest.mark.no_qt_log
def test_what_goes_wrong_is_logged_and_the_loop_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def lost() -> None:
        raise ValueError("lost task")

    async def main(_: AskApplication) -> str:
        loop = asyncio.get_running_loop()
        QTimer.singleShot(0, fail)
        loop.call_soon(fail)
        task = loop.create_task(lost())
        await asyncio.wait({task})
        del task
        gc.collect()
        qWarning("from Qt")
        await until(lambda: len(caplog.records) >= 4)
        return "still here"

    def fail() -> None:
        raise ValueError("in a slot")

    hook = sys.excepthook
    with caplog.at_level(logging.WARNING):
        assert run(main) == "still here"
    assert sys.excepthook is hook
    assert caplog.text.count("ValueError: in a slot") == 2
    assert "ValueError: lost task" in caplog.text
    assert "Qt says: from Qt" in caplog.text


def test_text_that_was_copied_without_a_screen_costs_nobody_the_end() -> None:
    program = (
        "from PySide6.QtCore import QMimeData\n"
        "from pi_ask_qt.app import run\n"
        "async def main(app):\n"
        "    data = QMimeData()\n"
        "    data.setText('copied')\n"
        "    app.clipboard().setMimeData(data)\n"
        "run(main)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment(QT_QPA_PLATFORM="offscreen"),
        capture_output=True, check=False, timeout=20,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
