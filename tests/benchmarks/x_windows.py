"""Waiting for windows by X events, on a display of one's own."""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import subprocess
import time
from types import TracebackType
from typing import Any, Self

_SUBSTRUCTURE_NOTIFY = 1 << 19
_DESTROY_NOTIFY, _UNMAP_NOTIFY, _MAP_NOTIFY, _REPARENT_NOTIFY = 17, 18, 19, 21
_MIN_SIZE = 50
_SCREEN = "1280x800x24"


class _WindowEvent(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("event", ctypes.c_ulong),
        ("window", ctypes.c_ulong),
        ("padding", ctypes.c_long * 24),
    )


class Display:
    """An Xvfb of one's own, with openbox where it is installed. ``environ`` leads a program there."""

    def __init__(self) -> None:
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", _SCREEN, "-nolisten", "tcp"]
        self._processes = [subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)]
        os.close(write)
        with os.fdopen(read) as number:
            self.name = f":{number.readline().strip()}"
        self.environ = {**os.environ, "DISPLAY": self.name, "QT_QPA_PLATFORM": "xcb", "GDK_BACKEND": "x11"}
        if shutil.which("openbox"):
            self._processes.append(subprocess.Popen(["openbox"], env=self.environ, stderr=subprocess.DEVNULL))
            time.sleep(1)

    def start(self, *command: str) -> None:
        """Start a program that lives as long as the display."""
        self._processes.append(subprocess.Popen(command, env=self.environ, stderr=subprocess.DEVNULL))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait()


class Watch:
    """Sees the top-level windows of ``display`` come and go."""

    def __init__(self, display: Display) -> None:
        self._x: Any = ctypes.CDLL("libX11.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        self._connection = ctypes.c_void_p(self._x.XOpenDisplay(display.name.encode()))
        root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._connection))
        self._x.XSetErrorHandler(_ignore_error)
        self._x.XSelectInput(self._connection, root, ctypes.c_long(_SUBSTRUCTURE_NOTIFY))
        self._x.XSync(self._connection, 0)
        self._mapped: set[int] = set()

    def until_mapped(self, seconds: float = 20) -> None:
        """Wait until a window of some size is on the screen."""
        self._until(lambda: bool(self._mapped), seconds)

    def until_empty(self, seconds: float = 20) -> None:
        """Wait until no window is left."""
        self._until(lambda: not self._mapped, seconds)

    def _until(self, condition: Any, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if not self._x.XPending(self._connection):
                descriptor = self._x.XConnectionNumber(self._connection)
                if not select.select([descriptor], [], [], end - time.monotonic())[0]:
                    raise TimeoutError(f"no change of the windows within {seconds} s")
                continue
            self._take()

    def _take(self) -> None:
        event = _WindowEvent()
        self._x.XNextEvent(self._connection, ctypes.byref(event))
        if event.type == _MAP_NOTIFY and self._is_large(event.window):
            self._mapped.add(event.window)
        # The end of a window that a window manager has taken into its frame is not told here.
        elif event.type in {_UNMAP_NOTIFY, _DESTROY_NOTIFY, _REPARENT_NOTIFY}:
            self._mapped.discard(event.window)

    def _is_large(self, window: int) -> bool:
        root, x, y, width, height, border, depth = (ctypes.c_ulong(), *(ctypes.c_int() for _ in range(6)))
        found = self._x.XGetGeometry(
            self._connection, ctypes.c_ulong(window), *map(ctypes.byref, (root, x, y, width, height, border, depth))
        )
        return bool(found) and width.value > _MIN_SIZE and height.value > _MIN_SIZE


# A window may be gone by the time it is asked about.
_ignore_error = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
