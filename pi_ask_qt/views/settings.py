"""The settings dialog, as data: its switches, the path of the file, and what it wants to say."""

from __future__ import annotations

from dataclasses import dataclass

from pi_ask.config.schema import AskConfig
from pi_ask.text import visible
from pi_ask_qt.views import sentences


@dataclass(frozen=True, slots=True)
class SwitchView:
    """One switch; ``place`` is the setting's name in the file."""

    place: str
    label: str
    on: bool


@dataclass(frozen=True, slots=True)
class SettingsView:
    """Everything that the dialog shows. ``theme`` is the one that is chosen."""

    switches: tuple[SwitchView, ...]
    theme: str
    path: str
    notice: str
    reset_label: str


def build_settings(config: AskConfig, path: str, *, notice: str = "", resetting: bool = False) -> SettingsView:
    """Return what the dialog shows now; ``resetting``: a reset was asked for once."""
    behaviour, desktop = config.behaviour, config.desktop
    values = {
        "behaviour.autoSubmitWhenAnsweredWithoutNotes": behaviour.auto_submit_when_answered_without_notes,
        "behaviour.confirmDismissWhenDirty": behaviour.confirm_dismiss_when_dirty,
        "behaviour.doublePressReviewShortcuts": behaviour.double_press_review_shortcuts,
        "behaviour.presentSingleAsMulti": behaviour.present_single_as_multi,
        "behaviour.showFooterHints": behaviour.show_footer_hints,
        "notifications.enabled": config.notifications.enabled,
        "notifications.showText": config.notifications.show_text,
        "desktop.alwaysOnTop": desktop.always_on_top,
    }
    return SettingsView(
        switches=tuple(SwitchView(place, sentences.setting(place), on) for place, on in values.items()),
        theme=desktop.theme,
        path=visible(path),
        notice=sentences.RESET_WARNING if resetting else visible(notice),
        reset_label=sentences.RESET_AGAIN if resetting else sentences.RESET,
    )
