"""Where the command starts: the resident is asked before anything is imported that a client of it can do without."""

from __future__ import annotations

import _signal  # importing signal itself takes as long as asking
import os
import sys

_WITH_WINDOWS = frozenset(("ask", "confirm", "demo", "tray"))


def main() -> int:
    """Run the command ``pi-ask`` with the arguments of this process and return its exit code."""
    _fill_descriptors()
    if _signal.getsignal(_signal.SIGTERM) == _signal.SIG_DFL:
        _signal.signal(_signal.SIGTERM, _signal.default_int_handler)
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("pi-ask: interrupted; nothing was chosen\n")
        return 130
    except Exception as error:
        from pi_ask_qt.commands.output import say_failure  # noqa: PLC0415 - see above

        # Python's own exit code for an error, 1, would read as a person's cancel.
        say_failure(error)
        return 3


def _run(argv: list[str]) -> int:
    if len(argv) > 1 and argv[0] in {"ask", "confirm"}:
        from pi_ask_qt.quick import try_quickly  # noqa: PLC0415 - see above

        code, plain = try_quickly(argv)
        if code is not None:
            return code
        if plain is not None:
            from pi_ask_qt import garbage  # noqa: PLC0415 - see above
            from pi_ask_qt.running import carry_out  # noqa: PLC0415 - see above

            garbage.leave()
            return carry_out(plain)
    if argv and argv[0] in _WITH_WINDOWS:
        from pi_ask_qt import garbage  # noqa: PLC0415 - see above

        garbage.leave()
    from pi_ask_qt.cli import main as run  # noqa: PLC0415 - see above

    return run(argv)


def _fill_descriptors() -> None:
    """Open what a caller has closed: a file or socket that took the number of standard error would be written to."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
