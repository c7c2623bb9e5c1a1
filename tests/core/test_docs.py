"""What the documents show is there, and works."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_ask.state.normalize import read_form
from pi_ask_qt import ending

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
LINK = re.compile(r"\]\(([^)#:]+)\)")
CODE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code(language: str) -> Iterator[tuple[str, str]]:
    for path in DOCUMENTS:
        for found, text in CODE.findall(path.read_text(encoding="utf-8")):
            if found == language:
                yield path.name, text


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def test_every_python_example_can_be_compiled() -> None:
    examples = list(code("python"))
    assert examples
    for name, text in examples:
        compile(text, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_every_json_example_is_json() -> None:
    examples = list(code("json"))
    assert examples
    for name, text in examples:
        for document in text.strip().split("\n{"):
            whole = document if document.startswith("{") else f"{{{document}"
            assert isinstance(json.loads(whole), dict), name


def test_the_form_of_the_readme_can_be_asked() -> None:
    (text,) = (text for name, text in code("json") if name == "README.md")
    assert read_form(text).issues == ()


def test_the_readme_tells_every_exit_code() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    codes = [value for name, value in vars(ending).items() if name.startswith("EXIT_")]
    assert len(codes) == 7
    for value in codes:
        assert f"| {value} | " in text


def test_the_commands_of_the_readme_are_there_and_can_be_run() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("scripts/demo", "scripts/test"):
        assert f"\n{command} " in text
        assert (ROOT / command).stat().st_mode & 0o111


def test_the_page_about_how_it_is_built_stays_short_and_ends_in_invariants() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert text.rpartition("\n## ")[2].startswith("Invariants\n")
