"""Every way a flow can end, through the window: one result, one event, and no window afterwards."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from asking import Record
from helpers import form, question, until
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from surface import WatchedProvider, surface

from pi_ask import (
    EXTERNAL_UI,
    STARTED,
    SUBMIT,
    AbortController,
    ExternalUIError,
    PiAsk,
    WrongThreadError,
)
from pi_ask_qt import QtAskProvider
from pi_ask_qt.testing import AskDesk, AskDriverError
from pi_ask_qt.widgets.window import AskWindow


def submit(pi: PiAsk, flow_id: str, response: Any) -> None:
    pi.events.emit(SUBMIT, {"version": 1, "requestId": "r", "flowId": flow_id, "response": response})


def answer(*values: str) -> dict[str, Any]:
    return {"kind": "answer", "answers": {"q": {"values": list(values)}}}


def shown() -> list[AskWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, AskWindow) and w.isVisible()]


@pytest.fixture
def record(ask_desk: AskDesk) -> Record:
    return Record(ask_desk.pi)


async def test_an_answer_in_the_window_ends_the_flow_once(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    driver.choose("q", "b").submit()
    assert shown() == []
    result = await driver.call
    assert result.details.answers["q"].values == ("b",)
    assert (len(record.completed), ask_desk.provider.windows) == (1, ())


async def test_an_answer_from_the_submit_channel_closes_the_window_at_once(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    submit(ask_desk.pi, driver.request.flow_id, answer("a"))
    assert shown() == []
    assert (await driver.call).details.answers["q"].values == ("a",)
    assert len(record.completed) == 1


async def test_a_cancel_in_the_window_is_a_cancel(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    result = await driver.cancel().call
    assert (result.details.cancelled, result.outcome, len(record.completed)) == (True, "cancelled", 1)


async def test_a_cancel_from_the_submit_channel_closes_the_window(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(form())
    submit(ask_desk.pi, driver.request.flow_id, {"kind": "cancel"})
    assert shown() == []
    assert (await driver.call).outcome == "cancelled"


async def test_the_operations_own_signal_closes_the_window(ask_desk: AskDesk, record: Record) -> None:
    controller = AbortController()
    driver = await ask_desk.ask(form(), signal=controller.signal)
    controller.abort("enough")
    assert shown() == []
    result = await driver.call
    assert (result.details.cancelled, result.outcome, len(record.completed)) == (True, "aborted", 1)


async def test_the_operations_own_signal_closes_the_window_from_another_thread(ask_desk: AskDesk) -> None:
    controller = AbortController()
    driver = await ask_desk.ask(form(), signal=controller.signal)
    await asyncio.to_thread(controller.abort)
    assert (await driver.call).outcome == "aborted"
    assert shown() == []


async def test_a_signal_that_has_fired_opens_no_window(ask_desk: AskDesk, record: Record) -> None:
    controller = AbortController()
    controller.abort()
    assert (await ask_desk.pi.ask_user(form(), signal=controller.signal)).outcome == "aborted"
    assert record.completed == []


async def test_cancelling_the_awaiting_task_closes_the_window(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    driver.call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await driver.call
    assert shown() == []
    assert [event.result.cancelled for event in record.completed] == [True]


async def test_the_provider_going_away_is_a_failure(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    ask_desk.provider.close()
    with pytest.raises(ExternalUIError):
        await driver.call
    assert (record.completed, len(record.disposed)) == ([], 1)


async def test_a_window_that_qt_destroys_is_a_failure(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    driver.window.deleteLater()
    with pytest.raises(ExternalUIError, match="destroyed"):
        await driver.call
    assert (record.completed, len(record.disposed)) == ([], 1)


async def test_a_window_that_cannot_draw_is_a_failure(
    ask_desk: AskDesk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    driver = await ask_desk.ask(form())
    monkeypatch.setattr(driver.window, "draw", lambda _: 1 // 0)
    with pytest.raises(AskDriverError, match="the form has ended"):
        driver.choose("q", "a")
    with pytest.raises(ExternalUIError, match="ZeroDivisionError"):
        await driver.call
    assert shown() == []
    assert "the window failed" in caplog.text


async def test_an_invalid_answer_on_the_submit_channel_leaves_the_window_open(
    ask_desk: AskDesk, record: Record
) -> None:
    driver = await ask_desk.ask(form())
    submit(ask_desk.pi, driver.request.flow_id, answer("nothing"))
    assert [event.error for event in record.submit_results] == ["invalid_answer"]
    assert driver.window.isVisible()
    assert (await driver.choose("q", "a").submit().call).outcome == "answered"


async def test_a_submit_after_the_end_finds_no_flow(ask_desk: AskDesk, record: Record) -> None:
    driver = await ask_desk.ask(form())
    await driver.cancel().call
    submit(ask_desk.pi, driver.request.flow_id, answer("a"))
    assert [event.error for event in record.submit_results] == ["flow_not_found"]
    assert len(record.completed) == 1


async def test_a_bridge_that_answers_on_started_shows_no_window() -> None:
    provider = WatchedProvider()
    async with surface(provider=provider) as desk:
        desk.pi.events.on(STARTED, lambda event: submit(desk.pi, event.flow_id, answer("b")))
        assert (await desk.pi.ask_user(form())).details.answers["q"].values == ("b",)
        assert provider.requests == []


@pytest.mark.parametrize("submit_first", [True, False])
async def test_of_submit_and_abort_in_one_turn_the_first_wins(
    ask_desk: AskDesk, record: Record, submit_first: bool
) -> None:
    controller = AbortController()
    driver = await ask_desk.ask(form(), signal=controller.signal)
    if not submit_first:
        controller.abort()
    submit(ask_desk.pi, driver.request.flow_id, answer("a"))
    controller.abort()
    assert (await driver.call).outcome == ("answered" if submit_first else "aborted")
    assert len(record.completed) == 1


async def test_the_session_ending_closes_every_window(ask_desk: AskDesk) -> None:
    drivers = [await ask_desk.ask(form()) for _ in range(3)]
    await ask_desk.pi.aclose()
    assert shown() == []
    assert {(await driver.call).outcome for driver in drivers} == {"aborted"}


async def test_forms_wait_in_order_and_one_is_in_front(ask_desk: AskDesk) -> None:
    drivers = [await ask_desk.ask(form(question("q"), title=f"Form {number}")) for number in range(3)]
    for number, driver in enumerate(drivers):
        assert shown() == [driver.window]
        assert driver.window.windowTitle().startswith(f"Form {number}")
        result = await driver.choose("q", "ab"[number % 2]).submit().call
        assert result.details.answers["q"].values == ("ab"[number % 2],)
    assert shown() == []


async def test_a_waiting_form_that_is_withdrawn_is_skipped(ask_desk: AskDesk) -> None:
    controller = AbortController()
    first = await ask_desk.ask(form(title="first"))
    second = await ask_desk.ask(form(title="second"), signal=controller.signal)
    third = await ask_desk.ask(form(title="third"))
    controller.abort()
    await second.call
    await first.cancel().call
    assert third.screen.title == "third"


async def test_an_arriving_form_takes_neither_place_nor_keyboard(ask_desk: AskDesk) -> None:
    first = await ask_desk.ask(form())
    first.press("down", "down", "enter")
    editor = first.window.focusWidget()
    assert editor.objectName() == "custom:q"
    QTest.keyClicks(editor, "half a sent")
    second = await ask_desk.ask(form())
    assert first.window.focusWidget() is editor
    assert first.screen.waiting == "1 more waiting"
    assert (await first.submit().call).details.answers["q"].custom_text == "half a sent"
    assert second.is_in_front
    assert second.window.focusWidget().objectName() == "option:q:a"


async def test_nothing_of_300_ended_flows_is_left() -> None:
    controller = AbortController()
    provider = WatchedProvider()
    async with surface(provider=provider) as desk:
        for _ in range(300):
            task = await desk.ask(form(), signal=controller.signal)
            desk.click("cancel")
            await task
            del task
        await until(lambda: len(asyncio.all_tasks()) == 1)
        QApplication.sendPostedEvents(None, 52)  # deferred deletes
        gc.collect()
        assert len(provider.requests) == 300
        assert [one() for one in provider.requests if one() is not None] == []
        assert [w for w in QApplication.topLevelWidgets() if isinstance(w, AskWindow)] == []


async def test_fifty_windows_at_once_each_get_their_own_answer(ask_desk: AskDesk) -> None:
    drivers = [await ask_desk.ask(form(), tool_call_id="same") for _ in range(50)]
    for number, driver in enumerate(drivers):
        submit(
            ask_desk.pi,
            driver.request.flow_id,
            {"kind": "answer", "answers": {"q": {"customText": str(number)}}},
        )
    results = [await driver.call for driver in drivers]
    assert [result.details.answers["q"].custom_text for result in results] == [str(number) for number in range(50)]


def test_a_loop_that_is_not_qts_is_named_and_the_way_out() -> None:
    async def ask() -> None:
        async with PiAsk() as pi:
            unregister = QtAskProvider().register(pi)
            try:
                await pi.ask_user(form())
            finally:
                unregister()

    with pytest.raises(ExternalUIError, match=r"pi_ask_qt\.run") as caught:
        asyncio.run(ask())
    assert isinstance(caught.value.__cause__, WrongThreadError)


async def test_another_thread_asks_through_the_loop_of_the_window(ask_desk: AskDesk) -> None:
    failures: list[BaseException] = []

    def work() -> Any:
        try:
            asyncio.run(ask_desk.pi.ask_user(form()))
        except WrongThreadError as error:
            failures.append(error)
        loop = ask_desk.pi.events.loop
        assert loop is not None
        return asyncio.run_coroutine_threadsafe(ask_desk.pi.ask_user(form()), loop).result(10)

    asking = ask_desk.start(asyncio.to_thread(work))
    (await ask_desk.wait_for_form()).choose("q", "a").submit()
    assert (await asking).details.answers["q"].values == ("a",)
    assert "run_coroutine_threadsafe" in str(failures[0])


async def test_unregistering_offers_nothing_any_more() -> None:
    async with PiAsk() as pi:
        unregister = QtAskProvider().register(pi)
        unregister()
        assert (await pi.ask_user(form())).outcome == "not_shown"
        offered: list[Any] = []
        pi.events.on(EXTERNAL_UI, offered.append)
        await pi.ask_user(form())
        assert len(offered) == 1


async def test_a_window_that_fails_to_draw_harms_no_other(ask_desk: AskDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await ask_desk.ask(form(title="first"))

    def fail(_: object) -> None:
        raise ValueError("no paint")

    monkeypatch.setattr(first.window, "draw", fail)
    second = await ask_desk.ask(form(title="second"))
    with pytest.raises(ExternalUIError, match="no paint"):
        await first.call
    await until(lambda: second.is_in_front)
    assert (await second.choose("q", "a").submit().call).details.title == "second"


async def test_a_window_that_cannot_be_built_leaves_nothing(
    ask_desk: AskDesk, record: Record, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no window")

    monkeypatch.setattr(AskWindow, "draw", fail)
    with pytest.raises(ExternalUIError, match="no window"):
        await ask_desk.pi.ask_user(form())
    assert (ask_desk.provider.windows, record.completed) == ((), [])
    await until(lambda: not [widget for widget in qapp.topLevelWidgets() if isinstance(widget, AskWindow)])


async def test_a_form_that_waits_has_no_window_until_its_turn_comes(ask_desk: AskDesk) -> None:
    first = await ask_desk.ask(form())
    others = [await ask_desk.ask(form()) for _ in range(5)]
    assert first.screen.waiting == "5 more waiting"
    assert len([w for w in QApplication.topLevelWidgets() if isinstance(w, AskWindow)]) == 1
    assert (await first.cancel().call).outcome == "cancelled"
    assert shown() == [others[0].window]


async def test_forms_that_end_while_they_wait_leave_no_window(ask_desk: AskDesk) -> None:
    controller = AbortController()
    first = await ask_desk.ask(form())
    waiting = await ask_desk.ask(form(), signal=controller.signal)
    controller.abort()
    assert (await waiting.call).outcome == "aborted"
    assert ask_desk.provider.windows == (first.window,)
