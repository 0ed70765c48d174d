"""First names and surnames of people in English texts, and their replacements.

A surname is known by the first name or title before it, since most are words as well: Ann Young,
Mr. Brown. It then is a person's throughout its text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.engine.text.characters import Kind, of_kind, set_of
from perturb.lexicon.phrases import (
    Found,
    Phrases,
    after,
    among,
    before,
    begins_with_digit,
    count_among,
    is_capital,
    parted,
)
from perturb.lexicon.store import is_function, is_rather, may_be
from perturb.lexicon.stray import TECHNICAL, of_trade
from perturb.lexicon.tags import ADJECTIVE, NOUN, VBD, VBZ, VERB
from perturb.perturbators.people._name_tables import (
    ANY_ORIGIN,
    capitalised,
    in_compounds,
    names,
    surnames,
    with_possessives,
    without_possessive,
)
from perturb.perturbators.shared.names import drawn_apart, has_capital, throughout
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, distinct

# A word with a capital before one of these verbs is a name: Mark has, Rose will.
_AUXILIARIES = frozenset("is was has had will would can could does did and".split())
# After these, or before these, a name belongs to a place or an event: St. John, John Street.
_SAINTS = frozenset("st saint san santa mount mt lake fort port".split())
ARTICLES = frozenset("a an the".split())
KIN = frozenset("aunt uncle auntie cousin grandma grandpa".split())
# Rare first names that, alone, are more likely surnames of famous people.
_KNOWN = "luther shelley milton jefferson dewey beckett irving norman holden".split()
KNOWN_ALONE = frozenset(_KNOWN + [f"{name}'s" for name in _KNOWN])
# First names use the lanes of random numbers below this.
_FIRST_LANE = 10
# After a name these make it a famous person's: Thomas de Maizière, Peter of Abano, Henry I.
_PARTICLES = frozenset("i de di da del della der den van von la le al el bin ibn of".split())
# After a name these make it that of a known person, but with a word of a trade behind them.
_LAWS = frozenset(
    "law laws theory theories theorem theorems effect equation equations constant conjecture "
    "paradox principle hypothesis lemma inequality syndrome comet".split()
)
# The same without a possessive: the Smith method, but not Ann's method.
_METHODS = frozenset("method methods algorithm formula diagram criterion test model".split())
_OF_LAW = frozenset("firm firms school degree office practice partner student review books".split())
# Programming languages that are first names too, and the words before them.
_LANGUAGES = frozenset("ruby julia ada dylan crystal pascal elm".split())
_LEADS_TO_LANGUAGE = frozenset("in into using".split())
_FIRMS = "co company sons bros associates partners"
# Between the parties of a case, which has their names: Clark v. Board of Directors.
_VERSUS = frozenset("v vs versus".split())
_LEADS_TO_PLACE = frozenset("in at near from to into of".split())
# Rarer first names may be towns: Easton.
_WELL_KNOWN = 700
_PLACES = frozenset("street streets avenue road county city river hotel hospital airport".split())
# A person of a name is known by these words beside it, or by a pronoun anywhere in the text.
_LEADS_TO_PERSON = frozenset(
    "told asked gave helped thanked met called named invited paid said says asks tells gives helps "
    "meets invites pays with friend friends brother sister son daughter mother father wife husband "
    "uncle aunt cousin neighbor boss".split()
)
_PRONOUNS = (frozenset("he him his himself".split()), frozenset("she her hers herself".split()))
_SPOKEN = frozenset("says said asks asked told tells thinks thought wants wanted".split())
TITLES = frozenset("mr mrs ms miss mx dr doctor prof professor coach".split())
_FAMILIES = frozenset("family families household twins sisters brothers siblings".split())


def find_names(batch: Batch) -> Found:
    """Find the first names that stand alone.

    A name next to another word with a capital is part of a longer name, of a perhaps famous person,
    a place or a work, and doesn't count anywhere in its text; nor does a name in capitals or in
    lower case.
    """
    found, fits = batch.once(_seen)
    # A name that is also part of a longer one in the text doesn't count.
    return found.keep(throughout(names().number(batch, found), fits))


def with_longer_names(batch: Batch) -> Bool:
    """Mark the texts with a first name as part of a longer name."""
    found, fits = batch.once(_seen)
    return np.bincount(batch.text_of(found.starts[~fits]), minlength=len(batch.texts)) > 0


def _seen(batch: Batch) -> tuple[Found, Bool]:
    """Return the first names with a capital, and which of them stand alone."""
    table = names()
    found = capitalised(batch, table.phrases)
    possessive, single = without_possessive(found, table)
    left, right = before(batch, found.first), after(batch, found.last)
    word = opens_as_word(batch, found, table.words[single.rows] & ~possessive)
    word |= among(batch, left, ARTICLES) | _is_term(batch, found, left, right)
    longer = has_capital(batch, right) | among(batch, right, _PARTICLES)
    longer |= _follows_sign(batch, found.starts) | _leads_on(batch, single.ends)
    longer |= is_led(batch, left) & ~among(batch, left, KIN)
    longer |= follows_saint(batch, found.first)
    longer |= _is_doubtful(batch, found, single, left, right)
    return single.keep(~word), ~longer[~word]


def _is_term(batch: Batch, found: Found, left: Int64, right: Int64) -> Bool:
    """Mark the names of programming languages, and words that begin the head of a column."""
    language = among(batch, found.first, _LANGUAGES) & among(batch, left, _LEADS_TO_LANGUAGE)
    codes, space = batch.codes, of_kind(Kind.SPACE)
    in_cell = codes[space.back(codes, found.starts) - 1] == ord("|")
    head: Bool = in_cell & (right >= 0) & ~has_capital(batch, right)
    return language | head


def _is_doubtful(batch: Batch, found: Found, single: Found, left: Int64, right: Int64) -> Bool:
    """Mark the names that may be of a place, a case, a product: nothing speaks of a person.

    Names that are words or surnames as well need evidence, and all names in technical texts: a
    pronoun, a verb or a possessive, somebody else's name. No name next to "v." is a person's.

    Args:
        batch: the texts.
        found: first names, perhaps with their possessive.
        single: the same without it.
        left: the words before them.
        right: the words after them.
    """
    table, text = names(), batch.text_of(found.starts)
    technical, words = of_trade(batch, TECHNICAL)[text], table.words[single.rows]
    needs = words | _also_surnames()[single.rows] | technical
    counts = np.array([count_among(batch, pronouns) for pronouns in _PRONOUNS])
    shows = counts[table.genders[single.rows], text] > 0
    shows |= among(batch, left, _LEADS_TO_PERSON | KIN) | is_titled(batch, found.first)
    shows |= among(batch, right, _SPOKEN)
    shows |= does(batch, right, VBZ | VBD) & ~(technical & words)  # Mark duplicates as wrong.
    shows |= single.ends < found.ends
    # Somebody beside a name that is nothing else.
    shows |= batch.count(found.starts[~needs])[text] > 0
    shows = np.isin(table.number(batch, single), table.number(batch, single)[shows])
    # In Easton; Grant streets; Douglas, J.
    rare = _also_surnames()[single.rows] | (single.rows >= _WELL_KNOWN)
    place = among(batch, left, _LEADS_TO_PLACE) & rare
    place |= among(batch, right, _PLACES) | _is_judge(batch, found.ends)
    place |= begins_with_digit(batch, right)  # Blake's 7
    place |= among(batch, right, _VERSUS) | follows_stop(batch, found.first, _VERSUS)
    return (needs & ~shows) | place


def _is_judge(batch: Batch, ends: Int64) -> Bool:
    """Mark the names before ", J." and ", C. J.", as opinions cite judges."""
    codes = np.append(batch.codes, np.zeros(4, batch.codes.dtype))
    judge = (codes[ends] == ord(",")) & (codes[ends + 1] == ord(" "))
    marks: Bool = judge & is_capital(codes[ends + 2]) & (codes[ends + 3] == ord("."))
    return marks


def does(batch: Batch, rows: Int64, forms: int) -> Bool:
    """Mark the verbs in some forms that are hardly nouns; a row of -1 never is."""
    return (rows >= 0) & is_rather(batch, rows, VERB, forms, NOUN)


@cache
def _also_surnames() -> Bool:
    """Mark the first names that are surnames as well."""
    return np.isin(names().spelled.to_list(), surnames().spelled.to_list())


def opens_as_word(batch: Batch, found: Found, words: Bool) -> Bool:
    """Mark the words that begin a sentence and, judging by the next word, aren't names."""
    # A sentence may begin with blanks or a sign.
    opens = words & np.isin(found.first, batch.words.starts.searchsorted(batch.sentences.starts))
    if opens.any():  # without any, the lexicon isn't read
        right = after(batch, found.last)
        # Before a verb in the third person singular it is rather a name.
        opens &= ~may_be(batch, right, VERB, VBZ | VBD) & ~among(batch, right, _AUXILIARIES)
    return opens


