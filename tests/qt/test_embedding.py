"""The window in somebody else's application: on their loop, or with a clear word where it cannot work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import qasync
from helpers import form, until
from PySide6.QtWidgets import QAbstractButton, QApplication

from pi_ask import AskConfig, ExternalUIError, PiAsk, WrongThreadError
from pi_ask_qt import QtAskProvider, new_event_loop

# No person was typing elsewhere when the window came.
UNGUARDED = AskConfig.model_validate({"desktop": {"inputGuardMs": 0}})


async def click(provider: QtAskProvider, *names: str) -> None:
    """Click what has these names, once the window is there."""
    await until(lambda: provider.windows and provider.windows[0].isVisible())
    for name in names:
        button = provider.windows[0].findChild(QAbstractButton, name)
        assert isinstance(button, QAbstractButton)
        button.click()


async def answered(app: QApplication) -> Any:
    """Ask in a window, choose b, submit, and return the values."""
    async with PiAsk() as pi:
        provider = QtAskProvider(UNGUARDED)
        provider.register(pi)
        asking = asyncio.create_task(pi.ask_user(form()))
        await click(provider, "option:q:b", "submit")
        result = await asyncio.wait_for(asking, 20)
        await until(lambda: not [widget for widget in app.topLevelWidgets() if widget.isVisible()])
        return result.details.answers["q"].values


@pytest.mark.parametrize("make", [new_event_loop, qasync.QEventLoop], ids=["ours", "plain qasync"])
def test_a_form_is_answered_on_a_loop_that_runs_qt(
    qapp: QApplication, make: Callable[[QApplication], asyncio.AbstractEventLoop]
) -> None:
    with asyncio.Runner(loop_factory=lambda: make(qapp)) as runner:
        assert runner.run(answered(qapp)) == ("b",)


def test_a_loop_that_is_not_qts_is_refused_with_the_way_that_works(qapp: QApplication) -> None:
    with pytest.raises(ExternalUIError, match="pi_ask_qt") as caught:
        asyncio.run(answered_somewhere())
    assert isinstance(caught.value.__cause__, WrongThreadError)
    assert "new_event_loop" in str(caught.value)
    assert [widget for widget in qapp.topLevelWidgets() if widget.isVisible()] == []


async def answered_somewhere() -> None:
    async with PiAsk() as pi:
        QtAskProvider().register(pi)
        await pi.ask_user(form())


async def test_another_thread_asks_by_the_loop_of_the_windows(qapp: QApplication) -> None:
    async with PiAsk() as pi:
        provider = QtAskProvider(UNGUARDED)
        provider.register(pi)
        loop = asyncio.get_running_loop()

        def ask() -> Any:
            with pytest.raises(WrongThreadError, match="run_coroutine_threadsafe"):
                asyncio.run(pi.ask_user(form()))
            return asyncio.run_coroutine_threadsafe(pi.ask_user(form()), loop).result(20)

        asking = asyncio.create_task(asyncio.to_thread(ask))
        await click(provider, "option:q:a", "submit")
        assert (await asking).details.answers["q"].values == ("a",)
        assert [widget for widget in qapp.topLevelWidgets() if widget.isVisible()] == []
