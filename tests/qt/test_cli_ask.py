"""The command asks a form in a real process: what it prints, and what it returns."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bridges import OPENED, announcing, extension, responding
from helpers import form
from processes import COMMAND, ROOT, environment, run, running, wait_for, x_server, x_server_process

FORM = json.dumps(form(title="Colours"))
ANSWER = {"kind": "answer", "answers": {"q": {"values": ["b"]}}}
CANCEL = {"kind": "cancel"}

Done = subprocess.CompletedProcess[bytes]


@pytest.fixture
def form_file(tmp_path: Path) -> str:
    path = tmp_path / "form.json"
    path.write_text(FORM, encoding="utf-8")
    return str(path)


def document(done: Done) -> dict[str, Any]:
    """Return the one document on standard output."""
    assert done.stdout.endswith(b"\n")
    assert done.stdout.count(b"\n") == 1
    parsed: dict[str, Any] = json.loads(done.stdout)
    return parsed


def assert_one_line(done: Done, code: int, *words: str) -> None:
    """Check that nothing but one line on standard error, with ``words``, came with ``code``."""
    line = done.stderr.decode()
    assert (done.returncode, done.stdout) == (code, b""), line
    assert line.startswith("pi-ask: ")
    assert line.count("\n") == 1, line
    for word in words:
        assert word in line


def closed(process: subprocess.Popen[bytes], seconds: float = 5) -> Done:
    """Wait for the end of ``process``, for ``seconds`` at most."""
    out, err = process.communicate(timeout=seconds)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def opened(process: subprocess.Popen[bytes]) -> None:
    """Wait until the form's window is on the screen."""
    assert process.stderr is not None
    assert process.stderr.readline() == OPENED


# --- how a form ends --------------------------------------------------------------------------------------------------


def test_an_answer_is_printed_and_returns_0(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "-e", responding(tmp_path, ANSWER))
    assert (done.returncode, done.stderr) == (0, b"")
    assert document(done)["answers"] == {"q": {"values": ["b"], "labels": ["B"], "indices": [2]}}


def test_a_form_can_come_on_standard_input(tmp_path: Path) -> None:
    done = run("ask", "-", "-e", responding(tmp_path, ANSWER), input=FORM.encode())
    assert done.returncode == 0
    assert document(done)["title"] == "Colours"


def test_a_form_can_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with running("ask", str(pipe), "-e", responding(tmp_path, ANSWER)) as process:
        pipe.write_text(FORM, encoding="utf-8")
        done = closed(process, 20)
    assert document(done)["title"] == "Colours"


def test_a_request_to_elaborate_returns_4(form_file: str, tmp_path: Path) -> None:
    response = {"kind": "answer", "mode": "elaborate", "answers": {"q": {"note": "Which blue?"}}}
    done = run("ask", form_file, "-e", responding(tmp_path, response))
    assert done.returncode == 4
    assert document(done)["elaboration"]["items"][0]["note"] == "Which blue?"


def test_a_cancel_returns_1_and_the_cancelled_result(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "-e", responding(tmp_path, CANCEL))
    assert (done.returncode, done.stderr) == (1, b"")
    assert (document(done)["cancelled"], document(done)["answers"]) == (True, {})


def test_a_form_that_times_out_returns_5_and_no_result(form_file: str, tmp_path: Path) -> None:
    start = time.monotonic()
    with running("ask", form_file, "--timeout", "1.5", "-e", announcing(tmp_path)) as process:
        opened(process)
        done = closed(process, 10)
    assert time.monotonic() - start > 1.5
    assert_one_line(done, 5, "not answered in time", "nothing was chosen")


def test_an_answer_before_the_time_is_an_answer(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "--timeout", "600", "-e", responding(tmp_path, ANSWER))
    assert done.returncode == 0


def test_a_bridge_that_answers_at_once_needs_no_window(form_file: str, tmp_path: Path) -> None:
    path = tmp_path / "at_once.py"
    path.write_text(
        "from pi_ask import STARTED, SUBMIT\n"
        "def extension(pi):\n"
        "    def on_started(event):\n"
        f"        pi.events.emit(SUBMIT, dict(version=1, requestId='r', flowId=event.flow_id, response={ANSWER!r}))\n"
        "    pi.events.on(STARTED, on_started)\n",
        encoding="utf-8",
    )
    assert run("ask", form_file, "-e", str(path)).returncode == 0


