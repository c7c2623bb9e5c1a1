"""A person at a real screen answers with real keys what the command asks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import form
from processes import environment, running, wait_for, x_server

TITLE = "A form on a real screen"


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server with a window manager."""
    manager = shutil.which("openbox")
    assert manager is not None, "these tests need a window manager; install openbox"
    with x_server() as name, subprocess.Popen([manager], env={**os.environ, "DISPLAY": name}, stderr=-3) as process:
        yield name
        process.terminate()


class Screen:
    """What a person sees and does: the title of the window with the keyboard, and keys."""

    def __init__(self, display: str) -> None:
        self._env = {**os.environ, "DISPLAY": display}

    def focused_title(self) -> str:
        # A window manager names a window active before the X server has given it the keyboard.
        command = ["xdotool", "getwindowfocus", "getwindowname"]
        done = subprocess.run(command, env=self._env, capture_output=True, text=True, check=False, timeout=10)
        return done.stdout.strip()

    def press(self, *keys: str) -> None:
        command = ["xdotool", "key", "--delay", "60", *keys]
        subprocess.run(command, env=self._env, check=True, timeout=10)


@pytest.mark.parametrize(
    ("keys", "code", "values"),
    [
        (["Down", "Return", "Return"], 0, ["b"]),
        (["1", "Return", "Return"], 0, ["a"]),
        (["Escape"], 1, None),
        (["alt+F4"], 1, None),
        (["ctrl+c"], 1, None),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else None,
)
def test_keys_answer_or_cancel(
    tmp_path: Path, display: str, keys: list[str], code: int, values: list[str] | None
) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(title=TITLE)), encoding="utf-8")
    config = tmp_path / "config.json"
    # The guard against keys meant for another window would take these for such.
    config.write_text('{"desktop": {"inputGuardMs": 0}}', encoding="utf-8")
    screen = Screen(display)
    with running("ask", str(path), "--config", str(config), env=environment(DISPLAY=display)) as process:
        wait_for(lambda: TITLE in screen.focused_title())
        screen.press(*keys)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (code, b"")
    answers = json.loads(out)["answers"]
    assert answers == {} if values is None else answers["q"]["values"] == values
