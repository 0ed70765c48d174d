"""Names of people and places in texts without capitals, such as searches.

There any word may be a name, and any name part of a title. So only what the words around make
certain counts: a first name right before a surname, if neither is a word as well, a place after
"in", a day after "on", a month after "since".
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from perturb.engine.batch import Batch
from perturb.lexicon.contexts import about_works, bare_texts
from perturb.lexicon.phrases import Found, after, among, before
from perturb.lexicon.store import is_function
from perturb.lexicon.tags import VB, VBD, VBN, VBZ
from perturb.perturbators.people._name_tables import names, surnames, without_possessive
from perturb.perturbators.people._names import ARTICLES, People, does, marked, of_known
from perturb.values.arrays import Bool, Int64, distinct

# In a search for a song or a film, a person may follow these: who sang with john lennon.
_LEADS_TO_PERSON = frozenset("with by did does is was plays played play voices voiced".split())
_LEADS = {
    "city": frozenset("in from near into across throughout".split()),
    "weekday": frozenset("on last next".split()),
    "month": frozenset("in since until during early late mid".split()),
}
_LEADS["country"] = _LEADS["city"]
# A country also after one of these and "of", and between one of those and a verb: did england win.
_HEADS = frozenset(
    "president king queen minister justice emperor governor government parliament capital "
    "constitution population economy currency flag history map part".split()
)
_ASKS = frozenset("did does do has have had was is were are will can could".split())
# Behind a place these make a title or a longer name of it: from russia with love.
_GOES_ON = frozenset("with by of and or the a an".split())
# A surname so many times further down its list than down that of first names is rather a second
# first name: mary ann. Chosen by hand on 28 November 2026.
_RATHER = 4


def full_names(batch: Batch) -> tuple[Found, Found]:
    """Find the first names and the surnames of people by their full names, famous ones too."""
    firsts, lasts = names().phrases.find(batch), surnames().phrases.find(batch)
    lasts = lasts.keep(bare_texts(batch)[batch.text_of(lasts.starts)])
    possessive, first = without_possessive(firsts, names())
    owner, last = without_possessive(lasts, surnames())
    sure = ~possessive & ~names().words[first.rows]
    row_of = np.full(len(batch.words) + 1, -1)
    row_of[first.first[sure]] = first.rows[sure]
    left, right = before(batch, last.first), after(batch, last.last)
    given = row_of[left]
    beyond = before(batch, left)
    fits = (given >= 0) & ~surnames().words[last.rows]
    fits &= _ranks_as_first()[last.rows] * _RATHER > last.rows
    opens = (beyond < 0) | is_function(batch, beyond) | does(batch, beyond, VBZ | VBD)
    opens &= ~among(batch, beyond, ARTICLES)
    works = about_works(batch)[batch.text_of(last.starts)]
    opens &= ~works | among(batch, beyond, _LEADS_TO_PERSON)
    closes = owner | (right < 0) | is_function(batch, right) | does(batch, right, VB | VBZ | VBD)
    fits &= opens & closes
    return first.keep(sure & marked(batch, left[fits])[first.first]), last.keep(fits)


@cache
def _ranks_as_first() -> Int64:
    """Return the place of each surname among the first names, past all of them for most."""
    place = {name: row for row, name in enumerate(names().spelled.to_list())}
    return np.array([place.get(name, len(place)) for name in surnames().spelled.to_list()])


def with_full_names(batch: Batch, people: People) -> People:
    """Return people, and those who aren't famous of texts without capitals."""
    if not bare_texts(batch).any():
        return people
    first, last = full_names(batch)
    famous = batch.once(of_known)
    first, last = (found.keep(~famous[found.first]) for found in (first, last))
    seen = np.append(people.seen, surnames().number(batch, last))
    return People(_merged(people.first, first), _merged(people.last, last), distinct(seen))


def _merged(one: Found, other: Found) -> Found:
    columns = [np.concatenate(pair) for pair in zip(one, other, strict=True)]
    order = columns[0].argsort(kind="stable")
    return Found(*(column[order] for column in columns))


def are_certain(batch: Batch, places: Found, kinds: NDArray[np.str_]) -> Bool:
    """Mark the places and times in texts without capitals that mean nothing else.

    Args:
        batch: the texts.
        places: names of cities, countries, weekdays and months.
        kinds: the kind of each.
    """
    bare = bare_texts(batch)[batch.text_of(places.starts)]
    if not bare.any():
        return bare
    left, right = before(batch, places.first), after(batch, places.last)
    led = np.zeros(len(bare), np.bool_)
    for kind, leads in _LEADS.items():
        led |= (kinds == kind) & among(batch, left, leads)
    beyond = before(batch, left)
    ends = (right < 0) | (is_function(batch, right) & ~among(batch, right, _GOES_ON))
    asked = among(batch, left, _ASKS)
    country = (among(batch, left, "of") & among(batch, beyond, _HEADS)) | asked
    led |= (kinds == "country") & country
    ends |= asked & does(batch, right, VB | VBD | VBN)
    # A title has a place, too: sleepless in seattle. None begins with somebody's full name.
    person = marked(batch, full_names(batch)[1].last)[beyond] & (beyond >= 0)
    titled = about_works(batch)[batch.text_of(places.starts)] & ~person
    return bare & led & ends & ~titled
