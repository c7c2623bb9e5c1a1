"""A save is all or nothing, whoever owns the file and whenever it is killed."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from processes import ROOT
from requirements import proves

from pi_ask import ConfigError
from pi_ask.config.store import ConfigStore

CHANGE = {"behaviour.showFooterHints": False}
NOBODY = 65534
STRANGE_GROUP = 12345

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of somebody else")

# Saves without end; says so after the first time.
SAVING = """
import itertools, sys
from pi_ask.config.store import ConfigStore
store = ConfigStore(sys.argv[1])
for number in itertools.count():
    store.save({"desktop.inputGuardMs": number % 1000})
    if number == 0:
        print("saving", flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "config.json"
    path.write_text("{}")
    return path


@pytest.fixture
def public() -> Iterator[Path]:
    """A file in a folder that everybody can get at."""
    with tempfile.TemporaryDirectory(prefix="pi-ask-public-") as folder:
        Path(folder).chmod(0o777)
        path = Path(folder) / "config.json"
        path.write_text("{}")
        path.chmod(0o666)
        yield path
        Path(folder).chmod(0o777)


@contextmanager
def somebody() -> Iterator[None]:
    """Be a user for whom permissions count."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def refused(path: Path, why: str) -> None:
    """Save as somebody, who is refused, and see that nothing has changed."""
    before = path.read_bytes()
    store = ConfigStore(path)
    with somebody():
        store.load()
        loaded = store.current
        with pytest.raises(ConfigError, match=why) as caught:
            store.save(CHANGE)
    assert str(path) in str(caught.value)
    assert store.current is loaded
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@proves("config-mode")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666, 0o700])
def test_a_save_keeps_the_mode(path: Path, mode: int) -> None:
    path.chmod(mode)
    ConfigStore(path).save(CHANGE)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@proves("config-mode")
def test_a_new_file_is_for_this_user_alone_whatever_the_umask(path: Path) -> None:
    path.unlink()
    umask = os.umask(0)
    try:
        ConfigStore(path).save(CHANGE)
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@proves("config-mode")
@as_root
def test_a_file_stays_its_owners(public: Path) -> None:
    os.chown(public, NOBODY, STRANGE_GROUP)
    public.chmod(0o640)
    ConfigStore(public).save(CHANGE)
    state = public.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (NOBODY, STRANGE_GROUP, 0o640)


@proves("config-mode")
@as_root
def test_what_a_group_may_do_is_not_given_to_another(public: Path) -> None:
    os.chown(public, NOBODY, STRANGE_GROUP)
    public.chmod(0o664)
    with somebody():
        ConfigStore(public).save(CHANGE)
    state = public.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (NOBODY, NOBODY, 0o604)


@proves("config-read-only")
def test_a_read_only_file_is_not_replaced(public: Path) -> None:
    public.chmod(0o444)
    refused(public, "read-only")
    with pytest.raises(ConfigError, match="read-only"):
        ConfigStore(public).save(CHANGE)


@proves("config-read-only")
def test_a_read_only_folder_stays_as_it_is(public: Path) -> None:
    public.parent.chmod(0o555)
    refused(public, "cannot be written: Permission denied")


@proves("config-read-only")
def test_a_folder_that_cannot_be_made_is_named(public: Path) -> None:
    public.parent.chmod(0o555)
    store = ConfigStore(public.parent / "deep" / "er" / "config.json")
    with somebody(), pytest.raises(ConfigError, match=r"er/config\.json cannot be written: Permission denied"):
        store.save(CHANGE)


@proves("config-read-only")
def test_a_file_that_cannot_be_read_is_left_as_it_is(public: Path) -> None:
    public.chmod(0o000)
    refused(public, "left as it is: it cannot be read: Permission denied")


@proves("config-read-only")
@as_root
def test_a_file_of_another_user_is_not_taken_over(public: Path) -> None:
    refused(public, "belongs to another user")
    public.chmod(0o644)
    refused(public, "cannot be written: Permission denied")
    assert public.stat().st_uid == 0


@proves("config-atomic")
def test_a_full_disk_leaves_the_old_file(path: Path) -> None:
    program = (
        "import resource, signal, sys\nfrom pi_ask.config.store import ConfigStore\nfrom pi_ask import ConfigError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n"
        "try:\n    ConfigStore(sys.argv[1]).save({'desktop.theme': 'dark'})\n"
        "except ConfigError as error:\n    print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == f"{path} cannot be written: File too large\n"
    assert [one.name for one in path.parent.iterdir()] == ["config.json"]
    assert path.read_text() == "{}"


@proves("config-atomic")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, path = tmp_path / "real" / "settings.json", tmp_path / "config.json"
    real.parent.mkdir()
    real.write_text("{}")
    path.symlink_to(tmp_path / "middle")
    (tmp_path / "middle").symlink_to("real/settings.json")
    ConfigStore(path).save(CHANGE)
    assert path.is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert not real.is_symlink()
    assert json.loads(real.read_text())["behaviour"] == {"showFooterHints": False}
    real.unlink()
    ConfigStore(path).save(CHANGE)
    assert path.is_symlink()
    assert real.is_file()


@proves("config-atomic")
def test_a_save_that_is_killed_fifty_times_leaves_the_old_file_or_the_new(path: Path) -> None:
    mine = ["x" * 1000] * 300
    path.write_text(json.dumps({"mine": mine}))
    seen: set[int] = set()
    for number in range(50):
        _kill_a_save(path, number / 4_000)
        document = json.loads(path.read_bytes())
        assert document["mine"] == mine
        seen.add(document["desktop"]["inputGuardMs"])
    assert len(seen) > 1
    left = [one for one in path.parent.iterdir() if one != path]
    assert left, "no save was killed in its middle"
    for one in left:
        os.utime(one, (0, 0))
    ConfigStore(path).save(CHANGE)
    assert list(path.parent.iterdir()) == [path]


def _kill_a_save(path: Path, seconds: float) -> None:
    """Kill a process that saves, ``seconds`` after its first save."""
    command, environment = [sys.executable, "-c", SAVING, str(path)], {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"saving\n"
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            os.sched_yield()
        child.send_signal(signal.SIGKILL)
        assert child.wait(10) == -signal.SIGKILL


@proves("config-atomic")
def test_a_save_under_way_elsewhere_is_left_alone(path: Path) -> None:
    fresh, stale = path.with_name(".pi-ask-config-fresh"), path.with_name(".pi-ask-config-stale")
    for one in (fresh, stale):
        one.write_text("half")
    os.utime(stale, (0, 0))
    ConfigStore(path).save(CHANGE)
    assert sorted(path.parent.iterdir()) == [fresh, path]
