"""What a configuration document comes to: its settings, and a notice for everything in it that does not count."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from pi_ask.config.keymaps import ABSENT, keymap_problems
from pi_ask.config.schema import DEFAULTS, SCHEMA_VERSION, AskConfig
from pi_ask.errors import ConfigError
from pi_ask.state.raw import field, is_list, kind_of, shown
from pi_ask.text import clipped

_MAX_DEPTH = 100
_TOO_DEEP = f"is not JSON that can be used: it is nested deeper than {_MAX_DEPTH} levels"
_SHOWN = 30

# What pydantic found, in words of the file.
_WORDS = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "tuple_type": "must be a list",
}


def parse_document(content: bytes) -> dict[str, Any]:
    """Return the JSON object in ``content``.

    Raises:
        ConfigError: it holds anything else, or comes from a newer version; the message reads after the file's name.
    """
    try:
        raw = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not UTF-8 text (byte {error.start})") from error
    except RecursionError as error:
        raise ConfigError(_TOO_DEEP) from error
    except ValueError as error:
        raise ConfigError(f"is not JSON: {error}") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"must hold an object, not {kind_of(raw)}")
    if _is_deeper(raw, _MAX_DEPTH):
        raise ConfigError(_TOO_DEEP)
    _check_version(raw.get("schemaVersion", SCHEMA_VERSION))
    return raw


def read_document(raw: Mapping[str, Any]) -> tuple[AskConfig, tuple[str, ...]]:
    """Return the configuration in a document and what in it does not count; defaults serve in its place."""
    known, notices = _known_settings(raw)
    if not any(known.values()):
        return DEFAULTS, tuple(notices)
    try:
        return AskConfig.model_validate(known), tuple(notices)
    except ValidationError as error:
        # From the back, so that the places in a list stay right.
        wrong = [_drop(known, one["loc"], _in_words(one)) for one in reversed(error.errors())]
    return AskConfig.model_validate(known), (*notices, *reversed(wrong))


def settings_of(config: AskConfig) -> dict[str, Any]:
    """Return every setting by its place in the file (``behaviour.showFooterHints``), as JSON has it."""
    return {place: value for place, value in flat(config.to_wire()) if place != "schemaVersion"}


def flat(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the place and the value of everything in ``document`` that is no object itself."""
    for name, value in document.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def put(document: dict[str, Any], place: str, value: Any) -> None:
    """Set ``place`` in ``document``; an object on the way that is none, or not there, is made."""
    *way, last = place.split(".")
    for part in way:
        if not isinstance(document.get(part), dict):
            document[part] = {}
        document = document[part]
    document[last] = value


def with_setting(config: AskConfig, place: str, value: Any) -> AskConfig:
    """Return ``config`` with one setting changed: ``with_setting(config, "desktop.theme", "dark")``.

    Raises:
        ConfigError: there is no such setting, or it cannot have this value.
    """
    return with_settings(config, {place: value})


def with_settings(config: AskConfig, changes: Mapping[str, Any]) -> AskConfig:
    """Return ``config`` with all of ``changes``, by their places.

    Raises:
        ConfigError: there is no such setting, or the changes do not go together.
    """
    document, known = config.to_wire(), settings_of(config)
    for place, value in changes.items():
        if place not in known:
            raise ConfigError(f"there is no setting {shown(place)}")
        put(document, place, value)
    try:
        return AskConfig.model_validate(document)
    except ValidationError as error:
        raise ConfigError("; ".join(f"{_name(one['loc'])}: {_in_words(one)}" for one in error.errors())) from error


# --- what in a document counts ----------------------------------------------------------------------------------------


def _known_settings(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what ``raw`` says about settings that there are, by their names in the file, and notices."""
    known: dict[str, Any] = {}
    notices: list[str] = []
    for section in ("behaviour", "notifications", "desktop"):
        given = raw.get(section, {})
        if isinstance(given, Mapping):
            values = {name: field(given, name, ABSENT) for name in _names(section)}
            known[section] = {name: _own(value) for name, value in values.items() if value is not ABSENT}
        else:
            notices.append(f"{section}: must be an object, not {kind_of(given)}; its defaults are used")
    keymaps = raw.get("keymaps", ABSENT)
    if keymaps is not ABSENT:
        problems = [f"{place}: {problem}" for place, problem in keymap_problems(keymaps, DEFAULTS.keymaps.contexts())]
        notices += [f"{problem}; the default keys are used" for problem in problems]
        known |= {} if problems else {"keymaps": keymaps}
    return known, notices


def _own(value: Any) -> Any:
    """Return a list from which channels can be taken without a change of the document."""
    return list(value) if is_list(value) else value


def _names(section: str) -> Iterator[str]:
    """Yield what the settings of a section are called in the file."""
    yield from (info.alias or name for name, info in type(getattr(DEFAULTS, section)).model_fields.items())


def _drop(known: dict[str, Any], location: tuple[str | int, ...], problem: str) -> str:
    """Take out what is wrong, and a list of which nothing is left; return a notice."""
    section, name, *place = location
    section, name, values = str(section), str(name), known[section]
    if place and len(values[name]) > 1:
        del values[name][place[0]]
        return f"{_name(location)}: {problem}; it is skipped"
    del values[name]
    return f"{_name(location)}: {problem}; the default is used"


def _name(location: tuple[str | int, ...]) -> str:
    return ".".join(map(str, location))


def _in_words(error: Any) -> str:
    """Return one of pydantic's errors as a person reads it."""
    template = _WORDS.get(error["type"])
    if template is None:
        problem: str = error["msg"].removeprefix("Value error, ")
        return problem
    return f"{template.format(**error.get('ctx', {}))}, not {_given(error['input'])}"


def _given(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float)):
        return clipped(json.dumps(value), _SHOWN)
    return shown(value)


# --- what is a document -----------------------------------------------------------------------------------------------


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{shown(text)} is too large a number")
    return value


def _is_deeper(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _check_version(version: Any) -> None:
    if type(version) is not int or version < 1:
        raise ConfigError(f"has a schemaVersion that is no number from 1 to {SCHEMA_VERSION}")
    if version > SCHEMA_VERSION:
        number = clipped(str(version), _SHOWN)
        raise ConfigError(f"is of version {number}, from a newer pi-ask; this one knows up to {SCHEMA_VERSION}")