def test_a_window_that_qt_takes_away_is_a_failure(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "-e", announcing(tmp_path, "(await window()).deleteLater()"))
    assert done.returncode == 3
    assert done.stdout == b""
    assert b"Qt destroyed the window" in done.stderr.removeprefix(OPENED)
    assert b"Traceback" not in done.stderr


def test_an_extension_whose_listener_exits_is_a_failure(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "-e", extension(tmp_path, "sys.exit(0)"))
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"pi-ask: failed: SystemExit: 0" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("place", ["commands.ask.carry_out", "quick.try_quickly"])
def test_what_nobody_expected_is_a_failure_not_a_cancel(form_file: str, place: str) -> None:
    module, _, name = place.rpartition(".")
    program = (
        f"import sys, pi_ask_qt.{module} as module; module.{name} = lambda *_: {{}}['surprise'];"
        "from pi_ask_qt.start import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "ask", form_file], cwd=ROOT, env=environment(), capture_output=True, check=False
    )
    assert_one_line(done, 3, "KeyError: 'surprise'", "<string>:1")


# --- forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"nonsense",
        b"NaN",
        b"[]",
        b"null",
        b'{"questions": [], "title": NaN}',
        b'{"questions": []}',
        b'\xff\xfe{"questions": []}',
        b'{"title": "\\ud800", "questions": [{"id": "q", "prompt": "\\ud800", "options": [{"value": "a"}]}]}',
        b"[" * 20_000,
        b'{"questions": ' * 20_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_an_invalid_form_returns_2_with_the_issues_in_both_places(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "form.json"
    path.write_bytes(text)
    for env in (environment(QT_QPA_PLATFORM="offscreen"), environment()):
        done = run("ask", str(path), env=env)
        assert done.returncode == 2
        result = document(done)
        assert result["cancelled"] is True
        assert result["error"]["issues"]
        for issue in result["error"]["issues"]:
            assert issue["message"] in done.stderr.decode()
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("source", ["missing.json", ".", "/dev/zero", "/proc/self/mem"])
def test_a_form_that_cannot_be_read_returns_2(tmp_path: Path, source: str) -> None:
    assert_one_line(run("ask", source, cwd=tmp_path, env=environment(PYTHONPATH=str(ROOT))), 2, f"the form {source}")


def test_an_empty_standard_input_is_an_invalid_form() -> None:
    assert run("ask", "-", stdin=subprocess.DEVNULL).returncode == 2


def test_a_title_replaces_that_of_the_form(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "--title", "Ünlike <b>R&D</b>", "-e", responding(tmp_path, ANSWER))
    assert document(done)["title"] == "Ünlike <b>R&D</b>"
    done = run("ask", form_file, "--title", "\udcff", "-e", responding(tmp_path, ANSWER))
    assert done.returncode == 2


def test_single_questions_can_be_presented_as_multi(form_file: str, tmp_path: Path) -> None:
    both = {"kind": "answer", "answers": {"q": {"values": ["a", "b"]}}}
    done = run("ask", form_file, "--present-single-as-multi", "-e", responding(tmp_path, both))
    assert document(done)["questions"][0]["presentedType"] == "multi"


# --- configuration and extensions -------------------------------------------------------------------------------------


def test_a_configuration_file_is_used(form_file: str, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"behaviour": {"presentSingleAsMulti": true}}', encoding="utf-8")
    done = run("ask", form_file, "--config", str(config), "-e", responding(tmp_path, ANSWER))
    assert document(done)["questions"][0]["presentedType"] == "multi"


def test_extensions_are_loaded_in_order(form_file: str, tmp_path: Path) -> None:
    first = extension(tmp_path, "print('first', flush=True)", "first.py")
    second = responding(tmp_path, ANSWER)
    done = run("ask", form_file, "-e", first, "--extension", second)
    assert (done.returncode, done.stderr) == (0, b"first\n")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("def extension(pi):\n    pi.nothing()\n", 2, "AttributeError"),
        ("x = 1\ny = =\n", 2, "SyntaxError"),
        ("import sys\nsys.exit(0)\n", 2, "SystemExit"),
        ("def extention(pi): ...\n", 1, "extension(pi)"),
        ("raise ValueError('two\\nlines')\n", 1, "ValueError"),
        ("async def extension(pi): ...\n", None, "coroutine"),
    ],
)
def test_an_extension_that_fails_to_load_names_file_and_line(
    form_file: str, tmp_path: Path, text: str, line: int | None, what: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text, encoding="utf-8")
    place = str(path) if line is None else f"{path}:{line}"
    assert_one_line(run("ask", form_file, "-e", str(path)), 2, place, what)


