"""Bring the translations up to date: add sentences that are new, drop those that are gone, compile what is there.

Usage: python scripts/translations.py. What is not translated yet stands as unfinished in resources/translations/*.ts,
which Qt Linguist opens.
"""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pi_ask_qt.languages import CONTEXT, LANGUAGES
from pi_ask_qt.views.sentences import COUNTED, SOURCES

FOLDER = ROOT / "resources" / "translations"
PLURALS = {"de": 2, "zh_CN": 1}


def read(path: Path) -> dict[str, list[str]]:
    """Return the translations in a file: one text, or one for every plural."""
    if not path.exists():
        return {}
    found: dict[str, list[str]] = {}
    for message in ET.parse(path).iter("message"):  # noqa: S314 - our own file
        translation = message.find("translation")
        if translation is not None and translation.get("type") != "unfinished":
            forms = [form.text or "" for form in translation.iter("numerusform")]
            found[message.findtext("source", "")] = forms or [translation.text or ""]
    return found


def write(language: str, known: dict[str, list[str]]) -> int:
    """Write the file of a language; return how many sentences are not translated."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    missing = 0
    for source in SOURCES:
        forms = known.get(source, [])
        message = ET.SubElement(context, "message", {"numerus": "yes"} if source in COUNTED else {})
        ET.SubElement(message, "source").text = source
        translation = ET.SubElement(message, "translation", {} if forms else {"type": "unfinished"})
        missing += not forms
        if source in COUNTED:
            for text in forms or [""] * PLURALS[language]:
                ET.SubElement(translation, "numerusform").text = text
        else:
            translation.text = forms[0] if forms else ""
    ET.indent(root)
    document = ET.tostring(root, encoding="unicode")
    path = FOLDER / f"pi_ask_{language}.ts"
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{document}\n', encoding="utf-8")
    return missing


def main() -> int:
    """Update and compile every language; return 1 where something is not translated."""
    missing = 0
    for language in LANGUAGES:
        path = FOLDER / f"pi_ask_{language}.ts"
        missing += write(language, read(path))
        subprocess.run(["pyside6-lrelease", "-silent", str(path)], check=True)
    print(f"{missing} sentences are not translated")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
