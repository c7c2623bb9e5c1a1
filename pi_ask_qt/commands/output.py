"""Standard output holds the one document; whatever else is printed goes to standard error."""

from __future__ import annotations

import os
import sys


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

    def write(self, document: str) -> None:
        """Write ``document`` and a line break, in UTF-8.

        Raises:
            OutputError: the reader has gone, or there is no room.
        """
        data = document.encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            raise OutputError(f"the result could not be written to standard output: {error.strerror}") from error


def say(line: str) -> None:
    """Write one line to standard error, as far as that is possible."""
    try:
        os.write(2, f"pi-ask: {line}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        return
