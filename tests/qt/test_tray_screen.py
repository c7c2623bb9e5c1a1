"""On a real screen with a window manager and a tray: a real icon, real clicks and keys, and real clients."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers import form
from processes import environment, running, wait_for
from requirements import proves
from screens import Screen, managed_display, tray_host

PANEL = "2 waiting - pi-ask"
IDLE = "pi-ask"


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with managed_display() as name:
        yield name


class Desk:
    """A resident with a tray, and clients that ask through it."""

    def __init__(self, folder: Path, display: str) -> None:
        self._folder = folder
        self._open = ExitStack()
        self.configure(notifications={"enabled": False})
        self._env = environment(
            DISPLAY=display,
            PI_ASK_SOCKET=str(folder / "r.sock"),
            PI_ASK_CONFIG=str(folder / "config.json"),
            XDG_CONFIG_HOME=str(folder),
            DBUS_SESSION_BUS_ADDRESS="disabled:",
        )
        self.screen = Screen(display)

    def configure(self, **settings: Any) -> None:
        config = {"desktop": {"inputGuardMs": 0}, **settings}
        (self._folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    @contextmanager
    def resident(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        with self._open, running("tray", *arguments, env=self._env) as process:
            assert process.stderr is not None
            assert b"listens" in process.stderr.readline()
            yield process

    def ask(self, title: str) -> subprocess.Popen[bytes]:
        path = self._folder / f"{title}.json"
        path.write_text(json.dumps(form(title=title)), encoding="utf-8")
        client = self._open.enter_context(running("ask", str(path), env=self._env))
        wait_for(lambda: title in self.pending())
        return client

    def pending(self) -> list[str]:
        with running("pending", "--json", env=self._env) as process:
            out, _ = process.communicate(timeout=20)
        return [flow["title"] for flow in json.loads(out)]


@pytest.fixture
def desk(tmp_path: Path, display: str) -> Desk:
    tmp_path.chmod(0o700)
    return Desk(tmp_path, display)


def ended(client: subprocess.Popen[bytes]) -> tuple[int, list[str] | None]:
    """Return the exit code of a client and the values that it printed."""
    out, _ = client.communicate(timeout=20)
    answers = json.loads(out)["answers"] if out else {}
    return client.returncode, answers["q"]["values"] if answers else None


@proves("tray-real")
def test_a_click_on_the_icon_shows_the_cards_and_keys_open_and_answer_one(desk: Desk, display: str) -> None:
    desk.configure(notifications={"channels": ["desktop"]})
    with tray_host(display), desk.resident():
        first, second = desk.ask("one"), desk.ask("two")
        wait_for(lambda: desk.screen.focused_title() == "one - pi-ask")
        # A message tells of the second form, beside the icon; a click on the icon is none on that.
        wait_for(desk.screen.pop_ups)
        desk.screen.click_icon()
        wait_for(lambda: desk.screen.focused_title() == PANEL)
        assert "two - pi-ask" not in desk.screen.titles()
        desk.screen.press("Down", "Return")
        wait_for(lambda: desk.screen.focused_title() == "two - pi-ask")
        desk.screen.press("2", "Return", "Return")
        assert ended(second) == (0, ["b"])
        wait_for(lambda: desk.screen.focused_title() == "one - pi-ask")
        assert "1 waiting - pi-ask" in desk.screen.titles()
        desk.screen.press("Escape")
        assert ended(first) == (1, None)


@proves("tray-real")
def test_a_card_is_cancelled_by_keys_alone(desk: Desk, display: str) -> None:
    with tray_host(display), desk.resident():
        first, second = desk.ask("one"), desk.ask("two")
        desk.screen.click_icon()
        wait_for(lambda: desk.screen.focused_title() == PANEL)
        desk.screen.press("Down", "Left", "space")
        assert ended(second) == (1, None)
        desk.screen.press("Escape")
        wait_for(lambda: "1 waiting - pi-ask" not in desk.screen.titles())
        assert first.poll() is None


@proves("tray-quit")
def test_quitting_by_the_menu_of_the_icon_asks_and_ends_the_forms_as_failures(desk: Desk, display: str) -> None:
    with tray_host(display), desk.resident() as resident:
        clients = [desk.ask("one"), desk.ask("two")]
        desk.screen.click_icon(button=3)
        wait_for(desk.screen.pop_ups)
        desk.screen.press("Up", "Return")
        wait_for(lambda: desk.screen.focused_title() == PANEL)
        assert [client.poll() for client in clients] == [None, None]
        desk.screen.press("shift+Tab", "shift+Tab", "space")
        assert [ended(client) for client in clients] == [(3, None), (3, None)]
        assert resident.wait(20) == 0


@proves("tray-late")
def test_a_tray_that_comes_late_and_goes_and_comes_back_has_the_icon(desk: Desk, display: str) -> None:
    with desk.resident():
        wait_for(lambda: IDLE in desk.screen.titles())
        with tray_host(display):
            wait_for(desk.screen.has_icon)
            wait_for(lambda: IDLE not in desk.screen.titles())
        # It is gone for good only after some seconds: one that starts again is not missed.
        wait_for(lambda: IDLE in desk.screen.titles())
        with tray_host(display):
            wait_for(desk.screen.has_icon)
            wait_for(lambda: IDLE not in desk.screen.titles())
            desk.screen.click_icon()
            wait_for(lambda: desk.screen.focused_title() == IDLE)


@proves("tray-late")
def test_without_a_tray_the_panel_is_an_ordinary_window_once_a_form_comes(desk: Desk) -> None:
    with desk.resident("--hidden"):
        assert desk.screen.titles() == []
        client = desk.ask("one")
        wait_for(lambda: set(desk.screen.titles()) >= {"one - pi-ask", "1 waiting - pi-ask"})
        wait_for(lambda: desk.screen.focused_title() == "one - pi-ask")
        desk.screen.press("Escape")
        assert ended(client) == (1, None)
