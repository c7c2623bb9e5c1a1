"""The MCP server as a real process, spoken to by the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import form, question
from processes import x_server
from requirements import proves

from pi_ask import PiAsk
from pi_ask.testing import ScriptedPerson
from pi_ask_qt.x11 import SOCKETS

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_servers import (
    CANCEL,
    ELABORATE,
    FOREVER,
    HERE,
    SECONDS,
    TWO,
    Pipes,
    Site,
    answer,
    asking,
    client_process,
    gone,
    text_of,
    wait_until_gone,
)
from mcp_types import Implementation


@pytest.fixture
def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The loop of the client, which knows nothing of Qt."""
    return asyncio.new_event_loop


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


async def directly(response: dict[str, Any], asked: dict[str, Any]) -> Any:
    """Return what the core answers by itself."""
    async with PiAsk() as pi:
        person = ScriptedPerson()
        person.register(pi)
        call = asyncio.create_task(pi.ask_user(asked))
        flow = (await person.form()).request.flow_id
        submit = {"version": 1, "requestId": "r", "flowId": flow, "response": response}
        pi.events.emit("@eko24ive/pi-ask:submit", submit)
        return await call


# --- what it offers ---------------------------------------------------------------------------------------------------


@proves("mcp-tools")
async def test_it_says_who_it_is_and_offers_two_tools_that_teach_to_ask(site: Site) -> None:
    async with site.here() as session:
        ask, confirm = (await session.list_tools()).tools
    assert (ask.name, confirm.name) == ("ask_user", "confirm_action")
    assert "One decision a question" in (ask.description or "")
    assert "hard to undo" in (confirm.description or "")
    question_schema = ask.input_schema["properties"]["questions"]["items"]
    assert set(question_schema["properties"]) == {"id", "prompt", "label", "type", "required", "options"}
    assert question_schema["properties"]["options"]["items"]["required"] == ["value"]
    assert "$ref" not in json.dumps(ask.input_schema)
    assert "null" not in json.dumps(ask.input_schema)
    assert ask.output_schema is not None
    assert set(ask.output_schema["properties"]) >= {"cancelled", "mode", "answers", "continuation", "elaboration"}


async def test_a_client_of_the_newest_protocol_is_served_alike(site: Site) -> None:
    command, *rest = site.command(*HERE)
    environ = site.environ(QT_QPA_PLATFORM="offscreen")
    parameters = StdioServerParameters(command=command, args=rest, env=environ)
    info = Implementation(name="newest", version="1")
    with site.errors.open("w", encoding="utf-8") as errors:
        async with Client(stdio_client(parameters, errors), client_info=info, mode="2026-07-28") as client:
            result = await client.call_tool("ask_user", asking(answer()))
    assert result.structured_content["answers"]["q"]["values"] == ["a"]
    (opened,) = site.logged("opened")
    assert opened["event"]["requester"]["name"] == "newest"


# --- ask_user ---------------------------------------------------------------------------------------------------------


ENDINGS: dict[str, tuple[dict[str, Any], tuple[dict[str, Any], ...]]] = {
    "answer": (answer(note="n", optionNotes={"a": "m"}), (question("q"),)),
    "own words": ({"kind": "answer", "answers": {"r": {"values": ["b"], "customText": "more"}}}, TWO),
    "elaborate": (ELABORATE, TWO),
    "nothing": ({"kind": "answer", "answers": {}}, TWO),
    "cancel": (CANCEL, TWO),
}


@proves("mcp-same")
async def test_every_end_is_that_of_the_core(site: Site) -> None:
    async with site.here() as session:
        for response, questions in ENDINGS.values():
            asked = asking(response, *questions)
            result = await session.call_tool("ask_user", asked)
            expected = await directly(response, asked)
            assert not result.is_error
            assert result.structured_content == expected.details.to_wire()
            assert text_of(result) == expected.text


@proves("mcp-requester")
async def test_the_person_is_told_who_asks(site: Site) -> None:
    async with site.here(name="a client & co") as session:
        await session.call_tool("ask_user", asking(answer()))
    (opened,) = site.logged("opened")
    requester = opened["event"]["requester"]
    assert requester["name"] == "a client & co"
    assert requester["pid"] == os.getpid()
    assert requester["cwd"] == os.getcwd()
    assert opened["event"]["toolCallId"]


@pytest.mark.parametrize("name", ["", " \n", "\u200b", "x" * 10_000])
async def test_a_client_without_a_proper_name_is_served(site: Site, name: str) -> None:
    async with site.here(name=name) as session:
        assert not (await session.call_tool("ask_user", asking(answer()))).is_error
    (opened,) = site.logged("opened")
    assert 0 < len(opened["event"]["requester"]["name"].strip()) < 200


