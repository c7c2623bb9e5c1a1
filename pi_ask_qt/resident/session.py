"""One client's conversation with the core, whatever carries its lines."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pi_ask
from pi_ask.wire import LineBuffer, WireError, decode, encode, message_id
from pi_ask_qt.resident.alarm import Alarm
from pi_ask_qt.resident.asks import Ask, AskService, read_ask
from pi_ask_qt.resident.waiting import cancel_flow, list_flows

# A client that sends without a pause gets this much of each turn of the loop; then it is everybody else's turn.
_LINES_A_TURN = 64


class Peer(Protocol):
    """What carries lines to a client, and its bytes to a session."""

    @property
    def unread(self) -> int:
        """The number of bytes that are queued and that the client has not taken."""

    def send(self, line: bytes) -> None:
        """Queue ``line``, which ends in a line break."""

    def pause(self) -> None:
        """Read nothing until :meth:`resume`."""

    def resume(self) -> None:
        """Read again."""

    def close(self) -> None:
        """Send what is queued, then end."""

    def abort(self) -> None:
        """End now; what is queued is lost."""


@dataclass(frozen=True, slots=True)
class _Message:
    id: str
    fields: Mapping[str, Any]
    size: int


class Session:
    """Takes a client's bytes, answers its messages, and ends its forms when it goes.

    The peer calls :meth:`greet`, :meth:`receive`, :meth:`finish`, :meth:`hold`, :meth:`release` and, in the end and
    always, :meth:`gone`.
    """

    def __init__(self, service: AskService, peer: Peer) -> None:
        self._service = service
        self._peer = peer
        self._limits = service.limits
        self._buffer = LineBuffer(self._limits.line_bytes)
        self._asks: dict[str, Ask] = {}
        self._charged = 0
        self._ended = False
        self._held_up = False
        self._paused = False
        self._next_turn: asyncio.Handle | None = None
        self._unfinished = False
        self._idle = Alarm(self._on_idle)
        self._stalled = Alarm(self._on_stalled)
        self._unread = 0
        self._handlers: dict[str, Callable[[_Message], None]] = {
            "ask": self._on_ask,
            "abort": self._on_abort,
            "pending": self._on_pending,
            "cancel": self._on_cancel,
            "ping": self._on_ping,
        }

    # --- what the peer calls ---

    def greet(self) -> None:
        """Say who is here and what fits."""
        program = f"pi-ask {pi_ask.__version__}"
        self._send("hello", program=program, pid=os.getpid(), maxLineBytes=self._limits.line_bytes)
        self._settle()

    def receive(self, data: bytes) -> None:
        """Take what has arrived."""
        if self._ended:
            return
        self._buffer.feed(data)
        self._charge()
        if self._service.held_bytes > self._limits.held_bytes:
            self._refuse(WireError("busy", "too much is waiting here; try again later, or send less"))
        elif self._next_turn is None:
            self._work()

    def finish(self) -> None:
        """The client sends nothing more: its forms end; a message that it left unfinished is answered."""
        if not self._ended and self._unfinished:
            self._send("error", error="incomplete", message="the last message was not ended by a line break")
        self._end("the client is gone")

    def gone(self) -> None:
        """Nothing can be read or sent any more."""
        self._end("the client is gone")
        self._stalled.clear()

    def hold(self) -> None:
        """The client leaves too much unread: read nothing more of it, and drop it if that lasts."""
        self._held_up = True
        self._settle()
        self._give_up_later()

    def release(self) -> None:
        """The client has read what was waiting for it."""
        self._held_up = False
        if not self._ended:
            self._stalled.clear()
            self._work()

    async def shut(self) -> None:
        """End because the resident does: every open form has failed, and none of them was cancelled."""
        asks = tuple(self._asks.values())
        for ask in asks:
            ask.withdraw("resident", "the resident is closing")
        await asyncio.gather(*(ask.task for ask in asks if ask.task is not None), return_exceptions=True)
        self._end("the resident is closing")

    # --- lines ---

    def _work(self) -> None:
        self._next_turn = None
        try:
            more = self._answer_some()
        except WireError as error:
            self._refuse(error)
            return
        if more:
            self._next_turn = asyncio.get_running_loop().call_soon(self._work)
        self._settle()

    def _answer_some(self) -> bool:
        """Answer the first lines that wait; return whether there may be more of them."""
        for _ in range(_LINES_A_TURN):
            if self._ended or self._held_up:
                return False
            line = self._buffer.take()
            if line is None:
                return False
            self._unfinished = False
            if line.strip():
                self._answer(line)
        return True

    def _answer(self, line: bytes) -> None:
        message = decode(line)
        id_: str | None = None
        try:
            id_ = message_id(message)
            self._handle(message["type"], _Message(id_, message, len(line)))
        except WireError as error:
            self._send("error", id=id_, error=error.code, message=str(error))

    def _handle(self, type_: str, message: _Message) -> None:
        handler = self._handlers.get(type_)
        if handler is None:
            raise WireError("unknown_type", f'"type" must be one of {", ".join(self._handlers)}')
        handler(message)

    def _send(self, type_: str, **fields: Any) -> None:
        if not self._ended:
            self._peer.send(encode(type_, **fields))

    # --- messages ---

    def _on_ask(self, message: _Message) -> None:
        if message.id in self._asks:
            raise WireError("duplicate_id", "this id is in use by an open form; take another")
        if len(self._asks) >= self._limits.forms_per_client or self._service.forms >= self._limits.forms:
            raise WireError("busy", "too many forms are open; wait until one of them has ended")
        ask = read_ask(message.id, message.fields, message.size)
        ask.on_started = lambda flow_id: self._send("started", id=ask.id, flowId=flow_id)
        self._asks[ask.id] = ask
        self._service.forms += 1
        ask.task = asyncio.get_running_loop().create_task(self._run(ask), name=f"a client's form {ask.id}")

    async def _run(self, ask: Ask) -> None:
        try:
            type_, fields = await self._service.run(ask)
            self._send(type_, id=ask.id, **fields)
        finally:
            del self._asks[ask.id]
            self._service.forms -= 1
            self._settle()

    def _on_abort(self, message: _Message) -> None:
        ask = self._asks.get(message.id)
        if ask is not None:
            ask.withdraw("client", "withdrawn by the client")

    def _on_pending(self, message: _Message) -> None:
        self._send("pending", id=message.id, flows=list_flows(self._service.pi))

    def _on_cancel(self, message: _Message) -> None:
        cancel_flow(self._service.pi, message.fields.get("flowId"))
        self._send("cancelled", id=message.id)

    def _on_ping(self, message: _Message) -> None:
        self._send("pong", id=message.id)

    # --- the end ---

    def _refuse(self, error: WireError) -> None:
        """Say why the client cannot be followed any further, and end."""
        self._send("error", error=error.code, message=str(error))
        self._end(str(error))

    def _end(self, reason: str) -> None:
        if self._ended:
            return
        self._ended = True
        for ask in tuple(self._asks.values()):
            ask.withdraw("client", reason)
        self._buffer.clear()
        if self._next_turn is not None:
            self._next_turn.cancel()
        self._settle()
        self._give_up_later()
        self._peer.close()

    # --- what follows from the state ---

    def _settle(self) -> None:
        self._charge()
        self._regulate()
        self._watch()

    def _charge(self) -> None:
        held = self._buffer.held + sum(ask.size for ask in self._asks.values())
        self._service.held_bytes += held - self._charged
        self._charged = held

    def _regulate(self) -> None:
        paused = self._held_up or self._next_turn is not None
        if paused != self._paused and not self._ended:
            self._paused = paused
            (self._peer.pause if paused else self._peer.resume)()

    def _watch(self) -> None:
        """Keep the time for an unfinished message from its first byte, and for silence from the last message."""
        unfinished = self._buffer.held > 0 and self._next_turn is None
        if unfinished and self._unfinished and self._idle.running:
            return
        self._unfinished = unfinished
        self._idle.clear()
        if not (self._ended or self._held_up) and (unfinished or not self._asks):
            self._idle.set(self._limits.idle_seconds)

    def _on_idle(self) -> None:
        what = "the last message was not ended by a line break" if self._unfinished else "nothing was sent"
        self._refuse(WireError("idle", f"{what} within {self._limits.idle_seconds:g} s"))

    def _give_up_later(self) -> None:
        if not self._stalled.running:
            self._unread = self._peer.unread
            self._stalled.set(self._limits.stalled_seconds)

    def _on_stalled(self) -> None:
        """Drop a client that has taken nothing since the alarm was set; a slow one gets more time."""
        if self._peer.unread < self._unread:
            self._give_up_later()
        else:
            self._peer.abort()