def test_an_extension_that_is_not_there_is_named(form_file: str, tmp_path: Path) -> None:
    assert_one_line(run("ask", form_file, "-e", str(tmp_path / "none.py")), 2, "none.py")


# --- standard output --------------------------------------------------------------------------------------------------

NOISE = """
import ctypes, subprocess
print("print")
print("real", file=sys.__stdout__, flush=True)
os.write(1, b"descriptor\\n")
ctypes.CDLL(None).puts(b"C")
ctypes.CDLL(None).fflush(None)
subprocess.run(["echo", "child"], check=True)
"""


def test_standard_output_holds_the_document_alone_whatever_prints(form_file: str, tmp_path: Path) -> None:
    done = run("ask", form_file, "-e", responding(tmp_path, ANSWER, NOISE))
    assert document(done)["answers"]["q"]["values"] == ["b"]
    assert sorted(done.stderr.split()) == [b"C", b"child", b"descriptor", b"print", b"real"]


@pytest.mark.parametrize(
    "variables", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"PYTHONUTF8": "0"}]
)
def test_the_document_is_utf_8_whatever_the_locale(form_file: str, tmp_path: Path, variables: dict[str, str]) -> None:
    response = {"kind": "answer", "answers": {"q": {"customText": "grün ✓ 色"}}}
    env = environment(QT_QPA_PLATFORM="offscreen", **variables)
    done = run("ask", form_file, "-e", responding(tmp_path, response), env=env)
    assert "grün ✓ 色" in done.stdout.decode("utf-8")


def test_a_closed_standard_output_is_a_failure(form_file: str) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "ask", form_file],
        env=environment(QT_QPA_PLATFORM="offscreen"), capture_output=True, check=False, timeout=20,
    )  # fmt: skip
    assert_one_line(done, 3, "standard output is closed")


def test_a_closed_standard_error_hurts_nobody(form_file: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *COMMAND, "ask", form_file, "-e", responding(tmp_path, ANSWER, NOISE)],
        env=environment(QT_QPA_PLATFORM="offscreen"), capture_output=True, check=False, timeout=20,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert document(done)["answers"]["q"]["values"] == ["b"]


