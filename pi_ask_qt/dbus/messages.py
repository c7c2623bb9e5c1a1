"""D-Bus messages as bytes: a header that says what a message is, and the values in it.

Source: the D-Bus Specification of freedesktop.org, "Message Format".
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Any, NamedTuple

from pi_ask_qt.dbus.values import Reader, Writer

MAX_BYTES = 1024 * 1024

_FIXED_BYTES = 16
_ORDERS = {ord("l"): "<", ord("B"): ">"}
_VERSION = 1
_HEADER = "yyyyuua(yv)"


class Kind(IntEnum):
    """What a message is."""

    CALL = 1
    REPLY = 2
    ERROR = 3
    SIGNAL = 4


class _Field(IntEnum):
    PATH = 1
    INTERFACE = 2
    MEMBER = 3
    ERROR_NAME = 4
    REPLY_SERIAL = 5
    DESTINATION = 6
    SENDER = 7
    SIGNATURE = 8


class Method(NamedTuple):
    """A call of a service. ``arguments`` are by ``signature``; see :mod:`pi_ask_qt.dbus.values`."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    arguments: tuple[Any, ...] = ()


class Message(NamedTuple):
    """What the bus has sent. ``replies_to`` is the serial of a call, 0 where it is no reply."""

    kind: int
    sender: str
    interface: str
    member: str
    error: str
    replies_to: int
    values: tuple[Any, ...]


def encode(method: Method, serial: int) -> bytes:
    """Return a call as bytes; ``serial`` is the number by which a reply names it."""
    body = Writer()
    body.write(method.signature, *method.arguments)
    fields = [
        (_Field.PATH, ("o", method.path)),
        (_Field.INTERFACE, ("s", method.interface)),
        (_Field.MEMBER, ("s", method.member)),
        (_Field.DESTINATION, ("s", method.destination)),
    ]
    if method.signature:
        fields.append((_Field.SIGNATURE, ("g", method.signature)))
    head = Writer()
    head.write(_HEADER, ord("l"), Kind.CALL, 0, _VERSION, len(body.data), serial, fields)
    head.pad(8)
    return bytes(head.data + body.data)


def size_of(data: bytes | bytearray) -> int | None:
    """Return how many bytes the message has that ``data`` begins with, ``None`` while that cannot be said.

    Raises:
        ValueError: it is no message, or too large.
    """
    if len(data) < _FIXED_BYTES:
        return None
    order = _ORDERS.get(data[0])
    if order is None or data[3] != _VERSION:
        raise ValueError("this is no D-Bus message")
    body, _, fields = struct.unpack_from(f"{order}III", data, 4)
    size = int(_FIXED_BYTES + fields + -fields % 8 + body)
    if size > MAX_BYTES:
        raise ValueError("a D-Bus message is too large")
    return size


def decode(data: bytes) -> Message:
    """Return the message that ``data`` is.

    Raises:
        ValueError, struct.error: it is none.
    """
    order = _ORDERS[data[0]]
    *_, length, _, pairs = Reader(data, order).read(_HEADER)
    fields = dict(pairs)
    values = Reader(data[len(data) - length :], order).read(fields.get(_Field.SIGNATURE, ""))
    return Message(
        kind=data[1],
        sender=fields.get(_Field.SENDER, ""),
        interface=fields.get(_Field.INTERFACE, ""),
        member=fields.get(_Field.MEMBER, ""),
        error=fields.get(_Field.ERROR_NAME, ""),
        replies_to=fields.get(_Field.REPLY_SERIAL, 0),
        values=values,
    )
