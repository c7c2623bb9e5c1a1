"""Make the pictures of the documentation: every kind of page and the panel of cards, light and dark.

Usage: python scripts/screenshots.py [--every] [--folder docs/pictures] [--size WIDTHxHEIGHT]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PySide6.QtWidgets import QApplication, QWidget

from pi_ask import AskConfig
from pi_ask.form import (
    Action,
    CancelForm,
    ChooseOption,
    Editor,
    EditorKind,
    EditText,
    FormState,
    GoToStep,
    MoveRow,
    OpenEditor,
    SubmitForm,
    open_form,
    reduce,
)
from pi_ask.models import AskQuestion, Requester, StartedEvent
from pi_ask.state.normalize import read_form
from pi_ask_qt.assets import resource
from pi_ask_qt.theme import apply_theme
from pi_ask_qt.tray.panel import Panel
from pi_ask_qt.views.cards import Board, build_panel
from pi_ask_qt.views.window import About, build_window
from pi_ask_qt.widgets.window import AskWindow

NOW = 1_000_000_000
DOCUMENTED = ("single", "preview", "review")
ASKER = Requester(name="claude-code", cwd="~/shop")
NOTE = Editor(EditorKind.OPTION_NOTE, "target", "staging")
OWN = Editor(EditorKind.CUSTOM, "checks")
FILLED: list[Action] = [
    ChooseOption("target", "staging"),
    EditText(NOTE, "only until Friday"),
    ChooseOption("checks", "smoke"),
    ChooseOption("checks", "load"),
    EditText(OWN, "the new invoice page by hand"),
]
SCENES: dict[str, list[Action]] = {
    "single": [*FILLED, GoToStep(0), MoveRow(1), MoveRow(1)],
    "multi": [*FILLED, GoToStep(1), OpenEditor(OWN)],
    "preview": [*FILLED, GoToStep(2), ChooseOption("schema", "column")],
    "notes": [*FILLED, OpenEditor(NOTE)],
    "review": [*FILLED, GoToStep(3)],
    "leaving": [*FILLED, GoToStep(0), CancelForm()],
    "missing": [GoToStep(0), SubmitForm()],
}


def hard_form() -> dict[str, Any]:
    """Return a form that tries to push the buttons off the screen."""
    hostile = [
        {"value": "long", "label": "A label that goes on " * 40, "description": "x" * 400, "recommended": True},
        {"value": "word", "label": "W" * 300},
        {"value": "markup", "label": "<b>x</b> R&D &Yes", "description": "rm -rf /home\u202egnp.txt"},
        *({"value": f"option-{number}", "description": "One of many."} for number in range(40)),
    ]
    prompt = "\n".join(f"Line {number} of a long prompt." for number in range(200))
    return {"title": "T" * 200, "questions": [{"id": "q", "prompt": prompt, "type": "multi", "options": hostile}]}


def scenes() -> Iterator[tuple[str, FormState]]:
    """Yield the name and state of every picture."""
    demo = read_form(json.loads(resource("forms", "demo.json").read_text(encoding="utf-8")))
    for name, actions in SCENES.items():
        state = open_form(demo.questions, title=demo.title)
        for action in actions:
            state = reduce(state, action)
        yield name, state
    single = read_form({"title": "Delete the branch?", "questions": [demo.questions[0]]})
    yield "one-question", open_form(single.questions, title=single.title)
    hard = read_form(hard_form())
    yield "hard", open_form(hard.questions, title=hard.title)


def cards() -> Board:
    """Return what the panel shows in the pictures: three forms, of which one wants a second press to be cancelled."""
    demo = read_form(json.loads(resource("forms", "demo.json").read_text(encoding="utf-8")))
    board = Board()
    for minutes, title, name, folder, question in (
        (6, demo.title, "claude-code", "~/work/shop", demo.questions[0]),
        (2, "Delete the branch?", "codex", "~/work/site", asked("“old-menu” has 3 commits that are nowhere else.")),
        (0, "Schema change", "pi", "~/work/shop", demo.questions[2]),
    ):
        event = StartedEvent(
            flow_id=f"{minutes}",
            title=title,
            requester=Requester(name=name, cwd=folder),
            questions=(question,),
            created_at=NOW - minutes * 60_000 - 12_000,
        )
        board = board.started(event)
    return board


def asked(prompt: str) -> AskQuestion:
    """Return a question to approve something."""
    options = [{"value": "approve"}, {"value": "deny"}]
    return read_form({"questions": [{"id": "go", "prompt": prompt, "options": options}]}).questions[0]


def panel() -> Panel:
    """Return the panel."""
    panel = Panel()
    panel.offer(list)
    panel.draw(build_panel(cards(), NOW, quiet=False, actions={"2": ["Approve", "Deny"]}))
    panel.come_forward()
    return panel


def forms(*, every: bool) -> Iterator[tuple[str, QWidget]]:
    """Yield the name and window of every form to be shown."""
    for name, state in scenes():
        if every or name in DOCUMENTED:
            window = AskWindow("picture", None, on_key=lambda *_: False)
            window.draw(build_window(state, AskConfig(), About(ASKER, asked=12, waiting=2)))
            yield name, window


def save(app: QApplication, window: QWidget, path: Path) -> None:
    """Show ``window``, write its picture, and take it away."""
    window.show()
    for _ in range(5):
        app.processEvents()
    window.grab().save(str(path))
    window.hide()
    window.deleteLater()


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--size", default="760x620")
    parser.add_argument("--every", action="store_true", help="also what the documentation does not show")
    arguments = parser.parse_args()
    width, height = (int(part) for part in arguments.size.split("x"))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    for theme in ("light", "dark"):
        apply_theme(app, theme)
        for name, window in forms(every=arguments.every):
            window.resize(width, height)
            save(app, window, arguments.folder / f"{name}-{theme}.png")
        save(app, panel(), arguments.folder / f"panel-{theme}.png")


if __name__ == "__main__":
    main()
