"""Cities, countries, weekdays and months for others of their kind."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column, distinct
from perturb.lexicon.phrases import Found, Phrases, after, among, before
from perturb.perturbators.shared.apart import drawn_apart, mixed, throughout
from perturb.perturbators.shared.english import Language
from perturb.perturbators.shared.names import has_capital, is_capital
from perturb.perturbators.shared.neighbours import is_function
from perturb.perturbators.shared.together import in_prose_rows, kept_rows, together
from perturb.registry.definition import WHOLE
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

Kind = Literal["any", "city", "country", "weekday", "month"]

_KINDS = ("city", "country", "weekday", "month")
# Before a month that is no word: a march, they may.
_LEADS_TO_MONTH = frozenset(
    "in of since until till by during last next this from to through and or before after every "
    "each late early mid between for".split()
)
_ARTICLES = frozenset("a an the".split())


@perturbator(
    "entity_swap",
    unit="place",
    summary="Write other cities, countries, weekdays and months, the same throughout a text.",
    label_risk="high",
    languages=("en",),
    touches={"words", "meaning"},
    consistent=True,
    expect="mapped",
    expect_alone="unknown",
    source="K. D. Dhole et al., NL-Augmenter, 2021 (replacement of named entities); own table "
    "(wordlists/english/entities.tsv)",
    intensities=WHOLE,
    example="She flew from Paris to Rome on Monday in June; Paris's airport was full.",
)
def entity_swap(batch: Batch, *, kind: Kind = "any", language: Language = "auto") -> Sites:
    """Replace places and times of a text, each by one other of its kind; `p` is of such texts.

    What depends on them is then wrong, or has another answer: a capital, a distance, the day after
    Monday. Where a question only counts or reasons, it stays the same. No name is written that the
    text has. Left alone are names beside another word with a capital (Paris Hilton, Bank of China),
    behind an article (a London bus), months beside a day (March 3), wherever a text has such a
    name, and words for peoples and languages, such as French.

    Args:
        batch: the texts.
        kind: "city", "country", "weekday", "month", or "any" of these.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    table = _table()
    found = table.phrases.find(batch)
    found = found.keep(_fitting(batch, found, table, kind))
    ids = found.rows % len(table.kinds)
    ends = found.ends - table.endings[found.rows]
    own = batch.text_of(found.starts) * len(table.kinds) + ids
    others = np.full(len(own), -1)
    there = distinct(own)
    for number in range(len(_KINDS)):
        (mine,) = (table.kinds[ids] == number).nonzero()
        pool = mixed(np.flatnonzero((table.kinds == number) & table.written))
        others[mine] = drawn_apart(batch, own[mine], there, pool, len(table.kinds), number)
    fits = others >= 0
    starts, ends, others = found.starts[fits], ends[fits], others[fits]
    prose = in_prose_rows(batch, starts, ends, language)
    texts = table.spelled.take(others[kept_rows(starts, prose)])
    return together(batch, prose, lambda chosen: texts.take(chosen.rows))


class _Table(NamedTuple):
    """The names, each with the endings that it may have.

    Attributes:
        phrases: the names, then with 's, then with s.
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
    # A plural that a name has not is a word that no text has.
    plurals = [name + ("s" if kind == "weekday" else "_s") for kind, name, _ in rows]
    forms = [*known, *(f"{name}'s" for name in known), *plurals]
    return _Table(
        Phrases((form, form) for form in forms),
        np.arange(3).repeat(len(known)) * -1 % 3,
        np.array([_KINDS.index(kind) for kind, _, _ in rows]),
        np.array([use == "written" for *_, use in rows]),
        column(known),
    )


def _fitting(batch: Batch, found: Found, table: _Table, kind: Kind) -> Bool:
    """Mark the names that stand for a place or a time alone."""
    codes = batch.codes
    kinds = table.kinds[found.rows % len(table.kinds)]
    left, right = before(batch, found.first), after(batch, found.last)
    # The name itself, not the article that belongs to it.
    head = codes[batch.words.starts[found.last]]
    second = codes[batch.words.starts[found.last] + 1]
    fits = is_capital(head) & ~is_capital(second)
    capital = fits
    # A time may stand before a name: on Monday Ann left.
    time = kinds >= _KINDS.index("weekday")
    fits = fits & (~has_capital(batch, right) | time)
    fits &= ~has_capital(batch, left) | is_function(batch, left)
    # Bank of China.
    beyond = before(batch, np.maximum(left, 0))
    fits &= time | ~(among(batch, left, frozenset(["of"])) & has_capital(batch, beyond))
    fits &= time | ~among(batch, left, _ARTICLES)
    month = kinds == _KINDS.index("month")
    fits &= ~month | (among(batch, left, _LEADS_TO_MONTH) & ~_is_day(batch, right))
    own = batch.text_of(found.starts) * len(table.kinds) + found.rows % len(table.kinds)
    fits = throughout(own, fits | ~capital) & fits
    return fits & ((kinds == _KINDS.index(kind)) if kind != "any" else True)


def _is_day(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that are numbers of up to two digits, with an ending perhaps."""
    words = batch.words
    starts = words.starts[rows]
    digit = batch.codes[starts] - ord("0") < 10
    day: Bool = (rows >= 0) & digit & (batch.codes[starts] >= ord("0"))
    return day & (batch.codes[np.minimum(starts + 3, len(batch.codes) - 1)] - ord("0") >= 10)
