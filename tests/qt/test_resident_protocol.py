"""The resident's protocol, message by message, over a real socket on the desktop's loop."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from asking import ANSWER, CANCEL
from helpers import form, question, until
from requirements import proves
from talker import answering, desk, never

from pi_ask import COMPLETED, STARTED, AskConfig, CompletedEvent, ExternalAskRequest, StartedEvent
from pi_ask.wire import MAX_LINE_BYTES, decode
from pi_ask_qt.activation import activation_token
from pi_ask_qt.resident import Limits

NOTE = {"kind": "answer", "mode": "elaborate", "answers": {"q": {"values": ["a"], "note": "Größe\u2028?"}}}


async def test_a_client_is_greeted_with_what_it_must_know(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        reader, writer = await asyncio.open_unix_connection(str(made.server.path))
        greeting = decode(await reader.readline())
        writer.close()
        await writer.wait_closed()
        assert (greeting["version"], greeting["type"]) == (1, "hello")
        assert greeting["maxLineBytes"] == MAX_LINE_BYTES
        assert greeting["program"].startswith("pi-ask ")


@proves("resident-same")
@pytest.mark.parametrize("response", [ANSWER, NOTE, {"kind": "answer", "answers": {}}])
async def test_a_form_asked_through_the_socket_ends_as_it_does_through_ask_user(
    tmp_path: Path, response: dict[str, Any]
) -> None:
    asked = form(title="T")
    async with desk(tmp_path, answering(response)) as made, made.client() as client:
        direct = await made.pi.ask_user(asked)
        for sent in (asked, json.dumps(asked)):
            message = await client.ask(sent)
            assert (message["type"], message["outcome"]) == ("result", "answered")
            assert message["result"] == direct.details.to_wire()
            assert message["text"] == direct.text


async def test_a_cancel_of_the_person_is_an_outcome_of_its_own(tmp_path: Path) -> None:
    async with desk(tmp_path, answering(CANCEL)) as made, made.client() as client:
        message = await client.ask(form())
        assert (message["outcome"], message["result"]["cancelled"]) == ("cancelled", True)


@pytest.mark.parametrize(
    "wrong", [{}, {"questions": []}, form(question(type="list")), "[" * 20_000, "not JSON", '{"a": NaN}', None, 7, [1]]
)
async def test_an_invalid_form_is_a_result_with_every_issue(tmp_path: Path, wrong: Any) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        direct = await made.pi.ask_user(wrong)
        # A field that is null is there all the same.
        client.writer.write(f'{{"version":1,"type":"ask","id":"1","form":{json.dumps(wrong)}}}\n'.encode())
        message = await client.receive()
        assert message["outcome"] == "invalid"
        assert message["result"] == direct.details.to_wire()
        assert made.requests == []


async def test_a_form_for_the_background_is_not_shown(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        message = await client.ask(form(background=True))
        assert message["outcome"] == "not_shown"
        assert "About q?" in message["text"]


@pytest.mark.parametrize("broken", [{"kind": "maybe"}, None, ZeroDivisionError("the surface's own error")])
async def test_a_surface_that_fails_is_neither_an_answer_nor_a_cancellation(tmp_path: Path, broken: Any) -> None:
    def fail(_: ExternalAskRequest) -> Any:
        if isinstance(broken, Exception):
            raise broken
        return broken

    async with desk(tmp_path, fail) as made, made.client() as client:
        message = await client.ask(form())
        assert (message["type"], message["error"]) == ("failed", "surface_failed")
        assert "result" not in message


async def test_a_client_can_withdraw_its_form(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        await client.open(form())
        client.send("abort", id="1")
        message = await client.receive()
        assert (message["type"], message["id"], message["outcome"]) == ("result", "1", "aborted")
        assert made.requests[0].signal.aborted


async def test_an_abort_that_comes_too_late_or_for_nothing_is_no_error(tmp_path: Path) -> None:
    async with desk(tmp_path, answering(ANSWER)) as made, made.client() as client:
        assert (await client.ask(form()))["outcome"] == "answered"
        client.send("abort", id="1")
        client.send("abort", id="never asked")
        client.send("ping", id="2")
        assert await client.receive() == {"version": 1, "type": "pong", "id": "2"}


async def test_many_forms_share_a_connection_and_each_gets_its_own_answer(tmp_path: Path) -> None:
    async def by_prompt(request: ExternalAskRequest) -> Any:
        await asyncio.sleep(0)
        own = {"customText": request.questions[0].prompt}
        return {"kind": "answer", "answers": {"q": own}}

    async with desk(tmp_path, by_prompt) as made, made.client() as client:
        for number in range(50):
            client.send("ask", id=str(number), form=form(question(prompt=f"P{number}")), toolCallId="same")
        results: dict[str, str] = {}
        while len(results) < 50:
            message = await client.receive()
            if message["type"] == "result":
                results[message["id"]] = message["result"]["answers"]["q"]["customText"]
        assert results == {str(number): f"P{number}" for number in range(50)}


@proves("resident-order")
async def test_forms_open_in_order_of_arrival(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as first, made.client() as second:
        for number in range(10):
            await (first, second)[number % 2].open(form(title=str(number)), id_=str(number))
        assert [request.title for request in made.requests] == [str(number) for number in range(10)]


async def test_an_id_in_use_cannot_be_used_again_before_its_form_has_ended(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        await client.open(form())
        error = await client.ask(form())
        assert (error["type"], error["id"], error["error"]) == ("error", "1", "duplicate_id")
        client.send("abort", id="1")
        assert (await client.receive())["outcome"] == "aborted"
        await client.open(form())


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"id": None}, "id"),
        ({"id": ""}, "id"),
        ({"id": 7}, "id"),
        ({"type": "answer"}, "type"),
        ({"cwd": "relative"}, "cwd"),
        ({"cwd": "/a\0b"}, "cwd"),
        ({"cwd": 7}, "cwd"),
        ({"toolCallId": 7}, "toolCallId"),
        ({"toolCallId": "\ud800"}, "toolCallId"),
        ({"requester": "me"}, "requester"),
        ({"requester": {"cwd": "/"}}, "requester.name"),
        ({"requester": {"name": "me", "pid": "x"}}, "requester.pid"),
        ({"presentSingleAsMulti": 1}, "presentSingleAsMulti"),
        ({"activationToken": []}, "activationToken"),
    ],
)
async def test_a_wrong_field_is_named_and_the_connection_goes_on(
    tmp_path: Path, fields: dict[str, Any], names: str
) -> None:
    async with desk(tmp_path, answering(ANSWER)) as made, made.client() as client:
        message = {"version": 1, "type": "ask", "id": "1", "form": form(), **fields}
        client.writer.write(json.dumps(message).encode() + b"\n")
        error = await client.receive()
        assert error["type"] == "error"
        assert f'"{names}"' in error["message"]
        assert made.requests == []
        assert (await client.ask(form()))["outcome"] == "answered"


async def test_an_ask_without_a_form_is_refused(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        client.send("ask", id="1")
        assert "form" in (await client.receive())["message"]


async def test_empty_lines_mean_nothing(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        client.writer.write(b"\n \r\n\n")
        client.send("ping", id="1")
        assert (await client.receive())["type"] == "pong"


async def test_what_a_caller_says_about_itself_arrives_at_the_surface(tmp_path: Path) -> None:
    started: list[StartedEvent] = []
    who = {"name": "an agent", "cwd": "/srv", "pid": 7}
    async with desk(tmp_path) as made, made.client() as client:
        made.pi.events.on(STARTED, started.append)
        await client.open(form(), toolCallId="call-7", requester=who)
        request = made.requests[0]
        assert (request.tool_call_id, request.requester and request.requester.to_wire()) == ("call-7", who)
        assert started[0].requester == request.requester


async def test_preview_files_are_looked_for_in_the_callers_folder(tmp_path: Path) -> None:
    place = tmp_path / "caller"
    place.mkdir()
    (place / "a.diff").write_text("+ new", encoding="utf-8")
    asked = form(question(type="preview", options=[{"value": "a", "previewFile": "a.diff"}]))
    async with desk(tmp_path) as made, made.client() as client:
        assert (await client.ask(asked, "1"))["outcome"] == "invalid"
        await client.open(asked, "2", cwd=str(place))
        assert made.requests[0].questions[0].options[0].preview == "+ new"


@pytest.mark.parametrize("configured", [True, False])
async def test_a_call_can_say_whether_single_questions_take_several(tmp_path: Path, *, configured: bool) -> None:
    config = AskConfig.model_validate({"behaviour": {"presentSingleAsMulti": configured}})
    async with desk(tmp_path, config=config) as made, made.client() as client:
        for id_, given, type_ in (
            ("1", None, "multi" if configured else "single"),
            ("2", True, "multi"),
            ("3", False, "single"),
        ):
            await client.open(form(), id_, presentSingleAsMulti=given)
            assert made.requests[-1].questions[0].type == type_


async def test_an_activation_token_is_there_while_its_form_opens_and_for_no_other(tmp_path: Path) -> None:
    seen: list[str | None] = []

    async def look(request: ExternalAskRequest) -> None:
        seen.append(activation_token.get())
        await never(request)

    async with desk(tmp_path, look) as made, made.client() as client:
        await client.open(form(), "1", activationToken="t1")
        await client.open(form(), "2")
        await until(lambda: len(seen) == 2)
        assert seen == ["t1", None]


async def test_a_form_that_an_extension_opens_meanwhile_is_not_taken_for_the_clients(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        others: list[asyncio.Task[Any]] = []

        def on_started(event: StartedEvent) -> None:
            if event.title == "theirs":
                others.append(asyncio.ensure_future(made.pi.ask_user(form(title="another"))))

        made.pi.events.on(STARTED, on_started)
        flow_id = await client.open(form(title="theirs"))
        await until(lambda: len(made.pi.pending()) == 2)
        assert {event.title: event.flow_id for event in made.pi.pending()}["theirs"] == flow_id
        client.send("ping", id="2")
        assert (await client.receive())["type"] == "pong"
        others[0].cancel()
        await asyncio.wait(others)


async def test_what_waits_is_listed_in_short_oldest_first(tmp_path: Path) -> None:
    who = {"name": "n" * 1000, "pid": 7}
    async with desk(tmp_path) as made, made.client() as client:
        client.send("pending", id="p")
        assert await client.receive() == {"version": 1, "type": "pending", "id": "p", "flows": []}
        first = await client.open(form(question(prompt="x" * 100_000), question("r")), "1", requester=who)
        second = await client.open(form(title="Second"), "2", toolCallId="call")
        client.send("pending", id="p")
        flows = (await client.receive())["flows"]
        assert [flow["flowId"] for flow in flows] == [first, second]
        assert flows[0]["prompt"] == "x" * 300 + "…"
        assert flows[0]["requester"] == {"name": "n" * 300 + "…", "pid": 7}
        assert (flows[0]["questions"], "title" in flows[0]) == (2, False)
        assert (flows[1]["title"], flows[1]["toolCallId"], flows[1]["source"]) == ("Second", "call", "tool")
        assert flows[0]["createdAt"] <= flows[1]["createdAt"]


@proves("resident-pending")
async def test_any_client_can_cancel_a_form_in_the_persons_name(tmp_path: Path) -> None:
    completed: list[CompletedEvent] = []
    async with desk(tmp_path) as made, made.client() as asks, made.client() as cancels:
        made.pi.events.on(COMPLETED, completed.append)
        flow_id = await asks.open(form())
        cancels.send("cancel", id="c", flowId=flow_id)
        assert await cancels.receive() == {"version": 1, "type": "cancelled", "id": "c"}
        assert (await asks.receive())["outcome"] == "cancelled"
        assert [event.flow_id for event in completed] == [flow_id]
        cancels.send("cancel", id="c", flowId=flow_id)
        error = await cancels.receive()
        assert (error["type"], error["id"], error["error"]) == ("error", "c", "flow_not_found")
        for wrong in (None, "", 7):
            cancels.send("cancel", id="c", flowId=wrong)
            assert (await cancels.receive())["error"] == "invalid_message"


# --- limits -----------------------------------------------------------------------------------------------------------


async def test_more_forms_than_a_client_may_have_are_refused_until_one_ends(tmp_path: Path) -> None:
    async with desk(tmp_path, limits=Limits(forms_per_client=2)) as made, made.client() as client:
        await client.open(form(), "1")
        await client.open(form(), "2")
        assert (await client.ask(form(), "3"))["error"] == "busy"
        client.send("abort", id="1")
        await client.receive()
        await client.open(form(), "3")


async def test_more_forms_than_all_clients_may_have_are_refused(tmp_path: Path) -> None:
    async with desk(tmp_path, limits=Limits(forms=1)) as made, made.client() as one, made.client() as other:
        await one.open(form())
        assert (await other.ask(form()))["error"] == "busy"


async def test_more_clients_than_fit_are_told_so(tmp_path: Path) -> None:
    async with desk(tmp_path, limits=Limits(clients=1)) as made, made.client():
        reader, writer = await asyncio.open_unix_connection(str(made.server.path))
        assert decode(await reader.readline())["error"] == "busy"
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


async def test_what_all_clients_hold_together_is_bounded(tmp_path: Path) -> None:
    async with desk(tmp_path, limits=Limits(held_bytes=3_000_000)) as made:
        async with made.client() as one, made.client() as other, made.client() as third:
            await one.open(form(question(prompt="x" * 2_000_000)))
            other.writer.write(b"x" * 2_000_000)
            assert (await other.receive())["error"] == "busy"
            await third.open(form())
        async with made.client() as client:
            await client.open(form(question(prompt="x" * 2_000_000)))


async def test_a_line_may_be_as_long_as_the_greeting_says(tmp_path: Path) -> None:
    async with desk(tmp_path, limits=Limits(line_bytes=1000)) as made, made.client() as client:
        line = b'{"version":1,"type":"ping","id":"1"}'
        client.writer.write(line + b" " * (1000 - len(line)) + b"\n")
        assert (await client.receive())["type"] == "pong"
        client.writer.write(line + b" " * (1001 - len(line)) + b"\n")
        assert (await client.receive())["error"] == "line_too_long"
        assert await client.receive() == {}


# --- the end ----------------------------------------------------------------------------------------------------------


async def test_a_client_that_goes_aborts_its_forms(tmp_path: Path) -> None:
    completed: list[CompletedEvent] = []
    async with desk(tmp_path) as made:
        made.pi.events.on(COMPLETED, completed.append)
        async with made.client() as client:
            await client.open(form(), "1")
            await client.open(form(), "2")
        await until(lambda: len(completed) == 2, seconds=1)
        assert all(request.signal.aborted for request in made.requests)


async def test_an_answer_that_is_on_its_way_when_the_resident_closes_still_arrives(tmp_path: Path) -> None:
    async def stubborn(request: ExternalAskRequest) -> Any:
        await request.signal.wait()
        return ANSWER  # too late: the flow has ended

    async with desk(tmp_path, answering(ANSWER)) as made, made.client() as client:
        client.send("ask", id="1", form=form())
        await until(lambda: made.requests)
        await made.server.aclose()
        assert (await client.receive())["type"] == "started"
        assert (await client.receive())["outcome"] == "answered"
        assert await client.receive() == {}
    async with desk(tmp_path, stubborn) as made, made.client() as client:
        await client.open(form())
        await made.server.aclose()
        message = await client.receive()
        assert (message["type"], message["error"]) == ("failed", "closing")


async def test_a_core_that_is_closed_first_makes_its_forms_fail_too(tmp_path: Path) -> None:
    async with desk(tmp_path) as made, made.client() as client:
        await client.open(form())
        await made.pi.aclose()
        message = await client.receive()
        assert (message["type"], message["error"]) == ("failed", "closing")
        assert (await client.ask(form()))["type"] == "failed"


async def test_a_resident_closes_in_time_though_a_client_reads_nothing(tmp_path: Path) -> None:
    long = form(question(prompt="x" * 4_000_000))
    async with desk(tmp_path, answering(ANSWER)) as made:
        reader, writer = await asyncio.open_unix_connection(str(made.server.path), limit=1024)
        writer.write(json.dumps({"version": 1, "type": "ask", "id": "1", "form": long}).encode() + b"\n")
        await until(lambda: made.requests)
        async with asyncio.timeout(5):
            await made.server.aclose()
        assert not made.server.path.exists()
        del reader
        writer.transport.abort()


@proves("resident-many")
async def test_nothing_of_three_hundred_clients_is_left(tmp_path: Path) -> None:
    async with desk(tmp_path, answering(ANSWER)) as made:
        async with made.client() as client:
            await client.ask(form())
        tasks = len(asyncio.all_tasks())
        for _ in range(300):
            async with made.client() as client:
                assert (await client.ask(form()))["outcome"] == "answered"
        await until(lambda: not made.server.peers)
        assert len(asyncio.all_tasks()) == tasks
