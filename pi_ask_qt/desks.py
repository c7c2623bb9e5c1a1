"""Where a long-lived program without windows of its own has its forms answered: at the resident, or in its process."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from pi_ask.errors import ExternalUIError, PiAskError
from pi_ask.runtime.abort import AbortController
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk
from pi_ask.wire import LineBuffer, WireError, decode, encode
from pi_ask_qt.activation import VARIABLES
from pi_ask_qt.client import ASK_ID, connect
from pi_ask_qt.conversation import CHUNK, Heartbeat, LostError
from pi_ask_qt.display import find_display, screen_problem
from pi_ask_qt.ending import Ending

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

START_SECONDS = 15.0
GREETING_SECONDS = 1.0

_RETRY_SECONDS = 0.05
_LAST_TRIES_SECONDS = 1.0


class DeskError(PiAskError):
    """The form ended with neither an answer nor a cancellation; the message says why."""


class NoScreenError(DeskError):
    """Nothing can be shown here; the message says what to do."""


class Desk(Protocol):
    """Takes one form after the other, or many at once."""

    async def ask(self, form: Any, call: Mapping[str, Any]) -> Ending:
        """Ask ``form`` and wait; cancelling the task closes it.

        ``call`` may have ``requester``, ``toolCallId`` and ``presentSingleAsMulti``, as in the resident's protocol.

        Raises:
            DeskError: the surface failed.
        """


class ResidentDesk:
    """Asks through the resident, a connection for each form, and starts a resident where there is none."""

    def __init__(self) -> None:
        self._starting = asyncio.Lock()

    async def ask(self, form: Any, call: Mapping[str, Any]) -> Ending:
        """Ask ``form``; see :class:`Desk`."""
        connection = await self._connect()
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        try:
            writer.write(encode("ask", id=ASK_ID, form=form, cwd=_folder(), **call))
            return _ending(await _last_message(reader, writer))
        except LostError as error:
            raise DeskError(str(error)) from error
        finally:
            # Without its connection the form closes. Nothing is awaited, for the task may have been cancelled.
            writer.transport.abort()

    async def _connect(self) -> socket.socket:
        async with self._starting:
            connection = await _reach_resident()
            return connection if connection is not None else await _start_resident()


class HereDesk:
    """Asks in this process, by ``pi``. ``problem`` says why nothing can be shown, where that is so."""

    def __init__(self, pi: PiAsk, problem: str | None = None) -> None:
        self._pi = pi
        self._problem = problem

    async def ask(self, form: Any, call: Mapping[str, Any]) -> Ending:
        """Ask ``form``; see :class:`Desk`."""
        withdrawn = AbortController()
        asking = asyncio.ensure_future(
            self._pi.ask_user(
                form,
                requester=call.get("requester"),
                tool_call_id=call.get("toolCallId"),
                present_single_as_multi=call.get("presentSingleAsMulti"),
                signal=withdrawn.signal,
            )
        )
        asking.add_done_callback(_look_at)
        try:
            # Some callers cancel again and again until their task ends; the form closes once, in a task of its own.
            ended = await asyncio.shield(asking)
        except ExternalUIError as error:
            raise DeskError(str(error)) from error
        finally:
            withdrawn.abort("withdrawn by the client")
        if ended.outcome == "aborted":
            raise DeskError(ended.text)
        if ended.outcome == "not_shown" and self._problem is not None:
            return Ending(ended.outcome, ended.details.to_wire(), f"{self._problem}\n{ended.text}")
        return as_ending(ended)


async def in_words(form: Any, problem: str) -> Ending:
    """Return what is wrong with ``form`` or, where nothing is, its questions in words, after ``problem``."""
    async with PiAsk() as pi:
        return await HereDesk(pi, problem).ask(form, {})


def as_ending(result: AskUserResult) -> Ending:
    """Return a result of the core as it travels."""
    return Ending(result.outcome, result.details.to_wire(), result.text)


async def _start_resident() -> socket.socket:
    """Start a resident that outlives this process; return a connection to it.

    Raises:
        NoScreenError: there is no screen.
        DeskError: it did not start.
    """
    environ = {**os.environ, **await asyncio.to_thread(find_display)}
    resident = _spawn(environ)
    end = monotonic() + START_SECONDS
    while monotonic() < end:
        connection = await _reach_resident()
        if connection is not None:
            return connection
        if resident.poll() is not None:
            # Another one may have been quicker; it is given a moment.
            end = min(end, monotonic() + _LAST_TRIES_SECONDS)
            problem = await asyncio.to_thread(screen_problem, environ)
            if problem is not None:
                raise NoScreenError(problem)
        await asyncio.sleep(_RETRY_SECONDS)
    raise DeskError("the resident does not start; run it in a terminal to see why: pi-ask tray")


def _spawn(environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "pi_ask_qt", "tray"],
        env={name: value for name, value in environ.items() if name not in VARIABLES},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # who ends the group of this process does not mean the resident
    )


async def _reach_resident() -> socket.socket | None:
    connected = await asyncio.to_thread(connect, GREETING_SECONDS)
    if connected is None:
        return None
    connection, _ = connected
    return socket.socket(fileno=connection.detach())


async def _last_message(reader: StreamReader, writer: StreamWriter) -> dict[str, Any]:
    """Return the message that ends the form.

    Raises:
        LostError: the resident went away, does not answer any more, or cannot be understood.
    """
    lines, heartbeat = LineBuffer(limit=None), Heartbeat()
    while True:
        line = lines.take()
        if line is None:
            await _hear(reader, writer, lines, heartbeat)
            continue
        try:
            message = decode(line)
        except WireError as error:
            raise LostError(f"the resident says what cannot be understood: {error}") from error
        if message["type"] in {"result", "failed", "error"}:
            return message


async def _hear(reader: StreamReader, writer: StreamWriter, lines: LineBuffer, heartbeat: Heartbeat) -> None:
    try:
        async with asyncio.timeout(max(0.0, heartbeat.due - monotonic())):
            data = await reader.read(CHUNK)
    except TimeoutError:
        if heartbeat.check():
            writer.write(encode("ping", id="ping"))
        return
    except OSError:
        data = b""
    if not data:
        raise LostError("the resident has ended before the form was answered; nothing was chosen")
    heartbeat.hear()
    lines.feed(data)


def _ending(message: Mapping[str, Any]) -> Ending:
    if message["type"] == "result" and message["outcome"] != "aborted":
        return Ending(message["outcome"], message["result"], message["text"])
    raise DeskError(str(message.get("message", "the form was withdrawn before it was answered; nothing was chosen")))


def _look_at(ended: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for any more."""
    if not ended.cancelled():
        ended.exception()


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None