def is_led(batch: Batch, left: Int64) -> Bool:
    """Mark the words with a capital that may belong to the name after them; not When Ann came."""
    led = has_capital(batch, left)
    opens = led & are_among(batch.words.starts[left], batch.sentences.starts)
    if opens.any():
        led &= ~(opens & is_function(batch, left))
    return led


def follows_saint(batch: Batch, rows: Int64) -> Bool:
    """Mark the words after "Saint", "St." and the like."""
    return among(batch, before(batch, rows), _SAINTS) | follows_stop(batch, rows, _SAINTS)


def follows_stop(batch: Batch, rows: Int64, abbreviations: frozenset[str]) -> Bool:
    """Mark the words right after an abbreviation and its full stop."""
    return among(batch, parted(batch, rows, "."), abbreviations)


@cache
def _first_name_pool(sort: int) -> Int64:
    """Return the rows of the names that may be written, of a gender and an origin in one number."""
    gender, origin = divmod(sort, ANY_ORIGIN + 1)
    return names().pool((names().genders == gender) & ~names().words, origin)


def other_names(batch: Batch, found: Found, genders: Int64, origins: Int64) -> Int64:
    """Draw a name for each name, the same at all its places in a text.

    In one text no two names get the same one, and none gets one that the text has.

    Args:
        batch: the texts.
        found: the names.
        genders: shape (n,); the gender of the replacement of each.
        origins: shape (n,); its origin, as a number in `ORIGINS`, or `ANY_ORIGIN`.

    Returns:
        Shape (n,): rows of the table; -1 where a text has too many names.
    """
    numbers, size = names().number(batch, found), len(names().words)
    sorts = genders * (ANY_ORIGIN + 1) + origins
    return drawn_apart(batch, numbers, distinct(numbers), size, sorts, _first_name_pool)


