"""The command ``pi-ask``: reads its arguments, and imports what carries them out only then."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

EXIT_ANSWERED = 0
EXIT_CANCELLED = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_ELABORATE = 4
EXIT_TIMED_OUT = 5
EXIT_INTERRUPTED = 130

_EPILOG = """\
exit codes:
  0  answered                      4  answered with a request to elaborate
  1  cancelled by the person       5  timed out
  2  wrong usage or invalid form   130  interrupted
  3  no user interface, or it failed
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return EXIT_USAGE
    module = importlib.import_module(f"pi_ask_qt.commands.{arguments.module}")
    run: Callable[[argparse.Namespace], int] = module.run
    return run(arguments)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line before the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="pi-ask",
        description="Ask the person at this desktop, and print the answer as JSON.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_ask(commands)
    _add_demo(commands)
    return parser


def _add_ask(commands: argparse._SubParsersAction[_Parser]) -> None:
    ask = commands.add_parser(
        "ask",
        help="open a form and print its result",
        description="Open the form in FORM.json (or on standard input) and print its result as one JSON document.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    ask.set_defaults(module="ask")
    ask.add_argument("form", metavar="FORM.json", help="the form, or - for standard input")
    ask.add_argument("--title", help="a title, in place of the form's")
    add_common(ask)


def _add_demo(commands: argparse._SubParsersAction[_Parser]) -> None:
    demo = commands.add_parser(
        "demo",
        help="open a sample form",
        description="Open a sample form. Without a screen it is answered by the smoke extension, with a screenshot.",
        allow_abbrev=False,
    )
    demo.set_defaults(module="demo")
    demo.add_argument("--smoke", action="store_true", help="let the smoke extension answer, on a screen too")
    demo.add_argument("--screenshot", metavar="FILE", help="write a picture of the window (default: pi-ask-demo.png)")
    add_common(demo)


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that opens a form."""
    parser.add_argument(
        "-e", "--extension", action="append", default=[], metavar="FILE.py", help="load an extension; may be repeated"
    )
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="withdraw the form after this time")
    parser.add_argument("--config", metavar="FILE", help="the configuration file")
    parser.add_argument("--present-single-as-multi", action="store_true", help="let single questions take several")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time; give a number of seconds greater than 0")
    return seconds


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        import pi_ask  # noqa: PLC0415 - every other command does without it here

        print(f"pi-ask {pi_ask.__version__}")  # noqa: T201 - what the command is for
        parser.exit()
