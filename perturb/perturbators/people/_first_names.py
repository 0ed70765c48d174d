"""First names of people in English texts, and others in their place."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.engine.text.strings import Strings, column, distinct
from perturb.lexicon.features import VBD, VBZ, VERB
from perturb.lexicon.phrases import Found, Phrases, after, among, before
from perturb.lexicon.store import load
from perturb.perturbators.shared.apart import drawn_apart, mixed, throughout
from perturb.perturbators.shared.names import has_capital, is_capital
from perturb.perturbators.shared.neighbours import is_function, surfaces_of
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

ORIGINS = ("european", "african_american", "hispanic", "asian")
ANY_ORIGIN = len(ORIGINS)
MALE, FEMALE = 0, 1
# So many of the most common names of each gender and origin may be written.
_WRITTEN = 60
# Verbs before which a word with a capital is a name: Mark has, Rose will.
_AUXILIARIES = frozenset("is was has had will would can could does did and".split())
# Behind these, or before these, a name is one of a place or an event: St. John, John Street.
_SAINTS = frozenset("st saint san santa mount mt lake fort port".split())
ARTICLES = frozenset("a an the".split())
KIN = frozenset("aunt uncle auntie cousin grandma grandpa".split())
_POSSESSIVE = "'s"


class FirstNames(NamedTuple):
    """First names in a batch, in order; every array has shape (n,).

    Attributes:
        starts: where each starts, in code points of the batch.
        ends: where each ends, without the 's of a possessive.
        rows: the row of each name in the table.
    """

    starts: Int64
    ends: Int64
    rows: Int64

    def keep(self, mask: Bool) -> FirstNames:
        """Return the names where `mask` is true."""
        return FirstNames(self.starts[mask], self.ends[mask], self.rows[mask])


class _Table(NamedTuple):
    """The names, the more common first.

    Attributes:
        phrases: the names, and then their possessives.
        genders: shape (names,); `MALE` or `FEMALE`.
        origins: shape (names,); the number of the origin in `ORIGINS`, -1 for none.
        words: shape (names,); whether a sentence may begin with it as a word.
        spelled: the names with a capital.
    """

    phrases: Phrases
    genders: Int64
    origins: Int64
    words: Bool
    spelled: Strings


@cache
def names() -> _Table:
    """Return the table of first names."""
    rows = read_rows("english", "first_names.tsv")
    known = [name for name, *_ in rows]
    forms = [*known, *(name + _POSSESSIVE for name in known)]
    return _Table(
        Phrases((form, form) for form in forms),
        np.array(["mf".index(gender) for _, gender, _, _ in rows]),
        np.array([ORIGINS.index(origin) if origin != "-" else -1 for _, _, origin, _ in rows]),
        np.array([kind == "word" for *_, kind in rows]),
        column(map(str.capitalize, known)),
    )


def find_names(batch: Batch) -> FirstNames:
    """Find the first names that stand alone.

    A name beside another word with a capital is a part of a longer name, of a person who may be
    known, a place or a work, and is none here, nor anywhere in its text; nor is one in capitals or
    in lower case.
    """
    found, fits = batch.once(_seen)
    # Nor is one that a text has as a part of a longer name as well.
    own = batch.text_of(found.starts) * len(names().genders) + found.rows
    return found.keep(throughout(own, fits))


def with_longer_names(batch: Batch) -> Bool:
    """Mark the texts that have a first name as a part of a longer one."""
    found, fits = batch.once(_seen)
    longer: Bool = np.bincount(batch.text_of(found.starts[~fits]), minlength=len(batch.texts)) > 0
    return longer


def _seen(batch: Batch) -> tuple[FirstNames, Bool]:
    """Return the first names with a capital, and which of them stand alone."""
    table = names()
    found = capitalised(batch, table.phrases)
    possessive, rows, ends = without_possessive(found, len(table.genders))
    left, right = before(batch, found.first), after(batch, found.last)
    word = opens_as_word(batch, found, table.words[rows] & ~possessive)
    word |= among(batch, left, ARTICLES)
    # Henry I
    longer = has_capital(batch, right) | among(batch, right, frozenset(["i"]))
    longer |= is_led(batch, left) & ~among(batch, left, KIN)
    longer |= follows_saint(batch, found.first)
    return FirstNames(found.starts, ends, rows).keep(~word), ~longer[~word]


def capitalised(batch: Batch, phrases: Phrases) -> Found:
    """Find the names of a table that have a capital, and no other behind it."""
    found = phrases.find(batch)
    heads, seconds = batch.codes[found.starts], batch.codes[found.starts + 1]
    return found.keep(is_capital(heads) & ~is_capital(seconds))


def without_possessive(found: Found, count: int) -> tuple[Bool, Int64, Int64]:
    """Mark the names with the 's of a possessive; return all without: their rows and their ends."""
    possessive = found.rows >= count
    return possessive, found.rows - count * possessive, found.ends - 2 * possessive


