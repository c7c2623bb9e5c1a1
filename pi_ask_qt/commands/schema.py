"""``pi-ask schema``: the JSON Schemas of what travels."""

from __future__ import annotations

import argparse

from pi_ask_qt.assets import resource
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.ending import EXIT_FAILED


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask schema`` and return its exit code."""
    schema = resource("schemas", f"{arguments.name}.json").read_text(encoding="utf-8")
    try:
        Output(set_aside=False).write(schema.rstrip("\n"))
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED
    return 0
