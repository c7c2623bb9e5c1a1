"""``pi-ask schema`` prints what is published."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from processes import ROOT, environment, run

from pi_ask.schema import SCHEMAS, SchemaName, json_schema


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_printed_as_one_document(name: SchemaName) -> None:
    done = run("schema", name, env=environment())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json_schema(name)
    assert done.stderr == b""


def test_another_name_is_wrong_usage() -> None:
    done = run("schema", "window", env=environment())
    assert done.returncode == 2
    assert b"invalid choice" in done.stderr
    assert done.stdout == b""


def test_neither_qt_nor_pydantic_is_needed_for_it() -> None:
    program = (
        "import sys; from pi_ask_qt.cli import main; main(['schema', 'form'])\n"
        "print([name for name in ('PySide6', 'pydantic', 'asyncio') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stderr.strip() == "[]"
