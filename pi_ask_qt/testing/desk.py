"""A core with a window for every form, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

from pi_ask.config.schema import DEFAULTS, AskConfig
from pi_ask.runtime.flows import AskUserResult
from pi_ask.runtime.tool import PiAsk
from pi_ask_qt.loop import new_event_loop
from pi_ask_qt.testing.driver import AskDriver
from pi_ask_qt.testing.errors import AskDriverError
from pi_ask_qt.testing.flows import Asked, DeskProvider, calling
from pi_ask_qt.testing.loops import stoppable, until
from pi_ask_qt.testing.place import apart, application
from pi_ask_qt.testing.scripts import Script, Scripts

_T = TypeVar("_T")

PATIENCE_SECONDS = 5.0
_ACTIVATION_SECONDS = 0.5

__tracebackhide__ = True  # what failed is a line of the test


class AskDesk:
    """A ``PiAsk`` with a registered ``QtAskProvider``, and a person's hands for its windows.

    ``pi`` is what the program under test gets. ``config`` is its configuration, else the defaults, whatever the user
    of this machine has set; the input guard is off in either case, and the language is English.

    It works on the loop of the test, whichever that is, and without one by :meth:`run`. The fixture ``ask_desk`` is
    one; elsewhere it is a context manager: ``async with`` where a loop is running, else ``with``. At its end what is
    still open is withdrawn, and no window is left.
    """

    def __init__(self, config: AskConfig | None = None) -> None:
        self._app = application()
        self.pi = PiAsk(config=config if config is not None else DEFAULTS)
        self.provider = DeskProvider()
        self._scripts = Scripts(self.provider)
        self._runner: asyncio.Runner | None = None
        self._programs: list[asyncio.Task[Any]] = []
        self._calls: list[asyncio.Task[AskUserResult]] = []
        self._ways_out = ExitStack()

    # --- beginning and end --------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if _loop_is_running():
            raise RuntimeError("a loop is running here; use `async with AskDesk()`")
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._ways_out:
            loop = self.pi.events.loop
            if self._runner is not None:
                with self._runner:
                    self._runner.run(self.aclose())
            elif loop is not None and not loop.is_closed():
                loop.run_until_complete(self.aclose())
        self._scripts.tell_failure(error)

    async def __aenter__(self) -> Self:
        self._begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._ways_out:
            await self.aclose()
        self._scripts.tell_failure(error)

    def _begin(self) -> None:
        self._ways_out.enter_context(apart(self._app))
        self.register(self.pi)

    async def aclose(self) -> None:
        """Withdraw what is still open, and cancel what runs by :meth:`start`; the end of the desk does this too."""
        await self.pi.aclose()
        tasks = [task for task in (*self._programs, *self._calls, *self._scripts.tasks) if not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # --- the program under test ---------------------------------------------------------------------------------------

    def run(self, test: Coroutine[Any, Any, _T], *, seconds: float | None = None) -> _T:
        """Run a coroutine to its end, from a test that is no coroutine function; return what it returns.

        Raises:
            AskDriverError: it has not ended after ``seconds``; the message says what is on the screen.
        """
        if self._runner is None:
            self._runner = asyncio.Runner(loop_factory=lambda: new_event_loop(self._app))
        value = self._runner.run(stoppable(self._bounded(test, seconds)))
        self._scripts.tell_failure(None)
        return value

    async def _bounded(self, test: Coroutine[Any, Any, _T], seconds: float | None) -> _T:
        loop, task = self._loop(), asyncio.current_task()
        if seconds is None:
            return await test
        told: list[str] = []

        def expire() -> None:
            told.append(self.shown())  # as it is now: what is cancelled takes its form along
            if task is not None:
                task.cancel()

        timer = loop.call_later(seconds, expire)
        try:
            return await test
        except asyncio.CancelledError as cancelled:
            if told:
                late = AskDriverError(f"it has not ended within {seconds:g} s; {told[0]}")
                raise late.with_traceback(cancelled.__traceback__) from None
            raise
        finally:
            timer.cancel()

    def _loop(self) -> asyncio.AbstractEventLoop:
        """Return the loop of the test, and let the core belong to it before a thread of the program could take it."""
        loop, bus = asyncio.get_running_loop(), self.pi.events
        if bus.loop is None or bus.loop.is_closed():
            bus.bind(loop)
        return loop

    def register(self, pi: PiAsk) -> None:
        """Show the forms of another ``PiAsk`` here too, such as one that the program under test has made."""
        self._ways_out.callback(self.provider.register(pi))

    def start(self, program: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Run the program under test beside the test; :meth:`wait_for_form` notices where it ends without asking."""
        task = self._loop().create_task(program)
        self._programs.append(task)
        return task

    # --- forms --------------------------------------------------------------------------------------------------------

    async def ask(self, form: Any, **options: Any) -> AskDriver:
        """Ask ``form`` as a program would, with the options of ``PiAsk.ask_user``.

        Returns:
            Its driver, once the window is there or, where another form is in front, once the form waits behind it.

        Raises:
            AskDriverError: the form was not shown; the message says why.
        """

        async def ask_user() -> AskUserResult:
            calling.set(asyncio.current_task())
            return await self.pi.ask_user(form, **options)

        call = asyncio.get_running_loop().create_task(ask_user())
        call.add_done_callback(lambda call: call.cancelled() or call.exception())  # driver.result() tells it too
        self._calls.append(call)
        asked = await self._first(lambda asked: asked.call is call, (call,), PATIENCE_SECONDS)
        if asked is None:
            raise AskDriverError(f"the form was not shown: {_outcome(call)}; {self.shown()}")
        return await self._given(asked)

    async def wait_for_form(self, seconds: float = PATIENCE_SECONDS) -> AskDriver:
        """Wait for the next form that the program under test asks; return its driver.

        Every form is given once, in order of arrival, whether it comes before this is called or after.

        Raises:
            AskDriverError: none came within ``seconds``, or what runs by :meth:`start` has ended; the message says
                how, and what is on the screen.
        """
        self._loop()
        running = [program for program in self._programs if not program.done()]
        asked = await self._first(self._is_new, running, seconds)
        if asked is not None:
            return await self._given(asked)
        ended = [f"the program {_outcome(program)}" for program in self._programs if program.done()]
        no_form = "no form came" if running and ended else f"no form came within {seconds:g} s"
        raise AskDriverError("; ".join([no_form, *ended, self.shown()]))

    def fill_in(self, script: Script | None) -> None:
        """Have every form that comes from now on filled in by ``script``; by none where it is ``None``.

        A script that fails or leaves its form open fails the form and, at the latest at the end of the desk, the test.
        """
        self._scripts.use(script)

    @property
    def forms(self) -> tuple[AskDriver, ...]:
        """The forms that are open, in order of arrival; one of them is in front."""
        drivers = (AskDriver(asked, self.provider) for asked in self.provider.asked.values())
        return tuple(driver for driver in drivers if not driver.ended)

    def shown(self) -> str:
        """Return what is on the screen, in words."""
        return self.provider.shown()

    def _is_new(self, asked: Asked) -> bool:
        return not asked.given and self.provider.flow(asked.flow_id) is not None

    async def _first(
        self, wanted: Callable[[Asked], bool], programs: Sequence[asyncio.Task[Any]], seconds: float
    ) -> Asked | None:
        """Wait for the first form that is wanted, for as long as a program is running that could ask it."""

        def found() -> Asked | None:
            return next((asked for asked in self.provider.asked.values() if wanted(asked)), None)

        def all_ended() -> bool:
            return bool(programs) and all(program.done() for program in programs)

        await until(lambda: found() is not None or all_ended(), seconds)
        return found()

    async def _given(self, asked: Asked) -> AskDriver:
        asked.given = True
        driver = AskDriver(asked, self.provider)
        # Keys and the focus arrive in full only where the window is active, which a busy desktop may take time for.
        await until(lambda: not driver.is_in_front or driver.window.isActiveWindow(), _ACTIVATION_SECONDS)
        return driver


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _outcome(program: asyncio.Task[Any]) -> str:
    """Return how a program has ended, in words."""
    if not program.done():
        return "is still running"
    if program.cancelled():
        return "was cancelled"
    error = program.exception()
    if error is not None:
        return f"failed: {type(error).__name__}: {error}"
    value = program.result()
    return f"ended: {value.outcome}: {value.text}" if isinstance(value, AskUserResult) else f"returned {value!r}"
