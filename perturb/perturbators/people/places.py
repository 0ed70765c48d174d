"""Cities, countries, weekdays and months, replaced by others of their kind."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.contexts import bare_texts
from perturb.lexicon.phrases import (
    Found,
    Phrases,
    after,
    among,
    before,
    begins_with_digit,
    is_capital,
    is_digit,
    parted,
)
from perturb.lexicon.store import is_function, surfaces_of
from perturb.perturbators.declaration import consistent_perturbator
from perturb.perturbators.people._searches import are_certain
from perturb.perturbators.shared.names import drawn_apart, has_capital, in_small, mixed, throughout
from perturb.perturbators.shared.written import Written, together
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, distinct

Kind = Literal["any", "city", "country", "weekday", "month"]

_KINDS = ("city", "country", "weekday", "month")
# The words before a month that is not a word: a march, they may.
_LEADS_TO_MONTH = frozenset(
    "in of since until till by during last next this from to through and or before after every "
    "each late early mid between for".split()
)
_ARTICLES, _THE = frozenset("a an the".split()), "the "


@consistent_perturbator(
    "entity_swap",
    version=6,
    touches={"words", "meaning"},
    expect_alone="unknown",
    source="K. D. Dhole et al., NL-Augmenter, 2021 (replacement of named entities); own table "
    "(wordlists/english/entities.tsv)",
    example="She flew from Paris to Rome on Monday in June; Paris's airport was full.",
)
def entity_swap(batch: Batch, *, kind: Kind = "any") -> Sites:
    """Replace cities, countries, weekdays and months, consistently throughout a text.

    Replace places and times of a text, each by one of its kind; `p` is a share of such texts.

    A fact that depends on them becomes wrong, or has another answer: a capital, a distance, the day
    after Monday. A question that only counts or reasons stays the same. A new name is never one
    that the text has. Names next to another word with a capital (Paris Hilton, Bank of China) or
    after an article (a London bus) and months next to a day (March 3) stay throughout their text,
    and so do words for peoples and languages, such as French. In a text without capitals, only what
    the words around make certain is replaced: in france, on monday, did england win.

    Args:
        batch: the texts.
        kind: "city", "country", "weekday", "month", or "any" of these.
    """
    table = _table()
    matches = table.phrases.find(batch)
    matches = matches.keep(_fitting(batch, matches, table, kind))
    rows, size = matches.rows % len(table.kinds), len(table.kinds)
    numbers = batch.text_of(matches.starts) * size + rows

    def pool_of(kind: int) -> Int64:
        return mixed(np.flatnonzero((table.kinds == kind) & table.written))

    others = drawn_apart(batch, numbers, distinct(numbers), size, table.kinds[rows], pool_of)
    ends = matches.ends - table.endings[matches.rows]
    small = ~is_capital(batch.codes[batch.words.starts[matches.last]])
    places = Written(matches.starts, ends, in_small(table.spelled.take(others), small))
    return together(batch, places.keep(others >= 0))


# The row of the forms without an article among those of a name.
_BARE = 3


class _Table(NamedTuple):
    """The names, each with the endings that it may have.

    Attributes:
        phrases: the names, then with 's, then with s, then without their article.
        endings: the length of the ending of each of these.
        kinds: shape (names,); the number of the kind in `_KINDS`.
        written: shape (names,); which of them may be written.
        spelled: the names.
    """

    phrases: Phrases
    endings: Int64
    kinds: Int64
    written: Bool
    spelled: Strings


@cache
def _table() -> _Table:
    rows = read_rows("english", "entities.tsv")
    known = [name for _, name, _ in rows]
    # A name without a plural, or without an article to leave out, gets a word that no text has.
    plurals = [name + ("s" if kind == "weekday" else "_s") for kind, name, _ in rows]
    bare = [name[len(_THE) :] if name.startswith(_THE) else f"{name}_" for name in known]
    forms = [*known, *(f"{name}'s" for name in known), *plurals, *bare]
    phrases = Phrases((form, form) for form in forms)
    endings = np.array([0, 2, 1, 0]).repeat(len(known))
    kinds = np.array([_KINDS.index(kind) for kind, _, _ in rows])
    written = np.array([use == "written" for *_, use in rows])
    return _Table(phrases, endings, kinds, written, column(known))


def _fitting(batch: Batch, matches: Found, table: _Table, kind: Kind) -> Bool:
    """Mark the names that mean a place or a time on their own."""
    size = len(table.kinds)
    kinds, time = table.kinds[matches.rows % size], _KINDS.index("weekday")
    left, right = before(batch, matches.first), after(batch, matches.last)
    # The name itself, not the article that belongs to it.
    heads = batch.words.starts[matches.last]
    capital = is_capital(batch.codes[heads]) & ~is_capital(batch.codes[heads + 1])
    fits = capital & (~has_capital(batch, left) | is_function(batch, left))
    # Europe/Paris is the name of a time zone.
    codes = batch.codes
    fits &= (codes[matches.starts - 1] != ord("/")) & (codes[matches.ends] != ord("/"))
    # Bank of China.
    beyond = has_capital(batch, before(batch, left))
    alone = ~has_capital(batch, right) & ~among(batch, left, _ARTICLES)
    alone &= ~(among(batch, left, "of") & beyond)
    # The United States of America Standards Institute.
    alone &= ~(among(batch, right, "of") & has_capital(batch, after(batch, right)))
    unknown = (right >= 0) & (surfaces_of(batch, right) < 0) & ~begins_with_digit(batch, right)
    fits &= ~(_parted(batch, matches, kinds) | unknown)  # an unknown word makes a term of it
    # A time may precede a name: on Monday Ann left.
    fits &= alone | (kinds >= time)
    # Without its article, a name that has one is an answer or ends an address, or describes a word.
    fits &= (matches.rows < _BARE * size) | ((left < 0) & (right < 0))
    dated = among(batch, left, _LEADS_TO_MONTH) & ~_is_day(batch, right)
    fits &= dated | (kinds != _KINDS.index("month"))
    fits |= are_certain(batch, matches, np.take(_KINDS, kinds))
    numbers = batch.text_of(matches.starts) * size + matches.rows % size
    bare = bare_texts(batch)[batch.text_of(matches.starts)]
    fits &= throughout(numbers, fits | ~(capital | bare))
    return fits if kind == "any" else fits & (kinds == _KINDS.index(kind))


def _parted(batch: Batch, matches: Found, kinds: Int64) -> Bool:
    """Mark the cities that a comma parts from a place of another sort: Munich, Germany."""
    city = kinds == _KINDS.index("city")
    known = np.zeros(len(batch.words) + 2, np.bool_)
    known[matches.first[city] + 1] = known[matches.last[city] + 1] = True
    capital = np.concatenate([[False], has_capital(batch, np.arange(len(batch.words))), [False]])
    behind = parted(batch, matches.last + 1, ",") >= 0
    lead = parted(batch, matches.first, ",") >= 0
    other = capital & ~known
    marks: Bool = city & ((behind & other[matches.last + 2]) | (lead & other[matches.first]))
    return marks


def _is_day(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that are numbers of up to two digits, perhaps with an ending."""
    fourth = np.minimum(batch.words.starts[rows] + 3, len(batch.codes) - 1)
    return begins_with_digit(batch, rows) & ~is_digit(batch.codes[fourth])
