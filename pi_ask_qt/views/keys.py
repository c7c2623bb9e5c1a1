"""Which action a key means, from the keymaps in force and what has the keyboard."""

from __future__ import annotations

from enum import Enum

from pi_ask.config.schema import AskConfig, EditorKeymap, KeymapsConfig, NoteEditorKeymap
from pi_ask.state.actions import (
    Action,
    CancelForm,
    ChangeType,
    CloseEditor,
    ConfirmRow,
    MoveRow,
    MoveStep,
    OpenEditor,
    PressDigit,
    SubmitEditor,
    ToggleRow,
)
from pi_ask.state.form import Editor, EditorKind, FormState
from pi_ask.state.selectors import current_question, editor_text, focused_option


class Command(Enum):
    """What a key can mean that is no action on the form."""

    SETTINGS = "settings"


def action_for(key: str, state: FormState, config: AskConfig) -> Action | Command | None:
    """Return what ``key`` (``"ctrl+tab"``, ``"n"``, ``"?"``) means now, ``None`` where it is text or nothing."""
    if state.editing is not None:
        return _in_editor(key, state, state.editing, config.keymaps)
    return _in_global(key, config.keymaps) or _in_main(key, state, config.keymaps)


def _in_global(key: str, keymaps: KeymapsConfig) -> Action | Command | None:
    if key in keymaps.global_.dismiss:
        return CancelForm()
    return Command.SETTINGS if key in keymaps.global_.settings else None


def _in_main(key: str, state: FormState, keymaps: KeymapsConfig) -> Action | None:
    if len(key) == 1 and key in "123456789":
        return PressDigit(int(key))
    main = keymaps.main
    plain: tuple[tuple[tuple[str, ...], Action], ...] = (
        (main.confirm, ConfirmRow()),
        (main.cancel, CancelForm()),
        (main.toggle, ToggleRow()),
        (main.change_question_type, ChangeType()),
        (main.next_tab, MoveStep(1)),
        (main.previous_tab, MoveStep(-1)),
        (main.next_option, MoveRow(1)),
        (main.previous_option, MoveRow(-1)),
    )
    for keys, action in plain:
        if key in keys:
            return action
    return _note(key, state, keymaps)


def _note(key: str, state: FormState, keymaps: KeymapsConfig) -> Action | None:
    question, option = current_question(state), focused_option(state)
    if question is None:
        return None
    if key in keymaps.main.question_note:
        return OpenEditor(Editor(EditorKind.QUESTION_NOTE, question.id))
    if key in keymaps.main.option_note and option is not None and state.action is None:
        return OpenEditor(Editor(EditorKind.OPTION_NOTE, question.id, option.value))
    return None


def _in_editor(key: str, state: FormState, editor: Editor, keymaps: KeymapsConfig) -> Action | Command | None:
    if writes_text(key):
        return None
    keymap: EditorKeymap | NoteEditorKeymap = (
        keymaps.editor if editor.kind is EditorKind.CUSTOM else keymaps.note_editor
    )
    if key in (keymap.submit if isinstance(keymap, EditorKeymap) else keymap.save):
        return SubmitEditor()
    if key in keymap.close:
        return CloseEditor()
    return _in_global(key, keymaps) or (_when_empty(key, keymap) if editor_text(state, editor) == "" else None)


def writes_text(key: str) -> bool:
    """Return whether ``key`` is text in an editor, whatever the keymaps say."""
    name = key.removeprefix("shift+")
    return len(name) == 1 or name == "space"


def _when_empty(key: str, keymap: EditorKeymap | NoteEditorKeymap) -> Action | None:
    moves: tuple[tuple[tuple[str, ...], Action], ...] = (
        (keymap.next_tab_when_empty, MoveStep(1)),
        (keymap.previous_tab_when_empty, MoveStep(-1)),
        (keymap.next_option_when_empty, MoveRow(1)),
        (keymap.previous_option_when_empty, MoveRow(-1)),
    )
    return next((action for keys, action in moves if key in keys), None)
