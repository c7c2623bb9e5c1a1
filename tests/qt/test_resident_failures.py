"""Whatever a client or the resident does wrong: the others go on, everybody is told why, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from requirements import proves
from residents import WAIT, Client, Resident, ended_with, eventually, finished, titled, write_form

from pi_ask.wire import MAX_LINE_BYTES, decode, encode

ASK = encode("ask", id="1", form=WAIT)
PING = encode("ping", id="1")
# A heartbeat that does not take the test's patience.
QUICK_PULSE = (
    "import sys; from pi_ask_qt import conversation as c; c.PING_SECONDS = 0.3; c.PATIENCE_SECONDS = 0.7; "
    "from pi_ask_qt.start import main; sys.exit(main())"
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resident]:
    folder = tmp_path_factory.mktemp("shared")
    folder.chmod(0o700)
    with Resident(folder, idle_seconds=1.0, stalled_seconds=1.0) as resident:
        yield resident


@pytest.fixture
def resident(shared: Resident) -> Iterator[Resident]:
    """A resident that holds after the test what it held before, and complained of nothing."""
    before = eventually(lambda: (held := shared.held())["peers"] == 0 and held)
    yield shared
    eventually(lambda: shared.held() == before)
    with shared.client() as client:
        client.send("ping", id="still there")
        assert client.receive() == {"version": 1, "type": "pong", "id": "still there"}
    assert shared.errors == ""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Resident]:
    with Resident(tmp_path) as resident:
        yield resident


# --- the client goes --------------------------------------------------------------------------------------------------


@proves("resident-client-gone")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_client_that_dies_takes_its_form_with_it_within_a_second(
    resident: Resident, tmp_path: Path, number: int
) -> None:
    with ended_with(resident.command("ask", write_form(tmp_path, WAIT))) as client:
        eventually(resident.waiting)
        client.send_signal(number)
        eventually(lambda: not resident.waiting(), seconds=1)


@proves("resident-client-gone")
def test_a_client_whose_output_is_closed_takes_its_form_with_it_within_a_second(
    resident: Resident, tmp_path: Path
) -> None:
    with ended_with(resident.command("ask", write_form(tmp_path, WAIT))) as client:
        eventually(resident.waiting)
        assert client.stdout is not None
        client.stdout.close()
        eventually(lambda: not resident.waiting(), seconds=1)
        assert client.wait(5) == 3


@proves("resident-client-gone")
def test_a_client_whose_terminal_is_closed_takes_its_form_with_it_within_a_second(
    resident: Resident, tmp_path: Path
) -> None:
    terminal, inside = os.openpty()
    # The first terminal that a session opens is the one that it belongs to.
    program = f"import os; os.close(os.open(os.ttyname(0), os.O_RDWR)); {QUICK_PULSE}"
    client = subprocess.Popen(
        [sys.executable, "-c", program, "ask", write_form(tmp_path, WAIT)],
        env=resident.environ,
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
    )
    os.close(inside)
    eventually(resident.waiting)
    os.close(terminal)
    eventually(lambda: not resident.waiting(), seconds=1)
    client.wait(5)


def test_one_client_that_goes_leaves_the_forms_of_the_others_open(resident: Resident) -> None:
    with resident.client() as stays, resident.client() as goes:
        flow_id = stays.open(WAIT)
        goes.open(WAIT)
        goes.socket.close()
        eventually(lambda: [flow["flowId"] for flow in resident.waiting()] == [flow_id], seconds=1)


# --- the resident goes ------------------------------------------------------------------------------------------------


@proves("resident-gone")
@pytest.mark.parametrize(
    ("number", "says"), [(signal.SIGKILL, "has ended"), (signal.SIGTERM, "closed"), (signal.SIGINT, "closed")]
)
def test_a_resident_that_ends_is_a_failure_and_never_a_cancellation(
    own: Resident, tmp_path: Path, number: int, says: str
) -> None:
    client = own.command("ask", write_form(tmp_path, WAIT))
    eventually(own.waiting)
    own.signal(number)
    done = finished(client)
    assert (done.returncode, done.stdout) == (3, "")
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@proves("resident-hangs")
def test_a_resident_that_hangs_is_noticed(own: Resident, tmp_path: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", QUICK_PULSE, "ask", write_form(tmp_path, WAIT)],
        env=own.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    eventually(own.waiting)
    own.signal(signal.SIGSTOP)
    done = finished(client)
    assert (done.returncode, done.stdout) == (3, "")
    assert "does not answer" in done.stderr


def test_a_client_that_was_itself_stopped_for_long_still_gets_its_answer(own: Resident, tmp_path: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", QUICK_PULSE, "ask", write_form(tmp_path, WAIT)],
        env=own.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    flow_id = eventually(own.waiting)[0]["flowId"]
    client.send_signal(signal.SIGSTOP)
    # Longer than its patience, which is for the resident and not for itself.
    with own.client() as other, pytest.raises(TimeoutError):
        other.socket.settimeout(1.5)
        other.receive()
    client.send_signal(signal.SIGCONT)
    with own.client() as other:
        other.send("cancel", id="1", flowId=flow_id)
        assert other.receive()["type"] == "cancelled"
    assert finished(client).returncode == 1


def test_a_resident_that_hangs_from_the_start_is_not_waited_for(own: Resident, tmp_path: Path) -> None:
    own.signal(signal.SIGSTOP)
    done = own.run("ask", write_form(tmp_path, WAIT), "--timeout", "0.2")
    # It has opened the form itself, where nobody answered it.
    assert done.returncode == 5, done.stderr


# --- clients that talk nonsense ---------------------------------------------------------------------------------------


@proves("resident-nonsense")
@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "invalid_json"),
        (b"\x16\x03\x01\x02\x00\x01\x00\n", "invalid_json"),
        (os.urandom(100_000).replace(b"\n", b"") + b"\n", "invalid_json"),
        (b"[" * 20_000 + b"\n", "invalid_json"),
        (b'{"version":1,"type":"ask","id":"1","form":NaN}\n', "invalid_json"),
        (b'"ask"\n', "invalid_message"),
        (b'{"version":2,"type":"ask","id":"1"}\n', "unsupported_version"),
        (b'{"type":"ask","id":"1","form":{}}\n', "unsupported_version"),
    ],
    ids=["http", "tls", "noise", "nested", "nan", "no-object", "future", "no-version"],
)
def test_garbage_is_answered_with_an_error_and_the_end(resident: Resident, sent: bytes, code: str) -> None:
    with resident.client() as client:
        client.socket.sendall(sent + PING)
        error = client.receive()
        assert (error["type"], error["error"]) == ("error", code)
        assert error["message"]
        assert client.receive() == {}


def test_garbage_ends_the_forms_of_its_connection(resident: Resident) -> None:
    with resident.client() as client:
        client.open(WAIT)
        client.socket.sendall(b"garbage\n")
        assert client.receive()["error"] == "invalid_json"
        eventually(lambda: not resident.waiting(), seconds=1)


@proves("resident-nonsense")
@pytest.mark.parametrize("sent", [ASK[: len(ASK) // 2], ASK[:-1], b"{"])
def test_half_a_document_is_answered_and_asks_nothing(resident: Resident, sent: bytes) -> None:
    with resident.client() as client:
        client.socket.sendall(sent)
        client.socket.shutdown(socket.SHUT_WR)
        assert client.receive()["error"] == "incomplete"
        assert client.receive() == {}
    assert resident.waiting() == []


@proves("resident-nonsense")
@pytest.mark.parametrize("sent", [b"", ASK[: len(ASK) // 2], PING + b"{"])
def test_a_client_that_stays_silent_is_told_so_and_let_go(resident: Resident, sent: bytes) -> None:
    with resident.client() as client:
        client.socket.sendall(sent)
        start = time.monotonic()
        assert client.until("error")["error"] == "idle"
        assert client.receive() == {}
        assert 0.8 < time.monotonic() - start < 5


def test_a_message_that_comes_in_drops_must_be_whole_in_time_too(resident: Resident) -> None:
    with resident.client() as client:
        client.socket.settimeout(0.2)
        start = time.monotonic()
        while True:
            client.socket.sendall(b" ")
            try:
                message = client.receive()
            except TimeoutError:
                assert time.monotonic() - start < 5
                continue
            break
        assert message["error"] == "idle"


def test_a_silent_client_with_an_open_form_is_left_alone(resident: Resident) -> None:
    with resident.client() as client, pytest.raises(TimeoutError):
        client.open(WAIT)
        client.socket.settimeout(2.5)  # more than twice the time for silence
        client.receive()


def test_silence_counts_again_once_the_last_form_has_ended(resident: Resident) -> None:
    with resident.client() as client:
        assert client.ask(titled("answer"))["outcome"] == "answered"
        assert client.receive()["error"] == "idle"


# --- clients that send too much, or read too little -------------------------------------------------------------------


@proves("resident-flood")
def test_two_gigabytes_are_cut_off_after_sixteen_megabytes(resident: Resident) -> None:
    before = resident.megabytes()
    chunk = b"x" * (1024 * 1024)
    sent = 0
    with resident.client() as client:
        with pytest.raises(OSError, match=r"Broken pipe|reset"):
            while sent < 2048:
                client.socket.sendall(chunk)
                sent += 1
        error = client.receive()
        assert error["error"] == "line_too_long"
        assert str(MAX_LINE_BYTES) in error["message"]
    assert 15 < sent < 32
    assert eventually(lambda: resident.megabytes() < before + 64)


@proves("resident-flood")
def test_others_are_served_while_somebody_sends_without_a_pause(resident: Resident) -> None:
    program = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(4096); s.setblocking(True)\n"
        'line = b\'{"version":1,"type":"ping","id":"1"}\\n\' * 2000\n'
        "import threading\n"
        "threading.Thread(target=lambda: [None for _ in iter(lambda: s.recv(1 << 20), b'')], daemon=True).start()\n"
        "while True: s.sendall(line)\n"
    )
    flood = subprocess.Popen([sys.executable, "-c", program, str(resident.path)], stderr=subprocess.DEVNULL, text=True)
    with ended_with(flood), resident.client() as client:
        waits = []
        for number in range(50):
            start = time.monotonic()
            client.send("ping", id=str(number))
            assert client.receive()["id"] == str(number)
            waits.append(time.monotonic() - start)
        assert client.ask(titled("answer"))["outcome"] == "answered"
        assert max(waits) < 1


@proves("resident-flood")
def test_a_client_that_reads_nothing_is_held_and_then_dropped(resident: Resident) -> None:
    before = resident.megabytes()
    with resident.client() as client:
        client.socket.settimeout(0.5)
        sent = 0
        with pytest.raises(OSError, match=r"timed out|Broken pipe|reset"):
            while True:
                client.socket.sendall(PING * 1000)
                sent += len(PING) * 1000
        # What it did not read has held up what it sends.
        assert sent < 16 * 1024 * 1024
        assert resident.megabytes() < before + 32
        # It is dropped when that lasts.
        eventually(lambda: resident.held()["peers"] == 0, seconds=5)


def test_a_slow_client_gets_a_long_result_to_its_end(resident: Resident) -> None:
    question = {"id": "q", "prompt": "x" * 8_000_000, "options": [{"value": "a"}]}
    with resident.client() as client:
        client.send("ask", id="1", form={"title": "answer", "questions": [question]})
        received, start = bytearray(), time.monotonic()
        while data := client.socket.recv(65_536):
            received += data
            if received.endswith(b"}\n") and received.count(b"\n") == 2:
                break
            time.sleep(0.025)  # not to wait for anything: this is how slow it is
        # Longer than what may stand unread, but never without progress for as long.
        assert time.monotonic() - start > 2
    started, result = (decode(line) for line in bytes(received).splitlines())
    assert started["type"] == "started"
    assert len(result["result"]["questions"][0]["prompt"]) == 8_000_000


@proves("resident-many")
def test_two_hundred_clients_in_two_seconds_are_all_served(resident: Resident) -> None:
    start = time.monotonic()
    clients = [Client(resident.path) for _ in range(200)]
    for client in clients:
        client.send("ask", id="1", form=titled("answer"))
    assert time.monotonic() - start < 2
    with resident.client() as other:
        other.send("ping", id="1")
        asked = time.monotonic()
        assert other.receive()["type"] == "pong"
        assert time.monotonic() - asked < 1
    for client in clients:
        assert client.until("result")["outcome"] == "answered"
        client.socket.close()


def test_two_hundred_clients_that_wait_are_all_let_go(resident: Resident) -> None:
    clients = [Client(resident.path) for _ in range(200)]
    for client in clients:
        client.send("ask", id="1", form=WAIT)
    flows = [client.until("started")["flowId"] for client in clients]
    assert [flow["flowId"] for flow in resident.waiting()] == flows
    for client in clients:
        client.socket.close()
    eventually(lambda: not resident.waiting())
