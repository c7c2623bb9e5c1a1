"""The way to the resident: finds it, and puts a form on its socket within a few milliseconds of the start.

Only what Python has loaded by itself, and the plainest modules, are imported here; what is needed to wait for an answer
is imported once the request is on its way.
"""

from __future__ import annotations

import _socket  # the public module takes longer than all the rest of this one
import os
import sys
from time import monotonic

from pi_ask_qt.place import UntrustedPlaceError, check_socket, socket_path

GREETING_SECONDS = 0.05
SEND_SECONDS = 10.0
REQUESTER_VARIABLE = "PI_ASK_REQUESTER"
ASK_ID = "1"
TOOL_CALL_ID = "pi-ask"

_CREDENTIALS_BYTES = 12
_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "env", "timeout", "sudo", "xargs", "pi-ask"))
_MAX_PARENTS = 8
_ESCAPES = (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), *((chr(code), f"\\u{code:04x}") for code in range(32)))


class Call:
    """One form to ask, and how.

    ``form`` is JSON text, ``timeout`` is in seconds, ``requester`` a name. ``present_single_as_multi`` is the
    resident's own where it is ``None``. ``choice``: the form is a question of yes or no, whose choice alone is printed.
    """

    def __init__(self, form: str) -> None:
        self.form = form
        self.timeout: float | None = None
        self.present_single_as_multi: bool | None = None
        self.requester: str | None = None
        self.choice = False


def ask(call: Call) -> int | None:
    """Ask through the resident and return the exit code; ``None``: it is not there, and nobody was asked."""
    line = request_line(call)
    connected = connect()
    if connected is None:
        return None
    connection, _ = connected
    try:
        connection.sendall(line)
    except OSError:
        # It has not got the whole message, and so it will not ask.
        connection.close()
        return None
    from pi_ask_qt.conversation import follow  # noqa: PLC0415 - only now that the request is on its way

    return follow(connection, call)


def connect(seconds: float = GREETING_SECONDS) -> tuple[_socket.socket, bytes] | None:
    """Return a connection to the resident with its greeting, ``None`` where it does not greet within ``seconds``."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return None  # a system on which nobody can tell who listens, and so there is no resident
    end = monotonic() + seconds
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        _reach(connection, socket_path(), seconds)
        greeting = _greeting(connection, end)
        connection.settimeout(SEND_SECONDS)
        if b'"type":"hello"' in greeting:
            return connection, greeting
    except UntrustedPlaceError as error:
        sys.stderr.write(f"pi-ask: the resident is not used: {error}\n")
    except (OSError, ValueError):
        pass  # nobody there, or nobody who can be used: the caller does without
    connection.close()
    return None


def request_line(call: Call) -> bytes:
    """Return the message that asks ``call``, made without the json module, whose import takes longer than the rest."""
    fields = {
        "version": 1,
        "type": "ask",
        "id": ASK_ID,
        "form": call.form,
        "cwd": _folder(),
        "requester": requester(call.requester),
        "toolCallId": TOOL_CALL_ID,
        "presentSingleAsMulti": call.present_single_as_multi,
        "activationToken": os.environ.get("XDG_ACTIVATION_TOKEN") or os.environ.get("DESKTOP_STARTUP_ID") or None,
    }
    # What a path may hold that has no UTF-8 is a lone surrogate, which JSON spells as this error handler does.
    return f"{_json(fields)}\n".encode("utf-8", "backslashreplace")


def requester(name: str | None = None) -> dict[str, object]:
    """Return who asks: ``name``, or ``PI_ASK_REQUESTER``, or the program that started this one, past any shell."""
    given = name or os.environ.get(REQUESTER_VARIABLE, "")
    found, pid = _caller()
    who = {"name": given.strip() or found or "an unknown program", "cwd": _folder(), "pid": pid}
    return {name: _spelled(value) for name, value in who.items() if value is not None}


def _caller() -> tuple[str, int]:
    """Return name and id of the nearest process above this one that is not a shell."""
    pid = os.getppid()
    found = ""
    for _ in range(_MAX_PARENTS):
        found, parent = _process(pid)
        if found.lstrip("-") not in _SHELLS or parent <= 1:
            break
        pid = parent
    return found, pid


def _process(pid: int) -> tuple[str, int]:
    """Return the name of a process and the id of its parent, ``("", 0)`` where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            stat = file.read()
        return stat[stat.index("(") + 1 : stat.rindex(")")], int(stat[stat.rindex(")") + 2 :].split()[1])
    except (OSError, ValueError, IndexError):
        return "", 0


def _reach(connection: _socket.socket, path: str, seconds: float) -> None:
    check_socket(path)
    connection.settimeout(seconds)
    connection.connect(path)
    credentials = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, _CREDENTIALS_BYTES)
    uid = int.from_bytes(credentials[4:8], sys.byteorder)
    if uid != os.getuid():
        raise UntrustedPlaceError(f"a process of another user (id {uid}) listens at {path}")


def _greeting(connection: _socket.socket, end: float) -> bytes:
    """Return the first line; nothing comes after it before something is sent."""
    line = b""
    while not line.endswith(b"\n"):
        remaining = end - monotonic()
        if remaining <= 0:
            raise TimeoutError
        connection.settimeout(remaining)
        arrived = connection.recv(4096)
        if not arrived:
            raise ConnectionError
        line += arrived
    return line


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None


def _spelled(value: object) -> object:
    """Return a text with what has no UTF-8 spelled out, for it is to be read only; anything else as it is."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _json(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(name)}:{_json(item)}" for name, item in value.items() if item is not None) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value) if isinstance(value, str) else str(value)


def quoted(text: str) -> str:
    """Return ``text`` as a JSON string."""
    for character, escape in _ESCAPES:
        if character in text:
            text = text.replace(character, escape)
    return f'"{text}"'