@cache
def _known_people() -> Phrases:
    """Return the full names of famous people."""
    return with_possessives([" ".join(row) for row in read_rows("english", "known_people.tsv")])


class People(NamedTuple):
    """The names of people in a batch that can be replaced.

    Attributes:
        first: first names, alone or before a surname that can be replaced.
        last: surnames.
        seen: shape (m,); the text and the row of every surname in a text, in one number, each once,
            in order.
    """

    first: Found
    last: Found
    seen: Int64


def find_people(batch: Batch) -> People:
    """Find the first names and surnames of people who aren't famous.

    A name next to yet another word with a capital stays throughout its text, and so does one of a
    famous person in the text.
    """
    firsts, lasts = capitalised(batch, names().phrases), capitalised(batch, surnames().phrases)
    possessive, first = without_possessive(firsts, names())
    _, last = without_possessive(lasts, surnames())
    left, right = before(batch, firsts.first), after(batch, firsts.last)
    # A word at the start of a sentence is a name before a surname that isn't also a word.
    sure = marked(batch, lasts.first[~surnames().words[last.rows]])
    word = opens_as_word(batch, firsts, names().words[first.rows] & ~possessive) & ~sure[right]
    word |= among(batch, left, ARTICLES) | _is_term(batch, firsts, left, right)
    begins = ~is_led(batch, left) | among(batch, left, KIN) | is_titled(batch, firsts.first)
    begins &= ~word & ~follows_saint(batch, firsts.first) & ~_follows_sign(batch, firsts.starts)
    before_last = marked(batch, firsts.first[begins & ~possessive])
    numbers = surnames().number(batch, last)
    replaced = _can_be_replaced(batch, lasts, last.rows, numbers, before_last)
    # A first name may precede a surname that is replaced, and be one itself.
    as_last = marked(batch, lasts.first[replaced])
    alone = ~has_capital(batch, right) & ~among(batch, right, _PARTICLES)
    alone &= ~_is_of_pair(batch, left, before) & ~_is_of_pair(batch, right, after)
    alone &= ~among(batch, firsts.first, KNOWN_ALONE)
    alone &= ~(_leads_on(batch, firsts.ends) | _names_law(batch, firsts))
    alone &= ~_is_doubtful(batch, firsts, first, left, right)
    fits = begins & (alone | (as_last[right] & (right >= 0)))
    fits &= ~batch.once(of_known)[firsts.first]
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
        firsts: the words that are first names, as `marked` gives them.
    """
    left, right = before(batch, found.first), after(batch, found.last)
    the = among(batch, left, "the")
    anchored = (firsts[left] & (left >= 0)) | is_titled(batch, found.first)
    anchored |= the & among(batch, right, _FAMILIES)
    longer = has_capital(batch, right) | among(batch, right, "i")
    longer |= ~anchored & ~the & is_led(batch, left)
    longer |= follows_saint(batch, found.first) | batch.once(of_known)[found.first]
    longer |= among(batch, right, _VERSUS | _PLACES | _PARTICLES - {"i"})
    longer |= follows_stop(batch, found.first, _VERSUS) | _is_judge(batch, found.ends)
    law = _names_law(batch, found)
    longer |= law | _leads_on(batch, found.ends) | np.isin(numbers, in_compounds(batch, surnames()))
    longer |= among(batch, right, "and") & among(batch, after(batch, right), _FIRMS)
    longer |= set_of("–").mask(batch.codes[[found.starts - 1, found.ends]]).any(0)
    # A word that begins a sentence is not a surname, even if the text has it as one elsewhere; nor
    # is a common noun: a Ford, the King.
    words = surnames().words[rows]
    word = opens_as_word(batch, found, words) | among(batch, left, "a an") | (the & words)
    fits = ~word | anchored | law
    fits[fits] = throughout(numbers[fits], ~longer[fits])
    return fits & np.isin(numbers, numbers[anchored & fits])


def _is_of_pair(batch: Batch, beside: Int64, beyond: Callable[[Batch, Int64], Int64]) -> Bool:
    """Mark the names that "and" joins to a name outside the tables: Romeo and Juliet.

    Args:
        batch: the texts.
        beside: shape (n,); the word next to each name, -1 for none.
        beyond: gives the words on the other side of those, such as `after`.
    """
    other = np.where(among(batch, beside, "and"), beyond(batch, beside), -1)
    first = marked(batch, np.append(*(t.phrases.find(batch).first for t in (names(), surnames()))))
    return has_capital(batch, other) & ~first[other] & ~is_function(batch, other)


def _follows_sign(batch: Batch, starts: Int64) -> Bool:
    """Mark the names after / or &, or an initial: Raymond S. Bradley, not the option A. Tom."""
    codes = batch.codes
    first, second, third, fourth = (codes[np.maximum(starts - n, 0)] for n in range(1, 5))
    spaced = first == ord(" ")
    marks: Bool = (first == ord("/")) | (spaced & ((second == ord("&")) | (second == ord("/"))))
    marks |= spaced & (second == ord(".")) & is_capital(third) & (fourth == ord(" "))
    return marks


def _leads_on(batch: Batch, ends: Int64) -> Bool:
    """Mark the names before al-Turabi, & Sons and the like."""
    codes = np.append(batch.codes, np.zeros(4, batch.codes.dtype))
    marks = np.zeros(len(ends), np.bool_)
    for sign in (" al-", " & "):
        marks |= np.all([codes[ends + n] == ord(letter) for n, letter in enumerate(sign)], axis=0)
    return marks


def _names_law(batch: Batch, found: Found) -> Bool:
    """Mark the names that a law has as well: Dalton's atomic theory, the Hobbs effect."""
    right = after(batch, found.last)
    second = after(batch, right)
    owned = set_of("'’").mask(batch.codes[found.ends - 2])
    owns = owned & may_be(batch, right, ADJECTIVE, 1) & among(batch, second, _LAWS)
    law = among(batch, right, _LAWS) | (among(batch, right, _METHODS) & ~owned)
    return owns | (law & ~among(batch, second, _OF_LAW))


