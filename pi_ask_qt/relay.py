"""``pi-ask host`` where a resident is there: standard input and output become one of its connections."""

from __future__ import annotations

import _socket
import os
import select

from pi_ask.wire import LineBuffer, encode
from pi_ask_qt.commands.output import OutputError
from pi_ask_qt.conversation import BROKEN, CHUNK, Heartbeat, LostError, milliseconds, receive

_INPUT = 0
_PING_ID = "pi-ask host"
_PONG = encode("pong", id=_PING_ID)


class Relay:
    """Carries lines both ways, and notices a resident that hangs.

    A side that does not read keeps the other from being read, so that nothing piles up here.
    """

    def __init__(self, connection: _socket.socket, greeting: bytes, output: int) -> None:
        self._connection = connection
        self._connection.settimeout(0)
        self._output = output
        self._replies = LineBuffer(limit=None)
        self._heartbeat = Heartbeat()
        self._outgoing = bytearray()
        self._in_line = False
        os.write(output, greeting)

    def run(self) -> None:
        """Carry until the input ends.

        Raises:
            LostError: the resident has gone, or does not answer any more.
            OutputError: nobody reads the output any more.
        """
        while self._turn():
            pass

    def _turn(self) -> bool:
        events = dict(self._watched().poll(milliseconds(self._heartbeat.due)))
        if events.get(self._output, 0) & BROKEN:
            raise OutputError("standard output was closed")
        if events.get(self._connection.fileno(), 0) & ~select.POLLOUT:
            self._carry_back(receive(self._connection))
        elif self._heartbeat.check() and not self._in_line:
            self._outgoing += encode("ping", id=_PING_ID)
        if events.get(_INPUT):
            data = os.read(_INPUT, CHUNK)
            if not data:
                return False
            self._outgoing += data
            self._in_line = not data.endswith(b"\n")
        self._carry_on()
        return True

    def _watched(self) -> select.poll:
        watched = select.poll()
        watched.register(self._output, 0)
        watched.register(self._connection, select.POLLIN | (select.POLLOUT if self._outgoing else 0))
        if len(self._outgoing) < CHUNK:
            watched.register(_INPUT, select.POLLIN)
        return watched

    def _carry_back(self, data: bytes) -> None:
        self._heartbeat.hear()
        self._replies.feed(data)
        while (line := self._replies.take()) is not None:
            reply = line + b"\n"
            while reply and reply != _PONG:
                reply = reply[os.write(self._output, reply) :]

    def _carry_on(self) -> None:
        if not self._outgoing:
            return
        try:
            sent = self._connection.send(self._outgoing)
        except BlockingIOError:
            return
        except OSError:
            raise LostError("the resident has gone; the forms that were open are lost") from None
        del self._outgoing[:sent]
