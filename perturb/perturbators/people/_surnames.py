"""Surnames of people in English texts, the first names before them, and others in their place.

A surname is known by what stands before it, a first name or a title, since most are words as well:
Ann Young, Mr. Brown. Where a text has one so, it is one of a person throughout the text.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings, column, distinct
from perturb.lexicon.phrases import Found, Phrases, after, among, before
from perturb.perturbators.people._first_names import (
    ANY_ORIGIN,
    ARTICLES,
    KIN,
    ORIGINS,
    FirstNames,
    capitalised,
    follows_saint,
    follows_stop,
    is_led,
    names,
    opens_as_word,
    without_possessive,
)
from perturb.perturbators.shared.apart import drawn_apart, mixed, throughout
from perturb.perturbators.shared.names import has_capital
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

# So many of the most common surnames of each origin may be written.
_WRITTEN = 60
# Lanes of random numbers below this are those of first names.
_FIRST_LANE = 10
_TITLES = frozenset("mr mrs ms miss mx dr doctor prof professor coach".split())
_NUMERALS = frozenset(["i"])
_ONE, _THE = frozenset("a an".split()), frozenset(["the"])
_FAMILIES = frozenset("family families household twins sisters brothers siblings".split())
_POSSESSIVE = "'s"
_MC = "mc"


class Surnames(NamedTuple):
    """Surnames in a batch, in order; every array has shape (n,).

    Attributes:
        starts: where each starts, in code points of the batch.
        ends: where each ends, without the 's of a possessive.
        rows: the row of each in the table.
    """

    starts: Int64
    ends: Int64
    rows: Int64

    def keep(self, mask: Bool) -> Surnames:
        """Return the surnames where `mask` is true."""
        return Surnames(self.starts[mask], self.ends[mask], self.rows[mask])


class _Table(NamedTuple):
    """The surnames, the more common first.

    Attributes:
        phrases: the surnames, and then their possessives.
        origins: shape (names,); the number of the origin in `ORIGINS`, -1 for none.
        words: shape (names,); whether it is a common word as well.
        spelled: the surnames with their capitals.
        known: the full names of people who are known.
    """

    phrases: Phrases
    origins: Int64
    words: Bool
    spelled: Strings
    known: Phrases


@cache
def surnames() -> _Table:
    """Return the table of surnames."""
    rows = read_rows("english", "surnames.tsv")
    listed = [name for name, *_ in rows]
    people = [f"{first} {last}" for first, last in read_rows("english", "known_people.tsv")]
    return _Table(
        Phrases((form, form) for form in _with_possessives(listed)),
        np.array([ORIGINS.index(origin) if origin != "-" else -1 for _, origin, _ in rows]),
        np.array([kind == "word" for *_, kind in rows]),
        column(map(_spelled, listed)),
        Phrases((form, form) for form in _with_possessives(people)),
    )


def _with_possessives(known: list[str]) -> list[str]:
    return [*known, *(name + _POSSESSIVE for name in known)]


def _spelled(name: str) -> str:
    if name.startswith(_MC) and len(name) > len(_MC) + 2:
        return "Mc" + name.removeprefix(_MC).capitalize()
    return name.capitalize()


class People(NamedTuple):
    """The names of people in a batch that can be replaced.

    Attributes:
        first: first names, alone or before a surname that can be replaced.
        last: surnames.
        seen: shape (m,); the text and the row of every surname that stands in a text, in one
            number, each once, in order.
    """

    first: FirstNames
    last: Surnames
    seen: Int64


def find_people(batch: Batch) -> People:
    """Find the first names and surnames of people who are not known.

    A name beside yet another word with a capital is left alone wherever its text has it, and so is
    one that a known person has in the text.
    """
    firsts, lasts = capitalised(batch, names().phrases), capitalised(batch, surnames().phrases)
    possessive, rows, ends = without_possessive(firsts, len(names().genders))
    _, last_rows, last_ends = without_possessive(lasts, len(surnames().words))
    left, right = before(batch, firsts.first), after(batch, firsts.last)
    # A word at the start of a sentence is a name before a surname, if that is no word too.
    sure = _marked(batch, lasts.first[~surnames().words[last_rows]])
    word = opens_as_word(batch, firsts, names().words[rows] & ~possessive) & ~sure[right]
    word |= among(batch, left, ARTICLES)
    begun = ~is_led(batch, left) | among(batch, left, KIN) | _is_titled(batch, firsts.first)
    begun &= ~word & ~follows_saint(batch, firsts.first)
    before_last = _marked(batch, firsts.first[begun & ~possessive])
    own = _own(batch, lasts.starts, last_rows)
    kept = _kept(batch, lasts, last_rows, own, before_last)
    # A first name may stand before a surname that is replaced, and be one itself.
    as_last = _marked(batch, lasts.first[kept])
    alone = ~has_capital(batch, right) & ~among(batch, right, _NUMERALS)
    fits = begun & (alone | (as_last[right] & (right >= 0))) & ~_known(batch)[firsts.first]
    candidates = ~word & ~as_last[firsts.first]
    found = FirstNames(firsts.starts, ends, rows).keep(candidates)
    texts = batch.text_of(found.starts) * len(names().genders) + found.rows
    return People(
        found.keep(throughout(texts, fits[candidates])),
        Surnames(lasts.starts, last_ends, last_rows).keep(kept),
        distinct(own),
    )


def _kept(batch: Batch, found: Found, rows: Int64, own: Int64, firsts: Bool) -> Bool:
    """Mark the surnames that can be replaced.

    Args:
        batch: the texts.
        found: surnames with a capital.
        rows: shape (n,); their rows in the table.
        own: shape (n,); the text and the row in one number.
        firsts: the words that are first names, as `_marked` gives them.
    """
    left, right = before(batch, found.first), after(batch, found.last)
    the = among(batch, left, _THE)
    anchored = (firsts[left] & (left >= 0)) | _is_titled(batch, found.first)
    anchored |= the & among(batch, right, _FAMILIES)
    longer = has_capital(batch, right) | among(batch, right, _NUMERALS)
    longer |= ~anchored & ~the & is_led(batch, left)
    longer |= follows_saint(batch, found.first) | _known(batch)[found.first]
    # A word that begins a sentence is no surname, though the text has it as one elsewhere, nor is
    # what is one of its kind: a Ford, the King.
    words = surnames().words[rows]
    word = opens_as_word(batch, found, words) | among(batch, left, _ONE) | (the & words)
    word &= ~anchored
    kept = np.zeros(len(rows), np.bool_)
    kept[~word] = throughout(own[~word], ~longer[~word])
    kept &= np.isin(own, own[anchored & kept])
    return kept


def _own(batch: Batch, starts: Int64, rows: Int64) -> Int64:
    """Return the text and the row of each surname in one number."""
    own: Int64 = batch.text_of(starts) * len(surnames().words) + rows
    return own


def _is_titled(batch: Batch, rows: Int64) -> Bool:
    """Mark the words behind a title: Mr. Brown, Dr Young."""
    left = before(batch, rows)
    titled: Bool = among(batch, left, _TITLES) & has_capital(batch, left)
    return titled | follows_stop(batch, rows, _TITLES)


def _known(batch: Batch) -> Bool:
    """Mark the words within the full names of people who are known."""
    return batch.once(_known_words)


def _known_words(batch: Batch) -> Bool:
    people = surnames().known.find(batch)
    return _marked(batch, np.concatenate([people.first, people.last]))


def _marked(batch: Batch, rows: Int64) -> Bool:
    """Return a mask of all words of a batch, and one more that is no word, true at `rows`."""
    mask = np.zeros(len(batch.words) + 1, np.bool_)
    mask[rows] = True
    return mask


@cache
def _written(origin: int) -> Int64:
    """Return the rows of the surnames that may be written, of an origin."""
    table = surnames()
    first = set(names().spelled.to_list())
    own = np.array([name not in first for name in table.spelled.to_list()])
    fits = own & ~table.words
    wanted = range(ANY_ORIGIN) if origin == ANY_ORIGIN else (origin,)
    rows = [np.flatnonzero(fits & (table.origins == one))[:_WRITTEN] for one in wanted]
    return mixed(np.concatenate(rows))


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
    own = _own(batch, people.last.starts, people.last.rows)
    if not len(own):
        return own
    size = len(surnames().words)
    return drawn_apart(batch, own, people.seen, _written(origin), size, _FIRST_LANE + origin)
