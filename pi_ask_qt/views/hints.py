"""The line of keys at the foot of a window, made from the keymaps in force."""

from __future__ import annotations

from collections.abc import Sequence

from pi_ask.config.schema import AskConfig
from pi_ask.models import AskQuestion
from pi_ask.state.form import EditorKind, FormState
from pi_ask.state.selectors import at_review
from pi_ask_qt.views import sentences
from pi_ask_qt.views.keys import writes_text

FILTER_FROM = 13
"""The number of options from which on a filter helps."""

_NAMES = {
    "enter": "Enter",
    "esc": "Esc",
    "space": "Space",
    "tab": "Tab",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "ctrl": "Ctrl",
    "shift": "Shift",
    "alt": "Alt",
    "super": "Super",
}


def key_label(key: str) -> str:
    """Return a key's name as a person knows it: ``shift+n`` reads ``Shift+N``."""
    parts = key.split("+") if key != "+" else [key]
    return "+".join(_NAMES.get(part, part[:1].upper() + part[1:]) for part in parts)


def hints(state: FormState, config: AskConfig) -> str:
    """Return the keys that matter now, with what they do."""
    if state.editing is not None:
        return _joined(_editing(state, config))
    if at_review(state):
        return _joined(_review(config))
    return _joined(_rows(state, config))


def _joined(pairs: Sequence[tuple[str, str]]) -> str:
    return " · ".join(f"{key} {what}" for key, what in pairs if key and what)


def _first(keys: Sequence[str]) -> str:
    return key_label(keys[0]) if keys else ""


def _no_text(keys: Sequence[str]) -> str:
    """Return the first key that is not text in an editor, where those that are have no other meaning."""
    return _first([key for key in keys if not writes_text(key)])


def _editing(state: FormState, config: AskConfig) -> list[tuple[str, str]]:
    line = ("Shift+Enter", sentences.HINT_LINE)
    if state.editing is not None and state.editing.kind is EditorKind.CUSTOM:
        keymap = config.keymaps.editor
        return [(_no_text(keymap.submit), sentences.HINT_TAKE), line, (_no_text(keymap.close), sentences.HINT_CLOSE)]
    notes = config.keymaps.note_editor
    return [(_no_text(notes.save), sentences.HINT_KEEP), line, (_no_text(notes.close), sentences.HINT_CLOSE)]


def _review(config: AskConfig) -> list[tuple[str, str]]:
    twice = config.behaviour.double_press_review_shortcuts
    main = config.keymaps.main
    return [
        ("1", sentences.HINT_SUBMIT),
        ("2", sentences.HINT_ELABORATE),
        ("3", sentences.HINT_TWICE if twice else sentences.HINT_CANCEL),
        (_first(main.previous_tab), sentences.HINT_BACK),
        (_first(config.keymaps.global_.settings), sentences.HINT_SETTINGS),
    ]


def _rows(state: FormState, config: AskConfig) -> list[tuple[str, str]]:
    main = config.keymaps.main
    multi = state.entries[state.step].type == "multi"
    return [
        ("1–9", sentences.HINT_CHOOSE),
        (_first(main.toggle), sentences.HINT_TOGGLE if multi else sentences.HINT_CHOOSE),
        (_first(main.confirm), _going_on(multi=multi, alone=len(state.questions) == 1)),
        (_first(main.option_note), sentences.HINT_NOTE),
        (_first(main.question_note), sentences.HINT_QUESTION_NOTE),
        (_first(main.change_question_type), sentences.HINT_ONE_ANSWER if multi else sentences.HINT_SEVERAL_ANSWERS),
        ("Ctrl+F", _searched(state.questions[state.step])),
        (_first(config.keymaps.global_.settings), sentences.HINT_SETTINGS),
        (_first(main.cancel), sentences.HINT_CANCEL),
    ]


def _going_on(*, multi: bool, alone: bool) -> str:
    if multi:
        return sentences.HINT_SUBMIT if alone else sentences.HINT_NEXT
    return sentences.HINT_CHOOSE_SUBMIT if alone else sentences.HINT_CHOOSE_NEXT


def _searched(question: AskQuestion) -> str:
    if (question.requested_type or question.type) == "preview":
        return sentences.HINT_SEARCH
    return sentences.HINT_FILTER if len(question.options) >= FILTER_FROM else ""
