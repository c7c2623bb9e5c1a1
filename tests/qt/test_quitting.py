"""A program of somebody else that quits while a form is open: nobody has cancelled it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from helpers import form, until
from processes import environment
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from requirements import proves
from surface import Surface, surface

PROGRAM = """
import asyncio, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pi_ask import PiAsk
from pi_ask_qt import QtAskProvider, new_event_loop

app = QApplication([])

async def main():
    async with PiAsk() as pi:
        provider = QtAskProvider()
        provider.register(pi)
        options = [{"value": "a"}, {"value": "b"}]
        call = asyncio.ensure_future(pi.ask_user({"questions": [{"id": "q", "prompt": "?", "options": options}]}))
        while not (provider.windows and provider.windows[0].isVisible()):
            await asyncio.sleep(0.01)
        if sys.argv[1] == "dirty":
            provider.windows[0].findChild(QWidget, "option:q:a").clicked.emit()
        QTimer.singleShot(0, app.quit)
        try:
            print("answered", (await call).outcome)
        except BaseException as error:
            print("failed", type(error).__name__)
            raise

try:
    with asyncio.Runner(loop_factory=lambda: new_event_loop(app)) as runner:
        runner.run(main())
except BaseException as error:
    print("ended by", type(error).__name__)
"""


class Unwilling(QWidget):
    """A window of the program that does not want to close, and may ask first."""

    def __init__(self, *, asks: bool) -> None:
        super().__init__()
        self.asks = asks
        self.asked = 0

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt calls it so
        self.asked += 1
        if self.asks:
            box = QMessageBox(self)
            QTimer.singleShot(150, box, box.reject)
            box.exec()
        event.ignore()


@pytest.fixture(params=[False, True], ids=["at once", "after a question"])
def unwilling(request: pytest.FixtureRequest) -> Iterator[Unwilling]:
    window = Unwilling(asks=request.param)
    window.show()
    yield window
    window.hide()
    window.deleteLater()


async def put_up(desk: Surface) -> None:
    await until(lambda: any(window.isVisible() for window in desk.provider.windows))


@proves("surface-quit")
@pytest.mark.parametrize("state", ["clean", "dirty"])
def test_a_program_that_quits_takes_its_forms_along_and_nobody_has_cancelled_them(state: str) -> None:
    env = environment(QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, state], capture_output=True, text=True, timeout=40, check=False, env=env
    )
    lines = done.stdout.split("\n")
    assert lines[0].startswith("failed"), done
    assert lines[1].startswith("ended by"), done


@proves("surface-quit")
async def test_a_program_that_goes_on_after_all_shows_its_form_again_as_it_was(unwilling: Unwilling) -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        await put_up(desk)
        desk.click("option:q:b")
        QApplication.quit()
        await until(lambda: unwilling.asked > 0)
        await put_up(desk)
        assert not task.done()
        assert desk.notice() == ""
        desk.click("submit")
        assert (await task).details.answers["q"].values == ("b",)


async def test_a_window_closed_by_the_person_is_a_cancel_after_a_quit_that_came_to_nothing(
    unwilling: Unwilling,
) -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        await put_up(desk)
        QApplication.quit()
        await until(lambda: unwilling.asked > 0)
        await put_up(desk)
        unwilling.hide()
        await until(lambda: not desk.window.yielding)
        desk.window.close()
        assert (await task).outcome == "cancelled"
