"""The command ``pi-ask config``: where the file is, what is in force, and what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT, environment, run
from requirements import proves

from pi_ask import AskConfig

USAGE = b"Try 'pi-ask config --help'."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.json"


def config(what: str, path: Path, content: Any = None) -> subprocess.CompletedProcess[bytes]:
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return run("config", what, "--config", str(path))


@proves("config-command", "config-place")
def test_path_prints_where_the_file_is(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "ä b"), "LC_ALL": "C"}
    named = {**home, "PI_ASK_CONFIG": "named.json"}
    for arguments, variables, expected in (
        ([], home, tmp_path / "ä b" / "pi-ask" / "config.json"),
        ([], named, tmp_path / "named.json"),
        (["--config", "other.json"], named, tmp_path / "other.json"),
        (["--config", "~/mine.json"], named, tmp_path / "mine.json"),
    ):
        env = {key: value for key, value in environment(PYTHONPATH=str(ROOT)).items() if key != "PI_ASK_CONFIG"}
        done = run("config", "path", *arguments, env={**env, **variables}, cwd=tmp_path)
        assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"{expected}\n", b"")
    assert list(tmp_path.iterdir()) == []


def test_path_prints_the_very_bytes_of_a_name_that_is_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.json"
    done = run("config", "path", "--config", os.fsdecode(name))
    assert (done.returncode, done.stdout) == (0, name + b"\n")


@proves("config-command")
def test_show_prints_what_is_in_force(path: Path) -> None:
    done = config("show", path)
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, AskConfig().to_wire(), b"")
    assert not path.exists()
    done = config("show", path, {"desktop": {"theme": "dark", "history": 1}, "mine": True})
    expected = AskConfig().to_wire()
    expected["desktop"]["theme"] = "dark"
    assert (done.returncode, json.loads(done.stdout)) == (0, expected)
    assert b"desktop.history" in done.stderr


@proves("config-command")
@pytest.mark.parametrize("content", [None, {}, AskConfig().to_wire(), {"schemaVersion": 3, "mine": [1]}])
def test_check_has_nothing_to_say_where_all_is_well(path: Path, content: Any) -> None:
    done = config("check", path, content)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@proves("config-command", "config-unusable")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["is not JSON"]),
        (b"{", ["is not JSON"]),
        (b"[]", ["must hold an object"]),
        (b"\x00\xff", ["is not UTF-8"]),
        ({"schemaVersion": 6}, ["newer"]),
        ({"behaviour": {"showFooterHints": "no"}, "desktop": []}, ["behaviour.showFooterHints", "desktop"]),
        (
            {"keymaps": {"global": {"dismiss": "ctrl+c"}, "main": [], "editor": 5, "noteEditor": ""}},
            [
                "keymaps.global.settings",
                "keymaps.main",
                "keymaps.editor",
                "keymaps.noteEditor",
                "keymaps.settingsModal",
            ],
        ),
        ({"notifications": {"channels": ["osc9", "bell"]}}, ["notifications.channels.0"]),
    ],
)
def test_check_says_everything_that_is_wrong_a_line_each(path: Path, content: Any, words: list[str]) -> None:
    done = config("check", path, content)
    assert (done.returncode, done.stdout) == (2, b"")
    lines = done.stderr.decode().splitlines()
    assert all(line.startswith(f"pi-ask: {path}") for line in lines)
    assert len(lines) == len(words)
    assert all(any(word in line for line in lines) for word in words)


def test_a_folder_is_said_to_be_none(tmp_path: Path) -> None:
    done = config("check", tmp_path)
    assert (done.returncode, done.stderr) == (2, f"pi-ask: {tmp_path} is no regular file; defaults are used\n".encode())


def test_a_name_that_could_steer_a_terminal_is_spelled_out(tmp_path: Path) -> None:
    done = config("check", tmp_path / "a\x1b[2J\nb.json", b"{")
    assert b"a\\u001b[2J b.json is not JSON" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("arguments", [["config"], ["config", "edit"], ["config", "check", "--config"]])
def test_wrong_usage_returns_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert USAGE in done.stderr


def test_an_output_that_cannot_be_written_returns_3(path: Path) -> None:
    for what in ("path", "show"):
        with open("/dev/full", "wb") as full:
            done = run("config", what, "--config", str(path), capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, b"could not be written" in done.stderr) == (3, True)


def test_the_command_does_without_qt(path: Path) -> None:
    program = (
        "import sys\nfrom pi_ask_qt.cli import main\nmain(sys.argv[1:])\n"
        "sys.exit(bool({'PySide6', 'qasync', 'asyncio'} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", program, "config", "show", "--config", str(path)]
    subprocess.run(command, env=environment(PYTHONPATH=str(ROOT)), capture_output=True, check=True, timeout=30)
