"""Resources are found from a checkout, an editable install and a wheel."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from processes import ROOT, environment

from pi_ask_qt.assets import resource

FIND = "from pi_ask_qt.assets import resource; print(resource('forms', 'demo.json'))"
NAMES = [("forms", "demo.json"), ("extensions", "smoke.py"), ("icons", "pi-ask.svg")]


def python(program: Path | str, *arguments: str, cwd: Path) -> str:
    """Run a Python that knows nothing of this checkout and return what it prints."""
    env = {name: value for name, value in environment().items() if not name.startswith(("PYTHON", "COV"))}
    done = subprocess.run(
        [str(program), *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as it is released."""
    folder = tmp_path_factory.mktemp("wheel")
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


@pytest.mark.parametrize("names", NAMES, ids="/".join)
def test_a_checkout_has_them_beside_its_packages(names: tuple[str, ...]) -> None:
    assert resource(*names) == ROOT.joinpath("resources", *names)


def test_one_that_is_missing_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"forms/none\.json is missing; install pi-ask again"):
        resource("forms", "none.json")


def test_a_wheel_has_them_in_its_package(wheel: Path, tmp_path: Path) -> None:
    own_python, packages = environment_of_its_own(tmp_path / "venv")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    assert python(own_python, "-c", FIND, cwd=tmp_path) == str(packages / "pi_ask_qt/resources/forms/demo.json")
    told = python(own_python, "-m", "pi_ask_qt", "demo", "--screenshot", "x.png", cwd=tmp_path)
    assert '"values":["staging"]' in told


def test_an_editable_install_has_those_of_the_checkout(tmp_path: Path) -> None:
    own_python, packages = environment_of_its_own(tmp_path / "venv")
    python(sys.executable, "-m", "hatchling", "build", "-t", "wheel:editable", "-d", str(tmp_path), cwd=ROOT)
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(packages)
    assert python(own_python, "-c", FIND, cwd=tmp_path) == str(ROOT / "resources/forms/demo.json")


def test_a_wheel_holds_all_resources_types_and_nothing_of_the_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    resources = {path.relative_to(ROOT) for path in (ROOT / "resources").rglob("*") if path.is_file()}
    expected = {f"pi_ask_qt/{path}" for path in resources if "__pycache__" not in path.parts}
    assert expected <= names
    assert {"pi_ask/py.typed", "pi_ask_qt/py.typed"} <= names
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"pi_ask", "pi_ask_qt"}
    assert not [name for name in names if "__pycache__" in name or "/test_" in name]
    metadata = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert "Requires-Dist: pydantic" in metadata
    scripts = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    assert "pi-ask = pi_ask_qt.start:main" in scripts