def is_titled(batch: Batch, rows: Int64) -> Bool:
    """Mark the words after a title: Mr. Brown, Dr Young."""
    left = before(batch, rows)
    titled = among(batch, left, TITLES) & has_capital(batch, left)
    return titled | follows_stop(batch, rows, TITLES)


def of_known(batch: Batch) -> Bool:
    """Mark the words within the full names of famous people."""
    people = _known_people().find(batch)
    return marked(batch, np.concatenate([people.first, people.last]))


def marked(batch: Batch, rows: Int64) -> Bool:
    """Return a mask of all words of a batch and one more element, true at `rows`."""
    mask = np.zeros(len(batch.words) + 1, np.bool_)
    mask[rows] = True
    return mask


@cache
def _surname_pool(origin: int) -> Int64:
    """Return the rows of the surnames of an origin that may be written; no first names."""
    table = surnames()
    as_first = np.isin(table.spelled.to_list(), names().spelled.to_list())
    return table.pool(~as_first & ~table.words, origin)


def other_surnames(batch: Batch, people: People, origin: int) -> Int64:
    """Draw a surname for each surname, the same at all its places in a text.

    In one text no two surnames get the same one, and none gets one that the text has.

    Args:
        batch: the texts.
        people: the names in them.
        origin: the origin of the new surnames, as a number in `ORIGINS`, or `ANY_ORIGIN`.

    Returns:
        Shape (n,): rows of the table; -1 where a text has too many surnames.
    """
    numbers, size = surnames().number(batch, people.last), len(surnames().words)
    sorts = np.full(len(numbers), _FIRST_LANE + origin)
    return drawn_apart(batch, numbers, people.seen, size, sorts, lambda _: _surname_pool(origin))
