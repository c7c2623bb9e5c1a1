"""The configuration file: nothing in it stops the program, and nothing but a save changes it."""

from __future__ import annotations

import json
import logging
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from requirements import proves

from pi_ask import AskConfig, ConfigError
from pi_ask.config.document import settings_of, with_setting
from pi_ask.config.store import ConfigStore, LoadedConfig, default_path

CHANGE = {"behaviour.showFooterHints": False}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "config.json"


def written(path: Path, content: Any) -> ConfigStore:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return ConfigStore(path)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def keymaps(**main: Any) -> dict[str, Any]:
    document: dict[str, Any] = AskConfig().keymaps.to_wire()
    document["main"].update(main)
    return document


# --- reading ----------------------------------------------------------------------------------------------------------


@proves("config-missing")
def test_a_missing_file_means_defaults_and_is_not_made_by_reading(path: Path) -> None:
    store = ConfigStore(path)
    assert store.load() == LoadedConfig(AskConfig())
    assert not store.changed()
    assert not path.parent.exists()


@proves("config-unusable")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "must hold an object"),
        (b"null", "must hold an object"),
        (b'"text"', "must hold an object"),
        (b"\x00\xff\xfe", "UTF-8"),
        (b"\x00" * 1000, "not JSON"),
        (b'{"behaviour": NaN}', "NaN"),
        (b'{"behaviour": 1e999}', "too large a number"),
        (b"[" * 20_000, "nested deeper"),
        (b'{"a":' * 900 + b"1" + b"}" * 900, "nested deeper"),
        (b'{"schemaVersion": 6}', "newer"),
        (b'{"schemaVersion": true}', "schemaVersion"),
        (b'{"schemaVersion": "5"}', "schemaVersion"),
        (b'{"schemaVersion": 5.0}', "schemaVersion"),
        (b'{"schemaVersion": null}', "schemaVersion"),
        (b'{"schemaVersion": 0}', "schemaVersion"),
        (b" " * (1024 * 1024 + 1), "larger"),
    ],
)
def test_a_file_that_cannot_be_used_is_left_exactly_as_it_is(path: Path, content: bytes, why: str) -> None:
    store = written(path, content)
    before = path.stat()
    loaded = store.load()
    assert loaded.config == AskConfig()
    assert not loaded.usable
    assert len(loaded.notices) == 1
    assert why in loaded.notices[0]
    assert str(path) in loaded.notices[0]
    with pytest.raises(ConfigError, match="left as it is"):
        store.save(CHANGE)
    with pytest.raises(ConfigError, match="left as it is"):
        store.reset()
    assert path.read_bytes() == content
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino, after.st_mode) == (before.st_mtime_ns, before.st_ino, before.st_mode)
    assert [one.name for one in path.parent.iterdir()] == ["config.json"]


@proves("config-unusable")
def test_what_is_no_file_is_neither_read_nor_replaced(path: Path) -> None:
    path.mkdir(parents=True)
    os.mkfifo(path / "pipe")
    (path / "file").write_text("x")
    (path / "loop").symlink_to("loop")
    for other in (path, path / "pipe", path / "file" / "config.json", path / "loop", Path("/dev/zero")):
        store = ConfigStore(other)
        (notice,) = store.load().notices
        assert str(other) in notice
        assert ("no regular file" in notice) or ("cannot be read" in notice)
        with pytest.raises(ConfigError, match="left as it is"):
            store.save(CHANGE)
    assert sorted(one.name for one in path.iterdir()) == ["file", "loop", "pipe"]


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_older_versions_are_read_and_a_save_makes_them_new(path: Path, version: int) -> None:
    store = written(path, {"schemaVersion": version, "desktop": {"theme": "dark"}})
    loaded = store.load()
    assert (loaded.config.desktop.theme, loaded.notices) == ("dark", ())
    assert read(path)["schemaVersion"] == version
    store.save(CHANGE)
    assert read(path)["schemaVersion"] == 5


@proves("config-wrong-value", "config-bad-keymaps")
def test_notices_name_the_file_and_the_place(path: Path) -> None:
    store = written(path, {"desktop": {"theme": "pink"}, "keymaps": keymaps(confirm="7"), "behaviour": 5})
    before = path.read_bytes()
    loaded = store.load()
    assert loaded.usable
    assert [notice.split(": ")[:2] for notice in loaded.notices] == [
        [str(path), "behaviour"],
        [str(path), "keymaps.main.confirm"],
        [str(path), "desktop.theme"],
    ]
    assert path.read_bytes() == before


