"""How much of the resident its clients may take."""

from __future__ import annotations

from dataclasses import dataclass

from pi_ask.wire import MAX_LINE_BYTES


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client, or all of them together, may take. Sizes are in bytes, times in seconds."""

    line_bytes: int = MAX_LINE_BYTES
    """The longest message of a client."""

    clients: int = 500
    """Connections at a time."""

    forms: int = 1_000
    """Open forms at a time."""

    forms_per_client: int = 100
    """Open forms of one client at a time."""

    held_bytes: int = 512 * 1024 * 1024
    """What all clients together have sent and is still held: unfinished messages, and open forms."""

    idle_seconds: float | None = 60.0
    """How long a message may stay unfinished, and a client silent that has no open form. ``None``: for ever."""

    stalled_seconds: float = 30.0
    """How long a client may leave unread what was sent to it."""

    unread_bytes: int = 1024 * 1024
    """What a client may leave unread before nothing more is read of it."""
