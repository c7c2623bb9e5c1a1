"""Abort tokens: fired once, heard by everyone, holding nobody."""

from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from helpers import until
from requirements import proves

from pi_ask.errors import AbortedError
from pi_ask.runtime.abort import AbortController, AbortSignal


def either(*controllers: AbortController) -> AbortSignal:
    return AbortSignal.any(controller.signal for controller in controllers)


@proves("abort-once")
def test_a_controller_fires_once_and_the_first_reason_stays() -> None:
    controller, seen = AbortController(), list[Any]()
    signal = controller.signal
    assert signal is controller.signal
    assert (signal.aborted, signal.reason) == (False, None)
    signal.on_abort(seen.append)
    controller.abort("first")
    controller.abort("second")
    assert (signal.aborted, signal.reason, seen) == (True, "first", ["first"])


def test_an_abort_without_a_reason_has_none() -> None:
    controller = AbortController()
    controller.abort()
    assert (controller.signal.aborted, controller.signal.reason) == (True, None)
    with pytest.raises(AbortedError, match=r"^aborted$"):
        controller.signal.throw_if_aborted()


@proves("abort-listeners")
def test_listeners_are_called_once_in_order_and_late_ones_at_once() -> None:
    controller, seen = AbortController(), list[str]()
    controller.signal.on_abort(lambda: seen.append("first"))
    controller.signal.on_abort(lambda: seen.append("second"))
    assert seen == []
    controller.abort()
    controller.signal.on_abort(lambda: seen.append("late"))()
    controller.abort()
    assert seen == ["first", "second", "late"]


@proves("abort-listeners")
def test_a_listener_that_unsubscribed_is_not_called_even_by_the_firing_under_way() -> None:
    controller, seen = AbortController(), list[str]()
    stops: list[Callable[[], None]] = []
    controller.signal.on_abort(lambda: stops[0]())  # noqa: PLW0108  (filled below)
    stops.append(controller.signal.on_abort(lambda: seen.append("unsubscribed by the first")))
    gone = controller.signal.on_abort(lambda: seen.append("gone"))
    gone()
    gone()
    controller.abort()
    assert seen == []


def test_a_listener_may_take_the_reason_or_nothing() -> None:
    seen: list[Any] = []

    class Holder:
        def method(self) -> None:
            seen.append("method")

        def with_reason(self, reason: object) -> None:
            seen.append(reason)

    controller, holder = AbortController(), Holder()
    for listener in (
        holder.method,
        holder.with_reason,
        functools.partial(seen.append, "partial"),
        lambda reason: seen.append(f"lambda {reason}"),
        lambda: seen.append("lambda"),
    ):
        controller.signal.on_abort(listener)
    controller.abort("why")
    assert seen == ["method", "why", "partial", "lambda why", "lambda"]


def test_a_listener_that_does_not_say_what_it_takes_is_called_with_nothing(caplog: pytest.LogCaptureFixture) -> None:
    controller = AbortController()
    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(dict)
    controller.signal.on_abort(dict)
    controller.abort("a reason that is no mapping")
    assert caplog.records == []


@pytest.mark.parametrize("combined", [False, True])
def test_what_cannot_be_called_is_no_listener(combined: bool) -> None:
    signal = AbortSignal.any([AbortSignal()]) if combined else AbortSignal()
    with pytest.raises(TypeError):
        signal.on_abort("later")  # type: ignore[arg-type]  # the wrong type is the point


