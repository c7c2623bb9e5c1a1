"""The project as it is installed elsewhere: its wheel, in an environment that knows nothing of this checkout."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

from processes import ROOT, environment


def run_python(program: Path | str, *arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a Python that knows nothing of this checkout, and of no screen, to its end."""
    env = {name: value for name, value in environment().items() if not name.startswith(("PYTHON", "COV", "PYTEST"))}
    return subprocess.run(
        [str(program), *arguments],
        cwd=cwd,
        env={**env, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def python(program: Path | str, *arguments: str, cwd: Path) -> str:
    """Run such a Python and return what it prints."""
    done = run_python(program, *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def built_wheel(folder: Path) -> Path:
    """Build the wheel as it is released."""
    python(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def environment_of_its_own(folder: Path) -> tuple[Path, Path]:
    """Make an environment with this one's packages but the project; return its Python and its folder of packages."""
    venv.create(folder, with_pip=False, symlinks=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    # A line of a .pth file adds a folder without the .pth files in it, and so without an editable install there.
    others = [path for path in (*site.getsitepackages(), site.getusersitepackages()) if os.path.isdir(path)]
    (packages / "others.pth").write_text("\n".join(others), encoding="utf-8")
    return folder / "bin" / "python", packages


def installed(wheel: Path, folder: Path) -> Path:
    """Install a wheel in an environment of its own, and return its Python."""
    own_python, packages = environment_of_its_own(folder)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return own_python
