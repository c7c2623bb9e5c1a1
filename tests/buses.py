"""What tests of notifications share: a session bus of their own, and a notification service on it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NOWHERE = "unix:path=/nonexistent/session-bus"

_SECONDS = 10
_CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


@contextmanager
def session_bus(folder: Path) -> Iterator[str]:
    """Run a session bus without any service in ``folder`` and yield its address."""
    with bus_process(folder) as (address, _):
        yield address


@contextmanager
def bus_process(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a session bus; yield its address and the process."""
    program = shutil.which("dbus-daemon")
    assert program is not None, "these tests need dbus-daemon; install dbus"
    configuration = folder / "bus.conf"
    configuration.write_text(_CONFIGURATION.format(path=folder / "bus"))
    daemon = subprocess.Popen(
        [program, f"--config-file={configuration}", "--nofork", "--print-address=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert daemon.stdout is not None
    try:
        yield daemon.stdout.readline().strip(), daemon
    finally:
        daemon.kill()
        daemon.wait(_SECONDS)
        daemon.stdout.close()


class NotificationService:
    """The service of ``notification_service.py`` in a process of its own; ``said`` is what it has said until now."""

    def __init__(self, address: str, *capabilities: str, seconds: float = 0) -> None:
        options = json.dumps({"capabilities": capabilities, "seconds": seconds})
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("notification_service.py")), options],
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": address},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.said: list[dict[str, Any]] = []
        assert self.process.stdout is not None
        assert json.loads(self.process.stdout.readline()) == {"what": "ready"}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait(_SECONDS)
        self._reader.join(_SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The notifications that it was told to show."""
        return [one for one in self.said if one["what"] == "shown"]

    @property
    def closed(self) -> list[int]:
        """The numbers of those that it was told to close."""
        return [one["id"] for one in self.said if one["what"] == "closed"]

    def do(self, *words: object) -> None:
        """Have it do something: ``click ID [TOKEN]``, ``act ID ACTION`` or ``expire ID``."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def hang(self, *, on: bool) -> None:
        """Let it do nothing at all, or go on."""
        self.process.send_signal(signal.SIGSTOP if on else signal.SIGCONT)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(json.loads(line))
