"""Colours and sizes, mixed from the platform's palette and font so that contrast holds in every theme."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication

_ENOUGH = 4.5
_HIGH_CONTRAST = 20.0
_ACCENT_STEPS = 6
_WARM = QColor("#e0a030")
_LIGHT = {"window": "#f5f6f8", "base": "#ffffff", "text": "#1b1c1f", "highlight": "#2560c8", "on": "#ffffff"}
_DARK = {"window": "#25262b", "base": "#1c1d21", "text": "#eceded", "highlight": "#6aa3ff", "on": "#101114"}


class Colours(NamedTuple):
    """The colours of one theme. ``accent_text`` is the accent where it is text."""

    window: QColor
    base: QColor
    text: QColor
    muted: QColor
    border: QColor
    accent: QColor
    on_accent: QColor
    accent_text: QColor
    tint: QColor
    hover: QColor
    pill: QColor
    pill_text: QColor
    warning: QColor


def colours(palette: QPalette) -> Colours:
    """Return the colours that go with ``palette``."""
    group = QPalette.ColorGroup.Active
    window, base = palette.color(group, QPalette.ColorRole.Window), palette.color(group, QPalette.ColorRole.Base)
    text = palette.color(group, QPalette.ColorRole.WindowText)
    accent, on_accent = _accent(
        palette.color(group, QPalette.ColorRole.Highlight), palette.color(group, QPalette.ColorRole.HighlightedText)
    )
    tint = mixed(accent, base, 0.12)
    pill = mixed(_WARM, base, 0.24)
    return Colours(
        window=window,
        base=base,
        text=text,
        muted=readable(mixed(text, window, 0.66), (window, base, tint)),
        border=mixed(text, window, 0.5 if contrast(text, window) >= _HIGH_CONTRAST else 0.18),
        accent=accent,
        on_accent=on_accent,
        accent_text=readable(accent, (window, base, tint)),
        tint=tint,
        hover=mixed(text, base, 0.04),
        pill=pill,
        pill_text=readable(mixed(_WARM, text, 0.55), (pill,)),
        warning=readable(mixed(_WARM, text, 0.5), (window,)),
    )


def _accent(accent: QColor, on_accent: QColor) -> tuple[QColor, QColor]:
    """Return the accent and what is written on it: the accent moves a little, or else the writing as far as it must."""
    end = QColor("black") if _luminance(on_accent) > _luminance(accent) else QColor("white")
    for step in range(_ACCENT_STEPS):
        candidate = mixed(end, accent, step / 20)
        if contrast(candidate, on_accent) >= _ENOUGH:
            return candidate, on_accent
    return accent, readable(on_accent, (accent,))


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return ``share`` (0 to 1) of ``one`` in ``other``."""
    return QColor.fromRgbF(
        one.redF() * share + other.redF() * (1 - share),
        one.greenF() * share + other.greenF() * (1 - share),
        one.blueF() * share + other.blueF() * (1 - share),
    )


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2, section 1.4.3)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def readable(colour: QColor, backgrounds: tuple[QColor, ...]) -> QColor:
    """Return ``colour``, moved towards black or white until it can be read on all of ``backgrounds``."""
    darkest = min(_luminance(background) for background in backgrounds)
    ends = (QColor("white"), QColor("black")) if darkest < 0.18 else (QColor("black"), QColor("white"))  # noqa: PLR2004 - middle grey
    for end in ends:
        for step in range(21):
            candidate = mixed(end, colour, step / 20)
            if all(contrast(candidate, background) >= _ENOUGH for background in backgrounds):
                return candidate
    return ends[0]


def _luminance(colour: QColor) -> float:
    red, green, blue = (_linear(value) for value in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004 - sRGB


def scaled(font: QFont, factor: float, weight: QFont.Weight | None = None) -> QFont:
    """Return ``font`` at ``factor`` of its size."""
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * factor)
    else:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    if weight is not None:
        result.setWeight(weight)
    return result


def unit(font: QFont) -> float:
    """Return the length that all distances are made of: a quarter of a line's height, in pixels."""
    return QFontMetricsF(font).height() / 4


def apply_theme(app: QApplication, theme: str) -> None:
    """Use the platform's colours (``system``), or ours for ``light`` or ``dark``."""
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    app.styleHints().setColorScheme(schemes.get(theme, Qt.ColorScheme.Unknown))
    own = {"light": _LIGHT, "dark": _DARK}.get(theme)
    app.setPalette(_palette(own) if own is not None else QPalette())


