"""Where the resident listens: one of them, in a folder that is this user's alone, whatever a dead one left there."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from requirements import proves
from residents import WAIT, Resident, ended_with, eventually, finished, titled, write_form

from pi_ask import PiAsk
from pi_ask_qt.place import UntrustedPlaceError, check_folder, check_socket, socket_path
from pi_ask_qt.resident import ResidentError, ResidentRunningError, ResidentServer

NOBODY = 65534
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's runtime folder."""
    monkeypatch.delenv("PI_ASK_SOCKET", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path


# --- the path ---------------------------------------------------------------------------------------------------------


def test_the_socket_is_in_the_runtime_folder() -> None:
    assert socket_path({"XDG_RUNTIME_DIR": "/run/me"}) == "/run/me/pi-ask/resident.sock"


def test_a_variable_names_another_socket() -> None:
    assert socket_path({"XDG_RUNTIME_DIR": "/run/me", "PI_ASK_SOCKET": "/x/y.sock"}) == "/x/y.sock"
    assert socket_path({"PI_ASK_SOCKET": "y.sock"}) == str(Path.cwd() / "y.sock")


@pytest.mark.parametrize("environ", [{}, {"XDG_RUNTIME_DIR": ""}, {"XDG_RUNTIME_DIR": "relative"}])
def test_without_a_runtime_folder_the_systems_own_or_one_below_the_temporary_files_serves(
    environ: dict[str, str],
) -> None:
    uid = os.getuid()
    usual = f"/run/user/{uid}"
    other = "/var/tmp"  # noqa: S108 - only as text
    expected = f"{usual}/pi-ask" if Path(usual).is_dir() else f"{other}/pi-ask-{uid}"
    assert socket_path({**environ, "TMPDIR": other}) == f"{expected}/resident.sock"


async def test_the_folder_is_made_closed_and_the_socket_goes_in_the_end(runtime: Path) -> None:
    previous = os.umask(0)
    try:
        async with PiAsk() as pi, ResidentServer(pi) as server:
            assert server.path == runtime / "pi-ask" / "resident.sock"
            assert server.path.parent.stat().st_mode & 0o777 == 0o700
            assert server.path.stat().st_mode & 0o777 == 0o600
            check_socket(str(server.path))
        assert not server.path.exists()
    finally:
        os.umask(previous)


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
async def test_a_folder_that_others_can_enter_is_refused_and_left_as_it_is(runtime: Path, mode: int) -> None:
    folder = runtime / "pi-ask"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(ResidentError, match="chmod 700"):
        await ResidentServer(PiAsk()).start()
    assert folder.stat().st_mode & 0o777 == mode
    with pytest.raises(UntrustedPlaceError):
        check_folder(str(folder))


async def test_a_link_is_no_folder(runtime: Path) -> None:
    (runtime / "elsewhere").mkdir(mode=0o700)
    (runtime / "pi-ask").symlink_to(runtime / "elsewhere")
    with pytest.raises(ResidentError, match="not a folder"):
        await ResidentServer(PiAsk()).start()


@ROOT_ONLY
async def test_a_folder_of_another_user_is_refused(runtime: Path) -> None:
    (runtime / "pi-ask").mkdir(mode=0o700)
    os.chown(runtime / "pi-ask", NOBODY, NOBODY)
    with pytest.raises(ResidentError, match="another user"):
        await ResidentServer(PiAsk()).start()


async def test_a_path_that_is_too_long_for_a_socket_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResidentError, match="longer"):
        await ResidentServer(PiAsk(), tmp_path / ("x" * 100)).start()


async def test_a_file_in_the_way_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "r.sock"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(ResidentError, match="in the way"):
        await ResidentServer(PiAsk(), path).start()
    assert path.read_text(encoding="utf-8") == "mine"


async def test_a_runtime_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResidentError, match="gone"):
        await ResidentServer(PiAsk(), tmp_path / "gone" / "pi-ask" / "r.sock").start()


# --- one of them ------------------------------------------------------------------------------------------------------


async def test_a_second_resident_is_refused_and_named_the_first(tmp_path: Path) -> None:
    path = tmp_path / "r.sock"
    async with PiAsk() as pi, ResidentServer(pi, path):
        with pytest.raises(ResidentRunningError) as caught:
            await ResidentServer(pi, path).start()
        assert caught.value.pid == os.getpid()
        assert path.exists()
    async with PiAsk() as pi, ResidentServer(pi, path):
        assert path.exists()


async def test_a_living_socket_is_not_taken_though_its_lock_was_deleted(tmp_path: Path) -> None:
    path = tmp_path / "r.sock"
    async with PiAsk() as pi, ResidentServer(pi, path):
        path.with_name("r.sock.lock").unlink()
        with pytest.raises(ResidentRunningError):
            await ResidentServer(pi, path).start()
        reader, writer = await asyncio.open_unix_connection(str(path))
        assert b"hello" in await reader.readline()
        writer.close()
        await writer.wait_closed()


