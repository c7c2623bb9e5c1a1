"""The forms that the command is given: read from a file or standard input, or made of a question."""

from __future__ import annotations

import sys

from pi_ask_qt.client import quoted

TYPE_CHECKING = False  # importing typing would cost a client of the resident more than all of this
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FORM_BYTES = 16 * 1024 * 1024
MAX_DETAILS_BYTES = 1024 * 1024


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to change."""


def read_form(source: str) -> bytes:
    """Return the bytes of a form file, or of standard input for ``-``.

    Raises:
        UsageError: it cannot be read.
    """
    return _read(source, "the form", MAX_FORM_BYTES)


def read_details(source: str) -> str:
    """Return the text of a file, a pipe, or of standard input for ``-``.

    Raises:
        UsageError: it cannot be read, or shows nothing.
    """
    try:
        text = _read(source, "the details", MAX_DETAILS_BYTES).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"the details {source} are not UTF-8 text (byte {error.start})") from error
    if not text.strip():
        raise UsageError(f"the details {source} are empty")
    return text


def titled(form: bytes, title: str | None) -> bytes:
    """Return ``form`` with another title; a form that cannot be read stays as it is, for the core to judge."""
    if title is None:
        return form
    import json  # noqa: PLC0415 - a client of the resident is started sooner without it

    try:
        parsed = json.loads(form)
        return json.dumps({**parsed, "title": title}).encode() if isinstance(parsed, dict) else form
    except (ValueError, RecursionError):
        return form


def confirm_form(question: str, labels: tuple[str, str], details: str | None) -> bytes:
    """Return a form of one question that is answered with ``yes`` or ``no``, beside ``details`` where there are any."""
    preview = f',"preview":{quoted(details)}' if details is not None else ""
    options = ",".join(
        f'{{"value":"{value}","label":{quoted(label)}{preview}}}'
        for value, label in zip(("yes", "no"), labels, strict=True)
    )
    type_ = "single" if details is None else "preview"
    text = f'{{"questions":[{{"id":"confirm","type":"{type_}","prompt":{quoted(question)},"options":[{options}]}}]}}'
    return text.encode("utf-8", "backslashreplace")


def read_file(source: str, what: str, limit: int) -> bytes:
    """Return the bytes of a file, or of a pipe, of ``limit`` bytes at most; ``what`` it is, for messages.

    Raises:
        UsageError: it cannot be read.
    """
    return _bounded(lambda: _read_file(source, limit), f"{what} {source}", limit)


def _read(source: str, what: str, limit: int) -> bytes:
    if source == "-":
        return _bounded(lambda: _read_input(limit), f"{what} on standard input", limit)
    return read_file(source, what, limit)


def _bounded(read: Callable[[], bytes], what: str, limit: int) -> bytes:
    try:
        data = read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{what} cannot be read: {reason}") from error
    if len(data) > limit:
        raise UsageError(f"{what} is larger than {limit // (1024 * 1024)} MiB")
    return data


def _read_input(limit: int) -> bytes:
    return sys.stdin.buffer.read(limit + 1) if sys.stdin is not None else b""


def _read_file(source: str, limit: int) -> bytes:
    with open(source, "rb") as file:
        return file.read(limit + 1)
