"""The guard of the Qt binding; it runs before every other test."""

from __future__ import annotations

import subprocess
import sys

from PySide6.QtCore import QObject

# A window takes some hundred void calls; with a binding that loses a reference at each, the process aborts.
MANY_WINDOWS = """
import sys
from PySide6.QtWidgets import QApplication, QLabel
app = QApplication([])
label = QLabel()
before = sys.getrefcount(None)
for number in range(10_000):
    for _ in range(100):
        label.setObjectName("x")
    label.setToolTip(str(number))
    label.setEnabled(bool(number % 2))
print(sys.getrefcount(None) - before)
"""


def test_qt_takes_no_reference_to_none_away() -> None:
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1_000):
        thing.setObjectName("x")
    assert abs(sys.getrefcount(None) - before) < 100


def test_ten_thousand_windows_of_calls_leave_none_alone() -> None:
    done = subprocess.run([sys.executable, "-c", MANY_WINDOWS], capture_output=True, text=True, check=False, timeout=50)
    assert done.returncode == 0, done.stderr
    assert abs(int(done.stdout)) < 1_000
