"""``pi-ask ask``: open a form in this process and print its result."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_ask_qt.client import TOOL_CALL_ID, requester
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.display import screen_problem
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, Ending, report_result
from pi_ask_qt.forms import UsageError, read_form, titled
from pi_ask_qt.libraries import missing_library_line
from pi_ask_qt.quick import ask_resident

if TYPE_CHECKING:
    from pi_ask import AskConfig, AskUserResult, PiAsk
    from pi_ask_qt.app import AskApplication
    from pi_ask_qt.provider import QtAskProvider


Report = Callable[[Ending, Output], int]
"""Writes what is to be printed and returns the exit code."""


@dataclass(frozen=True, slots=True)
class Job:
    """One form to ask. ``prepare`` gets the core and the provider before that, ``report`` what came of it."""

    form: Any
    config: AskConfig
    timeout: float | None = None
    extensions: tuple[str, ...] = ()
    requester: str | None = None
    present_single_as_multi: bool | None = None
    prepare: Callable[[PiAsk, QtAskProvider], None] = field(default=lambda *_: None)
    report: Report = report_result


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask ask`` and return its exit code."""
    try:
        form = arguments.given or titled(read_form(arguments.form), arguments.title)
    except UsageError as error:
        say(str(error))
        return EXIT_USAGE
    return ask_somewhere(form, arguments, report_result)


def ask_somewhere(form: bytes, arguments: argparse.Namespace, report: Report) -> int:
    """Ask ``form`` through the resident where it is there and can do all that the arguments want, else here."""
    if not (arguments.here or arguments.extension or arguments.config):
        code = ask_resident(form, _options(arguments), choice=report is not report_result)
        if code is not None:
            return code
    try:
        output = Output()
        return carry_out(lambda: _job(form, arguments, report), output)
    except OutputError as error:
        say(str(error))
        return EXIT_FAILED


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    names = ("timeout", "requester", "present_single_as_multi")
    given = {f"--{name.replace('_', '-')}": getattr(arguments, name) for name in names}
    return {name: value for name, value in given.items() if value}


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


def read_config(path: str | None) -> AskConfig:
    """Return the configuration to use.

    Raises:
        UsageError: the file named on the command line cannot be used.
    """
    from pydantic import ValidationError  # noqa: PLC0415

    from pi_ask import AskConfig  # noqa: PLC0415

    if path is None:
        return AskConfig()
    try:
        return AskConfig.model_validate_json(Path(path).read_bytes())
    except OSError as error:
        raise UsageError(f"the configuration {path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"the configuration {path} cannot be used: {place}: {first['msg']}") from error


def _job(form: bytes, arguments: argparse.Namespace, report: Report) -> Job:
    return Job(
        form=form,
        config=read_config(arguments.config),
        timeout=arguments.timeout,
        extensions=tuple(arguments.extension),
        requester=arguments.requester,
        present_single_as_multi=arguments.present_single_as_multi,
        report=report,
    )


def _ending(result: AskUserResult) -> Ending:
    return Ending(result.outcome, result.details.to_wire(), result.text)


def _without_screen(job: Job, output: Output, problem: str) -> int:
    """Say what is wrong with the form, where something is; else that there is no screen."""
    from pi_ask import PiAsk  # noqa: PLC0415

    async def ask() -> AskUserResult:
        return await PiAsk(config=job.config).ask_user(job.form)

    result = asyncio.run(ask())
    if result.outcome == "invalid":
        return job.report(_ending(result), output)
    say(problem)
    return EXIT_FAILED


def _run(app: Any, job: Job, output: Output) -> int:
    from pi_ask import ExtensionError, ExternalUIError  # noqa: PLC0415

    async def main(_: AskApplication) -> AskUserResult:
        return await _ask(job)

    try:
        return job.report(_ending(app.run(main)), output)
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
            return await pi.ask_user(
                job.form,
                tool_call_id=TOOL_CALL_ID,
                signal=signal,
                requester=requester(job.requester),
                present_single_as_multi=job.present_single_as_multi,
            )


@contextlib.contextmanager
def _registered(provider: QtAskProvider, pi: PiAsk) -> Iterator[None]:
    unregister = provider.register(pi)
    try:
        yield
    finally:
        unregister()
