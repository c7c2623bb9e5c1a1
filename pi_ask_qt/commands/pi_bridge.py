"""``pi-ask pi-bridge``: where the extension for the Pi coding agent is."""

from __future__ import annotations

import argparse

from pi_ask_qt.assets import resource
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.ending import EXIT_FAILED


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001 - every command is called alike
    """Carry out ``pi-ask pi-bridge`` and return its exit code."""
    try:
        Output(set_aside=False).write(str(resource("pi-bridge")))
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED
    return 0
