"""Standard output holds the one document; whatever else is printed goes to standard error."""

from __future__ import annotations

import os
import select
import sys

_BROKEN = select.POLLERR | select.POLLHUP | select.POLLNVAL


class OutputError(Exception):
    """The result cannot be written; the message says why."""


class Output:
    """The real standard output; ``set_aside``: so that neither an extension nor Qt can write to it."""

    def __init__(self, *, set_aside: bool = True) -> None:
        try:
            self._descriptor = os.dup(1) if sys.stdout is not None else -1
        except OSError:
            self._descriptor = -1
        if self._descriptor < 0:
            raise OutputError("standard output is closed; there is nowhere to write the result to")
        os.set_inheritable(self._descriptor, False)
        if set_aside:
            os.dup2(2, 1)
            sys.stdout = sys.stderr

    @property
    def descriptor(self) -> int:
        """The file descriptor that is written to."""
        return self._descriptor

    @property
    def is_read(self) -> bool:
        """Whether there is still somebody who could read what is written."""
        poll = select.poll()
        poll.register(self._descriptor, 0)
        return not any(event & _BROKEN for _, event in poll.poll(0))

    def write(self, document: str | bytes) -> None:
        """Write ``document`` and a line break; text in UTF-8.

        Raises:
            OutputError: the reader has gone, or there is no room.
        """
        # Half a character, which Qt may hand over, has no UTF-8; JSON spells it as this error handler does.
        text = document.encode("utf-8", "backslashreplace") if isinstance(document, str) else document
        data = text + b"\n"
        try:
            while data:
                data = data[self._write_some(data) :]
        except OSError as error:
            raise OutputError(f"the result could not be written to standard output: {error.strerror}") from error

    def _write_some(self, data: bytes) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:  # whoever started this program has made it so
            poll = select.poll()
            poll.register(self._descriptor, select.POLLOUT)
            poll.poll()
            return 0


def say(text: str) -> None:
    """Write ``text`` to standard error, as far as that is possible; what could steer a terminal is spelled out."""
    shown = "".join(map(_shown, f"pi-ask: {text}\n"))
    try:
        os.write(2, shown.encode("utf-8", "backslashreplace"))
    except OSError:
        return


def say_in_one_line(text: str) -> None:
    """Write ``text`` to standard error as one line, whatever it holds."""
    say(" ".join(text.split()))


def say_failure(error: BaseException) -> None:
    """Write one line about an error that nobody expected, with the place where it was raised."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f" ({place.tb_frame.f_code.co_filename}:{place.tb_lineno})"
    say_in_one_line(f"failed: {type(error).__name__}: {error}{where}; nothing was chosen")


def _shown(character: str) -> str:
    return character if character.isprintable() or character in "\n\t" else f"\\u{ord(character):04x}"
