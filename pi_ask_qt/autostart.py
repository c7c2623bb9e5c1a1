"""Starting the tray with the desktop, by an entry in the user's ``autostart`` folder.

Sources: the Desktop Application Autostart and the Desktop Entry specifications of freedesktop.org.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pi_ask.config.writing import replace_file
from pi_ask.files import FileError, read_regular
from pi_ask_qt.assets import resource

FILE_NAME = "pi-ask-tray.desktop"
_MAX_BYTES = 64 * 1024
_MARK = "X-PiAsk-Autostart=true"
_OFF = ("Hidden=true", "X-GNOME-Autostart-enabled=false")


class AutostartError(Exception):
    """The entry cannot be written or removed; nothing was changed. The message says why."""


def entry_path() -> Path:
    """Return where the entry is, or would be."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(given) if os.path.isabs(given) else Path.home() / ".config"
    return folder / "autostart" / FILE_NAME


def is_on() -> bool:
    """Return whether the desktop starts the tray: there is an entry of ours, and nobody has switched it off.

    Raises:
        AutostartError: there is one that cannot be read, or is not ours.
    """
    entry = _own_entry()
    return entry is not None and not any(line in entry.splitlines() for line in _OFF)


def switch_on(command: Sequence[str] | None = None) -> Path:
    """Write the entry and return its path; ``command`` is what it starts, this program's tray where none is given.

    Raises:
        AutostartError: it cannot be written, or there is an entry that is not ours.
    """
    _own_entry()
    path, text = entry_path(), entry_text(tray_command() if command is None else command)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(Path(os.path.realpath(path)), text.encode())  # a link stays a link
    except OSError as error:
        raise AutostartError(f"{path} cannot be written: {error.strerror or error}") from error
    return path


def switch_off() -> Path:
    """Remove the entry, if there is one, and return where it was.

    Raises:
        AutostartError: it cannot be removed, or is not ours.
    """
    path = entry_path()
    if _own_entry() is not None:
        try:
            path.unlink()
        except OSError as error:
            raise AutostartError(f"{path} cannot be removed: {error.strerror or error}") from error
    return path


def tray_command() -> tuple[str, ...]:
    """Return the command that starts the tray, as this program was installed."""
    script = Path(sys.executable).with_name("pi-ask")
    # Without -P, a file in the folder where the desktop starts could stand in for a module.
    program = (str(script),) if os.access(script, os.X_OK) else (sys.executable, "-P", "-m", "pi_ask_qt")
    return (*program, "tray", "--hidden")


def entry_text(command: Sequence[str]) -> str:
    """Return the desktop entry that starts ``command``.

    Raises:
        AutostartError: a desktop entry cannot hold one of the words.
    """
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=pi-ask",
        "Comment=Shows the questions of agents",
        f"Exec={' '.join(_quoted(word) for word in _checked(command))}",
        f"TryExec={_escaped(command[0])}",
        f"Icon={_escaped(str(resource('icons', 'pi-ask.svg')))}",
        "Terminal=false",
        "StartupNotify=false",
        "X-GNOME-Autostart-enabled=true",
        _MARK,
    )
    return "\n".join(lines) + "\n"


def _checked(command: Sequence[str]) -> Sequence[str]:
    if "=" in command[0]:
        raise AutostartError(f"a desktop entry cannot start {command[0]!r}; move the program to a path without =")
    return command


def _quoted(word: str) -> str:
    """Return one word of ``Exec``: in quotation marks with the shell's escapes, then with those of any entry."""
    escaped = "".join(f"\\{one}" if one in '"`$\\' else one for one in word.replace("%", "%%"))
    return _escaped(f'"{escaped}"')


def _escaped(text: str) -> str:
    if not text or any(ord(one) < 32 or one == "\x7f" for one in text):  # noqa: PLR2004 - the control characters
        raise AutostartError(f"a desktop entry cannot start {text!r}; move the program to a path that is plain text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise AutostartError(f"a desktop entry cannot start {text!r}; its path is no UTF-8 text") from None
    return text.replace("\\", "\\\\")


def _own_entry() -> str | None:
    """Return the entry that is there, ``None`` where none is."""
    path = entry_path()
    try:
        text = read_regular(path, _MAX_BYTES).decode("utf-8", "replace")
    except FileError as error:
        if error.missing and not path.is_symlink():
            return None
        raise AutostartError(f"{path} {error}; it is left as it is") from error
    if _MARK not in text.splitlines():
        raise AutostartError(f"{path} was not written by pi-ask and is left as it is; move it away first")
    return text
