"""On small and sharp screens, on a real X server, the ways out of a form are on the screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import form, question
from processes import environment, running, x_server

PROBE = """
import json, sys
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QWidget


def look():
    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "askWindow")
    screen = window.screen().geometry()
    seen = {}
    for name in ("submit", "cancel", "elaborate"):
        widget = window.findChild(QWidget, name)
        corners = (widget.rect().topLeft(), widget.rect().bottomRight())
        seen[name] = all(screen.contains(widget.mapToGlobal(corner)) for corner in corners)
    seen["rows"] = window.findChild(QWidget, "option:q:value-0").visibleRegion().boundingRect().height() > 10
    print(json.dumps(seen), file=sys.stderr, flush=True)
    window.findChild(QWidget, "cancel").click()


def extension(pi):
    pi.events.on("@eko24ive/pi-ask:started", lambda _: QTimer.singleShot(1500, look))
"""


@pytest.mark.parametrize(
    ("screen", "variables"),
    [("1280x720x24", {"QT_SCALE_FACTOR": "2"}), ("800x600x24", {}), ("1280x800x24", {"QT_SCALE_FACTOR": "1.5"})],
    ids=["1280 x 720 at 2", "800 x 600", "1280 x 800 at 1.5"],
)
def test_every_way_out_is_on_the_screen(tmp_path: Path, screen: str, variables: dict[str, str]) -> None:
    values = [f"value-{number}" for number in range(40)]
    prompt = "\n".join(f"Line {number}" for number in range(100))
    document = form(question("q", *values, prompt=prompt), question("r"), title="T" * 300)
    (tmp_path / "form.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "probe.py").write_text(PROBE, encoding="utf-8")
    arguments = ("ask", "--here", str(tmp_path / "form.json"), "-e", str(tmp_path / "probe.py"))
    with (
        x_server("-screen", "0", screen) as display,
        running(*arguments, env=environment(DISPLAY=display, XDG_CONFIG_HOME=str(tmp_path), **variables)) as process,
    ):
        _, err = process.communicate(timeout=30)
    assert process.returncode == 1, err
    assert json.loads(err) == {"submit": True, "cancel": True, "elaborate": True, "rows": True}
