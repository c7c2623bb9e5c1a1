"""The command line: what it takes, what it says about the rest, and how little it loads for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from processes import COMMAND, ROOT, environment, run

# Starts the command and prints, at its end, which of the heavy packages are loaded.
LOADED = """
import sys
from pi_ask_qt.start import main
sys.argv[0] = "pi-ask"
try:
    code = main()
except SystemExit as error:
    code = error.code
heavy = {"PySide6", "shiboken6", "qasync", "pydantic", "asyncio"}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
sys.exit(code)
"""

HELP = [["--help"], ["-h"], ["--version"], ["ask", "--help"], ["demo", "--help"], ["confirm", "--help"]]
WRONG = [
    ([], "usage: pi-ask"),
    (["nonsense"], "nonsense"),
    (["ask"], "FORM.json"),
    (["ask", "a.json", "b.json"], "b.json"),
    (["ask", "a.json", "--nonsense"], "--nonsense"),
    (["ask", "a.json", "--time", "3"], "--time"),
    (["ask", "a.json", "--timeout"], "--timeout"),
    (["ask", "a.json", "-e"], "-e"),
    (["ask", "a.json", "--config"], "--config"),
    *[
        (["ask", "a.json", f"--timeout={time}"], f"{time!r} is no time; give a number of seconds greater than 0")
        for time in ("0", "-1", "nan", "inf", "-inf", "1e999", "soon", "", "0x10")
    ],
]


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LOADED, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False, timeout=20)


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_and_version_load_nothing_heavy(arguments: list[str]) -> None:
    done = start(*arguments)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert done.stdout.startswith("pi-ask 0." if "--version" in arguments else "usage: pi-ask")


@pytest.mark.parametrize(
    ("arguments", "words"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_wrong_usage_returns_2_says_what_is_wrong_and_loads_nothing_heavy(arguments: list[str], words: str) -> None:
    done = start(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.endswith("\n[]\n")


def test_help_tells_every_exit_code() -> None:
    told = run("ask", "--help").stdout.decode()
    for code in ("0", "1", "2", "3", "4", "5", "130"):
        assert f"  {code}  " in told


@pytest.mark.parametrize("arguments", HELP[:3], ids=" ".join)
def test_help_that_cannot_be_written_returns_3(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = run(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 3
    assert done.stderr == b"pi-ask: the result could not be written to standard output: No space left on device\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, b""),
        (b"", b"not JSON"),
        (b"{", b"not JSON"),
        (b"\xff", b"UTF-8"),
        (b"[]", b"must hold an object"),
        (b'{"behaviour": {"presentSingleAsMulti": []}}', b"behaviour.presentSingleAsMulti"),
        (b"[" * 20_000, b"not JSON"),
    ],
    ids=["missing", "empty", "cut off", "not text", "a list", "a wrong type", "nested"],
)
def test_a_configuration_that_cannot_be_used_stops_no_form(tmp_path: Path, content: bytes | None, words: bytes) -> None:
    config = tmp_path / "config.json"
    if content is not None:
        config.write_bytes(content)
    form = tmp_path / "form.json"
    form.write_text('{"questions": []}', encoding="utf-8")
    done = run("ask", str(form), "--config", str(config))
    assert done.returncode == 2
    assert b"needs at least one question" in done.stderr
    assert words in done.stderr
    assert (str(config).encode() in done.stderr) == bool(words)
    assert (config.read_bytes() if config.exists() else None) == content


def test_the_module_is_the_command(tmp_path: Path) -> None:
    env = environment(PYTHONPATH=str(ROOT))
    done = subprocess.run([*COMMAND, "--version"], cwd=tmp_path, env=env, capture_output=True, check=True, timeout=20)
    assert done.stdout.startswith(b"pi-ask 0.")


def test_what_could_steer_a_terminal_is_spelled_out(tmp_path: Path) -> None:
    done = run("ask", str(tmp_path / "\x1b[2Jform\u202e.json"))
    assert done.returncode == 2
    assert b"\\u001b[2Jform\\u202e.json" in done.stderr
