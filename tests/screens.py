"""A person at a real screen: an X server with a window manager and a tray, what is seen there, keys and clicks."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from processes import wait_for, x_server

TRAY = ("--edge", "bottom", "--align", "right", "--widthtype", "request", "--height", "24")
"""How trayer is told to be at the lower right of the screen."""

_ICON = 20
_SETTLING_SECONDS = 0.2


@contextmanager
def managed_display() -> Iterator[str]:
    """Run an X server with a window manager and yield the display's name."""
    with x_server() as display, _program("openbox", display=display):
        yield display


@contextmanager
def tray_host(display: str) -> Iterator[None]:
    """Run a tray at the lower right of the screen."""
    with _program("trayer", *TRAY, display=display):
        yield


@contextmanager
def _program(name: str, *arguments: str, display: str) -> Iterator[None]:
    path = shutil.which(name)
    assert path is not None, f"these tests need {name}; install it"
    env = {**os.environ, "DISPLAY": display}
    with subprocess.Popen([path, *arguments], env=env, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


class Screen:
    """What a person sees and does: the title of the window with the keyboard, keys, and the icon in the tray."""

    def __init__(self, display: str) -> None:
        self._env = {**os.environ, "DISPLAY": display}

    def focused_title(self) -> str:
        """Return the title of the window with the keyboard."""
        # A window manager names a window active before the X server has given it the keyboard, and before there is a
        # window manager, which has keys of its own, the X server gives the keyboard away by itself.
        active, _, focused = self._ask("getactivewindow", "getwindowname", "getwindowfocus", "getwindowname").partition(
            "\n"
        )
        return active if active == focused.strip() else ""

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self._do("key", "--delay", "60", *keys)

    def titles(self) -> list[str]:
        """Return the titles of the windows that can be seen, but for menus and messages."""
        return self._ask("search", "--onlyvisible", "--name", ".", "getwindowname", "%@").splitlines()

    def pop_ups(self, program: str = "pi-ask") -> int:
        """Return how many menus and messages of a program can be seen; they, and its icon, have but its name."""
        titles = self._ask("search", "--onlyvisible", "--class", f"^{program}$", "getwindowname", "%@").splitlines()
        return titles.count(program) - self.has_icon()

    def has_icon(self) -> bool:
        """Return whether there is an icon in the tray."""
        _, _, width, height = self._tray()
        return width >= _ICON and height >= _ICON

    def click_icon(self, button: int = 1) -> None:
        """Click the icon in the tray, once it is there."""
        wait_for(self.has_icon)
        x, y, width, height = wait_for(self._settled_tray)
        self._do("mousemove", str(x + width // 2), str(y + height // 2), "click", str(button))

    def _settled_tray(self) -> tuple[int, int, int, int] | None:
        """Return the place of the tray once it stays there: with its first icon it moves."""
        before = self._tray()
        time.sleep(_SETTLING_SECONDS)
        return before if before == self._tray() else None

    def _tray(self) -> tuple[int, int, int, int]:
        """Return the place and size of the tray, which is as wide as its icons."""
        told = self._ask("search", "--onlyvisible", "--class", "^trayer$", "getwindowgeometry", "--shell", "%@")
        found = [0, 0, 0, 0]
        for line in told.splitlines():
            name, _, value = line.partition("=")
            if name in {"X", "Y", "WIDTH", "HEIGHT"}:
                found[("X", "Y", "WIDTH", "HEIGHT").index(name)] = int(value)
        x, y, width, height = found
        return x, y, width, height

    def _ask(self, *arguments: str) -> str:
        command = ["xdotool", *arguments]
        return subprocess.run(command, env=self._env, capture_output=True, text=True, check=False, timeout=10).stdout

    def _do(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._env, check=True, timeout=10)