def _palette(names: dict[str, str]) -> QPalette:
    window, base, text = (QColor(names[name]) for name in ("window", "base", "text"))
    palette = QPalette(base, window)
    role = QPalette.ColorRole
    for roles, colour in (
        ((role.Window, role.AlternateBase), window),
        ((role.Base, role.Button, role.ToolTipBase), base),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), text),
        ((role.PlaceholderText,), mixed(text, base, 0.6)),
        ((role.Highlight, role.Link, role.Accent), QColor(names["highlight"])),
        ((role.HighlightedText,), QColor(names["on"])),
    ):
        for one in roles:
            palette.setColor(one, colour)
    for one in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, one, mixed(text, window, 0.5))
    return palette


def style_sheet(c: Colours, font: QFont) -> str:
    """Return the style sheet of a window: buttons, editors and lists in one visual language."""
    u = unit(font)
    return f"""
    QPushButton {{
        background: {c.base.name()}; color: {c.text.name()}; border: 1px solid {c.border.name()};
        border-radius: {u * 1.6:.0f}px; padding: {u * 1.6:.0f}px {u * 4:.0f}px;
    }}
    QPushButton:hover {{ background: {c.hover.name()}; }}
    QPushButton:focus {{ border: 2px solid {c.accent.name()}; padding: {u * 1.6 - 1:.0f}px {u * 4 - 1:.0f}px; }}
    QPushButton:disabled {{ color: {mixed(c.text, c.window, 0.4).name()}; }}
    QPushButton#submit {{
        background: {c.accent.name()}; color: {c.on_accent.name()}; border: 1px solid {c.accent.name()};
        font-weight: 600;
    }}
    QPushButton#submit:hover {{ background: {mixed(c.accent, c.text, 0.9).name()}; }}
    QPushButton#submit:focus {{ border: 2px solid {c.text.name()}; }}
    QPushButton[quiet="true"] {{
        background: transparent; border: 1px solid transparent; color: {c.muted.name()};
        padding: {u:.0f}px {u * 2:.0f}px;
    }}
    QPushButton[compact="true"] {{ padding: {u:.0f}px {u * 3:.0f}px; }}
    QPushButton[compact="true"]:focus {{ padding: {u - 1:.0f}px {u * 3 - 1:.0f}px; }}
    QPushButton[flush="true"] {{ padding-left: 0; padding-right: 0; }}
    QPushButton#waiting {{ color: {c.accent_text.name()}; }}
    QPushButton[quiet="true"]:hover {{ color: {c.text.name()}; }}
    QPushButton[quiet="true"]:focus {{ border: 1px solid {c.accent.name()}; }}
    QPushButton[quiet="true"]:disabled {{ color: {mixed(c.text, c.window, 0.25).name()}; }}
    QPlainTextEdit, QLineEdit {{
        background: {c.base.name()}; color: {c.text.name()}; border: 1px solid {c.border.name()};
        border-radius: {u * 1.6:.0f}px; padding: {u:.0f}px;
        selection-background-color: {c.accent.name()}; selection-color: {c.on_accent.name()};
    }}
    QLineEdit[missing="true"] {{ color: {c.warning.name()}; }}
    QPlainTextEdit:focus, QLineEdit:focus {{ border: 1px solid {c.accent.name()}; }}
    QPlainTextEdit[bare="true"] {{ background: transparent; border: none; padding: 0; }}
    QTabBar::scroller {{ width: {u * 7:.0f}px; }}
    QFrame#line {{ background: {c.border.name()}; }}
    QScrollBar:vertical {{ background: transparent; width: {u * 2.5:.0f}px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: {u * 2.5:.0f}px; margin: 0; }}
    QScrollBar::handle {{ background: {mixed(c.text, c.window, 0.3).name()}; border-radius: {u * 0.8:.0f}px; }}
    QScrollBar::handle:hover {{ background: {mixed(c.text, c.window, 0.5).name()}; }}
    QScrollBar::handle:vertical {{ min-height: {u * 6:.0f}px; margin: 0 {u * 0.4:.0f}px; }}
    QScrollBar::handle:horizontal {{ min-width: {u * 6:.0f}px; margin: {u * 0.4:.0f}px 0; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; }}
    QSplitter::handle {{ background: transparent; }}
    """