def opens_as_word(batch: Batch, found: Found, words: Bool) -> Bool:
    """Mark those of some words that begin a sentence and are no names by what follows them."""
    opens: Bool = words & are_among(found.starts, batch.sentences.starts)
    if opens.any():  # the lexicon is not read for texts that have none
        opens &= ~_acts(batch, after(batch, found.last))
    return opens


def is_led(batch: Batch, left: Int64) -> Bool:
    """Mark the words with a capital that may be part of a name behind them; not When Ann came."""
    led: Bool = has_capital(batch, left)
    opens = led & are_among(batch.words.starts[left], batch.sentences.starts)
    if opens.any():
        led &= ~(opens & is_function(batch, left))
    return led


def follows_saint(batch: Batch, rows: Int64) -> Bool:
    """Mark the words behind "Saint" or "St." and its like."""
    return among(batch, before(batch, rows), _SAINTS) | follows_stop(batch, rows, _SAINTS)


def follows_stop(batch: Batch, rows: Int64, wanted: frozenset[str]) -> Bool:
    """Mark the words right behind an abbreviation and its full stop."""
    words, codes = batch.words, batch.codes
    previous = np.maximum(rows - 1, 0)
    ends = words.ends[previous]
    near = (rows > 0) & (codes[ends] == ord(".")) & (ends + 2 == words.starts[rows])
    stops: Bool = near & among(batch, previous, wanted)
    return stops


def _acts(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that follow a name rather than a word: verbs of one person."""
    surfaces = surfaces_of(batch, rows)
    past = (surfaces >= 0) & (load().masks[surfaces, VERB] & (VBZ | VBD) > 0)
    acts: Bool = past | among(batch, rows, _AUXILIARIES)
    return acts


@cache
def _written(gender: int, origin: int) -> Int64:
    """Return the rows of the names that may be written, of a gender and an origin."""
    table = names()
    fits = (table.genders == gender) & ~table.words
    wanted = range(ANY_ORIGIN) if origin == ANY_ORIGIN else (origin,)
    rows = [np.flatnonzero(fits & (table.origins == one))[:_WRITTEN] for one in wanted]
    return mixed(np.concatenate(rows))


def other_names(batch: Batch, found: FirstNames, genders: Int64, origins: Int64) -> Int64:
    """Draw a name for each name, the same for all places where a text has it.

    In one text no two names get the same one, and none gets one that the text has.

    Args:
        batch: the texts.
        found: the names.
        genders: shape (n,); the gender of the name that is written for each.
        origins: shape (n,); its origin, as a number in `ORIGINS`, or `ANY_ORIGIN`.

    Returns:
        Shape (n,): rows of the table; -1 where a text has too many names.
    """
    size = len(names().genders)
    own = batch.text_of(found.starts) * size + found.rows
    there = distinct(own)
    drawn = np.full(len(own), -1)
    sorts = genders * (ANY_ORIGIN + 1) + origins
    for sort in distinct(sorts).tolist():
        (mine,) = (sorts == sort).nonzero()
        pool = _written(*divmod(sort, ANY_ORIGIN + 1))
        drawn[mine] = drawn_apart(batch, own[mine], there, pool, size, sort)
    return drawn
