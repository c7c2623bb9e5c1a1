"""The one place of the resident: taken by a lock that ends with its process, whatever became of the socket."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path

from pi_ask.errors import PiAskError
from pi_ask_qt.place import MAX_SOCKET_PATH_BYTES, UntrustedPlaceError, check_folder

_ANSWER_SECONDS = 1.0


class ResidentError(PiAskError):
    """The resident cannot take its place; the message says why and what to change."""


class ResidentRunningError(ResidentError):
    """Another resident is there. ``pid`` is its process id, where it is known."""

    def __init__(self, path: Path, pid: int | None) -> None:
        super().__init__(f"a resident is already running{f' (process {pid})' if pid else ''}; it listens at {path}")
        self.pid = pid


class Place:
    """A socket, bound to its path, that this process alone holds. A socket left behind by a dead process is taken over.

    Raises:
        ResidentRunningError: a living process holds it.
        ResidentError: the folder is not this user's own and closed, or the socket cannot be made there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        _prepare_folder(path)
        self._lock = _take_lock(path)
        try:
            _remove_stale(path)
            self.socket = _bind(path)
            self._inode = path.lstat().st_ino
        except BaseException:
            os.close(self._lock)
            raise

    def release(self) -> None:
        """Remove the socket, if it is still this one, and let others have the place."""
        self.socket.close()
        with contextlib.suppress(OSError):
            if self.path.lstat().st_ino == self._inode:
                self.path.unlink()
        # The lock's file stays: to remove it would let two processes hold a lock each on two files of one name.
        os.close(self._lock)


def _prepare_folder(path: Path) -> None:
    if len(os.fsencode(path)) > MAX_SOCKET_PATH_BYTES:
        raise ResidentError(f"{path} is longer than the name of a socket may be ({MAX_SOCKET_PATH_BYTES} bytes)")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        check_folder(str(path.parent))
    except UntrustedPlaceError as error:
        raise ResidentError(str(error)) from error
    except OSError as error:
        raise ResidentError(f"{path.parent} cannot be used: {error.strerror or error}") from error


def _take_lock(path: Path) -> int:
    import fcntl  # noqa: PLC0415 - not on every system; the others do without a resident

    name = path.with_name(f"{path.name}.lock")
    try:
        lock = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ResidentError(f"{name} cannot be opened: {error.strerror or error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        pid = _read_pid(lock)
        os.close(lock)
        raise ResidentRunningError(path, pid) from error
    os.truncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())
    return lock


def _read_pid(lock: int) -> int | None:
    written = os.pread(lock, 32, 0)
    return int(written) if written.isdigit() else None


def _remove_stale(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ResidentError(f"{path} is in the way and is not a socket; move it")
    if _answers(path):
        raise ResidentRunningError(path, None)
    path.unlink(missing_ok=True)


def _answers(path: Path) -> bool:
    """Return whether a process listens there, which a lock's file that was deleted would not tell."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_ANSWER_SECONDS)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True
    return True


def _bind(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        path.chmod(0o600)
    except OSError as error:
        listener.close()
        raise ResidentError(f"{path} cannot be made: {error.strerror or error}") from error
    return listener
