"""Notifications by a person's own command: bounded in time, and alone."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess

from pi_ask_qt.activation import VARIABLES
from pi_ask_qt.views.notices import Notice

EVENT = "question.waiting"
TITLE = "pi-ask"
SECONDS = 5.0


class Commands:
    """Runs commands by the shell, each for a few seconds at most, with everything that it has started."""

    def __init__(self) -> None:
        self._running: dict[subprocess.Popen[bytes], asyncio.TimerHandle] = {}

    def run(self, command: str, notice: Notice) -> None:
        """Start ``command``, which learns of ``notice`` by its environment.

        Raises:
            OSError: it cannot be started.
        """
        told = {"EVENT": EVENT, "TITLE": TITLE, "MESSAGE": notice.sentence}
        kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        process = subprocess.Popen(  # noqa: S603 - the person's own command
            ["/bin/sh", "-c", command],
            env={**kept, **{f"ASK_NOTIFY_{name}": value for name, value in told.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._running[process] = asyncio.get_running_loop().call_later(SECONDS, self._end, process)

    def close(self) -> None:
        """End all that still run."""
        for process in tuple(self._running):
            self._end(process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End a command with its children, also where they have outlived it.

        Nobody has waited for it until now, so that its number still stands for it and its group.
        """
        self._running.pop(process).cancel()
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
