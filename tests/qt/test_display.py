"""Before Qt ends the process, the program says in one line why no window can be shown."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from processes import ROOT, environment, x_server

from pi_ask_qt import x11
from pi_ask_qt.display import find_display, is_offscreen, screen_problem
from pi_ask_qt.libraries import missing_line, platforms

COOKIE = bytes(range(16))


def problem(**env: str) -> str:
    found = screen_problem(env)
    assert found is not None
    assert "\n" not in found
    return found


@contextmanager
def listening(path: Path, reply: bytes | None = None) -> Iterator[None]:
    """Listen at ``path``; send ``reply`` to everyone who connects, or nothing at all."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                held.append(client)
                if reply is not None:
                    client.recv(1000)
                    client.sendall(reply)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(5)
            for client in held:
                client.close()


@pytest.fixture(autouse=True)
def _nothing_is_held() -> Iterator[None]:
    yield
    x11.release()


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with x_server() as name:
        yield name


def authority(*entries: tuple[int, bytes, bytes, bytes]) -> bytes:
    """Return an X authority file with entries of family, address, number and cookie."""
    content = b""
    for family, *fields in entries:
        content += struct.pack(">H", family)
        for field in (fields[0], fields[1], b"MIT-MAGIC-COOKIE-1", fields[2]):
            content += struct.pack(">H", len(field)) + field
    return content


def test_without_a_display_it_says_what_to_set() -> None:
    assert problem() == ("There is no display. Run it in a desktop session, or set DISPLAY or WAYLAND_DISPLAY to one.")


@pytest.mark.parametrize("platform", ["offscreen", "offscreen:configfile=x", "minimal", "VNC", "xcb;offscreen"])
def test_a_platform_without_a_screen_needs_none(platform: str) -> None:
    assert screen_problem({"QT_QPA_PLATFORM": platform}) is None


@pytest.mark.parametrize(
    ("platform", "expected"), [("offscreen", True), ("minimal", True), ("xcb", False), ("", False)]
)
def test_offscreen_is_known_by_its_platform(platform: str, *, expected: bool) -> None:
    assert is_offscreen({"QT_QPA_PLATFORM": platform, "DISPLAY": ":0"}) is expected


def test_an_unknown_platform_is_named_with_those_that_there_are() -> None:
    assert "'cocoa'" in problem(QT_QPA_PLATFORM="cocoa", DISPLAY=":0")
    assert "xcb" in problem(QT_QPA_PLATFORM="cocoa")
    assert {"xcb", "offscreen"} <= set(platforms())


def test_a_display_that_answers_is_fine(display: str) -> None:
    assert screen_problem({"DISPLAY": display}) is None
    assert screen_problem({"DISPLAY": f"{display}.0"}) is None
    assert screen_problem({"DISPLAY": f"unix{display}"}) is None
    assert screen_problem({"DISPLAY": f"{x11.SOCKETS}/X{display[1:]}"}) is None
    assert screen_problem({"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}) is None


@pytest.mark.parametrize(
    "name",
    [":4711", ":4711.0", "localhost:4711", "127.0.0.1:59000", "[::1]:4711", ":", ":x", "nonsense", ":-1", "/nowhere:0"],
)
def test_a_dead_display_is_named(name: str) -> None:
    assert problem(DISPLAY=name).startswith(f"The display {name!r} cannot be reached.")


def test_a_socket_nobody_listens_at_is_a_dead_display(tmp_path: Path) -> None:
    path = tmp_path / "X0"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    assert "cannot be reached" in problem(DISPLAY=str(path))


def test_a_display_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x11, "TIMEOUT_SECONDS", 0.2)
    with listening(tmp_path / "X0"):
        assert "does not answer" in problem(DISPLAY=f"{tmp_path}/X0")


@pytest.mark.parametrize("reply", [b"\0\x10", b"\2", b"HTTP/1.1 400"])
def test_a_display_that_refuses_is_named(tmp_path: Path, reply: bytes) -> None:
    with listening(tmp_path / "X0", reply):
        assert "refuses this program; check XAUTHORITY" in problem(DISPLAY=f"{tmp_path}/X0")


def test_a_server_that_starts_afresh_is_asked_again(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "X0"))
        server.listen()

        def serve() -> None:
            server.accept()[0].close()
            client, _ = server.accept()
            client.recv(1000)
            client.sendall(b"\1")
            # The connection is held until another has been made.
            client.settimeout(0)
            with pytest.raises(BlockingIOError):
                client.recv(1)
            held.set()
            client.settimeout(5)
            gone.append(client.recv(1))
            client.close()

        gone: list[bytes] = []
        held = threading.Event()
        thread = threading.Thread(target=serve)
        thread.start()
        assert screen_problem({"DISPLAY": f"{tmp_path}/X0"}) is None
        assert held.wait(5)
        x11.release()
        thread.join(5)
        assert gone == [b""]


