"""The resident's protocol, without a transport: one JSON document a line, in UTF-8, versioned and bounded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_ID_LENGTH = 200


class WireError(Exception):
    """A line that cannot be understood. ``code`` is for a program, the message says what to change."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def encode(type_: str, **fields: Any) -> bytes:
    """Return one message as a line; fields that are ``None`` are left out."""
    message = {"version": PROTOCOL_VERSION, "type": type_, **fields}
    given = {name: value for name, value in message.items() if value is not None}
    text = json.dumps(given, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # A lone surrogate has no UTF-8, but JSON has a spelling for it, which is the one that this error handler writes.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """Return the message in ``line``.

    Raises:
        WireError: ``invalid_json``, ``invalid_message`` or ``unsupported_version``.
    """
    message = _parse(line)
    if not isinstance(message, dict):
        raise WireError("invalid_message", "a message must be a JSON object on one line")
    version = message.get("version")
    if type(version) is not int or version != PROTOCOL_VERSION:
        raise WireError("unsupported_version", f'"version" must be {PROTOCOL_VERSION}, the only one spoken here')
    if not isinstance(message.get("type"), str):
        raise WireError("invalid_message", 'a message needs a "type", such as "ask"')
    return message


def message_id(message: Mapping[str, Any]) -> str:
    """Return the id that the sender gave ``message``.

    Raises:
        WireError: ``invalid_message``: it is absent, blank, too long, or no text.
    """
    id_ = message.get("id")
    if isinstance(id_, str) and id_.strip() and len(id_) <= MAX_ID_LENGTH:
        return id_
    raise WireError("invalid_message", f'"id" must be text of 1 to {MAX_ID_LENGTH} characters that is not blank')


class LineBuffer:
    """Cuts a stream of bytes into lines; keeps no more than ``limit`` bytes of one that has not ended."""

    def __init__(self, limit: int | None = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self._searched = 0

    @property
    def held(self) -> int:
        """The number of bytes that are waiting here, in whole lines and in the one that has not ended."""
        return len(self._bytes)

    def feed(self, data: bytes) -> None:
        """Add what has arrived."""
        self._bytes += data

    def take(self) -> bytes | None:
        """Return the next whole line without its end, ``None`` where none is whole yet.

        Raises:
            WireError: ``line_too_long``; the stream cannot be followed any further.
        """
        end = self._bytes.find(b"\n", self._searched)
        length = end if end >= 0 else len(self._bytes)
        if self._limit is not None and length > self._limit:
            self.clear()
            raise WireError("line_too_long", f"a line may have {self._limit} bytes; send a shorter message")
        if end < 0:
            self._searched = length
            return None
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self._searched = 0
        return line

    def clear(self) -> None:
        """Forget what is waiting."""
        self._bytes = bytearray()
        self._searched = 0


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise WireError("invalid_json", f"the line is not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise WireError("invalid_json", f"the line is not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise WireError("invalid_json", "the line is nested too deeply") from None
    except ValueError as error:
        raise WireError("invalid_json", f"the line is not JSON: {error}") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")
