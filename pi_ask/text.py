"""Every sentence that the core returns, and making foreign text visible."""

from __future__ import annotations

import bisect
import json
import re
import unicodedata
from functools import cache
from typing import NamedTuple

# Letters whose shaping really needs a joiner or a non-joiner between them (RFC 5892, appendix A.1 and A.2).
_JOINED_SCRIPTS = (
    "\u0600-\u06ff\u0700-\u074f\u0750-\u077f\u0780-\u07bf\u07c0-\u07ff\u0840-\u085f\u0870-\u08ff\u0900-\u0dff"
    "\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefe"
)
# After one of these a joiner also has its meaning at the end of a word, as in older spellings of Malayalam.
_VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"

_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    chr(plane + end) for plane in range(0, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF)
)

# What has no shape of its own, or changes the order in which other text is seen.
_HIDDEN = (
    "\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    f"{_NONCHARACTERS}"
)
_HIDDEN_ONE = f"[{_HIDDEN}]"
_BLANK_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})

# What ends a line for some reader and stands in JSON as it is.
_LINE_ENDS = "[\x7f-\x9f\u2028\u2029]"

_RIGHT_TO_LEFT = frozenset({"R", "AL"})

# Blanks and empty lines in a number that nobody needs for layout.
_BLANKS = " \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_PADDING = f"(?P<spaces>[{_BLANKS}]{{80,}})|(?P<empty_lines>\r?\n(?:[{_BLANKS}]{{0,79}}\r?\n){{20,}})"

# Sequences in which a hidden character is the normal spelling of what is seen come first; what is left is hidden.
_SEQUENCES = (
    "(?P<line_break>\r\n)"
    "|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"
    f"|[{_EMOJI}][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?(?:\u200d[{_EMOJI}][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?)*"
    "|[0-9#*]\ufe0f\u20e3"
    f"|(?<=[{_JOINED_SCRIPTS}])[\u200c\u200d](?=[{_JOINED_SCRIPTS}])"
    f"|(?<=[{_VIRAMAS}])[\u200c\u200d]"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180f]"
    f"|[{_CJK}][\ufe00-\ufe02\U000e0100-\U000e01ef]"
    "|[\u0600-\u0605\u06dd]"
    f"|(?P<hidden>[{_HIDDEN}])"
    f"|{_PADDING}"
)
_NEEDS_CARE = f"[{_HIDDEN}]|{_PADDING}"
_PLAIN_BLANKS = " " * 80


class Shown(NamedTuple):
    """A text for the eye. ``said`` gives back what a part of it stands for.

    ``changes`` has, in order, (start, end) in ``text`` and (start, end) in ``source`` of everything that differs.
    """

    text: str
    source: str
    changes: tuple[tuple[int, int, int, int], ...] = ()

    def said(self, start: int, end: int) -> str:
        """Return what the source says between two places of the text; a mark of which a part is meant counts whole."""
        return self.source[self._place(start, upper=False) : self._place(end, upper=True)] if start < end else ""

    def _place(self, place: int, *, upper: bool) -> int:
        index = bisect.bisect_right(self.changes, place, key=lambda change: change[0]) - 1
        if index < 0:
            return place
        start, end, source_start, source_end = self.changes[index]
        if place >= end:
            return source_end + place - end
        return source_end if upper and place > start else source_start


def shown(source: str) -> Shown:
    """Return ``source`` for the eye: what hides or reorders other text reads as ``⟦U+202E⟧``.

    Padding that would push text out of sight is counted: ``⟦3,000 spaces⟧``. Line breaks and tabs stay; plain Hebrew,
    Arabic, Indic, CJK and emoji sequences are not touched.
    """
    if _is_plain(source) or not _compiled(_NEEDS_CARE).search(source):
        return Shown(source, source)
    parts: list[str] = []
    changes: list[tuple[int, int, int, int]] = []
    length = done = 0
    for match in _compiled(_SEQUENCES).finditer(source):
        found = match.group()
        instead = _show(match)
        if instead == found:
            continue
        parts += [source[done : match.start()], instead]
        length += match.start() - done
        changes.append((length, length + len(instead), match.start(), match.end()))
        length += len(instead)
        done = match.end()
    parts.append(source[done:])
    return Shown("".join(parts), source, tuple(changes))


def visible(text: str) -> str:
    """Return ``text`` for the eye; see :func:`shown`."""
    return shown(text).text


def escaped(text: str) -> str:
    """Return JSON text with what hides or reorders other text spelled as JSON does, so that it says the same."""
    return _compiled(_SEQUENCES).sub(_escape, text)


def _is_plain(text: str) -> bool:
    """Return whether nothing in a text needs a closer look, as can be said of most without the patterns."""
    return text.isascii() and text.isprintable() and _PLAIN_BLANKS not in text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern that is compiled when a text first needs it: that takes milliseconds."""
    return re.compile(pattern)


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1] if match.lastgroup == "hidden" else match.group()


def _show(match: re.Match[str]) -> str:
    found = match.group()
    if match.lastgroup == "hidden":
        return f"⟦U+{ord(found):04X}⟧"
    if match.lastgroup == "spaces":
        return f"⟦{len(found):,} spaces⟧"
    if match.lastgroup == "empty_lines":
        return f"\n⟦{found.count(chr(10)) - 1:,} empty lines⟧\n"
    return "\n" if match.lastgroup == "line_break" else found


def isolated(text: str) -> str:
    """Return ``text`` so that its direction stays its own in a sentence of the interface (Unicode's isolates)."""
    return f"\u2068{text}\u2069" if any(unicodedata.bidirectional(one) in _RIGHT_TO_LEFT for one in text) else text


def has_visible_character(text: str) -> bool:
    """Return whether a person can see anything of ``text``."""
    if text.isascii():
        return any("!" <= character <= "~" for character in text)
    return any(
        unicodedata.category(character) not in _BLANK_CATEGORIES and not _compiled(_HIDDEN_ONE).match(character)
        for character in text
    )


def has_surrogate(text: str) -> bool:
    """Return whether ``text`` holds a lone surrogate, which no encoding can carry."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def without_surrogates(text: str) -> str:
    """Return ``text`` as something that every encoding can carry: a pair is its character, a lone one ``\ufffd``."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if has_surrogate(text) else text


def one_line(text: str) -> str:
    """Return ``text`` with its line breaks and runs of blanks folded, so that it cannot pass for another line."""
    return " ".join(text.split())


def quoted(text: str) -> str:
    """Return a person's own words in quotation marks, on one line, so that they cannot pass for anything else."""
    return _compiled(_LINE_ENDS).sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(text, ensure_ascii=False))


def clipped(text: str, limit: int) -> str:
    """Return ``text`` with at most ``limit`` characters, and how many more there are where it was cut."""
    return text if len(text) <= limit else f"{text[:limit]}… ⟦{len(text) - limit:,} more characters⟧"