# --- saving -----------------------------------------------------------------------------------------------------------


@proves("config-missing", "config-mode")
def test_the_first_save_makes_the_file_for_this_user_alone(path: Path) -> None:
    store = ConfigStore(path)
    store.save(CHANGE)
    assert read(path) == {
        **AskConfig().to_wire(),
        "behaviour": {**AskConfig().behaviour.to_wire(), "showFooterHints": False},
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert store.current == ConfigStore(path).load()


@proves("config-unknown-fields")
def test_a_save_keeps_what_it_does_not_know_at_every_level_and_the_order(path: Path) -> None:
    keys = keymaps(future="f1")
    keys["window"] = {"close": "esc"}
    document = {
        "answer": {"x": [1, 2.5, None, "ä\ud800\u2028"]},
        "desktop": {"future": 1, "theme": "dark"},
        "keymaps": keys,
        "schemaVersion": 5,
    }
    store = written(path, document)
    assert store.load().notices == ()
    store.save({"desktop.theme": "light", **CHANGE, "keymaps.main.confirm": "Control+K"})
    keys["main"]["confirm"] = ["ctrl+k"]
    expected = {**document, "desktop": {"future": 1, "theme": "light"}, "behaviour": {"showFooterHints": False}}
    assert read(path) == expected
    assert list(read(path)) == ["answer", "desktop", "keymaps", "schemaVersion", "behaviour"]
    assert list(read(path)["keymaps"]["main"]) == list(keys["main"])
    assert store.current == ConfigStore(path).load()


def test_what_does_not_count_stays_in_the_file_until_it_is_changed_itself(path: Path) -> None:
    store = written(path, {"desktop": {"theme": "pink", "history": 1}})
    assert len(store.load().notices) == 2
    assert len(store.save(CHANGE).notices) == 2
    assert read(path)["desktop"] == {"theme": "pink", "history": 1}
    (notice,) = store.save({"desktop.theme": "dark"}).notices
    assert notice.startswith(f"{path}: desktop.history: ")
    assert read(path)["desktop"] == {"theme": "dark", "history": 1}


def test_a_change_in_a_section_that_is_none_makes_it_one(path: Path) -> None:
    store = written(path, {"behaviour": []})
    store.save(CHANGE)
    assert store.current == ConfigStore(path).load()
    assert read(path)["behaviour"] == {"showFooterHints": False}


@proves("config-bad-keymaps")
@pytest.mark.parametrize("before", [{}, {"keymaps": keymaps(confirm="7")}, {"keymaps": 5}])
def test_changing_one_key_writes_keymaps_that_count(path: Path, before: Any) -> None:
    store = written(path, before)
    store.save({"keymaps.main.confirm": ["Return", "x"]})
    loaded = ConfigStore(path).load()
    assert loaded == store.current == LoadedConfig(with_setting(AskConfig(), "keymaps.main.confirm", ["enter", "x"]))


@pytest.mark.parametrize(
    "changes",
    [
        {"desktop.theme": "pink"},
        {"desktop.colour": "red"},
        {"schemaVersion": 6},
        {"keymaps.main.confirm": "7"},
        {"keymaps.main.confirm": "space"},
        {"behaviour.showFooterHints": False, "desktop.inputGuardMs": "soon"},
        {"desktop": {"theme": {"name": "dark"}}},
    ],
)
@pytest.mark.parametrize("before", [{}, {"desktop": {"history": 1}}])
def test_an_invalid_change_is_refused_and_nothing_is_written(path: Path, before: Any, changes: Any) -> None:
    store = written(path, before)
    loaded = store.load()
    with pytest.raises(ConfigError):
        store.save(changes)
    assert read(path) == before
    assert store.current is loaded


def test_changes_may_come_by_section_or_as_a_whole_configuration(path: Path) -> None:
    store = ConfigStore(path)
    store.save({"desktop": {"theme": "dark", "inputGuardMs": 250}})
    theirs = ConfigStore(path)
    theirs.save(CHANGE)
    store.save(with_setting(store.current.config, "desktop.theme", "light"))
    config = ConfigStore(path).load().config
    assert (config.desktop.theme, config.desktop.input_guard_ms, config.behaviour.show_footer_hints) == (
        "light",
        250,
        False,
    )
    assert store.current.config == config


@proves("config-unknown-fields")
def test_a_reset_keeps_what_it_does_not_know(path: Path) -> None:
    keys = keymaps(confirm="7", future="f1")
    store = written(path, {"answer": 1, "desktop": {"theme": "dark", "future": 2}, "keymaps": keys, "behaviour": []})
    store.load()
    assert store.reset() == LoadedConfig(AskConfig()) == ConfigStore(path).load()
    after = read(path)
    assert (after["answer"], after["desktop"]["future"], after["keymaps"]["main"]["future"]) == (1, 2, "f1")


@proves("config-merged")
def test_a_change_by_somebody_else_is_kept_and_heard_of(path: Path) -> None:
    one, other = ConfigStore(path), ConfigStore(path)
    other.load()
    heard: list[AskConfig] = []
    other.subscribe(lambda loaded: heard.append(loaded.config))
    one.save(CHANGE)
    assert other.changed()
    other.save({"desktop.theme": "dark"})
    assert not other.changed()
    config = ConfigStore(path).load().config
    assert (config.behaviour.show_footer_hints, config.desktop.theme) == (False, "dark")
    assert heard == [config]


def test_a_file_that_breaks_meanwhile_is_not_overwritten(path: Path) -> None:
    store = written(path, {})
    store.load()
    path.write_bytes(b"{")
    with pytest.raises(ConfigError, match="left as it is"):
        store.save(CHANGE)
    assert path.read_bytes() == b"{"
    assert store.changed()


# --- listeners --------------------------------------------------------------------------------------------------------


@proves("config-heard")
def test_a_change_is_seen_and_listeners_hear_of_it(path: Path) -> None:
    heard: list[str] = []
    store = written(path, {})
    store.load()
    stop = store.subscribe(lambda loaded: heard.append(loaded.config.desktop.theme))
    assert not store.changed()
    written(path, {"desktop": {"theme": "dark"}})
    assert store.changed()
    store.load()
    store.load()
    assert heard == ["dark"]
    store.save({"desktop.theme": "light"})
    assert heard == ["dark", "light"]
    assert not store.changed()
    path.unlink()
    assert store.changed()
    store.load()
    assert heard == ["dark", "light", "system"]
    stop()
    stop()
    store.save(CHANGE)
    assert len(heard) == 3


@proves("config-heard")
def test_a_file_that_can_no_longer_be_read_has_changed(path: Path) -> None:
    store = written(path, {})
    store.load()
    path.chmod(0o400)
    assert store.changed()


@proves("config-heard")
def test_a_listener_that_fails_hurts_nobody(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[LoadedConfig] = []
    store = ConfigStore(path)

    def fail(_: LoadedConfig) -> None:
        raise RuntimeError("broken")

    store.subscribe(fail)
    store.subscribe(heard.append)
    with caplog.at_level(logging.ERROR, "pi_ask.config"):
        store.save(CHANGE)
    assert heard == [store.current]
    assert "broken" in caplog.text


@proves("config-heard")
def test_a_listener_that_has_gone_meanwhile_is_not_called(path: Path) -> None:
    heard: list[str] = []
    store = ConfigStore(path)
    stops = [store.subscribe(lambda _: [stop() for stop in stops]), store.subscribe(lambda _: heard.append("late"))]
    store.save(CHANGE)
    assert heard == []


@proves("config-heard")
def test_the_newest_configuration_comes_last_where_a_listener_changes_it(path: Path) -> None:
    heard: list[str] = []
    store = ConfigStore(path)

    def insist(loaded: LoadedConfig) -> None:
        if loaded.config.desktop.theme == "light":
            store.save({"desktop.theme": "dark"})

    store.subscribe(insist)
    store.subscribe(lambda loaded: heard.append(loaded.config.desktop.theme))
    store.save({"desktop.theme": "light"})
    assert heard == ["dark"]


# --- where it is ------------------------------------------------------------------------------------------------------


@proves("config-place")
def test_the_environment_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("PI_ASK_CONFIG", "/x/y.json")
    assert ConfigStore().path == default_path() == Path("/x/y.json")
    assert ConfigStore("named.json").path == Path.cwd() / "named.json"
    assert default_path({"PI_ASK_CONFIG": "~/y.json"}) == tmp_path / "y.json"
    assert ConfigStore("~/y.json").path == tmp_path / "y.json"
    assert default_path({}) == default_path({"PI_ASK_CONFIG": ""}) == tmp_path / "xdg" / "pi-ask" / "config.json"


def test_every_setting_of_a_file_that_was_just_made_is_in_it(path: Path) -> None:
    store = ConfigStore(path)
    store.reset()
    assert settings_of(AskConfig.model_validate(read(path))) == settings_of(AskConfig())
    assert store.current == LoadedConfig(AskConfig())
