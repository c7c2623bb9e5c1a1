"""What an MCP client hears while the person thinks."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from helpers import form
from requirements import proves

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from pi_ask_qt.ending import Ending
from pi_ask_qt.mcp_server import AskServer


@pytest.fixture
def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The loop of the server, which knows nothing of Qt."""
    return asyncio.new_event_loop


class Thinking:
    """A person who cancels once they have thought about it."""

    def __init__(self) -> None:
        self.decided = asyncio.Event()

    async def ask(self, form: Any, call: Mapping[str, Any]) -> Ending:
        """Think about ``form``."""
        assert form["questions"]
        assert call["requester"]["name"]
        await self.decided.wait()
        return Ending("cancelled", {"cancelled": True, "mode": "submit", "questions": [], "answers": {}}, "cancelled")


class Wire:
    """The client's side of a server in this process."""

    def __init__(self, reader: asyncio.StreamReader, sink: int) -> None:
        self._reader = reader
        self._sink = sink

    def say(self, **message: Any) -> None:
        os.write(self._sink, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(10):
            message: dict[str, Any] = json.loads(await self._reader.readline())
        return message


@asynccontextmanager
async def served(person: Thinking, seconds: float) -> AsyncIterator[Wire]:
    """Yield the wire to a server that tells its client every ``seconds`` that the person thinks."""
    source, said = os.pipe()
    heard, sink = os.pipe()
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(heard, "rb")
    )
    serving = asyncio.create_task(AskServer(person, heartbeat_seconds=seconds).serve(source, sink))
    wire = Wire(reader, said)
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    wire.say(id=0, method="initialize", params=params)
    await wire.hear()
    try:
        yield wire
    finally:
        os.close(said)
        await serving
        transport.close()
        os.close(source)
        os.close(sink)


@proves("mcp-progress")
async def test_a_client_with_a_token_is_told_again_and_again_until_the_answer() -> None:
    person = Thinking()
    async with served(person, 0.05) as wire:
        params = {"name": "ask_user", "arguments": form(), "_meta": {"progressToken": 7}}
        wire.say(id=1, method="tools/call", params=params)
        heard = [await wire.hear() for _ in range(4)]
        person.decided.set()
        while "result" not in (message := await wire.hear()):
            heard.append(message)
        wire.say(id=2, method="ping")
        assert (await wire.hear())["id"] == 2
    assert {message["method"] for message in heard} == {"notifications/progress"}
    assert {message["params"]["progressToken"] for message in heard} == {7}
    progress = [message["params"]["progress"] for message in heard]
    assert progress == sorted(set(progress))


async def test_a_client_without_a_token_hears_the_answer_alone() -> None:
    person = Thinking()
    async with served(person, 0.01) as wire:
        wire.say(id=1, method="tools/call", params={"name": "ask_user", "arguments": form()})
        wire.say(id=2, method="ping")
        assert (await wire.hear())["id"] == 2
        person.decided.set()
        assert (await wire.hear())["id"] == 1
