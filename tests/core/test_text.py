"""Making foreign text visible, and the sentences that quote it."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirements import proves

from pi_ask.text import has_surrogate, has_visible_character, one_line, quoted, visible, without_surrogates

UNTOUCHED = {
    "plain": "Deploy to production?",
    "line breaks and tabs": "one\n\ttwo\n",
    "markup": "<b>x</b> R&D &amp; [link](http://example.org)",
    "no-break and wide spaces": "10\u00a0km\u2003and\u3000more",
    "Hebrew": "שלום עולם, מה שלומך?",
    "Hebrew with points": "בְּרֵאשִׁית",
    "Arabic": "مرحبا بالعالم ١٢٣",
    "Arabic with marks": "بِسْمِ ٱللَّهِ",
    "Arabic end of ayah": "\u06dd١٢",
    "Arabic number sign": "\u0600١٢٣",
    "Persian non-joiner": "می\u200cخواهم خانه\u200cها",
    "Urdu": "یہ\u200cکتاب",
    "Devanagari joiner": "क्\u200dष",
    "Devanagari non-joiner": "क्\u200cष",
    "Bengali": "র\u200d্যাব",
    "Sinhala": "ශ්\u200dරී",
    "Kannada": "ರ್\u200cಕ",
    "Malayalam joiner at the end of a word": "അവന്\u200d പോയി",
    "Malayalam joiner at the end": "അവന്\u200d",
    "Mongolian variation": "ᠮᠣᠩᠭᠣᠯ\u180b ᠪᠠ\u180eᠠ",
    "Chinese": "你好,世界。",
    "Japanese": "こんにちは、カタカナ",
    "Korean": "안녕하세요 각",
    "ideographic variation": "葛\U000e0100城 辻\U000e0101",
    "standardised ideograph": "㐂\ufe00",
    "Thai": "สวัสดี",
    "Vietnamese, decomposed": unicodedata.normalize("NFD", "Tiếng Việt"),
    "emoji": "🚀 ✅ ☕",
    "emoji style": "❤\ufe0f ☎\ufe0e ©\ufe0f ‼\ufe0f 〰\ufe0f",
    "family": "👨\u200d👩\u200d👧\u200d👦",
    "couple": "👩\u200d❤\ufe0f\u200d💋\u200d👨",
    "skin tones": "👍🏽 👩🏿\u200d🚀 🕵🏻\u200d♂\ufe0f",
    "rainbow flag": "🏳\ufe0f\u200d🌈",
    "pirate flag": "🏴\u200d☠\ufe0f",
    "country flags": "🇩🇪🇨🇳",
    "tag flags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "keycaps": "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3",
    "new emoji": "\U0001fae8 \U0001fadc",
    "private use": "\ue0b0",
}

SHOWN = {
    "override": ("rm -rf /home\u202egnp.txt", "rm -rf /home⟦U+202E⟧gnp.txt"),
    "embedding": ("\u202aa\u202bb\u202cc\u202dd", "⟦U+202A⟧a⟦U+202B⟧b⟦U+202C⟧c⟦U+202D⟧d"),
    "isolates": ("\u2066a\u2067b\u2068c\u2069", "⟦U+2066⟧a⟦U+2067⟧b⟦U+2068⟧c⟦U+2069⟧"),
    "marks of direction": ("a\u200eb\u200fc\u061cd", "a⟦U+200E⟧b⟦U+200F⟧c⟦U+061C⟧d"),
    "zero width": ("saf\u200be", "saf⟦U+200B⟧e"),
    "joiners in Latin": ("a\u200cb\u200dc", "a⟦U+200C⟧b⟦U+200D⟧c"),
    "joiner before a letter": ("\u200dक", "⟦U+200D⟧क"),
    "two joiners": ("می\u200c\u200cخ", "می⟦U+200C⟧⟦U+200C⟧خ"),
    "word joiner, BOM": ("a\u2060b\ufeffc", "a⟦U+2060⟧b⟦U+FEFF⟧c"),
    "soft hyphen": ("in\u00advisible", "in⟦U+00AD⟧visible"),
    "grapheme joiner": ("a\u034fb", "a⟦U+034F⟧b"),
    "fillers": ("\u115f\u1160\u3164\uffa0", "⟦U+115F⟧⟦U+1160⟧⟦U+3164⟧⟦U+FFA0⟧"),
    "blank braille": ("\u2800", "⟦U+2800⟧"),
    "invisible operators": ("2\u2062x\u2063y\u2064", "2⟦U+2062⟧x⟦U+2063⟧y⟦U+2064⟧"),
    "tags": ("ok\U000e0061\U000e0062", "ok⟦U+E0061⟧⟦U+E0062⟧"),
    "tags after another emoji": ("🚀\U000e0067\U000e007f", "🚀⟦U+E0067⟧⟦U+E007F⟧"),
    "tags without their end": ("🏴\U000e0067\U000e0062", "🏴⟦U+E0067⟧⟦U+E0062⟧"),
    "variation on Latin": ("a\ufe0f1\ufe0f", "a⟦U+FE0F⟧1⟦U+FE0F⟧"),
    "variation twice": ("❤\ufe0f\ufe0f", "❤\ufe0f⟦U+FE0F⟧"),
    "supplement on Latin": ("a\U000e0100", "a⟦U+E0100⟧"),
    "joiner after emoji": ("🚀\u200d", "🚀⟦U+200D⟧"),
    "line separators": ("a\u2028b\u2029c\u0085d", "a⟦U+2028⟧b⟦U+2029⟧c⟦U+0085⟧d"),
    "controls": ("a\x00b\x07c\x1bd\x7fe\x9bf", "a⟦U+0000⟧b⟦U+0007⟧c⟦U+001B⟧d⟦U+007F⟧e⟦U+009B⟧f"),
    "lone return": ("safe\rrm -rf", "safe⟦U+000D⟧rm -rf"),
    "form feed, vertical tab": ("a\x0bb\x0cc", "a⟦U+000B⟧b⟦U+000C⟧c"),
    "annotations": ("\ufff9a\ufffab\ufffb", "⟦U+FFF9⟧a⟦U+FFFA⟧b⟦U+FFFB⟧"),
    "noncharacters": ("\ufdd0\uffff\U0010fffe", "⟦U+FDD0⟧⟦U+FFFF⟧⟦U+10FFFE⟧"),
    "surrogate": ("a\ud800b", "a⟦U+D800⟧b"),
    "musical": ("\U0001d173\U0001d159", "⟦U+1D173⟧⟦U+1D159⟧"),
}

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt).
IGNORABLE = (
    *(0x00AD, 0x034F, 0x061C, 0x3164, 0xFEFF, 0xFFA0),
    *(*range(0x115F, 0x1161), *range(0x17B4, 0x17B6), *range(0x180B, 0x1810), *range(0x200B, 0x2010)),
    *(*range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9)),
    *(*range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
)


@proves("text-visible")
@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=UNTOUCHED)
def test_plain_text_of_every_script_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@proves("text-visible")
@pytest.mark.parametrize(("text", "expected"), SHOWN.values(), ids=SHOWN)
def test_what_hides_or_reorders_text_is_shown(text: str, expected: str) -> None:
    assert visible(text) == expected


@proves("text-visible")
def test_every_ignorable_character_is_shown_between_latin_letters() -> None:
    assert [hex(code) for code in IGNORABLE if visible(f"a{chr(code)}b") != f"a⟦U+{code:04X}⟧b"] == []


def test_a_windows_line_break_is_a_line_break() -> None:
    assert visible("a\r\nb\r\n\r\nc") == "a\nb\n\nc"


@given(st.text(st.characters(), max_size=40))
def test_visible_text_shows_itself(text: str) -> None:
    once = visible(text)
    assert visible(once) == once
    assert not has_surrogate(once)
    assert "\u202e" not in once


@given(st.text(st.sampled_from("ab\u200b\u200d\ufe0f🚀م\u202e🏴\U000e0067\U000e007f葛\U000e0100"), max_size=12))
def test_nothing_but_hidden_characters_is_replaced(text: str) -> None:
    seen = visible(text)
    for hidden in "\u200b\u200d\ufe0f\u202e\U000e0067\U000e007f\U000e0100":
        seen = seen.replace(f"⟦U+{ord(hidden):04X}⟧", hidden)
    assert seen == text


INVISIBLE = [
    "\u200b",
    "\u200b \u200d",
    "\u3164",
    "\u2800",
    "\u00ad",
    "\ufe0f",
    "\u202e",
    "\U000e0061",
    "\u115f\u1160",
    "\ufeff",
    "\u3000\u00a0",
    "\u2028",
    "\x00\x1b",
    "\ud800",
    "\U0001d159",
]


@proves("form-label-visible")
@pytest.mark.parametrize("text", ["", " \n\t", *INVISIBLE], ids=ascii)
def test_text_without_a_visible_character_is_known(text: str) -> None:
    assert not has_visible_character(text)


@pytest.mark.parametrize(
    "text", ["a", "\u200ba", "🚀", "\U0001fae8", "\ue0b0", "ش", "葛", "-", "\u0301", "1\ufe0f\u20e3"], ids=ascii
)
def test_one_visible_character_is_enough(text: str) -> None:
    assert has_visible_character(text)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_quoted_text_is_one_line_and_reads_back(text: str) -> None:
    assert len(quoted(text).splitlines()) == 1
    assert json.loads(quoted(text)) == text


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("plain 🚀", "plain 🚀"),
        ("a\ud800b", "a\ufffdb"),
        ("\udfff", "\ufffd"),
        ("\ud83d\ude80!", "🚀!"),
        ("x\ud83d", "x\ufffd"),
    ],
    ids=ascii,
)
def test_half_a_character_is_replaced_and_two_halves_are_one(text: str, mended: str) -> None:
    assert without_surrogates(text) == mended
    assert not has_surrogate(mended)


def test_a_pair_of_surrogates_is_no_lone_one() -> None:
    assert not has_surrogate("\U0001f680")
    assert has_surrogate("\ud83d")
