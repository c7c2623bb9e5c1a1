"""Whether a window can be shown at all, asked before Qt is: it would end the process where none can."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pi_ask_qt import x11
from pi_ask_qt.libraries import library_problem, platform_plugin, platforms

ADVICE = "Run it in a desktop session, or set DISPLAY or WAYLAND_DISPLAY to one."

_WAYLAND_TIMEOUT_SECONDS = 3.0
_AUTHORITY_FILES = ("gdm/Xauthority", ".mutter-Xwaylandauth.*", "xauth_*", "lyxauth")


def screen_problem(environ: Mapping[str, str] | None = None) -> str | None:
    """Return why no window can be shown, in one line that says what to do; ``None`` where one can."""
    env = os.environ if environ is None else environ
    if not sys.platform.startswith("linux"):
        return None
    problems = []
    for platform in _platforms(env):
        problem = _platform_problem(platform, env)
        if problem is None:
            return None
        problems.append(problem)
    return problems[-1] if problems else f"There is no display. {ADVICE}"


def find_display(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that lead to a screen of this user, for a process that was started without them.

    Empty where the environment leads to a screen already, or where there is none.
    """
    env = os.environ if environ is None else environ
    if _answers(env):
        return {}
    return next((found for found in _candidates(env) if _answers({**env, **found})), {})


def is_offscreen(environ: Mapping[str, str] | None = None) -> bool:
    """Return whether Qt is told to draw where nobody sees it."""
    env = os.environ if environ is None else environ
    return next(iter(_platforms(env)), "").startswith(("offscreen", "minimal"))


def draw_somewhere() -> None:
    """Have Qt draw where nobody sees it, where there is no screen; call it before the application is made."""
    if screen_problem() is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _platforms(env: Mapping[str, str]) -> list[str]:
    """Return the names of the platforms that Qt would try, in its order."""
    given = [part.partition(":")[0].strip().lower() for part in env.get("QT_QPA_PLATFORM", "").split(";")]
    if any(given):
        return [name for name in given if name]
    ways = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    return [name for name, variable in ways.items() if env.get(variable)]


def _platform_problem(platform: str, env: Mapping[str, str]) -> str | None:
    if platform == "xcb":
        problem = _x_problem(env)
    elif platform.startswith("wayland"):
        problem = _wayland_problem(env)
        platform = "wayland"
    elif platform_plugin(platform) is None and platforms():
        return f"QT_QPA_PLATFORM names {platform!r}; this Qt has {', '.join(platforms())}. Unset it to use the screen."
    else:
        problem = None
    if problem is not None:
        return f"{problem} {ADVICE}"
    return library_problem(platform)


def _answers(env: Mapping[str, str]) -> bool:
    return _wayland_problem(env) is None or _x_problem(env) is None


def _x_problem(env: Mapping[str, str]) -> str | None:
    display = env.get("DISPLAY", "")
    return x11.x_problem(display, env) if display else "There is no X display."


def _wayland_problem(env: Mapping[str, str]) -> str | None:
    name = env.get("WAYLAND_DISPLAY", "")
    if not name:
        return "There is no Wayland display."
    path = os.path.join(env.get("XDG_RUNTIME_DIR", ""), name)
    if not os.path.isabs(path):
        return f"WAYLAND_DISPLAY={name!r} needs XDG_RUNTIME_DIR, which is not set."
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(_WAYLAND_TIMEOUT_SECONDS)
            client.connect(path)
    except (OSError, ValueError):
        return f"No Wayland compositor answers at WAYLAND_DISPLAY={name!r}."
    return None


def _candidates(env: Mapping[str, str]) -> Iterator[dict[str, str]]:
    runtime = Path(env.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    for path in _sorted(runtime, "wayland-*"):
        if path.suffix != ".lock":
            yield {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": path.name}
    authorities = [{}, *({"XAUTHORITY": str(path)} for name in _AUTHORITY_FILES for path in _sorted(runtime, name))]
    for path in _sorted(Path(x11.SOCKETS), "X*"):
        if _is_trusted(path):
            for authority in authorities:
                yield {"DISPLAY": f":{path.name[1:]}", **authority}


def _sorted(folder: Path, pattern: str) -> list[Path]:
    with contextlib.suppress(OSError):
        return sorted(folder.glob(pattern))
    return []


def _is_trusted(path: Path) -> bool:
    """Return whether a display is this user's or the system's: another user could read what is typed there."""
    try:
        return path.stat().st_uid in {os.getuid(), 0}
    except OSError:
        return False
