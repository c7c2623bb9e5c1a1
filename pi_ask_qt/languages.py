"""The languages of the interface: Qt's translations, in ``resources/translations``."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from pi_ask_qt.assets import resource
from pi_ask_qt.views import sentences

CONTEXT = "pi_ask"
ENVIRONMENT_VARIABLE = "PI_ASK_LANGUAGE"
LANGUAGES = ("de", "zh_CN")

_installed: list[QTranslator] = []


def install(language: str | None = None) -> str:
    """Speak ``language`` (``"de"``), else ``PI_ASK_LANGUAGE``, else what the desktop speaks; return what is spoken."""
    app = QCoreApplication.instance()
    wanted = language or os.environ.get(ENVIRONMENT_VARIABLE) or _of_the_desktop()
    spoken = next((known for known in LANGUAGES if _matches(wanted, known)), "en")
    if app is None:
        return spoken
    for translator in _installed:
        app.removeTranslator(translator)
    _installed.clear()
    if spoken == "en":
        sentences.use(sentences.english)
        return spoken
    translator = QTranslator(app)
    if not translator.load(str(resource("translations", f"pi_ask_{spoken}.qm"))):
        return "en"
    app.installTranslator(translator)
    _installed.append(translator)
    sentences.use(_by_qt)
    return spoken


def _by_qt(source: str, count: int) -> str:
    translated = QCoreApplication.translate(CONTEXT, source, None, count)
    return translated if translated != source else sentences.english(source, count)


def _of_the_desktop() -> str:
    return next(iter(QLocale.system().uiLanguages()), "en")


def _matches(wanted: str, known: str) -> bool:
    """Return whether who wants ``wanted`` reads ``known``: any German, but Chinese in its own script only."""
    locale, other = QLocale(wanted.replace("-", "_")), QLocale(known)
    return locale.language() == other.language() and locale.script() == other.script()
