"""The MCP server as most people run it: its forms open in the resident, which it starts where there is none."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers import form, until
from requirements import proves
from residents import Client, Resident, titled

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import MCPError
from mcp_servers import FOREVER, SECONDS, Pipes, Site, asking, client_process, text_of, wait_until_gone

from pi_ask_qt import conversation
from pi_ask_qt.desks import DeskError, ResidentDesk


@pytest.fixture
def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The loop of the client, which knows nothing of Qt."""
    return asyncio.new_event_loop


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def resident(site: Site) -> Iterator[Resident]:
    with Resident(site.socket.parent) as running:
        yield running


# --- a resident that is there -----------------------------------------------------------------------------------------


@proves("mcp-same", "mcp-resident")
async def test_every_end_is_that_of_the_resident(site: Site, resident: Resident) -> None:
    async with site.session() as session:
        for title in ("answer", "elaborate", "own", "nothing", "cancel"):
            result = await session.call_tool("ask_user", titled(title))
            with resident.client() as client:
                expected = client.ask(titled(title))
            assert not result.is_error
            assert result.structured_content == expected["result"]
            assert text_of(result) == expected["text"]


async def test_an_invalid_form_is_an_error_with_every_issue(site: Site, resident: Resident) -> None:
    async with site.session() as session:
        result = await session.call_tool("ask_user", {"questions": [{"id": ""}]})
    assert result.is_error
    assert "questions[0].id" in text_of(result)
    assert "questions[0].options" in text_of(result)
    assert resident.waiting() == []


async def test_the_person_is_told_who_asks_and_relative_previews_are_the_servers(
    site: Site, resident: Resident
) -> None:
    (site.folder / "note.txt").write_text("hello", encoding="utf-8")
    option = {"value": "a", "previewFile": str(site.folder / "note.txt")}
    asked = {"title": FOREVER, "questions": [{"id": "q", "prompt": "Go?", "type": "preview", "options": [option]}]}
    async with site.session(name="an editor") as session:
        call = asyncio.create_task(session.call_tool("ask_user", asked))
        await until(resident.waiting, SECONDS)
        (flow,) = resident.waiting()
        assert flow["requester"] == {"name": "an editor", "cwd": os.getcwd(), "pid": os.getpid()}
        call.cancel()
        await asyncio.wait({call})


@pytest.mark.usefixtures("resident")
async def test_calls_at_once_each_get_their_own_answer(site: Site) -> None:
    async with site.session() as session:
        results = await asyncio.gather(
            *(session.call_tool("ask_user", titled(title)) for title in ("answer", "last", "own"))
        )
    values = [(result.structured_content or {})["answers"]["q"]["values"] for result in results]
    assert values == [["a"], ["b"], ["yes"]]


async def test_a_call_that_the_client_cancels_closes_its_form_and_the_server_goes_on(
    site: Site, resident: Resident
) -> None:
    async with site.session() as session:
        call = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        await until(resident.waiting, SECONDS)
        call.cancel()
        await asyncio.wait({call})
        await until(lambda: not resident.waiting(), SECONDS)
        assert not (await session.call_tool("ask_user", titled("answer"))).is_error


async def test_a_client_that_leaves_takes_its_forms_along(site: Site, resident: Resident) -> None:
    async with site.session() as session:
        call = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        await until(resident.waiting, SECONDS)
    with pytest.raises(MCPError, match="closed"):
        await call
    await until(lambda: not resident.waiting(), SECONDS)


async def test_a_client_that_is_killed_takes_its_forms_along(site: Site, resident: Resident) -> None:
    with client_process(site, asking(FOREVER)):
        await until(resident.waiting, SECONDS)
    await until(lambda: not resident.waiting(), SECONDS)


async def test_a_form_cancelled_at_the_resident_is_cancelled(site: Site, resident: Resident) -> None:
    async with site.session() as session:
        call = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        await until(resident.waiting, SECONDS)
        with resident.client() as client:
            client.send("cancel", id="1", flowId=resident.waiting()[0]["flowId"])
            client.receive()
            result = await call
    assert result.structured_content is not None
    assert result.structured_content["cancelled"] is True
    assert not result.is_error


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_resident_that_ends_meanwhile_is_an_error_and_no_answer(
    site: Site, resident: Resident, number: int
) -> None:
    async with site.session() as session:
        call = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        await until(resident.waiting, SECONDS)
        resident.signal(number)
        result = await call
    assert result.is_error
    assert result.structured_content is None
    assert "Do not assume an answer" in text_of(result)