def test_the_cookie_of_this_server_is_used(tmp_path: Path) -> None:
    file = tmp_path / "authority"
    host = socket.gethostname().encode()
    file.write_bytes(authority((256, host, b"", COOKIE)))
    with x_server("-auth", str(file)) as display:
        number = display[1:].encode()
        ours = tmp_path / "ours"
        wrong = bytes(16)
        ours.write_bytes(
            authority((256, b"elsewhere", number, wrong), (256, host, b"999", wrong), (256, host, number, COOKIE))
        )
        assert screen_problem({"DISPLAY": display, "XAUTHORITY": str(ours)}) is None
        ours.write_bytes(authority((65535, b"", b"", COOKIE)))
        assert screen_problem({"DISPLAY": display, "XAUTHORITY": str(ours)}) is None
        for content in (b"", b"garbage", authority((256, host, number, wrong))):
            ours.write_bytes(content)
            assert "refuses" in problem(DISPLAY=display, XAUTHORITY=str(ours))
        assert "refuses" in problem(DISPLAY=display, HOME=str(tmp_path / "nobody"))


def test_a_wayland_compositor_that_answers_is_fine(tmp_path: Path) -> None:
    env = {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7"}
    assert "'wayland-7'" in problem(**env)
    with listening(tmp_path / "wayland-7"):
        assert screen_problem(env) is None
        assert screen_problem({"WAYLAND_DISPLAY": f"{tmp_path}/wayland-7"}) is None
        assert screen_problem({**env, "QT_QPA_PLATFORM": "wayland-egl"}) is None
        assert "DISPLAY" in problem(**env, QT_QPA_PLATFORM="xcb")
    assert "XDG_RUNTIME_DIR" in problem(WAYLAND_DISPLAY="wayland-7")


def test_a_dead_compositor_beside_a_live_server_does_no_harm(display: str) -> None:
    assert screen_problem({"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": "/nowhere", "DISPLAY": display}) is None


def test_a_screen_is_found_without_variables(tmp_path: Path, display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sockets = tmp_path / "sockets"
    sockets.mkdir()
    (sockets / f"X{display[1:]}").symlink_to(f"{x11.SOCKETS}/X{display[1:]}")
    (sockets / "X4711").touch()
    monkeypatch.setattr(x11, "SOCKETS", str(sockets))
    runtime = tmp_path / "runtime"
    env = {"XDG_RUNTIME_DIR": str(runtime), "HOME": str(tmp_path)}
    assert find_display(env) == {"DISPLAY": display}
    assert find_display({**env, "DISPLAY": display}) == {}
    runtime.mkdir()
    (runtime / "wayland-0.lock").touch()
    assert find_display(env) == {"DISPLAY": display}
    with listening(runtime / "wayland-0"):
        assert find_display(env) == {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "wayland-0"}


def test_the_authority_file_of_a_session_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sockets = tmp_path / "sockets"
    sockets.mkdir()
    server_file = tmp_path / "server"
    server_file.write_bytes(authority((65535, b"", b"", COOKIE)))
    session_file = tmp_path / ".mutter-Xwaylandauth.AB12"
    session_file.write_bytes(server_file.read_bytes())
    with x_server("-auth", str(server_file)) as display:
        (sockets / f"X{display[1:]}").symlink_to(f"{x11.SOCKETS}/X{display[1:]}")
        monkeypatch.setattr(x11, "SOCKETS", str(sockets))
        found = find_display({"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path / "nobody")})
    assert found == {"DISPLAY": display, "XAUTHORITY": str(session_file)}


def test_no_screen_is_found_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(x11, "SOCKETS", str(tmp_path / "none"))
    assert find_display({"XDG_RUNTIME_DIR": str(tmp_path)}) == {}


def test_a_display_of_another_user_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a file away")
    path = tmp_path / "X5"
    monkeypatch.setattr(x11, "SOCKETS", str(tmp_path))
    with listening(path, b"\1"):
        os.chown(path, 12345, -1)
        assert find_display({"XDG_RUNTIME_DIR": str(tmp_path)}) == {}


@pytest.mark.parametrize(
    ("library", "platform", "package"),
    [
        ("libxcb-cursor.so.0", "xcb", "libxcb-cursor0"),
        ("libEGL.so.1", "offscreen", "libegl1"),
        ("libwayland-cursor.so.0", "wayland", "libwayland-cursor0"),
    ],
)
def test_a_missing_library_is_named_with_its_package(tmp_path: Path, library: str, platform: str, package: str) -> None:
    (tmp_path / library).touch()  # the loader finds it first, and it is no library
    program = f"from pi_ask_qt.libraries import library_problem; print(library_problem({platform!r}))"
    env = environment(LD_LIBRARY_PATH=str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == (f"Qt needs {library}, missing on this system. Run: sudo apt-get install -y {package}\n")


def test_several_missing_libraries_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"libxcb-cursor.so.0": "libxcb-cursor0", "libgthread-2.0.so.0": "libglib2.0-0"}
    line = missing_line(missing)
    assert line is not None
    assert line.endswith("Run: sudo apt-get install -y libxcb-cursor0 libglib2.0-0")
    monkeypatch.setenv("PATH", "/nonexistent")
    line = missing_line(missing)
    assert line is not None
    assert line.endswith("Install what Debian calls libxcb-cursor0 libglib2.0-0.")
