"""``pi-ask ask``: open a form in this process and print its result."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pi_ask_qt.client import TOOL_CALL_ID, requester
from pi_ask_qt.commands.output import Output, OutputError, say, say_in_one_line
from pi_ask_qt.compiled import kept_compiled
from pi_ask_qt.display import screen_problem
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, Ending, report_result
from pi_ask_qt.forms import UsageError, read_form, titled
from pi_ask_qt.libraries import install_line, missing_library_line
from pi_ask_qt.quick import ask_resident

if TYPE_CHECKING:
    import argparse

    from pi_ask import AskUserResult, PiAsk
    from pi_ask.config.store import ConfigStore
    from pi_ask_qt.app import AskApplication
    from pi_ask_qt.provider import QtAskProvider


Report = Callable[[Ending, Output], int]
"""Writes what is to be printed and returns the exit code."""


@dataclass(frozen=True, slots=True)
class Job:
    """One form to ask. ``prepare`` gets the core and the provider before that, ``report`` what came of it."""

    form: Any
    store: ConfigStore
    timeout: float | None = None
    extensions: tuple[str, ...] = ()
    requester: str | None = None
    present_single_as_multi: bool | None = None
    prepare: Callable[[PiAsk, QtAskProvider], None] = field(default=lambda *_: None)
    report: Report = report_result


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``pi-ask ask`` and return its exit code."""
    try:
        form = titled(read_form(arguments.form), arguments.title) if arguments.given is None else arguments.given
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
        with kept_compiled():
            from pi_ask_qt import app  # noqa: PLC0415 - Qt only now that a window is about to open
    except ImportError as error:
        say(missing_library_line(error))
        return EXIT_FAILED
    return _run(app, job, output)


def open_store(path: str | None = None) -> ConfigStore:
    """Return the configuration file to use, read; what is wrong in it is said and does not count."""
    from pi_ask.config.store import ConfigStore  # noqa: PLC0415 - a client of the resident does without it

    store = ConfigStore(path)
    for notice in store.load().notices:
        say_in_one_line(notice)
    return store


def _job(form: bytes, arguments: argparse.Namespace, report: Report) -> Job:
    return Job(
        form=form,
        store=open_store(arguments.config),
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
        return await PiAsk(config=job.store.current.config).ask_user(job.form)

    result = asyncio.run(ask())
    if result.outcome == "invalid":
        return job.report(_ending(result), output)
    say(problem)
    return EXIT_FAILED


def _run(app: Any, job: Job, output: Output) -> int:
    from pi_ask import ExtensionError, ExternalUIError  # noqa: PLC0415

    async def main(_: AskApplication) -> AskUserResult:
        if not app.has_fonts():
            say(f"there is no font to write with. {install_line(['fonts-dejavu-core'])}")
        return await _ask(job, output)

    try:
        return job.report(_ending(app.run(main)), output)
    except ExtensionError as error:
        say_in_one_line(str(error))
        return EXIT_USAGE
    except ExternalUIError as error:
        say_in_one_line(str(error))
        return EXIT_FAILED
    except app.InterruptedByUser:
        say("interrupted; nothing was chosen")
        return EXIT_INTERRUPTED


async def _ask(job: Job, output: Output) -> AskUserResult:
    from pi_ask import AbortController, AbortSignal, PiAsk, Requester  # noqa: PLC0415
    from pi_ask_qt.provider import QtAskProvider  # noqa: PLC0415

    unread = AbortController()
    async with PiAsk(config=job.store.current.config) as pi:
        provider = QtAskProvider(store=job.store)
        with _registered(provider, pi), _watched(output, unread.abort):
            for extension in job.extensions:
                pi.load_extension(extension)
            job.prepare(pi, provider)
            times_out = () if job.timeout is None else (AbortSignal.timeout(job.timeout),)
            result = await pi.ask_user(
                job.form,
                tool_call_id=TOOL_CALL_ID,
                signal=AbortSignal.any((unread.signal, *times_out)),
                requester=Requester.made(**requester(job.requester)),
                present_single_as_multi=job.present_single_as_multi,
            )
    if unread.signal.aborted:
        raise OutputError("standard output was closed; there is nowhere to write the result to")
    return result


@contextlib.contextmanager
def _registered(provider: QtAskProvider, pi: PiAsk) -> Iterator[None]:
    unregister = provider.register(pi)
    try:
        yield
    finally:
        unregister()


@contextlib.contextmanager
def _watched(output: Output, unread: Callable[[], object]) -> Iterator[None]:
    """Call ``unread`` once nobody reads the output any more: a form that nobody waits for is in the way."""
    loop = asyncio.get_running_loop()
    mode = os.fstat(output.descriptor).st_mode
    watched = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)

    def on_event() -> None:
        # Something to read on a socket is no end, but it would be reported again and again.
        loop.remove_reader(output.descriptor)
        if not output.is_read:
            unread()

    if watched:
        loop.add_reader(output.descriptor, on_event)
    try:
        yield
    finally:
        if watched:
            loop.remove_reader(output.descriptor)
