"""The configuration file: read with patience, written with care."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pi_ask.config.document import flat, parse_document, put, read_document, settings_of, with_settings
from pi_ask.config.schema import DEFAULTS, SCHEMA_VERSION, AskConfig
from pi_ask.config.writing import replace_file
from pi_ask.errors import ConfigError
from pi_ask.files import FileError, read_regular

ENVIRONMENT_VARIABLE = "PI_ASK_CONFIG"
MAX_CONFIG_BYTES = 1024 * 1024

_log = logging.getLogger("pi_ask.config")

Listener = Callable[["LoadedConfig"], object]


class LoadedConfig(NamedTuple):
    """What a file came to: the configuration to use, and a notice for everything in it that does not count.

    ``usable``: the file is missing or holds a configuration, so that a save can change it.
    """

    config: AskConfig
    notices: tuple[str, ...] = ()
    usable: bool = True


class ConfigStore:
    """One configuration file. ``path``: the file, else ``PI_ASK_CONFIG``, else the user's configuration folder.

    Whatever is in the file, reading it never fails and never changes it.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, environ: Mapping[str, str] | None = None) -> None:
        self.path = default_path(environ) if path is None else _absolute(path)
        self.current = LoadedConfig(DEFAULTS)
        self._seen: object = None
        self._listeners: dict[object, Listener] = {}

    def load(self) -> LoadedConfig:
        """Read the file; a missing one means defaults. Listeners hear of a change."""
        self._seen = self._signature()
        try:
            raw = self._raw()
        except ConfigError as error:
            self._use(LoadedConfig(DEFAULTS, (f"{self.path} {error}; defaults are used",), usable=False))
        else:
            self._use(self._loaded(raw))
        return self.current

    def changed(self) -> bool:
        """Return whether the file looks different from when it was last read or written."""
        return self._signature() != self._seen

    def save(self, changes: AskConfig | Mapping[str, Any]) -> LoadedConfig:
        """Write ``changes`` (``{"behaviour.showFooterHints": False}``) into the file; all else in it stays.

        Of a whole configuration, what differs from the current one is written. The file is read again before, so what
        somebody else has changed meanwhile is kept. Changing a key writes all keymaps: they are valid only together.

        Raises:
            ConfigError: a change is invalid, or the file is broken, from the future, read-only or cannot be written;
                nothing was changed.
        """
        try:
            raw = self._raw()
        except ConfigError as error:
            problem = f"{self.path} is left as it is: it {error}. Mend or remove it, then try again."
            raise ConfigError(problem) from error
        document = DEFAULTS.to_wire() if raw is None else raw
        self._change(document, dict(flat(self._difference(changes))))
        document["schemaVersion"] = SCHEMA_VERSION
        self._seen = self._write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        self._use(self._loaded(document))
        return self.current

    def reset(self) -> LoadedConfig:
        """Write the defaults of every setting; fields that are not ours stay.

        Raises:
            ConfigError: see :meth:`save`.
        """
        return self.save(settings_of(DEFAULTS))

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with every new configuration; return the way out."""
        key = object()
        self._listeners[key] = listener
        return lambda: self._listeners.pop(key, None) and None

    # --- listeners ----------------------------------------------------------------------------------------------------

    def _use(self, loaded: LoadedConfig) -> None:
        if loaded == self.current:
            return
        self.current = loaded
        for key, listener in tuple(self._listeners.items()):
            if self.current is not loaded:
                return  # a listener has changed the configuration; all have heard of a newer one
            if key not in self._listeners:
                continue
            try:
                listener(loaded)
            except Exception:
                _log.exception("a listener of the configuration failed: %r", listener)

    # --- the file -----------------------------------------------------------------------------------------------------

    def _raw(self) -> dict[str, Any] | None:
        """Return the document in the file, ``None`` where there is none."""
        try:
            return parse_document(read_regular(self.path, MAX_CONFIG_BYTES))
        except FileError as error:
            if error.missing:
                return None
            raise ConfigError(str(error)) from error

    def _loaded(self, raw: Mapping[str, Any] | None) -> LoadedConfig:
        config, notices = read_document(raw or {})
        return LoadedConfig(config, tuple(f"{self.path}: {notice}" for notice in notices))

    def _difference(self, changes: AskConfig | Mapping[str, Any]) -> Mapping[str, Any]:
        if not isinstance(changes, AskConfig):
            return changes
        current = settings_of(self.current.config)
        return {place: value for place, value in settings_of(changes).items() if value != current[place]}

    def _change(self, document: dict[str, Any], changes: Mapping[str, Any]) -> None:
        config = with_settings(read_document(document)[0], changes)
        with_keys = any(place.startswith("keymaps.") for place in changes)
        for place, value in settings_of(config).items():
            if place in changes or (with_keys and place.startswith("keymaps.")):
                put(document, place, value)

    def _write(self, text: str) -> object:
        # Half a character has no UTF-8; JSON spells it as this error handler does.
        content = text.encode("utf-8", "backslashreplace")
        target = Path(os.path.realpath(self.path))  # a link stays a link
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _signature_of(replace_file(target, content))
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be written: {error.strerror or error}") from error

    def _signature(self) -> object:
        try:
            return _signature_of(self.path.stat())
        except (OSError, ValueError):
            return None


def default_path(environ: Mapping[str, str] | None = None) -> Path:
    """Return the file that is used where none is named."""
    named = (os.environ if environ is None else environ).get(ENVIRONMENT_VARIABLE)
    if named:
        return _absolute(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("pi-ask", appauthor=False)) / "config.json"


def _absolute(path: str | os.PathLike[str]) -> Path:
    return Path(os.path.expanduser(path)).absolute()


def _signature_of(state: os.stat_result) -> object:
    return (state.st_mtime_ns, state.st_size, state.st_ino, state.st_mode)
