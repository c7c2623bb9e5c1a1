"""How a flow ends: each row of the table of endings, every race between two of them, and nothing left behind."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from asking import ANSWER, CANCEL, OTHER, Record, Surface, asked, connect, submit
from helpers import form, question, until
from requirements import proves

from pi_ask.errors import ExternalUIError, WrongThreadError
from pi_ask.models import (
    COMPLETED,
    DISPOSED,
    EXTERNAL_UI,
    STARTED,
    SUBMIT,
    SUBMIT_RESULT,
    CompletedEvent,
    RemoteAskResponse,
    StartedEvent,
)
from pi_ask.runtime import previews
from pi_ask.runtime.abort import AbortController, AbortSignal
from pi_ask.runtime.external_ui import ExternalAskRequest
from pi_ask.runtime.previews import read_preview
from pi_ask.runtime.tool import PiAsk


def is_over(pi: PiAsk, surface: Surface, record: Record) -> bool:
    """Return whether every flow has ended for whoever saw it: the surface, the listeners, the core."""
    ids = [event.flow_id for event in record.started]
    ends = sorted([event.flow_id for event in record.completed] + [event.flow_id for event in record.disposed])
    return pi.pending() == () and sorted(surface.closed) == sorted(ids) == ends


# --- the table, a test a row -----------------------------------------------------------------------------------------


@proves("ending-open-answers", "channel-started-first")
async def test_an_answer_from_open_is_returned() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form(), tool_call_id="call-1")
        assert record.channels == [EXTERNAL_UI, STARTED]
        assert surface.closed == []
        surface.respond(RemoteAskResponse.model_validate(ANSWER))
        result = await call
        assert (result.outcome, result.details.answers["q"].values) == ("answered", ("a",))
        assert [event.result for event in record.completed] == [result.details]
        assert is_over(pi, surface, record)
    assert surface.requests[0].signal.reason == "answered"


@proves("ending-submit-answers")
async def test_an_answer_by_the_submit_channel_is_returned() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        submit(pi, record.started[0].flow_id, OTHER)
        assert surface.closed == [record.started[0].flow_id]
        result = await call
        assert (result.outcome, result.details.answers["q"].values) == ("answered", ("b",))
        assert [event.result for event in record.completed] == [result.details]
        assert [told.ok for told in record.submit_results] == [True]
        assert is_over(pi, surface, record)


@proves("ending-open-cancels")
async def test_a_cancel_from_open_is_a_cancellation() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        surface.respond(CANCEL)
        result = await call
        assert (result.outcome, result.details.cancelled, result.details.answers) == ("cancelled", True, {})
        assert [event.result for event in record.completed] == [result.details]
        assert is_over(pi, surface, record)


@proves("ending-submit-cancels")
async def test_a_cancel_by_the_submit_channel_is_a_cancellation() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        submit(pi, record.started[0].flow_id, CANCEL)
        result = await call
        assert (result.outcome, result.details.cancelled, result.details.answers) == ("cancelled", True, {})
        assert [event.result for event in record.completed] == [result.details]
        assert is_over(pi, surface, record)


@proves("ending-abort-before")
async def test_a_signal_that_has_fired_before_opens_nothing() -> None:
    async with PiAsk() as pi:
        record, surface, controller = Record(pi), Surface(pi), AbortController()
        controller.abort()
        result = await pi.ask_user(form(), signal=controller.signal)
        assert (result.outcome, result.details.cancelled, result.details.answers) == ("aborted", True, {})
        assert [one.id for one in result.details.questions] == ["q"]
        assert (record.events, surface.requests) == ([], [])


@proves("ending-abort-during")
async def test_a_signal_that_fires_during_withdraws_the_form() -> None:
    async with PiAsk() as pi:
        record, surface, controller = Record(pi), Surface(pi), AbortController()
        call = await asked(pi, surface, form(), signal=controller.signal)
        controller.abort("enough")
        assert surface.closed == [record.started[0].flow_id]
        result = await call
        assert (result.outcome, result.details.cancelled, result.details.answers) == ("aborted", True, {})
        assert [event.result for event in record.completed] == [result.details]
        assert surface.requests[0].signal.reason == "enough"
        assert is_over(pi, surface, record)


@proves("ending-task-cancelled")
async def test_a_cancelled_task_goes_on_with_its_cancellation() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        call.cancel("by the caller")
        with pytest.raises(asyncio.CancelledError):
            await call
        assert call.cancelled()
        (completed,) = record.completed
        assert (completed.result.cancelled, completed.result.answers) == (True, {})
        assert is_over(pi, surface, record)


INVALID: list[Any] = [
    "a",
    5,
    True,
    [],
    {},
    {"kind": "yes"},
    {"kind": "answer"},
    {"kind": "answer", "answers": {"x": {}}},
    object(),
]


@proves("ending-open-invalid", "channel-disposed")
@pytest.mark.parametrize("response", INVALID, ids=repr)
async def test_an_invalid_response_from_open_is_a_failure(response: Any) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        surface.respond(response)
        with pytest.raises(ExternalUIError, match="'test' returned an invalid response"):
            await call
        assert (record.completed, [event.reason for event in record.disposed]) == ([], ["invalid_response"])
        assert surface.requests[0].signal.reason == "failed"
        assert is_over(pi, surface, record)


@proves("ending-open-nothing", "channel-disposed")
async def test_nothing_from_open_is_a_failure() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        surface.respond(None)
        with pytest.raises(ExternalUIError, match="must be an object with a kind, not null"):
            await call
        assert (record.completed, len(record.disposed)) == ([], 1)
        assert is_over(pi, surface, record)


class UnreadableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("cannot be told")


@proves("ending-open-raises", "channel-disposed")
@pytest.mark.parametrize(
    "error",
    [ValueError("broken"), TimeoutError(), ExternalUIError("own"), UnreadableError(), KeyError(1)],
    ids=lambda e: type(e).__name__,
)
async def test_an_open_that_raises_is_a_failure_with_its_error_as_the_cause(error: Exception) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        surface.fail(error)
        with pytest.raises(ExternalUIError, match=f"'test' failed: .*{type(error).__name__}") as caught:
            await call
        assert caught.value.__cause__ is error
        assert (record.completed, [event.reason for event in record.disposed]) == ([], ["surface_failed"])
        assert is_over(pi, surface, record)


@proves("ending-submit-invalid")
async def test_an_invalid_submit_leaves_everything_as_it_was() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        flow_id = record.started[0].flow_id
        for response in (
            {"kind": "answer"},
            {"kind": "answer", "answers": {"q": {"values": ["z"]}}},
            {"kind": "?"},
            None,
        ):
            submit(pi, flow_id, response)
        for _ in range(3):
            await asyncio.sleep(0)
        assert (call.done(), record.completed, surface.closed) == (False, [], [])
        assert [told.ok for told in record.submit_results] == [False] * 4
        surface.respond(ANSWER)
        assert (await call).details.answers["q"].values == ("a",)
        assert is_over(pi, surface, record)


@proves("ending-late-open")
async def test_a_response_from_open_after_the_end_is_ignored() -> None:
    late = asyncio.get_running_loop().create_future()

    async def open_(_: ExternalAskRequest) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            late.set_result(None)
        return OTHER

    async with PiAsk() as pi:
        record = Record(pi)
        connect(pi, open_)
        call = asyncio.create_task(pi.ask_user(form()))
        await until(lambda: record.started)
        await asyncio.sleep(0)
        submit(pi, record.started[0].flow_id, ANSWER)
        result = await call
        assert late.done()
        assert result.details.answers["q"].values == ("a",)
        assert record.channels == [EXTERNAL_UI, STARTED, COMPLETED, SUBMIT_RESULT]


@proves("ending-late-submit")
@pytest.mark.parametrize("end", [ANSWER, CANCEL, None])
async def test_a_submit_after_the_end_finds_no_flow(end: Any) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        surface.respond(end)
        await asyncio.wait({call})
        assert (call.exception() is None) == (end is not None)
        ended = len(record.completed)
        submit(pi, record.started[0].flow_id, ANSWER)
        assert [told.error for told in record.submit_results] == ["flow_not_found"]
        assert len(record.completed) == ended


# --- every kind of surface -------------------------------------------------------------------------------------------


def raises(error: BaseException) -> Any:
    raise error


async def raises_later(error: BaseException) -> Any:
    raise error


FAILING: dict[str, Callable[[ExternalAskRequest], Any]] = {
    "a function that raises": lambda _: raises(ValueError("broken")),
    "a coroutine that raises": lambda _: raises_later(ValueError("broken")),
    "a function that raises CancelledError": lambda _: raises(asyncio.CancelledError("broken")),
    "a coroutine that raises CancelledError": lambda _: raises_later(asyncio.CancelledError("broken")),
    "a function that raises StopIteration": lambda _: raises(StopIteration("broken")),
    "a function that returns nothing": lambda _: None,
    "a coroutine that returns nothing": lambda _: asyncio.sleep(0),
    "a function that takes no request": lambda: ANSWER,  # type: ignore[dict-item,misc]  # what is tried
    "a coroutine function that returns a coroutine": lambda _: asyncio.sleep(0, 5),
    "a function that returns a function": lambda _: print,
}


@proves("ending-open-raises", "ending-open-nothing", "channel-disposed")
@pytest.mark.parametrize("open_", FAILING.values(), ids=FAILING)
async def test_a_surface_that_fails_in_any_way_fails_the_call_and_nothing_else(
    open_: Callable[[ExternalAskRequest], Any],
) -> None:
    async with PiAsk() as pi:
        record = Record(pi)
        connect(pi, open_)
        with pytest.raises(ExternalUIError):
            await pi.ask_user(form())
        assert record.channels == [EXTERNAL_UI, STARTED, DISPOSED]
        assert record.disposed[0].flow_id == record.started[0].flow_id
        assert pi.pending() == ()


async def test_a_surface_that_hangs_in_spite_of_its_cancellation_does_not_hold_the_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    let_go = asyncio.Event()

    async def stubborn(_: ExternalAskRequest) -> Any:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        raise ValueError("much later")

    async with PiAsk() as pi:
        record = Record(pi)
        connect(pi, stubborn)
        call = asyncio.create_task(pi.ask_user(form()))
        await until(lambda: record.started)
        await asyncio.sleep(0)
        submit(pi, record.started[0].flow_id, ANSWER)
        result = await asyncio.wait_for(call, 5)
        assert result.outcome == "answered"
        assert "goes on after its flow has ended" in caplog.text
        let_go.set()
    await until(lambda: len(asyncio.all_tasks()) == 1)


@proves("ending-nothing-left")
async def test_the_surface_has_cleaned_up_when_the_call_returns() -> None:
    steps: list[str] = []

    async def tidy(request: ExternalAskRequest) -> Any:
        try:
            await request.signal.wait()
            steps.append("token")
            await asyncio.Event().wait()
        finally:
            steps.append("closing")
            await asyncio.sleep(0)
            steps.append("closed")

    async with PiAsk() as pi:
        connect(pi, tidy)
        call = asyncio.create_task(pi.ask_user(form()))
        await until(pi.pending)
        await asyncio.sleep(0)
        submit(pi, pi.pending()[0].flow_id, ANSWER)
        await call
        assert steps[-2:] == ["closing", "closed"]


async def test_a_surface_may_submit_from_within_open() -> None:
    async with PiAsk() as pi:
        record = Record(pi)

        def open_(request: ExternalAskRequest) -> Any:
            submit(pi, request.flow_id, ANSWER)
            assert request.signal.aborted

        connect(pi, open_)
        result = await pi.ask_user(form())
        assert result.outcome == "answered"
        assert record.channels == [EXTERNAL_UI, STARTED, COMPLETED, SUBMIT_RESULT]


# --- before open -----------------------------------------------------------------------------------------------------


@proves("ending-not-opened", "channel-started-first")
@pytest.mark.parametrize(("response", "outcome"), [(ANSWER, "answered"), (CANCEL, "cancelled")])
async def test_a_bridge_that_answers_on_started_leaves_nothing_to_open(response: Any, outcome: str) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        pi.events.on(STARTED, lambda event: submit(pi, event.flow_id, response))
        result = await pi.ask_user(form())
        assert (result.outcome, surface.requests) == (outcome, [])
        assert record.channels == [EXTERNAL_UI, STARTED, COMPLETED, SUBMIT_RESULT]
        assert [told.ok for told in record.submit_results] == [True]


@proves("ending-not-opened")
async def test_a_signal_that_fires_on_started_leaves_nothing_to_open() -> None:
    async with PiAsk() as pi:
        record, surface, controller = Record(pi), Surface(pi), AbortController()
        pi.events.on(STARTED, lambda _: controller.abort())
        result = await pi.ask_user(form(), signal=controller.signal)
        assert (result.outcome, surface.requests) == ("aborted", [])
        assert record.channels == [EXTERNAL_UI, STARTED, COMPLETED]


@proves("ending-not-opened", "ending-abort-before")
async def test_a_signal_that_fires_while_surfaces_are_asked_starts_nothing() -> None:
    async with PiAsk() as pi:
        record, surface, controller = Record(pi), Surface(pi), AbortController()
        pi.events.on(EXTERNAL_UI, lambda _: controller.abort())
        result = await pi.ask_user(form(), signal=controller.signal)
        assert (result.outcome, surface.requests) == ("aborted", [])
        assert record.channels == [EXTERNAL_UI]


async def test_a_signal_that_fires_between_the_last_look_and_the_start_announces_nothing() -> None:
    class Late(AbortSignal):
        """Fires when it is first listened to, as a signal of another thread may."""

        def on_abort(self, listener: Any) -> Callable[[], None]:
            self._fire("late")
            return super().on_abort(listener)

    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        result = await pi.ask_user(form(), signal=Late())
        assert (result.outcome, surface.requests, pi.pending()) == ("aborted", [], ())
        assert record.channels == [EXTERNAL_UI]


async def test_an_invalid_form_is_told_even_to_a_call_that_was_withdrawn() -> None:
    controller = AbortController()
    controller.abort()
    async with PiAsk() as pi:
        assert (await pi.ask_user({}, signal=controller.signal)).outcome == "invalid"


@proves("form-nothing-opens", "form-hostile")
@pytest.mark.parametrize(
    "params", [None, "[" * 20_000, b"\xff", "{}", {"questions": []}, form(question(" "))], ids=lambda p: str(p)[:12]
)
async def test_an_invalid_form_opens_nothing_and_names_every_issue(params: Any) -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        result = await pi.ask_user(params)
        wire = result.details.to_wire()
        assert (wire["cancelled"], wire["error"]["kind"], wire["answers"]) == (True, "invalid_input", {})
        assert all(
            issue["message"] in result.text and issue["path"] in result.text for issue in wire["error"]["issues"]
        )
        assert (record.events, surface.requests) == ([], [])


# --- two endings in one turn -----------------------------------------------------------------------------------------

End = Callable[["Race"], None]


class Race:
    """A call that is open, and the means to end it."""

    def __init__(self, pi: PiAsk) -> None:
        self.pi, self.record, self.surface = pi, Record(pi), Surface(pi)
        self.controller = AbortController()
        self.call: asyncio.Task[Any]

    async def run(self, *ends: End) -> str:
        """End the call in each of these ways, in one turn of the loop; return what came of it."""
        self.call = await asked(self.pi, self.surface, form(), signal=self.controller.signal)
        for end in ends:
            end(self)
        try:
            return str((await self.call).outcome)
        except ExternalUIError:
            return "failed"
        except asyncio.CancelledError:
            return "task cancelled"


def by_submit(race: Race) -> None:
    submit(race.pi, race.surface.requests[-1].flow_id, ANSWER)


def by_cancel(race: Race) -> None:
    submit(race.pi, race.surface.requests[-1].flow_id, CANCEL)


def by_abort(race: Race) -> None:
    race.controller.abort()


def by_task(race: Race) -> None:
    race.call.cancel()


def by_open(race: Race) -> None:
    race.surface.respond(OTHER)


def by_failure(race: Race) -> None:
    race.surface.fail(ValueError("broken"))


RACES: list[tuple[tuple[End, ...], str, str]] = [
    ((by_submit, by_abort), "answered", "answer"),
    ((by_abort, by_submit), "aborted", "cancelled"),
    ((by_cancel, by_submit), "cancelled", "cancelled"),
    ((by_submit, by_cancel), "answered", "answer"),
    ((by_task, by_submit), "task cancelled", "cancelled"),
    ((by_submit, by_task), "task cancelled", "answer"),
    ((by_task, by_abort), "task cancelled", "cancelled"),
    ((by_abort, by_task), "task cancelled", "cancelled"),
    ((by_task, by_open), "task cancelled", "cancelled"),
    ((by_task, by_failure), "task cancelled", "cancelled"),
    ((by_open, by_submit), "answered", "answer"),
    ((by_failure, by_submit), "answered", "answer"),
    ((by_failure, by_abort), "aborted", "cancelled"),
    ((by_abort, by_failure), "aborted", "cancelled"),
    ((by_abort, by_open), "aborted", "cancelled"),
    ((by_submit, by_submit, by_abort, by_task), "task cancelled", "answer"),
]


@proves("ending-once")
@pytest.mark.parametrize(
    ("ends", "outcome", "completed"), RACES, ids=["+".join(e.__name__ for e in ends) for ends, _, _ in RACES]
)
async def test_of_two_endings_in_one_turn_the_first_wins(ends: tuple[End, ...], outcome: str, completed: str) -> None:
    async with PiAsk() as pi:
        race = Race(pi)
        assert await race.run(*ends) == outcome
        (event,) = race.record.completed
        assert ("cancelled" if event.result.cancelled else "answer") == completed
        submits = sum(end in {by_submit, by_cancel} for end in ends)
        assert len(race.record.submit_results) == submits
        assert is_over(pi, race.surface, race.record)


@proves("ending-once", "ending-task-cancelled")
@pytest.mark.parametrize("end", [lambda: ANSWER, lambda: None, lambda: raises(ValueError("broken"))])
async def test_what_open_says_to_a_task_that_was_cancelled_meanwhile_is_ignored(end: Callable[[], Any]) -> None:
    async with PiAsk() as pi:
        record = Record(pi)

        async def open_(_: ExternalAskRequest) -> Any:
            # The task is cancelled after this ends and before the core hears of it.
            asyncio.get_running_loop().call_soon(call.cancel)
            return end()

        connect(pi, open_)
        call = asyncio.create_task(pi.ask_user(form()))
        await asyncio.wait({call}, timeout=5)
        assert call.cancelled()
        assert ([event.result.cancelled for event in record.completed], record.disposed) == ([True], [])


@proves("ending-once", "channel-disposed")
async def test_a_failure_and_a_cancellation_of_the_task_end_it_once() -> None:
    async with PiAsk() as pi:
        race = Race(pi)

        def fail_then_cancel(event: Any) -> None:
            assert event.reason == "surface_failed"
            race.call.cancel()

        pi.events.on(DISPOSED, fail_then_cancel)
        assert await race.run(by_failure) == "task cancelled"
        assert (race.record.completed, len(race.record.disposed)) == ([], 1)
        assert is_over(pi, race.surface, race.record)


@proves("ending-once")
async def test_whatever_the_listeners_of_the_end_do_it_has_ended_once() -> None:
    async with PiAsk() as pi:
        race = Race(pi)

        def meddle(_: Any) -> None:
            by_submit(race)
            by_cancel(race)
            by_abort(race)

        pi.events.on(COMPLETED, meddle)
        race.controller.signal.on_abort(lambda: by_submit(race))
        assert await race.run(by_submit) == "answered"
        assert len(race.record.completed) == 1
        assert [told.error for told in race.record.submit_results] == [None, *["flow_not_found"] * 3]


@proves("ending-task-cancelled")
async def test_a_time_out_around_the_call_is_a_cancelled_task() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await pi.ask_user(form())
        assert [event.result.cancelled for event in record.completed] == [True]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pi.ask_user(form()), 0.02)
        assert is_over(pi, surface, record)


@proves("ending-abort-during")
async def test_a_signal_with_a_time_out_withdraws_the_form() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        result = await pi.ask_user(form(), signal=AbortSignal.timeout(0.02))
        assert result.outcome == "aborted"
        assert isinstance(surface.requests[0].signal.reason, TimeoutError)
        assert is_over(pi, surface, record)


async def test_a_task_that_is_cancelled_before_it_starts_starts_nothing() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        call = asyncio.create_task(pi.ask_user(form()))
        call.cancel()
        await asyncio.wait({call})
        assert (call.cancelled(), record.events, surface.requests) == (True, [], [])


# --- threads ---------------------------------------------------------------------------------------------------------


@proves("ending-abort-during")
async def test_a_signal_of_another_thread_ends_the_flow_on_the_thread_of_the_loop() -> None:
    async with PiAsk() as pi:
        record, surface, controller = Record(pi), Surface(pi), AbortController()
        threads: list[int] = []
        pi.events.on(COMPLETED, lambda _: threads.append(threading.get_ident()))
        call = await asked(pi, surface, form(), signal=controller.signal)
        await asyncio.to_thread(controller.abort, "from a thread")
        assert (await call).outcome == "aborted"
        assert threads == [threading.get_ident()]
        assert is_over(pi, surface, record)


@proves("bus-threads")
async def test_a_call_from_a_second_thread_is_told_the_way_that_works() -> None:
    async with PiAsk() as pi:
        surface = Surface(pi)
        loop = asyncio.get_running_loop()

        def ask_there(make: Callable[[], Coroutine[Any, Any, Any]]) -> str:
            with pytest.raises(WrongThreadError) as caught:
                asyncio.run(make())
            return str(caught.value)

        for make in (lambda: pi.ask_user(form()), pi.aclose, pi.__aenter__):
            told = await asyncio.to_thread(ask_there, make)
            assert "asyncio.run_coroutine_threadsafe(pi." in told
            assert "pi.events.loop" in told
        assert (pi.events.loop, surface.requests) == (loop, [])

        def ask_well() -> Any:
            return asyncio.run_coroutine_threadsafe(pi.ask_user(form()), pi.events.loop).result(10)  # type: ignore[arg-type]  # known here

        asking = asyncio.create_task(asyncio.to_thread(ask_well))
        await until(lambda: surface.requests)
        flow_id = surface.requests[0].flow_id
        payload = {"version": 1, "requestId": "r", "flowId": flow_id, "response": ANSWER}
        await asyncio.to_thread(pi.events.emit_threadsafe, SUBMIT, payload)
        assert (await asking).outcome == "answered"


def test_one_core_serves_one_loop_after_another() -> None:
    pi = PiAsk()
    connect(pi, lambda _: ANSWER)
    for _ in range(2):
        assert asyncio.run(pi.ask_user(form())).outcome == "answered"


# --- previews, closing -----------------------------------------------------------------------------------------------


@pytest.fixture
def slow_previews(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Preview files that are read only once the event is set."""
    go_on = threading.Event()

    def slow(path: Any) -> str:
        assert go_on.wait(10)
        return read_preview(path)

    monkeypatch.setattr(previews, "read_preview", slow)
    return go_on


