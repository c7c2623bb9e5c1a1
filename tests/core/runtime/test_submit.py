"""The submit channel: one word about every submit, whatever it was."""

from __future__ import annotations

import asyncio
from types import MappingProxyType
from typing import Any

import pytest
from asking import ANSWER, CANCEL, Record, Surface, asked, submit
from helpers import form
from hypothesis import given
from hypothesis import strategies as st
from requirements import proves

from pi_ask.models import SUBMIT, RemoteAskAnswer, RemoteAskResponse, SubmitEvent
from pi_ask.runtime.tool import PiAsk

GOOD: dict[str, Any] = {"version": 1, "requestId": "r", "flowId": "FLOW", "response": ANSWER}

NO_ENVELOPE: list[Any] = [None, "submit", 5, True, [], [GOOD], b"{}", object(), RemoteAskResponse(kind="cancel")]

# What is wrong, and the ids that could be read all the same.
FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    **{f"version {v!r}": ({"version": v}, "r", "FLOW") for v in (True, "1", 1.0, 0, 2, None, [1])},
    **{f"request id {i!a}": ({"requestId": i}, i, "FLOW") for i in ("", " ", "\n")},
    **{f"request id {i!a}": ({"requestId": i}, "", "FLOW") for i in (None, 5, True, ["r"], {"r": 1}, b"r", "\ud800")},
    **{f"flow id {i!a}": ({"flowId": i}, "r", i) for i in ("", " ")},
    **{f"flow id {i!a}": ({"flowId": i}, "r", "") for i in (None, 5, False, ["f"], b"f", "f\ud800")},
    **{f"response {r!r}": ({"response": r}, "r", "FLOW") for r in (None, "cancel", 5, True, [], [CANCEL], b"{}")},
    **{
        f"kind {k!r}": ({"response": {"kind": k, "answers": {}}}, "r", "FLOW")
        for k in (None, "", "Answer", "submit", " cancel", 5, True, ["answer"], {"kind": "answer"})
    },
    "no kind": ({"response": {"answers": {}}}, "r", "FLOW"),
    "a response that is another model": ({"response": RemoteAskAnswer()}, "r", "FLOW"),
}


def envelope(flow_id: str, changes: dict[str, Any]) -> dict[str, Any]:
    sent = {**GOOD, **changes}
    return {**sent, "flowId": flow_id if sent["flowId"] == "FLOW" else sent["flowId"]}


@proves("channel-one-result", "channel-bad-envelope")
@pytest.mark.parametrize(("changes", "request_id", "flow_id"), FAULTS.values(), ids=FAULTS)
async def test_a_bad_envelope_is_an_invalid_request_and_the_form_stays_open(
    changes: dict[str, Any], request_id: str, flow_id: str
) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        open_flow = record.started[0].flow_id
        pi.events.emit(SUBMIT, envelope(open_flow, changes))
        (told,) = record.submit_results
        expected = open_flow if flow_id == "FLOW" else flow_id
        assert (told.ok, told.error, told.request_id, told.flow_id) == (False, "invalid_request", request_id, expected)
        assert told.message
        assert told.to_json()
        assert [event.flow_id for event in pi.pending()] == [open_flow]
        surface.respond(ANSWER)
        assert (await call).outcome == "answered"


@proves("channel-one-result", "channel-bad-envelope")
@pytest.mark.parametrize("payload", NO_ENVELOPE, ids=repr)
async def test_what_is_no_envelope_is_an_invalid_request_without_ids(payload: Any) -> None:
    async with PiAsk() as pi:
        record = Record(pi)
        pi.events.emit(SUBMIT, payload)
        (told,) = record.submit_results
    assert (told.ok, told.error, told.request_id, told.flow_id) == (False, "invalid_request", "", "")


@proves("channel-one-result", "channel-bad-envelope")
@pytest.mark.parametrize("missing", ["version", "requestId", "flowId", "response"])
async def test_a_missing_part_is_an_invalid_request(missing: str) -> None:
    async with PiAsk() as pi:
        record = Record(pi)
        pi.events.emit(SUBMIT, {name: value for name, value in GOOD.items() if name != missing})
        (told,) = record.submit_results
    assert (told.ok, told.error) == (False, "invalid_request")
    assert told.request_id == ("" if missing == "requestId" else "r")


@proves("channel-one-result")
@pytest.mark.parametrize("flow_id", ["nobody", " FLOW", "FLOW ", "flow"])
async def test_an_unknown_flow_is_not_found(flow_id: str) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        sent = flow_id.replace("FLOW", record.started[0].flow_id)
        submit(pi, sent, ANSWER)
        (told,) = record.submit_results
        assert (told.ok, told.error, told.flow_id, told.request_id) == (False, "flow_not_found", sent, "r1")
        surface.respond(CANCEL)
        await call


