"""``pi-ask host``: the resident's protocol on standard input and output, here and through a resident."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from requirements import proves
from residents import ROOT, SECONDS, WAIT, Resident, eventually, titled

from pi_ask.wire import LineBuffer, decode, encode

# The same peer that the command uses, before a core whose forms are answered by their titles.
ANSWERING = """
import asyncio, sys
from pi_ask import EXTERNAL_UI, ExternalAskProvider, PiAsk
from pi_ask_qt.resident import AskService, Limits
from pi_ask_qt.resident.stdio import StdioPeer

async def show(request):
    if request.title == "wait":
        await request.signal.wait()
    return {"kind": "answer", "answers": {"q": {"values": ["a"]}}}

async def main():
    async with PiAsk() as pi:
        pi.events.on(EXTERNAL_UI, lambda offer: offer.connect(ExternalAskProvider(id="test", open=show)))
        service = AskService(pi, Limits(idle_seconds=None, stalled_seconds=1))
        peer = StdioPeer(service, 0, 1)
        peer.start()
        await peer.ended
        print(len(pi.pending()), service.forms, service.held_bytes, len(asyncio.all_tasks()), file=sys.stderr)
        service.close()

asyncio.run(main())
"""
QUICK_PULSE = (
    "import sys; from pi_ask_qt import conversation as c; c.PING_SECONDS = 0.3; c.PATIENCE_SECONDS = 0.7; "
    "from pi_ask_qt.start import main; sys.exit(main())"
)


class Host:
    """A host process, and the program that started it."""

    def __init__(self, command: list[str], environ: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._lines = LineBuffer(limit=None)

    def send(self, type_: str, **fields: Any) -> None:
        self.write(encode(type_, **fields))

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        while (line := self._lines.take()) is None:
            ready, _, _ = select.select([self.process.stdout], [], [], 2 * SECONDS)
            assert ready, "nothing came"
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                return {}
            self._lines.feed(data)
        return decode(line)

    def open(self, form: Any, id_: str = "1") -> str:
        self.send("ask", id=id_, form=form)
        message = self.receive()
        assert message["type"] == "started", message
        return str(message["flowId"])

    def end(self) -> tuple[int, str]:
        """Close its input and return its code and what it said to standard error."""
        _, err = self.process.communicate(timeout=2 * SECONDS)
        return self.process.returncode, err.decode()


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PI_ASK_SOCKET": str(tmp_path / "none.sock"),
        "QT_QPA_PLATFORM": "offscreen",
    }


@pytest.fixture
def answering(environ: dict[str, str]) -> Iterator[Host]:
    """A host whose person answers at once."""
    host = Host([sys.executable, "-c", ANSWERING], environ)
    assert host.receive()["type"] == "hello"
    yield host
    host.process.kill()
    host.process.communicate()


@pytest.fixture(params=["alone", "here", "relayed"])
def host(request: pytest.FixtureRequest, environ: dict[str, str], tmp_path: Path) -> Iterator[Host]:
    """The command: with no resident, beside one that it does not use, and through one."""
    command = [sys.executable, "-m", "pi_ask_qt", "host"]
    if request.param == "alone":
        started = Host(command, environ)
        assert started.receive()["type"] == "hello"
        yield started
    else:
        with Resident(tmp_path) as resident:
            started = Host([*command, "--here"] if request.param == "here" else command, resident.environ)
            greeting = started.receive()
            assert (greeting["type"], greeting["maxLineBytes"]) == ("hello", 16 * 1024 * 1024)
            assert (greeting["pid"] == resident.process.pid) == (request.param == "relayed")
            yield started
            eventually(lambda: not resident.waiting())
    started.process.kill()
    started.process.communicate()


@proves("resident-host")
def test_a_form_is_withdrawn_and_the_end_of_the_input_ends_the_host(host: Host) -> None:
    host.open(WAIT)
    host.send("pending", id="p")
    assert len(host.receive()["flows"]) == 1
    host.send("abort", id="1")
    message = host.receive()
    assert (message["type"], message["outcome"]) == ("result", "aborted")
    code, err = host.end()
    assert code == 0
    assert "Traceback" not in err


def test_the_end_of_the_input_closes_every_form(host: Host) -> None:
    host.open(WAIT, "1")
    host.open(WAIT, "2")
    assert host.end()[0] == 0


def test_an_invalid_form_is_a_result(host: Host) -> None:
    host.send("ask", id="1", form={})
    message = host.receive()
    assert (message["type"], message["outcome"]) == ("result", "invalid")
    assert host.end()[0] == 0


def test_garbage_is_answered_and_ends_the_host(host: Host) -> None:
    host.write(b"garbage\n")
    assert host.receive()["error"] == "invalid_json"
    assert host.receive() == {}
    assert host.process.wait(SECONDS) == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_ends_the_host_with_its_code(host: Host, number: int) -> None:
    host.open(WAIT)
    host.process.send_signal(number)
    assert host.process.wait(SECONDS) == 130


def test_a_reader_that_goes_ends_the_host(host: Host) -> None:
    host.open(WAIT)
    assert host.process.stdout is not None
    host.process.stdout.close()
    host.send("ping", id="1")
    assert host.process.wait(SECONDS) == 3


def test_answers_come_back_whatever_their_number_and_size(answering: Host) -> None:
    question = {"id": "q", "prompt": "x" * 5_000_000, "options": [{"value": "a"}]}
    for number in range(5):
        for form in (titled("answer"), {"questions": [question]}):
            answering.send("ask", id=str(number), form=form)
            assert answering.receive()["type"] == "started"
            result = answering.receive()
            assert (result["id"], result["result"]["answers"]["q"]["values"]) == (str(number), ["a"])
    assert len(result["result"]["questions"][0]["prompt"]) == 5_000_000
    code, err = answering.end()
    assert (code, err) == (0, "0 0 0 1\n")


def test_a_program_that_reads_nothing_is_held_and_then_let_go(answering: Host) -> None:
    assert answering.process.stdin is not None
    os.set_blocking(answering.process.stdin.fileno(), False)
    line = encode("ping", id="1")
    lines = line * 2000
    sent, end = 0, time.monotonic() + SECONDS
    while answering.process.poll() is None and time.monotonic() < end:
        _, writable, _ = select.select([], [answering.process.stdin], [], 0.1)
        if writable:
            try:
                sent += os.write(answering.process.stdin.fileno(), lines[sent % len(line) :])
            except BrokenPipeError:
                break
    assert 0.9 < time.monotonic() - end + SECONDS < 5
    answering.process.wait(SECONDS)
    assert sent < 16 * 1024 * 1024


def test_input_from_a_file_is_answered_before_the_end(environ: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "messages"
    file.write_bytes(encode("ping", id="1") + encode("ask", id="2", form={}))
    with file.open("rb") as source:
        done = subprocess.run(
            [sys.executable, "-m", "pi_ask_qt", "host"],
            stdin=source,
            env=environ,
            capture_output=True,
            timeout=20,
            check=True,
        )
    types = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert types[:2] == ["hello", "pong"]


def test_what_others_print_does_not_mix_with_the_protocol(environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import threading, os, sys\n"
        "def chatter():\n"
        "    os.write(1, b'noise\\n') if sys.stdout is sys.stderr else threading.Timer(0.01, chatter).start()\n"
        "threading.Timer(0.01, chatter).start()\n",
        encoding="utf-8",
    )
    environ["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{ROOT}"
    host = Host([sys.executable, "-m", "pi_ask_qt", "host"], environ)
    assert host.receive()["type"] == "hello"
    host.open(WAIT)
    host.send("abort", id="1")
    assert host.receive()["outcome"] == "aborted"
    code, err = host.end()
    assert (code, "noise" in err) == (0, True)


def test_a_host_without_a_screen_says_so(environ: dict[str, str]) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        environ.pop(name, None)
    host = Host([sys.executable, "-m", "pi_ask_qt", "host"], environ)
    assert host.receive() == {}
    code, err = host.end()
    assert code == 3
    assert "DISPLAY" in err


# --- through a resident -----------------------------------------------------------------------------------------------


@proves("resident-host")
def test_a_resident_answers_through_the_host(tmp_path: Path) -> None:
    with Resident(tmp_path) as resident:
        host = Host([sys.executable, "-m", "pi_ask_qt", "host"], resident.environ)
        assert host.receive()["pid"] == resident.process.pid
        question = {"id": "q", "prompt": "x" * 5_000_000, "options": [{"value": "a"}]}
        host.send("ask", id="1", form={"title": "answer", "questions": [question]})
        assert host.receive()["type"] == "started"
        assert host.receive()["result"]["answers"]["q"]["values"] == ["a"]
        host.send("ask", id="2", form=titled("cancel"))
        assert host.receive()["type"] == "started"
        assert host.receive()["outcome"] == "cancelled"
        assert host.end()[0] == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_resident_that_goes_or_hangs_ends_its_hosts_with_a_failure(tmp_path: Path, number: int) -> None:
    with Resident(tmp_path) as resident:
        host = Host([sys.executable, "-c", QUICK_PULSE, "host"], resident.environ)
        assert host.receive()["type"] == "hello"
        host.open(WAIT)
        resident.signal(number)
        assert host.process.wait(SECONDS) == 3
        _, err = host.process.communicate()
        assert b"resident" in err


def test_a_host_that_waits_for_long_keeps_its_connection(tmp_path: Path) -> None:
    with Resident(tmp_path, idle_seconds=1.0) as resident:
        host = Host([sys.executable, "-c", QUICK_PULSE, "host"], resident.environ)
        assert host.receive()["type"] == "hello"
        assert host.process.stdout is not None
        # Nothing comes for longer than silence is allowed: neither an error nor the answers to its heartbeat.
        assert select.select([host.process.stdout], [], [], 2.5)[0] == []
        host.send("ping", id="mine")
        assert host.receive() == {"version": 1, "type": "pong", "id": "mine"}
        assert host.end()[0] == 0
