"""What tests of the MCP server share: the real server in a process, and clients of it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self

from helpers import form, question, until
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, Implementation, TextContent

ROOT = Path(__file__).resolve().parents[1]
BRIDGE = Path(__file__).with_name("mcp_bridge.py")
HERE = ("-e", str(BRIDGE))
SECONDS = 20.0

# The command, which looks for X servers in a folder of the test's own.
PROGRAM = """
import os, sys
from pi_ask_qt import x11
x11.SOCKETS = os.environ["TEST_X_SOCKETS"]
sys.argv[0] = "pi-ask"
from pi_ask_qt.start import main
sys.exit(main())
"""


CLIENT = """
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    command, *arguments = json.loads(sys.argv[1])
    parameters = StdioServerParameters(command=command, args=arguments, env=json.loads(sys.argv[2]))
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        await session.call_tool("ask_user", json.loads(sys.argv[3]))

asyncio.run(main())
"""


def asking(response: Any, *questions: dict[str, Any]) -> dict[str, Any]:
    """Return a form to which the bridge responds with ``response``."""
    return form(*questions, title=response if isinstance(response, str) else json.dumps(response))


def answer(value: str = "a", **more: Any) -> dict[str, Any]:
    """Return the response that chooses ``value`` for question ``q``."""
    return {"kind": "answer", "answers": {"q": {"values": [value], **more}}}


FOREVER = "think"
ELABORATE = {"kind": "answer", "mode": "elaborate", "answers": {"q": {"values": ["b"], "note": "why?"}}}
CANCEL = {"kind": "cancel"}
TWO = (question("q"), question("r", type="multi"))


class Site:
    """A folder with all that a server and its resident leave behind, and the way to start one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.errors = folder / "errors"
        self.sockets = folder / "x"
        self.sockets.mkdir()
        self.socket = folder / "run" / "resident.sock"
        self.socket.parent.mkdir(mode=0o700)

    def environ(self, **more: str) -> dict[str, str]:
        """Return the environment of a server: what the SDK's client gives it, and what keeps it to this folder."""
        return {
            "PYTHONPATH": str(ROOT),
            "TEST_X_SOCKETS": str(self.sockets),
            "XDG_RUNTIME_DIR": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
            "PI_ASK_SOCKET": str(self.socket),
            "MCP_BRIDGE_LOG": str(self.log),
            **more,
        }

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of a server."""
        return [sys.executable, "-c", PROGRAM, "mcp", *arguments]

    def logged(self, kind: str) -> list[dict[str, Any]]:
        """Return what the bridge wrote down."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [entry for entry in map(json.loads, lines) if entry["kind"] == kind]

    async def until_logged(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        """Wait until the bridge has written down ``count`` things."""
        await until(lambda: len(self.logged(kind)) >= count, SECONDS)
        return self.logged(kind)

    @asynccontextmanager
    async def session(
        self, *arguments: str, name: str = "a test", env: dict[str, str] | None = None
    ) -> AsyncIterator[ClientSession]:
        """Yield the SDK's own client of a real server, which opens its forms offscreen where ``env`` says no more."""
        environ = self.environ(**({"QT_QPA_PLATFORM": "offscreen"} if env is None else env))
        command, *rest = self.command(*arguments)
        parameters = StdioServerParameters(command=command, args=rest, env=environ)
        with self.errors.open("w", encoding="utf-8") as errors:
            async with stdio_client(parameters, errors) as (received, sent):
                info = Implementation(name=name, version="1")
                async with ClientSession(received, sent, client_info=info) as session:
                    await session.initialize()
                    yield session

    @asynccontextmanager
    async def here(self, **options: Any) -> AsyncIterator[ClientSession]:
        """Yield the client of a server that opens its forms in its own process, with the bridge."""
        async with self.session(*HERE, **options) as session:
            yield session


@contextmanager
def client_process(site: Site, asked: dict[str, Any], *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a client that asks ``asked`` in a process of its own; kill it at the end of the block."""
    documents = [site.command(*arguments), site.environ(QT_QPA_PLATFORM="offscreen"), asked]
    command = [sys.executable, "-c", CLIENT, *map(json.dumps, documents)]
    client = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield client
    finally:
        client.kill()
        client.wait()


class Pipes:
    """A server on two pipes, on which a test says what it likes."""

    def __init__(self, site: Site, *arguments: str, **env: str) -> None:
        environ = {**os.environ, **site.environ(QT_QPA_PLATFORM="offscreen", **env)}
        command = site.command(*arguments)
        with site.errors.open("w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                # What is still to be written has nobody to go to.
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()

    def say(self, line: bytes | dict[str, Any]) -> None:
        """Say one line."""
        assert self.process.stdin is not None
        self.process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next message; every line must be one."""
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def greet(self) -> None:
        """Shake hands."""
        client = {"name": "pipes", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self.say({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        assert self.hear()["id"] == 0
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, id_: int, arguments: Any, **meta: Any) -> None:
        """Call ask_user."""
        params = {"name": "ask_user", "arguments": arguments, **meta}
        self.say({"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params})


def text_of(result: CallToolResult) -> str:
    """Return the words of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return str(content.text)


def gone(pid: int) -> bool:
    """Return whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until_gone(pid: int, seconds: float = SECONDS) -> float:
    """Wait until a process has ended; return how long that took, in seconds."""
    start = time.monotonic()
    while not gone(pid):
        assert time.monotonic() - start < seconds, f"process {pid} goes on"
        time.sleep(0.01)
    return time.monotonic() - start
