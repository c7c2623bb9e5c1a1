"""Whatever the platform's colours are, everything can be read, and the accent stays the platform's as far as it can."""

from __future__ import annotations

import pytest
from helpers import form, until
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from surface import surface

from pi_ask_qt.theme import Colours, colours, contrast
from pi_ask_qt.widgets.faces import label_left

channels = st.tuples(*[st.integers(0, 255)] * 3)
GROUNDS = {"light": ("#f5f6f8", "#ffffff", "#1b1c1f"), "dark": ("#25262b", "#1c1d21", "#eceded")}


def palette(ground: str, highlight: str, on: str) -> QPalette:
    window, base, text = GROUNDS[ground]
    made = QPalette()
    for role, name in (
        (QPalette.ColorRole.Window, window),
        (QPalette.ColorRole.Base, base),
        (QPalette.ColorRole.WindowText, text),
        (QPalette.ColorRole.Text, text),
        (QPalette.ColorRole.Highlight, highlight),
        (QPalette.ColorRole.HighlightedText, on),
    ):
        made.setColor(role, QColor(name))
    return made


def unreadable(c: Colours) -> list[str]:
    pairs = {
        "on_accent": (c.on_accent, c.accent),
        "pill": (c.pill_text, c.pill),
        "warning": (c.warning, c.window),
        **{
            f"{name} {index}": (getattr(c, name), ground)
            for name in ("text", "muted", "accent_text")
            for index, ground in enumerate((c.window, c.base, c.tint))
        },
    }
    return [name for name, (one, other) in pairs.items() if contrast(one, other) < 4.5]


@pytest.mark.usefixtures("qapp")
@given(st.sampled_from(sorted(GROUNDS)), channels, channels)
def test_everything_can_be_read_with_any_accent(
    ground: str, highlight: tuple[int, int, int], on: tuple[int, int, int]
) -> None:
    made = palette(ground, QColor(*highlight).name(), QColor(*on).name())
    assert unreadable(colours(made)) == []


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("highlight", "on", "kept"),
    [("#2560c8", "#ffffff", "both"), ("#308cc6", "#ffffff", "writing"), ("#ffe000", "#ffffff", "accent")],
    ids=["contrast enough", "nearly enough", "far too little"],
)
def test_the_accent_moves_a_little_or_what_is_written_on_it_moves(highlight: str, on: str, kept: str) -> None:
    c = colours(palette("light", highlight, on))
    assert (c.accent == QColor(highlight)) == (kept in {"both", "accent"})
    assert (c.on_accent == QColor(on)) == (kept in {"both", "writing"})


def left(widget: QWidget) -> int:
    return widget.mapTo(widget.window(), widget.rect().topLeft()).x()


async def test_an_editor_starts_where_the_texts_of_its_row_do_in_every_font(qapp: QApplication) -> None:
    before, bigger = qapp.font(), qapp.font()
    bigger.setPointSizeF(before.pointSizeF() * 2)
    async with surface() as desk:
        task = await desk.ask(form())
        desk.press("n")
        editor, row = desk.editor("optionNote:q:a"), desk.find("option:q:a")
        try:
            for font in (before, bigger, before):
                qapp.setFont(font)
                await until(lambda: left(editor) == left(row) + round(label_left(row.font())))
        finally:
            qapp.setFont(before)
        desk.click("cancel")
        await task
