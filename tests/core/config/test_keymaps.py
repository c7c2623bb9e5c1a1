"""The names of keys, and that a key means one thing."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from pydantic import ValidationError
from requirements import proves

from pi_ask import AskConfig, ConfigError
from pi_ask.config.keymaps import KeyNameError, keymap_problems, lookup, parse_key
from pi_ask.config.schema import KeymapsConfig

DEFAULTS = KeymapsConfig().contexts()
MODIFIERS = ["ctrl", "Control", "SHIFT", "alt", "Option", "super", "Meta", "cmd"]
NAMES = ["enter", "Escape", "return", "f35", "PageUp", "del", "plus", "+", "n", "N", "?", "ä", "Ш", "א", "字", "ß", "²"]


def problems(keymaps: Any) -> dict[str, str]:
    return dict(keymap_problems(keymaps, DEFAULTS))


def changed(context: str, **keys: Any) -> dict[str, Any]:
    document: dict[str, Any] = KeymapsConfig().to_wire()
    document[context].update(keys)
    return document


@proves("config-key-names")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("escape", "esc"),
        ("ESC", "esc"),
        ("return", "enter"),
        ("control+c", "ctrl+c"),
        ("Control+C", "ctrl+c"),
        ("Ctrl+C", "ctrl+c"),
        ("ctrl + c", "ctrl+c"),
        (" n ", "n"),
        ("Shift+N", "shift+n"),
        ("shift+n", "shift+n"),
        ("N", "shift+n"),
        ("n", "n"),
        ("?", "?"),
        ("shift+?", "?"),
        ("ctrl+shift+?", "ctrl+?"),
        ("ctrl+Shift+tab", "ctrl+shift+tab"),
        ("shift+ctrl+tab", "ctrl+shift+tab"),
        ("super+alt+shift+ctrl+up", "ctrl+shift+alt+super+up"),
        ("ctrl+control+c", "ctrl+c"),
        ("cmd+k", "super+k"),
        ("meta+k", "super+k"),
        ("option+k", "alt+k"),
        ("pageup", "pageUp"),
        ("Page Down", "pageDown"),
        ("PgDn", "pageDown"),
        ("del", "delete"),
        ("Ins", "insert"),
        ("F12", "f12"),
        ("alt+f35", "alt+f35"),
        ("+", "+"),
        ("plus", "+"),
        ("ctrl++", "ctrl++"),
        ("ctrl + +", "ctrl++"),
        ("Ctrl+Plus", "ctrl++"),
        ("shift++", "+"),
        ("ctrl+[", "ctrl+["),
        ("-", "-"),
        ("²", "²"),
        ("ä", "ä"),
        ("Ä", "shift+ä"),
        ("a\u0308", "ä"),
        ("т", "т"),
        ("İ", "shift+i"),
        ("é", "é"),
    ],
)
def test_every_spelling_of_a_key_is_one_name(text: str, key: str) -> None:
    assert parse_key(text) == key
    assert parse_key(key) == key


@proves("config-key-names")
@given(st.lists(st.sampled_from(MODIFIERS), max_size=4), st.sampled_from(NAMES), st.randoms(use_true_random=False))
def test_the_order_of_modifiers_changes_nothing(modifiers: list[str], name: str, random: Any) -> None:
    key = parse_key("+".join([*modifiers, name]))
    random.shuffle(modifiers)
    assert parse_key("+".join([*modifiers, name])) == key == parse_key(key)


PIECES = st.lists(st.sampled_from([*MODIFIERS, *NAMES, "+", " ", "1", "\u0301"]) | st.characters(), max_size=6)


@given(PIECES.map("".join))
def test_any_text_is_a_key_of_one_name_or_refused_with_what_to_do(text: str) -> None:
    try:
        key = parse_key(text)
    except KeyNameError as error:
        event(re.sub('".*"', "…", str(error)))
    else:
        assert parse_key(key) == key
        assert key == "".join(key.split())


@proves("config-keymaps-checked")
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "entr", "ctrl+", "hyper+n", "n n", "nn", "f0", "f36", "ctrl", "ctrl+shift", "+n", "++", "ctrl-c"),
        *("\u202e", "\ud800", "\u200b", "\u0301", "\x00", "\n", "x" * 10_000),
        *("0", "1", "9", "shift+1", "ctrl+1", "Alt + 5"),
    ],
)
def test_what_is_no_key_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(KeyNameError, match=r"; use |; digits ") as caught:
        parse_key(text)
    assert isinstance(caught.value, ConfigError)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_the_defaults_are_valid_and_normal() -> None:
    defaults = KeymapsConfig()
    assert KeymapsConfig.model_validate(defaults.to_wire()) == defaults
    assert problems(defaults.to_wire()) == {}
    names = [key for context in DEFAULTS.values() for keys in context.values() for key in keys]
    assert [parse_key(key) for key in names] == names


@proves("config-keymaps-checked")
@pytest.mark.parametrize(
    ("keymaps", "problem"),
    [
        ({"main": {"confirm": "space"}}, r"main\.toggle: space is already main\.confirm"),
        ({"main": {"confirm": ["Return", "ESCAPE"]}}, r"main\.cancel: esc is already main\.confirm"),
        ({"main": {"cancel": "ctrl+c"}}, r"main\.cancel: ctrl\+c is already global\.dismiss"),
        ({"editor": {"submit": "?"}}, r"editor\.submit: \? is already global\.settings"),
        ({"noteEditor": {"save": ["esc"]}}, r"noteEditor\.close: esc is already noteEditor\.save"),
        ({"noteEditor": {"save": ["control+c"]}}, r"noteEditor\.save: ctrl\+c is already global\.dismiss"),
        ({"settingsModal": {"toggle": "up"}}, r"settingsModal\.toggle: up is already settingsModal\.previousOption"),
        ({"global": {"settings": "ctrl+c"}}, r"global\.settings: ctrl\+c is already global\.dismiss"),
        ({"global": {"settings": "t"}}, r"main\.changeQuestionType: t is already global\.settings"),
        ({"main": {"toggle": []}}, "at least one key"),
        ({"main": {"toggle": 5}}, "give a key"),
        ({"main": {"toggle": ["x", None]}}, "give a key"),
        ({"main": {"toggle": "7"}}, "digit"),
    ],
)
def test_a_key_means_one_thing(keymaps: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        AskConfig.model_validate({"keymaps": keymaps})
    ((context, keys),) = keymaps.items()
    found = [f"{place}: {message}" for place, message in problems(changed(context, **keys)).items()]
    assert len(found) == 1
    assert re.search(problem, found[0])


@proves("config-keymaps-checked")
def test_every_problem_is_found_at_once_and_has_its_place() -> None:
    document = changed("main", confirm="7", cancel=5, toggle=[], nextTab=["f99"], optionNote="shift+n")
    del document["main"]["nextOption"], document["editor"], document["noteEditor"]["save"]
    document["settingsModal"] = None
    assert {place: message.split(";")[0] for place, message in problems(document).items()} == {
        "keymaps.main.confirm": '"7" is a digit',
        "keymaps.main.cancel": 'give a key such as "enter" or a list of keys',
        "keymaps.main.toggle": "give at least one key",
        "keymaps.main.nextTab": '"f99" is no key',
        "keymaps.main.nextOption": "is missing",
        "keymaps.main.questionNote": "shift+n is already main.optionNote",
        "keymaps.editor": "is missing",
        "keymaps.noteEditor.save": "is missing",
        "keymaps.settingsModal": "must be an object, not null",
    }


@proves("config-keymaps-checked")
@pytest.mark.parametrize(
    ("context", "action"), [(context, action) for context, keymap in DEFAULTS.items() for action in keymap]
)
def test_each_action_needs_a_key(context: str, action: str) -> None:
    document = copy.deepcopy(KeymapsConfig().to_wire())
    del document[context][action]
    assert problems(document) == {f"keymaps.{context}.{action}": "is missing; give it a key"}


@pytest.mark.parametrize("keymaps", [None, [], "enter", 5, True])
def test_keymaps_of_another_kind_are_one_problem(keymaps: Any) -> None:
    assert list(problems(keymaps)) == ["keymaps"]


def test_a_later_setting_of_keys_is_no_problem() -> None:
    document = changed("main", somethingNew="7")
    document["anotherWindow"] = {"close": "esc"}
    assert problems(document) == {}
    assert KeymapsConfig.model_validate(document) == KeymapsConfig()


def test_the_settings_dialog_may_use_the_keys_of_global_again() -> None:
    config = AskConfig.model_validate({"keymaps": {"settingsModal": {"close": ["ctrl+c", "?"]}}})
    assert config.keymaps.settings_modal.close == ("ctrl+c", "?")


def test_one_key_may_stand_without_a_list_and_twice_is_once() -> None:
    config = AskConfig.model_validate({"keymaps": {"main": {"confirm": "Return", "toggle": ["x", "X", "x"]}}})
    assert config.keymaps.main.confirm == ("enter",)
    assert config.keymaps.main.toggle == ("x", "shift+x")


def test_a_surface_finds_the_action_of_a_key() -> None:
    found = lookup(DEFAULTS["main"])
    assert (found["enter"], found["ctrl+tab"], found["right"]) == ("confirm", "nextTab", "nextTab")
    assert len(found) == sum(len(keys) for keys in DEFAULTS["main"].values())
