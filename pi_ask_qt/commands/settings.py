"""``pi-ask settings``: the settings dialog by itself."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.output import say
from pi_ask_qt.display import screen_problem
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED
from pi_ask_qt.libraries import missing_library_line

if TYPE_CHECKING:
    from pi_ask_qt.app import AskApplication


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask settings`` and return its exit code."""
    logging.basicConfig(stream=sys.stderr, format="pi-ask: %(message)s")
    problem = screen_problem()
    if problem is not None:
        say(problem)
        return EXIT_FAILED
    try:
        from pi_ask_qt import app  # noqa: PLC0415 - Qt only now that it is certain that there is a screen
    except ImportError as error:
        say(missing_library_line(error))
        return EXIT_FAILED
    try:
        app.run(lambda application: _show(arguments.config, application))
    except app.InterruptedByUser:
        return EXIT_INTERRUPTED
    return 0


async def _show(path: str | None, application: AskApplication) -> None:
    from pi_ask_qt import languages  # noqa: PLC0415
    from pi_ask_qt.settings.dialog import SettingsDialog  # noqa: PLC0415
    from pi_ask_qt.theme import apply_theme  # noqa: PLC0415

    languages.install()
    store = open_store(path)
    if store.current.config.desktop.theme != "system":
        apply_theme(application, store.current.config.desktop.theme)
    closed = asyncio.Event()
    dialog = SettingsDialog(store)
    dialog.closed.connect(closed.set)
    dialog.show()
    await closed.wait()
