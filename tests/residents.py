"""What tests of the resident share: a real one in a process, a client that says what it likes, and the command."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pi_ask.wire import LineBuffer, decode, encode

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 10.0

WAIT: dict[str, Any] = {
    "title": "wait",
    "questions": [{"id": "q", "prompt": "Go?", "options": [{"value": "a"}, {"value": "b"}]}],
}


def titled(title: str) -> dict[str, Any]:
    """Return a form that the person of the test's resident treats as ``title`` says."""
    return {**WAIT, "title": title}


def eventually(condition: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """Return what ``condition`` returns as soon as that is true; fail after ``seconds``."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"did not happen within {seconds} s"
        time.sleep(0.01)
    return value


class Resident:
    """The resident of ``resident_program.py`` in a process of its own, listening in ``folder``."""

    def __init__(self, folder: Path, **limits: float) -> None:
        self.path = folder / "resident.sock"
        self.environ = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PI_ASK_SOCKET": str(self.path),
            "QT_QPA_PLATFORM": "offscreen",
        }
        program = [sys.executable, str(Path(__file__).with_name("resident_program.py")), json.dumps(limits)]
        self._errors = folder / "errors"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(program, env=self.environ, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self._line() == "ready", self.errors

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()

    @property
    def errors(self) -> str:
        """What it wrote to standard error, but for what Qt says offscreen."""
        lines = self._errors.read_text().splitlines()
        return "\n".join(line for line in lines if "This plugin does not support" not in line)

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.process.poll() is None:
            self.process.send_signal(number)

    def held(self) -> dict[str, int]:
        """Return what it holds, by its own count, and its open descriptors."""
        self.signal(signal.SIGUSR1)
        counts: dict[str, int] = json.loads(self._line())
        return {**counts, "descriptors": len(os.listdir(f"/proc/{self.process.pid}/fd"))}

    def megabytes(self) -> float:
        """Return the memory that it uses."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def client(self) -> Client:
        """Return a client that has been greeted."""
        return Client(self.path)

    def waiting(self) -> list[dict[str, Any]]:
        """Return the forms that wait, as a client is told."""
        with self.client() as client:
            client.send("pending", id="p")
            flows: list[dict[str, Any]] = client.receive()["flows"]
            return flows

    def command(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """Start ``pi-ask`` with ``arguments``."""
        given = {"env": self.environ, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        return subprocess.Popen([sys.executable, "-m", "pi_ask_qt", *arguments], **given)

    def run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run ``pi-ask`` with ``arguments`` to its end."""
        return finished(self.command(*arguments, stdin=subprocess.DEVNULL, **options))

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


class Client:
    """One connection, on which a test says what it likes."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(SECONDS)
        self.socket.connect(str(path))
        self._lines = LineBuffer(limit=None)
        self.greeting = self.receive()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, type_: str, **fields: Any) -> None:
        """Send one message."""
        self.socket.sendall(encode(type_, **fields))

    def receive(self) -> dict[str, Any]:
        """Return the next message; an empty one once the other side has ended."""
        while (line := self._lines.take()) is None:
            data = self.socket.recv(65_536)
            if not data:
                return {}
            self._lines.feed(data)
        return decode(line)

    def until(self, type_: str) -> dict[str, Any]:
        """Return the next message of a type."""
        while (message := self.receive())["type"] != type_:
            pass
        return message

    def ask(self, form: Any, id_: str = "1", **fields: Any) -> dict[str, Any]:
        """Ask ``form`` and return the message that ends it."""
        self.send("ask", id=id_, form=form, **fields)
        while (message := self.receive())["type"] == "started":
            pass
        return message

    def open(self, form: Any, id_: str = "1", **fields: Any) -> str:
        """Ask ``form`` and return its flow id, once it has started."""
        self.send("ask", id=id_, form=form, **fields)
        message = self.receive()
        assert message["type"] == "started", message
        flow_id: str = message["flowId"]
        return flow_id


def finished(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    """Return what came of a process; it is killed after some time."""
    try:
        out, err = process.communicate(timeout=2 * SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@contextmanager
def ended_with(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """End ``process`` whatever happens in the block."""
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def write_form(folder: Path, form: Any) -> str:
    """Write a form to a file and return its path."""
    path = folder / "form.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    return str(path)
