"""Whether a window can be shown at all, asked before Qt is: it would end the process where none can."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

_TIMEOUT_SECONDS = 2.0
_X_SOCKETS = "/tmp/.X11-unix"  # noqa: S108 - where X servers have their sockets
_NEEDS_NO_SCREEN = ("offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs", "webgl")

ADVICE = "Run it in a desktop session, or set DISPLAY or WAYLAND_DISPLAY to one."

# Debian's packages for the libraries that Qt's wheels expect from the system.
PACKAGES = {
    "libEGL.so": "libegl1",
    "libGL.so": "libgl1",
    "libxkbcommon.so": "libxkbcommon0",
    "libxkbcommon-x11.so": "libxkbcommon-x11-0",
    "libxcb-cursor.so": "libxcb-cursor0",
    "libxcb-icccm.so": "libxcb-icccm4",
    "libxcb-keysyms.so": "libxcb-keysyms1",
    "libxcb-image.so": "libxcb-image0",
    "libxcb-render-util.so": "libxcb-render-util0",
    "libxcb-xinerama.so": "libxcb-xinerama0",
    "libxcb-randr.so": "libxcb-randr0",
    "libxcb-shape.so": "libxcb-shape0",
    "libfontconfig.so": "libfontconfig1",
    "libdbus-1.so": "libdbus-1-3",
    "libglib-2.0.so": "libglib2.0-0",
}


def screen_problem(environ: Mapping[str, str] | None = None) -> str | None:
    """Return why no window can be shown, in one line that says what to do; ``None`` where one can."""
    env = os.environ if environ is None else environ
    platform = env.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0].strip().lower()
    if not sys.platform.startswith("linux") or platform in _NEEDS_NO_SCREEN:
        return None
    if platform != "xcb" and _wayland_answers(env):
        return None
    if platform.startswith("wayland"):
        return f"No Wayland compositor answers at WAYLAND_DISPLAY={env.get('WAYLAND_DISPLAY', '')!r}. {ADVICE}"
    return _x_problem(env) or _library_problem()


def find_display(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that lead to a screen of this user, for a process that was started without them.

    Empty where the environment leads to a screen already, or where there is none.
    """
    env = os.environ if environ is None else environ
    if _wayland_answers(env) or _x_problem(env) is None:
        return {}
    for found in _candidates(env):
        if _wayland_answers({**env, **found}) or ("DISPLAY" in found and _x_problem({**env, **found}) is None):
            return found
    return {}


def missing_library_line(error: BaseException) -> str:
    """Return one line for a library that could not be loaded, with the package that brings it."""
    text = str(error)
    package = next((package for library, package in PACKAGES.items() if library in text), None)
    if package is None:
        return f"Qt cannot be loaded: {text}"
    library = text.split(":", maxsplit=1)[0]
    return f"Qt needs {library}, which is missing. Run: sudo apt-get install -y {package}"


def _candidates(env: Mapping[str, str]) -> Iterator[dict[str, str]]:
    runtime = Path(env.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    with contextlib.suppress(OSError):
        for path in sorted(runtime.glob("wayland-*")):
            if path.suffix != ".lock":
                yield {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": path.name}
    with contextlib.suppress(OSError):
        for path in sorted(Path(_X_SOCKETS).glob("X*")):
            if path.owner() in {_user(), "root"}:
                yield {"DISPLAY": f":{path.name[1:]}"}


def _user() -> str:
    import pwd  # noqa: PLC0415 - not everywhere, and seldom needed

    return pwd.getpwuid(os.getuid()).pw_name


def _wayland_answers(env: Mapping[str, str]) -> bool:
    name = env.get("WAYLAND_DISPLAY", "")
    if not name:
        return False
    path = name if name.startswith("/") else os.path.join(env.get("XDG_RUNTIME_DIR", ""), name)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(_TIMEOUT_SECONDS)
            client.connect(path)
    except (OSError, ValueError):
        return False
    return True


def _x_problem(env: Mapping[str, str]) -> str | None:
    display = env.get("DISPLAY", "")
    if not display:
        return f"There is no display. {ADVICE}"
    try:
        with _connected(display) as client:
            return _handshake(client, display, env)
    except TimeoutError:
        return f"The display {display!r} does not answer. {ADVICE}"
    except (OSError, ValueError):
        return f"The display {display!r} cannot be reached. {ADVICE}"


def _number(display: str) -> int:
    return int(display.rpartition(":")[2].split(".")[0])


def _connected(display: str) -> socket.socket:
    host = display.rpartition(":")[0]
    number = _number(display)
    if host in {"", "unix"}:
        return _local(f"{_X_SOCKETS}/X{number}")
    if host.startswith("/"):
        return _local(host if Path(host).is_socket() else display)
    return socket.create_connection((host.strip("[]"), 6000 + number), timeout=_TIMEOUT_SECONDS)


def _local(path: str) -> socket.socket:
    error: OSError | None = None
    # The abstract socket first, as X clients do.
    for address in (f"\0{path}", path):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(_TIMEOUT_SECONDS)
        try:
            client.connect(address)
        except OSError as failure:
            client.close()
            error = failure
        else:
            return client
    raise error if error is not None else OSError(path)


def _handshake(client: socket.socket, display: str, env: Mapping[str, str]) -> str | None:
    """Greet the server as an X client does, since one that refuses us would make Qt end the process."""
    name, data = _cookie(env, _number(display))
    header = struct.pack("<BxHHHH2x", ord("l"), 11, 0, len(name), len(data))
    client.sendall(header + _padded(name) + _padded(data))
    reply = client.recv(1)
    if reply == b"\x01":
        return None
    return f"The display {display!r} refuses this program; check XAUTHORITY. {ADVICE}"


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _cookie(env: Mapping[str, str], number: int) -> tuple[bytes, bytes]:
    """Return name and data of the entry in the user's X authority file that fits, empty where there is none."""
    path = Path(env.get("XAUTHORITY") or Path(env.get("HOME") or "/") / ".Xauthority")
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        return b"", b""
    fits = [(name, data) for wanted, name, data in _entries(content) if wanted in {b"", str(number).encode()}]
    return fits[0] if fits else (b"", b"")


def _entries(content: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    place = 0
    with contextlib.suppress(struct.error):
        while place < len(content):
            place += 2
            fields = []
            for _ in range(4):
                (length,) = struct.unpack_from(">H", content, place)
                fields.append(content[place + 2 : place + 2 + length])
                place += 2 + length
            yield fields[1], fields[2], fields[3]


def _library_problem() -> str | None:
    """Load Qt's plugin for X as Qt will: it names a library that is missing, where Qt would end the process."""
    import ctypes  # noqa: PLC0415 - only where a window is about to open
    import importlib.util  # noqa: PLC0415

    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return "PySide6 is not installed. Run: pip install PySide6-Essentials"
    plugin = Path(spec.submodule_search_locations[0], "Qt", "plugins", "platforms", "libqxcb.so")
    if not plugin.exists():
        return None
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return missing_library_line(error)
    return None
