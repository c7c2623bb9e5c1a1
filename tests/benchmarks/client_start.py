"""How long a client of the resident takes until its request is on the socket, against ``python -c pass``.

``python tests/benchmarks/client_start.py`` measures the checkout, compiled to byte code as an installed package is. The
target is a ratio below 2.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pi_ask.wire import decode, encode

_ROOT = Path(__file__).resolve().parents[2]
_FORM = '{"questions": [{"id": "q", "prompt": "Deploy?", "options": [{"value": "yes"}, {"value": "no"}]}]}'
# What pip writes into its console scripts; older releases import re there.
_SCRIPTS = {
    "pi-ask (script of today's pip)": "import sys\nfrom pi_ask_qt.start import main\nsys.exit(main())\n",
    "pi-ask (script of pip before 25)": "import re\nimport sys\nfrom pi_ask_qt.start import main\nsys.exit(main())\n",
}
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
    form = folder / "form.json"
    form.write_text(_FORM, encoding="utf-8")
    for package in ("pi_ask", "pi_ask_qt"):
        shutil.copytree(_ROOT / package, folder / package)
    compileall.compile_dir(folder, quiet=1)
    measures: dict[str, Callable[[], float]] = {"python -c pass": _bare}
    for number, (name, text) in enumerate(_SCRIPTS.items()):
        script = folder / f"script{number}"
        script.write_text(text, encoding="utf-8")
        measures[name] = _client(folder / "r.sock", [sys.executable, str(script), "ask", str(form)])
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
