"""``@`` references to files in what a person writes: how they are spelled, and pictures kept for them."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QImage

_REFERENCE = re.compile(r'(?:(?<=\s)|^)@(?:"([^"\n]+)"|(\S+))', re.MULTILINE)
_OPEN_REFERENCE = re.compile(r'(?:\s|^)@("?)([^\s"@]*)$')


class References:
    """References to files, seen from one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def spelled(self, path: Path) -> str:
        """Return the reference to ``path``: relative below the folder, in quotation marks where it has blanks."""
        try:
            shown = path.relative_to(self.folder).as_posix()
        except ValueError:
            shown = str(path)
        return f'@"{shown}"' if re.search(r"\s", shown) else f"@{shown}"

    def pictures(self, text: str) -> list[tuple[str, Path]]:
        """Return the pictures that ``text`` refers to and that were saved from the clipboard, with their spelling."""
        found = (
            (match.group(), self.folder / (match.group(1) or match.group(2))) for match in _REFERENCE.finditer(text)
        )
        return [(spelling, path) for spelling, path in found if path.parent == cache_folder() and path.is_file()]


def open_reference(before: str) -> str | None:
    """Return what stands after an ``@`` that is being written at the end of ``before``; ``None`` without one."""
    match = _OPEN_REFERENCE.search(before)
    return match.group(2) if match else None


def save_picture(image: QImage) -> Path | None:
    """Save a picture below the user's cache folder, for this user alone; return where, ``None`` where that failed."""
    folder = cache_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"clipboard-{time.time_ns()}.png"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:
        return None
    return path if image.save(str(path)) else None


def cache_folder() -> Path:
    """Return the folder for pictures from the clipboard."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)) / "pi-ask"
