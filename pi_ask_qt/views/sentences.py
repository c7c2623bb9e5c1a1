"""Every sentence of the interface, in one place."""

from __future__ import annotations

from collections.abc import Sequence

TYPE_YOUR_OWN = "Type your own"
REVIEW = "Review"
RECOMMENDED = "recommended"
NO_ANSWER = "no answer"
SUBMIT = "Submit"
ELABORATE = "Elaborate…"
CANCEL = "Cancel"
PREVIOUS = "Back"
NEXT = "Next"
COPY = "Copy"
WRAP = "Wrap lines"
SEARCH = "Search the preview. Enter finds the next, Esc closes."
NOT_FOUND = "not found"
FILTER = "Filter the options"
CUSTOM_PLACEHOLDER = "Your own words. Enter takes them, Shift+Enter starts a new line."
QUESTION_NOTE_PLACEHOLDER = "A note about this question. Enter keeps it."
OPTION_NOTE_PLACEHOLDER = "A note about this option. Enter keeps it."
ADD_NOTE = "Add a note to this question"
QUESTION_NOTE = "Note"
PREVIEW_OF_OWN_TEXT = "There is no preview of your own words."
DISMISS_WARNING = "Leaving now discards what you chose or wrote. Do the same again to leave."
CHANGE_TYPE_WARNING = "Changing the type gives up your choices. Do the same again to change it."
ELABORATE_AGAIN = "Press 2 again to ask for an explanation first."
CANCEL_AGAIN = "Press 3 again to cancel without an answer."
UNTITLED = "A question for you"


def window_title(title: str | None) -> str:
    """Return the title of a window."""
    return f"{title} - pi-ask" if title else "pi-ask"


def waiting(count: int) -> str:
    """Return how many other forms wait, ``""`` for none."""
    return f"{count} more waiting" if count else ""


def position(number: int, count: int) -> str:
    """Return where an option stands among all."""
    return f"{number} of {count}"


def missing_required(labels: Sequence[str]) -> str:
    """Return the warning that required questions have no answer."""
    needs = "needs an answer" if len(labels) == 1 else "need an answer"
    return f"{', '.join(labels)} {needs}. Submit again to send the form without."


def submit_again(labels: Sequence[str]) -> str:
    """Return what the first press of Review's 1 says."""
    return missing_required(labels) if labels else "Press 1 again to submit."


def left_open(labels: Sequence[str]) -> str:
    """Return Review's word on what has no answer yet."""
    if not labels:
        return ""
    has = "has no answer" if len(labels) == 1 else "have no answer"
    return f"{', '.join(labels)} {has}. Submit sends the others as they are."


def own_words(text: str) -> str:
    """Return a person's own words as Review shows them."""
    return f"“{text}”"


def note_on(label: str, note: str) -> str:
    """Return a note on an option as Review shows it."""
    return f"{label}: {note}"


SETTINGS_TITLE = "Settings"
SETTINGS = {
    "behaviour.autoSubmitWhenAnsweredWithoutNotes": "Submit by itself when everything is answered, without notes",
    "behaviour.confirmDismissWhenDirty": "Ask before leaving discards something",
    "behaviour.doublePressReviewShortcuts": "On Review, 1, 2 and 3 are pressed twice",
    "behaviour.presentSingleAsMulti": "Let single questions take several answers (from the next form on)",
    "behaviour.showFooterHints": "Show the keys at the foot of the window",
    "notifications.enabled": "Tell me about forms that wait",
    "desktop.alwaysOnTop": "Keep windows above all others",
}
THEME = "Colours"
THEMES = {"system": "as the desktop", "light": "light", "dark": "dark"}
CONFIG_FILE = "Keys and everything else are in this file:"
RESET = "Reset everything"
RESET_AGAIN = "Reset everything: press again"
RESET_WARNING = "All settings and keys go back to their defaults. Press again to do it."
CLOSE = "Close"
