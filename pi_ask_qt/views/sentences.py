"""Every sentence of the interface, in one place, in the language in force.

``sentences.SUBMIT`` and the functions below say it in the language that was given to :func:`use`; ``SOURCES`` has the
English of all of them, which is what the translations are made from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Translate = Callable[[str, int], str]
"""Takes an English sentence and a count, -1 where it has none; returns it in another language."""

_WORDS = {
    "TYPE_YOUR_OWN": "Type your own",
    "REVIEW": "Review",
    "RECOMMENDED": "recommended",
    "NO_ANSWER": "no answer",
    "ANSWERED": "answered",
    "NOT_ANSWERED": "not answered",
    "SUBMIT": "Submit",
    "ELABORATE": "Elaborate…",
    "CANCEL": "Cancel",
    "PREVIOUS": "Back",
    "NEXT": "Next",
    "COPY": "Copy",
    "WRAP": "Wrap lines",
    "SEARCH": "Search the preview. Enter finds the next, Esc closes.",
    "NOT_FOUND": "not found",
    "FILTER": "Filter the options",
    "CUSTOM_PLACEHOLDER": "Your own words. Enter takes them, Shift+Enter starts a new line.",
    "QUESTION_NOTE_PLACEHOLDER": "A note about this question. Enter keeps it.",
    "OPTION_NOTE_PLACEHOLDER": "A note about this option. Enter keeps it.",
    "SHOW_ALL": "Cut here. Enter or a click shows all of it.",
    "SHOW_LESS": "Enter or a click cuts it again.",
    "REMOVE_PICTURE": "Remove this picture",
    "ADD_NOTE": "Add a note to this question",
    "PREVIEW_OF_OWN_TEXT": "There is no preview of your own words.",
    "DISMISS_WARNING": "Leaving now discards what you chose or wrote. Do the same again to leave.",
    "CHANGE_TYPE_WARNING": "Changing the type gives up your choices. Do the same again to change it.",
    "SUBMIT_AGAIN": "Press 1 again to submit.",
    "ELABORATE_AGAIN": "Press 2 again to ask for an explanation first.",
    "CANCEL_AGAIN": "Press 3 again to cancel without an answer.",
    "QUESTION_WAITING": "Question waiting",
    "UNTITLED": "A question for you",
    "ASKED_NOW": "asked just now",
    "SETTINGS_TITLE": "Settings",
    "THEME": "Colours",
    "CONFIG_FILE": "Keys and everything else are in this file:",
    "RESET": "Reset everything",
    "RESET_AGAIN": "Reset everything: press again",
    "RESET_WARNING": "All settings and keys go back to their defaults. Press again to do it.",
    "CLOSE": "Close",
    "OPEN": "Open",
    "CARD_CANCEL_AGAIN": "Cancel: press again",
    "QUIET": "Do not disturb",
    "NOTHING_WAITS": "Nothing is waiting.",
    "NO_TRAY": "This desktop has no tray; this window stands in for it.",
    "SHOW_PANEL": "Show what is waiting",
    "QUIT": "Quit",
    "QUIT_ANYWAY": "Quit anyway",
    "MORE": "More",
    "QUIT_AGAIN": "Forms are waiting; they would end as failed. Quit again to do it.",
    "HINT_CHOOSE": "choose",
    "HINT_TOGGLE": "toggle",
    "HINT_NEXT": "next",
    "HINT_CHOOSE_NEXT": "choose, next",
    "HINT_SUBMIT": "submit",
    "HINT_CHOOSE_SUBMIT": "choose, submit",
    "HINT_NOTE": "note",
    "HINT_QUESTION_NOTE": "question note",
    "HINT_ONE_ANSWER": "one answer",
    "HINT_SEVERAL_ANSWERS": "several answers",
    "HINT_SEARCH": "search",
    "HINT_FILTER": "filter",
    "HINT_SETTINGS": "settings",
    "HINT_CANCEL": "cancel",
    "HINT_ELABORATE": "elaborate",
    "HINT_TWICE": "cancel, pressed twice",
    "HINT_BACK": "back",
    "HINT_TAKE": "take it",
    "HINT_KEEP": "keep the note",
    "HINT_LINE": "new line",
    "HINT_CLOSE": "close, keep it",
}
_SETTINGS = {
    "behaviour.autoSubmitWhenAnsweredWithoutNotes": "Submit by itself when everything is answered, without notes",
    "behaviour.confirmDismissWhenDirty": "Ask before leaving discards something",
    "behaviour.doublePressReviewShortcuts": "On Review, 1, 2 and 3 are pressed twice",
    "behaviour.presentSingleAsMulti": "Let single questions take several answers (from the next form on)",
    "behaviour.showFooterHints": "Show the keys at the foot of the window",
    "notifications.enabled": "Tell me about forms that wait",
    "notifications.showText": "Say in notifications what is asked, not only by whom",
    "desktop.alwaysOnTop": "Keep windows above all others",
}
_THEMES = {"system": "as the desktop", "light": "light", "dark": "dark"}

_WAITING = "%n more waiting"
_HEADING = "%n waiting"
_SECONDS = "%n s"
_MINUTES = "%n min"
_HOURS = "%n h"
_ASKED = "asked {time} ago"
_POSITION = "{number} of {count}"
_MISSING = "%n question(s) need an answer: {labels}. Submit again to send the form without."
_LEFT_OPEN = "%n question(s) have no answer: {labels}. Submit sends the others as they are."
_MORE_NOTICES = "{notice} And %n more: pi-ask config check"
_ASKS = "{name} asks"
_ABOUT = "{who}: {what}"
_ANSWERED_ELSEWHERE = "“{title}” was answered elsewhere."
_ENDED_ELSEWHERE = "“{title}” has ended elsewhere."
_OWN_WORDS = "“{text}”"
_NOTE_ON = "{label}: {note}"
_ENGLISH_PLURALS = {
    (_MISSING, True): "{labels} needs an answer. Submit again to send the form without.",
    (_MISSING, False): "{labels} need an answer. Submit again to send the form without.",
    (_LEFT_OPEN, True): "{labels} has no answer. Submit sends the others as they are.",
    (_LEFT_OPEN, False): "{labels} have no answer. Submit sends the others as they are.",
}

COUNTED = (_WAITING, _MISSING, _LEFT_OPEN, _MORE_NOTICES, _HEADING, _SECONDS, _MINUTES, _HOURS)
"""The sentences with a count: a language has a form for each of its plurals."""

SOURCES = tuple(
    dict.fromkeys(
        (
            *_WORDS.values(),
            *_SETTINGS.values(),
            *_THEMES.values(),
            *(_ASKED, _ASKS, _ABOUT, _POSITION, _OWN_WORDS, _NOTE_ON, _ANSWERED_ELSEWHERE, _ENDED_ELSEWHERE),
            *COUNTED,
        )
    )
)

_MINUTE_MS = 60_000
_HOUR_MS = 60 * _MINUTE_MS


def english(source: str, count: int = -1) -> str:
    """Return a sentence in English."""
    return _ENGLISH_PLURALS.get((source, count == 1), source).replace("%n", str(count))


_translate: Translate = english


def use(translate: Translate) -> None:
    """Say everything by ``translate`` from now on."""
    global _translate  # noqa: PLW0603 - one person reads one language
    _translate = translate


def __getattr__(name: str) -> str:
    if name in _WORDS:
        return _translate(_WORDS[name], -1)
    raise AttributeError(f"there is no sentence {name!r}")


def setting(place: str) -> str:
    """Return what a switch says, by the setting's name in the file."""
    return _translate(_SETTINGS[place], -1)


