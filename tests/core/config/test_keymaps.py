"""The names of keys, and that a key means one thing."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from pi_ask.config.keymaps import parse_key
from pi_ask.config.schema import AskConfig, KeymapsConfig


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("escape", "esc"),
        ("return", "enter"),
        ("control+c", "ctrl+c"),
        ("Shift+N", "shift+n"),
        ("N", "shift+n"),
        ("n", "n"),
        ("shift+?", "?"),
        ("ctrl+Shift+tab", "ctrl+shift+tab"),
        ("shift+ctrl+tab", "ctrl+shift+tab"),
        ("cmd+k", "super+k"),
        ("pageup", "pageUp"),
        ("F12", "f12"),
        ("ctrl++", "ctrl++"),
        ("+", "+"),
        ("ctrl+[", "ctrl+["),
        ("ctrl+1", "ctrl+1"),
        ("ä", "ä"),
        ("т", "т"),
    ],
)
def test_every_spelling_of_a_key_is_one_name(text: str, key: str) -> None:
    assert parse_key(text) == key
    assert parse_key(key) == key


@pytest.mark.parametrize(
    "text",
    ["", " ", "1", "9", "0", "shift+1", "entr", "ctrl+", "hyper+n", "nn", "f36", "ctrl", "\u202e", "\ud800", "+n"],
)
def test_what_is_no_key_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(ValueError, match=r"use|digits"):
        parse_key(text)


def test_the_defaults_are_valid_and_normal() -> None:
    defaults = KeymapsConfig()
    assert KeymapsConfig.model_validate(defaults.to_wire()) == defaults


@pytest.mark.parametrize(
    ("keymaps", "problem"),
    [
        ({"main": {"confirm": "space"}}, r"main\.toggle: space is already main\.confirm"),
        ({"main": {"cancel": "ctrl+c"}}, r"main\.cancel: ctrl\+c is already global\.dismiss"),
        ({"editor": {"submit": "?"}}, r"editor\.submit: \? is already global\.settings"),
        ({"noteEditor": {"save": ["esc"]}}, r"noteEditor\.close: esc is already noteEditor\.save"),
        ({"global": {"settings": "ctrl+c"}}, r"global\.settings: ctrl\+c is already global\.dismiss"),
        ({"main": {"toggle": []}}, "at least one key"),
        ({"main": {"toggle": 5}}, "give a key"),
        ({"main": {"toggle": ["x", None]}}, "give a key"),
        ({"main": {"toggle": "7"}}, "digit"),
    ],
)
def test_a_key_means_one_thing(keymaps: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        AskConfig.model_validate({"keymaps": keymaps})


def test_the_settings_dialog_may_use_the_keys_of_global_again() -> None:
    config = AskConfig.model_validate({"keymaps": {"settingsModal": {"close": ["ctrl+c", "?"]}}})
    assert config.keymaps.settings_modal.close == ("ctrl+c", "?")


def test_one_key_may_stand_without_a_list_and_twice_is_once() -> None:
    config = AskConfig.model_validate({"keymaps": {"main": {"confirm": "Return", "toggle": ["x", "X", "x"]}}})
    assert config.keymaps.main.confirm == ("enter",)
    assert config.keymaps.main.toggle == ("x", "shift+x")
