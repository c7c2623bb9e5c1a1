"""Where the command starts: the resident is asked before anything is imported that a client of it can do without."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command ``pi-ask`` with the arguments of this process and return its exit code."""
    argv = sys.argv[1:]
    known: dict[str, object] = {}
    if len(argv) > 1 and argv[0] in {"ask", "confirm"}:
        from pi_ask_qt.quick import try_quickly  # noqa: PLC0415 - see above

        try:
            code, known = try_quickly(argv)
        except KeyboardInterrupt:
            sys.stderr.write("pi-ask: interrupted; nothing was chosen\n")
            return 130
        if code is not None:
            return code
    from pi_ask_qt.cli import main as run  # noqa: PLC0415 - see above

    return run(argv, known)