def themes() -> dict[str, str]:
    """Return the themes by their names in the file, with what they are called."""
    return {name: _translate(source, -1) for name, source in _THEMES.items()}


def window_title(title: str | None) -> str:
    """Return the title of a window."""
    return f"{title} - pi-ask" if title else "pi-ask"


def waiting(count: int) -> str:
    """Return how many other forms wait, ``""`` for none."""
    return _translate(_WAITING, count) if count else ""


def position(number: int, count: int) -> str:
    """Return where an option stands among all."""
    return _translate(_POSITION, -1).format(number=number, count=count)


def missing_required(labels: Sequence[str]) -> str:
    """Return the warning that required questions have no answer."""
    return _translate(_MISSING, len(labels)).format(labels=", ".join(labels))


def submit_again(labels: Sequence[str]) -> str:
    """Return what the first press of Review's 1 says."""
    return missing_required(labels) if labels else __getattr__("SUBMIT_AGAIN")


def left_open(labels: Sequence[str]) -> str:
    """Return Review's word on what has no answer yet."""
    return _translate(_LEFT_OPEN, len(labels)).format(labels=", ".join(labels)) if labels else ""


def own_words(text: str) -> str:
    """Return a person's own words as Review shows them."""
    return _translate(_OWN_WORDS, -1).format(text=text)


def note_on(label: str, note: str) -> str:
    """Return a note on an option as Review shows it."""
    return _translate(_NOTE_ON, -1).format(label=label, note=note)


def notices(texts: Sequence[str]) -> str:
    """Return what is wrong with a configuration, in one line: the first, and how many more there are."""
    if len(texts) < 2:  # noqa: PLR2004 - one needs no count
        return "".join(texts)
    return _translate(_MORE_NOTICES, len(texts) - 1).format(notice=texts[0])


def asked(time: str) -> str:
    """Return how long ago a form was asked."""
    return _translate(_ASKED, -1).format(time=time)


def asks(name: str) -> str:
    """Return that somebody asks, as the title of a notification."""
    return _translate(_ASKS, -1).format(name=name)


def about(who: str, what: str) -> str:
    """Return in one line who asks, and what."""
    return _translate(_ABOUT, -1).format(who=who, what=what)


def answered_elsewhere(title: str) -> str:
    """Return the word on a form that somebody else answered while its window was open."""
    return _translate(_ANSWERED_ELSEWHERE, -1).format(title=title)


def ended_elsewhere(title: str) -> str:
    """Return the word on a form that has ended without an answer while its window was open."""
    return _translate(_ENDED_ELSEWHERE, -1).format(title=title)


def waiting_heading(count: int) -> str:
    """Return the heading of the tray's panel."""
    return _translate(_HEADING, count) if count else __getattr__("NOTHING_WAITS")


def waited(milliseconds: int) -> str:
    """Return a time in words: ``12 s``, ``2 min``, ``3 h``."""
    if milliseconds < _MINUTE_MS:
        return seconds(max(0, milliseconds // 1000))
    if milliseconds < _HOUR_MS:
        return minutes(milliseconds // _MINUTE_MS)
    return hours(milliseconds // _HOUR_MS)


def seconds(count: int) -> str:
    """Return a number of seconds."""
    return _translate(_SECONDS, count)


def minutes(count: int) -> str:
    """Return a number of minutes."""
    return _translate(_MINUTES, count)


def hours(count: int) -> str:
    """Return a number of hours."""
    return _translate(_HOURS, count)
