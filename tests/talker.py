"""What tests of the protocol share: a desk whose forms the test answers, and a client on the test's own loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from helpers import until

from pi_ask import EXTERNAL_UI, AskConfig, ExternalAskProvider, ExternalAskRequest, PiAsk
from pi_ask.wire import MAX_LINE_BYTES, decode, encode
from pi_ask_qt.resident import Limits, ResidentServer

SECONDS = 5.0
Open = Callable[[ExternalAskRequest], Any]


class Talker:
    """A client that says what a test likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def send(self, type_: str, **fields: Any) -> None:
        """Send one message."""
        self.writer.write(encode(type_, **fields))

    async def receive(self) -> dict[str, Any]:
        """Return the next message; an empty one once the other side has ended."""
        async with asyncio.timeout(SECONDS):
            line = await self._reader.readline()
        return decode(line) if line else {}

    async def ask(self, form: Any, id_: str = "1", **fields: Any) -> dict[str, Any]:
        """Ask and return the message that ends the form."""
        self.send("ask", id=id_, form=form, **fields)
        while (message := await self.receive())["type"] == "started":
            pass
        return message

    async def open(self, form: Any, id_: str = "1", **fields: Any) -> str:
        """Ask and return the id of the flow, once it has started."""
        self.send("ask", id=id_, form=form, **fields)
        message = await self.receive()
        assert (message["type"], message["id"]) == ("started", id_), message
        return str(message["flowId"])


class Desk:
    """A core whose forms are shown by ``open_``, with a resident in front of it."""

    def __init__(self, folder: Path, open_: Open, config: AskConfig, limits: Limits) -> None:
        self.pi = PiAsk(cwd=folder, config=config)
        self.requests: list[ExternalAskRequest] = []
        self.server = ResidentServer(self.pi, folder / "resident.sock", limits)
        self._open = open_
        self.pi.events.on(EXTERNAL_UI, lambda offer: offer.connect(ExternalAskProvider(id="test", open=self._show)))

    def _show(self, request: ExternalAskRequest) -> Any:
        self.requests.append(request)
        return self._open(request)

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Talker]:
        """Connect, and be greeted."""
        reader, writer = await asyncio.open_unix_connection(str(self.server.path), limit=4 * MAX_LINE_BYTES)
        talker = Talker(reader, writer)
        assert (await talker.receive())["type"] == "hello"
        try:
            yield talker
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def never(request: ExternalAskRequest) -> None:
    """Show a form that nobody answers."""
    await request.signal.wait()


def answering(response: Any) -> Open:
    """Show a form that somebody answers at once."""
    return lambda _: response


@asynccontextmanager
async def desk(
    folder: Path, open_: Open = never, *, config: AskConfig | None = None, limits: Limits | None = None
) -> AsyncIterator[Desk]:
    """Make a desk; in the end nothing is left of its clients."""
    made = Desk(folder, open_, config or AskConfig(), limits or Limits())
    async with made.pi, made.server:
        yield made
        await until(lambda: not made.server.peers)
        assert (made.server.service.forms, made.server.service.held_bytes) == (0, 0)
        assert made.pi.pending() == ()
