"""Testing programs that ask: a desk with a real window for every form, and a driver that speaks of questions.

With pytest the fixture ``ask_desk`` is there as soon as pi-ask is installed; see ``docs/testing.md``.
"""

from pi_ask_qt.testing.desk import AskDesk
from pi_ask_qt.testing.driver import AskDriver
from pi_ask_qt.testing.errors import AskDriverError
from pi_ask_qt.testing.screen import REVIEW, OptionShown, QuestionShown, ReviewShown, Screen, StepShown
from pi_ask_qt.testing.scripts import Script

__all__ = [
    "REVIEW",
    "AskDesk",
    "AskDriver",
    "AskDriverError",
    "OptionShown",
    "QuestionShown",
    "ReviewShown",
    "Screen",
    "Script",
    "StepShown",
]
