"""A core with a window for every form, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar, copy_context
from types import TracebackType
from typing import Any, Self, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from pi_ask.config.schema import AskConfig
from pi_ask.errors import ExternalUIError
from pi_ask.models import COMPLETED, DISPOSED, STARTED, AskResult, CompletedEvent, DisposedEvent, StartedEvent
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk
from pi_ask_qt.app import AskApplication
from pi_ask_qt.display import draw_somewhere
from pi_ask_qt.loop import new_event_loop
from pi_ask_qt.provider import QtAskProvider
from pi_ask_qt.testing.driver import AskDriver, AskDriverError
from pi_ask_qt.x11 import release

_T = TypeVar("_T")

_PATIENCE_SECONDS = 5.0
_TURN_SECONDS = 0.005

_caller: ContextVar[object] = ContextVar("pi_ask_caller", default=None)


class AskDesk:
    """A ``PiAsk`` with a registered ``QtAskProvider``, and a person's hands for its windows.

    ``pi`` is what the program under test gets. The configuration is the defaults, whatever the user of this machine
    has set, without the input guard; a ``config`` is used as it is. Use the desk as a context manager; the fixture
    ``ask_desk`` does so. What is still open at its end is withdrawn, and no window is left.
    """

    def __init__(self, config: AskConfig | None = None) -> None:
        self.pi = PiAsk(config=config if config is not None else unguarded())
        self.provider = QtAskProvider()
        app = application()
        self._runner = asyncio.Runner(loop_factory=lambda: new_event_loop(app))
        self._started: dict[str, StartedEvent] = {}
        self._callers: dict[str, object] = {}
        self._drivers: dict[str, AskDriver] = {}
        self._results: dict[str, asyncio.Future[AskResult]] = {}
        self._given: set[str] = set()
        self._unregister: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        self._runner.__enter__()
        self.run(self._open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.run(self._close())
        finally:
            self._runner.__exit__(kind, error, trace)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def run(self, test: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine on the desk's loop, which runs Qt's windows too; return what it returns."""
        return self._runner.run(test)

    async def ask(self, form: Any, **options: Any) -> AskDriver:
        """Ask ``form`` as a program would, with the options of ``PiAsk.ask_user``; return once it has arrived.

        Raises:
            AskDriverError: the form was not shown; the message says why.
        """
        caller = object()
        context = copy_context()
        context.run(_caller.set, caller)
        call = asyncio.get_running_loop().create_task(self.pi.ask_user(form, **options), context=context)
        call.add_done_callback(_retrieve)

        def mine() -> list[AskDriver]:
            return [driver for id_, driver in self._arrived().items() if self._callers[id_] is caller]

        await _until(lambda: mine() or call.done())
        if not mine():
            raise AskDriverError(f"the form was not shown: {_reason(call)}")
        return self._give(mine()[0])

    async def wait_for_form(self, seconds: float = _PATIENCE_SECONDS) -> AskDriver:
        """Wait for the next form that the program under test asks; return its driver.

        Every form is given once, in order of arrival, whether it comes before this is called or after.

        Raises:
            AskDriverError: none came within ``seconds``; the message says what is on the screen.
        """

        def new() -> list[AskDriver]:
            return [driver for id_, driver in self._arrived().items() if id_ not in self._given]

        await _until(new, seconds)
        if not new():
            raise AskDriverError(f"no form came within {seconds:g} s; {self.shown()}")
        return self._give(new()[0])

    @property
    def forms(self) -> tuple[AskDriver, ...]:
        """The forms that are open, in order of arrival; one of them is in front."""
        return tuple(driver for driver in self._arrived().values() if not driver.ended)

    def shown(self) -> str:
        """Return what is on the screen, in words."""
        front = next((driver for driver in self.forms if driver.is_in_front), None)
        return "there is no form on the screen" if front is None else f"on the screen is:\n{front.shown()}"

    # --- following the flows ------------------------------------------------------------------------------------------

    async def _open(self) -> None:
        await self.pi.__aenter__()
        for channel, listener in (
            (STARTED, self._on_started),
            (COMPLETED, self._on_completed),
            (DISPOSED, self._on_disposed),
        ):
            self.pi.events.on(channel, listener)
        self._unregister = self.provider.register(self.pi)

    async def _close(self) -> None:
        await self.pi.aclose()
        self._unregister()

    def _on_started(self, event: StartedEvent) -> None:
        self._started[event.flow_id] = event
        self._callers[event.flow_id] = _caller.get()
        self._results[event.flow_id] = asyncio.get_running_loop().create_future()
        self._results[event.flow_id].add_done_callback(_retrieve)

    def _on_completed(self, event: CompletedEvent) -> None:
        self._results[event.flow_id].set_result(event.result)

    def _on_disposed(self, event: DisposedEvent) -> None:
        self._results[event.flow_id].set_exception(ExternalUIError(f"the form failed: {event.reason}"))

    def _arrived(self) -> dict[str, AskDriver]:
        """Return the driver of every form that has a window or waits for one, by flow, oldest first."""
        for id_, started in self._started.items():
            flow = self.provider._flow(id_)
            if id_ not in self._drivers and flow is not None:
                self._drivers[id_] = AskDriver(flow, started, self._results[id_])
        return self._drivers

    def _give(self, driver: AskDriver) -> AskDriver:
        self._given.add(driver.started.flow_id)
        return driver


def unguarded() -> AskConfig:
    """Return the default configuration without the input guard, which a test would have to wait for."""
    return AskConfig.model_validate({"desktop": {"inputGuardMs": 0}})


def application() -> QApplication:
    """Return the application, which is made where there is none; without a screen it draws where nobody sees it."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    draw_somewhere()
    _applications.append(AskApplication())
    release()
    return _applications[0]


_applications: list[QApplication] = []
"""Kept as long as the process: Qt ends it where an application goes and another comes."""


async def _until(condition: Callable[[], object], seconds: float = _PATIENCE_SECONDS) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not condition() and loop.time() < end:  # noqa: ASYNC110 - the condition may be anything
        await asyncio.sleep(_TURN_SECONDS)


def _reason(call: asyncio.Task[AskUserResult]) -> str:
    if not call.done():
        return "it has not arrived; a preview may be slow to read"
    error = call.exception()
    if error is not None:
        return f"{type(error).__name__}: {error}"
    result = call.result()
    return f"{result.outcome}\n{result.text}"


def _retrieve(future: asyncio.Future[Any]) -> None:
    """Take note of a failure, so that asyncio does not complain of one that no test looks at."""
    if not future.cancelled():
        future.exception()
