"""Words of the Cyrillic and Greek scripts in Latin letters."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import Script
from perturb.engine.text.scripts import of_words
from perturb.engine.text.strings import column
from perturb.perturbators.declaration import word_perturbator
from perturb.perturbators.shared.written import Written
from perturb.resources import read_rows

System = Literal["iso", "gost", "icao"]

_SCRIPTS = frozenset({Script.CYRILLIC, Script.GREEK})
_VOICED = "αάεέηήιίοόυύωώβγδζλμνρ"
# Greek pairs of letters with one sound, in the order of the search.
_PAIRS: dict[str, tuple[tuple[regex.Pattern[str], str], ...]] = {
    "iso": ((regex.compile("(?<=[αεο])υ"), "u"), (regex.compile("(?<=[αεο])ύ"), "ú")),
    "icao": (
        (regex.compile("ο[υύ]"), "ou"),
        (regex.compile(f"(?<=[αεη])[υύ](?=[{_VOICED}])"), "v"),
        (regex.compile("(?<=[αεη])[υύ]"), "f"),
        (regex.compile("γ(?=[γξχ])"), "n"),
        (regex.compile(r"^μπ"), "b"),
    ),
}
# GOST 7.79 writes c before these letters, and cz before others.
_SOFT = regex.compile("ц(?=[иеыйіє])")


@word_perturbator(
    "transliterate",
    languages=("be", "bg", "el", "mk", "ru", "sr", "uk"),
    touches={"letters", "words"},
    source="ISO 9:1995, ISO 843:1997, GOST 7.79-2000, ICAO Doc 9303 "
    "(wordlists/languages/transliterations.tsv)",
    example="Привет, как дела? Съешь ещё этих мягких булок. Καλημέρα, τι κάνεις;",
)
def transliterate(batch: Batch, *, system: System = "iso") -> Sites:
    """Write words of the Cyrillic and Greek scripts in Latin letters.

    Write words in Latin letters by a published standard; `p` is a share of the words.

    A word with a letter outside the standard stays, as do words of other scripts.

    Args:
        batch: the texts.
        system: "iso" writes a letter with its marks for each letter (Moskva, Čehov; Greek by ISO
            843); "gost" writes ASCII letters and backticks (Russian, by GOST 7.79 system B); "icao"
            writes as in passports (Chekhov; Greek too).
    """
    words = batch.words
    words = words.take(np.flatnonzero(np.isin(of_words(words), list(_SCRIPTS))))
    known = {*map(chr, _table(system)), *"-'’"}
    written = column(
        _in_latin(word, system) if known.issuperset(word.lower()) else ""
        for word in words.to_list()
    )
    changes = Written(words.starts, words.ends, written).keep(written.lengths > 0)
    return changes.sites("word").limited(scripts=_SCRIPTS)


@cache
def _table(system: System) -> dict[int, str]:
    """Return the replacement of each small letter."""
    column_of = ("iso", "gost", "icao").index(system)
    rows = read_rows("languages", "transliterations.tsv")
    written = {letter: systems[column_of] for _, letter, *systems in rows}
    return {ord(letter): text.strip("_") for letter, text in written.items() if text != "-"}


def _in_latin(word: str, system: System) -> str:
    """Return a word in Latin letters, in its case."""
    small = word.lower()
    if system == "gost":
        small = _SOFT.sub("c", small)
    for pattern, other in _PAIRS.get(system, ()):
        small = pattern.sub(other, small)
    latin = small.translate(_table(system))
    if word.isupper() and len(word) > 1:
        return latin.upper()
    return latin[:1].upper() + latin[1:] if word[:1].isupper() else latin
