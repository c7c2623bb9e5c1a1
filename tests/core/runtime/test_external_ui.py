"""Choosing the surface: who is asked, who wins, who is refused, and what is said when there is nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from asking import ANSWER, CANCEL, Record, connect
from helpers import form, question
from requirements import proves

from pi_ask.config.schema import AskConfig, BehaviourConfig
from pi_ask.models import EXTERNAL_UI, STARTED
from pi_ask.runtime.external_ui import (
    ExternalAskConnection,
    ExternalAskProvider,
    ExternalAskRequest,
    negotiate,
    valid_provider,
)
from pi_ask.runtime.tool import PiAsk


def provider(id_: str = "mine", response: Any = CANCEL) -> ExternalAskProvider:
    return ExternalAskProvider(id=id_, open=lambda _: response)


def offered(**attributes: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"version": 1, "id": "mine", "open": print, **attributes})


class Raising:
    """A provider of which one attribute raises."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name == self._name:
            raise RuntimeError("no such luck")
        return getattr(offered(), name)


class StrangeInt(int):
    pass


REFUSED: dict[str, Any] = {
    "nothing": None,
    "a name": "mine",
    "a mapping": {"version": 1, "id": "mine", "open": print},
    "no version": SimpleNamespace(id="mine", open=print),
    "no id": SimpleNamespace(version=1, open=print),
    "no open": SimpleNamespace(version=1, id="mine"),
    **{f"version {v!r}": offered(version=v) for v in (True, "1", 1.0, 0, 2, -1, None, [1], StrangeInt(1), 1 + 0j)},
    **{f"id {i!r}": offered(id=i) for i in ("", "  ", "\n\t", None, 5, b"mine", ["mine"])},
    **{f"open {o!r}": offered(open=o) for o in (None, "open", 5, NotImplemented, [print])},
    **{f"{name} raises": Raising(name) for name in ("version", "id", "open")},
    "a class": ExternalAskProvider,
}


@proves("surface-refused")
@pytest.mark.parametrize("what", REFUSED.values(), ids=REFUSED)
def test_what_is_no_provider_is_refused_and_takes_no_place(what: Any) -> None:
    connection = ExternalAskConnection(mode="rpc")
    assert connection.connect(what) is False
    assert connection.connect(provider()) is True
    assert valid_provider(what) is None


@pytest.mark.parametrize("made", [provider(), offered(), offered(id=" mine "), offered(open=PiAsk), offered(extra=1)])
def test_any_object_with_version_id_and_open_is_a_provider(made: Any) -> None:
    connection = ExternalAskConnection(mode="rpc")
    assert connection.connect(made) is True
    assert connection.close() == ExternalAskProvider(id=made.id, open=made.open)


@proves("surface-first-wins")
async def test_the_first_valid_provider_wins() -> None:
    answers: list[bool] = []

    def offer(connection: ExternalAskConnection) -> None:
        for what in (offered(version=2), provider("first", ANSWER), provider("second"), provider("first")):
            answers.append(connection.connect(what))  # noqa: PERF401  (one after the other is the point)

    async with PiAsk() as pi:
        record = Record(pi)
        pi.events.on(EXTERNAL_UI, offer)
        pi.events.on(EXTERNAL_UI, lambda connection: answers.append(connection.connect(provider("third"))))
        result = await pi.ask_user(form())
    assert answers == [False, True, False, False, False]
    assert result.details.answers["q"].values == ("a",)
    assert len(record.of(EXTERNAL_UI)) == 1


@proves("surface-refused")
async def test_an_offer_is_over_when_the_emit_has_returned() -> None:
    async with PiAsk() as pi:
        record = Record(pi)
        result = await pi.ask_user(form())
        assert record.of(EXTERNAL_UI)[0].connect(provider()) is False
        assert record.channels == [EXTERNAL_UI]
    assert result.details.cancelled

    late: list[bool] = []

    def open_(_: ExternalAskRequest) -> Any:
        late.append(record.of(EXTERNAL_UI)[0].connect(provider("late")))
        return CANCEL

    async with PiAsk() as pi:
        record = Record(pi)
        connect(pi, open_)
        await pi.ask_user(form())
    assert late == [False]


async def test_a_listener_that_raises_after_it_connected_has_connected(caplog: pytest.LogCaptureFixture) -> None:
    def offer(connection: ExternalAskConnection) -> None:
        connection.connect(provider(response=ANSWER))
        raise ValueError("after the offer")

    async with PiAsk() as pi:
        pi.events.on(EXTERNAL_UI, offer)
        result = await pi.ask_user(form())
    assert result.details.answers["q"].values == ("a",)
    assert "after the offer" in caplog.text


