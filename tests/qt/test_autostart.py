"""Starting with the desktop: the entry says what it should, and nobody else's file is touched."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import COMMAND, environment
from requirements import proves

from pi_ask_qt import autostart
from pi_ask_qt.autostart import AutostartError, entry_text, is_on, switch_off, switch_on

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="desktop entries are for Linux")

_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "autostart"


def values(text: str) -> dict[str, str]:
    """Return the keys of an entry, read by the rules for strings."""
    lines = text.splitlines()
    assert lines[0] == "[Desktop Entry]"
    pairs = (line.split("=", 1) for line in lines[1:])
    return {key: unescaped(value) for key, value in pairs}


def unescaped(value: str) -> str:
    rest = iter(value)
    return "".join(_ESCAPES[next(rest)] if one == "\\" else one for one in rest)


def words(value: str) -> list[str]:
    """Split an Exec value, each word of which is in quotation marks, by the rules of the specification."""
    found, rest = [], iter(value)
    for one in rest:
        if one == " ":
            continue
        assert one == '"'
        word = ""
        while (inner := next(rest)) != '"':
            assert inner not in "`$"
            word += next(rest) if inner == "\\" else inner
        found.append(word)
    assert all("%" not in word.replace("%%", "") for word in found)
    return [word.replace("%%", "%") for word in found]


PLAIN = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=20)


@given(st.lists(PLAIN, min_size=1, max_size=4).filter(lambda command: "=" not in command[0]))
def test_any_command_comes_back_as_it_was(command: list[str]) -> None:
    entry = values(entry_text(command))
    assert words(entry["Exec"]) == command
    assert entry["TryExec"] == command[0]
    assert Path(entry["Icon"]).is_file()


@pytest.mark.parametrize("command", [["/a\nb"], ["/a\x1bb"], ["/\udcff"], ["/a=b"], [""], ["/a", "b\rExec=evil"]])
def test_what_an_entry_cannot_hold_is_refused_and_nothing_is_written(command: list[str], folder: Path) -> None:
    with pytest.raises(AutostartError, match=r"a desktop entry cannot start"):
        switch_on(command)
    assert not folder.exists() or list(folder.iterdir()) == []


@proves("tray-autostart")
def test_it_is_switched_on_and_off_and_on_again(folder: Path) -> None:
    assert not is_on()
    assert switch_on() == folder / "pi-ask-tray.desktop"
    assert is_on()
    assert stat.S_IMODE((folder / "pi-ask-tray.desktop").stat().st_mode) & 0o022 == 0
    switch_on()
    assert [path.name for path in folder.iterdir()] == ["pi-ask-tray.desktop"]
    switch_off()
    assert list(folder.iterdir()) == []
    switch_off()
    assert not is_on()


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_a_desktop_that_has_switched_it_off_counts(line: str) -> None:
    path = switch_on()
    text = path.read_text(encoding="utf-8").replace("X-GNOME-Autostart-enabled=true\n", "")
    path.write_text(f"{text}{line}\n", encoding="utf-8")
    assert not is_on()
    switch_on()
    assert is_on()


def test_somebody_elses_entry_is_left_as_it_is(folder: Path) -> None:
    folder.mkdir()
    path = folder / "pi-ask-tray.desktop"
    path.write_text("[Desktop Entry]\nExec=mine\n", encoding="utf-8")
    for act in (switch_on, switch_off, is_on):
        with pytest.raises(AutostartError, match=r"was not written by pi-ask"):
            act()
    assert path.read_text(encoding="utf-8") == "[Desktop Entry]\nExec=mine\n"


@pytest.mark.parametrize("kind", ["folder", "dangling link"])
def test_what_is_no_entry_at_all_is_left_too(kind: str, folder: Path) -> None:
    folder.mkdir()
    path = folder / "pi-ask-tray.desktop"
    path.mkdir() if kind == "folder" else path.symlink_to("nowhere")
    for act in (switch_on, switch_off):
        with pytest.raises(AutostartError, match=r"left as it is"):
            act()
    assert path.is_dir() or path.is_symlink()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_said(folder: Path) -> None:
    folder.mkdir(mode=0o500)
    with pytest.raises(AutostartError, match=r"cannot be written"):
        switch_on()


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed")
def test_the_desktops_own_judge_finds_nothing_wrong() -> None:
    done = subprocess.run(["desktop-file-validate", switch_on()], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=30, check=False, env=environment()
    )


@proves("tray-autostart")
def test_the_command_says_what_it_did(folder: Path) -> None:
    assert run("tray", "--autostart", "status").stdout == "off\n"
    on = run("tray", "--autostart", "on")
    assert (on.returncode, on.stdout) == (0, "")
    assert str(folder / "pi-ask-tray.desktop") in on.stderr
    assert run("tray", "--autostart", "status").stdout == "on\n"
    assert run("tray", "--autostart", "off").returncode == 0
    assert run("tray", "--autostart", "status").stdout == "off\n"


def test_a_failure_is_one_line_and_exit_code_3(folder: Path) -> None:
    folder.mkdir()
    (folder / "pi-ask-tray.desktop").write_text("mine", encoding="utf-8")
    done = run("tray", "--autostart", "on")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert run("tray", "--autostart", "perhaps").returncode == 2


def test_the_command_of_the_entry_starts_the_resident_without_a_window(tmp_path: Path) -> None:
    command = words(values(switch_on().read_text(encoding="utf-8"))["Exec"])
    assert command[-2:] == ["tray", "--hidden"]
    # The entry is for a program that is installed; this one may run from a checkout.
    command = [*COMMAND, *autostart.tray_command()[-2:]]
    env = environment(QT_QPA_PLATFORM="offscreen", PI_ASK_SOCKET=str(tmp_path / "r.sock"))
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert process.stderr is not None
        assert "listens" in process.stderr.readline()
        process.terminate()
        assert process.wait(20) == 0
