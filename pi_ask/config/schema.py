"""The configuration of pi-ask: behaviour, keymaps, notifications and the desktop surface, with their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, model_validator

from pi_ask.config.keymaps import read_keys, repeated_keys
from pi_ask.models import Model
from pi_ask.text import has_surrogate

SCHEMA_VERSION: Literal[5] = 5


class BehaviourConfig(Model):
    """What a form does by itself."""

    auto_submit_when_answered_without_notes: StrictBool = False
    confirm_dismiss_when_dirty: StrictBool = True
    double_press_review_shortcuts: StrictBool = True
    present_single_as_multi: StrictBool = False
    show_footer_hints: StrictBool = True


Keys = Annotated[tuple[str, ...], BeforeValidator(read_keys)]
"""One or more keys; a single one may stand without a list. Names are normalised: ``Return`` is ``enter``."""


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

    global_: GlobalKeymap = Field(default_factory=GlobalKeymap.made, alias="global")
    main: MainKeymap = Field(default_factory=MainKeymap.made)
    editor: EditorKeymap = Field(default_factory=EditorKeymap.made)
    note_editor: NoteEditorKeymap = Field(default_factory=NoteEditorKeymap.made)
    settings_modal: SettingsKeymap = Field(default_factory=SettingsKeymap.made)

    @model_validator(mode="after")
    def _each_key_means_one_thing(self) -> Self:
        problems = [f"{place}: {problem}" for place, problem in repeated_keys(self.contexts())]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def contexts(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the keys of every action by context, both by their names in the file."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for name, info in type(self).model_fields.items():
            keymap = getattr(self, name)
            actions = type(keymap).model_fields.items()
            found[info.alias or name] = {field.alias or action: getattr(keymap, action) for action, field in actions}
        return found


class CommandChannel(Model):
    """A notification by a shell command; it is told by ``ASK_NOTIFY_EVENT``, ``…_TITLE`` and ``…_MESSAGE``."""

    type: Literal["command"] = "command"
    command: str


def _read_channel(value: Any) -> Any:
    command = value.command if isinstance(value, CommandChannel) else None
    if isinstance(value, Mapping) and value.get("type") == "command":
        command = value.get("command")
    if value in ("desktop", "bell") or (isinstance(command, str) and _can_run(command)):
        return value
    raise ValueError('give "desktop", "bell" or {"type": "command", "command": "…"}')


def _can_run(command: str) -> bool:
    return command.strip() != "" and "\0" not in command and not has_surrogate(command)


Channel = Annotated[Literal["desktop", "bell"] | CommandChannel, BeforeValidator(_read_channel)]
"""One way to make a waiting form known."""


class NotificationsConfig(Model):
    """How a waiting form makes itself known. Best effort. ``show_text``: what is asked is said, not only by whom."""

    enabled: StrictBool = True
    channels: tuple[Channel, ...] = ("desktop", "bell")
    show_text: StrictBool = True


class DesktopConfig(Model):
    """The desktop surface. ``input_guard_ms`` is in milliseconds."""

    theme: Literal["system", "light", "dark"] = "system"
    input_guard_ms: Annotated[StrictInt, Field(ge=0, le=10_000)] = 500
    always_on_top: StrictBool = False
    history: StrictBool = True


class AskConfig(Model):
    """The whole configuration; ``AskConfig()`` is the defaults."""

    schema_version: Literal[5] = SCHEMA_VERSION
    behaviour: BehaviourConfig = Field(default_factory=BehaviourConfig.made)
    keymaps: KeymapsConfig = Field(default_factory=KeymapsConfig.made)
    notifications: NotificationsConfig = Field(default_factory=NotificationsConfig.made)
    desktop: DesktopConfig = Field(default_factory=DesktopConfig.made)


DEFAULTS: AskConfig = AskConfig.made()
"""The same as ``AskConfig()``, which would set up the validation of all the settings first."""
