"""The bridge for Pi, run by Node with the real helper and a real resident."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers import form, question
from processes import ROOT, environment, run
from requirements import proves
from residents import Resident

from pi_ask import AskResult, PiAsk
from pi_ask.models import AskQuestion
from pi_ask.runtime.external_ui import ExternalAskProvider
from pi_ask.state.answers import check_response
from pi_ask.state.normalize import read_form
from pi_ask.state.result import build_result

SOURCES = ROOT / "resources" / "pi-bridge"
TESTS = ROOT / "tests" / "pi_bridge"

NODE, NPM = shutil.which("node"), shutil.which("npm")
needs_node = pytest.mark.skipif(
    NODE is None or NPM is None, reason="Node and npm are not installed; the bridge for Pi runs in Node"
)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bridge, its tests beside it, with what lets an older Node read TypeScript."""
    assert NPM is not None
    folder = tmp_path_factory.mktemp("pi-bridge")
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    shutil.copytree(TESTS, folder / "tests")
    done = subprocess.run(
        [NPM, "install", "--no-audit", "--no-fund"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    if done.returncode != 0 and not os.environ.get("CI"):
        pytest.skip(f"npm could not install what these tests need: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr
    return folder


def node(workshop: Path, *arguments: str, env: Mapping[str, str] | None = None, given: str = "") -> Any:
    assert NODE is not None
    return subprocess.run(
        [NODE, "--import", str(workshop / "tests" / "strip.mjs"), *arguments],
        env={**environment(), "BRIDGE": str(workshop), **(env or {})},
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )


@needs_node
@proves("pi-bridge")
@pytest.mark.timeout(180)
def test_the_bridge_does_in_node_what_it_promises(workshop: Path, tmp_path: Path) -> None:
    command = tmp_path / "pi-ask"
    pids = tmp_path / "pids"
    pids.touch()
    command.write_text(f'#!/bin/sh\necho $$ >> "{pids}"\nexec "{sys.executable}" -m pi_ask_qt "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    with Resident(folder) as resident:
        env = {
            "PI_ASK_COMMAND": str(command),
            "PI_ASK_SOCKET": str(resident.path),
            "PIDS": str(pids),
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        }
        done = node(workshop, "--test", str(workshop / "tests" / "bridge.test.mjs"), env=env)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "# pass 13" in done.stdout


# --- from a result to a response --------------------------------------------------------------------------------------

FORM = form(
    question("s", "a", "b"),
    question("m", "a", "b", "c", type="multi"),
    {**question("p"), "type": "preview", "options": [{"value": "x", "preview": "1"}, {"value": "y", "preview": "2"}]},
    question("constructor", "__proto__", "toString"),
)
ANSWERS: list[dict[str, Any]] = [
    {},
    {"s": {"values": ["b"]}},
    {"s": {"customText": "a"}, "p": {"customText": " x "}},
    {"m": {"values": ["c", "a"]}, "p": {"values": ["y"]}},
    {"m": {"values": ["b"], "customText": "own\nwords"}, "constructor": {"values": ["__proto__"]}},
    {"s": {"note": "why?"}, "m": {"optionNotes": {"a": "hm"}}},
    {"s": {"values": ["a"], "note": "n", "optionNotes": {"a": "chosen", "b": "not chosen"}}},
    {"constructor": {"values": ["toString"], "optionNotes": {"__proto__": "x", "toString": "y"}}},
]
RESPONSES = [
    {"kind": "answer", "mode": mode, "answers": answers} for mode in ("submit", "elaborate") for answers in ANSWERS
]
QUESTIONS = read_form(FORM).questions


def converted(workshop: Path, results: Sequence[AskResult], questions: Sequence[AskQuestion] = QUESTIONS) -> list[Any]:
    """Return what the bridge makes of ``results``."""
    wire = [question.to_wire() for question in questions]
    given = json.dumps([[wire, result.to_wire()] for result in results])
    done = node(workshop, str(workshop / "tests" / "convert.mjs"), given=given)
    assert done.returncode == 0, done.stderr
    responses: list[Any] = json.loads(done.stdout)
    return responses


def resulting(response: Mapping[str, Any]) -> AskResult:
    """Return the result of ``response``, by the core's own rules."""
    return build_result(QUESTIONS, check_response(QUESTIONS, response), title=None)


@needs_node
def test_the_same_result_comes_of_a_response_that_went_through_the_bridge(workshop: Path) -> None:
    results = [resulting(response) for response in RESPONSES]
    for result, response in zip(results, converted(workshop, results), strict=True):
        assert resulting(response) == result


@needs_node
async def test_a_cancel_stays_a_cancel(workshop: Path) -> None:
    async with PiAsk(mode="tui", native_ui=ExternalAskProvider(id="n", open=lambda _: {"kind": "cancel"})) as pi:
        result = await pi.ask_user(FORM)
    assert converted(workshop, [result.details]) == [{"kind": "cancel"}]


@needs_node
def test_many_choices_where_pi_asked_for_one_go_back_as_words(workshop: Path) -> None:
    answers = {"s": {"values": ["b", "a"], "customText": "both"}, "p": {"values": ["x", "y"], "note": "n"}}
    types = {"s": "multi", "p": "multi"}
    changed = resulting({"kind": "answer", "answers": answers, "presentedTypes": types})
    (response,) = converted(workshop, [changed])
    assert response["answers"]["s"] == {"values": [], "customText": "B; A; both"}
    assert response["answers"]["p"] == {"values": [], "customText": "X; Y", "note": "n"}
    assert resulting(response).answers["s"].custom_text == "B; A; both"


def test_the_command_says_where_the_bridge_is() -> None:
    done = run("pi-bridge", env=environment())
    assert done.returncode == 0
    folder = Path(done.stdout.decode().strip())
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    (extension,) = manifest["pi"]["extensions"]
    assert (folder / extension).is_file()
