"""The Model Context Protocol's standard input and output, by threads that never keep a process from ending.

The SDK's own reads in a thread that ends only with its input, and so does a process that was told to end before that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from queue import SimpleQueue
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from pi_ask.wire import LineBuffer, WireError

MAX_LINE_BYTES = 64 * 1024 * 1024

_CHUNK = 256 * 1024
_FAREWELL_SECONDS = 1.0
_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio_streams(source: int, sink: int) -> AsyncIterator[Streams]:
    """Yield what ``mcp``'s servers read from and write to, carried over two descriptors of any kind.

    What is read ends when the input does, or nobody reads the output any more.
    """
    incoming, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    sent, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    reader, writer = _Reader(source), _Writer(sink)
    feeding = asyncio.ensure_future(_feed(reader, writer, incoming))
    writing = asyncio.ensure_future(_write(writer, outgoing))
    writer.on_broken = feeding.cancel
    reader.start()
    writer.start()
    try:
        yield received, sent
        sent.close()
        await writing
    finally:
        feeding.cancel()
        writing.cancel()
        await asyncio.wait({feeding, writing})
        for stream in (incoming, received, sent, outgoing):
            stream.close()
        await writer.finish()


class _Reader:
    """Reads in a thread, one piece at a time, so that what comes faster than it is understood waits outside."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue()
        self._wanted = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True, name="pi-ask mcp input").start()

    async def read(self) -> bytes:
        """Return what has arrived, nothing at the end."""
        self._wanted.set()
        return await self._pieces.get()

    def _run(self) -> None:
        data = b"-"
        while data:
            self._wanted.wait()
            self._wanted.clear()
            try:
                data = os.read(self._source, _CHUNK)
            except OSError:
                data = b""
            if not _tell(self._loop, self._pieces.put_nowait, data):
                return


class _Writer:
    """Writes in a thread, in order."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._ended = asyncio.Event()
        self.on_broken: Callable[[], object] = _nothing

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True, name="pi-ask mcp output").start()

    def write(self, message: Any) -> None:
        """Queue one message."""
        # Half a character has no UTF-8, but JSON has a spelling for it, which is the one of this error handler.
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._lines.put(line.encode("utf-8", "backslashreplace") + b"\n")

    async def finish(self) -> None:
        """Wait, for a moment, until everything is written."""
        self._lines.put(None)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await self._ended.wait()

    def _run(self) -> None:
        try:
            while (line := self._lines.get()) is not None:
                view = memoryview(line)
                while view:
                    view = view[os.write(self._sink, view) :]
        except OSError:
            _tell(self._loop, self.on_broken)
        _tell(self._loop, self._ended.set)


async def _feed(reader: _Reader, writer: _Writer, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    """Hand over one message after the other; what is none is answered, since somebody may wait for it."""
    lines = LineBuffer(MAX_LINE_BYTES)
    with incoming:
        while data := await reader.read():
            lines.feed(data)
            try:
                while (line := lines.take()) is not None:
                    if line.strip():
                        await _hand_over(line, writer, incoming)
            except WireError as error:
                writer.write(_problem(None, _INVALID_REQUEST, str(error)))
                return
            except anyio.BrokenResourceError:  # nobody reads any more
                return


async def _hand_over(
    line: bytes, writer: _Writer, incoming: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    try:
        # Read by json and not by the SDK: text with half a character in it is for the tool to complain about.
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        writer.write(_problem(None, _PARSE_ERROR, f"the line is no JSON: {error}"))
        return
    try:
        message = jsonrpc_message_adapter.validate_python(raw, by_name=False)
    except ValueError:
        id_ = raw.get("id") if isinstance(raw, dict) else None
        known = id_ if isinstance(id_, (str, int)) else None
        writer.write(_problem(known, _INVALID_REQUEST, "the line is no JSON-RPC message"))
        return
    await incoming.send(SessionMessage(message))


async def _write(writer: _Writer, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
    async for sent in outgoing:
        writer.write(sent.message.model_dump(by_alias=True, exclude_unset=True))


def _problem(id_: str | int | None, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}


def _tell(loop: asyncio.AbstractEventLoop, callback: Callable[..., object], *args: Any) -> bool:
    """Call ``callback`` on the loop's thread; return whether there is still somebody to be told."""
    try:
        loop.call_soon_threadsafe(callback, *args)
    except RuntimeError:
        return False
    return True


def _nothing() -> None:
    return
