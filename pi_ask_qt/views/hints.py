"""The line of keys at the foot of a window, made from the keymaps in force."""

from __future__ import annotations

from collections.abc import Sequence

from pi_ask.config.schema import AskConfig
from pi_ask.state.form import EditorKind, FormState
from pi_ask.state.selectors import at_review

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
    return "+".join(_NAMES.get(part, part.upper() if len(part) == 1 else part.capitalize()) for part in parts)


def hints(state: FormState, config: AskConfig) -> str:
    """Return the keys that matter now, with what they do."""
    if state.editing is not None:
        return _joined(_editing(state, config))
    if at_review(state):
        return _joined(_review(config))
    return _joined(_rows(state, config))


def _joined(pairs: Sequence[tuple[str, str]]) -> str:
    return " · ".join(f"{key} {what}" for key, what in pairs if key)


def _first(keys: Sequence[str]) -> str:
    return key_label(keys[0]) if keys else ""


def _editing(state: FormState, config: AskConfig) -> list[tuple[str, str]]:
    if state.editing is not None and state.editing.kind is EditorKind.CUSTOM:
        keymap = config.keymaps.editor
        return [
            (_first(keymap.submit), "take it"),
            ("Shift+Enter", "new line"),
            (_first(keymap.close), "close, keep it"),
        ]
    notes = config.keymaps.note_editor
    return [(_first(notes.save), "keep the note"), ("Shift+Enter", "new line"), (_first(notes.close), "close, keep it")]


def _review(config: AskConfig) -> list[tuple[str, str]]:
    twice = ", pressed twice" if config.behaviour.double_press_review_shortcuts else ""
    main = config.keymaps.main
    return [
        ("1", "submit"),
        ("2", "elaborate"),
        ("3", f"cancel{twice}"),
        (_first(main.previous_tab), "back"),
        (_first(config.keymaps.global_.settings), "settings"),
    ]


def _rows(state: FormState, config: AskConfig) -> list[tuple[str, str]]:
    main = config.keymaps.main
    entry = state.entries[state.step]
    multi = entry.type == "multi"
    goes_on = "submit" if len(state.questions) == 1 else "next"
    return [
        ("1–9", "choose"),
        (_first(main.toggle), "toggle" if multi else "choose"),
        (_first(main.confirm), goes_on if multi else f"choose, {goes_on}"),
        (_first(main.option_note), "note"),
        (_first(main.question_note), "question note"),
        (_first(main.change_question_type), "one answer" if multi else "several answers"),
        ("Ctrl+F" if _has_preview(state) else "", "search"),
        (_first(config.keymaps.global_.settings), "settings"),
        (_first(main.cancel), "cancel"),
    ]


def _has_preview(state: FormState) -> bool:
    question = state.questions[state.step]
    return (question.requested_type or question.type) == "preview"
