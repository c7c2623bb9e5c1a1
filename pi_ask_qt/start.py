"""Where the command starts: the resident is asked before anything is imported that a client of it can do without."""

from __future__ import annotations

import _signal  # importing signal itself takes as long as asking
import os
import sys


def main() -> int:
    """Run the command ``pi-ask`` with the arguments of this process and return its exit code."""
    _fill_descriptors()
    argv = sys.argv[1:]
    known: dict[str, object] = {}
    if len(argv) > 1 and argv[0] in {"ask", "confirm"}:
        from pi_ask_qt.quick import try_quickly  # noqa: PLC0415 - see above

        previous = _signal.signal(_signal.SIGTERM, _signal.default_int_handler)
        try:
            code, known = try_quickly(argv)
        except KeyboardInterrupt:
            sys.stderr.write("pi-ask: interrupted; nothing was chosen\n")
            return 130
        finally:
            _signal.signal(_signal.SIGTERM, previous)
        if code is not None:
            return code
    from pi_ask_qt.cli import main as run  # noqa: PLC0415 - see above

    return run(argv, known)


def _fill_descriptors() -> None:
    """Open what a caller has closed: a file or socket that took the number of standard error would be written to."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
