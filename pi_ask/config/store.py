"""The configuration file: read with patience, written with care."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pi_ask.config.schema import SCHEMA_VERSION, AskConfig, KeymapsConfig
from pi_ask.errors import ConfigError
from pi_ask.files import FileError, read_regular
from pi_ask.state.raw import kind_of

ENVIRONMENT_VARIABLE = "PI_ASK_CONFIG"
MAX_CONFIG_BYTES = 1024 * 1024

_TEMPORARY_PREFIX = ".pi-ask-config-"
_STALE_SECONDS = 60
_MAX_REPAIRS = 200
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH

Listener = Callable[["LoadedConfig"], object]


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """What a file came to: the configuration to use, and a notice for everything in it that does not count."""

    config: AskConfig
    notices: tuple[str, ...] = ()
    usable: bool = True


class ConfigStore:
    """One configuration file. ``path``: the file, else ``PI_ASK_CONFIG``, else the user's configuration folder.

    Whatever is in the file, reading it never fails and never changes it.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, environ: Mapping[str, str] | None = None) -> None:
        self.path = Path(path).absolute() if path is not None else default_path(environ)
        self.current = LoadedConfig(AskConfig())
        self._seen: object = None
        self._listeners: dict[object, Listener] = {}

    def load(self) -> LoadedConfig:
        """Read the file; a missing one means defaults. Listeners hear of a change."""
        self._seen = self._signature()
        self._use(self._read())
        return self.current

    def changed(self) -> bool:
        """Return whether the file looks different from when it was last read or written."""
        return self._signature() != self._seen

    def save(self, changes: Mapping[str, Any]) -> LoadedConfig:
        """Write ``changes`` (``{"behaviour.showFooterHints": False}``) into the file; all else in it stays.

        Raises:
            ConfigError: the file is broken, from the future, read-only or cannot be written; nothing was changed.
        """
        raw, problem = self._raw()
        if problem is not None:
            raise ConfigError(f"{self.path} is left as it is: {problem}. Mend or remove it, then try again.")
        document = AskConfig().to_wire() if raw is None else raw
        for place, value in changes.items():
            _put(document, place.split("."), value)
        config = _checked(document)
        if config.notices and not self.current.notices:
            raise ConfigError(f"this cannot be saved: {config.notices[0]}")
        self._write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        self._seen = self._signature()
        self._use(config)
        return self.current

    def reset(self) -> LoadedConfig:
        """Write the defaults of every setting; fields that are not ours stay.

        Raises:
            ConfigError: see :meth:`save`.
        """
        return self.save({name: value for name, value in AskConfig().to_wire().items() if name != "schemaVersion"})

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with every new configuration; return the way out."""
        key = object()
        self._listeners[key] = listener
        return lambda: self._listeners.pop(key, None) and None

    def _use(self, loaded: LoadedConfig) -> None:
        if loaded == self.current:
            return
        self.current = loaded
        for listener in tuple(self._listeners.values()):
            listener(loaded)

    def _read(self) -> LoadedConfig:
        raw, problem = self._raw()
        if problem is not None:
            return LoadedConfig(AskConfig(), (f"{self.path} {problem}; defaults are used",), usable=False)
        loaded = LoadedConfig(AskConfig()) if raw is None else _checked(raw)
        return LoadedConfig(loaded.config, tuple(f"{self.path}: {notice}" for notice in loaded.notices))

    def _raw(self) -> tuple[dict[str, Any] | None, str | None]:
        """Return the document in the file, ``None`` where there is none, and what is wrong with it as a whole."""
        try:
            content = read_regular(self.path, MAX_CONFIG_BYTES)
        except FileError as error:
            return None, None if error.missing else str(error)
        try:
            raw = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse_constant)
        except UnicodeDecodeError as error:
            return None, f"is not UTF-8 text (byte {error.start})"
        except (ValueError, RecursionError) as error:
            return None, f"is not JSON: {error}"
        return _version_checked(raw)

    def _signature(self) -> object:
        try:
            state = self.path.stat()
        except (OSError, ValueError):
            return None
        return (state.st_mtime_ns, state.st_size, state.st_ino)

    def _write(self, text: str) -> None:
        target = Path(os.path.realpath(self.path))  # a link stays a link
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _replace(target, text.encode())
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be written: {error.strerror or error}") from error


def default_path(environ: Mapping[str, str] | None = None) -> Path:
    """Return the file that is used where none is named."""
    named = (os.environ if environ is None else environ).get(ENVIRONMENT_VARIABLE)
    if named:
        return Path(named).absolute()
    import platformdirs

    return Path(platformdirs.user_config_dir("pi-ask", appauthor=False)) / "config.json"


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _version_checked(raw: Any) -> tuple[dict[str, Any] | None, str | None]:
    if not isinstance(raw, dict):
        return None, f"must hold an object, not {kind_of(raw)}"
    version = raw.get("schemaVersion", SCHEMA_VERSION)
    if type(version) is not int or version < 1:
        return None, f"has a schemaVersion that is no number from 1 to {SCHEMA_VERSION}"
    if version > SCHEMA_VERSION:
        return None, f"is of version {version}, from a newer pi-ask; this one knows up to {SCHEMA_VERSION}"
    return raw, None


# --- what in a document counts ----------------------------------------------------------------------------------------


def _checked(raw: Mapping[str, Any]) -> LoadedConfig:
    """Return the configuration in a document; what is wrong in it falls back to its default, with a notice."""
    document = copy.deepcopy(dict(raw))
    document["schemaVersion"] = SCHEMA_VERSION
    notices = _drop_bad_keymaps(document)
    for _ in range(_MAX_REPAIRS):
        try:
            return LoadedConfig(AskConfig.model_validate(document), tuple(notices))
        except ValidationError as error:
            notices += _drop(document, error)
    return LoadedConfig(AskConfig(), (*notices, "too much is wrong; defaults are used"))


def _drop_bad_keymaps(document: dict[str, Any]) -> list[str]:
    if "keymaps" not in document:
        return []
    problems = list(_keymap_problems(document["keymaps"]))
    if problems:
        del document["keymaps"]
        return [f"{problem}; the default keys are used" for problem in problems]
    return []


def _keymap_problems(raw: Any) -> Iterator[str]:
    if not isinstance(raw, dict):
        yield f"keymaps: must be an object, not {kind_of(raw)}"
        return
    for context, actions in KeymapsConfig().contexts().items():
        given = raw.get(context)
        if not isinstance(given, dict):
            yield f"keymaps.{context}: is missing; give it with all its actions"
            continue
        yield from (
            f"keymaps.{context}.{action}: is missing; give it a key" for action in actions if action not in given
        )
    try:
        KeymapsConfig.model_validate(raw)
    except ValidationError as error:
        for one in error.errors():
            place = ".".join(["keymaps", *map(str, one["loc"])])
            yield f"{place}: {one['msg'].removeprefix('Value error, ')}"


def _drop(document: dict[str, Any], error: ValidationError) -> list[str]:
    """Take what is wrong out of ``document``; return a notice for each."""
    notices: dict[tuple[Any, ...], str] = {}
    for one in error.errors():
        place = _existing(document, one["loc"])
        notices.setdefault(place, f"{'.'.join(map(str, place))}: {one['msg']}; it does not count")
    # From the back, so that the places in a list stay right.
    for place in sorted(notices, key=lambda place: [str(part).zfill(9) for part in place], reverse=True):
        _remove(document, place)
    return list(notices.values())


def _existing(document: Any, location: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return as much of a place as there is in ``document``; pydantic adds names of its own to it."""
    found: list[Any] = []
    for part in location:
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            break
        found.append(part)
    return tuple(found)


def _remove(document: Any, place: tuple[Any, ...]) -> None:
    for part in place[:-1]:
        document = document[part]
    if place:
        del document[place[-1]]
    else:
        document.clear()


def _put(document: dict[str, Any], place: list[str], value: Any) -> None:
    for part in place[:-1]:
        inner = document.get(part)
        document[part] = document = dict(inner) if isinstance(inner, dict) else {}
    if isinstance(value, dict) and isinstance(document.get(place[-1]), dict):
        document[place[-1]] = {**document[place[-1]], **value}
    else:
        document[place[-1]] = value


# --- writing ----------------------------------------------------------------------------------------------------------


def _replace(target: Path, content: bytes) -> None:
    """Write ``content`` in place of ``target``, all or nothing, with a mode that is not wider than before."""
    mode = _mode(target)
    _clean(target.parent)
    descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY_PREFIX, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return 0o600
    if not mode & _WRITABLE:
        raise PermissionError(None, "the file is read-only")
    return mode


def _clean(folder: Path) -> None:
    """Remove what a save that was killed has left behind."""
    for left in folder.glob(f"{_TEMPORARY_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                left.unlink()
