"""Make `wordlists/unicode/decompositions.tsv` and `combining_classes.tsv`.

    pip install unicodedata2==18.0.0
    python wordlists/build/decompositions.py

Hangul syllables are left out: they decompose by arithmetic.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import unicodedata2 as ucd

OUTPUT = Path(__file__).parents[1] / "unicode"
CODE_POINTS = 0x110000
HANGUL = range(0xAC00, 0xD7A4)

HEADER = """\
# {what}
# Columns: {columns}
# Source: the Unicode Character Database {version}, through PyPI unicodedata2 {version}.
# Licence: Unicode License V3, see licenses/UNICODE.txt; this file is derived, not a copy.
# Made by: wordlists/build/decompositions.py

"""


def kind(char: str, mapping: str) -> str:
    """Say what a decomposition is: compatible, canonical, or canonical but never composed."""
    if mapping.startswith("<"):
        return "compatible"
    composed = ucd.normalize("NFC", ucd.normalize("NFD", char))
    return "canonical" if composed == char else "excluded"


def decompositions() -> list[tuple[str, ...]]:
    """Return each character that decomposes, how, and into what, in one step."""
    rows = []
    for code in range(CODE_POINTS):
        mapping = ucd.decomposition(chr(code))
        if mapping and code not in HANGUL:
            parts = " ".join(part for part in mapping.split() if part[0] != "<")
            rows.append((f"{code:04X}", kind(chr(code), mapping), parts))
    return rows


def classes() -> list[tuple[str, ...]]:
    """Return the ranges of characters of one combining class other than 0."""
    rows = []
    runs = groupby(range(CODE_POINTS), lambda code: ucd.combining(chr(code)))
    for number, run in runs:
        first, *rest = run
        if number:
            rows.append((f"{first:04X}", f"{(rest or [first])[-1]:04X}", str(number)))
    return rows


def write(name: str, what: str, columns: str, rows: list[tuple[str, ...]]) -> None:
    """Write one table."""
    header = HEADER.format(what=what, columns=columns, version=ucd.unidata_version)
    body = "".join("\t".join(row) + "\n" for row in rows)
    (OUTPUT / name).write_text(header + body, "utf-8", newline="\n")


if __name__ == "__main__":
    write(
        "decompositions.tsv",
        "Decompositions of characters, one step each, without Hangul syllables.",
        "character, kind (excluded: canonical, but never composed), into what (all hexadecimal).",
        decompositions(),
    )
    write(
        "combining_classes.tsv",
        "Canonical combining classes other than 0.",
        "first, last (hexadecimal, inclusive), class.",
        classes(),
    )