async def test_a_note_of_a_megabyte_arrives_whole(site: Site) -> None:
    async with site.here() as session:
        result = await session.call_tool("ask_user", asking("megabyte"))
    assert result.structured_content is not None
    assert result.structured_content["answers"]["q"]["note"] == "ü" * 1_048_576


async def test_a_form_of_a_megabyte_is_shown(site: Site) -> None:
    big = {**question("q"), "prompt": "x" * 1_048_576}
    async with site.here() as session:
        result = await session.call_tool("ask_user", asking(answer(), big))
    assert not result.is_error


async def test_calls_at_once_each_get_their_own_answer(site: Site) -> None:
    async with site.here() as session:
        later = asyncio.create_task(session.call_tool("ask_user", asking(answer("b"))))
        results = await asyncio.gather(
            *(session.call_tool("ask_user", asking(answer(value))) for value in ("a", "b", "a", "b"))
        )
        results.append(await later)
    values = [(result.structured_content or {})["answers"]["q"]["values"] for result in results]
    assert values == [["a"], ["b"], ["a"], ["b"], ["b"]]
    assert len({opened["event"]["flowId"] for opened in site.logged("opened")}) == 5


@proves("mcp-invalid")
@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ({}, ["questions"]),
        ({"questions": [{"id": 7}]}, ["questions[0].id", "questions[0].prompt", "questions[0].options"]),
        (form(question(type="radio", required="x")), ["questions[0].type", "questions[0].required"]),
        (form({**question(), "options": [{"value": "a", "previewFile": "/nowhere"}]}), ["questions[0].options[0]"]),
    ],
)
async def test_an_invalid_form_is_an_error_with_every_issue(
    site: Site, arguments: dict[str, Any], paths: list[str]
) -> None:
    async with site.here() as session:
        result = await session.call_tool("ask_user", arguments)
    assert result.is_error
    assert result.structured_content is not None
    assert result.structured_content["cancelled"] is True
    issues = [issue["path"] for issue in result.structured_content["error"]["issues"]]
    for path in paths:
        assert path in text_of(result)
        assert any(issue.startswith(path) for issue in issues)
    assert site.logged("opened") == []


async def test_a_form_that_wants_to_stay_in_the_background_is_answered_in_words(site: Site) -> None:
    async with site.here() as session:
        result = await session.call_tool("ask_user", form(background=True))
    assert result.is_error
    assert "About q?" in text_of(result)


async def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(site: Site) -> None:
    async with site.here() as session:
        with pytest.raises(MCPError, match="there is no tool"):
            await session.call_tool("delete_everything", {})


# --- confirm_action ---------------------------------------------------------------------------------------------------


def decision(*values: str, mode: str = "submit", **more: Any) -> str:
    answers = {"approval": {"values": list(values), **more}}
    return json.dumps({"kind": "answer", "mode": mode, "answers": answers})


@proves("mcp-confirm")
@pytest.mark.parametrize(
    ("title", "approved", "words"),
    [
        (decision("approve"), True, "go ahead with exactly that"),
        (decision("approve", note="today only"), True, "today only"),
        (decision("deny", note="wait for Ada"), False, '"wait for Ada"'),
        (decision(customText="approve"), False, '"approve"'),
        (decision(), False, "neither approved nor denied"),
        (decision("approve", mode="elaborate", note="why?"), False, '"why?"'),
        (json.dumps(CANCEL), False, "cancelled"),
    ],
)
async def test_only_an_explicit_approval_is_one(site: Site, title: str, approved: bool, words: str) -> None:
    async with site.here() as session:
        asked = {"action": "Delete the branch.", "details": "git branch -D x", "title": title}
        result = await session.call_tool("confirm_action", asked)
    assert not result.is_error
    content = result.structured_content
    assert content is not None
    assert content["approved"] is approved
    assert content["cancelled"] is (title == json.dumps(CANCEL))
    assert words in content["message"]
    assert text_of(result) == content["message"]
    (opened,) = site.logged("opened")
    (asked_question,) = opened["event"]["questions"]
    assert asked_question["prompt"] == "Delete the branch."
    assert {option["preview"] for option in asked_question["options"]} == {"git branch -D x"}


