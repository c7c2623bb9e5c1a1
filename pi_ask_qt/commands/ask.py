"""``pi-ask ask``: open a form in this process and print its result."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_ask_qt.cli import (
    EXIT_ANSWERED,
    EXIT_CANCELLED,
    EXIT_ELABORATE,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_TIMED_OUT,
    EXIT_USAGE,
)
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.display import missing_library_line, screen_problem

if TYPE_CHECKING:
    from pi_ask import AskConfig, AskUserResult, PiAsk
    from pi_ask_qt.app import AskApplication
    from pi_ask_qt.provider import QtAskProvider

MAX_FORM_BYTES = 16 * 1024 * 1024


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Job:
    """One form to ask. ``prepare`` gets the core and the provider before the form is asked."""

    form: Any
    config: AskConfig
    timeout: float | None = None
    extensions: tuple[str, ...] = ()
    prepare: Callable[[PiAsk, QtAskProvider], None] = field(default=lambda *_: None)


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask ask`` and return its exit code."""
    try:
        output = Output()
        return carry_out(lambda: _job(arguments), output)
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED


def carry_out(make_job: Callable[[], Job], output: Output) -> int:
    """Ask the job's form in this process; every failure is one line and its exit code."""
    logging.basicConfig(stream=sys.stderr, format="pi-ask: %(message)s")
    try:
        job = make_job()
    except UsageError as error:
        say(str(error))
        return EXIT_USAGE
    problem = screen_problem()
    if problem is not None:
        return _without_screen(job, output, problem)
    try:
        from pi_ask_qt import app  # noqa: PLC0415 - Qt only now that a window is about to open
    except ImportError as error:
        say(missing_library_line(error))
        return EXIT_FAILED
    return _run(app, job, output)


def read_form(source: str) -> bytes:
    """Return the bytes of a form file, or of standard input for ``-``.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_FORM_BYTES + 1) if sys.stdin is not None else b""
        else:
            path = Path(source)
            if path.is_dir():
                raise UsageError(f"{source} is a folder; give the file of a form")
            with path.open("rb") as file:
                data = file.read(MAX_FORM_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"the form {source} cannot be read: {reason}") from error
    if len(data) > MAX_FORM_BYTES:
        raise UsageError(f"the form {source} is larger than 16 MiB")
    return data


def read_config(path: str | None, *, present_single_as_multi: bool) -> AskConfig:
    """Return the configuration to use.

    Raises:
        UsageError: the file named on the command line cannot be used.
    """
    from pydantic import ValidationError  # noqa: PLC0415

    from pi_ask import AskConfig  # noqa: PLC0415

    config = AskConfig()
    if path is not None:
        try:
            config = AskConfig.model_validate_json(Path(path).read_bytes())
        except OSError as error:
            raise UsageError(f"the configuration {path} cannot be read: {error.strerror}") from error
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise UsageError(f"the configuration {path} cannot be used: {place}: {first['msg']}") from error
    if present_single_as_multi:
        behaviour = config.behaviour.model_copy(update={"present_single_as_multi": True})
        config = config.model_copy(update={"behaviour": behaviour})
    return config


def exit_code(result: AskUserResult) -> int:
    """Return the exit code that stands for ``result``."""
    if result.outcome == "answered":
        return EXIT_ELABORATE if result.details.mode == "elaborate" else EXIT_ANSWERED
    codes = {"cancelled": EXIT_CANCELLED, "invalid": EXIT_USAGE, "aborted": EXIT_TIMED_OUT}
    return codes.get(result.outcome, EXIT_FAILED)


def report(result: AskUserResult, output: Output) -> int:
    """Write the result where it belongs and return the exit code that stands for it."""
    code = exit_code(result)
    if code == EXIT_TIMED_OUT:
        say("the form was not answered in time; nothing was chosen")
    elif code in {EXIT_USAGE, EXIT_FAILED}:
        say(result.text)
    if code not in {EXIT_TIMED_OUT, EXIT_FAILED}:
        output.write(result.details.to_json())
    return code


def _job(arguments: argparse.Namespace) -> Job:
    form = _titled(read_form(arguments.form), arguments.title)
    return Job(
        form=form,
        config=read_config(arguments.config, present_single_as_multi=arguments.present_single_as_multi),
        timeout=arguments.timeout,
        extensions=tuple(arguments.extension),
    )


def _titled(form: bytes, title: str | None) -> Any:
    if title is None:
        return form
    try:
        parsed = json.loads(form)
    except (ValueError, RecursionError):
        return form  # the core says what is wrong with it
    return {**parsed, "title": title} if isinstance(parsed, dict) else form


def _without_screen(job: Job, output: Output, problem: str) -> int:
    """Say what is wrong with the form, where something is; else that there is no screen."""
    from pi_ask import PiAsk  # noqa: PLC0415

    async def ask() -> AskUserResult:
        return await PiAsk(config=job.config).ask_user(job.form)

    result = asyncio.run(ask())
    if result.outcome == "invalid":
        return report(result, output)
    say(problem)
    return EXIT_FAILED


def _run(app: Any, job: Job, output: Output) -> int:
    from pi_ask import ExtensionError, ExternalUIError  # noqa: PLC0415

    async def main(_: AskApplication) -> AskUserResult:
        return await _ask(job)

    try:
        return report(app.run(main), output)
    except ExtensionError as error:
        say(str(error))
        return EXIT_USAGE
    except ExternalUIError as error:
        say(str(error))
        return EXIT_FAILED
    except app.InterruptedByUser:
        say("interrupted; nothing was chosen")
        return EXIT_INTERRUPTED


async def _ask(job: Job) -> AskUserResult:
    from pi_ask import AbortSignal, PiAsk  # noqa: PLC0415
    from pi_ask_qt.provider import QtAskProvider  # noqa: PLC0415

    async with PiAsk(config=job.config) as pi:
        provider = QtAskProvider()
        with _registered(provider, pi):
            for extension in job.extensions:
                pi.load_extension(extension)
            job.prepare(pi, provider)
            signal = AbortSignal.timeout(job.timeout) if job.timeout is not None else None
            return await pi.ask_user(job.form, tool_call_id="pi-ask", signal=signal)


@contextlib.contextmanager
def _registered(provider: QtAskProvider, pi: PiAsk) -> Iterator[None]:
    unregister = provider.register(pi)
    try:
        yield
    finally:
        unregister()