FROM_FILE = form(question(options=[{"value": "a", "previewFile": __file__}]))


@proves("ending-abort-before")
async def test_a_signal_that_fires_while_previews_are_read_ends_the_call_at_once(
    slow_previews: threading.Event,
) -> None:
    async with PiAsk() as pi:
        record, controller = Record(pi), AbortController()
        call = asyncio.create_task(pi.ask_user(FROM_FILE, signal=controller.signal))
        await asyncio.sleep(0.01)
        controller.abort()
        result = await asyncio.wait_for(call, 5)
        slow_previews.set()
        assert (result.outcome, result.details.cancelled, record.events) == ("aborted", True, [])
        assert [one.id for one in result.details.questions] == ["q"]


async def test_a_task_that_is_cancelled_while_previews_are_read_starts_nothing(slow_previews: threading.Event) -> None:
    async with PiAsk() as pi:
        record = Record(pi)
        call = asyncio.create_task(pi.ask_user(FROM_FILE))
        await asyncio.sleep(0.01)
        call.cancel()
        await asyncio.wait({call}, timeout=5)
        slow_previews.set()
        assert (call.cancelled(), record.events) == (True, [])


@proves("ending-close")
async def test_closing_ends_every_flow_and_every_call_in_its_preview_stage(slow_previews: threading.Event) -> None:
    pi = PiAsk()
    record, surface = Record(pi), Surface(pi)
    calls = [await asked(pi, surface, form()) for _ in range(3)]
    calls.append(asyncio.create_task(pi.ask_user(FROM_FILE)))
    await asyncio.sleep(0.01)
    await asyncio.wait_for(pi.aclose(), 5)
    slow_previews.set()
    assert [(await call).outcome for call in calls] == ["aborted"] * 4
    assert len(record.completed) == 3
    assert {request.signal.reason for request in surface.requests} == {"closed"}
    assert is_over(pi, surface, record)

    said = len(record.events)
    pi.events.emit(STARTED, "anything")
    submit(pi, "nobody", ANSWER)
    assert len(record.events) == said
    await pi.aclose()
    with pytest.raises(RuntimeError, match="closed"):
        await pi.ask_user(form())


