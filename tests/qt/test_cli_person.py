"""A person at a real screen answers with real keys what the command asks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import form
from processes import environment, running, wait_for
from screens import Screen, managed_display

TITLE = "A form on a real screen"


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server with a window manager."""
    with managed_display() as name:
        yield name


@pytest.mark.parametrize(
    ("keys", "code", "values"),
    [
        (["Down", "Return", "Return"], 0, ["b"]),
        (["1", "Return", "Return"], 0, ["a"]),
        (["Escape"], 1, None),
        (["alt+F4"], 1, None),
        (["ctrl+c"], 1, None),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else None,
)
def test_keys_answer_or_cancel(
    tmp_path: Path, display: str, keys: list[str], code: int, values: list[str] | None
) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(title=TITLE)), encoding="utf-8")
    config = tmp_path / "config.json"
    # The guard against keys meant for another window would take these for such.
    config.write_text('{"desktop": {"inputGuardMs": 0}}', encoding="utf-8")
    screen = Screen(display)
    with running("ask", str(path), "--config", str(config), env=environment(DISPLAY=display)) as process:
        wait_for(lambda: TITLE in screen.focused_title())
        screen.press(*keys)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (code, b"")
    answers = json.loads(out)["answers"]
    assert answers == {} if values is None else answers["q"]["values"] == values
