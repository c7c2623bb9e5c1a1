"""Loading extensions: a Python file with a function ``extension(pi)``, or such a function itself."""

from __future__ import annotations

import importlib.util
import inspect
import itertools
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pi_ask.errors import ExtensionError

if TYPE_CHECKING:
    from pi_ask.runtime.tool import PiAsk

Extension = Callable[["PiAsk"], object]

_numbers = itertools.count(1)


def load_extension(pi: PiAsk, source: str | os.PathLike[str] | Extension) -> None:
    """Run the extension in ``source`` with ``pi``.

    Raises:
        ExtensionError: it cannot be loaded or fails; the message names file and line.
    """
    if callable(source):
        _run(source, pi, _where_defined(source))
        return
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"an extension is the path of a Python file or a callable, not {type(source).__name__}")
    path = pi.cwd / Path(source)
    module = _import_file(path)
    extension = getattr(module, "extension", None)
    if not callable(extension):
        raise ExtensionError(f"{path}:1: there is no function extension(pi) in this file; define one")
    _run(extension, pi, path)


def _import_file(path: Path) -> ModuleType:
    name = f"pi_ask_extension_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ExtensionError(f"{path}: an extension is a Python file whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _failure(error, path) from error
    return module


def _run(extension: Callable[..., Any], pi: PiAsk, path: Path | None) -> None:
    try:
        returned = extension(pi)
    except (Exception, SystemExit) as error:
        raise _failure(error, path) from error
    if inspect.iscoroutine(returned):
        returned.close()
        raise ExtensionError(f"{path or extension!s}: extension(pi) must be a plain function, not a coroutine function")


def _failure(error: BaseException, path: Path | None) -> ExtensionError:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if path is not None and frame.filename == str(path)]
    if isinstance(error, OSError) and path is not None and not own:
        return ExtensionError(f"{path}: cannot be read: {error.strerror or error}")
    what = traceback.format_exception_only(error)[-1].strip()
    return ExtensionError(f"{_place(error, path, own or frames)}: {what}")


def _place(error: BaseException, path: Path | None, frames: Sequence[traceback.FrameSummary]) -> str:
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}:{error.lineno or 1}"
    if path is not None and frames[-1].filename != str(path):
        return f"{path}:1"  # the file could not even be compiled
    return f"{frames[-1].filename}:{frames[-1].lineno}"


def _where_defined(source: Callable[..., Any]) -> Path | None:
    code = getattr(source, "__code__", None)
    return Path(code.co_filename) if code is not None else None