@proves("ending-close")
async def test_closing_waits_until_the_surfaces_have_cleaned_up() -> None:
    cleaned: list[str] = []

    async def open_(_: ExternalAskRequest) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.02)
            cleaned.append("surface")

    async with PiAsk() as pi:
        connect(pi, open_)
        call = asyncio.create_task(pi.ask_user(form()))
        await until(pi.pending)
        await asyncio.sleep(0)
    assert cleaned == ["surface"]
    assert (await call).outcome == "aborted"


@proves("ending-close")
async def test_leaving_the_context_closes_and_ends_coroutine_listeners() -> None:
    ended: list[str] = []

    async def listener(_: StartedEvent) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("listener")

    async with PiAsk() as pi:
        surface = Surface(pi)
        pi.events.on(STARTED, listener)
        call = await asked(pi, surface, form())
        await asyncio.sleep(0)
    assert ((await call).outcome, ended) == ("aborted", ["listener"])


async def test_a_listener_or_a_surface_may_close_the_core() -> None:
    async def close(_: Any) -> Any:
        await pi.aclose()
        return CANCEL

    for channel in (STARTED, None):
        pi = PiAsk()
        surface = Surface(pi) if channel else None
        if channel:
            pi.events.on(channel, close)
        else:
            connect(pi, close)
        result = await asyncio.wait_for(pi.ask_user(form()), 5)
        assert result.outcome == "aborted"
        assert surface is None or len(surface.closed) == len(surface.requests)


