"""Who may import whom, and what each package does without."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from requirements import proves

ROOT = Path(__file__).parents[2]

QT = ("PySide6", "shiboken6", "qasync")
KITS = ("mcp", "mcp_types", "claude_agent_sdk", "pydantic_ai", "agents", "openai", "langgraph", "langchain_core")
STANDARD = frozenset(sys.stdlib_module_names)

# What the modules of a layer may import of the project, besides modules of the same layer, while they run.
LAYERS = {
    "pi_ask.models": (),
    "pi_ask.errors": (),
    "pi_ask.text": (),
    "pi_ask.wire": (),
    "pi_ask.files": (),
    "pi_ask.config": ("pi_ask.files", "pi_ask.models", "pi_ask.errors", "pi_ask.text", "pi_ask.state"),
    "pi_ask.state": ("pi_ask.models", "pi_ask.errors", "pi_ask.text"),
    "pi_ask.form": ("pi_ask.models", "pi_ask.state"),
    "pi_ask.runtime": (
        "pi_ask.files",
        "pi_ask.models",
        "pi_ask.errors",
        "pi_ask.text",
        "pi_ask.state",
        "pi_ask.config",
    ),
    "pi_ask.schema": ("pi_ask.models", "pi_ask.config"),
    "pi_ask.integrations": ("pi_ask.models", "pi_ask.errors", "pi_ask.text", "pi_ask.state", "pi_ask.runtime"),
    "pi_ask_qt.views": ("pi_ask", "pi_ask.models", "pi_ask.text", "pi_ask.form", "pi_ask.state", "pi_ask.config"),
    "pi_ask_qt.widgets": (
        "pi_ask",
        "pi_ask.models",
        "pi_ask.text",
        "pi_ask.form",
        "pi_ask.state",
        "pi_ask_qt.views",
        "pi_ask_qt.theme",
        "pi_ask_qt.keys",
        "pi_ask_qt.assets",
        "pi_ask_qt.file_index",
        "pi_ask_qt.references",
    ),
}
# What a layer does without, whoever brings it.
FORBIDDEN = {
    "pi_ask": QT,
    "pi_ask.state": ("asyncio", "logging", "time", "datetime", "os", "pathlib", "threading"),
    "pi_ask_qt.views": (*QT, "asyncio"),
    "pi_ask_qt.widgets": ("asyncio", "qasync"),
    "pi_ask_qt.tray": ("qasync",),
}
UPPER = ("pi_ask_qt.app", "pi_ask_qt.cli", "pi_ask_qt.commands", "pi_ask_qt.testing")
# A loop that knows nothing of Qt runs its events between its own turns, and within no event of Qt's.
LENDS_A_LOOP = {"pi_ask_qt.testing.loops": "processEvents"}


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("pi_ask", "pi_ask_qt"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), path


MODULES = dict(modules())


def imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports while it runs, wherever it does."""
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            yield from _imported_from(node.module, [alias.name for alias in node.names])
        else:
            pending += ast.iter_child_nodes(node)


def _imported_from(module: str, names: list[str]) -> list[str]:
    """Return what ``from module import names`` imports: sub-modules where the names are such."""
    return [f"{module}.{name}" if f"{module}.{name}" in MODULES else module for name in names]


def is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def of_layer(layer: str) -> dict[str, list[str]]:
    return {name: sorted(set(imports(path))) for name, path in MODULES.items() if is_in(name, (layer,))}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_what_is_below_it(layer: str) -> None:
    found = of_layer(layer)
    assert found
    allowed = LAYERS[layer]
    for name, imported in found.items():
        for module in imported:
            if is_in(module, ("pi_ask", "pi_ask_qt")) and not is_in(module, (layer,)):
                # The package itself stands for its public names alone; a layer names those that it may use.
                below = tuple(package for package in allowed if package != "pi_ask")
                assert module in allowed or is_in(module, below), f"{name} imports {module}"


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_does_without_what_is_not_its_business(layer: str) -> None:
    for name, imported in of_layer(layer).items():
        for module in imported:
            assert not is_in(module, FORBIDDEN[layer]), f"{name} imports {module}"


