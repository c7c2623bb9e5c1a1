"""The command ``pi-ask``: reads its arguments, and imports what carries them out only then."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.ending import EXIT_FAILED, EXIT_USAGE
from pi_ask_qt.running import carry_out

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
    return carry_out(arguments)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line before the usage, and writes help with the care that a result gets."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None or file is sys.stderr:
            super()._print_message(message, file)
        else:
            _print(message, self)


def _print(text: str, parser: argparse.ArgumentParser) -> None:
    try:
        Output(set_aside=False).write(text.rstrip("\n"))
    except OutputError as error:
        say(str(error))
        parser.exit(EXIT_FAILED)


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
    _add_confirm(commands)
    _add_pending(commands)
    _add_cancel(commands)
    _add_tray(commands)
    _add_host(commands)
    _add_mcp(commands)
    _add_settings(commands)
    _add_config(commands)
    _add_schema(commands)
    _add_pi_bridge(commands)
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
    ask.set_defaults(module="ask", given=None)
    ask.add_argument("form", metavar="FORM.json", help="the form, or - for standard input")
    ask.add_argument("--title", help="a title, in place of the form's")
    _add_caller(ask)
    add_common(ask)


def _add_confirm(commands: argparse._SubParsersAction[_Parser]) -> None:
    confirm = commands.add_parser(
        "confirm",
        help="ask one question of yes or no",
        description="Ask one question and print what was chosen: yes or no. Exit code 0 stands for an explicit yes; "
        "1 for no, own words, no choice, or a cancelled question; the others are as for ask.",
        allow_abbrev=False,
    )
    confirm.set_defaults(module="confirm", given=None, present_single_as_multi=False)
    confirm.add_argument("question", metavar="QUESTION")
    confirm.add_argument("--yes", metavar="LABEL", default="Yes", help="what yes reads like")
    confirm.add_argument("--no", metavar="LABEL", default="No", help="what no reads like")
    confirm.add_argument(
        "--details", metavar="FILE", help="a text to show beside the question, or - for standard input"
    )
    _add_caller(confirm)
    _add_surroundings(confirm)


def _add_pending(commands: argparse._SubParsersAction[_Parser]) -> None:
    pending = commands.add_parser(
        "pending",
        help="list the forms that wait in the resident",
        description="List the forms that wait in the resident, oldest first: id, since when, who asks, what about.",
        allow_abbrev=False,
    )
    pending.set_defaults(module="pending")
    pending.add_argument("--json", action="store_true", help="print one JSON list instead")


def _add_cancel(commands: argparse._SubParsersAction[_Parser]) -> None:
    cancel = commands.add_parser(
        "cancel",
        help="cancel a form that waits in the resident",
        description="Cancel a form in the person's name: whoever asked is told that there is no answer.",
        allow_abbrev=False,
    )
    cancel.set_defaults(module="cancel")
    cancel.add_argument("flow", metavar="FLOW", help="the id that pending shows, or the first characters of it")


def _add_tray(commands: argparse._SubParsersAction[_Parser]) -> None:
    tray = commands.add_parser(
        "tray",
        help="stay in the background and show the forms of all agents",
        description="Stay in the background, one process for every agent of this user.",
        allow_abbrev=False,
    )
    tray.set_defaults(module="tray")
    tray.add_argument("--hidden", action="store_true", help="show no window before a form comes, without a tray either")
    tray.add_argument(
        "--autostart",
        choices=("on", "off", "status"),
        help="start it with the desktop, or do so no longer, or print whether it is; it is not started now",
    )


def _add_host(commands: argparse._SubParsersAction[_Parser]) -> None:
    host = commands.add_parser(
        "host",
        help="take forms on standard input, one JSON message a line",
        description="Speak the resident's protocol on standard input and output until the input ends.",
        allow_abbrev=False,
    )
    host.set_defaults(module="host")
    _add_here(host)


def _add_mcp(commands: argparse._SubParsersAction[_Parser]) -> None:
    mcp = commands.add_parser(
        "mcp",
        help="serve agents by the Model Context Protocol",
        description="Speak the Model Context Protocol on standard input and output until the input ends. The forms "
        "open in the resident, which is started where there is none; with --here, -e or --config in this process.",
        allow_abbrev=False,
    )
    mcp.set_defaults(module="mcp")
    _add_here(mcp)
    _add_own(mcp)


def _add_settings(commands: argparse._SubParsersAction[_Parser]) -> None:
    settings = commands.add_parser("settings", help="open the settings", allow_abbrev=False)
    settings.set_defaults(module="settings")
    settings.add_argument("--config", metavar="FILE", help="the configuration file")


def _add_config(commands: argparse._SubParsersAction[_Parser]) -> None:
    config = commands.add_parser(
        "config",
        help="look at the configuration",
        description="path: print where the file is. show: print the configuration in force. check: say what is wrong "
        "in the file, and return 2 where anything is.",
        allow_abbrev=False,
    )
    config.set_defaults(module="config")
    config.add_argument("what", choices=("path", "show", "check"))
    config.add_argument("--config", metavar="FILE", help="the configuration file")


def _add_schema(commands: argparse._SubParsersAction[_Parser]) -> None:
    schema = commands.add_parser(
        "schema",
        help="print a JSON Schema",
        description="Print the JSON Schema of the forms that are read, the results that are written, the configuration "
        "file, or the events by channel.",
        allow_abbrev=False,
    )
    schema.set_defaults(module="schema")
    schema.add_argument("name", choices=("form", "result", "config", "events"))


def _add_pi_bridge(commands: argparse._SubParsersAction[_Parser]) -> None:
    bridge = commands.add_parser(
        "pi-bridge",
        help="print where the extension for Pi is",
        description="Print the folder of the extension by which the Pi coding agent asks in windows: "
        'pi --mode rpc -e "$(pi-ask pi-bridge)"',
        allow_abbrev=False,
    )
    bridge.set_defaults(module="pi_bridge")


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


def _add_caller(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--requester", metavar="NAME", help="who asks (default: the program that runs this one)")
    _add_here(parser)


def _add_here(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--here", action="store_true", help="open the form in this process, whatever else is running")


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that opens a form of any kind."""
    _add_surroundings(parser)
    parser.add_argument(
        "--present-single-as-multi", action="store_const", const=True, help="let single questions take several"
    )


def _add_surroundings(parser: argparse.ArgumentParser) -> None:
    _add_own(parser)
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="withdraw the form after this time")


def _add_own(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-e", "--extension", action="append", default=[], metavar="FILE.py", help="load an extension; may be repeated"
    )
    parser.add_argument("--config", metavar="FILE", help="the configuration file")


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

        _print(f"pi-ask {pi_ask.__version__}", parser)
        parser.exit()
