"""The desk: forms that programs ask are waited for and filled in, and nothing of them is left or touches the user's."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers import form, question, until
from processes import ROOT
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from requirements import proves

from pi_ask import AbortController, AskConfig, AskResult, ExternalUIError, PiAsk
from pi_ask_qt.languages import ENVIRONMENT_VARIABLE, install
from pi_ask_qt.testing import AskDesk, AskDriver, AskDriverError
from pi_ask_qt.widgets.window import AskWindow

TWO = form(question("q"), title="First")
OTHER = form(question("q"), title="Second")


async def choice(pi: PiAsk, asked: Any = TWO) -> str:
    """A program under test: asks, and returns what was chosen."""
    result = await pi.ask_user(asked)
    answer = result.details.answers.get("q")
    return result.outcome if answer is None else answer.values[0]


def windows() -> list[AskWindow]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, AskWindow)]


@pytest.mark.parametrize("kind", [AskDesk, AskDriver])
def test_the_documentation_has_every_word_of_the_desk_and_the_driver(kind: type) -> None:
    told = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    words = {name for name in dir(kind) if not name.startswith("_")} - {"aclose"}
    assert [word for word in sorted(words) if not re.search(rf"[`.]({word}|await {word})\b", told)] == []


# --- waiting for forms ------------------------------------------------------------------------------------------------


@proves("testing-wait")
async def test_a_form_that_the_program_asks_is_waited_for_and_answered(ask_desk: AskDesk) -> None:
    program = ask_desk.start(choice(ask_desk.pi))
    driver = await ask_desk.wait_for_form()
    assert (driver.request.title, driver.is_in_front) == ("First", True)
    driver.choose("q", "b").submit()
    assert await program == "b"
    assert (await driver.result()).answers["q"].values == ("b",)
    with pytest.raises(AskDriverError, match="the program under test has asked this form"):
        driver.call  # noqa: B018 - a property


@proves("testing-wait")
async def test_every_form_is_given_once_in_order_of_arrival(ask_desk: AskDesk) -> None:
    programs = [ask_desk.start(choice(ask_desk.pi, one)) for one in (TWO, OTHER)]
    first, second = await ask_desk.wait_for_form(), await ask_desk.wait_for_form()
    assert [driver.request.title for driver in ask_desk.forms] == ["First", "Second"]
    assert (first.is_in_front, second.is_in_front) == (True, False)
    assert "1 more waiting" in first.shown()
    second.bring_forward().choose("q", "b").submit()
    await second.result()
    first.choose("q", "a").submit()
    assert [await program for program in programs] == ["a", "b"]
    assert ask_desk.forms == ()


@proves("testing-wait")
async def test_a_program_that_asks_again_and_again_is_followed(ask_desk: AskDesk) -> None:
    async def program() -> list[str]:
        return [await choice(ask_desk.pi, form(title=str(number))) for number in range(3)]

    running = ask_desk.start(program())
    for number, value in enumerate("aba"):
        driver = await ask_desk.wait_for_form()
        assert driver.request.title == str(number)
        driver.choose("q", value).submit()
    assert await running == ["a", "b", "a"]


@proves("testing-wait")
async def test_waiting_for_a_form_that_does_not_come_is_bounded(ask_desk: AskDesk) -> None:
    with pytest.raises(AskDriverError, match=r"^no form came within 0\.02 s; there is no form on the screen$"):
        await ask_desk.wait_for_form(0.02)
    await ask_desk.ask(TWO)
    with pytest.raises(AskDriverError, match=r"^no form came within 0\.02 s; in front is:\nFirst\n"):
        await ask_desk.wait_for_form(0.02)


async def fails() -> str:
    raise LookupError("no such release")


async def says_no() -> str:
    return "not needed"


@proves("testing-wait")
@pytest.mark.parametrize(
    ("program", "told"),
    [
        (fails, "no form came; the program failed: LookupError: no such release; there is no form"),
        (says_no, "no form came; the program returned 'not needed'; there is no form on the screen"),
    ],
)
async def test_a_program_that_ends_without_asking_is_noticed_at_once(
    ask_desk: AskDesk, program: Callable[[], Any], told: str
) -> None:
    running = ask_desk.start(program())
    with pytest.raises(AskDriverError, match=f"^{told}"):
        await ask_desk.wait_for_form(seconds=600)
    assert running.done()
    assert running.exception() is None or str(running.exception()) == "no such release"


async def test_a_form_that_is_wrong_is_not_shown_and_every_issue_is_told(ask_desk: AskDesk) -> None:
    wrong = {"questions": [{"id": "q", "prompt": "?", "options": []}, {"id": "q", "options": [{"value": ""}]}]}
    with pytest.raises(AskDriverError, match="the form was not shown: ended: invalid") as caught:
        await ask_desk.ask(wrong)
    for place in ("questions[0].options", "questions[1].id", "questions[1].prompt", "questions[1].options[0].value"):
        assert place in str(caught.value)


async def test_a_call_that_is_wrong_is_told(ask_desk: AskDesk) -> None:
    with pytest.raises(AskDriverError, match="the form was not shown: failed: TypeError: tool_call_id must be text"):
        await ask_desk.ask(TWO, tool_call_id=7)


async def test_a_form_withdrawn_by_its_program_says_so(ask_desk: AskDesk) -> None:
    controller = AbortController()
    driver = await ask_desk.ask(TWO, signal=controller.signal)
    controller.abort()
    assert (await driver.call).outcome == "aborted"
    assert (await driver.result()).cancelled
    with pytest.raises(AskDriverError, match="it was withdrawn"):
        driver.choose("q", "a")


async def test_the_result_is_waited_for_bounded_and_a_failure_is_raised(ask_desk: AskDesk) -> None:
    driver = await ask_desk.ask(TWO)
    with pytest.raises(AskDriverError, match=r"^the form is still open after 0\.02 s\non the screen is:\nFirst"):
        await driver.result(0.02)
    ask_desk.provider.close()
    with pytest.raises(ExternalUIError, match="surface_failed") as caught:
        await driver.result()
    assert "closed by the program" in str(caught.value.__cause__)
    assert "the window failed" in driver.shown()


async def test_the_forms_of_another_core_are_shown_too(ask_desk: AskDesk) -> None:
    async with PiAsk() as theirs:
        ask_desk.register(theirs)
        program = ask_desk.start(choice(theirs))
        driver = await ask_desk.wait_for_form()
        assert (await driver.choose("q", "b").submit().result()).answers["q"].values == ("b",)
        assert await program == "b"


# --- scripts ----------------------------------------------------------------------------------------------------------


@proves("testing-scripts")
async def test_a_script_fills_in_every_form_that_comes(ask_desk: AskDesk) -> None:
    ask_desk.fill_in(lambda driver: driver.choose("q", "b").submit())
    assert await asyncio.gather(*[choice(ask_desk.pi) for _ in range(3)]) == ["b"] * 3
    ask_desk.fill_in(None)
    driver = await ask_desk.ask(TWO)
    assert not driver.ended


@proves("testing-scripts")
async def test_a_form_that_the_desk_asks_itself_is_filled_in_as_well(ask_desk: AskDesk) -> None:
    ask_desk.fill_in(lambda driver: driver.choose("q", "b").submit())
    driver = await ask_desk.ask(TWO)
    assert (await driver.result()).answers["q"].values == ("b",)
    assert (await driver.call).outcome == "answered"


@proves("testing-scripts")
async def test_a_script_may_wait(ask_desk: AskDesk) -> None:
    asked = asyncio.Event()

    async def script(driver: AskDriver) -> None:
        asked.set()
        await driver.choose("q", "a").submit().result()

    ask_desk.fill_in(script)
    assert await choice(ask_desk.pi) == "a"
    assert asked.is_set()


def breaks(_: AskDriver) -> None:
    raise OSError("out of paper")


def gives_up(_: AskDriver) -> None:
    pytest.fail("this form should not have come")


@proves("testing-scripts")
@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (breaks, "out of paper"),
        (gives_up, "this form should not have come"),
        (lambda driver: driver.choose("q", "nothing"), "question 'q' has no option 'nothing'"),
        (lambda driver: driver.choose("q", "a"), "the script has ended and left the form open"),
    ],
    ids=["breaks", "gives up", "cannot", "leaves open"],
)
async def test_a_script_that_fails_fails_the_form_and_the_test_whatever_the_program_makes_of_it(
    script: Callable[[AskDriver], object], problem: str
) -> None:
    async def forgiving(pi: PiAsk) -> str:
        try:
            return await choice(pi)
        except ExternalUIError as error:
            return f"nobody to ask: {error}"

    with pytest.raises(BaseException, match=problem) as caught:
        async with AskDesk() as desk:
            desk.fill_in(script)
            told = await forgiving(desk.pi)
            assert problem in told
    assert not isinstance(caught.value, ExternalUIError)


# --- loops ------------------------------------------------------------------------------------------------------------


async def answered(desk: AskDesk) -> AskResult:
    driver = await desk.ask(TWO)
    other = await desk.ask(OTHER)
    await driver.choose("q", "a").note("q", "n").submit().result()
    other.type("q", "own").submit()
    await other.result()
    return await driver.result()


@proves("testing-loops")
def test_it_works_on_a_plain_asyncio_loop(qapp: QApplication) -> None:
    async def test() -> AskResult:
        async with AskDesk() as desk:
            return await answered(desk)

    assert asyncio.run(test()).answers["q"].values == ("a",)
    assert windows() == []
    assert qapp is QApplication.instance()


@proves("testing-loops")
def test_a_test_that_is_no_coroutine_runs_one(ask_desk: AskDesk) -> None:
    assert ask_desk.run(answered(ask_desk)).answers["q"].values == ("a",)
    ask_desk.fill_in(lambda driver: driver.choose("q", "b").submit())
    assert ask_desk.run(choice(ask_desk.pi)) == "b"


@proves("testing-loops")
def test_a_program_in_a_thread_is_answered(ask_desk: AskDesk) -> None:
    async def test() -> str:
        def work() -> str:
            loop = ask_desk.pi.events.loop
            assert loop is not None
            return asyncio.run_coroutine_threadsafe(choice(ask_desk.pi), loop).result(10)

        program = ask_desk.start(asyncio.to_thread(work))
        (await ask_desk.wait_for_form()).choose("q", "b").submit()
        return await program

    assert ask_desk.run(test()) == "b"


@proves("testing-loops")
def test_running_is_bounded_where_it_is_told_so(ask_desk: AskDesk) -> None:
    with pytest.raises(AskDriverError, match=r"^it has not ended within 0\.1 s; in front is:\nFirst\n"):
        ask_desk.run(choice(ask_desk.pi), seconds=0.1)
    assert not [window for window in windows() if window.isVisible()]


@proves("testing-loops")
def test_a_time_out_of_the_program_under_test_is_its_own(ask_desk: AskDesk) -> None:
    async def program() -> None:
        async with asyncio.timeout(0.02):
            await ask_desk.pi.ask_user(TWO)

    with pytest.raises(TimeoutError):
        ask_desk.run(program(), seconds=5)


async def test_within_a_running_loop_it_is_an_async_context_manager() -> None:
    with pytest.raises(RuntimeError, match="async with AskDesk"), AskDesk():
        pass


# --- apart from the user ----------------------------------------------------------------------------------------------


@proves("testing-apart")
async def test_what_is_open_at_the_end_is_withdrawn_and_no_window_is_left() -> None:
    controller_of_another = PiAsk()
    async with AskDesk() as desk:
        desk.register(controller_of_another)
        programs = [desk.start(choice(desk.pi)), desk.start(asyncio.sleep(1_000))]
        await desk.ask(OTHER)
        theirs = asyncio.create_task(choice(controller_of_another))
        await until(lambda: len(desk.forms) == 3)
    assert windows() == []
    assert await programs[0] == "aborted"
    assert programs[1].cancelled()
    with pytest.raises(ExternalUIError):
        await theirs
    assert (await controller_of_another.ask_user(TWO)).outcome == "not_shown"
    await controller_of_another.aclose()


def test_what_is_open_when_a_test_returns_is_withdrawn() -> None:
    async def test() -> asyncio.Task[str]:
        await desk.ask(TWO)
        return desk.start(choice(desk.pi))

    with AskDesk() as desk:
        program = desk.run(test())
        assert windows()[0].isVisible()
    assert windows() == []
    assert program.result() == "aborted"


@proves("testing-apart")
async def test_the_window_has_its_own_size_and_it_is_not_remembered() -> None:
    kept = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "pi-ask", "state")
    kept.setValue("window/size", [555, 444])
    kept.sync()
    async with AskDesk() as desk:
        driver = await desk.ask(TWO)
        assert (driver.window.width(), driver.window.height()) != (555, 444)
        driver.window.resize(666, 555)
        driver.submit()
        await driver.result()
    kept.sync()
    assert [int(part) for part in kept.value("window/size")] == [555, 444]
    kept.clear()


@proves("testing-apart")
async def test_neither_the_users_settings_nor_their_language_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"schemaVersion": 5, "behaviour": {"presentSingleAsMulti": true}}', encoding="utf-8")
    monkeypatch.setenv("PI_ASK_CONFIG", str(config))
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, "de")
    async with AskDesk() as desk:
        driver = await desk.ask(TWO)
        assert driver.screen.buttons == ("Cancel", "Elaborate…", "Submit")
        assert driver.screen.question is not None
        assert driver.screen.question.type == "single"
        dialog = desk.provider.show_settings(driver.window)
        assert str(tmp_path) not in str(desk.provider._store.path if desk.provider._store else tmp_path)
        dialog.close()
    assert (os.environ["PI_ASK_CONFIG"], os.environ[ENVIRONMENT_VARIABLE]) == (str(config), "de")
    install("en")


@proves("testing-apart")
async def test_the_input_guard_is_off_whatever_the_configuration_says() -> None:
    config = AskConfig.model_validate({"desktop": {"inputGuardMs": 3_000}, "behaviour": {"presentSingleAsMulti": True}})
    async with AskDesk(config) as desk, PiAsk() as other:
        desk.register(other)
        driver = await desk.ask(TWO)
        assert (await driver.choose("q", "a", "b").submit().result()).answers["q"].values == ("a", "b")
        program = desk.start(choice(other))
        (await desk.wait_for_form()).choose("q", "a").submit()
        assert await program == "a"


@proves("testing-apart")
async def test_an_application_that_ends_with_its_last_window_goes_on(qapp: QApplication) -> None:
    qapp.setQuitOnLastWindowClosed(True)
    try:
        async with AskDesk() as desk:
            driver = await desk.ask(TWO)
            driver.submit()
            await driver.result()
            await asyncio.sleep(0.01)
        assert qapp.quitOnLastWindowClosed()
    finally:
        qapp.setQuitOnLastWindowClosed(False)
