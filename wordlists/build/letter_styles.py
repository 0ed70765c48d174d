"""Make `wordlists/unicode/letter_styles.tsv` from the names of the characters.

    pip install unicodedata2==18.0.0
    python wordlists/build/letter_styles.py

Some mathematical letters stood elsewhere first (the italic h is Planck's constant): these are the
characters that decompose to the letter and are named after the style in a word of their own.
"""

from __future__ import annotations

import string
from pathlib import Path

import unicodedata2 as ucd

OUTPUT = Path(__file__).parents[1] / "unicode" / "letter_styles.tsv"
HEADER = f"""\
# Letters and digits, and how each style writes them.
# Columns: style; letters; the same in that style, one character each.
# Source: the names of the Unicode Character Database {ucd.unidata_version}, through PyPI unicodedata2 {ucd.unidata_version}.
# Licence: Unicode License V3, see licenses/UNICODE.txt; this file is derived, not a copy.
# Made by: wordlists/build/letter_styles.py

"""
LATIN = string.ascii_uppercase + string.ascii_lowercase + string.digits
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω"
# The name of each style's characters: what stands before and after what a letter's own name says.
STYLES = {
    "bold": "MATHEMATICAL BOLD {}",
    "italic": "MATHEMATICAL ITALIC {}",
    "bold_italic": "MATHEMATICAL BOLD ITALIC {}",
    "script": "MATHEMATICAL SCRIPT {}",
    "bold_script": "MATHEMATICAL BOLD SCRIPT {}",
    "fraktur": "MATHEMATICAL FRAKTUR {}",
    "bold_fraktur": "MATHEMATICAL BOLD FRAKTUR {}",
    "double_struck": "MATHEMATICAL DOUBLE-STRUCK {}",
    "sans": "MATHEMATICAL SANS-SERIF {}",
    "sans_bold": "MATHEMATICAL SANS-SERIF BOLD {}",
    "monospace": "MATHEMATICAL MONOSPACE {}",
    "fullwidth": "FULLWIDTH {full}",
    "circled": "CIRCLED {full}",
    "small_caps": "LATIN LETTER SMALL {capital}",
}
# Where the block of mathematical letters has a hole.
HOLES = {
    "italic": "PLANCK CONSTANT",
    "script": "SCRIPT {}",
    "fraktur": "BLACK-LETTER {}",
    "double_struck": "DOUBLE-STRUCK {}",
}


def names(char: str, pattern: str) -> str:
    """Write the name of a letter or digit into a pattern."""
    full = ucd.name(char)
    short = full.replace("LATIN ", "").replace("GREEK ", "").replace(" LETTER", "")
    capital = short.replace("SMALL", "CAPITAL") if "SMALL" in short else "-"
    return pattern.format(short, full=full, capital=capital)


def styled(char: str, style: str) -> str | None:
    """Return a letter in a style, if there is one that means this letter."""
    for pattern in (STYLES[style], HOLES.get(style, "-")):
        try:
            found = ucd.lookup(names(char, pattern))
        except KeyError:
            continue
        if style == "small_caps" or ucd.normalize("NFKC", found) == char:
            return found
    return None


def main() -> None:
    """Write the table."""
    rows = []
    for style in STYLES:
        pairs = [(char, styled(char, style)) for char in LATIN + GREEK]
        letters, written = zip(*(pair for pair in pairs if pair[1]), strict=True)
        rows.append(f"{style}\t{''.join(letters)}\t{''.join(written)}\n")
    OUTPUT.write_text(HEADER + "".join(rows), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
