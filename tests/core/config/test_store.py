"""The configuration file: nothing in it stops the program, and nothing but a save changes it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pi_ask import AskConfig, ConfigError
from pi_ask.config.store import ConfigStore, LoadedConfig, default_path

ROOT = Path(__file__).parents[3]
CHANGE = {"behaviour.showFooterHints": False}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "config.json"


def written(path: Path, content: Any) -> ConfigStore:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return ConfigStore(path)


def keymaps(**main: Any) -> dict[str, Any]:
    document: dict[str, Any] = AskConfig().keymaps.to_wire()
    document["main"].update(main)
    return document


def test_a_missing_file_means_defaults_and_is_not_made_by_reading(path: Path) -> None:
    store = ConfigStore(path)
    assert store.load() == LoadedConfig(AskConfig())
    assert not path.parent.exists()


def test_the_first_save_makes_the_file_for_this_user_alone(path: Path) -> None:
    ConfigStore(path).save(CHANGE)
    assert json.loads(path.read_text())["behaviour"]["showFooterHints"] is False
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "must hold an object"),
        (b"null", "must hold an object"),
        (b'"text"', "must hold an object"),
        (b"\x00\xff\xfe", "UTF-8"),
        (b'{"behaviour": NaN}', "NaN"),
        (b"[" * 20_000, "not JSON"),
        (b'{"schemaVersion": 6}', "newer"),
        (b'{"schemaVersion": true}', "schemaVersion"),
        (b'{"schemaVersion": "5"}', "schemaVersion"),
        (b'{"schemaVersion": 0}', "schemaVersion"),
        (b" " * (1024 * 1024 + 1), "larger"),
    ],
)
def test_a_file_that_cannot_be_used_is_left_exactly_as_it_is(path: Path, content: bytes, why: str) -> None:
    store = written(path, content)
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


def test_a_folder_or_a_pipe_is_no_file(path: Path) -> None:
    path.mkdir(parents=True)
    assert "no regular file" in ConfigStore(path).load().notices[0]
    pipe = path / "pipe"
    os.mkfifo(pipe)
    assert "no regular file" in ConfigStore(pipe).load().notices[0]


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_older_versions_are_read(path: Path, version: int) -> None:
    loaded = written(path, {"schemaVersion": version, "desktop": {"theme": "dark"}}).load()
    assert (loaded.config.desktop.theme, loaded.notices) == ("dark", ())


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"desktop": {"theme": "pink", "inputGuardMs": 250}}, "desktop.theme"),
        ({"desktop": {"theme": 3, "inputGuardMs": 250}}, "desktop.theme"),
        ({"desktop": {"alwaysOnTop": "yes", "inputGuardMs": 250}}, "desktop.alwaysOnTop"),
        ({"behaviour": [], "desktop": {"inputGuardMs": 250}}, "behaviour"),
        ({"notifications": {"enabled": None}, "desktop": {"inputGuardMs": 250}}, "notifications.enabled"),
        (
            {"notifications": {"channels": ["bell", "osc9"]}, "desktop": {"inputGuardMs": 250}},
            "notifications.channels.1",
        ),
        ({"notifications": {"channels": 5}, "desktop": {"inputGuardMs": 250}}, "notifications.channels"),
        ({"keymaps": keymaps(confirm="7"), "desktop": {"inputGuardMs": 250}}, "keymaps.main.confirm"),
        ({"keymaps": keymaps(confirm="space"), "desktop": {"inputGuardMs": 250}}, "keymaps"),
        ({"keymaps": {}, "desktop": {"inputGuardMs": 250}}, "keymaps.global"),
        ({"keymaps": 5, "desktop": {"inputGuardMs": 250}}, "keymaps"),
    ],
)
def test_what_is_wrong_does_not_count_and_all_else_does(path: Path, document: dict[str, Any], place: str) -> None:
    before = json.dumps(document).encode()
    loaded = written(path, before).load()
    assert loaded.usable
    assert loaded.config.desktop.input_guard_ms == 250
    assert loaded.config.keymaps == AskConfig().keymaps
    assert any(place in notice for notice in loaded.notices), loaded.notices
    assert path.read_bytes() == before


def test_every_missing_action_is_named(path: Path) -> None:
    document = {"keymaps": keymaps()}
    del document["keymaps"]["main"]["confirm"]
    del document["keymaps"]["editor"]["close"]
    notices = written(path, document).load().notices
    assert [any(name in notice for notice in notices) for name in ("main.confirm", "editor.close")] == [True, True]


def test_valid_keys_are_used_and_normalised(path: Path) -> None:
    loaded = written(path, {"keymaps": keymaps(confirm=["Return", "ctrl+k"], cancel="escape")}).load()
    assert loaded.notices == ()
    assert loaded.config.keymaps.main.confirm == ("enter", "ctrl+k")


def test_a_bad_channel_leaves_the_good_ones(path: Path) -> None:
    channels = [5, "bell", {"type": "command"}, {"type": "command", "command": "true"}, "smoke"]
    loaded = written(path, {"notifications": {"channels": channels}}).load()
    assert [getattr(one, "command", one) for one in loaded.config.notifications.channels] == ["bell", "true"]
    assert len(loaded.notices) == 3


def test_a_save_keeps_what_it_does_not_know_and_the_order(path: Path) -> None:
    document = {"answer": {"x": [1]}, "desktop": {"future": 1, "theme": "dark"}, "schemaVersion": 5}
    store = written(path, document)
    store.load()
    store.save({"desktop.theme": "light", **CHANGE})
    after = json.loads(path.read_text())
    assert after["answer"] == {"x": [1]}
    assert after["desktop"] == {"future": 1, "theme": "light"}
    assert list(after)[:3] == ["answer", "desktop", "schemaVersion"]
    assert store.current.config.desktop.theme == "light"


def test_a_reset_keeps_what_it_does_not_know(path: Path) -> None:
    store = written(path, {"answer": 1, "desktop": {"theme": "dark"}, "keymaps": keymaps(confirm="x")})
    store.load()
    store.reset()
    assert json.loads(path.read_text())["answer"] == 1
    assert ConfigStore(path).load() == LoadedConfig(AskConfig())


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o200])
def test_a_save_never_widens_the_mode(path: Path, mode: int) -> None:
    store = written(path, {})
    path.chmod(mode)
    store.save(CHANGE)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_read_only_file_is_not_replaced(path: Path) -> None:
    store = written(path, {})
    path.chmod(0o444)
    with pytest.raises(ConfigError, match="read-only"):
        store.save(CHANGE)
    assert path.read_bytes() == b"{}"


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text("{}")
    path.parent.mkdir()
    path.symlink_to(real)
    ConfigStore(path).save(CHANGE)
    assert path.is_symlink()
    assert json.loads(real.read_text())["behaviour"] == {"showFooterHints": False}


def test_a_change_by_somebody_else_is_kept(path: Path) -> None:
    one, other = ConfigStore(path), ConfigStore(path)
    one.save(CHANGE)
    other.save({"desktop.theme": "dark"})
    assert ConfigStore(path).load().config.behaviour.show_footer_hints is False


def test_a_change_is_seen_and_listeners_hear_of_it(path: Path) -> None:
    heard: list[LoadedConfig] = []
    store = written(path, {})
    store.load()
    stop = store.subscribe(heard.append)
    assert not store.changed()
    written(path, {"desktop": {"theme": "dark"}})
    assert store.changed()
    store.load()
    store.load()
    assert [loaded.config.desktop.theme for loaded in heard] == ["dark"]
    stop()
    store.save(CHANGE)
    assert len(heard) == 1


def test_a_save_that_is_killed_leaves_the_old_file_or_the_new(path: Path) -> None:
    program = (
        "import sys\nfrom pi_ask.config.store import ConfigStore\nstore = ConfigStore(sys.argv[1])\n"
        "print(1, flush=True)\nn = 0\nwhile True:\n    n += 1\n"
        "    store.save({'desktop.inputGuardMs': n % 1000, 'padding': 'x' * 100_000})\n"
    )
    written(path, {"mine": True})
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for number in range(50):
        child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, env=environment)
        assert child.stdout is not None
        child.stdout.readline()
        # A different moment of the save each time.
        os.sched_yield()
        end = time.monotonic() + number / 5_000
        while time.monotonic() < end:
            pass
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        document = json.loads(path.read_text())
        assert document["mine"] is True


def test_what_killed_saves_left_behind_is_removed_later(path: Path) -> None:
    store = written(path, {})
    left = path.parent / ".pi-ask-config-left"
    left.write_text("half")
    os.utime(left, (0, 0))
    store.save(CHANGE)
    assert [file.name for file in path.parent.iterdir()] == ["config.json"]


def test_the_environment_names_the_file() -> None:
    assert default_path({"PI_ASK_CONFIG": "/x/y.json"}) == Path("/x/y.json")
    assert default_path({}).name == "config.json"
