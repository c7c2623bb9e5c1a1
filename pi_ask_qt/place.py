"""Where the resident's socket is, and whether that place can be trusted."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False  # importing typing would cost a client more than all else that it needs
if TYPE_CHECKING:
    from collections.abc import Mapping

SOCKET_VARIABLE = "PI_ASK_SOCKET"
SOCKET_NAME = "resident.sock"
MAX_SOCKET_PATH_BYTES = 107

_OTHERS = 0o077
_TEMPORARY = "/tmp"  # noqa: S108 - the folder made there is this user's own, and is looked at before it is used


class UntrustedPlaceError(Exception):
    """A folder or socket that another user owns or can reach; the message names it and says what to change."""


def socket_path(environ: Mapping[str, str] = os.environ) -> str:
    """Return the absolute path of the resident's socket.

    It is ``PI_ASK_SOCKET`` where that is set, else ``pi-ask/resident.sock`` in the user's runtime folder:
    ``XDG_RUNTIME_DIR``, else ``/run/user/UID`` where there is one. On a system without a runtime folder it is in a
    folder of the user's own below the temporary files.
    """
    given = environ.get(SOCKET_VARIABLE)
    return os.path.abspath(given) if given else os.path.join(_folder(environ), SOCKET_NAME)


def check_folder(folder: str) -> None:
    """Raise unless ``folder`` is this user's and closed to all others.

    Raises:
        UntrustedPlaceError: it belongs to another user, is open to others, or is no folder.
        OSError: it cannot be looked at; :class:`FileNotFoundError` where there is none.
    """
    state = os.lstat(folder)
    if not stat.S_ISDIR(state.st_mode):
        raise UntrustedPlaceError(f"{folder} is not a folder")
    _check_owner(folder, state)
    if state.st_mode & _OTHERS:
        raise UntrustedPlaceError(f"{folder} is open to other users; close it with: chmod 700 {folder}")


def check_socket(path: str) -> None:
    """Raise unless ``path`` is a socket of this user in a folder that is closed to all others.

    Raises:
        UntrustedPlaceError: see :func:`check_folder`.
        OSError: it cannot be looked at; :class:`FileNotFoundError` where there is none.
    """
    check_folder(os.path.dirname(path))
    state = os.lstat(path)
    if not stat.S_ISSOCK(state.st_mode):
        raise UntrustedPlaceError(f"{path} is not a socket")
    _check_owner(path, state)


def _folder(environ: Mapping[str, str]) -> str:
    given = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(given):
        return os.path.join(given, "pi-ask")
    usual = f"/run/user/{os.getuid()}"
    if os.path.isdir(usual):
        return os.path.join(usual, "pi-ask")
    return os.path.join(environ.get("TMPDIR") or _TEMPORARY, f"pi-ask-{os.getuid()}")


def _check_owner(path: str, state: os.stat_result) -> None:
    if state.st_uid != os.getuid():
        raise UntrustedPlaceError(f"{path} belongs to another user (id {state.st_uid})")