def test_the_core_imports_nothing_of_the_desktop() -> None:
    for name, imported in of_layer("pi_ask").items():
        assert not [module for module in imported if is_in(module, ("pi_ask_qt",))], name


def test_only_the_commands_import_the_application() -> None:
    for name, path in MODULES.items():
        if not is_in(name, ("pi_ask_qt",)) or is_in(name, UPPER) or name in {"pi_ask_qt.start", "pi_ask_qt.__main__"}:
            continue
        assert not [module for module in imports(path) if is_in(module, UPPER[:2])], name


def test_no_dialog_or_menu_is_executed() -> None:
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                forbidden = {"exec", "exec_", "processEvents"} - {LENDS_A_LOOP.get(name)}
                assert node.func.attr not in forbidden, f"{name}:{node.lineno}"


def test_no_check_is_suppressed_in_the_core() -> None:
    for name, path in MODULES.items():
        if is_in(name, ("pi_ask",)):
            text = path.read_text(encoding="utf-8")
            assert "# noqa" not in text, name
            assert "type: ignore" not in text, name
            assert "pragma: no cover" not in text, name


# --- what really happens ----------------------------------------------------------------------------------------------

BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "qasync", "pi_ask_qt"):
            raise ImportError(f"{name} is not installed")

sys.meta_path.insert(0, Blocker())
"""
USE = """
import asyncio, pi_ask, pi_ask.form
for name in dir(pi_ask):
    getattr(pi_ask, name)

async def main():
    async with pi_ask.PiAsk() as pi:
        result = await pi.ask_user({"questions": [{"id": "q", "prompt": "p", "options": [{"value": "a"}]}]})
        print(result.outcome)

asyncio.run(main())
"""


def python(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_core_works_where_qt_is_not_installed() -> None:
    assert python(BLOCKED + USE) == "not_shown"


@pytest.mark.parametrize("package", ["pi_ask", "pi_ask_qt", "pi_ask_qt.cli", "pi_ask_qt.start"])
def test_importing_a_package_loads_nothing_heavy(package: str) -> None:
    program = (
        f"import sys, {package}; print([name for name in ('PySide6', 'pydantic', 'asyncio') if name in sys.modules])"
    )
    assert python(program) == "[]"


def test_importing_the_core_loads_no_module_from_elsewhere_but_pydantic() -> None:
    program = (
        "import sys; before = set(sys.modules); from pi_ask import PiAsk\n"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    ours = {"pi_ask", "pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"}
    assert {name for name in python(program).split() if not name.startswith("_")} <= ours | STANDARD


@proves("kit-lazy")
@pytest.mark.parametrize("adapter", ["claude_agent", "pydantic_ai", "openai_agents", "langgraph"])
def test_an_adapter_is_imported_by_itself_and_without_its_kit(adapter: str) -> None:
    program = (
        f"import sys, pi_ask.integrations.{adapter}\n"
        f"print([name for name in {(*KITS, 'PySide6')} if name in sys.modules])\n"
        f"print(sorted(name for name in sys.modules if name.startswith('pi_ask.integrations.')))"
    )
    kits, ours = python(program).splitlines()
    assert kits == "[]"
    shared = {f"pi_ask.integrations.{name}" for name in ("approval", "asking")}
    assert ours == str(sorted({*shared, f"pi_ask.integrations.{adapter}"}))


@proves("kit-lazy")
def test_the_plain_package_needs_no_kit() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split("[<>=;]", one)[0].strip().lower() for one in project["dependencies"]}
    extras = {
        re.split("[<>=;]", one)[0].strip().lower()
        for extra in project["optional-dependencies"].values()
        for one in extra
    }
    assert extras
    assert needed & extras == set()
    for name, imported in of_layer("pi_ask").items():
        if not is_in(name, ("pi_ask.integrations",)):
            assert not [module for module in imported if is_in(module, KITS)], name
