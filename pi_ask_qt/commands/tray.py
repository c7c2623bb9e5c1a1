"""``pi-ask tray``: one process in the background that holds the forms of all agents."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.output import say
from pi_ask_qt.display import screen_problem
from pi_ask_qt.ending import EXIT_FAILED
from pi_ask_qt.libraries import missing_library_line

if TYPE_CHECKING:
    from pi_ask_qt.app import AskApplication


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001 - every command is called alike
    """Carry out ``pi-ask tray`` and return its exit code: 0 once it was told to end."""
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
