"""Forms that are filled in by themselves, by what a test has told the person to do."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable

from pi_ask_qt.testing.driver import AskDriver
from pi_ask_qt.testing.errors import AskDriverError
from pi_ask_qt.testing.flows import Asked, DeskProvider
from pi_ask_qt.testing.loops import until

Script = Callable[[AskDriver], object]
"""What the person does with a form; a coroutine function may wait in between."""

_FOREVER_SECONDS = float("inf")

__tracebackhide__ = True  # what failed is a line of the test


class Scripts:
    """Has forms filled in as they come to the front."""

    def __init__(self, provider: DeskProvider) -> None:
        self._provider = provider
        self._script: Script | None = None
        self._failures: list[BaseException] = []
        self.tasks: set[asyncio.Task[None]] = set()
        provider.on_arrival = self._on_arrival

    def use(self, script: Script | None) -> None:
        """Have the forms that come from now on filled in by ``script``."""
        self._script = script

    def tell_failure(self, error: BaseException | None) -> None:
        """Raise the first failure of a script that was not told yet, where the test has not failed by itself."""
        failures, self._failures = self._failures, []
        if failures and error is None:
            raise failures[0]

    def _on_arrival(self, asked: Asked) -> None:
        if self._script is not None:
            asked.given = True
            task = asyncio.get_running_loop().create_task(self._play(self._script, asked))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _play(self, script: Script, asked: Asked) -> None:
        driver = AskDriver(asked, self._provider)
        await until(lambda: driver.ended or driver.is_in_front, _FOREVER_SECONDS)
        if driver.ended:
            return
        try:
            await _played(script, driver)
        except (asyncio.CancelledError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # pytest's own way to fail or skip a test is no Exception
            self._failures.append(error)
            flow = self._provider.flow(asked.flow_id)
            if flow is not None:
                flow.fail(error if isinstance(error, Exception) else AskDriverError(str(error)))


async def _played(script: Script, driver: AskDriver) -> None:
    played = script(driver)
    if inspect.isawaitable(played):
        await played
    if not driver.ended:
        raise AskDriverError(f"the script has ended and left the form open; on the screen is:\n{driver.shown()}")