async def test_a_socket_that_somebody_put_in_its_place_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "r.sock"
    async with PiAsk() as pi, ResidentServer(pi, path):
        path.unlink()
        path.write_text("another's", encoding="utf-8")
    assert path.exists()


@proves("resident-place")
def test_what_a_killed_resident_left_behind_is_taken_over(tmp_path: Path) -> None:
    with Resident(tmp_path) as first:
        first.signal(signal.SIGKILL)
        first.process.wait(5)
        assert first.path.exists()
        with Resident(tmp_path) as second, second.client() as client:
            assert client.ask(titled("answer"))["outcome"] == "answered"


@proves("resident-place")
def test_of_many_that_start_at_once_over_a_dead_ones_socket_one_stays(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "resident.sock"))
    program = (
        "import asyncio, sys\n"
        "from pi_ask import PiAsk\n"
        "from pi_ask_qt.resident import ResidentRunningError, ResidentServer\n"
        "async def main():\n"
        "    sys.stdin.readline()\n"
        "    try:\n"
        "        async with PiAsk() as pi, ResidentServer(pi, sys.argv[1]):\n"
        "            print('stays', flush=True)\n"
        "            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)\n"
        "    except ResidentRunningError:\n"
        "        print('goes', flush=True)\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "resident.sock")]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environ())
        for _ in range(6)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = []
    for process in started:
        assert process.stdout is not None
        said.append(process.stdout.readline().strip())
    for process in started:
        process.communicate("\n", timeout=10)
    assert sorted(said) == ["goes"] * 5 + ["stays"]


def test_the_command_says_that_a_resident_is_running(tmp_path: Path) -> None:
    with Resident(tmp_path) as resident:
        done = resident.run("tray")
        assert done.returncode == 3
        assert f"process {resident.process.pid}" in done.stderr


# --- nobody else ------------------------------------------------------------------------------------------------------

OTHER_USER = (
    "import socket, sys; s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1]);"
    "sys.stdout.write(s.makefile().read())"
)


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that every user can reach, if it lets them in."""
    with tempfile.TemporaryDirectory(prefix="pi-ask-test-") as folder:
        yield Path(folder)


@proves("resident-private")
@ROOT_ONLY
def test_another_user_is_refused_though_the_folder_let_it_through(reachable: Path) -> None:
    with Resident(reachable) as resident:
        reachable.chmod(0o755)
        resident.path.chmod(0o666)
        done = subprocess.run(
            [_system_python(), "-c", OTHER_USER, str(resident.path)],
            user=NOBODY,
            group=NOBODY,
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
        assert '"refused"' in done.stdout
        assert "hello" not in done.stdout


@proves("resident-private")
@ROOT_ONLY
def test_a_listener_of_another_user_is_not_talked_to(reachable: Path, tmp_path: Path) -> None:
    reachable.chmod(0o777)
    program = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('listens', flush=True)\n"
        "c, _ = s.accept()\n"
        "try: c.sendall(sys.argv[2].encode() + bytes([10])); print(c.recv(9))\n"
        "except OSError: print(b'')\n"
    )
    path = reachable / "r.sock"
    command = [_system_python(), "-c", program, str(path), '{"version":1,"type":"hello"}']
    with ended_with(
        subprocess.Popen(command, user=NOBODY, group=NOBODY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ) as impostor:
        assert impostor.stdout is not None
        assert impostor.stdout.readline() == "listens\n", impostor.communicate()
        # The folder and the socket look like this user's own; the process behind it is not.
        os.chown(path, 0, 0)
        reachable.chmod(0o700)
        client = subprocess.run(
            [sys.executable, "-m", "pi_ask_qt", "ask", write_form(tmp_path, WAIT), "--timeout", "0.2"],
            env={**_environ(), "PI_ASK_SOCKET": str(path), "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert "another user" in client.stderr
        assert client.returncode == 5  # it has asked in its own process
        assert impostor.stdout.readline() == "b''\n"


@proves("resident-private")
def test_a_socket_in_an_open_folder_is_not_used(tmp_path: Path) -> None:
    with Resident(tmp_path) as resident:
        tmp_path.chmod(0o755)
        done = resident.run("ask", write_form(tmp_path, titled("answer")), "--timeout", "0.2")
        assert "chmod 700" in done.stderr
        assert done.returncode == 5  # the person of this resident was not asked
        assert finished(resident.command("pending")).returncode == 3
        tmp_path.chmod(0o700)
        eventually(lambda: resident.run("ask", write_form(tmp_path, titled("answer"))).returncode == 0)


def _environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def _system_python() -> str:
    # The one that runs the tests may lie in a folder that is closed to others.
    return "/usr/bin/python3"
