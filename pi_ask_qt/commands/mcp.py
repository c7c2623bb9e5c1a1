"""``pi-ask mcp``: the Model Context Protocol on standard input and output."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import logging
import os
import signal
import socket
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.host import set_input_aside
from pi_ask_qt.commands.output import Output, OutputError, say, say_in_one_line
from pi_ask_qt.compiled import kept_compiled
from pi_ask_qt.display import find_display, screen_problem
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE
from pi_ask_qt.libraries import missing_library_line

if TYPE_CHECKING:
    from pi_ask_qt.app import AskApplication


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask mcp`` and return its exit code: 0 where the end of the input was what ended it."""
    logging.basicConfig(stream=sys.stderr, format="pi-ask: %(message)s")
    if importlib.util.find_spec("mcp") is None:
        say("the package mcp is missing; install it with: pip install 'pi-ask[mcp]'")
        return EXIT_FAILED
    try:
        output = Output()
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED
    source = set_input_aside()
    if _has_resident() and not (arguments.here or arguments.extension or arguments.config):
        return _run_plainly(_serve_resident(source, output.descriptor))
    return _run_here(arguments, source, output.descriptor)


def _has_resident() -> bool:
    return hasattr(socket, "SO_PEERCRED")


async def _serve_resident(source: int, sink: int) -> None:
    from pi_ask_qt.desks import ResidentDesk  # noqa: PLC0415 - the SDK takes its time, and so comes last
    from pi_ask_qt.mcp_server import AskServer  # noqa: PLC0415

    await AskServer(ResidentDesk()).serve(source, sink)


def _run_here(arguments: argparse.Namespace, source: int, sink: int) -> int:
    from pi_ask import ExtensionError  # noqa: PLC0415

    os.environ.update(find_display())
    problem = screen_problem()
    app: Any = None
    if problem is None:
        try:
            with kept_compiled():
                from pi_ask_qt import app  # noqa: PLC0415 - Qt only now that it is certain that there is a screen
        except ImportError as error:
            problem = missing_library_line(error)
    serving = _serve_here(arguments, (source, sink), problem)
    try:
        return _run_plainly(serving) if app is None else _run_with_windows(app, serving)
    except ExtensionError as error:
        say_in_one_line(str(error))
        return EXIT_USAGE


async def _serve_here(arguments: argparse.Namespace, descriptors: tuple[int, int], problem: str | None) -> None:
    """Serve with the core in this process. ``problem``: why there are no windows, where that is so."""
    from pi_ask import PiAsk  # noqa: PLC0415
    from pi_ask_qt.desks import HereDesk  # noqa: PLC0415
    from pi_ask_qt.mcp_server import AskServer  # noqa: PLC0415

    store = open_store(arguments.config)
    async with PiAsk(config=store.current.config) as pi:
        unregister = None
        if problem is None:
            from pi_ask_qt.provider import QtAskProvider  # noqa: PLC0415

            unregister = QtAskProvider(store=store).register(pi)
        try:
            for extension in arguments.extension:
                pi.load_extension(extension)
            await AskServer(HereDesk(pi, problem)).serve(*descriptors)
        finally:
            if unregister is not None:
                unregister()


def _run_plainly(serving: Coroutine[Any, Any, None]) -> int:
    """Run to the end, or to a signal."""

    async def main() -> None:
        task = asyncio.ensure_future(serving)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await task

    try:
        asyncio.run(main())
    except asyncio.CancelledError:
        return EXIT_INTERRUPTED
    return 0


def _run_with_windows(app: Any, serving: Coroutine[Any, Any, None]) -> int:
    async def main(_: AskApplication) -> None:
        await serving

    try:
        app.run(main)
    except app.InterruptedByUser:
        return EXIT_INTERRUPTED
    return 0
