"""Reading a file that somebody else names: it may be a pipe, a device, a folder, or far too large."""

from __future__ import annotations

import os
import stat
from pathlib import Path

# A FIFO or a device must not hold the thread, nor a terminal become ours.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)


class FileError(Exception):
    """A file cannot be used; the message says why and what to change. ``missing``: there is none."""

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


def read_regular(path: Path, limit: int) -> bytes:
    """Return the content of the regular file at ``path``, of ``limit`` bytes at most.

    Raises:
        FileError: it is missing, no regular file, too large or cannot be read.
    """
    try:
        _check_regular(path.stat().st_mode)
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            _check_regular(os.fstat(descriptor).st_mode)
            content = file.read(limit + 1)
    except FileNotFoundError as error:
        raise FileError("does not exist", missing=True) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise FileError(f"cannot be read: {reason}") from error
    if len(content) > limit:
        raise FileError(f"is larger than {limit / 2**20:g} MiB")
    return content


def _check_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise FileError("is no regular file")
