"""Words that no replacement may be; a text may have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from perturb.resources import read_rows


@cache
def taboo_words() -> frozenset[str]:
    """Return the words, in lower case."""
    return frozenset(row[0] for row in read_rows("english", "taboo.tsv"))


def decent(pairs: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Return the pairs whose second string has none of the words in it."""
    return [pair for pair in pairs if taboo_words().isdisjoint(pair[1].lower().split())]
