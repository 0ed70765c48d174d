"""Surnames of people in English texts, the first names before them, and others in their place.

A surname is known by what stands before it, a first name or a title, since most are words as well:
Ann Young, Mr. Brown. Where a text has one so, it is one of a person throughout the text.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import distinct
from perturb.lexicon.phrases import Found, Phrases, after, among, before
from perturb.perturbators.people._first_names import (
    ARTICLES,
    KIN,
    Table,
    capitalised,
    follows_saint,
    follows_stop,
    is_led,
    names,
    opens_as_word,
    with_possessives,
    without_possessive,
)
from perturb.perturbators.shared.apart import drawn_apart, throughout
from perturb.perturbators.shared.names import has_capital
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

# Lanes of random numbers below this are those of first names.
_FIRST_LANE = 10
_TITLES = frozenset("mr mrs ms miss mx dr doctor prof professor coach".split())
_NUMERALS = frozenset(["i"])
_ONE, _THE = frozenset("a an".split()), frozenset(["the"])
_FAMILIES = frozenset("family families household twins sisters brothers siblings".split())
_MC = "mc"


@cache
def surnames() -> Table:
    """Return the table of surnames."""
    known, origins, kinds = zip(*read_rows("english", "surnames.tsv"), strict=True)
    return Table.of(known, origins, kinds, [0] * len(known), _spelled)


def _spelled(name: str) -> str:
    if name.startswith(_MC) and len(name) > len(_MC) + 2:
        return "Mc" + name.removeprefix(_MC).capitalize()
    return name.capitalize()


@cache
def _known_people() -> Phrases:
    """Return the full names of people who are known."""
    return with_possessives([" ".join(row) for row in read_rows("english", "known_people.tsv")])


class People(NamedTuple):
    """The names of people in a batch that can be replaced.

    Attributes:
        first: first names, alone or before a surname that can be replaced.
        last: surnames.
        seen: shape (m,); the text and the row of every surname that stands in a text, in one
            number, each once, in order.
    """

    first: Found
    last: Found
    seen: Int64


def find_people(batch: Batch) -> People:
    """Find the first names and surnames of people who are not known.

    A name beside yet another word with a capital is left alone wherever its text has it, and so is
    one that a known person has in the text.
    """
    firsts, lasts = capitalised(batch, names().phrases), capitalised(batch, surnames().phrases)
    possessive, first = without_possessive(firsts, names())
    _, last = without_possessive(lasts, surnames())
    left, right = before(batch, firsts.first), after(batch, firsts.last)
    # A word at the start of a sentence is a name before a surname, if that is no word too.
    sure = _marked(batch, lasts.first[~surnames().words[last.rows]])
    word = opens_as_word(batch, firsts, names().words[first.rows] & ~possessive) & ~sure[right]
    word |= among(batch, left, ARTICLES)
    begins = ~is_led(batch, left) | among(batch, left, KIN) | _is_titled(batch, firsts.first)
    begins &= ~word & ~follows_saint(batch, firsts.first)
    before_last = _marked(batch, firsts.first[begins & ~possessive])
    numbers = surnames().number(batch, last)
    replaced = _can_be_replaced(batch, lasts, last.rows, numbers, before_last)
    # A first name may stand before a surname that is replaced, and be one itself.
    as_last = _marked(batch, lasts.first[replaced])
    alone = ~has_capital(batch, right) & ~among(batch, right, _NUMERALS)
    fits = begins & (alone | (as_last[right] & (right >= 0)))
    fits &= ~batch.once(_of_known)[firsts.first]
    candidates = ~word & ~as_last[firsts.first]
    first = first.keep(candidates)
    fits = throughout(names().number(batch, first), fits[candidates])
    return People(first.keep(fits), last.keep(replaced), distinct(numbers))


def _can_be_replaced(batch: Batch, found: Found, rows: Int64, numbers: Int64, firsts: Bool) -> Bool:
    """Mark the surnames that can be replaced.

    Args:
        batch: the texts.
        found: surnames with a capital.
        rows: shape (n,); their rows in the table.
        numbers: shape (n,); the text and the row in one number.
        firsts: the words that are first names, as `_marked` gives them.
    """
    left, right = before(batch, found.first), after(batch, found.last)
    the = among(batch, left, _THE)
    anchored = (firsts[left] & (left >= 0)) | _is_titled(batch, found.first)
    anchored |= the & among(batch, right, _FAMILIES)
    longer = has_capital(batch, right) | among(batch, right, _NUMERALS)
    longer |= ~anchored & ~the & is_led(batch, left)
    longer |= follows_saint(batch, found.first) | batch.once(_of_known)[found.first]
    # A word that begins a sentence is no surname, though the text has it as one elsewhere, nor is
    # what is one of its kind: a Ford, the King.
    words = surnames().words[rows]
    word = opens_as_word(batch, found, words) | among(batch, left, _ONE) | (the & words)
    fits = ~word | anchored
    fits[fits] = throughout(numbers[fits], ~longer[fits])
    return fits & np.isin(numbers, numbers[anchored & fits])


def _is_titled(batch: Batch, rows: Int64) -> Bool:
    """Mark the words behind a title: Mr. Brown, Dr Young."""
    left = before(batch, rows)
    titled = among(batch, left, _TITLES) & has_capital(batch, left)
    return titled | follows_stop(batch, rows, _TITLES)


def _of_known(batch: Batch) -> Bool:
    """Mark the words within the full names of people who are known."""
    people = _known_people().find(batch)
    return _marked(batch, np.concatenate([people.first, people.last]))


def _marked(batch: Batch, rows: Int64) -> Bool:
    """Return a mask of all words of a batch, and one more that is no word, true at `rows`."""
    mask = np.zeros(len(batch.words) + 1, np.bool_)
    mask[rows] = True
    return mask


@cache
def _pool(origin: int) -> Int64:
    """Return the rows of the surnames that may be written, of an origin; no first names."""
    table = surnames()
    as_first = np.isin(table.spelled.to_list(), names().spelled.to_list())
    return table.pool(~as_first & ~table.words, origin)


def other_surnames(batch: Batch, people: People, origin: int) -> Int64:
    """Draw a surname for each surname, the same for all places where a text has it.

    In one text no two surnames get the same one, and none gets one that the text has.

    Args:
        batch: the texts.
        people: the names in them.
        origin: of the surnames that are written, as a number in `ORIGINS`, or `ANY_ORIGIN`.

    Returns:
        Shape (n,): rows of the table; -1 where a text has too many surnames.
    """
    numbers, size = surnames().number(batch, people.last), len(surnames().words)
    sorts = np.full(len(numbers), _FIRST_LANE + origin)
    return drawn_apart(batch, numbers, people.seen, size, sorts, lambda _: _pool(origin))
