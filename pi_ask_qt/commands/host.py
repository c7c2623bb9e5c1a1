"""``pi-ask host``: the resident's protocol on standard input and output, for one program that asks."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import TYPE_CHECKING

from pi_ask_qt.client import connect
from pi_ask_qt.commands.ask import open_store
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.compiled import kept_compiled
from pi_ask_qt.conversation import LostError, StoppedError, interruptible
from pi_ask_qt.display import screen_problem
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED
from pi_ask_qt.libraries import missing_library_line
from pi_ask_qt.relay import Relay

if TYPE_CHECKING:
    from pi_ask_qt.app import AskApplication


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask host`` and return its exit code: 0 where the end of the input was what ended it."""
    try:
        code = None if arguments.here else _relay()
        return _host() if code is None else code
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED


def _relay() -> int | None:
    connected = connect()
    if connected is None:
        return None
    connection, greeting = connected
    try:
        with interruptible():
            Relay(connection, greeting, Output(set_aside=False).descriptor).run()
    except StoppedError:
        return EXIT_INTERRUPTED
    except LostError as error:
        say(str(error))
        return EXIT_FAILED
    except OSError as error:
        raise OutputError(f"standard output cannot be written to: {error.strerror}") from error
    finally:
        connection.close()
    return 0


def _host() -> int:
    logging.basicConfig(stream=sys.stderr, format="pi-ask: %(message)s")
    output = Output()
    source = set_input_aside()
    problem = screen_problem()
    if problem is not None:
        say(problem)
        return EXIT_FAILED
    try:
        with kept_compiled():
            from pi_ask_qt import app  # noqa: PLC0415 - Qt only now that windows are about to open
    except ImportError as error:
        say(missing_library_line(error))
        return EXIT_FAILED

    async def main(_: AskApplication) -> bool:
        return await _serve(source, output.descriptor)

    try:
        return 0 if app.run(main) else EXIT_FAILED
    except app.InterruptedByUser:
        return EXIT_INTERRUPTED


async def _serve(source: int, sink: int) -> bool:
    """Serve until the input ends; return whether it was that which ended it."""
    from pi_ask import PiAsk  # noqa: PLC0415
    from pi_ask_qt.provider import QtAskProvider  # noqa: PLC0415
    from pi_ask_qt.resident.asks import AskService  # noqa: PLC0415
    from pi_ask_qt.resident.limits import Limits  # noqa: PLC0415
    from pi_ask_qt.resident.stdio import StdioPeer  # noqa: PLC0415

    store = open_store()
    async with PiAsk(config=store.current.config) as pi:
        unregister = QtAskProvider(store=store).register(pi)
        service = AskService(pi, Limits(idle_seconds=None))
        peer = StdioPeer(service, source, sink)
        peer.start()
        try:
            await peer.ended
            return peer.input_ended
        finally:
            await peer.shut()
            service.close()
            unregister()


def set_input_aside() -> int:
    """Return the real standard input, and leave an empty one to all others."""
    empty = os.open(os.devnull, os.O_RDONLY)
    try:
        source = os.dup(0)
    except OSError:  # it is closed, and so it has ended
        return empty
    os.dup2(empty, 0)
    os.close(empty)
    return source
