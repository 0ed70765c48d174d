"""Write what rules of misspelling make of the words of the lexicon.

    PYTHONPATH=. python wordlists/build/rule_misspellings.py

Run after `lexicon_arrays.compile`, and again when that wrote something new.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, packed
from perturb.lexicon.hashing import fold, hash_strings, hash_words
from perturb.lexicon.store import load, surfaces_of_hashes
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64

HEADER = """\
# Words and what rules of misspelling make of them: ie and ei, doubled consonants, -able, -ance
# Source: single words of WordNet 3.0 as in english/lexicon.npz, misspelled by own rules
# Licence: licenses/WORDNET.txt
# Made by: wordlists/build/rule_misspellings.py
# Columns: word; misspelling

"""
# Fewer letters are rarely misspelled, and too few to tell a suffix from the word.
_SHORTEST, _SHORTEST_WITH_SUFFIX = 5, 7
_VOWELS = "aeiou"
_CONSONANTS = "bcdfghjklmnpqrstvwxyz"


def rule_made() -> list[tuple[str, str]]:
    """Misspell every word of the lexicon as each rule that applies to it has it.

    The rules: ie and ei exchanged between consonants; a doubled consonant written once; -able and
    -ible, -ance and -ence exchanged. A result that is itself a word, in the lexicon or in the table
    of spelling variants, is left out.

    Returns:
        Pairs of a word and a misspelling of it.

    Examples:
        >>> made = dict(rule_made())
        >>> made["ancient"], made["hammer"], made["capable"], "being" in made
        ('anceint', 'hamer', 'capible', False)
    """
    words = _words()
    pairs: list[tuple[str, str]] = []
    for rule in (_exchanged, _single, _other_suffix):
        rows, made = rule(words)
        wrong = np.flatnonzero(~_known(made))
        pairs += zip(words.take(rows[wrong]).to_list(), made.take(wrong).to_list(), strict=True)
    return pairs


def _words() -> Strings:
    """The words that are of letters alone, a separator around each."""
    lexicon = load()
    # The single words come first; the last of their order is none.
    bounds = lexicon.bounds[: len(lexicon.hash_order)]
    spelled = Strings(lexicon.codes, bounds[:-1], bounds[1:]).to_list()
    return Strings.of_texts([word for word in spelled if len(word) >= _SHORTEST and word.isalpha()])


def _known(made: Strings) -> Bool:
    variants = [word for row in read_rows("english", "spelling_variants.tsv") for word in row]
    hashes = hash_words(fold(made.codes), made.starts, made.ends)
    known: Bool = surfaces_of_hashes(hashes) >= 0
    known |= np.isin(hashes, hash_strings(variants))
    return known


def _exchanged(words: Strings) -> tuple[Int64, Strings]:
    """Exchange ie and ei, but in endings: -ies, -ied, -ier, -iest, -eing."""
    before, first, second, after, beyond = _window(words.codes, -1, 0, 1, 2, 3)
    ie = _is(first, "i") & _is(second, "e") & ~_is(after, "dsr")
    ei = _is(first, "e") & _is(second, "i") & ~(_is(after, "n") & _is(beyond, "g"))
    between = _is(before, _CONSONANTS) & _is(after, _CONSONANTS)
    rows, made, places = _copies(words, np.flatnonzero((ie | ei) & between))
    made.codes[places], made.codes[places + 1] = made.codes[places + 1], made.codes[places]
    return rows, made


def _single(words: Strings) -> tuple[Int64, Strings]:
    """Write a doubled consonant once."""
    before, first, second, after = _window(words.codes, -1, 0, 1, 2)
    doubled = (first == second) & _is(first, _CONSONANTS)
    doubled &= _is(before, _VOWELS) & _is(after, _CONSONANTS + _VOWELS)
    rows, made, places = _copies(words, np.flatnonzero(doubled))
    kept = np.ones(len(made.codes), np.bool_)
    kept[places] = False
    return rows, packed(made.codes[kept], made.lengths - 1)


def _other_suffix(words: Strings) -> tuple[Int64, Strings]:
    """Exchange -able and -ible, -ance and -ence."""
    vowel, *rest, end = _window(words.codes, 0, 1, 2, 3, 4)
    able = _is(vowel, "ai") & _spells(rest, "ble") & (end == 0)
    ance = _is(vowel, "ae") & _spells(rest, "nce") & (end == 0)
    places = np.flatnonzero(able | ance)
    long = np.isin(places, (words.ends - 4)[words.lengths >= _SHORTEST_WITH_SUFFIX])
    rows, made, into = _copies(words, places[long])
    both = np.where(able[places[long]], ord("a") + ord("i"), ord("a") + ord("e"))
    made.codes[into] = both - made.codes[into]
    return rows, made


def _copies(words: Strings, places: Int64) -> tuple[Int64, Strings, Int64]:
    """A copy of the word around each place, its row, and where the place is in the copies."""
    rows = np.searchsorted(words.starts, places, "right") - 1
    around = words.take(rows)
    made = packed(around.flat(), around.lengths)
    return rows, made, made.starts + places - around.starts


def _window(codes: Codes, *offsets: int) -> list[Codes]:
    """The code points so far after each; before it where the offset is negative."""
    return [np.roll(codes, -offset) for offset in offsets]


def _is(codes: Codes, letters: str) -> Bool:
    return CharacterSet.of(letters).mask(codes)


def _spells(window: list[Codes], letters: str) -> Bool:
    pairs = zip(window, letters, strict=True)
    found: Bool = np.logical_and.reduce([_is(codes, letter) for codes, letter in pairs])
    return found


def main() -> None:
    """Write the table beside the others."""
    target = Path(__file__).parents[1] / "english/rule_misspellings.tsv"
    rows = dict.fromkeys(rule_made())
    target.write_text(HEADER + "".join(f"{word}\t{made}\n" for word, made in rows), "utf-8")


if __name__ == "__main__":
    main()
