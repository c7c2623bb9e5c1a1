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
_MULTI = "--present-single-as-multi"


def try_quickly(argv: Sequence[str]) -> tuple[int | None, dict[str, object]]:
    """Ask through the resident without looking closely at the arguments, and return the exit code.

    ``None``: they need a closer look, or there is no resident; with it comes what has been found out already.
    """
    options = _options(argv)
    if options is None:
        return None, {}
    try:
        form = _form(argv[0], options)
    except UsageError:
        return None, {}
    code = ask_resident(form, options, choice=argv[0] == "confirm")
    return code, {"given": form, "here": True}


def ask_resident(form: bytes, options: Mapping[str, Any], *, choice: bool) -> int | None:
    """Ask ``form`` through the resident; ``None`` where it is not there, or the form needs a closer look."""
    try:
        call = client.Call(form.decode())
        timeout = float(options["--timeout"]) if "--timeout" in options else None
    except ValueError:
        return None
    if timeout is not None and not 0 < timeout < float("inf"):
        return None
    call.timeout = timeout
    call.requester = options.get("--requester")
    call.present_single_as_multi = True if _MULTI in options else False if choice else None
    call.choice = choice
    return client.ask(call)


def _options(argv: Sequence[str]) -> dict[str, str] | None:
    """Return the options of a plain command line, its one argument under ``""``; ``None`` if it is not plain."""
    options: dict[str, str] = {}
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        name = "" if _is_value(word) else word
        if name in _VALUES[argv[0]]:
            word = words.pop(0) if words and _is_value(words[0]) else ""
        elif name not in {"", _MULTI}:
            return None
        if name in options or not word:
            return None
        options[name] = word
    return options if "" in options else None


def _is_value(word: str) -> bool:
    return word == "-" or not word.startswith("-")


def _form(command: str, options: dict[str, str]) -> bytes:
    if command == "ask":
        return titled(read_form(options[""]), options.get("--title"))
    details = options.get("--details")
    labels = (options.get("--yes", "Yes"), options.get("--no", "No"))
    return confirm_form(options[""], labels, None if details is None else read_details(details))
