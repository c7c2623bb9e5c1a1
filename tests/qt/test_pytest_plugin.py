"""The plugin in projects of its users, which know nothing of this one but its wheel."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from processes import ROOT, environment, wait_for, x_server
from requirements import proves
from wheels import run_python

EXAMPLE = ROOT / "examples" / "tested-agent"
# Nothing is left in the folder, and pytest-asyncio, which wants settings of its own, has to be asked for.
APART = ("-p", "no:cacheprovider", "-p", "no:asyncio")
HEAVY = ("PySide6", "pydantic", "asyncio", "qasync", "pi_ask", "pi_ask_qt.testing", "pi_ask_qt.display")
FORM = """
FORM = {"title": "Release", "questions": [{"id": "q", "prompt": "?", "options": [{"value": "a"}, {"value": "b"}]}]}
"""
PLAIN = f"""
import asyncio
{FORM}

async def test_asks(ask_desk):
    form = await ask_desk.ask(FORM)
    form.choose("q", "b").note("q", "n", option="b").submit()
    assert (await form.result()).answers["q"].values == ("b",)

class TestClass:
    async def test_in_a_class(self, ask_desk, tmp_path):
        form = await ask_desk.ask(FORM)
        form.cancel()
        assert (await form.call).outcome == "cancelled"

async def test_leaves_a_form_open(ask_desk):
    await ask_desk.ask(FORM)
    await ask_desk.ask(FORM)

def test_is_no_coroutine(ask_desk):
    ask_desk.fill_in(lambda form: form.choose("q", "a").submit())
    assert ask_desk.run(ask_desk.pi.ask_user(FORM)).outcome == "answered"