@proves("ending-listener-raises")
@pytest.mark.parametrize("error", [ValueError("broken"), asyncio.CancelledError()], ids=repr)
def test_a_listener_that_raises_is_logged_and_stops_nobody(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    controller, seen = AbortController(), list[str]()

    def broken() -> None:
        raise error

    controller.signal.on_abort(broken)
    controller.signal.on_abort(lambda: seen.append("second"))
    controller.abort()
    controller.signal.on_abort(broken)
    assert seen == ["second"]
    assert len(caplog.records) == 2


@proves("abort-waits")
async def test_a_signal_can_be_awaited_before_and_after_it_fires() -> None:
    controller = AbortController()
    waiting = [asyncio.create_task(controller.signal.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    controller.abort("why")
    assert await asyncio.gather(*waiting) == ["why"] * 3
    assert await controller.signal.wait() == "why"


async def test_a_wait_that_is_given_up_leaves_no_listener() -> None:
    signal = AbortSignal()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(signal.wait(), 0.01)
    assert signal._listeners == {}


@proves("abort-waits")
def test_a_signal_raises_its_reason() -> None:
    controller = AbortController()
    controller.signal.throw_if_aborted()
    reason = TimeoutError("too late")
    controller.abort(reason)
    with pytest.raises(AbortedError, match="too late") as caught:
        controller.signal.throw_if_aborted()
    assert caught.value.reason is reason


@proves("abort-waits")
async def test_a_time_out_fires_after_its_seconds_and_not_before() -> None:
    started = time.monotonic()
    signal = AbortSignal.timeout(0.05)
    assert not signal.aborted
    reason = await asyncio.wait_for(signal.wait(), 5)
    assert time.monotonic() - started >= 0.049
    assert isinstance(reason, TimeoutError)
    assert "0.05 s" in str(reason)


async def test_a_time_out_of_nothing_fires_in_the_next_turn() -> None:
    signal = AbortSignal.timeout(0)
    assert not signal.aborted
    await until(lambda: signal.aborted)


@pytest.mark.parametrize("seconds", [-1, float("inf"), float("nan"), float("-inf")])
async def test_a_time_out_that_can_never_be_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        AbortSignal.timeout(seconds)


@proves("abort-waits")
@pytest.mark.parametrize("which", [0, 1])
def test_any_fires_with_the_first_of_its_signals_and_its_reason(which: int) -> None:
    controllers, seen = [AbortController(), AbortController()], list[Any]()
    signal = either(*controllers)
    signal.on_abort(seen.append)
    assert (signal.aborted, signal.reason) == (False, None)
    controllers[which].abort("first")
    controllers[1 - which].abort("second")
    assert (signal.aborted, signal.reason, seen) == (True, "first", ["first"])
    signal.on_abort(lambda reason: seen.append(f"late {reason}"))
    assert seen == ["first", "late first"]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_any_of_signals_of_which_one_has_fired_has_fired(which: int) -> None:
    controllers, seen = [AbortController() for _ in range(3)], list[Any]()
    controllers[which].abort("before")
    signal = either(*controllers)
    signal.on_abort(seen.append)
    assert (signal.aborted, signal.reason, seen) == (True, "before", ["before"])
    assert [controller.signal._listeners for controller in controllers] == [{}, {}, {}]


def test_any_of_nothing_never_fires_and_any_can_be_nested() -> None:
    assert not AbortSignal.any([]).aborted
    first, second, third = AbortController(), AbortController(), AbortController()
    signal, seen = AbortSignal.any([either(first, second), third.signal]), list[Any]()
    signal.on_abort(seen.append)
    second.abort("deep")
    third.abort("later")
    assert (signal.reason, seen) == ("deep", ["deep"])


async def test_any_can_be_awaited_and_raised() -> None:
    first, second = AbortController(), AbortController()
    signal = either(first, second)
    waiting = asyncio.create_task(signal.wait())
    await asyncio.sleep(0)
    second.abort("why")
    assert await waiting == "why"
    with pytest.raises(AbortedError, match="why"):
        signal.throw_if_aborted()


@proves("abort-holds-nothing")
def test_long_lived_signals_keep_nothing_of_a_short_one_that_was_combined_with_them() -> None:
    class Listener:
        def __call__(self) -> None:
            calls.append(1)

    calls: list[int] = []
    lived = AbortController()
    gone: list[weakref.ref[Any]] = []
    for number in range(100):
        short, listener = AbortController(), Listener()
        signal = either(lived, short)
        gone += [weakref.ref(signal), weakref.ref(listener), weakref.ref(short.signal)]
        stop = signal.on_abort(listener)
        if number % 2:
            short.abort()
        else:
            stop()
    assert (len(calls), lived.signal._listeners) == (50, {})
    del short, listener, signal, stop
    gc.collect()
    assert [reference() for reference in gone if reference() is not None] == []


@proves("abort-holds-nothing")
def test_a_signal_that_has_fired_keeps_none_of_its_listeners() -> None:
    controller = AbortController()
    controller.signal.on_abort(lambda: None)
    controller.abort()
    controller.signal.on_abort(lambda: None)
    assert controller.signal._listeners == {}


async def test_a_signal_fired_on_another_thread_wakes_who_awaits_it() -> None:
    controller = AbortController()
    waiting = asyncio.create_task(controller.signal.wait())
    await asyncio.sleep(0)
    await asyncio.to_thread(controller.abort, "from a thread")
    assert await asyncio.wait_for(waiting, 5) == "from a thread"


@proves("abort-once", "abort-listeners")
def test_of_many_threads_one_fires_and_every_listener_is_called_once() -> None:
    for _ in range(50):
        controller, other = AbortController(), AbortController()
        combined = either(controller, other)
        plain, joined = list[Any](), list[Any]()
        gate = threading.Barrier(5)

        def fire(name: int, by: AbortController, gate: threading.Barrier = gate) -> None:
            gate.wait(10)
            by.abort(name)

        def subscribe(
            signal: AbortSignal = controller.signal,
            combined: AbortSignal = combined,
            gate: threading.Barrier = gate,
            lists: tuple[list[Any], list[Any]] = (plain, joined),
        ) -> None:
            gate.wait(10)
            for _ in range(20):
                signal.on_abort(lists[0].append)
                combined.on_abort(lists[1].append)

        threads = [threading.Thread(target=fire, args=(n, by)) for n, by in enumerate((controller, controller, other))]
        threads += [threading.Thread(target=subscribe) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert plain == [controller.signal.reason] * 40
        assert len(joined) == 40
        assert (controller.signal._listeners, other.signal._listeners) == ({}, {})