async def test_an_action_without_details_or_title_is_asked_about_as_one_choice(site: Site) -> None:
    config = site.folder / "config.json"
    config.write_text('{"behaviour": {"presentSingleAsMulti": true}}', encoding="utf-8")
    async with site.session(*HERE, "--config", str(config)) as session:
        call = asyncio.create_task(session.call_tool("confirm_action", {"action": "Stop.", "details": " "}))
        (opened,) = await site.until_logged("opened")
        assert opened["event"]["questions"][0]["type"] == "single"
        call.cancel()
        await asyncio.wait({call})


@pytest.mark.parametrize(
    ("arguments", "problems"),
    [
        ({}, ["action: is required"]),
        ({"action": "\u200b", "details": 7}, ["details: must be text", "action: is required"]),
        ({"action": ["x"], "title": {}}, ["action: must be text", "title: must be text"]),
    ],
)
async def test_arguments_of_no_action_are_an_error_with_every_problem(
    site: Site, arguments: dict[str, Any], problems: list[str]
) -> None:
    async with site.here() as session:
        result = await session.call_tool("confirm_action", arguments)
    assert result.is_error
    for problem in problems:
        assert problem in text_of(result)
    assert site.logged("opened") == []


# --- leaving ----------------------------------------------------------------------------------------------------------


@proves("mcp-cancel")
async def test_a_call_that_the_client_cancels_closes_its_form_and_the_server_goes_on(site: Site) -> None:
    async with site.here() as session:
        call = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        await site.until_logged("opened")
        call.cancel()
        await asyncio.wait({call})
        (completed,) = await site.until_logged("completed")
        assert completed["cancelled"] is True
        result = await session.call_tool("ask_user", asking(answer()))
        assert result.structured_content is not None
        assert result.structured_content["answers"]["q"]["values"] == ["a"]


async def test_a_call_that_times_out_at_the_client_closes_its_form_alone(site: Site) -> None:
    async with site.here() as session:
        other = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        await site.until_logged("opened")
        with pytest.raises(MCPError, match="timed out"):
            await session.call_tool("ask_user", asking("think too"), read_timeout_seconds=1)
        await site.until_logged("completed")
        assert not other.done()
        other.cancel()
        await asyncio.wait({other})
        await site.until_logged("completed", 2)


@proves("mcp-gone")
async def test_a_client_that_leaves_with_a_form_open_takes_server_and_form_along(site: Site) -> None:
    async with site.here() as session:
        call = asyncio.create_task(session.call_tool("ask_user", asking(FOREVER)))
        (opened,) = await site.until_logged("opened")
        assert not gone(opened["pid"])
    with pytest.raises(MCPError, match="closed"):
        await call
    assert gone(opened["pid"])
    assert site.logged("completed")[0]["cancelled"] is True


@proves("mcp-gone")
async def test_a_client_that_is_killed_takes_server_and_form_along(site: Site) -> None:
    with client_process(site, asking(FOREVER), *HERE):
        (opened,) = await site.until_logged("opened")
    assert wait_until_gone(opened["pid"]) < 5
    assert len(site.logged("completed")) == 1


# --- without the SDK's client -----------------------------------------------------------------------------------------


@proves("mcp-output")
async def test_standard_output_carries_the_protocol_and_nothing_else(site: Site) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        server.call(1, asking(answer()))
        assert server.hear()["result"]["structuredContent"]["answers"]["q"]["values"] == ["a"]
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(SECONDS) == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read() == b""
    errors = site.errors.read_text(encoding="utf-8")
    assert "a stray word on standard output" in errors
    assert "another one" in errors
    assert "Traceback" not in errors


async def test_input_that_ends_with_a_form_open_ends_the_server_at_once_and_in_peace(site: Site) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        server.call(1, asking(FOREVER))
        await site.until_logged("opened")
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(5) == 0
    assert site.logged("completed")[0]["cancelled"] is True
    assert "Traceback" not in site.errors.read_text(encoding="utf-8")


async def test_output_that_nobody_reads_any_more_ends_the_server(site: Site) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.call(1, asking(answer()))
        assert server.process.wait(SECONDS) == 0
    assert "Traceback" not in site.errors.read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_server_though_its_input_is_open(site: Site, number: int) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        server.call(1, asking(FOREVER))
        await site.until_logged("opened")
        server.process.send_signal(number)
        assert server.process.wait(5) == 130
    assert site.logged("completed")[0]["cancelled"] is True
    assert "Traceback" not in site.errors.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "id_", "code"),
    [
        (b"{", None, -32700),
        (b"\xff", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"7", None, -32600),
        (b'{"jsonrpc":"1.0","id":5,"method":"ping"}', 5, -32600),
        (b'{"jsonrpc":"2.0","id":"six"}', "six", -32600),
    ],
)
async def test_a_line_that_is_no_message_is_answered_and_the_server_goes_on(
    site: Site, line: bytes, id_: Any, code: int
) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        server.say(b"")
        server.say(line)
        reply = server.hear()
        assert reply["id"] == id_
        assert reply["error"]["code"] == code
        server.say({"jsonrpc": "2.0", "id": 9, "method": "ping"})
        assert server.hear()["id"] == 9


