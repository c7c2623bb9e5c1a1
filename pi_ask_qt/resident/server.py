"""The resident's socket: lets this user's clients in, and gives each of them a session."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import struct
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from pi_ask.runtime.tool import PiAsk
from pi_ask.wire import encode
from pi_ask_qt.place import socket_path
from pi_ask_qt.resident.asks import AskService
from pi_ask_qt.resident.limits import Limits
from pi_ask_qt.resident.lock import Place, ResidentError
from pi_ask_qt.resident.session import Session

_log = logging.getLogger("pi_ask_qt.resident")

_FAREWELL_SECONDS = 1.0
_BACKLOG = 512
_CREDENTIALS = struct.Struct("3i")


class ResidentServer:
    """Listens at ``path`` (see :func:`~pi_ask_qt.place.socket_path`) for clients that want ``pi`` to ask something.

    Works on any asyncio loop. Close it before ``pi``, so that forms still open end as failures, not as withdrawn.
    """

    def __init__(self, pi: PiAsk, path: str | os.PathLike[str] | None = None, limits: Limits | None = None) -> None:
        self.path = Path(socket_path() if path is None else path).absolute()
        self.service = AskService(pi, limits)
        self.peers: set[SocketPeer] = set()
        self.closing = False
        self._place: Place | None = None
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Take the place and listen.

        Raises:
            ResidentRunningError: another resident is there.
            ResidentError: the socket cannot be made; the message says what to change.
        """
        if not hasattr(socket, "SO_PEERCRED"):
            raise ResidentError("this system does not tell who is at the other end of a socket; use pi-ask without it")
        self._place = Place(self.path)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(
            lambda: SocketPeer(self), sock=self._place.socket, backlog=_BACKLOG
        )

    async def aclose(self) -> None:
        """Listen no longer, tell each client that its forms have failed, and give up the place."""
        self.closing = True
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*(peer.shut() for peer in tuple(self.peers)))
        await self._see_off()
        self.service.close()
        if self._place is not None:
            self._place.release()
            self._place = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _see_off(self) -> None:
        """Give the last words a moment to be read."""
        ends = [peer.ended for peer in self.peers]
        if ends:
            await asyncio.wait(ends, timeout=_FAREWELL_SECONDS)
        for peer in tuple(self.peers):
            peer.abort()


class SocketPeer(asyncio.Protocol):
    """One connection: carries lines to the client, and its bytes to its session."""

    def __init__(self, server: ResidentServer) -> None:
        self._server = server
        self._transport: asyncio.Transport | None = None
        self._session: Session | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # --- what the loop calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the client in, or say why not."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(self._server.service.limits.unread_bytes)
        refusal = self._refusal()
        self._server.peers.add(self)
        if refusal is not None:
            self.send(refusal)
            self.close()
            return
        self._session = Session(self._server.service, self)
        self._session.greet()

    def data_received(self, data: bytes) -> None:
        """Pass on what has arrived."""
        if self._session is not None:
            self._session.receive(data)

    def eof_received(self) -> None:
        """Take the end of what the client sends as its end; the transport closes once the last words are out."""
        if self._session is not None:
            self._session.finish()

    def pause_writing(self) -> None:
        """Take note that the client does not read."""
        if self._session is not None:
            self._session.hold()

    def resume_writing(self) -> None:
        """Take note that the client reads again."""
        if self._session is not None:
            self._session.release()

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up."""
        if exc is not None:
            _log.debug("a connection broke: %s", exc)
        self._server.peers.discard(self)
        if self._session is not None:
            self._session.gone()
        if not self.ended.done():
            self.ended.set_result(None)

    # --- what the session calls ---

    @property
    def unread(self) -> int:
        """The number of bytes that the client has not taken."""
        return self._open.get_write_buffer_size()

    def send(self, line: bytes) -> None:
        """Queue ``line``."""
        self._open.write(line)

    def pause(self) -> None:
        """Read nothing until :meth:`resume`."""
        self._open.pause_reading()

    def resume(self) -> None:
        """Read again."""
        self._open.resume_reading()

    def close(self) -> None:
        """Send what is queued, then end."""
        self._open.close()

    def abort(self) -> None:
        """End now."""
        self._open.abort()

    # --- what the server calls ---

    async def shut(self) -> None:
        """End because the resident does."""
        if self._session is not None:
            await self._session.shut()
        self.close()

    @property
    def _open(self) -> asyncio.Transport:
        if self._transport is None:
            raise RuntimeError("not connected yet")
        return self._transport

    def _refusal(self) -> bytes | None:
        limits = self._server.service.limits
        if peer_uid(self._open.get_extra_info("socket")) != os.getuid():
            return encode("error", error="refused", message="this is the resident of another user")
        if self._server.closing:
            return encode("error", error="closing", message="the resident is closing")
        if len(self._server.peers) >= limits.clients:
            return encode("error", error="busy", message=f"{limits.clients} clients are connected; try again later")
        return None


def peer_uid(connection: socket.socket) -> int:
    """Return the user id of the process at the other end of a Unix socket, as the system knows it."""
    _, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return int(uid)
