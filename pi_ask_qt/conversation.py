"""A client's wait for the person, once its request is on the way: with an eye on everybody who may go meanwhile."""

from __future__ import annotations

import _socket
import contextlib
import math
import select
import signal
from collections.abc import Iterator
from time import monotonic
from types import FrameType
from typing import Any

from pi_ask.wire import LineBuffer, WireError, decode, encode
from pi_ask_qt.client import ASK_ID, Call, connect
from pi_ask_qt.commands.output import Output, OutputError, say
from pi_ask_qt.ending import EXIT_FAILED, EXIT_INTERRUPTED, Ending, report_choice, report_result

PING_SECONDS = 5.0
PATIENCE_SECONDS = 10.0
FAREWELL_SECONDS = 1.0
REQUEST_SECONDS = 5.0

CHUNK = 256 * 1024
BROKEN = select.POLLERR | select.POLLHUP | select.POLLNVAL


class LostError(Exception):
    """The resident went away, or does not answer any more; the message says which."""


class RefusedError(Exception):
    """The resident did not carry out a request; ``code`` is for a program, the message says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class StoppedError(Exception):
    """SIGINT or SIGTERM arrived."""


class Heartbeat:
    """Tells when to ask the resident for a sign of life, and when to give it up: one that hangs is as good as gone."""

    def __init__(self) -> None:
        self._heard = monotonic()
        self._pinged: float | None = None

    @property
    def due(self) -> float:
        """When to call :meth:`check` next, on the monotonic clock."""
        return self._heard + PING_SECONDS if self._pinged is None else self._pinged + PATIENCE_SECONDS

    def hear(self) -> None:
        """Take anything that arrives for a sign of life."""
        self._heard = monotonic()
        self._pinged = None

    def check(self) -> bool:
        """Return whether to send a ping now; call it only when nothing has arrived.

        Raises:
            LostError: the last one was not answered.
        """
        if monotonic() < self.due:
            return False
        if self._pinged is not None:
            raise LostError(f"the resident does not answer any more (for {PATIENCE_SECONDS:g} s); nothing was chosen")
        self._pinged = monotonic()
        return True


class Conversation:
    """Messages to and from the resident. ``output`` is a descriptor whose reader is watched too."""

    def __init__(self, connection: _socket.socket, output: int | None = None) -> None:
        self._connection = connection
        self._buffer = LineBuffer(limit=None)
        self._heartbeat = Heartbeat()
        self._output = output
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        if output is not None:
            self._poll.register(output, 0)
        self.started = False

    def send(self, type_: str, **fields: Any) -> None:
        """Send one message; where that fails, the next :meth:`receive` says why."""
        with contextlib.suppress(OSError):
            self._connection.sendall(encode(type_, **fields))

    def receive(self, end: float | None = None) -> dict[str, Any]:
        """Return the next message, whatever it takes, but not after ``end`` on the monotonic clock.

        Raises:
            TimeoutError: ``end`` has come.
            LostError: the resident went away or does not answer.
            OutputError: nobody reads the output any more.
        """
        while True:
            line = self._buffer.take()
            if line is None:
                self._wait(end)
            elif (message := _understood(line))["type"] != "pong":
                return message

    def _wait(self, end: float | None) -> None:
        due = self._heartbeat.due
        events = dict(self._poll.poll(milliseconds(due if end is None else min(due, end))))
        if self._output is not None and events.get(self._output, 0) & BROKEN:
            raise OutputError("standard output was closed; there is nowhere to write the result to")
        if self._connection.fileno() in events:
            self._buffer.feed(receive(self._connection))
            self._heartbeat.hear()
        elif end is not None and monotonic() >= end:
            raise TimeoutError
        elif self._heartbeat.check():
            self.send("ping", id="ping")


def milliseconds(when: float) -> int:
    """Return how long it is until ``when`` on the monotonic clock, for a call of poll."""
    return max(0, math.ceil((when - monotonic()) * 1000))


def receive(connection: _socket.socket) -> bytes:
    """Return what has arrived.

    Raises:
        LostError: the resident has gone.
    """
    try:
        data = connection.recv(CHUNK)
    except OSError:
        data = b""
    if not data:
        raise LostError("the resident has ended before the form was answered; nothing was chosen")
    return data


def follow(connection: _socket.socket, call: Call) -> int | None:
    """Wait for the end of the form that was sent and return the exit code; ``None``: the resident did not take it."""
    try:
        output = Output(set_aside=False)
        with interruptible():
            message = _last_message(Conversation(connection, output.descriptor), call)
        return None if message is None else _conclude(message, call, output)
    except StoppedError:
        say("interrupted; nothing was chosen")
        return EXIT_INTERRUPTED
    except (LostError, OutputError) as error:
        say(str(error))
        return EXIT_FAILED
    finally:
        # Whatever ended the wait: without its client, the form goes.
        connection.close()


def request(type_: str, reply: str, **fields: Any) -> dict[str, Any]:
    """Ask the resident something that it answers at once and return its message of type ``reply``.

    Raises:
        LostError: there is none, or it does not answer.
        RefusedError: it says no.
    """
    connected = connect(REQUEST_SECONDS)
    if connected is None:
        raise LostError("no resident is running; start one with: pi-ask tray")
    connection, _ = connected
    try:
        talk = Conversation(connection)
        talk.send(type_, id=ASK_ID, **fields)
        end = monotonic() + REQUEST_SECONDS
        while (message := talk.receive(end))["type"] != reply:
            if message["type"] == "error":
                raise RefusedError(message["error"], message["message"])
    except TimeoutError:
        raise LostError("the resident does not answer") from None
    else:
        return message
    finally:
        connection.close()


def _last_message(talk: Conversation, call: Call) -> dict[str, Any] | None:
    end = None if call.timeout is None else monotonic() + call.timeout
    try:
        return _end_of_form(talk, end)
    except TimeoutError:
        talk.send("abort", id=ASK_ID)
    try:
        # An answer that was given before the form went counts, whatever the clock says here.
        return _end_of_form(talk, monotonic() + FAREWELL_SECONDS)
    except TimeoutError:
        return {"type": "result", "outcome": "aborted", "result": {}, "text": ""}


def _end_of_form(talk: Conversation, end: float | None) -> dict[str, Any] | None:
    """Return the message that ends the form, ``None`` where it was refused and has not been shown."""
    while True:
        message = talk.receive(end)
        if message["type"] in {"result", "failed"}:
            return message
        if message["type"] == "started":
            talk.started = True
        elif message["type"] == "error" and talk.started:
            raise LostError(f"the resident has given up: {message['message']}; nothing was chosen")
        elif message["type"] == "error":
            return None


def _conclude(message: dict[str, Any], call: Call, output: Output) -> int:
    if message["type"] == "failed":
        say(message["message"])
        return EXIT_FAILED
    report = report_choice if call.choice else report_result
    return report(Ending(message["outcome"], message["result"], message["text"]), output)


def _understood(line: bytes) -> dict[str, Any]:
    try:
        return decode(line)
    except WireError as error:
        raise LostError(f"the resident says what cannot be understood: {error}") from error


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Raise :class:`StoppedError` within the block when SIGINT or SIGTERM arrives."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise StoppedError

    previous = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
