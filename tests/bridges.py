"""Extensions for tests of the command: each plays a person, or a bad neighbour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

OPENED = b"opened\n"

# Waits until a window is on the screen; what it prints shows that standard output is not its own.
_EXTENSION = """
import asyncio, os, sys
from pi_ask import STARTED, SUBMIT, SUBMIT_RESULT

async def window():
    from PySide6.QtWidgets import QApplication
    while True:
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible():
                return widget
        await asyncio.sleep(0.01)

def extension(pi):
    async def on_started(event):
        BODY
    pi.events.on(STARTED, on_started)
"""


def extension(folder: Path, body: str, name: str = "extension.py") -> str:
    """Write an extension whose ``body`` is the coroutine function called with each started event; return its path."""
    lines = "\n        ".join(body.strip().splitlines())
    path = folder / name
    path.write_text(_EXTENSION.replace("BODY", lines), encoding="utf-8")
    return str(path)


def announcing(folder: Path, then: str = "") -> str:
    """An extension that prints ``opened`` once the window is there, and does ``then``."""
    return extension(folder, f"await window()\nprint('opened', flush=True)\n{then}")


def responding(folder: Path, response: dict[str, Any], before: str = "") -> str:
    """An extension that answers every form with ``response`` once its window is there, and does ``before`` first."""
    submit = f"{{'version': 1, 'requestId': 'r', 'flowId': event.flow_id, 'response': {response!r}}}"
    return extension(folder, f"await window()\n{before}\npi.events.emit(SUBMIT, {submit})")