async def test_half_a_character_in_a_form_is_an_issue(site: Site) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        server.call(1, {"questions": [{"id": "q", "prompt": "\ud83d?", "options": [{"value": "a"}]}]})
        result = server.hear()["result"]
    assert result["isError"] is True
    assert "lone surrogate" in result["content"][0]["text"]


@proves("mcp-progress")
async def test_a_client_that_gave_a_token_is_told_at_once_that_the_person_is_asked(site: Site) -> None:
    with Pipes(site, *HERE) as server:
        server.greet()
        server.call(1, asking(FOREVER), _meta={"progressToken": "t"})
        progress = server.hear()
        assert progress["method"] == "notifications/progress"
        assert progress["params"]["progressToken"] == "t"
        assert progress["params"]["message"] == "waiting for the person"
        server.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        server.call(2, asking(answer()))
        assert server.hear()["id"] == 2


# --- no screen, and finding one ---------------------------------------------------------------------------------------


@proves("mcp-no-screen")
@pytest.mark.parametrize("arguments", [("--here",), ()])
async def test_without_a_screen_the_questions_come_back_in_words(site: Site, arguments: tuple[str, ...]) -> None:
    async with site.session(*arguments, env={}) as session:
        result = await session.call_tool("ask_user", form())
        confirmed = await session.call_tool("confirm_action", {"action": "Delete it."})
        invalid = await session.call_tool("ask_user", {"questions": []})
    assert result.is_error
    assert "There is no display" in text_of(result)
    assert "About q?" in text_of(result)
    assert "do not assume one" in text_of(result)
    assert confirmed.is_error
    assert confirmed.structured_content is None
    assert "Delete it." in text_of(confirmed)
    assert "needs at least one question" in text_of(invalid)


async def test_a_bridge_that_shows_forms_itself_needs_no_screen(site: Site) -> None:
    surface = site.folder / "surface.py"
    surface.write_text(
        "from pi_ask import EXTERNAL_UI, ExternalAskProvider\n"
        "def answer(request):\n"
        "    return {'kind': 'answer', 'answers': {'q': {'values': ['b']}}}\n"
        "def extension(pi):\n"
        "    pi.events.on(EXTERNAL_UI, lambda offer: offer.connect(ExternalAskProvider(id='mine', open=answer)))\n",
        encoding="utf-8",
    )
    async with site.session("-e", str(surface), env={}) as session:
        result = await session.call_tool("ask_user", form())
    assert result.structured_content is not None
    assert result.structured_content["answers"]["q"]["values"] == ["b"]


@proves("mcp-find-screen")
async def test_a_screen_is_found_though_the_client_passes_no_display_on(site: Site) -> None:
    with x_server() as display:
        (site.sockets / f"X{display[1:]}").symlink_to(f"{SOCKETS}/X{display[1:]}")
        async with site.session(*HERE, env={}) as session:
            result = await session.call_tool("ask_user", asking(answer()))
    assert result.structured_content is not None
    assert result.structured_content["answers"]["q"]["values"] == ["a"]


async def test_an_extension_that_cannot_be_loaded_is_wrong_usage(site: Site) -> None:
    broken = site.folder / "broken.py"
    broken.write_text("raise OSError('no')\n", encoding="utf-8")
    with Pipes(site, "-e", str(broken)) as server:
        assert server.process.wait(SECONDS) == 2
    errors = site.errors.read_text(encoding="utf-8")
    assert f"{broken}:1: OSError: no" in errors
    assert "Traceback" not in errors


def test_without_the_sdk_one_line_says_what_to_install(site: Site) -> None:
    program = (
        "import sys; sys.modules['mcp'] = None; sys.argv[0] = 'pi-ask'\n"
        "import importlib.util; importlib.util.find_spec = lambda name, *_: None\n"
        "from pi_ask_qt.cli import main; sys.exit(main(['mcp']))"
    )
    environ = {**os.environ, **site.environ()}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, check=False, timeout=30)
    assert done.returncode == 3
    assert done.stdout == b""
    assert done.stderr.decode() == "pi-ask: the package mcp is missing; install it with: pip install 'pi-ask[mcp]'\n"
