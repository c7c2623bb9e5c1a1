"""Whoever is away from a form is told of it: once, in plain text, by a desktop that may fail in any way."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asking
import pytest
from buses import NOWHERE, NotificationService, bus_process, session_bus
from helpers import form, until
from PySide6.QtWidgets import QWidget
from requirements import proves
from surface import Surface, surface

from pi_ask import AskConfig, PiAsk
from pi_ask_qt import QtAskProvider, front
from pi_ask_qt.activation import activation_token
from pi_ask_qt.assets import resource
from pi_ask_qt.notify import service as service_module
from pi_ask_qt.tray.controller import Tray
from pi_ask_qt.views.notices import Notice

FULL = ("actions", "body", "body-markup", "persistence")
HOSTILE = "<b>Deploy</b> & <a href='x'>run</a>\u202e\n\x07 now"
SHOWN = "<b>Deploy</b> & <a href='x'>run</a>⟦U+202E⟧ ⟦U+0007⟧ now"
ESCAPED = "&lt;b&gt;Deploy&lt;/b&gt; &amp; &lt;a href='x'&gt;run&lt;/a&gt;⟦U+202E⟧ ⟦U+0007⟧ now"


def config(**notifications: Any) -> AskConfig:
    """Return a configuration with the desktop's channel alone."""
    given = {"channels": ["desktop"], **notifications}
    return AskConfig.model_validate({"desktop": {"inputGuardMs": 0}, "notifications": given})


class Desk(Surface):
    """A surface with a tray, whose own messages are noted."""

    def __init__(self, desk: Surface) -> None:
        super().__init__(desk.pi, desk.provider)
        self.tray = Tray(self.pi, self.provider, hidden=True)
        self.messages: list[tuple[str, Notice]] = []
        self.provider.notifier.fallback = lambda flow_id, notice: self.messages.append((flow_id, notice))

    async def end(self, task: asyncio.Task[Any]) -> None:
        """Cancel the form in front, which is the one of ``task``."""
        self.click("cancel")
        await task


@asynccontextmanager
async def tray(**notifications: Any) -> AsyncIterator[Desk]:
    async with surface(config(**notifications)) as plain:
        desk = Desk(plain)
        try:
            yield desk
        finally:
            desk.tray.close()


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with session_bus(tmp_path) as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


def visible(provider: QtAskProvider) -> list[QWidget]:
    return [window for window in provider.windows if window.isVisible()]


async def idle() -> None:
    """Wait until nothing is under way for any notification."""
    await until(lambda: not [task for task in asyncio.all_tasks() if task.get_name().startswith("notification of")])


@proves("notify-once", "notify-withdrawn", "notify-plain")
async def test_a_form_is_shown_once_in_plain_text_and_withdrawn_when_it_ends(bus: str) -> None:
    with NotificationService(bus, *FULL) as service:
        async with tray() as desk:
            requester = {"name": "<i>agent</i>\u202e"}
            task = await desk.ask(form(title=HOSTILE), requester=requester)
            await until(lambda: service.shown)
            await idle()
            await desk.end(task)
            await until(lambda: service.closed)
            second = await desk.ask(form(title="second"))
            await until(lambda: len(service.shown) > 1)
            await desk.end(second)
            await until(lambda: len(service.closed) > 1)
    one, other = service.shown
    assert (one["app"], one["replaces"], one["actions"], one["timeout"]) == ("pi-ask", 0, ["default", "Open"], -1)
    assert one["summary"] == "<i>agent</i>⟦U+202E⟧ asks"
    assert one["body"] == f"{ESCAPED}\nAbout q?"
    assert one["hints"] == {
        "category": "x-pi-ask.question",
        "desktop-entry": "pi-ask",
        "suppress-sound": True,
        "urgency": 1,
    }
    assert one["icon"] == resource("icons", "pi-ask.svg").as_uri()
    assert (other["summary"], other["body"]) == ("Question waiting", "second\nAbout q?")
    assert service.closed == [one["id"], other["id"]]
    assert desk.messages == []


