"""The demo shows a sample form; without a screen it answers by itself and leaves a picture."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from processes import ROOT, environment, run, x_server
from PySide6.QtGui import QImage

from pi_ask.models import AskQuestion
from pi_ask.state.normalize import read_form
from pi_ask_qt.assets import resource

ANSWERS = {"target": ["staging"], "checks": ["smoke"], "schema": ["column"]}


def demo(folder: Path, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    return run("demo", *arguments, cwd=folder, env={**env, "PYTHONPATH": str(ROOT)})


def values(done: subprocess.CompletedProcess[bytes]) -> dict[str, list[str]]:
    assert done.returncode == 0, done.stderr
    return {id_: answer["values"] for id_, answer in json.loads(done.stdout)["answers"].items()}


def assert_picture(path: Path) -> None:
    """Check that ``path`` is a picture of something: it has the size of a window, and many colours."""
    picture = QImage(str(path))
    assert picture.width() >= 400
    assert picture.height() >= 300
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3)}
    assert len(colours) > 20


def test_without_a_screen_it_answers_by_itself_and_leaves_a_picture(tmp_path: Path) -> None:
    start = time.monotonic()
    done = demo(tmp_path, env=environment())
    assert time.monotonic() - start > 2.5
    assert values(done) == ANSWERS
    assert_picture(tmp_path / "pi-ask-demo.png")
    assert b"There is no display" in done.stderr
    assert b"runs offscreen" in done.stderr


def test_the_picture_goes_where_it_is_told_to(tmp_path: Path) -> None:
    done = demo(tmp_path, "--screenshot", "ünder.png", env=environment(QT_QPA_PLATFORM="offscreen"))
    assert values(done) == ANSWERS
    assert_picture(tmp_path / "ünder.png")
    assert not (tmp_path / "pi-ask-demo.png").exists()


def test_a_dead_display_is_no_screen_and_a_picture_that_cannot_be_written_harms_no_answer(tmp_path: Path) -> None:
    done = demo(tmp_path, "--screenshot", "none/x.png", env=environment(DISPLAY=":4711"))
    assert values(done) == ANSWERS
    assert b"':4711' cannot be reached" in done.stderr
    assert b"no picture could be written to none/x.png" in done.stderr


def test_on_a_screen_it_waits_for_the_person(tmp_path: Path) -> None:
    with x_server() as display:
        env = environment(DISPLAY=display)
        done = demo(tmp_path, "--timeout", "4", env=env)
        assert (done.returncode, done.stdout) == (5, b"")
        assert list(tmp_path.iterdir()) == []
        done = demo(tmp_path, "--smoke", "--screenshot", "real.png", env=env)
    assert values(done) == ANSWERS
    assert_picture(tmp_path / "real.png")


def test_the_sample_form_shows_what_there_is() -> None:
    form = read_form(resource("forms", "demo.json").read_bytes())
    assert form.issues == ()
    assert {question.type for question in form.questions} == {"single", "multi", "preview"}
    assert len(form.questions) >= 3
    options = [option for question in form.questions for option in question.options]
    assert any(option.recommended for option in options)
    assert any(option.preview and option.preview.startswith("--- ") for option in options)
    assert all(option.description for option in options)
    assert _with_preview(form.questions)


def _with_preview(questions: tuple[AskQuestion, ...]) -> bool:
    return all(option.preview for question in questions if question.type == "preview" for option in question.options)
