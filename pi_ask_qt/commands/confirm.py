"""``pi-ask confirm``: one question of yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pi_ask_qt.commands.ask import ask_somewhere
from pi_ask_qt.commands.output import say
from pi_ask_qt.ending import EXIT_USAGE, report_choice
from pi_ask_qt.forms import UsageError, confirm_form, read_details

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask confirm`` and return its exit code."""
    try:
        form = _form(arguments) if arguments.given is None else arguments.given
    except UsageError as error:
        say(str(error))
        return EXIT_USAGE
    return ask_somewhere(form, arguments, report_choice)


def _form(arguments: argparse.Namespace) -> bytes:
    details = None if arguments.details is None else read_details(arguments.details)
    return confirm_form(arguments.question, (arguments.yes, arguments.no), details)
