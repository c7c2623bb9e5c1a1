"""Testing programs that ask: a desk with a real window for every form, and a driver that speaks of questions.

With pytest the fixture ``ask_desk`` is there as soon as pi-ask is installed; see ``docs/testing.md``.
"""

from pi_ask_qt.testing.desk import AskDesk
from pi_ask_qt.testing.driver import REVIEW, AskDriver, AskDriverError

__all__ = ["REVIEW", "AskDesk", "AskDriver", "AskDriverError"]