async def test_a_signal_ends_the_server_though_its_input_is_open(site: Site, resident: Resident) -> None:
    with Pipes(site) as server:
        server.greet()
        server.call(1, asking(FOREVER))
        await until(resident.waiting, SECONDS)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(5) == 130
        await until(lambda: not resident.waiting(), SECONDS)
    assert "Traceback" not in site.errors.read_text(encoding="utf-8")


# --- no resident ------------------------------------------------------------------------------------------------------


@contextmanager
def _ended(site: Site) -> Iterator[None]:
    """End the resident that a server has started."""
    try:
        yield
    finally:
        if site.socket.exists():
            with Client(site.socket) as client:
                pid = client.greeting["pid"]
            os.kill(pid, signal.SIGTERM)
            wait_until_gone(pid)


@proves("mcp-resident")
async def test_a_resident_is_started_by_two_calls_at_once_and_outlives_the_server(site: Site) -> None:
    with _ended(site):
        async with site.session() as session:
            calls = [asyncio.create_task(session.call_tool("ask_user", asking(FOREVER))) for _ in range(2)]
            await until(lambda: site.socket.exists() and len(waiting(site)) == 2, SECONDS)
            with Client(site.socket) as client:
                for number, flow in enumerate(waiting(site)):
                    client.send("cancel", id=str(number), flowId=flow["flowId"])
                    assert client.receive()["type"] == "cancelled"
            for result in await asyncio.gather(*calls):
                assert result.structured_content is not None
                assert result.structured_content["cancelled"] is True
        with Client(site.socket) as client:
            first = client.greeting["pid"]
        async with site.session() as session:
            assert (await session.call_tool("ask_user", {"questions": []})).is_error
        with Client(site.socket) as client:
            assert client.greeting["pid"] == first


def waiting(site: Site) -> list[dict[str, Any]]:
    try:
        with Client(site.socket) as client:
            client.send("pending", id="p")
            flows: list[dict[str, Any]] = client.receive()["flows"]
            return flows
    except OSError:
        return []


async def test_a_place_that_cannot_be_trusted_is_an_error_that_says_what_to_do(site: Site) -> None:
    site.socket.parent.chmod(0o755)
    async with site.session() as session:
        result = await session.call_tool("ask_user", form())
    assert result.is_error
    assert "pi-ask tray" in text_of(result)


# --- a resident that misbehaves ---------------------------------------------------------------------------------------


@asynccontextmanager
async def impostor(site: Site, monkeypatch: pytest.MonkeyPatch, *lines: bytes) -> AsyncIterator[None]:
    """Listen as the resident would, and say ``lines`` to whoever asks."""
    monkeypatch.setenv("PI_ASK_SOCKET", str(site.socket))

    async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'{"version":1,"type":"hello","program":"x","pid":1,"maxLineBytes":1}\n')
        await reader.readline()
        writer.writelines(lines)
        await reader.read()
        writer.close()

    async with await asyncio.start_unix_server(on_connection, str(site.socket)):
        yield
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"nonsense\n", "cannot be understood"),
        (b'{"version":2,"type":"result"}\n', "cannot be understood"),
        (b'{"version":1,"type":"failed","error":"surface_failed","message":"the screen is on fire"}\n', "on fire"),
        (b'{"version":1,"type":"error","error":"busy","message":"too many forms"}\n', "too many forms"),
        (b'{"version":1,"type":"result","outcome":"aborted","result":{},"text":""}\n', "withdrawn"),
    ],
)
async def test_whatever_is_no_answer_is_an_error(
    site: Site, monkeypatch: pytest.MonkeyPatch, line: bytes, problem: str
) -> None:
    async with impostor(site, monkeypatch, line):
        with pytest.raises(DeskError, match=problem):
            await ResidentDesk().ask(form(), {})


async def test_a_resident_that_hangs_is_noticed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "PING_SECONDS", 0.05)
    monkeypatch.setattr(conversation, "PATIENCE_SECONDS", 0.1)
    async with impostor(site, monkeypatch):
        with pytest.raises(DeskError, match="does not answer any more"):
            await ResidentDesk().ask(form(), {})


async def test_a_resident_that_gives_signs_of_life_is_waited_for(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "PING_SECONDS", 0.02)
    pongs = b'{"version":1,"type":"started","id":"1","flowId":"f"}\n' + b'{"version":1,"type":"pong","id":"ping"}\n' * 3
    end = {"version": 1, "type": "result", "id": "1", "outcome": "cancelled", "result": {}, "text": "t"}
    async with impostor(site, monkeypatch, pongs, json.dumps(end).encode() + b"\n"):
        ending = await ResidentDesk().ask(form(), {})
    assert (ending.outcome, ending.text) == ("cancelled", "t")
