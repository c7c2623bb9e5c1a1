"""Activation tokens serve once, for the window that they were given for, and are seen by nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from helpers import form
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QProcessEnvironment
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QWidget
from requirements import proves
from surface import surface

from pi_ask_qt import activation, front
from pi_ask_qt.activation import activation_token, handed_over, take, take_from_environment
from pi_ask_qt.x11_activation import time_of

NAMES = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    activation_token.set(None)
    yield
    activation._own.clear()


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({}, None),
        ({"XDG_ACTIVATION_TOKEN": "a"}, "a"),
        ({"DESKTOP_STARTUP_ID": "b"}, "b"),
        ({"XDG_ACTIVATION_TOKEN": "a", "DESKTOP_STARTUP_ID": "b"}, "a"),
        ({"XDG_ACTIVATION_TOKEN": "", "DESKTOP_STARTUP_ID": "b"}, "b"),
        ({"XDG_ACTIVATION_TOKEN": "x" * 4097, "DESKTOP_STARTUP_ID": ""}, None),
    ],
)
@proves("activation-token")
def test_the_token_of_the_program_serves_once_and_leaves_the_environment(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], taken: str | None
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    take_from_environment()
    assert not set(NAMES) & {*os.environ, *QProcessEnvironment.systemEnvironment().keys()}
    assert [take(), take()] == [taken, None]


@proves("activation-token")
def test_a_token_that_is_handed_over_comes_first_and_serves_its_block_alone() -> None:
    activation._own[:] = ["own"]
    with handed_over("given"):
        assert take() == "given"
    with handed_over("not used"):
        pass
    assert [take(), take()] == ["own", None]


@pytest.mark.parametrize("token", ["", "a\0b", "x" * 5000])
def test_a_token_that_nothing_can_be_done_with_is_none(token: str) -> None:
    with handed_over(token):
        assert take() is None


@proves("activation-token")
async def test_each_form_gets_the_token_that_came_with_it() -> None:
    used: list[tuple[str, str | None]] = []
    show = front.show

    def noted(window: QWidget, token: str | None, *, wanted: bool) -> None:
        used.append((window.windowTitle().partition(" ")[0], token))
        show(window, token, wanted=wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(front, "show", noted)
        async with surface() as desk:
            activation_token.set("token-1")
            first = await desk.ask(form(title="one"))
            activation_token.set("token-2")
            second = await desk.ask(form(title="two"))
            activation_token.set(None)
            third = await desk.ask(form(title="three"))
            for task in (first, second, third):
                desk.click("cancel")
                await task
    assert used == [("one", "token-1"), ("two", "token-2"), ("three", None)]


class Watched(QWidget):
    """Notes what Qt would find in the environment while it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        self.found.append(QProcessEnvironment.systemEnvironment().value("XDG_ACTIVATION_TOKEN"))
        super().showEvent(event)


@proves("activation-token")
def test_qt_finds_a_token_while_a_window_is_shown_and_no_longer(qapp: QApplication) -> None:
    assert qapp is not None
    window = Watched()
    for token in ("token-1", None):
        front.show(window, token, wanted=True)
        window.hide()
        assert "XDG_ACTIVATION_TOKEN" not in os.environ
        assert not QProcessEnvironment.systemEnvironment().contains("XDG_ACTIVATION_TOKEN")
    window.deleteLater()
    assert window.found == ["token-1", ""]


def test_a_minimised_window_comes_back_where_the_person_wants_it_and_only_there(qapp: QApplication) -> None:
    assert qapp is not None
    window = QWidget()
    window.showMinimized()
    front.show(window, None, wanted=False)
    assert window.isMinimized()
    front.show(window, None, wanted=True)
    assert not window.isMinimized()
    window.deleteLater()


@pytest.mark.parametrize(
    ("token", "time"),
    [
        ("launcher/pi-ask/123-0-host_TIME456", 456),
        ("a_TIME1_TIME2", 2),
        ("a_TIME4294967295", 4294967295),
        ("a_TIME4294967296", None),
        ("a_TIME0", None),
        ("a_TIME", None),
        ("a_TIME12x", None),
        ("a_TIME-12", None),
        ("7f3a2b", None),
        ("a_TIME99999999999999999999", None),
    ],
)
def test_the_time_of_a_startup_id_is_read(token: str, time: int | None) -> None:
    assert time_of(token) == time


@given(st.text())
def test_no_token_breaks_the_reading_of_its_time(token: str) -> None:
    time = time_of(token)
    assert time is None or 0 < time < 2**32


@proves("activation-token")
def test_the_program_passes_its_token_on_to_no_child() -> None:
    program = (
        "import asyncio, json, os, subprocess, sys\n"
        "from pi_ask_qt import activation, run\n"
        "async def main(app):\n"
        "    child = subprocess.run(['env'], capture_output=True, text=True, check=True).stdout\n"
        "    print(json.dumps([activation.take(), activation.take(), 'token-1' in child]))\n"
        "run(main)\n"
    )
    env = {**os.environ, "XDG_ACTIVATION_TOKEN": "token-1", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["token-1", None, False]


async def test_a_token_of_another_task_is_not_seen_here() -> None:
    async def other() -> str | None:
        activation_token.set("theirs")
        await asyncio.sleep(0)
        return take()

    assert await asyncio.create_task(other()) == "theirs"
    assert take() is None
