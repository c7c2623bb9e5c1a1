"""The resident's protocol on standard input and output, for the program that started this one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from pi_ask_qt.resident.asks import AskService
from pi_ask_qt.resident.session import Session

_CHUNK = 256 * 1024
_FAREWELL_SECONDS = 1.0


class StdioPeer:
    """One session over two descriptors of any kind, each served by a thread, since files and terminals may block."""

    def __init__(self, service: AskService, source: int, sink: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._source = source
        self._sink = sink
        self._limit = service.limits.unread_bytes
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self.unread = 0
        self._held = False
        self._may_read = threading.Event()
        self._session = Session(service, self)
        self.input_ended = False
        self.ended: asyncio.Future[None] = self._loop.create_future()

    def start(self) -> None:
        """Greet, and begin to carry."""
        self._may_read.set()
        for work in (self._read, self._write):
            threading.Thread(target=work, daemon=True, name=f"pi-ask host {work.__name__}").start()
        self._session.greet()

    async def shut(self) -> None:
        """End because the program does."""
        await self._session.shut()
        await asyncio.wait({self.ended}, timeout=_FAREWELL_SECONDS)
        self.abort()

    # --- what the session calls ---

    def send(self, line: bytes) -> None:
        """Queue ``line``."""
        self.unread += len(line)
        self._lines.put(line)
        if self.unread > self._limit and not self._held:
            self._held = True
            self._session.hold()

    def pause(self) -> None:
        """Read nothing until :meth:`resume`."""
        self._may_read.clear()

    def resume(self) -> None:
        """Read again."""
        self._may_read.set()

    def close(self) -> None:
        """Send what is queued, then end."""
        self._may_read.clear()
        self._lines.put(None)

    def abort(self) -> None:
        """End now."""
        if not self.ended.done():
            self.ended.set_result(None)
            self._session.gone()

    # --- what the threads do ---

    def _read(self) -> None:
        taken = threading.Event()
        while self._may_read.wait():
            data = _read_some(self._source)
            taken.clear()
            # One piece at a time, so that what is sent faster than it is understood waits outside.
            if not data or not self._tell(self._take, data, taken):
                break
            taken.wait()
        self._tell(self._on_input_ended)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                _write_all(self._sink, line)
            except OSError:
                break
            self._tell(self._on_written, len(line))
        self._tell(self.abort)

    def _tell(self, callback: Callable[..., object], *args: Any) -> bool:
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody is left to be told
            self._loop.call_soon_threadsafe(callback, *args)
            return True
        return False

    def _take(self, data: bytes, taken: threading.Event) -> None:
        try:
            self._session.receive(data)
        finally:
            taken.set()

    def _on_input_ended(self) -> None:
        self.input_ended = True
        self._session.finish()

    def _on_written(self, size: int) -> None:
        self.unread -= size
        if self._held and self.unread <= self._limit // 4:
            self._held = False
            self._session.release()


def _read_some(source: int) -> bytes:
    try:
        return os.read(source, _CHUNK)
    except OSError:
        return b""


def _write_all(sink: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(sink, view) :]
