"""What PySide compiles at each start, kept for the next one."""

from __future__ import annotations

import builtins
import importlib.util
import marshal
import os
import subprocess
import sys
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from pi_ask_qt import compiled
from pi_ask_qt.compiled import kept_compiled

_NAME = "shibokensupport/made_up.py"
_START = """\
import sys
compiled = []
sys.addaudithook(lambda event, given: event == "compile" and compiled.append(str(given[1])))
from pi_ask_qt.commands.screen import load_app
assert load_app() is not None
print(sorted(name for name in compiled if name.startswith("shibokensupport")))
from PySide6.QtCore import QPoint
try:
    QPoint("no", "numbers")
except TypeError as error:
    print(repr(str(error)))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where what was compiled is kept."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "compiled.py"))
    return Path(importlib.util.cache_from_source(str(tmp_path / "compiled.py"))).with_suffix(".carried")


def run(source: bytes = b"value = 1", name: str = _NAME) -> dict[str, Any]:
    """Compile within a start, and return the names that the code sets."""
    with kept_compiled():
        code = compile(source, name, "exec")
    return names_of(code)


def names_of(code: CodeType, **given: Any) -> dict[str, Any]:
    """Run ``code``, which knows the names in ``given``, and return the names that it leaves."""
    FunctionType(code, given)()
    return given


class Counted:
    """Python's own ``compile``, and what it was asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.real = builtins.compile
        self.names: list[str] = []
        monkeypatch.setattr(builtins, "compile", self)

    def __call__(self, source: Any, filename: str, *args: Any, **kwargs: Any) -> Any:
        self.names.append(filename)
        return self.real(source, filename, *args, **kwargs)


def start(**environ: str) -> list[str]:
    """Bring up Qt in a process of its own; return what of Shiboken's it compiled, and a signature that this gives."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", _START],
        env={**inherited, "QT_QPA_PLATFORM": "offscreen", **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_second_start_compiles_nothing_of_shibokens_and_knows_the_same(tmp_path: Path) -> None:
    first, signature = start(PYTHONPYCACHEPREFIX=str(tmp_path))
    assert "mapping.py" in first
    assert len(list(tmp_path.rglob("*.carried"))) == 1
    assert start(PYTHONPYCACHEPREFIX=str(tmp_path)) == ["[]", signature]
    assert "int" in signature


def test_a_start_that_is_to_write_no_byte_code_writes_none_and_reads_what_is_there(tmp_path: Path) -> None:
    to_write_none = {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    assert "mapping.py" in start(**to_write_none)[0]
    assert not list(tmp_path.rglob("*"))
    start(PYTHONPYCACHEPREFIX=str(tmp_path))
    assert start(**to_write_none)[0] == "[]"


def test_the_same_text_is_compiled_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    assert run()["value"] == run()["value"] == 1
    assert counted.names == [_NAME]
    assert place.is_file()
    assert list(place.parent.iterdir()) == [place]


@pytest.mark.usefixtures("place")
def test_another_text_is_compiled_and_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    assert [run(b"value = %d" % number)["value"] for number in (1, 2, 2, 1)] == [1, 2, 2, 1]
    assert counted.names == [_NAME] * 3


@pytest.mark.usefixtures("place")
def test_code_of_anybody_else_is_compiled_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    for _ in range(2):
        assert run(name="somebody.py")["value"] == 1
        with kept_compiled():
            assert FunctionType(compile("1 + 1", _NAME, "eval"), {})() == 2
            assert FunctionType(compile(b"1 + 1", _NAME, mode="eval", flags=0), {})() == 2
    assert len(counted.names) == 6


@pytest.mark.parametrize("name", [_NAME, "somebody.py"])
@pytest.mark.usefixtures("place")
def test_what_the_caller_imports_from_the_future_holds(name: str) -> None:
    source = b"def call(a: int): ...\nvalue = call.__annotations__"
    assert run(source, name)["value"] == {"a": "int"}
    without = compile("code = compile(source, name, 'exec')", "caller.py", "exec", dont_inherit=True)
    with kept_compiled():
        code = names_of(without, source=source, name=name)["code"]
    assert names_of(code)["value"] == {"a": int}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        importlib.util.MAGIC_NUMBER,
        importlib.util.MAGIC_NUMBER + b"garbage",
        importlib.util.MAGIC_NUMBER + marshal.dumps([1, 2]),
        importlib.util.MAGIC_NUMBER
        + marshal.dumps({(_NAME, 0x1000000, importlib.util.source_hash(b"value = 1")): "no code"}),
        b"\0\0\0\0" + marshal.dumps({}),
    ],
)
def test_a_file_that_cannot_be_read_is_written_anew(
    content: bytes, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.parent.mkdir()
    place.write_bytes(content)
    counted = Counted(monkeypatch)
    assert run()["value"] == run()["value"] == 1
    assert counted.names == [_NAME]


def test_where_nothing_can_be_written_all_is_compiled(place: Path) -> None:
    place.parent.write_text("no folder")
    assert run()["value"] == run()["value"] == 1
    assert place.parent.read_text() == "no folder"


def test_python_has_its_own_compile_afterwards_whatever_happened(place: Path) -> None:
    own = builtins.compile
    with pytest.raises(SyntaxError), kept_compiled():
        compile(b"value =", _NAME, "exec")
    assert builtins.compile is own
    assert not place.exists()
