"""Resources are found from a checkout, an editable install and a wheel."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest
from processes import ROOT
from wheels import environment_of_its_own, python

from pi_ask_qt.assets import resource

FIND = "from pi_ask_qt.assets import resource; print(resource('forms', 'demo.json'))"
NAMES = [("forms", "demo.json"), ("extensions", "smoke.py"), ("icons", "pi-ask.svg")]


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
