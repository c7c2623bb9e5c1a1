"""``pi-ask tray``: one process in the background that holds the forms of all agents."""

from __future__ import annotations

import argparse
import asyncio
import sys

from pi_ask_qt.activation import take
from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.output import Output, OutputError, say, say_in_one_line
from pi_ask_qt.commands.screen import load_app
from pi_ask_qt.ending import EXIT_FAILED


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask tray`` and return its exit code: 0 once it was told to end."""
    if arguments.autostart is not None:
        return _autostart(arguments.autostart)
    app = load_app()
    if app is None:
        return EXIT_FAILED
    from pi_ask_qt.resident.lock import ResidentError  # noqa: PLC0415 - with the core only now

    try:
        app.run(lambda _: _reside(hidden=arguments.hidden))
    except app.InterruptedByUser:
        return 0
    except ResidentError as error:
        say(str(error))
        return EXIT_FAILED
    return 0


def _autostart(wanted: str) -> int:
    from pi_ask_qt import autostart  # noqa: PLC0415

    if not sys.platform.startswith("linux"):
        say("starting with the desktop is for Linux; elsewhere add 'pi-ask tray --hidden' to the login items yourself")
        return EXIT_FAILED
    try:
        if wanted == "on":
            say(f"the tray starts with the desktop, by {autostart.switch_on()}")
        elif wanted == "off":
            say(f"the tray does not start with the desktop; {autostart.switch_off()} is not there")
        else:
            Output(set_aside=False).write("on" if autostart.is_on() else "off")
    except (autostart.AutostartError, OutputError) as error:
        say_in_one_line(str(error))
        return EXIT_FAILED
    return 0


async def _reside(*, hidden: bool) -> None:
    from pi_ask import PiAsk  # noqa: PLC0415
    from pi_ask_qt.provider import QtAskProvider  # noqa: PLC0415
    from pi_ask_qt.resident.server import ResidentServer  # noqa: PLC0415
    from pi_ask_qt.tray.controller import Tray  # noqa: PLC0415

    take()  # whoever has started this has not asked for the window of any form that comes
    store = open_store()
    quit_requested = asyncio.Event()
    async with PiAsk(config=store.current.config) as pi:
        provider = QtAskProvider(store=store)
        unregister = provider.register(pi)
        tray = Tray(pi, provider, hidden=hidden)
        tray.quit_requested.connect(quit_requested.set)
        try:
            async with ResidentServer(pi) as server:
                say(f"the resident listens at {server.path}")
                await quit_requested.wait()
        finally:
            # Before the core is closed: forms that wait now fail, they are not withdrawn by who asked.
            unregister()
            tray.close()