# --- many ------------------------------------------------------------------------------------------------------------


@proves("ending-many")
async def test_five_hundred_calls_at_once_get_their_own_answers() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        names = ["same" if number < 5 else f"call-{number}" for number in range(500)]
        calls = [asyncio.create_task(pi.ask_user(form(), tool_call_id=name)) for name in names]
        await until(lambda: len(surface.requests) == 500)
        assert [event.flow_id for event in pi.pending()] == [request.flow_id for request in surface.requests]
        assert len({request.flow_id for request in surface.requests}) == 500
        for number, request in reversed(list(enumerate(surface.requests))):
            response = {"kind": "answer", "answers": {"q": {"customText": f"own {number}"}}}
            if number % 2:
                submit(pi, request.flow_id, response)
            else:
                surface.respond(response, number)
        told = {}
        for number, call in enumerate(calls):
            assert (await call).details.answers["q"].custom_text == f"own {number}"
            told[surface.requests[number].flow_id] = (f"own {number}", names[number])
        ends = {e.flow_id: (e.result.answers["q"].custom_text, e.tool_call_id) for e in record.completed}
        assert ends == told
        assert is_over(pi, surface, record)


@proves("ending-nothing-left", "abort-holds-nothing")
async def test_after_three_hundred_calls_on_one_signal_nothing_is_left() -> None:
    controller, gone = AbortController(), list[weakref.ref[Any]]()
    pi = PiAsk()
    ends: list[End] = [by_submit, by_cancel, by_open, by_failure, by_task]

    for number in range(300):
        race = Race(pi)
        race.controller = controller
        await race.run(ends[number % len(ends)])
        gone += [
            weakref.ref(race.surface.requests[0]),
            weakref.ref(race.surface.requests[0].signal),
            weakref.ref(race.call),
        ]
        pi.events._listeners = {SUBMIT: pi.events._listeners[SUBMIT]}  # the records of this race
    del race
    assert controller.signal._listeners == {}
    assert pi._closing.signal._listeners == {}
    assert (pi.pending(), pi._calls, pi.events._tasks) == ((), set(), set())
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await asyncio.sleep(0)
    gc.collect()
    assert [reference for reference in gone if reference() is not None] == []
    await pi.aclose()


