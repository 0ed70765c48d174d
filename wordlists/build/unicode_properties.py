"""Make `wordlists/unicode/properties.tsv` from the Unicode properties that `regex` carries.

`properties.npy` beside it holds the same as numbers, in four rows: where each run of code points
begins, and the numbers of its kind, its break and its script.

    pip install -e . regex==2026.11.15
    python wordlists/build/unicode_properties.py

The words of the three columns are those of `Kind`, `Break` and `Script` in
`perturb/engine/text/characters.py`, in lower case; the ranges leave out what is "other" in all three.
"""

from __future__ import annotations

from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import regex

from perturb.engine.text.characters import CODE_POINTS, Break, Kind, Script
from perturb.resources import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

OUTPUT = Path(__file__).parents[1] / "unicode" / "properties.tsv"
UNICODE = "18.0.0"  # the version that the documentation of this `regex` names

# In each table a later line overrides an earlier one; a line is a word and a character class.
KINDS = {
    "letter": r"\p{L}",
    "mark": r"\p{M}",
    "digit": r"\p{Nd}",
    "number": r"[\p{Nl}\p{No}]",
    "punctuation": r"\p{P}",
    "connector": r"\p{Pc}",
    "symbol": r"\p{S}",
    "control": r"\p{Cc}",
    "format": r"\p{Cf}",
    "space": r"\p{White_Space}",
    "newline": r"[\n-\r\x85\u2028\u2029]",
}
BREAKS = {
    "pictographic": r"\p{Extended_Pictographic}",
    "consonant": r"\p{InCB=Consonant}",
    "linker": r"\p{InCB=Linker}",
    "cr": r"\p{GCB=CR}",
    "lf": r"\p{GCB=LF}",
    "control": r"\p{GCB=Control}",
    "non_joiner": r"\p{GCB=Extend}",
    "extend": r"[\p{GCB=Extend}&&\p{InCB=Extend}]",
    "extend_linker": r"[\p{GCB=Extend}&&\p{InCB=Linker}]",
    "zwj": r"\p{GCB=ZWJ}",
    "spacing_mark": r"\p{GCB=SpacingMark}",
    "prepend": r"\p{GCB=Prepend}",
    "regional_indicator": r"\p{GCB=Regional_Indicator}",
    "l": r"\p{GCB=L}",
    "v": r"\p{GCB=V}",
    "t": r"\p{GCB=T}",
    "lv": r"\p{GCB=LV}",
    "lvt": r"\p{GCB=LVT}",
}
SCRIPTS = {
    script.name.lower(): rf"[\p{{Script={script.name}}}&&[\p{{L}}\p{{M}}]]"
    for script in Script
    if script
}


def words(classes: dict[str, str]) -> list[str]:
    """Return the word of every code point: that of the last class which holds it, or "other"."""
    text = "".join(map(chr, range(CODE_POINTS)))
    found = ["other"] * CODE_POINTS
    for word, pattern in classes.items():
        for run in regex.finditer(rf"{pattern}+", text, flags=regex.V1):
            found[run.start() : run.end()] = [word] * (run.end() - run.start())
    return found


def ranges(*columns: list[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the first and last code point and the words of each run that is not "other" in all."""
    first = 0
    for facts, run in groupby(zip(*columns, strict=True)):
        end = first + sum(1 for _ in run)
        if any(fact != "other" for fact in facts):
            yield first, end - 1, facts
        first = end


def numbered(rows: Sequence[Sequence[str]]) -> NDArray[np.int32]:
    """Return the rows of the table as numbers; the gaps between its ranges are runs too."""
    enums = (Kind, Break, Script)
    numbers = [{one.name.lower(): int(one) for one in enum} for enum in enums]
    runs, at = [], 0
    for first, last, *said in rows:
        if int(first, 16) > at:
            runs.append((at, 0, 0, 0))
        at = int(last, 16) + 1
        facts = (of[word] for of, word in zip(numbers, said, strict=True))
        runs.append((int(first, 16), *facts))
    if at < CODE_POINTS:
        runs.append((at, 0, 0, 0))
    return np.array(runs, "<i4").T.copy()


def main() -> None:
    """Write the table, and its numbers."""
    header = f"""\
# Unicode properties: ranges of code points and what the engine needs to know of them.
# Columns: first, last (hexadecimal, inclusive), kind, break, script. All else is "other" in each.
# kind: groups of General_Category and White_Space. break: Grapheme_Cluster_Break, split by
# Extended_Pictographic and Indic_Conjunct_Break. script: of letters and marks only.
# Source: the Unicode Character Database {UNICODE}, through PyPI regex {version("regex")}.
# Licence: Unicode License V3, see licenses/UNICODE.txt; this file is derived, not a copy.
# Made by: wordlists/build/unicode_properties.py

"""
    rows = "".join(
        "\t".join((f"{first:04X}", f"{last:04X}", *facts)) + "\n"
        for first, last, facts in ranges(words(KINDS), words(BREAKS), words(SCRIPTS))
    )
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(header + rows, "utf-8", newline="\n")
    np.save(OUTPUT.with_suffix(".npy"), numbered(parse(OUTPUT)))


if __name__ == "__main__":
    main()