def test_a_full_disk_is_a_failure(form_file: str, tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = run("ask", form_file, "-e", responding(tmp_path, ANSWER), capture_output=False, stdout=full, stderr=-1)
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr


def test_a_form_closes_when_nobody_reads_the_output_any_more(form_file: str, tmp_path: Path) -> None:
    with running("ask", form_file, "-e", announcing(tmp_path)) as process:
        opened(process)
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(2) == 3
        assert process.stderr is not None
        assert b"standard output was closed" in process.stderr.read()


def test_a_long_document_goes_through_a_pipe_that_does_not_wait(form_file: str, tmp_path: Path) -> None:
    note = "n" * 1_000_000
    response = {"kind": "answer", "answers": {"q": {"values": ["a"], "note": note}}}
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with running("ask", form_file, "-e", responding(tmp_path, response), stdout=theirs) as process:
        os.close(theirs)
        with open(ours, "rb") as reader:
            result = json.loads(reader.read())
        assert process.wait(10) == 0
    assert result["answers"]["q"]["note"] == note


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_form_is_open_returns_130(form_file: str, tmp_path: Path, number: int) -> None:
    with running("ask", form_file, "-e", announcing(tmp_path)) as process:
        opened(process)
        process.send_signal(number)
        assert_one_line(closed(process, 2), 130, "interrupted", "nothing was chosen")


def test_a_second_signal_ends_a_program_whose_extension_hangs(form_file: str, tmp_path: Path) -> None:
    hangs = """
try:
    await asyncio.Event().wait()
finally:
    print("hanging", flush=True)
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass
"""
    with running("ask", form_file, "-e", announcing(tmp_path, hangs)) as process:
        opened(process)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.readline() == b"hanging\n"
        process.send_signal(signal.SIGINT)
        assert closed(process, 2).returncode == 130


def test_a_job_in_the_background_is_not_interrupted(form_file: str, tmp_path: Path) -> None:
    answers = responding(tmp_path, ANSWER, "print('opened', flush=True)\nawait asyncio.sleep(0.3)")
    ignores = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", ignores, *COMMAND, "ask", form_file, "-e", answers],
        env=environment(QT_QPA_PLATFORM="offscreen"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        opened(process)
        process.send_signal(signal.SIGINT)
        assert closed(process, 10).returncode == 0


@pytest.mark.parametrize("options", [[], ["--here"]], ids=["resident first", "here"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_form_is_awaited_on_standard_input_returns_130(number: int, options: list[str]) -> None:
    with running("ask", "-", *options, stdin=subprocess.PIPE) as process:
        # Once the signals are caught, as the kernel tells, the command is past its start.
        status = Path(f"/proc/{process.pid}/status")
        wait_for(lambda: _catches(status, signal.SIGTERM) and _waits(process.pid))
        process.send_signal(number)
        assert_one_line(closed(process, 5), 130, "interrupted")


def _catches(status: Path, number: int) -> bool:
    caught = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def _waits(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "S"


# --- screens ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({}, "There is no display"),
        ({"DISPLAY": ":4711"}, "':4711' cannot be reached"),
        ({"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/nowhere"}, "'wayland-9'"),
        ({"QT_QPA_PLATFORM": "nonsense", "DISPLAY": ":0"}, "'nonsense'"),
    ],
)
def test_without_a_screen_one_line_says_what_to_do(form_file: str, variables: dict[str, str], words: str) -> None:
    start = time.monotonic()
    done = run("ask", form_file, env=environment(**variables))
    assert time.monotonic() - start < 5
    assert_one_line(done, 3, words)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with x_server() as name:
        yield name


@pytest.mark.parametrize(("library", "package"), [("libxcb-cursor.so.0", "libxcb-cursor0"), ("libEGL.so.1", "libegl1")])
def test_a_missing_library_is_named_with_the_line_that_installs_it(
    form_file: str, tmp_path: Path, display: str, library: str, package: str
) -> None:
    (tmp_path / library).touch()
    env = environment(DISPLAY=display, LD_LIBRARY_PATH=str(tmp_path))
    assert_one_line(run("ask", form_file, env=env), 3, library, f"apt-get install -y {package}")


def test_a_missing_library_is_named_offscreen_too(form_file: str, tmp_path: Path) -> None:
    (tmp_path / "libEGL.so.1").touch()
    env = environment(QT_QPA_PLATFORM="offscreen", LD_LIBRARY_PATH=str(tmp_path))
    assert_one_line(run("ask", form_file, env=env), 3, "libEGL.so.1", "apt-get install -y libegl1")


def test_a_screen_that_goes_away_is_a_failure_not_a_cancel(form_file: str, tmp_path: Path) -> None:
    with x_server_process() as (display, server):
        env = environment(DISPLAY=display)
        with running("ask", form_file, "-e", announcing(tmp_path), env=env) as process:
            opened(process)
            server.kill()
            assert_one_line(closed(process), 3, "the screen went away")


def test_without_any_font_the_line_to_run_is_printed(form_file: str, tmp_path: Path) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text("<fontconfig></fontconfig>", encoding="utf-8")
    env = environment(QT_QPA_PLATFORM="offscreen", FONTCONFIG_FILE=str(fonts))
    done = run("ask", form_file, "-e", responding(tmp_path, ANSWER), env=env)
    assert done.returncode == 0
    assert b"apt-get install -y fonts-dejavu-core" in done.stderr
