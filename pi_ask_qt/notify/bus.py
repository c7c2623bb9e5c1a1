"""A connection to the session bus on the loop: jeepney spells the messages, and nothing waits for anybody else."""

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

from jeepney import HeaderFields, Message, MessageType
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import parse_addresses
from jeepney.bus_messages import message_bus
from jeepney.low_level import Parser

MAX_BYTES = 1024 * 1024

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
                await bus.call(message_bus.Hello())
            except BaseException:
                bus.close()
                raise
            return bus
    raise BusError("there is no session bus")


def bus_paths(environ: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield where the session bus may listen, as Python names Unix sockets: first what the environment says."""
    env = os.environ if environ is None else environ
    address, default = env.get("DBUS_SESSION_BUS_ADDRESS", ""), os.path.join(env.get("XDG_RUNTIME_DIR", ""), "bus")
    try:
        places = [place for transport, place in parse_addresses(address) if transport == "unix"]
    except ValueError:  # it is empty, or no address
        places = []
    for place in places:
        if place.get("path"):
            yield place["path"]
        elif place.get("abstract"):
            yield f"\0{place['abstract']}"
        elif place.get("runtime") == "yes" and os.path.isabs(default):
            yield default
    if not address and os.path.isabs(default) and _is_socket(default):
        yield default


class Bus(asyncio.Protocol):
    """One connection; :func:`open_bus` makes it. ``begun`` is done once the bus has let it in."""

    def __init__(self, on_signal: Heard) -> None:
        self._on_signal = on_signal
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.begun.add_done_callback(_look_at)
        self._transport: asyncio.Transport | None = None
        self._authenticator = Authenticator()
        self._parser = Parser()
        self._serials = itertools.count(1)
        self._calls: dict[int, tuple[asyncio.Future[Message], Heard | None]] = {}

    @property
    def is_open(self) -> bool:
        """Whether the bus can still be talked to."""
        return self._transport is not None and not self._transport.is_closing()

    def call(self, method: Message, heard: Heard | None = None) -> asyncio.Future[Message]:
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
            self._transport.write(method.serialise(serial))
        return reply

    def close(self) -> None:
        """Send what is written, and end."""
        if self._transport is not None:
            self._transport.close()

    # --- what the loop calls ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._authenticator.data_to_send() or b"")

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        error = BusError("the session bus went away")
        calls, self._calls = self._calls, {}
        waiting: list[asyncio.Future[Any]] = [self.begun, *(reply for reply, _ in calls.values())]
        for future in waiting:
            if not future.done():
                future.set_exception(error)

    def data_received(self, data: bytes) -> None:
        try:
            if self._authenticator.authenticated:
                self._take(data)
            else:
                self._authenticator.feed(data)
                self._begin()
        except (ValueError, struct.error, LookupError, RecursionError) as error:
            _log.warning("the session bus says what cannot be understood: %s", error)
            self.close()

    def _begin(self) -> None:
        if self._authenticator.authenticated and self._transport is not None:
            self._transport.write(BEGIN)
            self.begun.set_result(None)

    def _take(self, data: bytes) -> None:
        self._parser.add_data(data)
        while self.is_open and (message := self._parser.get_next_message()) is not None:
            self._deliver(message)
        if self._parser.bytes_desired() > MAX_BYTES:
            raise ValueError("a message that is far too long")

    def _deliver(self, message: Message) -> None:
        kind = message.header.message_type
        if kind is MessageType.signal:
            self._on_signal(message)
            return
        reply, heard = self._calls.pop(message.header.fields.get(HeaderFields.reply_serial, 0), (None, None))
        if reply is None:
            return
        if kind is MessageType.method_return and heard is not None:
            heard(message)
        if reply.done():
            return
        if kind is MessageType.method_return:
            reply.set_result(message)
        else:
            name = message.header.fields.get(HeaderFields.error_name, "an error")
            reply.set_exception(BusError(f"{name}: {' '.join(map(str, message.body))}"))


def _look_at(future: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for any more."""
    if not future.cancelled():
        future.exception()


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except OSError:
        return False
