"""The short way of ``ask`` and ``confirm``: plain arguments, and a resident that answers."""

from __future__ import annotations

from pi_ask_qt import client
from pi_ask_qt.forms import UsageError, confirm_form, read_details, read_form, titled

TYPE_CHECKING = False  # importing typing would take as long as all the rest
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_VALUES = {
    "ask": ("--title", "--timeout", "--requester"),
    "confirm": ("--yes", "--no", "--details", "--timeout", "--requester"),
}
_HERE = "--here"
_MULTI = "--present-single-as-multi"


class Plain:
    """The arguments of a plain command line, as argparse would give them."""

    def __init__(self, command: str, form: bytes, options: Mapping[str, Any]) -> None:
        self.module = command
        self.given = form
        self.here = True
        self.timeout: float | None = options.get("--timeout")
        self.requester: str | None = options.get("--requester")
        self.extension: tuple[str, ...] = ()
        self.config: str | None = None
        self.present_single_as_multi = _multi(command, options)


def try_quickly(argv: Sequence[str]) -> tuple[int | None, Plain | None]:
    """Ask through the resident without looking closely at the arguments, and return the exit code.

    ``None``: there is no resident, and with it come the arguments; or they need a closer look, and nothing comes.
    """
    options = _options(argv)
    if options is None:
        return None, None
    try:
        form = _form(argv[0], options)
        form.decode()
    except (UsageError, ValueError):
        return None, None
    if _HERE in options:
        return None, Plain(argv[0], form, options)
    return ask_resident(form, options, choice=argv[0] == "confirm"), Plain(argv[0], form, options)


def ask_resident(form: bytes, options: Mapping[str, Any], *, choice: bool) -> int | None:
    """Ask ``form`` through the resident; ``None`` where it is not there, or the form needs a closer look."""
    try:
        call = client.Call(form.decode())
    except ValueError:
        return None
    call.timeout = options.get("--timeout")
    call.requester = options.get("--requester")
    call.present_single_as_multi = _multi("confirm" if choice else "ask", options)
    call.choice = choice
    return client.ask(call)


def _multi(command: str, options: Mapping[str, Any]) -> bool | None:
    return True if _MULTI in options else False if command == "confirm" else None


def _options(argv: Sequence[str]) -> dict[str, Any] | None:
    """Return the options of a plain command line, its one argument under ``""``; ``None`` if it is not plain."""
    options: dict[str, Any] = {}
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        name = "" if _is_value(word) else word
        if name in _VALUES[argv[0]]:
            word = words.pop(0) if words and _is_value(words[0]) else ""
        elif name not in {"", _HERE, _MULTI}:
            return None
        if name in options or not word:
            return None
        options[name] = word
    return options if "" in options and _understands_time(options) else None


def _understands_time(options: dict[str, Any]) -> bool:
    """Put a number in the place of the text; return whether it is one, or is not there."""
    if "--timeout" not in options:
        return True
    try:
        seconds = float(options["--timeout"])
    except ValueError:
        return False
    options["--timeout"] = seconds
    return 0 < seconds < float("inf")


def _is_value(word: str) -> bool:
    return word == "-" or not word.startswith("-")


def _form(command: str, options: dict[str, str]) -> bytes:
    if command == "ask":
        return titled(read_form(options[""]), options.get("--title"))
    details = options.get("--details")
    labels = (options.get("--yes", "Yes"), options.get("--no", "No"))
    return confirm_form(options[""], labels, None if details is None else read_details(details))
