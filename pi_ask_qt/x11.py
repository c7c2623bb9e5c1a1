"""Whether an X server answers: it is greeted as an X client does, since Qt ends the process where one refuses."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import struct
from collections.abc import Iterator, Mapping

SOCKETS = "/tmp/.X11-unix"  # noqa: S108 - where X servers have their sockets
TIMEOUT_SECONDS = 3.0

_COOKIE = b"MIT-MAGIC-COOKIE-1"
_FAMILY_LOCAL = 256
_FAMILY_WILD = 65535
_FAMILIES = {socket.AF_INET: 0, socket.AF_INET6: 6}
_TCP_BASE = 6000
_ACCEPTED = b"\x01"
_ATTEMPTS = 3

_held: list[socket.socket] = []


def x_problem(display: str, env: Mapping[str, str]) -> str | None:
    """Return why no program can use ``display`` (``:0``, ``host:0.0``, a path), ``None`` where one can.

    The connection to one that answers stays open until :func:`release`: a bare server starts afresh when its last
    client goes, and drops who comes meanwhile.
    """
    try:
        return _greeted(display, env)
    except TimeoutError:
        return f"The display {display!r} does not answer."
    except (OSError, ValueError, OverflowError):
        return f"The display {display!r} cannot be reached."


def release() -> None:
    """Close the connections to servers that have answered, for others have been made by now."""
    while _held:
        _held.pop().close()


def _greeted(display: str, env: Mapping[str, str]) -> str | None:
    for _ in range(_ATTEMPTS):
        client = _connected(display)
        try:
            reply = _greet(client, _cookie(env, client, _number(display)))
        except ConnectionError:
            reply = b""
        except OSError:
            client.close()
            raise
        if reply == _ACCEPTED:
            release()
            _held.append(client)
            return None
        client.close()
        if reply:
            break
    return f"The display {display!r} refuses this program; check XAUTHORITY."


def _number(display: str) -> int:
    """Return the number of a display; a bare path has none and counts as 0."""
    _, colon, number = display.rpartition(":")
    return int(number.split(".")[0]) if colon else 0


def _connected(display: str) -> socket.socket:
    host = display.rpartition(":")[0]
    if display.startswith("/"):
        paths = (display, display.rpartition(".")[0], host)
        return _local(next((path for path in paths if _is_socket(path)), display))
    number = _number(display)
    if number < 0 or ":" not in display:
        raise ValueError(display)
    if host in {"", "unix"}:
        return _local(f"{SOCKETS}/X{number}")
    return socket.create_connection((host.strip("[]"), _TCP_BASE + number), timeout=TIMEOUT_SECONDS)


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _local(path: str) -> socket.socket:
    """Connect to a local server: to its abstract socket where it has one, as X clients do."""
    with contextlib.suppress(OSError):
        return _unix(f"\0{path}")
    return _unix(path)


def _unix(address: str) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(TIMEOUT_SECONDS)
    try:
        client.connect(address)
    except OSError:
        client.close()
        raise
    return client


def _greet(client: socket.socket, cookie: bytes) -> bytes:
    name = _COOKIE if cookie else b""
    header = struct.pack("<BxHHHH2x", ord("l"), 11, 0, len(name), len(cookie))
    client.sendall(header + _padded(name) + _padded(cookie))
    return client.recv(1)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _cookie(env: Mapping[str, str], client: socket.socket, number: int) -> bytes:
    """Return the cookie that the user's X authority file has for this server, empty where it has none."""
    path = env.get("XAUTHORITY") or os.path.join(env.get("HOME") or "/", ".Xauthority")
    try:
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError):
        return b""
    server = _server(client)
    for family, address, wanted, name, data in _entries(content):
        if family != _FAMILY_WILD and (family, address) != server:
            continue
        if wanted in {b"", str(number).encode()} and name == _COOKIE:
            return data
    return b""


def _server(client: socket.socket) -> tuple[int, bytes]:
    """Return family and address of a server, as X authority files name them."""
    if client.family in _FAMILIES:
        packed = socket.inet_pton(client.family, client.getpeername()[0])
        if packed not in {b"\x7f\0\0\1", b"\0" * 15 + b"\1"}:
            return _FAMILIES[client.family], packed
    return _FAMILY_LOCAL, socket.gethostname().encode()


def _entries(content: bytes) -> Iterator[tuple[int, bytes, bytes, bytes, bytes]]:
    place = 0
    with contextlib.suppress(struct.error):
        while place < len(content):
            (family,) = struct.unpack_from(">H", content, place)
            place += 2
            fields = []
            for _ in range(4):
                (length,) = struct.unpack_from(">H", content, place)
                fields.append(content[place + 2 : place + 2 + length])
                place += 2 + length
            yield family, fields[0], fields[1], fields[2], fields[3]
