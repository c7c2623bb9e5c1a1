"""D-Bus values as bytes, by their signatures.

Source: the D-Bus Specification of freedesktop.org, "Marshaling (Wire Format)". A dictionary is a ``dict``; a variant is
written as a pair of ``(signature, value)`` and read as its bare value.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

_FORMATS = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d"}
_TEXTS = "so"
_ALIGNED = {"v": 1, "g": 1, "a": 4, "s": 4, "o": 4, "(": 8, "{": 8}
_CLOSING = {"(": ")", "{": "}"}


def types_in(signature: str) -> Iterator[str]:
    """Yield the complete types in a signature, one after the other.

    Raises:
        ValueError: it is none.
    """
    place = 0
    while place < len(signature):
        end = _end_of_type(signature, place)
        yield signature[place:end]
        place = end


def alignment(kind: str) -> int:
    """Return the number of bytes whose multiple a value of a type begins at."""
    return struct.calcsize(_FORMATS[kind[0]]) if kind[0] in _FORMATS else _ALIGNED[kind[0]]


def _end_of_type(signature: str, place: int) -> int:
    code = signature[place : place + 1]
    if code == "a":
        return _end_of_type(signature, place + 1)
    if code in _CLOSING:
        place += 1
        while signature[place : place + 1] != _CLOSING[code]:
            place = _end_of_type(signature, place)
        return place + 1
    if code and (code in _FORMATS or code in "sogv"):
        return place + 1
    raise ValueError(f"{signature!r} is no signature")


class Writer:
    """Appends values to ``data``, little-endian."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, signature: str, *values: Any) -> None:
        """Append a value for every type in ``signature``."""
        for kind, value in zip(types_in(signature), values, strict=True):
            self._write(kind, value)

    def pad(self, size: int) -> None:
        """Fill up to a multiple of ``size`` bytes."""
        self.data += bytes(-len(self.data) % size)

    def _write(self, kind: str, value: Any) -> None:
        self.pad(alignment(kind))
        code = kind[0]
        if code in _FORMATS:
            self.data += struct.pack(f"<{_FORMATS[code]}", value)
        elif code in _TEXTS or code == "g":
            text = value.encode()
            self.data += struct.pack("<I" if code in _TEXTS else "<B", len(text)) + text + b"\0"
        elif code == "v":
            self._write("g", value[0])
            self._write(*value)
        elif code == "a":
            self._write_array(kind[1:], value)
        else:
            self.write(kind[1:-1], *value)

    def _write_array(self, kind: str, values: Any) -> None:
        start = len(self.data)
        self.data += bytes(4)
        self.pad(alignment(kind))
        first = len(self.data)
        for value in values.items() if kind[0] == "{" else values:
            self._write(kind, value)
        self.data[start : start + 4] = struct.pack("<I", len(self.data) - first)


class Reader:
    """Takes values from ``data``, whose multiples count from its first byte; ``order`` is ``<`` or ``>``."""

    def __init__(self, data: bytes, order: str) -> None:
        self._data = data
        self._order = order
        self._place = 0

    def read(self, signature: str) -> tuple[Any, ...]:
        """Take a value for every type in ``signature``.

        Raises:
            ValueError, struct.error: there are none.
        """
        return tuple(self._read(kind) for kind in types_in(signature))

    def _read(self, kind: str) -> Any:
        self._place += -self._place % alignment(kind)
        code = kind[0]
        if code in _FORMATS:
            value = self._number(_FORMATS[code])
            return bool(value) if code == "b" else value
        if code in _TEXTS or code == "g":
            return self._text(self._number("I" if code in _TEXTS else "B"))
        if code == "v":
            return self._read(self._read("g"))
        return self._array(kind[1:]) if code == "a" else self.read(kind[1:-1])

    def _number(self, code: str) -> Any:
        (value,) = struct.unpack_from(self._order + code, self._data, self._place)
        self._place += struct.calcsize(code)
        return value

    def _text(self, length: int) -> str:
        text = self._data[self._place : self._place + length]
        if len(text) < length:
            raise ValueError("a text is cut off")
        self._place += length + 1
        return text.decode()

    def _array(self, kind: str) -> Any:
        length = self._number("I")
        self._place += -self._place % alignment(kind)
        end = self._place + length
        values = []
        while self._place < end:
            values.append(self._read(kind))
        return dict(values) if kind[0] == "{" else values
