"""How long a client of the resident takes until its request is on the socket, against ``python -c pass``.

``python tests/benchmarks/client_start.py`` measures the checkout, compiled to byte code as an installed package is. The
target is a ratio below 2.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from installed import OLD_SCRIPT, SCRIPT, install, write_script

from pi_ask.wire import decode, encode

_FORM = '{"questions": [{"id": "q", "prompt": "Deploy?", "options": [{"value": "yes"}, {"value": "no"}]}]}'
_SCRIPTS = {"pi-ask (script of today's pip)": SCRIPT, "pi-ask (script of pip before 25)": OLD_SCRIPT}
_TARGET = 2.0


def main() -> int:
    """Measure, print, and return 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        measures = _measures(Path(folder))
        times: dict[str, list[float]] = {name: [] for name in measures}
        for _ in range(runs):
            for name, measure in measures.items():
                times[name].append(measure())
    base = statistics.median(times["python -c pass"])
    ratios = []
    for name, taken in times.items():
        median = statistics.median(taken)
        ratios.append(median / base)
        print(f"{name:36} median {median * 1000:6.2f} ms   min {min(taken) * 1000:6.2f} ms   x {median / base:.2f}")
    return 0 if max(ratios) < _TARGET else 1


def _measures(folder: Path) -> dict[str, Callable[[], float]]:
    install(folder)
    form = folder / "form.json"
    form.write_text(_FORM, encoding="utf-8")
    measures: dict[str, Callable[[], float]] = {"python -c pass": _bare}
    for number, (name, text) in enumerate(_SCRIPTS.items()):
        script = write_script(folder / f"script{number}", text)
        measures[name] = _client(folder / "r.sock", [sys.executable, script, "ask", str(form)])
    return measures


def _bare() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


def _client(path: Path, command: list[str]) -> Callable[[], float]:
    environ = {**os.environ, "PI_ASK_SOCKET": str(path), "PYTHONPATH": str(path.parent)}

    def measure() -> float:
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            start = time.perf_counter()
            process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                connection.sendall(encode("hello"))
                line = lines.readline()
                taken = time.perf_counter() - start
                assert decode(line)["type"] == "ask"
                connection.sendall(encode("failed", id="1", error="surface_failed", message="only measured"))
            assert process.wait() == 3
        return taken

    return measure


if __name__ == "__main__":
    sys.exit(main())
