"""What PySide compiles anew at each start, kept beside this module as Python keeps its own compiled files."""

from __future__ import annotations
import __future__

import builtins
import contextlib
import importlib.util
import marshal
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

# Modules that Shiboken carries in its library, and the one that brings them in; no file holds their code.
_CARRIED = ("shibokensupport/", "signature_bootstrap.py")
_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)

_Key = tuple[str, int, bytes]


@contextlib.contextmanager
def kept_compiled() -> Iterator[None]:
    """Within it, modules that Shiboken carries are compiled once for all starts, as long as their text is the same.

    As with Python's own compiled files, nothing is written for ``PYTHONDONTWRITEBYTECODE``, ``PYTHONPYCACHEPREFIX``
    says where else they are, and one that cannot be read or written costs no more than the time to compile.
    """
    kept = _Kept(builtins.compile, Path(importlib.util.cache_from_source(__file__)).with_suffix(".carried"))
    builtins.compile = kept
    try:
        yield
    finally:
        builtins.compile = kept.compile
        kept.write()


class _Kept:
    """The ``compile`` of :func:`kept_compiled`."""

    def __init__(self, compile_: Callable[..., Any], place: Path) -> None:
        self.compile = compile_
        self._place = place
        self._kept = _read(place)
        self._used: dict[_Key, CodeType] = {}
        self._all_kept = True

    def __call__(self, source: Any, filename: Any, mode: str, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs:
            return self.compile(source, filename, mode, *args, **kwargs)
        # Code is compiled with what its caller imports from the future, and this module would be that caller.
        future = sys._getframe(1).f_code.co_flags & _FUTURE
        if mode != "exec" or not isinstance(source, bytes) or not str(filename).startswith(_CARRIED):
            return self.compile(source, filename, mode, future, True)
        key = (filename, future, importlib.util.source_hash(source))
        code = self._kept.get(key)
        if not isinstance(code, CodeType):
            code = self.compile(source, filename, mode, future, True)
            self._all_kept = False
        self._used[key] = code
        return code

    def write(self) -> None:
        """Keep what was used for the next time, where something of it is not kept already."""
        if sys.dont_write_bytecode or self._all_kept:
            return
        new = self._place.with_name(f"{self._place.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            try:
                new.write_bytes(importlib.util.MAGIC_NUMBER + marshal.dumps(self._used))
                new.replace(self._place)
            finally:
                new.unlink(missing_ok=True)


def _read(place: Path) -> dict[_Key, Any]:
    magic = importlib.util.MAGIC_NUMBER
    try:
        content = place.read_bytes()
        if not content.startswith(magic):
            return {}
        kept = marshal.loads(content[len(magic) :])  # noqa: S302 - this user's own, as a compiled file of Python's
    except (OSError, EOFError, ValueError, TypeError):
        return {}
    return kept if isinstance(kept, dict) else {}
