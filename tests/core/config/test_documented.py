"""What the document about the configuration says is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pi_ask import AskConfig
from pi_ask.config.document import read_document, settings_of
from pi_ask.config.keymaps import parse_key

TEXT = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table under ``heading``, without its head."""
    lines = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()
    table = [line for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[2:]]


def test_every_setting_is_there_with_its_default() -> None:
    documented = {CODE.findall(row[0])[0]: json.loads(CODE.findall(row[2])[0]) for row in rows("Settings")}
    settings = {name: value for name, value in settings_of(AskConfig()).items() if not name.startswith("keymaps.")}
    assert documented == settings


def test_every_action_is_there_with_its_keys() -> None:
    documented: dict[str, Any] = {}
    for row in rows("Keys"):
        actions = (CODE.findall(part) for part in row[2].split(" · "))
        documented[CODE.findall(row[0])[0]] = {action: tuple(keys) for action, *keys in actions}
    assert documented == AskConfig().keymaps.contexts()


def test_every_name_of_a_key_is_one() -> None:
    names = TEXT.split("### The names of keys\n")[1].split("\nCapitals")[0]
    found = [name for name in CODE.findall(names) if name not in {"ctrl", "shift", "alt", "super"}]
    assert len(found) > 20
    for name in found:
        assert parse_key(name) == ("+" if name == "plus" else name)


@pytest.mark.parametrize("example", re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))
def test_every_example_counts(example: str) -> None:
    config, notices = read_document(json.loads(example))
    assert notices == ()
    assert config != AskConfig()