def as_event(flow_id: str) -> Any:
    return SubmitEvent(request_id="r", flow_id=flow_id, response=RemoteAskResponse.model_validate(ANSWER))


def as_event_with_mapping(flow_id: str) -> Any:
    return SubmitEvent(request_id="r", flow_id=flow_id, response=ANSWER)


def as_mapping(flow_id: str) -> Any:
    return MappingProxyType({**GOOD, "flowId": flow_id, "extra": None})


def as_python_mapping(flow_id: str) -> Any:
    response = RemoteAskResponse(kind="answer", answers={"q": RemoteAskAnswer(values=("a",))})
    return {"version": 1, "request_id": "r", "flow_id": flow_id, "response": response}


@proves("channel-one-result", "form-spellings", "ending-submit-answers")
@pytest.mark.parametrize("make", [as_event, as_event_with_mapping, as_mapping, as_python_mapping])
async def test_a_submit_is_taken_however_it_comes(make: Any) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        flow_id = record.started[0].flow_id
        pi.events.emit(SUBMIT, make(flow_id))
        assert (await call).details.answers["q"].values == ("a",)
    assert [told.to_wire() for told in record.submit_results] == [
        {"version": 1, "requestId": "r", "flowId": flow_id, "ok": True}
    ]


@proves("channel-one-result", "ending-submit-invalid", "response-strict")
@pytest.mark.parametrize(
    "answers",
    [
        None,
        {"other": {}},
        {"q": None},
        {"q": {"values": None}},
        {"q": {"values": ["A"]}},
        {"q": {"values": ["a", "b"]}},
        {"q": {"note": None}},
    ],
    ids=repr,
)
@pytest.mark.parametrize("as_model", [False, True])
async def test_an_answer_that_does_not_fit_is_an_invalid_answer(answers: Any, as_model: bool) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        flow_id = record.started[0].flow_id
        sent = {**GOOD, "flowId": flow_id, "response": {"kind": "answer", "answers": answers}}
        pi.events.emit(SUBMIT, SubmitEvent.model_validate(sent) if as_model else sent)
        (told,) = record.submit_results
        assert (told.ok, told.error, told.request_id, told.flow_id) == (False, "invalid_answer", "r", flow_id)
        assert told.message
        assert (surface.closed, record.completed, call.done()) == ([], [], False)
        submit(pi, flow_id, ANSWER)
        assert (await call).outcome == "answered"


@proves("channel-one-result")
async def test_of_two_submits_the_first_wins_and_each_is_told() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        flow_id = record.started[0].flow_id
        for request_id, response in (("first", ANSWER), ("second", CANCEL), ("third", {"kind": "answer"})):
            submit(pi, flow_id, response, request_id)
        assert (await call).outcome == "answered"
    told = [(result.request_id, result.ok, result.error) for result in record.submit_results]
    assert told == [("first", True, None), ("second", False, "flow_not_found"), ("third", False, "flow_not_found")]
    assert len(record.completed) == 1


async def test_a_submit_from_within_a_listener_is_told_too() -> None:
    async with PiAsk() as pi:
        record = Record(pi)

        def again(payload: Any) -> None:
            if payload["requestId"] == "r1":
                submit(pi, "nobody", ANSWER, "inner")

        pi.events.on(SUBMIT, again)
        submit(pi, "nobody", ANSWER)
    assert [told.request_id for told in record.submit_results] == ["r1", "inner"]


TEXT = st.sampled_from(["", "r", "FLOW", "answer", "cancel", "q", "a", "\ud800"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        "version": st.sampled_from([1, 1, 1, True, 2]) | JUNK,
        "requestId": TEXT | JUNK,
        "flowId": st.just("FLOW") | JUNK,
        "response": st.fixed_dictionaries({"kind": TEXT, "answers": JUNK | st.just({})}) | JUNK,
    },
)


async def send_all(payloads: list[Any]) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        for number, payload in enumerate(payloads, start=1):
            to_flow = isinstance(payload, dict) and payload.get("flowId") == "FLOW"
            pi.events.emit(SUBMIT, envelope(record.started[0].flow_id, payload) if to_flow else payload)
            assert len(record.submit_results) == number
        accepted = [told for told in record.submit_results if told.ok]
        assert len(accepted) == len(record.completed) <= 1
        if not accepted:
            surface.respond(CANCEL)
        await call
        assert pi.pending() == ()


@proves("channel-one-result")
@given(st.lists(ENVELOPES | JUNK, max_size=4))
def test_any_json_gets_exactly_one_submit_result(payloads: list[Any]) -> None:
    asyncio.run(send_all(payloads))
