"""``pi-ask tray``: one process in the background that holds the forms of all agents."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.output import say
from pi_ask_qt.commands.screen import load_app
from pi_ask_qt.ending import EXIT_FAILED

if TYPE_CHECKING:
    from pi_ask_qt.app import AskApplication


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001 - every command is called alike
    """Carry out ``pi-ask tray`` and return its exit code: 0 once it was told to end."""
    app = load_app()
    if app is None:
        return EXIT_FAILED
    from pi_ask_qt.resident.lock import ResidentError  # noqa: PLC0415 - with the core only now

    try:
        app.run(_reside)
    except app.InterruptedByUser:
        return 0
    except ResidentError as error:
        say(str(error))
        return EXIT_FAILED
    return 0


async def _reside(_: AskApplication) -> None:
    from pi_ask import PiAsk  # noqa: PLC0415
    from pi_ask_qt.provider import QtAskProvider  # noqa: PLC0415
    from pi_ask_qt.resident.server import ResidentServer  # noqa: PLC0415
    from pi_ask_qt.tray.controller import Tray  # noqa: PLC0415

    store = open_store()
    quit_requested = asyncio.Event()
    async with PiAsk(config=store.current.config) as pi:
        provider = QtAskProvider(store=store)
        unregister = provider.register(pi)
        tray = Tray(pi, provider)
        tray.quit_requested.connect(quit_requested.set)
        try:
            async with ResidentServer(pi) as server:
                say(f"the resident listens at {server.path}")
                await quit_requested.wait()
        finally:
            # Before the core is closed: forms that wait now fail, they are not withdrawn by who asked.
            unregister()
            tray.close()
