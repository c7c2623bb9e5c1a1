"""Make the pictures of the documentation: every kind of page, light and dark.

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

from PySide6.QtWidgets import QApplication

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
from pi_ask.models import Requester
from pi_ask.state.normalize import read_form
from pi_ask_qt.assets import resource
from pi_ask_qt.theme import apply_theme
from pi_ask_qt.views.window import About, build_window
from pi_ask_qt.widgets.window import AskWindow

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
        for name, state in scenes():
            if not (arguments.every or name in DOCUMENTED):
                continue
            window = AskWindow("picture", None, on_key=lambda *_: False)
            window.resize(width, height)
            window.draw(build_window(state, AskConfig(), About(ASKER, asked=12, waiting=2)))
            window.show()
            for _ in range(5):
                app.processEvents()
            window.grab().save(str(arguments.folder / f"{name}-{theme}.png"))
            window.hide()
            window.deleteLater()


if __name__ == "__main__":
    main()
