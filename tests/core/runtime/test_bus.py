"""The event bus: synchronous, in order, on one thread, and hard to break."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from helpers import until
from requirements import proves

from pi_ask.errors import WrongThreadError
from pi_ask.models import EXTERNAL_UI
from pi_ask.runtime.bus import EventBus


def from_thread(call: Callable[[], Any]) -> BaseException | None:
    """Call from another thread; return the error, if any."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    return errors[0] if errors else None


@proves("bus-order")
def test_emit_calls_the_listeners_of_a_channel_in_order_before_it_returns() -> None:
    bus, seen = EventBus(), list[tuple[str, Any]]()
    bus.on("a", lambda payload: seen.append(("first", payload)))
    bus.on("b", lambda payload: seen.append(("other", payload)))
    bus.on("a", lambda payload: seen.append(("second", payload)))
    bus.emit("a", 1)
    bus.emit("nobody", 2)
    bus.emit("a")
    assert seen == [("first", 1), ("second", 1), ("first", None), ("second", None)]


def test_a_listener_that_subscribes_twice_is_called_twice_and_leaves_one_at_a_time() -> None:
    bus, seen = EventBus(), list[int]()
    stop, _ = bus.on("a", seen.append), bus.on("a", seen.append)
    stop()
    stop()
    bus.emit("a", 1)
    assert seen == [1]


@proves("bus-order")
def test_an_emit_reaches_the_listeners_of_its_moment() -> None:
    bus, seen = EventBus(), list[str]()
    stops: list[Callable[[], None]] = []

    def first(_: Any) -> None:
        bus.on("a", lambda _: seen.append("too late"))
        stops[0]()
        seen.append("first")

    bus.on("a", first)
    stops.append(bus.on("a", lambda _: seen.append("was there")))
    bus.emit("a")
    assert seen == ["first", "was there"]
    seen.clear()
    bus.emit("a")
    assert seen == ["first", "too late"]


def test_a_nested_emit_reaches_the_listeners_of_its_own_moment() -> None:
    bus, seen = EventBus(), list[str]()

    def first(_: Any) -> None:
        bus.emit("b")
        bus.on("b", lambda _: seen.append("too late"))

    bus.on("a", first)
    bus.on("b", lambda _: seen.append("was there"))
    bus.emit("a")
    assert seen == ["was there"]


@proves("bus-nested")
def test_an_emit_within_a_listener_comes_after_the_one_under_way_and_before_the_outermost_returns() -> None:
    bus, seen = EventBus(), list[str]()

    def first(payload: str) -> None:
        seen.append(f"first {payload}")
        if payload == "A":
            bus.emit("a", "B")
            bus.emit("a", "C")
        elif payload == "B":
            bus.emit("a", "D")

    bus.on("a", first)
    bus.on("a", lambda payload: seen.append(f"second {payload}"))
    bus.emit("a", "A")
    assert seen == [f"{who} {payload}" for payload in "ABCD" for who in ("first", "second")]


@proves("bus-negotiation", "bus-nested")
def test_a_negotiation_within_a_listener_is_delivered_at_once() -> None:
    bus, seen = EventBus(), list[str]()

    def first(_: Any) -> None:
        bus.emit("b")
        bus.emit(EXTERNAL_UI)
        seen.append("first a")

    bus.on("a", first)
    bus.on("a", lambda _: seen.append("second a"))
    bus.on("b", lambda _: seen.append("b"))
    bus.on(EXTERNAL_UI, lambda _: seen.append("offer"))
    bus.emit("a")
    assert seen == ["offer", "first a", "second a", "b"]


def test_an_emit_within_a_negotiation_comes_after_it() -> None:
    bus, seen = EventBus(), list[str]()
    bus.on(EXTERNAL_UI, lambda _: bus.emit("a"))
    bus.on(EXTERNAL_UI, lambda _: seen.append("offer"))
    bus.on("a", lambda _: seen.append("a"))
    bus.emit(EXTERNAL_UI)
    assert seen == ["offer", "a"]


