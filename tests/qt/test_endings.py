"""Every way a flow can end, through the window: one result, one event, and no window afterwards."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any

import pytest
from helpers import form, question, until
from PySide6.QtWidgets import QApplication, QWidget
from surface import Surface, WatchedProvider, surface

from pi_ask import (
    EXTERNAL_UI,
    STARTED,
    SUBMIT,
    SUBMIT_RESULT,
    AbortController,
    ExternalUIError,
    PiAsk,
    WrongThreadError,
)
from pi_ask_qt import QtAskProvider
from pi_ask_qt.widgets.window import AskWindow


def submit(desk: Surface, flow_id: str, response: Any) -> None:
    desk.pi.events.emit(SUBMIT, {"version": 1, "requestId": "r", "flowId": flow_id, "response": response})


def answer(*values: str) -> dict[str, Any]:
    return {"kind": "answer", "answers": {"q": {"values": list(values)}}}


def shown() -> list[AskWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, AskWindow) and w.isVisible()]


async def test_an_answer_in_the_window_ends_the_flow_once() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("option:q:b")
        desk.click("submit")
        assert shown() == []
        result = await task
        assert result.details.answers["q"].values == ("b",)
        assert (len(desk.completed), desk.provider.windows) == (1, ())


async def test_an_answer_from_the_submit_channel_closes_the_window_at_once() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        submit(desk, desk.pi.pending()[0].flow_id, answer("a"))
        assert shown() == []
        assert (await task).details.answers["q"].values == ("a",)
        assert len(desk.completed) == 1


async def test_a_cancel_in_the_window_is_a_cancel() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.click("cancel")
        result = await task
        assert (result.details.cancelled, result.outcome, len(desk.completed)) == (True, "cancelled", 1)


async def test_a_cancel_from_the_submit_channel_closes_the_window() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        submit(desk, desk.pi.pending()[0].flow_id, {"kind": "cancel"})
        assert shown() == []
        assert (await task).outcome == "cancelled"


async def test_the_operations_own_signal_closes_the_window() -> None:
    controller = AbortController()
    async with surface() as desk:
        task = await desk.ask(form(), signal=controller.signal)
        controller.abort("enough")
        assert shown() == []
        result = await task
        assert (result.details.cancelled, result.outcome, len(desk.completed)) == (True, "aborted", 1)


async def test_the_operations_own_signal_closes_the_window_from_another_thread() -> None:
    controller = AbortController()
    async with surface() as desk:
        task = await desk.ask(form(), signal=controller.signal)
        await asyncio.to_thread(controller.abort)
        assert (await task).outcome == "aborted"
        assert shown() == []


async def test_a_signal_that_has_fired_opens_no_window() -> None:
    controller = AbortController()
    controller.abort()
    async with surface() as desk:
        assert (await desk.pi.ask_user(form(), signal=controller.signal)).outcome == "aborted"
        assert desk.completed == []


async def test_cancelling_the_awaiting_task_closes_the_window() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert shown() == []
        assert [event.result.cancelled for event in desk.completed] == [True]


async def test_the_provider_going_away_is_a_failure() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.provider.close()
        with pytest.raises(ExternalUIError):
            await task
        assert (desk.completed, len(desk.disposed)) == ([], 1)


async def test_a_window_that_qt_destroys_is_a_failure() -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        desk.window.deleteLater()
        with pytest.raises(ExternalUIError, match="destroyed"):
            await task
        assert (desk.completed, len(desk.disposed)) == ([], 1)


async def test_a_window_that_cannot_draw_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with surface() as desk:
        task = await desk.ask(form())
        monkeypatch.setattr(desk.window, "draw", lambda _: 1 // 0)
        desk.click("option:q:a")
        with pytest.raises(ExternalUIError, match="ZeroDivisionError"):
            await task
        assert shown() == []
    assert "the window failed" in caplog.text


async def test_an_invalid_answer_on_the_submit_channel_leaves_the_window_open() -> None:
    said: list[Any] = []
    async with surface() as desk:
        desk.pi.events.on(SUBMIT_RESULT, said.append)
        task = await desk.ask(form())
        submit(desk, desk.pi.pending()[0].flow_id, answer("nothing"))
        assert [event.error for event in said] == ["invalid_answer"]
        assert desk.window.isVisible()
        desk.click("option:q:a")
        desk.click("submit")
        assert (await task).outcome == "answered"


async def test_a_submit_after_the_end_finds_no_flow() -> None:
    said: list[Any] = []
    async with surface() as desk:
        desk.pi.events.on(SUBMIT_RESULT, said.append)
        task = await desk.ask(form())
        flow_id = desk.pi.pending()[0].flow_id
        desk.click("cancel")
        await task
        submit(desk, flow_id, answer("a"))
        assert [event.error for event in said] == ["flow_not_found"]
        assert len(desk.completed) == 1


async def test_a_bridge_that_answers_on_started_shows_no_window() -> None:
    provider = WatchedProvider()
    async with surface(provider=provider) as desk:
        desk.pi.events.on(STARTED, lambda event: submit(desk, event.flow_id, answer("b")))
        assert (await desk.pi.ask_user(form())).details.answers["q"].values == ("b",)
        assert provider.requests == []


@pytest.mark.parametrize("submit_first", [True, False])
async def test_of_submit_and_abort_in_one_turn_the_first_wins(submit_first: bool) -> None:
    controller = AbortController()
    async with surface() as desk:
        task = await desk.ask(form(), signal=controller.signal)
        flow_id = desk.pi.pending()[0].flow_id
        if not submit_first:
            controller.abort()
        submit(desk, flow_id, answer("a"))
        controller.abort()
        assert (await task).outcome == ("answered" if submit_first else "aborted")
        assert len(desk.completed) == 1


async def test_the_session_ending_closes_every_window() -> None:
    async with surface() as desk:
        tasks = [await desk.ask(form()) for _ in range(3)]
        await desk.pi.aclose()
        assert shown() == []
        assert {(await task).outcome for task in tasks} == {"aborted"}


async def test_forms_wait_in_order_and_one_is_in_front() -> None:
    async with surface() as desk:
        tasks = [await desk.ask(form(question("q"), title=f"Form {number}")) for number in range(3)]
        assert len(shown()) == 1
        for number, task in enumerate(tasks):
            assert desk.window.windowTitle().startswith(f"Form {number}")
            desk.click(f"option:q:{'ab'[number % 2]}")
            desk.click("submit")
            assert (await task).details.answers["q"].values == ("ab"[number % 2],)
        assert shown() == []


async def test_a_waiting_form_that_is_withdrawn_is_skipped() -> None:
    controller = AbortController()
    async with surface() as desk:
        first = await desk.ask(form(title="first"))
        second = await desk.ask(form(title="second"), signal=controller.signal)
        third = await desk.ask(form(title="third"))
        controller.abort()
        await second
        desk.click("cancel")
        await first
        assert desk.window.windowTitle().startswith("third")
        desk.click("cancel")
        await third


async def test_an_arriving_form_takes_neither_place_nor_keyboard() -> None:
    async with surface() as desk:
        first = await desk.ask(form())
        desk.click("customRow:q")
        editor = desk.editor("custom:q")
        editor.setPlainText("half a sent")
        second = await desk.ask(form())
        assert desk.window.focusWidget() is editor
        assert desk.find("waiting").property("text") == "1 more waiting"
        desk.click("submit")
        assert (await first).details.answers["q"].custom_text == "half a sent"
        assert desk.find("option:q:a").isVisible()
        desk.click("cancel")
        assert (await second).outcome == "cancelled"


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


async def test_fifty_windows_at_once_each_get_their_own_answer() -> None:
    async with surface() as desk:
        tasks = [await desk.ask(form(), tool_call_id="same") for _ in range(50)]
        flows = [event.flow_id for event in desk.pi.pending()]
        for number, flow_id in enumerate(flows):
            submit(desk, flow_id, {"kind": "answer", "answers": {"q": {"customText": str(number)}}})
        results = [await task for task in tasks]
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


async def test_another_thread_asks_through_the_loop_of_the_window() -> None:
    async with surface() as desk:
        failures: list[BaseException] = []
        answers: list[Any] = []

        def work() -> None:
            try:
                asyncio.run(desk.pi.ask_user(form()))
            except WrongThreadError as error:
                failures.append(error)
            loop = desk.pi.events.loop
            assert loop is not None
            answers.append(asyncio.run_coroutine_threadsafe(desk.pi.ask_user(form()), loop).result(10))

        thread = threading.Thread(target=work)
        thread.start()
        await until(shown)
        desk.click("option:q:a")
        desk.click("submit")
        await until(lambda: answers)
        thread.join()
    assert "run_coroutine_threadsafe" in str(failures[0])
    assert answers[0].details.answers["q"].values == ("a",)


async def test_unregistering_offers_nothing_any_more() -> None:
    async with PiAsk() as pi:
        unregister = QtAskProvider().register(pi)
        unregister()
        assert (await pi.ask_user(form())).outcome == "not_shown"
        offered: list[Any] = []
        pi.events.on(EXTERNAL_UI, offered.append)
        await pi.ask_user(form())
        assert len(offered) == 1


async def test_a_window_that_fails_to_draw_harms_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async with surface() as desk:
        first = await desk.ask(form(title="first"))

        def fail(_: object) -> None:
            raise ValueError("no paint")

        monkeypatch.setattr(desk.window, "draw", fail)
        second = asyncio.create_task(desk.pi.ask_user(form(title="second")))
        with pytest.raises(ExternalUIError, match="no paint"):
            await first
        await until(lambda: [window.isVisible() for window in desk.provider.windows] == [True])
        desk.click("option:q:a")
        desk.click("submit")
        assert (await second).details.title == "second"


async def test_a_window_that_cannot_be_built_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no window")

    monkeypatch.setattr(AskWindow, "draw", fail)
    async with surface() as desk:
        with pytest.raises(ExternalUIError, match="no window"):
            await desk.pi.ask_user(form())
        assert desk.provider.windows == ()
        assert not desk.completed
    await until(lambda: not [widget for widget in qapp.topLevelWidgets() if isinstance(widget, AskWindow)])


async def test_a_form_that_waits_has_no_window_until_its_turn_comes() -> None:
    async with surface() as desk:
        first = await desk.ask(form())
        others = [asyncio.create_task(desk.pi.ask_user(form())) for _ in range(5)]
        await until(lambda: len(desk.pi.pending()) == 6)
        waiting = shown()[0].findChild(QWidget, "waiting")
        assert waiting is not None
        await until(lambda: "5" in waiting.property("text"))
        assert len([w for w in QApplication.topLevelWidgets() if isinstance(w, AskWindow)]) == 1
        desk.click("cancel")
        assert (await first).outcome == "cancelled"
        await until(lambda: len(shown()) == 1)
        for task in others:
            task.cancel()
        await asyncio.wait(others)


async def test_forms_that_end_while_they_wait_leave_no_window() -> None:
    async with surface() as desk:
        first = await desk.ask(form())
        controller = AbortController()
        waiting = asyncio.create_task(desk.pi.ask_user(form(), signal=controller.signal))
        await until(lambda: len(desk.pi.pending()) == 2)
        controller.abort()
        assert (await waiting).outcome == "aborted"
        assert len(desk.provider.windows) == 1
        desk.click("cancel")
        await first
