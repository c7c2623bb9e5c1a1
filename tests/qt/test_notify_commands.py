"""A person's own command is told of forms, bounded in time and alone with what it starts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers import form, question, until
from requirements import proves
from surface import Surface, surface

from pi_ask import AskConfig
from pi_ask_qt.notify import commands


@asynccontextmanager
async def telling(*lines: str, **notifications: Any) -> AsyncIterator[Surface]:
    """Yield a surface that tells of every form by commands."""
    channels = [{"type": "command", "command": line} for line in lines]
    given = {"channels": channels, **notifications}
    config = AskConfig.model_validate({"desktop": {"inputGuardMs": 0}, "notifications": given})
    async with surface(config) as desk:
        yield desk


async def told(path: Path) -> list[str]:
    """Return the lines that a command has written, once it has written all of them."""
    await until(lambda: path.exists() and path.read_text().endswith("\n"))
    return await asyncio.to_thread(lambda: path.read_text().splitlines())


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@proves("notify-command", "notify-plain", "notify-here")
async def test_a_command_learns_of_a_form_in_front_of_the_person_too(tmp_path: Path) -> None:
    line = f'printf "%s\\n" "$ASK_NOTIFY_EVENT" "$ASK_NOTIFY_TITLE" "$ASK_NOTIFY_MESSAGE" > {tmp_path}/told'
    async with telling(line) as desk:
        task = await desk.ask(form(title="$(touch x) `y`\n\u202e"), requester={"name": "agent"})
        assert desk.window.isActiveWindow()
        assert await told(tmp_path / "told") == ["question.waiting", "pi-ask", "agent asks: $(touch x) `y` ⟦U+202E⟧"]
        desk.click("cancel")
        await task


@proves("notify-hidden")
async def test_a_command_learns_nothing_of_the_text_where_it_is_hidden(tmp_path: Path) -> None:
    async with telling(f"env > {tmp_path}/told", showText=False) as desk:
        task = await desk.ask(form(question("q", "secret", prompt="secret?"), title="secret"))
        lines = await told(tmp_path / "told")
        desk.click("cancel")
        await task
    assert "ASK_NOTIFY_MESSAGE=Question waiting" in lines
    assert "secret" not in "".join(lines)


@proves("notify-command")
async def test_a_command_has_no_input_and_no_terminal_and_what_it_prints_goes_nowhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    line = f"echo loud; echo louder >&2; (cat; ps -o tty= -p $$; echo end) > {tmp_path}/told"
    async with telling(line) as desk:
        task = await desk.ask(form())
        assert await told(tmp_path / "told") == ["?", "end"]
        desk.click("cancel")
        await task
    assert capfd.readouterr() == ("", "")


@proves("notify-command")
async def test_a_command_ends_after_its_time_with_all_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert commands.SECONDS == 5
    monkeypatch.setattr(commands, "SECONDS", 0.3)
    stubborn = (
        f"trap '' TERM INT HUP; sleep 600 & (sleep 600 & echo $! > {tmp_path}/inner); echo $! > {tmp_path}/outer; wait"
    )
    gone = f"sleep 600 & echo $! > {tmp_path}/orphan"
    async with telling(stubborn, gone) as desk:
        task = await desk.ask(form())
        pids = [int((await told(tmp_path / name))[0]) for name in ("inner", "outer", "orphan")]
        assert all(map(is_running, pids))
        await until(lambda: not any(map(is_running, pids)))
        assert not task.done()
        desk.click("cancel")
        await task


@proves("notify-command")
async def test_a_command_does_not_outlive_the_program(tmp_path: Path) -> None:
    async with telling(f"echo $$ > {tmp_path}/told; exec sleep 600") as desk:
        task = await desk.ask(form())
        (pid,) = map(int, await told(tmp_path / "told"))
        desk.click("cancel")
        await task
        assert is_running(pid)
    assert not is_running(pid)


@pytest.mark.parametrize("line", ["exit 3", "kill -9 $$", "/nonexistent", "((", "exec 1>&-; exit 1"])
@proves("notify-command")
async def test_a_command_that_fails_harms_neither_form_nor_the_next_command(tmp_path: Path, line: str) -> None:
    async with telling(line, f"echo done > {tmp_path}/told") as desk:
        task = await desk.ask(form())
        assert await told(tmp_path / "told") == ["done"]
        desk.press("2")
        desk.click("submit")
        assert (await task).details.answers["q"].values == ("b",)


@proves("notify-once")
async def test_a_channel_that_is_there_twice_is_used_once(tmp_path: Path) -> None:
    line = f"echo told >> {tmp_path}/told"
    async with telling(line, line, f"echo told >> {tmp_path}/other") as desk:
        task = await desk.ask(form())
        await told(tmp_path / "other")
        desk.click("cancel")
        await task
    assert await told(tmp_path / "told") == ["told"]


@proves("activation-token")
async def test_a_command_does_not_get_the_activation_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token-1")
    monkeypatch.setenv("DESKTOP_STARTUP_ID", "token-2")
    async with telling(f"env > {tmp_path}/told") as desk:
        task = await desk.ask(form())
        lines = await told(tmp_path / "told")
        desk.click("cancel")
        await task
    assert not {"XDG_ACTIVATION_TOKEN=token-1", "DESKTOP_STARTUP_ID=token-2"} & set(lines)