async def test_a_provider_that_comes_from_a_coroutine_comes_too_late() -> None:
    answers: list[bool] = []

    async def offer(connection: ExternalAskConnection) -> None:
        answers.append(connection.connect(provider()))

    async with PiAsk() as pi:
        pi.events.on(EXTERNAL_UI, offer)
        result = await pi.ask_user(form())
        assert "q" in result.text
    assert answers in ([], [False])


@proves("surface-offer-once")
@pytest.mark.parametrize("mode", ["rpc", "json", "print"])
async def test_every_mode_but_tui_makes_one_offer_to_a_call(mode: Any) -> None:
    async with PiAsk(mode=mode, native_ui=provider("native", ANSWER)) as pi:
        record = Record(pi)
        await pi.ask_user(form(), tool_call_id="call-1")
        await pi.ask_user(form())
    assert record.channels == [EXTERNAL_UI, EXTERNAL_UI]
    assert [connection.to_wire() for _, connection in record.events] == [
        {"version": 1, "mode": mode, "toolCallId": "call-1"},
        {"version": 1, "mode": mode},
    ]


@proves("surface-tui")
@pytest.mark.parametrize("background", [False, True])
async def test_tui_shows_the_native_surface_and_offers_nothing(background: bool) -> None:
    async with PiAsk(mode="tui", native_ui=provider("native", ANSWER)) as pi:
        record = Record(pi)
        connect(pi, lambda _: CANCEL)
        result = await pi.ask_user({**form(), "background": background})
    assert result.details.answers["q"].values == ("a",)
    assert record.of(EXTERNAL_UI) == []
    assert len(record.started) == len(record.completed) == 1


@proves("surface-tui", "surface-fallback")
async def test_tui_without_a_native_surface_falls_back() -> None:
    async with PiAsk(mode="tui") as pi:
        record = Record(pi)
        connect(pi, lambda _: ANSWER)
        result = await pi.ask_user(form())
    assert (record.events, result.details.cancelled, result.outcome) == ([], True, "not_shown")


@proves("surface-background", "surface-fallback")
@pytest.mark.parametrize("mode", ["rpc", "json", "print"])
async def test_a_background_form_is_never_offered(mode: Any) -> None:
    async with PiAsk(mode=mode) as pi:
        record = Record(pi)
        connect(pi, lambda _: ANSWER)
        result = await pi.ask_user({**form(), "background": True})
    assert record.events == []
    assert "background" in result.text
    assert "A [value a]" in result.text


@proves("surface-fallback")
async def test_without_a_provider_the_questions_come_back_in_words() -> None:
    raw = form(question("q", label="Env"), question("many", "x", type="multi"), title="T")
    async with PiAsk() as pi:
        record = Record(pi)
        result = await pi.ask_user(raw)
    assert record.channels == [EXTERNAL_UI]
    assert result.details.to_wire() == {
        "title": "T",
        "cancelled": True,
        "mode": "submit",
        "questions": [
            {"id": "q", "label": "Env", "prompt": "About q?", "type": "single"},
            {"id": "many", "label": "Q2", "prompt": "About many?", "type": "multi"},
        ],
        "answers": {},
    }
    for part in ("Env", "About q?", "A [value a]", "B [value b]", "About many?", "X [value x]", "no answer"):
        assert part in result.text
    assert result.content == ({"type": "text", "text": result.text},)


async def coroutine_open(_: ExternalAskRequest) -> Any:
    return ANSWER


class Later:
    """An awaitable that is neither coroutine nor future."""

    def __await__(self) -> Any:
        return coroutine_open(None).__await__()  # type: ignore[arg-type]  # the request is not looked at


def future_open(_: ExternalAskRequest) -> Awaitable[Any]:
    future = asyncio.get_running_loop().create_future()
    future.set_result(ANSWER)
    return future


OPENS: dict[str, Callable[[ExternalAskRequest], Any]] = {
    "function": lambda _: ANSWER,
    "coroutine function": coroutine_open,
    "function that returns a coroutine": lambda _: asyncio.sleep(0, ANSWER),
    "function that returns a future": future_open,
    "function that returns an awaitable": lambda _: Later(),
}


@proves("surface-open-kinds")
@pytest.mark.parametrize("open_", OPENS.values(), ids=OPENS)
async def test_open_may_be_any_of_these(open_: Callable[[ExternalAskRequest], Any]) -> None:
    async with PiAsk() as pi:
        connect(pi, open_)
        result = await pi.ask_user(form())
    assert (result.details.answers["q"].values, result.outcome) == (("a",), "answered")