@proves("ending-listener-raises")
@pytest.mark.parametrize(
    "error", [ValueError("broken"), asyncio.CancelledError(), StopIteration(), RecursionError()], ids=repr
)
def test_a_listener_that_raises_is_logged_and_stops_nobody(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    bus, seen = EventBus(), list[int]()

    def broken(_: Any) -> None:
        raise error

    bus.on("a", broken)
    bus.on("a", seen.append)
    bus.emit("a", 1)
    assert seen == [1]
    assert "broken" in caplog.text
    assert caplog.records[0].exc_info is not None


def test_the_end_of_the_process_goes_through_and_leaves_nothing_behind() -> None:
    bus, seen = EventBus(), list[Any]()

    def ending(_: Any) -> None:
        bus.emit("b", "stale")
        raise KeyboardInterrupt

    stop = bus.on("a", ending)
    bus.on("b", seen.append)
    with pytest.raises(KeyboardInterrupt):
        bus.emit("a")
    stop()
    bus.emit("b", "fresh")
    assert seen == ["fresh"]


@pytest.mark.parametrize(("channel", "listener"), [(5, print), (None, print), ("a", None), ("a", "print")])
def test_what_is_no_listener_is_refused_at_once(channel: Any, listener: Any) -> None:
    with pytest.raises(TypeError):
        EventBus().on(channel, listener)


@proves("bus-coroutines")
async def test_coroutine_listeners_are_scheduled() -> None:
    bus, seen = EventBus(), list[str]()

    async def slow(payload: str) -> None:
        await asyncio.sleep(0)
        seen.append(f"slow {payload}")

    bus.on("a", slow)
    bus.on("a", lambda payload: seen.append(f"fast {payload}"))
    bus.emit("a", "x")
    assert seen == ["fast x"]
    await until(lambda: seen == ["fast x", "slow x"])


@proves("ending-listener-raises")
async def test_a_coroutine_listener_that_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    bus = EventBus()

    async def broken(_: Any) -> None:
        raise ValueError("from a coroutine")

    bus.on("a", broken)
    bus.emit("a")
    await until(lambda: "from a coroutine" in caplog.text)


def test_a_coroutine_listener_without_a_loop_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    bus, seen = EventBus(), list[int]()

    async def slow(payload: int) -> None:
        seen.append(payload)

    bus.on("a", slow)
    bus.on("a", seen.append)
    bus.emit("a", 1)
    assert seen == [1]
    assert "no running event loop" in caplog.text


async def test_clear_removes_every_listener_and_cancels_their_tasks() -> None:
    bus, seen = EventBus(), list[str]()

    async def waiting(_: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("cancelled")

    stop = bus.on("a", waiting)
    bus.emit("a")
    await asyncio.sleep(0)
    tasks = bus.clear()
    await asyncio.wait(tasks, timeout=5)
    assert (len(tasks), seen) == (1, ["cancelled"])
    stop()
    bus.emit("a")
    assert bus.clear() == set()


def test_a_listener_that_left_is_not_kept() -> None:
    class Listener:
        def __call__(self, payload: Any) -> None:
            raise AssertionError(payload)

    bus, listener = EventBus(), Listener()
    gone = weakref.ref(listener)
    stop = bus.on("a", listener)
    stop()
    bus.emit("a")
    del listener
    gc.collect()
    assert gone() is None


@proves("bus-threads")
async def test_an_emit_from_another_thread_raises_and_names_the_way_that_works() -> None:
    bus, seen = EventBus(), list[tuple[Any, bool]]()
    home = threading.get_ident()
    bus.on("a", lambda payload: seen.append((payload, threading.get_ident() == home)))
    error = await asyncio.to_thread(from_thread, lambda: bus.emit("a", 1))
    assert isinstance(error, WrongThreadError)
    assert "emit_threadsafe" in str(error)
    assert seen == []

    assert await asyncio.to_thread(from_thread, lambda: bus.emit_threadsafe("a", 2)) is None
    await until(lambda: seen == [(2, True)])
    bus.emit_threadsafe("a", 3)
    await until(lambda: seen[1:] == [(3, True)])


def test_a_bus_without_a_loop_says_how_to_get_one() -> None:
    bus = EventBus()
    with pytest.raises(RuntimeError, match="within the running loop"):
        bus.emit_threadsafe("a")
    error = from_thread(lambda: bus.emit("a"))
    assert isinstance(error, WrongThreadError)


def test_a_bus_made_outside_belongs_to_the_loop_that_uses_it_first() -> None:
    bus, seen = EventBus(), list[int]()
    bus.on("a", seen.append)

    async def use() -> None:
        bus.emit("a", len(seen))

    assert from_thread(lambda: asyncio.run(use())) is None
    asyncio.run(use())
    assert seen == [0, 1]


@pytest.mark.parametrize("silent", [False, True])
def test_a_bus_whose_loop_is_closed_says_so(silent: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    bus, loop = EventBus(), asyncio.new_event_loop()
    bus.bind(loop)
    loop.close()
    if silent:  # as some loops are that drop what comes after their end
        monkeypatch.setattr(loop, "call_soon_threadsafe", lambda *_: None)
    with pytest.raises(RuntimeError, match="closed"):
        bus.emit_threadsafe("a")
