"""Links lead to the place that they name, and what clients of the MCP server are told starts it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def blocks(path: Path, language: str) -> list[str]:
    """Return the code of one language in a document."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """Return the places in a document that a link can name."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_configuration_of_a_client_starts_the_server() -> None:
    document = ROOT / "docs" / "mcp.md"
    servers = [next(iter(json.loads(block).values())) for block in blocks(document, "json")]
    servers += [tomllib.loads(block)["mcp_servers"] for block in blocks(document, "toml")]
    assert len(servers) == 5
    for server in servers:
        assert server["pi-ask"]["command"] == "pi-ask"
        assert server["pi-ask"]["args"] == ["mcp"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_place_in_a_document_finds_it(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)\s]*#[^)\s]+)\)", document.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        assert anchor in anchors(document.parent / name if name else document), f"{document.name}: {target}"
