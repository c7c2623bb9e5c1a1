"""Replacing a file: all of it or nothing, with a mode that is not wider than before."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from pathlib import Path

_TEMPORARY_PREFIX = ".pi-ask-config-"
_STALE_SECONDS = 60
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def replace_file(target: Path, content: bytes) -> os.stat_result:
    """Put ``content`` in place of ``target`` and return its new state; a new file is for this user alone.

    Raises:
        OSError: it cannot be written, or belongs to somebody else; nothing was changed.
    """
    before = _state(target)
    _clean(target.parent)
    descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY_PREFIX, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if before is not None:
                _take_over(descriptor, before)
            os.fsync(descriptor)
            after = os.fstat(descriptor)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    return after


def _state(target: Path) -> os.stat_result | None:
    try:
        state = target.stat()
    except FileNotFoundError:
        return None
    if not state.st_mode & _WRITABLE:
        raise PermissionError(None, "the file is read-only")
    os.close(os.open(target, os.O_WRONLY))  # a folder that can be written to would let us replace a file that cannot
    return state


def _take_over(descriptor: int, before: os.stat_result) -> None:
    """Give the new file the owner, the group and the mode of the old one."""
    mode, own = stat.S_IMODE(before.st_mode), os.fstat(descriptor)
    if own.st_uid != before.st_uid:
        try:
            os.fchown(descriptor, before.st_uid, -1)
        except OSError as error:
            raise PermissionError(None, "the file belongs to another user") from error
    if own.st_gid != before.st_gid:
        try:
            os.fchown(descriptor, -1, before.st_gid)
        except OSError:
            mode &= ~stat.S_IRWXG  # what the old group may do is not for the new one
    os.fchmod(descriptor, mode)


def _clean(folder: Path) -> None:
    """Remove what a save that was killed has left behind."""
    for left in folder.glob(f"{_TEMPORARY_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                left.unlink()