@pytest.mark.parametrize(
    ("capabilities", "summary", "body", "actions", "expires"),
    [
        ((), f"Question waiting: {SHOWN}", "", [], 0),
        (("body",), "Question waiting", f"{SHOWN}\nAbout q?", [], 0),
        (("body-markup",), f"Question waiting: {SHOWN}", "", [], 0),
        (("actions", "persistence"), f"Question waiting: {SHOWN}", "", ["default", "Open"], -1),
    ],
)
@proves("notify-plain")
async def test_a_service_gets_what_it_is_capable_of(
    bus: str, capabilities: tuple[str, ...], summary: str, body: str, actions: list[str], expires: int
) -> None:
    with NotificationService(bus, *capabilities) as service:
        async with tray() as desk:
            task = await desk.ask(form(title=HOSTILE))
            await until(lambda: service.shown)
            await desk.end(task)
    (one,) = service.shown
    assert (one["summary"], one["body"], one["actions"], one["timeout"]) == (summary, body, actions, expires)


async def test_endless_text_is_cut_and_says_so(bus: str) -> None:
    with NotificationService(bus, *FULL) as service:
        async with tray() as desk:
            endless = form({"id": "q", "prompt": "p" * 9_000, "options": [{"value": "a"}]}, title="t" * 9_000)
            task = await desk.ask(endless, requester={"name": "n" * 9_000})
            await until(lambda: service.shown)
            await desk.end(task)
    (one,) = service.shown
    assert one["summary"] == f"{'n' * 100}… ⟦8,900 more characters⟧ asks"
    assert one["body"] == f"{'t' * 200}… ⟦8,800 more characters⟧\n{'p' * 300}… ⟦8,700 more characters⟧"


@proves("notify-once")
async def test_nothing_is_told_of_a_form_that_ends_at_once(bus: str) -> None:
    with NotificationService(bus, *FULL) as service:
        async with tray() as desk:
            await desk.end(await desk.ask(form(title="short")))
            task = await desk.ask(form(title="long"))
            await until(lambda: service.shown)
            await desk.end(task)
    assert [one["body"] for one in service.shown] == ["long\nAbout q?"]