# --- listeners -------------------------------------------------------------------------------------------------------


@proves("ending-listener-raises")
@pytest.mark.parametrize("channel", [EXTERNAL_UI, STARTED, COMPLETED, SUBMIT, SUBMIT_RESULT])
async def test_a_listener_that_raises_stops_neither_call_nor_other_listeners(
    channel: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with PiAsk() as pi:

        def broken(_: Any) -> None:
            raise asyncio.CancelledError("a listener that breaks")

        pi.events.on(channel, broken)
        record, surface = Record(pi), Surface(pi)
        call = await asked(pi, surface, form())
        surface.requests[0].signal.on_abort(lambda: broken(None))
        submit(pi, record.started[0].flow_id, ANSWER)
        assert (await call).outcome == "answered"
        assert record.channels == [EXTERNAL_UI, STARTED, COMPLETED, SUBMIT_RESULT]
        assert is_over(pi, surface, record)
    assert "a listener that breaks" in caplog.text


@proves("bus-coroutines")
async def test_a_coroutine_listener_can_answer_later() -> None:
    async with PiAsk() as pi:
        surface = Surface(pi)

        async def bridge(event: StartedEvent) -> None:
            await until(lambda: surface.requests)
            submit(pi, event.flow_id, ANSWER)

        pi.events.on(STARTED, bridge)
        assert (await pi.ask_user(form())).outcome == "answered"
        assert len(surface.closed) == 1


@proves("bus-nested")
async def test_every_listener_sees_started_before_completed() -> None:
    async with PiAsk() as pi:
        seen: list[type] = []
        pi.events.on(STARTED, lambda event: submit(pi, event.flow_id, ANSWER))
        for channel in (COMPLETED, STARTED):
            pi.events.on(channel, lambda event: seen.append(type(event)))
        Surface(pi)
        await pi.ask_user(form())
        assert seen == [StartedEvent, CompletedEvent]


@proves("channel-late-listener")
async def test_a_late_listener_finds_the_open_flows() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        calls = [await asked(pi, surface, form(title=title)) for title in ("one", "two", "three")]
        assert pi.pending() == tuple(record.started)
        surface.respond(ANSWER, 1)
        await calls[1]
        assert [event.title for event in pi.pending()] == ["one", "three"]
        for index in (0, 2):
            surface.respond(CANCEL, index)
        await asyncio.gather(*calls)
        assert pi.pending() == ()


@proves("channel-late-listener", "channel-started-first")
async def test_a_flow_is_pending_when_it_is_announced_and_gone_when_its_end_is() -> None:
    async with PiAsk() as pi:
        pending: list[int] = []
        for channel in (STARTED, COMPLETED):
            pi.events.on(channel, lambda _: pending.append(len(pi.pending())))
        connect(pi, lambda _: ANSWER)
        await pi.ask_user(form())
        assert pending == [1, 0]


@proves("channel-disposed")
async def test_a_completed_flow_is_not_disposed() -> None:
    async with PiAsk() as pi:
        record, surface = Record(pi), Surface(pi)
        for end in (ANSWER, CANCEL):
            call = await asked(pi, surface, form())
            surface.respond(end)
            await call
        assert (len(record.completed), record.disposed) == (2, [])


@proves("form-large")
async def test_a_megabyte_in_a_note_and_two_thousand_options_go_through() -> None:
    note = "größer 🚀 " * 100_000
    async with PiAsk() as pi:
        response = {
            "kind": "answer",
            "answers": {"q": {"values": ["v1999"], "note": note, "optionNotes": {"v7": note}}},
        }
        connect(pi, lambda _: {**response, "mode": "elaborate"})
        result = await pi.ask_user(form(question("q", *(f"v{number}" for number in range(2_000)))))
    assert result.details.answers["q"].note == note
    assert result.details.elaboration is not None
    assert [item.note for item in result.details.elaboration.items] == [note, note]
    assert result.details.to_json().count(note) >= 2
