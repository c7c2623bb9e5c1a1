"""The examples run as they are, and the documentation shows them as they are."""

from __future__ import annotations

import asyncio
import importlib.util
import signal
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from helpers import until
from processes import ROOT, environment
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget

EXAMPLES = ROOT / "examples"
SMOKE = str(ROOT / "resources" / "extensions" / "smoke.py")
SECONDS = 10.0

# What an example prints where the smoke extension takes the first option of everything, and what it needs.
OUTPUTS = {
    "claude_agent": ("claude_agent_sdk", ["'answers': {'Which builds may go?': 'All of them'}", "'behavior': 'allow'"]),
    "pydantic_ai_agent": ("pydantic_ai", ["is on its way to ada@example.org"]),
    "openai_agent": ("agents", ["120 euros were paid to Example Ltd.", "That was it."]),
    "langgraph_agent": ("langgraph", ["The release goes to: staging"]),
    "worker_thread": ("pi_ask", ['Q1: "Yes" [value yes]\nQ1: "Yes" [value yes]']),
}


def run_example(name: str, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    environ = environment(QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(ROOT))
    return subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *arguments],
        env={**environ, "PYTHONWARNINGS": "error"},
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_example_runs_to_its_end(name: str) -> None:
    kit, lines = OUTPUTS[name]
    if importlib.util.find_spec(kit) is None:
        pytest.skip(f"{kit} is not installed")
    done = run_example(name, SMOKE)
    assert done.returncode == 0, done.stderr
    for line in lines:
        assert line in done.stdout
    assert "Traceback" not in done.stderr


def test_a_surface_without_qt_asks_and_answers() -> None:
    done = run_example("without_qt", given="2\nthe new dialog\n")
    assert done.returncode == 0, done.stderr
    assert 'Q1: "Production" [value production]\nQ2: own words "the new dialog"' in done.stdout
    cancelled = run_example("without_qt", given="1\n")
    assert "cancelled" in cancelled.stdout


def test_every_example_is_run_here() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.py")}
    assert names == {*OUTPUTS, "without_qt", "embedding_app"}


@pytest.mark.parametrize(("document", "example"), [("embedding.md", "embedding_app"), ("embedding.md", "without_qt")])
def test_the_documentation_shows_an_example_as_it_is(document: str, example: str) -> None:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    program = (EXAMPLES / f"{example}.py").read_text(encoding="utf-8")
    assert f"```python\n{program}```" in text


# --- the application that embeds the window ---------------------------------------------------------------------------


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert isinstance(spec, ModuleSpec)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find(window: QWidget, kind: type[Any], name: str) -> Any:
    widget = window.findChild(kind, name)
    assert isinstance(widget, kind), name
    return widget


def press(button: QAbstractButton) -> bool:
    """Press a button; a window that has just come forward takes no notice of it."""
    button.click()
    return True


def window_of(app: QApplication, name: str) -> QWidget | None:
    shown = [widget for widget in app.topLevelWidgets() if widget.isVisible()]
    return next((widget for widget in shown if type(widget).__name__ == name), None)


async def shown(app: QApplication, name: str) -> QWidget:
    await until(lambda: window_of(app, name), SECONDS)
    window = window_of(app, name)
    assert window is not None
    return window


async def test_the_application_asks_beside_its_own_window_and_goes_on(qapp: QApplication) -> None:
    application = asyncio.create_task(load(EXAMPLES / "embedding_app.py").main([]))
    main = await shown(qapp, "MainWindow")
    publish, outcome = find(main, QPushButton, "publish"), find(main, QLabel, "outcome")

    publish.click()
    assert not publish.isEnabled()
    form = await shown(qapp, "AskWindow")
    option = find(form, QAbstractButton, "option:target:production")
    await until(lambda: press(option) and option.isChecked(), SECONDS)
    press(find(form, QAbstractButton, "submit"))
    await until(publish.isEnabled, SECONDS)
    assert outcome.text() == "Published to production."

    await until(lambda: window_of(qapp, "AskWindow") is None, SECONDS)
    publish.click()
    form = await shown(qapp, "AskWindow")
    cancel = find(form, QAbstractButton, "cancel")
    await until(lambda: window_of(qapp, "AskWindow") is None or not press(cancel), SECONDS)
    await until(publish.isEnabled, SECONDS)
    assert "cancelled" in outcome.text()
    main.close()
    await asyncio.wait_for(application, SECONDS)


async def test_closing_the_application_closes_the_form_that_is_open(qapp: QApplication) -> None:
    application = asyncio.create_task(load(EXAMPLES / "embedding_app.py").main([]))
    main = await shown(qapp, "MainWindow")
    find(main, QPushButton, "publish").click()
    await shown(qapp, "AskWindow")
    main.close()
    await asyncio.wait_for(application, SECONDS)
    await until(lambda: window_of(qapp, "AskWindow") is None, SECONDS)


def test_the_application_ends_by_ctrl_c_as_a_process(tmp_path: Path) -> None:
    ready = tmp_path / "ready.py"
    ready.write_text(
        "import asyncio\n"
        "def extension(pi):\n"
        "    asyncio.get_running_loop().call_soon(lambda: print('ready', flush=True))\n",
        encoding="utf-8",
    )
    environ = environment(QT_QPA_PLATFORM="offscreen", PYTHONPATH=str(ROOT))
    command = [sys.executable, str(EXAMPLES / "embedding_app.py"), str(ready)]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
