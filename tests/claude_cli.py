"""What the Claude Agent SDK talks to in tests: the other side of its control protocol, played by the test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Transport

from pi_ask.integrations.asking import Ask
from pi_ask.integrations.claude_agent import can_use_tool

SECONDS = 10


class Cli(Transport):
    """Answers the handshake, asks for permissions when the test says so, and keeps what the SDK answered."""

    def __init__(self) -> None:
        self._outgoing: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def connect(self) -> None:
        """There is nothing to connect to."""

    async def write(self, data: str) -> None:
        """Take what the SDK says."""
        message = json.loads(data)
        if message["type"] == "control_request":
            response = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            self._outgoing.put_nowait({"type": "control_response", "response": response})
        elif message["type"] == "control_response":
            self._answers.put_nowait(message["response"])

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        """Say what there is to say."""
        while (message := await self._outgoing.get()) is not None:
            yield message

    async def close(self) -> None:
        """Say no more."""
        self._outgoing.put_nowait(None)

    def is_ready(self) -> bool:
        """Return whether something may be written."""
        return True

    async def end_input(self) -> None:
        """The SDK says no more."""

    def ask(self, tool: str, arguments: dict[str, Any], **context: Any) -> None:
        """Ask the SDK for permission."""
        request = {"subtype": "can_use_tool", "tool_name": tool, "input": arguments, "tool_use_id": "toolu_1"}
        self._outgoing.put_nowait(
            {"type": "control_request", "request_id": "permission", "request": {**request, **context}}
        )

    def abandon(self) -> None:
        """Withdraw what was asked."""
        self._outgoing.put_nowait({"type": "control_cancel_request", "request_id": "permission"})

    async def answer(self) -> dict[str, Any]:
        """Return what the SDK answered."""
        return await asyncio.wait_for(self._answers.get(), SECONDS)

    @property
    def unanswered(self) -> bool:
        """Whether the SDK has not answered."""
        return self._answers.empty()


def client(ask: Ask, cli: Cli) -> ClaudeSDKClient:
    """Return a real client of the SDK whose permissions come from ``ask``."""
    return ClaudeSDKClient(ClaudeAgentOptions(can_use_tool=can_use_tool(ask)), cli)


async def permission(ask: Ask, tool: str, arguments: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Return what the SDK answers to a request for permission."""
    cli = Cli()
    connected = client(ask, cli)
    await connected.connect()
    try:
        cli.ask(tool, arguments, **context)
        return await cli.answer()
    finally:
        await connected.disconnect()
