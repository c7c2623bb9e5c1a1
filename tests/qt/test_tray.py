"""The tray shows what waits, opens it, and answers through public ways only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers import form, question, until
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from requirements import proves
from surface import Surface, surface

from pi_ask import (
    AbortController,
    AskConfig,
    AskUserResult,
    ExternalAskProvider,
    ExternalAskRequest,
    ExternalUIError,
    PiAsk,
    RemoteAskResponse,
    StartedEvent,
)
from pi_ask.state.normalize import read_form
from pi_ask_qt import CardAction, QtAskProvider
from pi_ask_qt.tray.controller import Tray
from pi_ask_qt.tray.icon import icon_with_count


@asynccontextmanager
async def tray_of(desk: Surface, **options: Any) -> AsyncIterator[Tray]:
    tray = Tray(desk.pi, desk.provider, **options)
    try:
        tray.show_panel()
        yield tray
    finally:
        tray.close()


def part(tray: Tray, name: str) -> QWidget:
    found = tray.panel.findChild(QWidget, name)
    assert found is not None, name
    return found


def press(tray: Tray, name: str) -> None:
    button = part(tray, name)
    assert isinstance(button, QAbstractButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def flows(tray: Tray) -> list[str]:
    return [event.flow_id for event in tray.board.waiting]


@proves("tray-cards")
async def test_every_form_has_a_card_and_the_card_goes_with_it() -> None:
    async with surface() as desk, tray_of(desk) as tray:
        first, second = await desk.ask(form(title="one")), await desk.ask(form(title="two"))
        assert [event.title for event in tray.board.waiting] == ["one", "two"]
        assert part(tray, "panelHeading").property("text") == "2 waiting"
        desk.click("cancel")
        await first
        assert [event.title for event in tray.board.waiting] == ["two"]
        desk.click("cancel")
        await second
        assert part(tray, "panelHeading").property("text") == "Nothing is waiting."
        assert not [w for w in tray.panel.findChildren(QWidget) if w.objectName().startswith("card:") and w.isVisible()]


async def test_forms_that_were_there_before_the_tray_have_cards() -> None:
    async with surface() as desk:
        task = await desk.ask(form(title="early"))
        async with tray_of(desk) as tray:
            assert [event.title for event in tray.board.waiting] == ["early"]
            press(tray, f"cancel:{flows(tray)[0]}")
            assert (await task).outcome == "cancelled"


async def test_a_card_opens_its_form_in_front_of_the_others() -> None:
    async with surface() as desk, tray_of(desk) as tray:
        first, second = await desk.ask(form(title="one")), await desk.ask(form(title="two"))
        desk.press("1")
        press(tray, f"open:{flows(tray)[1]}")
        assert desk.window.windowTitle().startswith("two")
        assert sum(window.isVisible() for window in desk.provider.windows) == 1
        desk.click("cancel")
        await second
        assert desk.window.windowTitle().startswith("one")
        assert desk.button("option:q:a").isChecked()
        desk.click("submit")
        assert (await first).outcome == "answered"


async def test_cancelling_a_dirty_form_wants_a_second_press() -> None:
    async with surface() as desk, tray_of(desk) as tray:
        task = await desk.ask(form())
        desk.press("1")
        name = f"cancel:{flows(tray)[0]}"
        press(tray, name)
        assert not task.done()
        press(tray, name)
        assert (await task).outcome == "cancelled"


@proves("tray-quick")
async def test_quick_answers_are_exactly_what_the_integrator_gave() -> None:
    def actions(event: StartedEvent) -> list[CardAction]:
        response: Mapping[str, Any] = {"kind": "answer", "answers": {event.questions[0].id: {"values": ["b"]}}}
        return [CardAction("&Allow <once>", response)] if event.title == "mapped" else []

    async with surface(provider=QtAskProvider(card_actions=actions)) as desk, tray_of(desk) as tray:
        plain, mapped = await desk.ask(form(title="plain")), await desk.ask(form(title="mapped"))
        one, other = flows(tray)
        assert tray.panel.findChild(QWidget, f"action:0:{one}") is None
        press(tray, f"action:0:{other}")
        assert (await mapped).details.answers["q"].values == ("b",)
        desk.click("cancel")
        await plain


@proves("tray-keys")
async def test_a_panel_that_has_just_come_forward_or_moved_its_cards_takes_no_answer_yet() -> None:
    now = 0.0
    approve = {"Approve": {"kind": "answer", "answers": {"q": {"values": ["a"]}}}}
    provider = QtAskProvider(AskConfig(), card_actions=approve, clock=lambda: now)
    async with surface(provider=provider) as desk, tray_of(desk) as tray:
        tasks = [await desk.ask(form()) for _ in range(3)]
        first, second, third = flows(tray)
        press(tray, f"action:0:{first}")
        press(tray, f"cancel:{second}")
        assert not any(task.done() for task in tasks)
        now = 1.0
        press(tray, f"action:0:{first}")
        assert (await tasks[0]).outcome == "answered"
        press(tray, f"action:0:{second}")
        press(tray, f"cancel:{third}")
        assert flows(tray) == [second, third]
        now = 2.0
        press(tray, f"cancel:{second}")
        assert (await tasks[1]).outcome == "cancelled"
        now = 3.0
        press(tray, f"cancel:{third}")
        assert (await tasks[2]).outcome == "cancelled"


@proves("tray-quick")
async def test_a_mapping_offers_its_answers_where_they_fit_and_nowhere_else() -> None:
    approve = {"kind": "answer", "answers": {"q": {"values": ["a"]}}}
    provider = QtAskProvider(card_actions={"Approve": approve, "Other form": {**approve, "answers": {"x": {}}}})
    async with surface(provider=provider) as desk, tray_of(desk) as tray:
        fits, not_ = await desk.ask(form()), await desk.ask(form(question("other")))
        one, other = flows(tray)
        assert tray.panel.findChild(QWidget, f"action:0:{other}") is None
        assert tray.panel.findChild(QWidget, f"action:1:{one}") is None
        press(tray, f"action:0:{one}")
        assert (await fits).details.answers["q"].values == ("a",)
        desk.click("cancel")
        await not_


@pytest.mark.parametrize(
    "given",
    [
        lambda _: [CardAction("Wrong", {"kind": "answer", "answers": {"q": {"values": ["nothing"]}}})],
        lambda _: [CardAction("\u200b", {"kind": "cancel"})],
        lambda _: [CardAction("No response", "yes")],  # type: ignore[arg-type] # an integrator's mistake
        lambda _: ["Approve"],
        lambda _: 1 / 0,
    ],
)
async def test_a_quick_answer_that_is_wrong_is_logged_and_not_offered(
    given: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with surface(provider=QtAskProvider(card_actions=given)) as desk, tray_of(desk) as tray:
        task = await desk.ask(form())
        assert tray.panel.findChild(QWidget, f"action:0:{flows(tray)[0]}") is None
        assert len(caplog.records) == 1
        desk.click("cancel")
        await task


@pytest.mark.parametrize("given", [["Approve"], "Approve", {"": {"kind": "cancel"}}, {"Approve": "yes"}, {1: {}}])
def test_card_actions_that_are_none_are_refused(given: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"card_actions|quick answer|response"):
        QtAskProvider(card_actions=given)


async def test_the_word_that_others_wait_opens_the_panel_of_the_tray() -> None:
    async with surface() as desk, tray_of(desk) as tray:
        tasks = [await desk.ask(form()) for _ in range(3)]
        tray.panel.close()
        desk.click("waiting")
        assert tray.panel.isVisible()
        assert len(flows(tray)) == 3
        for task in tasks:
            desk.click("cancel")
            await task


async def test_without_a_tray_that_word_opens_a_panel_too_and_it_goes_with_the_provider() -> None:
    def panels() -> list[QWidget]:
        return [w for w in QApplication.topLevelWidgets() if w.objectName() == "trayPanel" and w.isVisible()]

    async with surface() as desk:
        tasks = [await desk.ask(form()) for _ in range(2)]
        assert panels() == []
        waiting = desk.button("waiting")
        waiting.setFocus(Qt.FocusReason.TabFocusReason)
        desk.press(Qt.Key.Key_Return)
        (panel,) = panels()
        heading = panel.findChild(QWidget, "panelHeading")
        assert heading is not None
        assert heading.property("text") == "2 waiting"
        for task in tasks:
            desk.click("cancel")
            await task
        assert heading.property("text") == "Nothing is waiting."
    assert panels() == []


async def test_do_not_disturb_lets_forms_wait_as_cards_without_a_window() -> None:
    async with surface() as desk, tray_of(desk) as tray:
        press(tray, "quiet")
        task = await desk.ask(form())
        assert len(desk.provider.windows) == 1
        assert not any(window.isVisible() for window in desk.provider.windows)
        press(tray, f"open:{flows(tray)[0]}")
        desk.press("2")
        desk.click("submit")
        assert (await task).details.answers["q"].values == ("b",)
        another = await desk.ask(form())
        press(tray, "quiet")
        assert desk.window.isVisible()
        desk.click("cancel")
        await another


@proves("tray-cards", "tray-elsewhere")
@pytest.mark.parametrize("quiet", [False, True])
async def test_a_form_on_another_surface_opens_here_and_answers_through_the_submit_channel(quiet: bool) -> None:
    async with surface() as desk, tray_of(desk) as tray:
        desk.provider.set_quiet(on=quiet)
        task = await foreign(desk, asyncio.Event())
        flow_id = flows(tray)[0]
        assert not desk.provider.holds(flow_id)
        press(tray, f"open:{flow_id}")
        await until(lambda: any(window.isVisible() for window in desk.provider.windows))
        desk.press("2")
        desk.click("submit")
        assert (await task).details.answers["q"].values == ("b",)
        await until(lambda: not desk.provider.windows)


async def test_an_answer_from_elsewhere_closes_the_window_of_its_card() -> None:
    async with surface() as desk:
        hangs = asyncio.Event()
        async with tray_of(desk) as tray:
            task = await foreign(desk, hangs)
            press(tray, f"open:{flows(tray)[0]}")
            await until(lambda: any(window.isVisible() for window in desk.provider.windows))
            hangs.set()
            assert (await task).outcome == "cancelled"
            await until(lambda: not desk.provider.windows)
            assert flows(tray) == []


@proves("tray-elsewhere")
@pytest.mark.parametrize(
    ("response", "word"),
    [
        ({"kind": "answer", "answers": {"q": {"values": ["a"]}}}, "“Far away” was answered elsewhere."),
        ({"kind": "cancel"}, "“Far away” has ended elsewhere."),
        ({"kind": "nonsense"}, "“Far away” has ended elsewhere."),
    ],
    ids=["answered", "cancelled", "failed"],
)
async def test_a_window_that_somebody_else_ends_goes_with_a_word_and_takes_no_keyboard(
    response: dict[str, Any], word: str
) -> None:
    async with surface() as desk, tray_of(desk) as tray:
        hangs = asyncio.Event()
        task = await foreign(desk, hangs, response)
        tray.cards.open_form(flows(tray)[0])
        await until(lambda: any(window.isVisible() for window in desk.provider.windows))
        tray.panel.hide()
        hangs.set()
        await asyncio.wait([task])
        assert task.exception() is None or response["kind"] == "nonsense"
        await until(lambda: not desk.provider.windows)
        assert part(tray, "panelNotice").property("text") == word
        assert tray.panel.isVisible()
        assert tray.panel.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)


async def test_there_is_no_word_where_the_answer_is_the_persons_own() -> None:
    async with surface() as desk, tray_of(desk) as tray:
        task = await foreign(desk, asyncio.Event())
        tray.cards.open_form(flows(tray)[0])
        await until(lambda: any(window.isVisible() for window in desk.provider.windows))
        desk.press("1")
        desk.click("submit")
        assert (await task).outcome == "answered"
        assert part(tray, "panelNotice").property("text") == ""


@proves("tray-elsewhere")
async def test_an_answer_that_is_refused_is_shown_and_can_be_corrected() -> None:
    async with surface() as desk:
        sent: list[tuple[str, ...]] = []

        def deliver(response: RemoteAskResponse) -> str:
            assert response.answers is not None
            sent.append(response.answers["q"].values)
            return "b is not for sale" if sent[-1] == ("b",) else ""

        questions = read_form(form()).questions
        request = ExternalAskRequest(flow_id="f", questions=questions, signal=AbortController().signal)
        task = asyncio.create_task(desk.provider.open_in_front(request, deliver))
        await until(lambda: desk.provider.windows)
        desk.press("2")
        desk.click("submit")
        assert desk.notice() == "b is not for sale"
        assert desk.button("option:q:b").isChecked()
        desk.press("1")
        desk.click("submit")
        await task
        assert sent == [("b",), ("a",)]


def wait_for(event: asyncio.Event, response: dict[str, Any]) -> Any:
    async def open_(_: Any) -> dict[str, Any]:
        await event.wait()
        return response

    return open_


async def foreign(
    desk: Surface, hangs: asyncio.Event, response: dict[str, Any] | None = None
) -> asyncio.Task[AskUserResult]:
    """Ask a form that another surface shows until ``hangs`` is set, and answers then."""
    elsewhere = ExternalAskProvider(id="other", open=wait_for(hangs, response or {"kind": "cancel"}))
    other = PiAsk("tui", config=desk.pi.config, native_ui=elsewhere)
    other.events = desk.pi.events
    other._flows = desk.pi._flows
    before = len(desk.pi.pending())
    task = asyncio.create_task(other.ask_user(form(title="Far away")))
    await until(lambda: len(desk.pi.pending()) > before)
    return task


@proves("tray-quit")
async def test_quitting_with_forms_waiting_wants_a_second_time_and_lets_them_fail() -> None:
    quits: list[int] = []
    async with surface() as desk, tray_of(desk) as tray:
        tray.quit_requested.connect(lambda: quits.append(1))
        task = await desk.ask(form())
        tray.quit()
        assert quits == []
        assert part(tray, "panelNotice").property("text")
        tray.quit()
        assert quits == [1]
        desk.provider.close()
        with pytest.raises(ExternalUIError):
            await task


async def test_without_a_tray_the_panel_stands_in_and_says_so_once() -> None:
    async with surface() as desk:
        tray = Tray(desk.pi, desk.provider)
        assert tray.panel.isVisible()
        assert "no tray" in str(part(tray, "panelNotice").property("text"))
        tray.panel.close()
        assert tray.panel.isMinimized()
        tray.close()


async def test_a_command_tells_of_a_form_that_waits_and_of_none_that_has_ended(tmp_path: Path) -> None:
    told = tmp_path / "told"
    command = f'printf "%s|%s|%s\\n" "$ASK_NOTIFY_EVENT" "$ASK_NOTIFY_TITLE" "$ASK_NOTIFY_MESSAGE" >> {told}'
    notifications = {"channels": [{"type": "command", "command": command}, {"type": "command", "command": "exit 3"}]}
    config = AskConfig.model_validate({"desktop": {"inputGuardMs": 0}, "notifications": notifications})
    async with surface(config) as desk, tray_of(desk):
        short = await desk.ask(form(title="short"))
        desk.click("cancel")
        await short
        task = await desk.ask(form(title="<b>Deploy</b>\u202e"))
        await until(lambda: told.exists() and told.read_text().endswith("\n"))
        assert told.read_text() == "question.waiting|pi-ask|Question waiting: <b>Deploy</b>⟦U+202E⟧\n"
        desk.click("cancel")
        await task


async def test_no_sound_and_no_word_where_notifications_are_off(tmp_path: Path) -> None:
    told = tmp_path / "told"
    notifications = {"enabled": False, "channels": [{"type": "command", "command": f"touch {told}"}]}
    config = AskConfig.model_validate({"desktop": {"inputGuardMs": 0}, "notifications": notifications})
    async with surface(config) as desk, tray_of(desk):
        task = await desk.ask(form())
        await asyncio.sleep(0.3)
        assert not told.exists()
        desk.click("cancel")
        await task


def test_the_icon_shows_how_many_wait(qapp: QApplication) -> None:
    assert qapp is not None
    pictures = [icon_with_count(count).pixmap(64, 64).toImage() for count in (0, 1, 2, 150)]
    assert all(one != other for index, one in enumerate(pictures) for other in pictures[index + 1 :])