@proves("notify-hidden")
async def test_the_text_of_a_form_is_hidden_where_that_is_wanted(bus: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    command = {"type": "command", "command": f'printf "%s\\n" "$ASK_NOTIFY_MESSAGE" >> {told}'}
    with NotificationService(bus) as service:
        async with tray(showText=False, channels=["desktop", command]) as desk:
            task = await desk.ask(form(title="secret"), requester={"name": "agent"})
            await until(lambda: service.shown and told.exists() and told.read_text().endswith("\n"))
            await desk.end(task)
    assert [(one["summary"], one["body"]) for one in service.shown] == [("agent asks", "")]
    assert told.read_text() == "agent asks\n"


@proves("notify-quiet")
async def test_do_not_disturb_tells_nobody(bus: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    with NotificationService(bus, *FULL) as service:
        async with tray(channels=["desktop", {"type": "command", "command": f"touch {told}"}]) as desk:
            desk.tray.set_quiet(on=True)
            quiet = await desk.ask(form(title="quiet"))
            desk.tray.cards.open_form(desk.tray.board.waiting[0].flow_id)
            await desk.end(quiet)
            desk.tray.set_quiet(on=False)
            told_of = await desk.ask(form(title="told"))
            await until(lambda: service.shown and told.exists())
            told.unlink()
            switched = await desk.ask(form(title="switched"))
            desk.tray.set_quiet(on=True)
            flow_id = desk.tray.board.waiting[-1].flow_id
            await until(lambda: not desk.provider.notifier._known[flow_id].isActive())
            await desk.end(told_of)
            desk.tray.cards.open_form(desk.tray.board.waiting[0].flow_id)
            await desk.end(switched)
    assert [one["body"] for one in service.shown] == ["told\nAbout q?"]
    assert not told.exists()


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The tokens by which windows were brought to the front."""
    used: list[str | None] = []
    show = front.show

    def noted(window: QWidget, token: str | None, *, wanted: bool) -> None:
        used.append(token)
        show(window, token, wanted=wanted)

    monkeypatch.setattr(front, "show", noted)
    return used


@proves("notify-click")
async def test_a_click_opens_the_form_by_the_token_of_the_click(bus: str, tokens: list[str | None]) -> None:
    with NotificationService(bus, *FULL) as service:
        async with tray() as desk:
            first, second = await desk.ask(form(title="one")), await desk.ask(form(title="two"))
            await until(lambda: len(service.shown) == 2)
            number = next(one["id"] for one in service.shown if one["body"].startswith("two"))
            service.do("act", number, "other")
            service.do("click", number + 5, "stranger")
            service.do("click", number, "token-1")
            await until(lambda: desk.window.windowTitle().startswith("two"))
            service.do("click", number)
            await until(lambda: len(tokens) > 3)
            await desk.end(second)
            await desk.end(first)
    assert [token for token in tokens if token] == ["token-1"]
    assert activation_token.get() is None


@proves("notify-click")
async def test_a_click_opens_a_form_of_another_surface_here(bus: str, tokens: list[str | None]) -> None:
    pi, provider = PiAsk(config=config()), QtAskProvider(config())
    elsewhere = asking.Surface(pi)
    desk = Tray(pi, provider, hidden=True)
    with NotificationService(bus, *FULL) as service:
        task = await asking.asked(pi, elsewhere, form(title="foreign"))
        await until(lambda: service.shown)
        assert not visible(provider)
        service.do("click", service.shown[0]["id"], "token-2")
        await until(lambda: visible(provider))
        visible(provider)[0].close()
        assert (await task).outcome == "cancelled"
        await until(lambda: service.closed)
        desk.close()
        await pi.aclose()
    assert tokens == ["token-2"]
    assert len(service.shown) == 1


async def test_a_notification_that_expires_or_is_dismissed_is_left_alone(bus: str) -> None:
    with NotificationService(bus, *FULL) as service:
        async with tray() as desk:
            first, second = await desk.ask(form(title="one")), await desk.ask(form(title="two"))
            await until(lambda: len(service.shown) == 2)
            service.do("expire", 1)
            service.do("click", 2)
            await until(lambda: desk.window.windowTitle().startswith("two"))
            await desk.end(second)
            await desk.end(first)
            await until(lambda: service.closed)
    assert service.closed == [2]


@proves("notify-hangs")
async def test_a_service_that_hangs_delays_nothing_and_shows_nothing_once_it_goes_on(
    bus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "_PATIENCE_SECONDS", 0.3)
    with NotificationService(bus, *FULL) as service:
        service.hang(on=True)
        async with tray() as desk:
            began = time.monotonic()
            await desk.end(await desk.ask(form(title="quick")))
            assert time.monotonic() - began < 0.3
            task = await desk.ask(form(title="long"))
            await until(lambda: desk.messages)
            service.hang(on=False)
            await until(lambda: service.said)
            await idle()
            await desk.end(task)
    assert [notice.sentence for _, notice in desk.messages] == ["Question waiting: long"]
    assert service.shown == []


@proves("notify-hangs")
async def test_what_a_slow_service_shows_after_all_is_taken_away(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "_PATIENCE_SECONDS", 0.2)
    with NotificationService(bus, *FULL, seconds=0.5) as service:
        async with tray() as desk:
            task = await desk.ask(form(title="slow"))
            await until(lambda: service.closed)
            assert len(desk.messages) == 1
            await desk.end(task)
    assert service.closed == [1]


@proves("notify-withdrawn")
async def test_a_form_that_ends_before_its_notification_is_there_has_it_taken_away(bus: str) -> None:
    with NotificationService(bus, *FULL, seconds=0.3) as service:
        async with tray() as desk:
            task = await desk.ask(form())
            await until(lambda: service.shown)
            await desk.end(task)
            await until(lambda: service.closed)
    assert (service.closed, desk.messages) == ([1], [])


@proves("notify-withdrawn")
async def test_a_program_that_ends_takes_away_what_is_only_being_shown(bus: str) -> None:
    with NotificationService(bus, *FULL, seconds=0.2) as service:
        async with tray() as desk:
            task = await desk.ask(form())
            await until(lambda: service.shown)
            desk.provider.close()
            for pending in [one for one in asyncio.all_tasks() if one.get_name().startswith("notification of")]:
                pending.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await idle()
            await until(lambda: service.closed)
    assert service.closed == [1]


@proves("notify-hangs")
async def test_another_service_in_its_place_is_told_nothing_of_what_it_has_not_shown(bus: str) -> None:
    async with tray() as desk:
        with NotificationService(bus, *FULL) as service:
            first = await desk.ask(form(title="one"))
            await until(lambda: service.shown)
        with NotificationService(bus, *FULL) as service:
            second = await desk.ask(form(title="two"))
            await until(lambda: service.shown)
            await desk.end(first)
            third = await desk.ask(form(title="three"))
            await until(lambda: len(service.shown) == 2)
            assert service.closed == []
            await desk.end(second)
            await desk.end(third)
            await until(lambda: len(service.closed) == 2)
    assert desk.messages == []


@proves("notify-hangs")
async def test_a_service_that_dies_over_a_notification_gives_way_to_the_tray(bus: str) -> None:
    async with tray() as desk:
        with NotificationService(bus, *FULL, seconds=30) as service:
            task = await desk.ask(form(title="one"))
            await until(lambda: service.shown)
        await until(lambda: desk.messages)
        await desk.end(task)


@proves("notify-hangs")
async def test_without_a_service_the_tray_tells(bus: str) -> None:
    assert bus
    async with tray() as desk:
        task = await desk.ask(form(title=HOSTILE), requester={"name": "agent"})
        await until(lambda: desk.messages)
        await desk.end(task)
    assert [notice.sentence for _, notice in desk.messages] == [f"agent asks: {SHOWN}"]


@pytest.mark.parametrize(
    "address", [NOWHERE, "", "tcp:host=localhost,port=1", "autolaunch:", "unix:", "nonsense", ";;"]
)
@proves("notify-hangs")
async def test_without_a_bus_the_tray_tells(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    async with tray() as desk:
        task = await desk.ask(form())
        await until(lambda: desk.messages)
        await desk.end(task)


@proves("notify-hangs")
async def test_a_bus_that_dies_and_another_one_harm_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with tray() as desk:
        with bus_process(tmp_path) as (address, daemon):
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            with NotificationService(address, *FULL) as service:
                first = await desk.ask(form(title="one"))
                await until(lambda: service.shown)
                daemon.kill()
                second = await desk.ask(form(title="two"))
                await until(lambda: desk.messages)
        with session_bus(tmp_path) as address, NotificationService(address, *FULL) as service:
            third = await desk.ask(form(title="three"))
            await until(lambda: service.shown)
            for task in (first, second, third):
                await desk.end(task)
            await until(lambda: service.closed)
    assert service.closed == [1]
    assert len(desk.messages) == 1


async def test_a_bus_that_hangs_delays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "_PATIENCE_SECONDS", 0.3)
    with bus_process(tmp_path) as (address, daemon):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        daemon.send_signal(signal.SIGSTOP)
        async with tray() as desk:
            task = await desk.ask(form())
            await until(lambda: desk.messages)
            began = time.monotonic()
            await desk.end(task)
            assert time.monotonic() - began < 0.3
            desk.provider.close()
            await idle()


async def test_many_forms_leave_no_connection_behind(bus: str) -> None:
    with NotificationService(bus, *FULL) as service:
        async with tray() as desk:
            before = descriptors()
            tasks = [await desk.ask(form(title=str(number))) for number in range(20)]
            await until(lambda: len(service.shown) == 20)
            for task in tasks:
                await desk.end(task)
            await until(lambda: len(service.closed) == 20)
            await until(lambda: descriptors() == before)
    assert sorted(service.closed) == sorted(one["id"] for one in service.shown)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
