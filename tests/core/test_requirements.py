"""The ledger and the tests agree: each requirement has a test, and each test names requirements that exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import requirements
from requirements import REQUIREMENTS, Requirement

TESTS = Path(__file__).parents[1]


def proved_ids(path: Path) -> Iterator[str]:
    """Yield the ids in every ``proves("…")`` of a file, whether or not its tests run today."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "proves":
            yield from (
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            )


def proved() -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for id_ in proved_ids(path):
            places.setdefault(id_, []).append(path.name)
    return places


def test_every_requirement_is_proved_by_a_test() -> None:
    assert sorted(REQUIREMENTS.keys() - proved().keys()) == []


def test_every_id_that_a_test_names_is_in_the_ledger() -> None:
    unknown = {id_: files for id_, files in proved().items() if id_ not in REQUIREMENTS}
    assert unknown == {}


def test_no_id_stands_in_two_parts_of_the_ledger() -> None:
    parts = [part for part in vars(requirements).values() if isinstance(part, dict) and part is not REQUIREMENTS]
    ids = [id_ for part in parts for id_, entry in part.items() if isinstance(entry, Requirement)]
    assert len(ids) == len(set(ids)) == len(REQUIREMENTS)
