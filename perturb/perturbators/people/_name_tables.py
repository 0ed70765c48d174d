"""The tables of first names and surnames, and their places in texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.phrases import Found, Phrases, is_capital
from perturb.lexicon.stray import in_code, in_heads
from perturb.perturbators.shared.names import in_small, mixed
from perturb.perturbators.shared.written import Written
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

ORIGINS = ("european", "african_american", "hispanic", "asian")
ANY_ORIGIN = len(ORIGINS)
MALE, FEMALE = 0, 1
_MC = "mc"
# The most common names of each origin and gender that may be written, chosen by hand on 22 November
# 2026: fewer would repeat from text to text, more would bring names that few readers know.
_WRITTEN = 60


class Table(NamedTuple):
    """First names or surnames, the more common first.

    Attributes:
        phrases: the names, and then their possessives.
        origins: shape (names,); the number of the origin in `ORIGINS`, -1 for none.
        words: shape (names,); whether it may be a word: one that may begin a sentence, or for
            surnames any common one.
        spelled: the names with their capitals.
        genders: shape (names,); `MALE` or `FEMALE`; 0 for surnames.
    """

    phrases: Phrases
    origins: Int64
    words: Bool
    spelled: Strings
    genders: Int64

    @classmethod
    def of(
        cls,
        known: Sequence[str],
        origins: Sequence[str],
        kinds: Sequence[str],
        genders: Iterable[int],
        spell: Callable[[str], str] = str.capitalize,
    ) -> Table:
        """Make a table from the columns of a file."""
        numbers = np.array([["-", *ORIGINS].index(origin) - 1 for origin in origins])
        words, spelled = np.array([kind == "word" for kind in kinds]), column(map(spell, known))
        return cls(with_possessives(known), numbers, words, spelled, np.array(list(genders)))

    def number(self, batch: Batch, found: Found) -> Int64:
        """Return the text and the row of each name in one number."""
        return batch.text_of(found.starts) * np.int64(len(self.words)) + found.rows

    def writes(self, batch: Batch, found: Found, fits: Bool, others: Int64) -> Written:
        """Return the names that fit, each with its replacement: rows of the table."""
        starts = found.starts[fits]
        texts = in_small(self.spelled.take(others[fits]), ~is_capital(batch.codes[starts]))
        return Written(starts, found.ends[fits], texts)

    def pool(self, fits: Bool, origin: int) -> Int64:
        """Return the rows of the most common names that fit, of one origin or of each."""
        origins = range(ANY_ORIGIN) if origin == ANY_ORIGIN else (origin,)
        rows = [np.flatnonzero(fits & (self.origins == one))[:_WRITTEN] for one in origins]
        return mixed(np.concatenate(rows))


def with_possessives(known: Sequence[str]) -> Phrases:
    """Return the table of some names, and then of their possessives."""
    forms = [*known, *(f"{name}'s" for name in known)]
    return Phrases((form, form) for form in forms)


@cache
def names() -> Table:
    """Return the table of first names."""
    known, genders, origins, kinds = zip(*read_rows("english", "first_names.tsv"), strict=True)
    return Table.of(known, origins, kinds, map("mf".index, genders))


@cache
def surnames() -> Table:
    """Return the table of surnames."""
    known, origins, kinds = zip(*read_rows("english", "surnames.tsv"), strict=True)
    return Table.of(known, origins, kinds, [0] * len(known), _spelled)


def _spelled(name: str) -> str:
    if name.startswith(_MC) and len(name) > len(_MC) + 2:
        return "Mc" + name.removeprefix(_MC).capitalize()
    return name.capitalize()


def capitalised(batch: Batch, phrases: Phrases) -> Found:
    """Find the names of a table with a capital and no further one."""
    found = phrases.find(batch)
    codes = batch.codes
    others = is_capital(codes[found.starts + 1]) | is_capital(codes[found.ends - 1])  # MAX, LoRA
    others |= in_code(batch)[found.first] | in_heads(batch, found.starts)
    return found.keep(is_capital(codes[found.starts]) & ~others)


def without_possessive(found: Found, table: Table) -> tuple[Bool, Found]:
    """Mark the names with the 's of a possessive; return all without it."""
    count = len(table.words)
    possessive = found.rows >= count
    rows, ends = found.rows - count * possessive, found.ends - 2 * possessive
    return possessive, found._replace(ends=ends, rows=rows)


def in_compounds(batch: Batch, table: Table) -> Int64:
    """Return the names within compounds, as `Table.number` does: the Smith-Jones method."""
    codes, words = batch.codes, batch.words
    (hyphens,) = ((codes[:-1] == ord("-")) & is_capital(codes[1:])).nonzero()
    rows = words.starts.searchsorted(hyphens) - 1
    rows = rows[hyphens < np.append(words.ends, 0)[rows]]
    parts = Batch.of([word.replace("-", " ") for word in words.take(rows).to_list()])
    _, found = without_possessive(table.phrases.find(parts), table)
    owners = rows[parts.text_of(found.starts)]
    return table.number(batch, found._replace(starts=words.starts[owners]))