"""


class Project:
    """A project of somebody's, with one file of tests."""

    def __init__(self, folder: Path, own_python: Path) -> None:
        self.folder = folder
        self.python = own_python

    def pytest(self, tests: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Write the tests and run them, with every warning an error."""
        (self.folder / "test_it.py").write_text(tests, encoding="utf-8")
        (self.folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        options = ("-W", "error", "-m", "pytest", "-q", *APART, *arguments)
        return run_python(self.python, *options, cwd=self.folder, **variables)

    def passes(self, tests: str, count: int, *arguments: str, **variables: str) -> None:
        """Check that all of the tests pass, and that nothing is left to say."""
        done = self.pytest(tests, *arguments, **variables)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{count} passed in" in done.stdout
        assert done.stderr == ""


@pytest.fixture
def project(tmp_path: Path, own_python: Path) -> Project:
    return Project(tmp_path, own_python)


# --- the example ------------------------------------------------------------------------------------------------------


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The example, copied away from this checkout."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "agent", ignore=shutil.ignore_patterns("__pycache__", ".*")))


@proves("testing-example", "testing-plugin")
def test_the_examples_suite_passes_against_the_wheel_without_a_screen(own_python: Path, example: Path) -> None:
    done = run_python(own_python, "-m", "pytest", "-v", *APART, cwd=example)
    assert done.returncode == 0, done.stdout + done.stderr
    count = (example / "tests" / "test_release_agent.py").read_text(encoding="utf-8").count("def test_")
    assert done.stdout.count(" PASSED ") >= count
    assert "FAILED" not in done.stdout
    where = run_python(own_python, "-c", "import pi_ask_qt; print(pi_ask_qt.__file__)", cwd=example).stdout
    assert Path(where.strip()).is_relative_to(own_python.parents[1])


@proves("testing-example")
def test_the_examples_tests_notice_an_agent_that_does_not_ask(own_python: Path, example: Path) -> None:
    agent = example / "release_agent.py"
    text = agent.read_text(encoding="utf-8")
    careless = text.replace("not await _is_sure(pi, version)", "False")
    assert careless != text
    agent.write_text(careless, encoding="utf-8")
    done = run_python(own_python, "-m", "pytest", "-q", *APART, cwd=example)
    assert done.returncode == 1
    assert "no form came; the program returned '4.2 was published to stable'" in done.stdout


@proves("testing-example")
def test_the_example_is_typed_strictly_by_what_the_wheel_says(own_python: Path, example: Path) -> None:
    (example / "wrong.py").write_text(
        "from pi_ask_qt.testing import AskDriver\n"
        "async def test(driver: AskDriver) -> int:\n"
        "    reveal_type(driver.choose('q', 'a').note('q', 'n', option='a'))\n"
        "    reveal_type(await driver.result())\n"
        "    driver.choose('q', 1)\n"
        "    return driver.shown()\n",
        encoding="utf-8",
    )
    options = ("-m", "mypy", "--strict", "--cache-dir", os.devnull, "--python-executable", str(own_python))
    good = run_python(own_python, *options, "release_agent.py", "tests", cwd=example)
    assert good.returncode == 0, good.stdout
    told = run_python(own_python, *options, "wrong.py", cwd=example).stdout
    for line in (
        'Revealed type is "pi_ask_qt.testing.driver.AskDriver"',
        'Revealed type is "pi_ask.models.AskResult"',
        'Argument 2 to "choose" of "AskDriver" has incompatible type "int"',
        'Incompatible return value type (got "str", expected "int")',
    ):
        assert line in told


# --- beside other plugins ---------------------------------------------------------------------------------------------


@proves("testing-plugin")
@pytest.mark.parametrize(
    "without", [(), ("pytest-qt",), ("anyio",), ("pytest-qt", "anyio", "timeout", "hypothesispytest")], ids=str
)
def test_tests_just_run_whatever_other_plugins_are_there(project: Project, without: tuple[str, ...]) -> None:
    project.passes(PLAIN, 4, *[part for name in without for part in ("-p", f"no:{name}")])


@proves("testing-plugin")
def test_the_plugin_is_there_by_its_entry_point(project: Project) -> None:
    assert "ask_desk -- " in project.pytest("", "--fixtures", "-v").stdout.replace(" [function scope]", "")
    gone = project.pytest(PLAIN, "-p", "no:pi-ask")
    assert "fixture 'ask_desk' not found" in gone.stdout


@proves("testing-plugin")
def test_a_display_that_is_dead_is_none(project: Project) -> None:
    project.passes(PLAIN, 4, DISPLAY=":9876", WAYLAND_DISPLAY="gone-0")


@proves("testing-plugin")
@pytest.mark.parametrize("without", ["pytest-qt", "nothing"])
def test_windows_are_seen_where_there_is_a_screen(project: Project, without: str) -> None:
    tests = f"""
from PySide6.QtGui import QGuiApplication
{PLAIN}

async def test_is_seen(ask_desk):
    await ask_desk.ask(FORM)
    assert QGuiApplication.platformName() == "xcb"
"""
    with x_server() as display:
        project.passes(tests, 5, "-p", f"no:{without}", DISPLAY=display)


@proves("testing-plugin")
def test_an_application_that_pytest_qt_makes_first_finds_no_screen_and_does_without(project: Project) -> None:
    tests = f"""
from PySide6.QtWidgets import QApplication, QLabel
{FORM}

async def test_with_widgets_of_their_own(qtbot, qapp, ask_desk):
    label = QLabel("theirs")
    qtbot.addWidget(label)
    label.show()
    form = await ask_desk.ask(FORM)
    label.close()
    await form.choose("q", "a").submit().result()
    assert type(qapp) is QApplication

def test_their_application_is_as_it_was(qapp):
    assert qapp.quitOnLastWindowClosed()
"""
    project.passes(tests, 2)


@proves("testing-plugin", "testing-loops")
def test_anyio_runs_the_tests_that_are_its_own_on_the_loop_of_their_fixtures(project: Project) -> None:
    tests = f"""
import asyncio
import anyio
import pytest
{FORM}

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.fixture
async def loop(anyio_backend):
    yield asyncio.get_running_loop()

@pytest.mark.anyio
async def test_of_anyio(ask_desk, loop):
    assert asyncio.get_running_loop() is loop
    answers = []
    async def agent():
        answers.append((await ask_desk.pi.ask_user(FORM)).details.answers["q"].values)
    async with anyio.create_task_group() as group:
        group.start_soon(agent)
        (await ask_desk.wait_for_form()).choose("q", "b").submit()
    assert answers == [("b",)]

@pytest.mark.anyio
async def test_of_anyio_that_leaves_forms_open(loop, ask_desk):
    await ask_desk.ask(FORM)

async def test_of_nobody(ask_desk):
    await (await ask_desk.ask(FORM)).submit().result()
"""
    project.passes(tests, 3)


@proves("testing-plugin", "testing-loops")
@pytest.mark.skipif(importlib.util.find_spec("pytest_asyncio") is None, reason="pytest-asyncio is not installed")
@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_pytest_asyncio_runs_the_tests_that_are_its_own_on_the_loop_of_their_fixtures(
    project: Project, mode: str
) -> None:
    tests = f"""
import asyncio
import pytest
import pytest_asyncio
{FORM}

@pytest_asyncio.fixture
async def loop():
    yield asyncio.get_running_loop()

@pytest.mark.asyncio
async def test_with_an_async_fixture(ask_desk, loop):
    assert asyncio.get_running_loop() is loop
    form = await ask_desk.ask(FORM)
    await form.choose("q", "b").note("q", "n").submit().result()

@pytest.mark.asyncio(loop_scope="session")
async def test_leaves_a_form_open_on_a_loop_that_goes_on(ask_desk):
    await ask_desk.ask(FORM)

@pytest.mark.asyncio(loop_scope="session")
async def test_of_the_same_loop(ask_desk):
    await (await ask_desk.ask(FORM)).submit().result()

async def test_without_a_mark(ask_desk):
    await (await ask_desk.ask(FORM)).submit().result()
"""
    options = ("-p", "asyncio", "-o", f"asyncio_mode={mode}", "-o", "asyncio_default_fixture_loop_scope=function")
    project.passes(tests, 4, *options)


@proves("testing-plugin")
def test_a_project_gives_the_desk_a_configuration(project: Project) -> None:
    tests = f"""
import pytest
from pi_ask import AskConfig
{FORM}

@pytest.fixture
def ask_desk_config():
    settings = {{"behaviour": {{"presentSingleAsMulti": True}}, "desktop": {{"inputGuardMs": 900}}}}
    return AskConfig.model_validate(settings)

async def test_many(ask_desk):
    form = await ask_desk.ask(FORM)
    assert (await form.choose("q", "a", "b").submit().result()).answers["q"].values == ("a", "b")
"""
    project.passes(tests, 1)


# --- what fails -------------------------------------------------------------------------------------------------------


@proves("testing-errors")
def test_a_test_that_fails_shows_its_own_line_and_what_was_on_the_screen(project: Project) -> None:
    tests = f"""
{FORM}

async def test_it(ask_desk):
    form = await ask_desk.ask(FORM)
    form.choose("q", "c").submit()
"""
    done = project.pytest(tests)
    assert done.returncode == 1
    for line in (
        '>       form.choose("q", "c").submit()',
        "AskDriverError: question 'q' has no option 'c'; there are 'a', 'b'",
        "E       on the screen is:",
        "E       > q (single): ?",
        "E           [ ] b: B",
        "test_it.py:8: AskDriverError",
    ):
        assert line in done.stdout
    assert "reach.py" not in done.stdout
    assert "driver.py" not in done.stdout


@proves("testing-scripts")
def test_a_script_that_fails_fails_the_test_though_the_program_forgives_it(project: Project) -> None:
    tests = f"""
from pi_ask import ExternalUIError
{FORM}

async def forgiving(pi):
    try:
        return await pi.ask_user(FORM)
    except ExternalUIError:
        return None

async def test_it(ask_desk):
    ask_desk.fill_in(lambda form: form.choose("q", "c").submit())
    assert await forgiving(ask_desk.pi) is None
"""
    done = project.pytest(tests)
    assert done.returncode == 1
    assert "question 'q' has no option 'c'" in done.stdout
    assert "1 failed" in done.stdout


@proves("testing-plugin")
def test_a_test_that_nobody_answers_ends_and_says_what_was_on_the_screen(project: Project) -> None:
    tests = f"{FORM}\nasync def test_it(ask_desk):\n    await ask_desk.pi.ask_user(FORM)\n"
    done = project.pytest(tests, "-o", "ask_desk_timeout=0.3")
    assert done.returncode == 1
    assert "it has not ended within 0.3 s; in front is:" in done.stdout
    assert "E       Release" in done.stdout
    assert ">       await ask_desk.pi.ask_user(FORM)" in done.stdout or ">   await ask_desk.pi" in done.stdout


@proves("testing-plugin")
@pytest.mark.parametrize("method", ["signal", "thread"])
def test_the_time_out_of_another_plugin_is_seen_while_the_window_waits(project: Project, method: str) -> None:
    tests = f"{FORM}\nasync def test_it(ask_desk):\n    await ask_desk.pi.ask_user(FORM)\n"
    done = project.pytest(tests, "--timeout=1", f"--timeout-method={method}")
    assert done.returncode == 1
    assert "Timeout" in done.stdout + done.stderr


@proves("testing-plugin")
def test_ctrl_c_is_seen_while_the_window_waits(project: Project) -> None:
    tests = f"""
import pathlib
{FORM}

async def test_it(ask_desk):
    await ask_desk.ask(FORM)
    pathlib.Path("shown").touch()
    await ask_desk.pi.ask_user(FORM)
"""
    (project.folder / "test_it.py").write_text(tests, encoding="utf-8")
    with subprocess.Popen(
        [str(project.python), "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project.folder,
        env={name: value for name, value in environment().items() if not name.startswith(("COV", "PYTHON"))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        wait_for((project.folder / "shown").exists)
        sent = time.monotonic()
        running.send_signal(signal.SIGINT)
        told, _ = running.communicate(timeout=20)
    assert time.monotonic() - sent < 5
    assert running.returncode == 2
    assert "KeyboardInterrupt" in told


# --- what it costs ----------------------------------------------------------------------------------------------------


@proves("testing-lazy")
def test_pytest_starts_without_anything_that_the_plugin_needs_later(project: Project) -> None:
    tests = f"""
import sys

def test_it(request):
    assert request.config.pluginmanager.has_plugin("pi-ask")
    assert not [name for name in {HEAVY} if name in sys.modules]
"""
    others = ("pytest-qt", "anyio", "timeout", "hypothesispytest", "pytest_cov", "xdist", "langsmith_plugin")
    project.passes(tests, 1, *[part for name in others for part in ("-p", f"no:{name}")])


@proves("testing-lazy")
def test_the_plugin_imports_pytest_and_what_that_has_imported_already(own_python: Path, tmp_path: Path) -> None:
    program = (
        "import sys, pytest, _pytest.config, _pytest.python\n"
        "before = set(sys.modules)\n"
        "import pi_ask_qt.pytest_plugin\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = run_python(own_python, "-c", program, cwd=tmp_path)
    assert done.stdout.split() == ["pi_ask_qt", "pi_ask_qt.pytest_plugin"], done.stderr
