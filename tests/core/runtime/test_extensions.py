"""Extensions: a file or a callable, and a failure that names the place to look at."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from requirements import proves

from pi_ask.errors import ExtensionError
from pi_ask.runtime.tool import PiAsk

GOOD = (
    "from pi_ask import STARTED\n\n\ndef extension(pi):\n    pi.events.on(STARTED, print)\n    pi.loaded = __file__\n"
)

FAILING: dict[str, tuple[str, int, str]] = {
    "syntax": ("\n\ndef extension(pi:\n    pass\n", 3, "SyntaxError"),
    "indentation": ("def extension(pi):\npass\n", 2, "IndentationError"),
    "raises when imported": ("x = 1\nraise ValueError('on import')\n", 2, "ValueError: on import"),
    "import that is missing": ("\nimport no_such_module\n", 2, "No module named 'no_such_module'"),
    "raises when called": (
        "def extension(pi):\n    pi.x = 1\n    raise KeyError('in call')\n",
        3,
        "KeyError: 'in call'",
    ),
    "raises deeper": ("import json\ndef extension(pi):\n    json.loads('[')\n", 3, "JSONDecodeError"),
    "raises in a helper": ("def helper():\n    1 / 0\ndef extension(pi):\n    helper()\n", 2, "ZeroDivisionError"),
    "reads a missing file": ("def extension(pi):\n    open('/nowhere/at/all')\n", 2, "FileNotFoundError"),
    "exits": ("import sys\ndef extension(pi):\n    sys.exit(3)\n", 3, "SystemExit: 3"),
    "exits when imported": ("raise SystemExit\n", 1, "SystemExit"),
    "no function": ("def extend(pi): ...\n", 1, "define one"),
    "no function but a value": ("extension = 5\n", 1, "define one"),
    "empty": ("", 1, "define one"),
    "takes nothing": ("def extension():\n    pass\n", 1, "TypeError"),
}


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "my_extension.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def failure(source: Any, cwd: Path) -> str:
    with pytest.raises(ExtensionError) as caught:
        PiAsk(cwd=cwd).load_extension(source)
    return str(caught.value)


@proves("extension-loads")
def test_a_file_is_loaded_by_its_path_absolute_or_relative_to_the_folder(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    for source in (path, str(path), "my_extension.py", Path("my_extension.py"), "./my_extension.py"):
        pi: Any = PiAsk(cwd=tmp_path)
        pi.load_extension(source)
        assert Path(pi.loaded) == path


@proves("extension-loads")
def test_a_callable_is_called_with_the_core() -> None:
    pi, seen = PiAsk(), list[tuple[Any, ...]]()

    class Extension:
        def __init__(self, core: PiAsk) -> None:
            seen.append(("class", core))

        def __call__(self, core: PiAsk) -> None:
            seen.append(("object", core))

    for extension in (
        lambda core: seen.append(("lambda", core)),
        partial(lambda name, core: seen.append((name, core)), "partial"),
    ):
        pi.load_extension(extension)
    pi.load_extension(Extension)
    pi.load_extension(Extension(pi))
    assert seen == [(name, pi) for name in ("lambda", "partial", "class", "class", "object")]


def test_two_files_of_one_name_are_two_modules(tmp_path: Path) -> None:
    pi: Any = PiAsk()
    pi.seen = []
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        pi.load_extension(written(tmp_path / str(number), f"N = {number}\ndef extension(pi):\n    pi.seen.append(N)\n"))
    assert pi.seen == [1, 2]


@proves("extension-loads")
@pytest.mark.parametrize(("text", "line", "message"), FAILING.values(), ids=FAILING)
def test_a_file_that_fails_names_itself_the_line_and_the_error(
    text: str, line: int, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, text)
    before = set(sys.modules)
    told = failure(path, tmp_path)
    assert told.startswith(f"{path}:{line}: ")
    assert message in told
    assert "\n" not in told
    assert {
        name for name in set(sys.modules) - before if text.startswith("raise") and name.startswith("pi_ask_ext")
    } == set()


@pytest.mark.parametrize("content", [b"x = '\xff'\n", b"def extension(pi): ...\n\x00"], ids=["no UTF-8", "NUL"])
def test_a_file_that_is_no_python_text_names_itself(content: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    assert failure(path, tmp_path).startswith(f"{path}:")


@proves("extension-loads")
def test_a_path_that_is_no_python_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "notes.txt").write_text(GOOD)
    assert failure("missing.py", tmp_path) == f"{tmp_path / 'missing.py'}: cannot be read: No such file or directory"
    assert failure("folder.py", tmp_path) == f"{tmp_path / 'folder.py'}: cannot be read: Is a directory"
    for name in ("notes.txt", "."):
        assert "ends in .py" in failure(name, tmp_path)


@proves("extension-loads")
def test_a_coroutine_function_is_refused_with_what_to_change(tmp_path: Path) -> None:
    path = written(tmp_path, "async def extension(pi):\n    pass\n")
    assert failure(path, tmp_path).startswith(f"{path}:")

    async def extension(pi: PiAsk) -> None:
        raise AssertionError(pi)

    for source in (path, extension):
        assert "must be a plain function" in failure(source, tmp_path)


@proves("extension-loads")
def test_a_callable_that_fails_names_the_file_and_line_in_which_it_stands(tmp_path: Path) -> None:
    def extension(pi: PiAsk) -> None:
        raise ValueError(pi.mode)

    line = extension.__code__.co_firstlineno + 1
    assert failure(extension, tmp_path) == f"{__file__}:{line}: ValueError: rpc"
    assert "ZeroDivisionError" in failure(partial(lambda _, __: 1 / 0, 0), tmp_path)
    assert "TypeError" in failure(lambda: None, tmp_path)


@pytest.mark.parametrize("source", [None, 5, b"x.py", ["x.py"]])
def test_what_is_neither_path_nor_callable_is_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError, match="path of a Python file or a callable"):
        PiAsk().load_extension(source)