@proves("surface-request", "questions-as-multi", "channel-source")
async def test_a_request_says_what_the_started_event_says() -> None:
    requests: list[ExternalAskRequest] = []

    def open_(request: ExternalAskRequest) -> Any:
        requests.append(request)
        return CANCEL

    config = AskConfig(behaviour=BehaviourConfig(present_single_as_multi=True))
    async with PiAsk(config=config) as pi:
        record = Record(pi)
        connect(pi, open_)
        requester = {"name": "agent", "cwd": "/home/me", "pid": 7}
        await pi.ask_user(form(title="T"), tool_call_id="call-1", source="answer:again", requester=requester)
    (request,), (started,), (completed,) = requests, record.started, record.completed
    wire = request.to_wire()
    assert wire == {
        "version": 1,
        "flowId": started.flow_id,
        "toolCallId": "call-1",
        "title": "T",
        "requester": requester,
        "questions": [started.questions[0].to_wire()],
    }
    shown = wire["questions"][0]
    assert (shown["type"], shown["requestedType"], shown["presentedType"]) == ("multi", "single", "multi")
    assert started.to_wire() == {**wire, "source": "answer:again", "createdAt": started.created_at}
    assert (completed.flow_id, completed.tool_call_id, completed.source) == (started.flow_id, "call-1", "answer:again")
    assert 1_600_000_000_000 < started.created_at <= completed.completed_at < 10_000_000_000_000
    assert request.signal.aborted


@proves("questions-as-multi")
@pytest.mark.parametrize(
    ("configured", "asked_for", "type_"), [(True, False, "single"), (False, True, "multi"), (True, None, "multi")]
)
async def test_a_call_may_say_how_single_questions_are_presented(configured: bool, asked_for: Any, type_: str) -> None:
    config = AskConfig(behaviour=BehaviourConfig(present_single_as_multi=configured))
    async with PiAsk(config=config) as pi:
        record = Record(pi)
        connect(pi, lambda _: CANCEL)
        await pi.ask_user(form(), present_single_as_multi=asked_for)
    assert [one.type for one in record.started[0].questions] == [type_]


@proves("bus-negotiation", "bus-nested")
async def test_a_call_made_from_within_a_listener_is_negotiated_and_announced_in_turn() -> None:
    said: list[str] = []

    def open_(request: ExternalAskRequest) -> Any:
        said.append(f"open {request.title}")
        return ANSWER

    async with PiAsk() as pi:
        calls: list[Any] = []

        def on_started(event: Any) -> None:
            said.append(f"first {event.title}")
            if event.title == "outer":
                # Driven by hand, as an eager task would be: the call runs up to its first wait, within the listener.
                call = pi.ask_user(form(title="inner"))
                calls.append((call, call.send(None)))
                said.append("inner waits")

        pi.events.on(STARTED, on_started)
        pi.events.on(STARTED, lambda event: said.append(f"second {event.title}"))
        connect(pi, open_)
        assert (await pi.ask_user(form(title="outer"))).outcome == "answered"
        ((call, _),) = calls
        with pytest.raises(StopIteration) as ended:
            call.send(None)
    assert ended.value.value.outcome == "answered"
    assert said == [
        "first outer",
        "inner waits",
        "second outer",
        "first inner",
        "second inner",
        "open outer",
        "open inner",
    ]


async def test_negotiating_outside_a_call_gives_the_provider() -> None:
    async with PiAsk() as pi:
        assert negotiate(pi.events, "rpc", None) is None
        connect(pi, lambda _: CANCEL)
        found = negotiate(pi.events, "rpc", None)
        assert found is not None
        assert found.id == "test"


@pytest.mark.parametrize("mode", ["", "TUI", "gui", None, 5])
def test_an_unknown_mode_is_refused(mode: Any) -> None:
    with pytest.raises(ValueError, match="mode must be one of"):
        PiAsk(mode=mode)


def test_a_native_surface_that_is_no_provider_and_a_strange_config_are_refused() -> None:
    with pytest.raises(TypeError, match="native_ui"):
        PiAsk(native_ui=offered(version=2))  # type: ignore[arg-type]  # the wrong type is the point
    with pytest.raises(TypeError, match="config"):
        PiAsk(config={})  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"tool_call_id": 5}, TypeError),
        ({"tool_call_id": "\ud800"}, ValueError),
        ({"signal": "now"}, TypeError),
        ({"source": "me"}, ValueError),
        ({"requester": {"pid": 1}}, ValueError),
        ({"requester": 5}, ValueError),
    ],
    ids=repr,
)
async def test_a_call_with_a_wrong_argument_is_refused_before_anything_happens(
    arguments: dict[str, Any], error: type[Exception]
) -> None:
    async with PiAsk() as pi:
        record = Record(pi)
        with pytest.raises(error):
            await pi.ask_user(form(), **arguments)
    assert record.events == []
