"""Make `wordlists/unicode/homoglyphs.tsv` from the confusables of UTS #39.

On Debian, with sources of sid, from an empty folder:

    apt-get source --download-only icu=78.3-2
    tar xzf icu_78.3.orig.tar.gz --wildcards '*/source/data/unidata/*'

Then, from the top of the checkout:

    pip install unicodedata2==18.0.0 regex==2026.11.15
    python wordlists/build/homoglyphs.py .../icu/source/data/unidata

Two characters are confusable if UTS #39 gives them the same prototype. Of a character's confusables
these are left out: what identifiers may not hold (Identifier_Status), what NFKC changes, and what
is of another general category's first letter or of another bidirectional class, so that a letter
stays a letter, a digit a digit, and no text turns its direction.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import regex
import unicodedata2 as ucd

OUTPUT = Path(__file__).parents[1] / "unicode" / "homoglyphs.tsv"
SCRIPTS = (
    "Common Inherited Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek "
    "Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam "
    "Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
).split()
HEADER = """\
# Characters that look alike: letters and digits that UTS #39 gives the same prototype.
# Columns: character, those of its own script that look like it, those of other scripts.
# Source: confusables.txt 17.0.0 (UTS #39) and Identifier_Status, as ICU 78.3 ships them
# (Debian icu 78.3-2); filtered as the script says.
# Licence: Unicode License V3, see licenses/UNICODE.txt; this file is derived, not a copy.
# Made by: wordlists/build/homoglyphs.py

"""


def prototypes(file: Path) -> dict[str, str]:
    """Return the prototype of each character that has one of its own."""
    table = {}
    for line in file.read_text("utf-8-sig").splitlines():
        if ";" in line and not line.startswith("#"):
            char, target, *_ = line.split(";")
            table[chr(int(char, 16))] = "".join(chr(int(part, 16)) for part in target.split())
    return table


def allowed(file: Path) -> set[str]:
    """Return the characters that identifiers may hold, from ICU's preparsed database."""
    found: set[str] = set()
    for line in file.read_text("utf-8").splitlines():
        # A block's properties are those of its characters, unless the lines of these say else.
        if line.startswith(("block;", "cp;")):
            _, span, *facts = line.split(";")
            first, last = (span.split("..") * 2)[:2]
            chars = set(map(chr, range(int(first, 16), int(last, 16) + 1)))
            if "ID_Status=Allowed" in facts:
                found |= chars
            elif "ID_Status=Restricted" in facts:
                found -= chars
    return found


def sort(char: str) -> tuple[str, str]:
    """Return what two characters must share for one to stand for the other."""
    return ucd.category(char)[0], ucd.bidirectional(char)


def script(char: str) -> str:
    """Return the script of a character, of those that UAX #31 recommends."""
    (found,) = [name for name in SCRIPTS if regex.match(rf"\p{{Script={name}}}", char)]
    return found


def main(folder: Path) -> None:
    """Write the table."""
    prototype = prototypes(folder / "confusables.txt")
    usable = {
        char
        for char in allowed(folder / "ppucd.txt")
        if ucd.category(char)[0] in "LN" and ucd.normalize("NFKC", char) == char
    }
    groups = defaultdict(list)
    for char in sorted(usable):
        groups[prototype.get(char, char)].append(char)
    rows = []
    for group in groups.values():
        for char in group:
            others = [other for other in group if other != char and sort(other) == sort(char)]
            same = [other for other in others if script(other) == script(char)]
            rest = [other for other in others if other not in same]
            if others:
                rows.append(f"{char}\t{''.join(same)}\t{''.join(rest)}\n")
    OUTPUT.write_text(HEADER + "".join(sorted(rows)), "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
