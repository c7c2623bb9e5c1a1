"""``pi-ask settings``: the settings dialog by itself."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.screen import load_app
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED

if TYPE_CHECKING:
    from pi_ask_qt.app import AskApplication


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask settings`` and return its exit code."""
    app = load_app()
    if app is None:
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
