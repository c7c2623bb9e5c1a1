"""The libraries that Qt's wheels expect from the system, and the packages of Debian that bring them."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

_COMMON = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libX11.so.6": "libx11-6",
}
_X11 = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
_WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}


def missing_libraries(platform: str) -> dict[str, str]:
    """Return the libraries that Qt's ``platform`` plugin needs and the system lacks, each with its Debian package."""
    if not sys.platform.startswith("linux"):
        return {}
    needed = dict(_COMMON)
    needed.update(_X11 if platform == "xcb" else _WAYLAND if platform.startswith("wayland") else {})
    return {library: package for library, package in needed.items() if not _loads(library)}


def platform_plugin(platform: str) -> Path | None:
    """Return the file of Qt's ``platform`` plugin, ``None`` where there is none."""
    folder = _plugin_folder()
    found = [] if folder is None else [path for path in folder.glob("libq*.so") if path.stem == f"libq{platform}"]
    return found[0] if found else None


def platforms() -> tuple[str, ...]:
    """Return the names of the platforms that this Qt has plugins for."""
    folder = _plugin_folder()
    return () if folder is None else tuple(sorted(path.stem.removeprefix("libq") for path in folder.glob("libq*.so")))


def library_problem(platform: str) -> str | None:
    """Return why Qt's ``platform`` plugin cannot be loaded, in one line that says what to do, ``None`` if it can.

    Qt ends the process where a plugin cannot be loaded; so it is loaded here first.
    """
    plugin = platform_plugin(platform)
    if plugin is None:
        return None
    try:
        ctypes.CDLL(os.fspath(plugin))
    except OSError as error:
        return missing_line(missing_libraries(platform)) or f"Qt cannot be loaded: {error}"
    return None


def missing_library_line(error: BaseException) -> str:
    """Return one line for a part of PySide6 that could not be imported, with what to do."""
    return missing_line(missing_libraries("")) or f"Qt cannot be loaded: {error}"


def missing_line(missing: Mapping[str, str]) -> str | None:
    """Return one line about libraries that are missing, ``None`` where none is."""
    if not missing:
        return None
    return f"Qt needs {', '.join(missing)}, missing on this system. {install_line(missing.values())}"


def install_line(packages: Iterable[str]) -> str:
    """Return the words that say how to install Debian packages."""
    names = " ".join(dict.fromkeys(packages))
    if shutil.which("apt-get") is None:
        return f"Install what Debian calls {names}."
    return f"Run: sudo apt-get install -y {names}"


def _plugin_folder() -> Path | None:
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], "Qt", "plugins", "platforms")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
