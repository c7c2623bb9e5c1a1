"""A connection to the session bus on the loop: nothing of it waits for anybody else."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import stat
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from pi_ask_qt.dbus.messages import MAX_BYTES, Kind, Message, Method, decode, encode, size_of

BUS_NAME = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"

_log = logging.getLogger("pi_ask_qt")

Heard = Callable[[Message], None]


class BusError(Exception):
    """There is no bus, it went away, or a call came back as an error; the message says which."""


async def open_bus(on_signal: Heard) -> Bus:
    """Return a connection to the session bus; ``on_signal`` is called with every signal that was asked for.

    Raises:
        BusError: there is none that can be used.
    """
    loop = asyncio.get_running_loop()
    for path in bus_paths():
        with contextlib.suppress(OSError, ValueError):
            _, bus = await loop.create_unix_connection(lambda: Bus(on_signal), path)
            try:
                await bus.begun
                await bus.call(bus_method("Hello"))
            except BaseException:
                bus.close()
                raise
            return bus
    raise BusError("there is no session bus")


def bus_paths(environ: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield where the session bus may listen, as Python names Unix sockets: first what the environment says."""
    env = os.environ if environ is None else environ
    runtime = env.get("XDG_RUNTIME_DIR", "")
    address = env.get("DBUS_SESSION_BUS_ADDRESS", "")
    for one in address.split(";"):
        transport, _, rest = one.partition(":")
        pairs = {name: _unescaped(value) for name, _, value in (part.partition("=") for part in rest.split(","))}
        if transport != "unix":
            continue
        if pairs.get("path"):
            yield pairs["path"]
        elif pairs.get("abstract"):
            yield f"\0{pairs['abstract']}"
        elif pairs.get("runtime") == "yes" and runtime:
            yield os.path.join(runtime, "bus")
    if not address and runtime and _is_socket(os.path.join(runtime, "bus")):
        yield os.path.join(runtime, "bus")


def bus_method(member: str, signature: str = "", *arguments: str) -> Method:
    """Return a call of the bus itself."""
    return Method(BUS_NAME, BUS_PATH, BUS_NAME, member, signature, arguments)


class Bus(asyncio.Protocol):
    """One connection; :func:`open_bus` makes it. ``begun`` is done once the bus has let it in."""

    def __init__(self, on_signal: Heard) -> None:
        self._on_signal = on_signal
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.begun.add_done_callback(_look_at)
        self._transport: asyncio.Transport | None = None
        self._data = bytearray()
        self._serials = itertools.count(1)
        self._calls: dict[int, tuple[asyncio.Future[Message], Heard | None]] = {}

    @property
    def is_open(self) -> bool:
        """Whether the bus can still be talked to."""
        return self._transport is not None and not self._transport.is_closing()

    def call(self, method: Method, heard: Heard | None = None) -> asyncio.Future[Message]:
        """Send a call; the future gets the reply, or a :class:`BusError`.

        ``heard`` is called with the reply before any signal that comes after it.
        """
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        reply.add_done_callback(_look_at)
        serial = next(self._serials)
        if self._transport is None or not self.is_open:
            reply.set_exception(BusError("the session bus went away"))
        else:
            self._calls[serial] = reply, heard
            self._transport.write(encode(method, serial))
        return reply

    def close(self) -> None:
        """Send what is written, and end."""
        if self._transport is not None:
            self._transport.close()

    # --- what the loop calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        error = BusError("the session bus went away")
        calls, self._calls = self._calls, {}
        waiting: list[asyncio.Future[Any]] = [self.begun, *(reply for reply, _ in calls.values())]
        for future in waiting:
            if not future.done():
                future.set_exception(error)

    def data_received(self, data: bytes) -> None:
        self._data += data
        try:
            self._take()
        except (ValueError, struct.error, LookupError, RecursionError) as error:
            _log.warning("the session bus says what cannot be understood: %s", error)
            self.close()

    def _take(self) -> None:
        if not self.begun.done() and not self._begin():
            return
        while self.is_open:
            size = size_of(self._data)
            if size is None or len(self._data) < size:
                return
            message = decode(bytes(self._data[:size]))
            del self._data[:size]
            self._deliver(message)

    def _begin(self) -> bool:
        """Return whether the bus has let us in; it says so, or not, in its first line."""
        line, end, _ = self._data.partition(b"\r\n")
        if not end:
            if len(self._data) > MAX_BYTES:
                raise ValueError("a line without an end")
            return False
        if not line.startswith(b"OK ") or self._transport is None:
            raise ValueError("it lets nobody in")
        del self._data[: len(line) + 2]
        self._transport.write(b"BEGIN\r\n")
        self.begun.set_result(None)
        return True

    def _deliver(self, message: Message) -> None:
        if message.kind == Kind.SIGNAL:
            self._on_signal(message)
            return
        reply, heard = self._calls.pop(message.replies_to, (None, None))
        if reply is None:
            return
        if message.kind == Kind.REPLY and heard is not None:
            heard(message)
        if reply.done():
            return
        if message.kind == Kind.REPLY:
            reply.set_result(message)
        else:
            reply.set_exception(BusError(f"{message.error}: {' '.join(map(str, message.values))}"))


def _look_at(future: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for any more."""
    if not future.cancelled():
        future.exception()


def _unescaped(value: str) -> str:
    return os.fsdecode(unquote_to_bytes(value))


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except OSError:
        return False
