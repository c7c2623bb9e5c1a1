"""What is wrong in a document does not count, and all else in it does."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from requirements import proves

from pi_ask import AskConfig, ConfigError
from pi_ask.config.document import flat, parse_document, put, read_document, settings_of, with_setting, with_settings
from pi_ask.config.schema import CommandChannel

COMMAND = {"type": "command", "command": "true"}
PLACES = list(settings_of(AskConfig()))
SWITCHES = [place for place, value in settings_of(AskConfig()).items() if isinstance(value, bool)]

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def document(place: str, value: Any, **more: Any) -> dict[str, Any]:
    made = copy.deepcopy(more)
    put(made, place, value)
    return made


def keymaps(**main: Any) -> dict[str, Any]:
    made: dict[str, Any] = AskConfig().keymaps.to_wire()
    made["main"].update(main)
    return made


@proves("config-wrong-value")
@pytest.mark.parametrize(
    ("place", "value", "notice"),
    [
        ("desktop.theme", "pink", "must be 'system', 'light' or 'dark', not \"pink\"; the default is used"),
        ("desktop.theme", 3, "must be 'system', 'light' or 'dark', not 3; the default is used"),
        ("desktop.theme", None, "must be 'system', 'light' or 'dark', not null; the default is used"),
        ("desktop.alwaysOnTop", "yes", 'must be true or false, not "yes"; the default is used'),
        ("desktop.history", 1, "must be true or false, not 1; the default is used"),
        ("desktop.inputGuardMs", -1, "must be 0 or more, not -1; the default is used"),
        ("desktop.inputGuardMs", 10_001, "must be 10000 or less, not 10001; the default is used"),
        ("desktop.inputGuardMs", 500.5, "must be a whole number, not 500.5; the default is used"),
        ("desktop.inputGuardMs", True, "must be a whole number, not true; the default is used"),
        ("desktop.inputGuardMs", [500], "must be a whole number, not a list; the default is used"),
        ("notifications.enabled", {}, "must be true or false, not an object; the default is used"),
        ("notifications.channels", "bell", 'must be a list, not "bell"; the default is used'),
        ("notifications.channels", {"0": "bell"}, "must be a list, not an object; the default is used"),
        ("desktop", None, "must be an object, not null; its defaults are used"),
        ("behaviour", [], "must be an object, not a list; its defaults are used"),
        ("keymaps", 5, "must be an object, not a number; the default keys are used"),
    ],
)
def test_a_wrong_value_is_named_and_its_default_serves(place: str, value: Any, notice: str) -> None:
    before = document(place, value, behaviour={"showFooterHints": False}, notifications={"channels": ["bell"]})
    after = copy.deepcopy(before)
    config, notices = read_document(after)
    assert notices == (f"{place}: {notice}",)
    untouched = {"behaviour.showFooterHints": False, "notifications.channels": ["bell"]}
    untouched = {name: kept for name, kept in untouched.items() if not name.startswith(place)}
    assert settings_of(config) == {**settings_of(AskConfig()), **untouched}
    assert after == before


@proves("config-wrong-value")
def test_every_wrong_value_is_named_at_once() -> None:
    wrong: dict[str, Any] = {}
    for place in SWITCHES:
        put(wrong, place, "no")
    config, notices = read_document(wrong)
    assert config == AskConfig()
    assert sorted(notice.split(":")[0] for notice in notices) == sorted(SWITCHES)


@proves("config-wrong-value")
@given(st.sampled_from([*PLACES, "behaviour", "keymaps", "keymaps.main", "notifications", "desktop"]), JSON)
def test_whatever_stands_at_a_place_reading_goes_on_and_changes_nothing(place: str, value: Any) -> None:
    raw = document(place, value)
    before = copy.deepcopy(raw)
    config, notices = read_document(raw)
    assert raw == before
    assert all(notice.startswith(place.partition(".")[0]) for notice in notices)
    defaults = settings_of(AskConfig())
    assert all(name.startswith(place) for name, kept in settings_of(config).items() if kept != defaults[name])


@proves("config-channels")
def test_a_bad_channel_leaves_the_good_ones() -> None:
    bad: list[Any] = [
        5,
        None,
        "osc9",
        [],
        ["bell"],
        {},
        {"type": "command"},
        {"command": "true"},
        {"type": "x", "command": "y"},
    ]
    commands: list[Any] = ["", "  ", "a\0b", "\ud800", 5, None, []]
    bad += [{"type": "command", "command": command} for command in commands]
    for one in bad:
        raw = {"notifications": {"channels": [one, "bell", COMMAND, one]}}
        config, notices = read_document(raw)
        assert config.notifications.channels == ("bell", CommandChannel(command="true")), one
        assert [notice.split(":")[0] for notice in notices] == ["notifications.channels.0", "notifications.channels.3"]
        assert all(notice.endswith("it is skipped") for notice in notices)
        assert len(raw["notifications"]["channels"]) == 4


@proves("config-channels")
def test_where_no_channel_is_left_the_default_ones_serve_but_none_is_a_choice() -> None:
    config, notices = read_document({"notifications": {"channels": ["osc9", "osc777"]}})
    assert config == AskConfig()
    assert [notice.split(":")[0] for notice in notices] == ["notifications.channels.0", "notifications.channels.1"]
    config, notices = read_document({"notifications": {"channels": []}})
    assert (config.notifications.channels, notices) == ((), ())


@proves("config-bad-keymaps")
def test_bad_keymaps_give_way_to_the_defaults_and_all_else_counts() -> None:
    config, notices = read_document({"keymaps": keymaps(confirm="7", cancel="entr"), "desktop": {"theme": "dark"}})
    assert config.keymaps == AskConfig().keymaps
    assert config.desktop.theme == "dark"
    assert [notice.split(":")[0] for notice in notices] == ["keymaps.main.confirm", "keymaps.main.cancel"]
    assert all("the default keys are used" in notice for notice in notices)


def test_valid_keys_are_used_and_normalised() -> None:
    config, notices = read_document({"keymaps": keymaps(confirm=["Return", "ctrl+k"], cancel="escape")})
    assert notices == ()
    assert (config.keymaps.main.confirm, config.keymaps.main.cancel) == (("enter", "ctrl+k"), ("esc",))


def test_both_spellings_of_a_setting_are_read() -> None:
    raw = {"desktop": {"input_guard_ms": 250, "always_on_top": 5}, "behaviour": {"show_footer_hints": False}}
    config, notices = read_document(raw)
    assert (config.desktop.input_guard_ms, config.behaviour.show_footer_hints) == (250, False)
    assert notices == ("desktop.alwaysOnTop: must be true or false, not 5; the default is used",)


@proves("config-unusable")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"a": 1e999}', "too large a number"),
        (b'{"a": -Infinity}', "-Infinity is no JSON value"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "is not JSON"),
        (b'{"schemaVersion": ' + b"9" * 4_000 + b"}", "from a newer pi-ask"),
        (b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}", "nested deeper"),
        (b'{"a": ' + b'{"a":' * 900 + b"1" + b"}" * 901, "nested deeper"),
        (b"[" * 20_000, "nested deeper"),
        (b'{"a": 1,}', "is not JSON"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8"),
    ],
)
def test_what_is_no_document_says_why(content: bytes, why: str) -> None:
    with pytest.raises(ConfigError, match=why) as caught:
        parse_document(content)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "content", [b"{}", b"\xef\xbb\xbf{}", b'{"a": "\\ud800"}', b'{"a": ' + b"[" * 90 + b"]" * 90 + b"}"]
)
def test_unusual_documents_are_documents(content: bytes) -> None:
    assert read_document(parse_document(content)) == (AskConfig(), ())


@proves("config-one-setting")
@pytest.mark.parametrize("place", SWITCHES)
def test_one_setting_changes_and_nothing_else(place: str) -> None:
    before = settings_of(AskConfig())
    after = settings_of(with_setting(AskConfig(), place, not before[place]))
    assert after == {**before, place: not before[place]}


@proves("config-one-setting")
def test_settings_are_changed_by_their_places() -> None:
    config = with_setting(AskConfig(), "keymaps.main.confirm", "Control+K")
    config = with_setting(config, "notifications.channels", [COMMAND])
    config = with_setting(config, "desktop.inputGuardMs", 0)
    assert config.keymaps.main.confirm == ("ctrl+k",)
    assert config.notifications.channels == (CommandChannel(command="true"),)
    assert config.desktop.input_guard_ms == 0
    assert AskConfig().desktop.input_guard_ms == 500


@proves("config-one-setting")
def test_keys_can_change_places_together_only() -> None:
    with pytest.raises(ConfigError, match=r"keymaps: main\.toggle: space is already main\.confirm"):
        with_setting(AskConfig(), "keymaps.main.confirm", "space")
    swapped = with_settings(AskConfig(), {"keymaps.main.confirm": "space", "keymaps.main.toggle": "enter"})
    assert (swapped.keymaps.main.confirm, swapped.keymaps.main.toggle) == (("space",), ("enter",))


@proves("config-one-setting")
@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        ("desktop.theme", "pink", r"desktop\.theme: must be 'system', 'light' or 'dark', not \"pink\""),
        ("desktop.inputGuardMs", "500", r"desktop\.inputGuardMs: must be a whole number"),
        ("keymaps.main.confirm", "entr", r'keymaps\.main\.confirm: "entr" is no key'),
        ("notifications.channels", ["osc9"], r"notifications\.channels\.0: give"),
        ("desktop.colour", "red", r'there is no setting "desktop\.colour"'),
        ("desktop", {}, r'there is no setting "desktop"'),
        ("schemaVersion", 6, r'there is no setting "schemaVersion"'),
        ("", 6, "there is no setting"),
        ("a..b", 6, "there is no setting"),
    ],
)
def test_a_setting_that_cannot_be_says_why(place: str, value: Any, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        with_setting(AskConfig(), place, value)


def test_a_document_is_its_settings_and_back() -> None:
    made: dict[str, Any] = {}
    for place, value in flat(AskConfig().to_wire()):
        put(made, place, value)
    assert made == AskConfig().to_wire()
    assert read_document(json.loads(json.dumps(made))) == (AskConfig(), ())


@pytest.mark.parametrize(
    "arguments",
    [
        {"desktop": {"theme": "pink"}},
        {"behaviour": {"show_footer_hints": "no"}},
        {"keymaps": {"main": {"confirm": "entr"}}},
        {"notifications": {"channels": ["osc9"]}},
        {"schema_version": 4},
    ],
)
def test_a_wrong_configuration_cannot_be_made(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AskConfig(**arguments)
