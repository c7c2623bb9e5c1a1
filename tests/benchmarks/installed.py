"""A copy of the packages as they are once installed: compiled to byte code, beside their resources."""

from __future__ import annotations

import compileall
import shutil
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]

# What pip writes into its console scripts; older releases import re there.
SCRIPT = "import sys\nfrom pi_ask_qt.start import main\nsys.exit(main())\n"
OLD_SCRIPT = f"import re\n{SCRIPT}"


def install(folder: Path) -> None:
    """Put the copy into ``folder``; it is used with that folder as PYTHONPATH."""
    for name in ("pi_ask", "pi_ask_qt", "resources"):
        shutil.copytree(_ROOT / name, folder / name)
    compileall.compile_dir(folder, quiet=1)


def write_script(path: Path, text: str = SCRIPT) -> str:
    """Write a console script and return its path."""
    path.write_text(text, encoding="utf-8")
    return str(path)
