"""What a resident uses: its processor time in an idle minute, and its memory over 2,000 forms.

``python tests/benchmarks/resident_use.py`` runs the checkout's own ``pi-ask tray`` on an X server of its own, with its
icon in a tray (``openbox``, ``trayer``, ``xdotool``). Forms come and go while the panel is shown; then it is left,
as by a person, for the idle minute. What a minute costs with the panel and one form on the screen is printed, too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[place]) for place in (1, 2)]

from installed import install, write_script
from residents import WAIT, Client, eventually
from screens import TRAY, Screen
from x_windows import Display

_MAX_GROWTH_MEGABYTES = 2.0
_WARM_UP = 2000
_A_MINUTE_OLD = 62


def main() -> int:
    """Measure, print, and return 1 where it uses the processor or grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, Display() as display, _resident(Path(name), display) as (pid, path):
        screen = Screen(display.name)
        _show_panel(screen)
        growth = _growth(pid, path, arguments.forms)
        shown = _with_panel(pid, path, arguments.seconds)
        _leave_panel(screen)
        used = _processor_over(pid, arguments.seconds)
        print(f"processor: {used:.2f} s in {arguments.seconds:.0f} idle seconds")
        print(f"processor: {shown:.2f} s in {arguments.seconds:.0f} seconds with the panel and a form on the screen")
    return 0 if growth < _MAX_GROWTH_MEGABYTES and used == 0 else 1


@contextmanager
def _resident(folder: Path, display: Display) -> Iterator[tuple[int, Path]]:
    install(folder)
    display.start("trayer", *TRAY)
    path = folder / "r.sock"
    environ = {**display.environ, "PYTHONPATH": str(folder), "PI_ASK_SOCKET": str(path), "XDG_CONFIG_HOME": str(folder)}
    command = [sys.executable, write_script(folder / "pi-ask"), "tray"]
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE) as tray:
        assert tray.stderr is not None
        while b"listens" not in (line := tray.stderr.readline()):
            assert line, "the resident did not start"
        yield tray.pid, path
        tray.terminate()


def _show_panel(screen: Screen) -> None:
    screen.click_icon()
    eventually(lambda: screen.focused_title() == "pi-ask")


def _leave_panel(screen: Screen) -> None:
    eventually(lambda: screen.focused_title() == "pi-ask")
    screen.press("Escape")
    eventually(lambda: "pi-ask" not in screen.titles())


def _growth(pid: int, path: Path, forms: int) -> float:
    _ask(path, _WARM_UP)
    before = _megabytes(pid)
    _ask(path, forms)
    growth = _megabytes(pid) - before
    print(f"memory: {before:.1f} MB, {growth:+.1f} MB after {forms} forms")
    return growth


def _with_panel(pid: int, path: Path, seconds: float) -> float:
    """Return the processor seconds with a form that says its age in minutes."""
    with Client(path) as client:
        client.open(WAIT)
        time.sleep(_A_MINUTE_OLD)
        used = _processor_over(pid, seconds)
        client.send("abort", id="1")
        assert client.receive()["outcome"] == "aborted"
    return used


def _processor_over(pid: int, seconds: float) -> float:
    time.sleep(2)
    start = _processor_seconds(pid)
    time.sleep(seconds)
    return _processor_seconds(pid) - start


def _ask(path: Path, forms: int) -> None:
    with Client(path) as client:
        for _ in range(forms):
            client.open(WAIT)
            client.send("abort", id="1")
            assert client.receive()["outcome"] == "aborted"


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
