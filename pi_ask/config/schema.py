"""The configuration of pi-ask: behaviour, keymaps, notifications and the desktop surface, with their defaults."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pi_ask.models import Model

SCHEMA_VERSION: Literal[5] = 5


class BehaviourConfig(Model):
    """What a form does by itself."""

    auto_submit_when_answered_without_notes: bool = False
    confirm_dismiss_when_dirty: bool = True
    double_press_review_shortcuts: bool = True
    present_single_as_multi: bool = False
    show_footer_hints: bool = True


Keys = tuple[str, ...]


class GlobalKeymap(Model):
    """Keys that work in every context but the settings dialog."""

    dismiss: Keys = ("ctrl+c",)
    settings: Keys = ("?",)


class MainKeymap(Model):
    """Keys of the option list and of Review."""

    confirm: Keys = ("enter",)
    cancel: Keys = ("esc",)
    toggle: Keys = ("space",)
    change_question_type: Keys = ("t",)
    next_tab: Keys = ("ctrl+tab", "right")
    previous_tab: Keys = ("ctrl+shift+tab", "left")
    next_option: Keys = ("down",)
    previous_option: Keys = ("up",)
    option_note: Keys = ("n",)
    question_note: Keys = ("shift+n",)


class _EmptyEditorKeymap(Model):
    next_tab_when_empty: Keys = ("ctrl+tab", "right")
    previous_tab_when_empty: Keys = ("ctrl+shift+tab", "left")
    next_option_when_empty: Keys = ("down",)
    previous_option_when_empty: Keys = ("up",)


class EditorKeymap(_EmptyEditorKeymap):
    """Keys of the editor for own text."""

    submit: Keys = ("enter",)
    close: Keys = ("esc",)


class NoteEditorKeymap(_EmptyEditorKeymap):
    """Keys of the note editors."""

    save: Keys = ("enter",)
    close: Keys = ("esc",)


class SettingsKeymap(Model):
    """Keys of the settings dialog."""

    close: Keys = ("esc", "ctrl+c", "?")
    next_option: Keys = ("down",)
    previous_option: Keys = ("up",)
    toggle: Keys = ("enter", "space")


class KeymapsConfig(Model):
    """Every key, by context. An action takes one or more keys."""

    global_: GlobalKeymap = Field(default_factory=GlobalKeymap, alias="global")
    main: MainKeymap = Field(default_factory=MainKeymap)
    editor: EditorKeymap = Field(default_factory=EditorKeymap)
    note_editor: NoteEditorKeymap = Field(default_factory=NoteEditorKeymap)
    settings_modal: SettingsKeymap = Field(default_factory=SettingsKeymap)


class CommandChannel(Model):
    """A notification by a shell command; see ``docs/contract.md`` for its environment."""

    type: Literal["command"] = "command"
    command: str


class NotificationsConfig(Model):
    """How a waiting form makes itself known. Best effort."""

    enabled: bool = True
    channels: tuple[Literal["desktop", "bell"] | CommandChannel, ...] = ("desktop", "bell")


class DesktopConfig(Model):
    """The desktop surface. ``input_guard_ms`` is in milliseconds."""

    theme: Literal["system", "light", "dark"] = "system"
    input_guard_ms: Annotated[int, Field(ge=0, le=10_000)] = 500
    always_on_top: bool = False
    history: bool = True


class AskConfig(Model):
    """The whole configuration; ``AskConfig()`` is the defaults."""

    schema_version: Literal[5] = SCHEMA_VERSION
    behaviour: BehaviourConfig = Field(default_factory=BehaviourConfig)
    keymaps: KeymapsConfig = Field(default_factory=KeymapsConfig)
    notifications: NotificationsConfig = Field(default_factory=NotificationsConfig)
    desktop: DesktopConfig = Field(default_factory=DesktopConfig)
