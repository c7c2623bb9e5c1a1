"""What tests of real processes share: X servers of their own, and the command in a clean environment."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "pi_ask_qt")

_SCREEN_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XAUTHORITY", "QT_QPA_PLATFORM")
_START_SECONDS = 20


def environment(**variables: str) -> dict[str, str]:
    """Return this process's environment without a screen or a resident, with ``variables``."""
    env = {name: value for name, value in os.environ.items() if name not in _SCREEN_VARIABLES}
    return {**env, "PI_ASK_SOCKET": "/nonexistent/resident.sock", **variables}


@contextmanager
def x_server(*arguments: str) -> Iterator[str]:
    """Run an X server on a free display and yield its name."""
    with x_server_process(*arguments) as (display, _):
        yield display


@contextmanager
def x_server_process(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run an X server on a free display; yield the display's name and the process."""
    program = shutil.which("Xvfb")
    assert program is not None, "these tests need Xvfb; install xvfb"
    ours, theirs = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(theirs), "-screen", "0", "1280x900x24", "-nolisten", "tcp", *arguments],
        pass_fds=(theirs,),
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    try:
        yield f":{_line(ours).strip()}", server
    finally:
        os.close(ours)
        server.terminate()
        server.wait(_START_SECONDS)


def _line(descriptor: int) -> str:
    ready, _, _ = select.select([descriptor], [], [], _START_SECONDS)
    assert ready, "the X server did not start"
    return os.read(descriptor, 100).decode()


def run(*arguments: str, env: Mapping[str, str] | None = None, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command to its end, offscreen where ``env`` says nothing else."""
    env = environment(QT_QPA_PLATFORM="offscreen") if env is None else env
    options = {"capture_output": True, "timeout": 50, **options}
    return subprocess.run([*COMMAND, *arguments], env=env, check=False, **options)


@contextmanager
def running(*arguments: str, env: Mapping[str, str] | None = None, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start the command; end it with the block if it has not ended by itself."""
    env = environment(QT_QPA_PLATFORM="offscreen") if env is None else env
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    process = subprocess.Popen([*COMMAND, *arguments], env=env, **options)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=10)


def wait_for(condition: Callable[[], Any], seconds: float = 20) -> Any:
    """Return what ``condition`` returns as soon as that is true."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"did not happen within {seconds} s"
        select.select([], [], [], 0.01)
    return value
