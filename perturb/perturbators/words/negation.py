"""Negations, added to clauses or removed from them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import column
from perturb.lexicon.contexts import about_works, bare_texts
from perturb.lexicon.hashing import hash_strings
from perturb.lexicon.phrases import (
    Found,
    Phrases,
    after,
    among,
    before,
    is_capital,
    words_among,
)
from perturb.lexicon.store import (
    forms_of,
    is_function,
    load,
    may_be,
    spellings,
    surfaces_of,
    surfaces_of_hashes,
)
from perturb.lexicon.stray import in_code, in_rows
from perturb.lexicon.tags import NN, NNS, NOUN, TAG, VB, VBD, VBN, VBZ, VERB
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.clauses import imperatives, in_question, is_tagged, tags_of
from perturb.perturbators.shared.names import has_capital, is_name
from perturb.perturbators.shared.written import Written, deleted, in_order, led, rephrased
from perturb.values.arrays import Bool, Int32, Int64

Mode = Literal["both", "add", "remove"]

_BE = frozenset("is are was were am".split())
_MODALS = frozenset("will would could should must may might can".split())
_HAVE = frozenset("has have had".split())
_AUXILIARIES = _BE | _MODALS | _HAVE
_PASSIVE, _JOINS = frozenset(["be", "been", "being"]), frozenset(["and", "or"])
_NEGATED = frozenset("not never no nor n't hardly ever nothing nobody none neither".split())
_CANT = frozenset(["cant"])  # rather can't than the verb
_NOUNS = frozenset(["cant", "wont"])  # rather can't and won't after a subject
_SINGULAR = frozenset("he she it who which that and but or then this everyone someone".split())
_PLURAL = frozenset("i you we they".split())
_ANY_SUBJECT = _SINGULAR | _PLURAL
_ASKING = frozenset("what when where why how".split())
_OPENS_QUESTION = frozenset(["which", "who"])
# The words that may follow the auxiliary of a perfect, apart from a participle.
_PERFECT = frozenset("been already just also only always recently since long ever so".split())
# After these words "have" is not a finite verb.
_LEADS_TO_BASE = frozenset(
    "to will would can could should must may might shall do does did not n't never i'd".split()
)
# The replacements of words with a negation.
_POSITIVE = {
    "cannot": "can", "can't": "can", "can not": "can", "won't": "will", "nothing": "something",
    "nobody": "somebody", "no one": "someone", "nowhere": "somewhere", "without": "with",
    "isn't": "is", "aren't": "are", "wasn't": "was", "weren't": "were", "couldn't": "could",
    "wouldn't": "would", "shouldn't": "should", "mustn't": "must", "hasn't": "has",
    "haven't": "have", "hadn't": "had",
}  # fmt: skip
# Negated forms of do, and their replacements if no verb follows.
_DO = {
    "do not": "do", "don't": "do", "does not": "does", "doesn't": "does", "did not": "did",
    "didn't": "did",
}  # fmt: skip
# Forms of do before a verb, the last for a command.
_LEADS = "does not ", "did not ", "do not ", "Do not "
# The column of the verb form with the same meaning.
_FORM_OF = {"do": 0, "does": 1, "did": 2}
# A word that is a verb more than this many times as often as a noun is rarely a noun. Chosen by
# hand on 22 November 2026: at 4 "the dog plays" stays as it is, at 1 nouns such as "bones" come
# closer to being negated.
_MORE = 2
# Nobody writes the opposite of these: note that it works, see section 3.
_REFERS = frozenset("note see recall".split())
_DOES = frozenset("do does did".split())
_ARTICLES, _PREPOSITIONS = frozenset("a an the".split()), frozenset("in on at of to for".split())
# After "has" these are the subject of a question without its mark: how many have there been.
_FOLLOWS_HAVE = frozenset("there i you he she we they".split())
# Within this many words of the start of a question, its verb belongs to the question word (which of
# these three animals is ...); further on, rather to a clause. Chosen by hand on 22 November 2026.
_REACH = 8


@english_perturbator(
    "negation",
    touches={"words", "space", "meaning"},
    expect="other",
    version=6,
    source="M. T. Ribeiro et al., Beyond Accuracy: Behavioral Testing of NLP Models with "
    "CheckList, ACL 2020; M. Gardner et al., Evaluating Models' Local Decision Boundaries, 2020",
    example="Tom is happy and can swim. He likes fish, but Ann does not eat it. She never ran.",
)
def negation(batch: Batch, *, mode: Mode = "both") -> Sites:
    """Say the opposite: put not into a clause, or remove it.

    Negate clauses, or remove their negation; `p` is a share of the places where that works.

    "Not" is added after is, has, can and the like, and with does, do or did for other verbs (she
    eats, she does not eat); an imperative gets "do not". In a clause that asks, this happens only
    if the subject comes before the verb (which of these is a fish). Verbs in a doubtful form stay,
    and so do other kinds of negation, such as neither, few or unhappy.

    Args:
        batch: the texts.
        mode: "add" negates, "remove" removes negations, "both" does either.
    """
    added = [_behind_auxiliaries(batch), *_for_verbs(batch)] if mode != "remove" else []
    removed = _removed(batch) if mode != "add" else []
    places = in_order([*added, *removed])
    if len(places.starts):
        # A search for a song or a film may go on with its title: who sang we are the champions.
        text, bare = batch.text_of(places.starts), bare_texts(batch)
        later = (bare & about_works(batch))[text] & (np.diff(text, prepend=-1) == 0)
        places = places.keep(~later & ~(bare & _asks_with_do(batch))[text])
        rows = batch.words.starts.searchsorted(places.starts, "right") - 1
        places = places.keep(~(in_code(batch) | in_rows(batch))[rows])
    return places.sites()


def _behind_auxiliaries(batch: Batch) -> Written:
    """Return the places after is, can, has eaten and the like."""
    rows = words_among(batch, _AUXILIARIES)
    left, right = before(batch, rows), after(batch, rows)
    fits = (right >= 0) & ~among(batch, right, _NEGATED)
    fits &= (left >= 0) & ~among(batch, left, _NEGATED)
    have = among(batch, rows, _HAVE) & ~among(batch, left, _LEADS_TO_BASE)
    perfect = have & (_is_participle(batch, right) | among(batch, right, _PERFECT))
    modal = among(batch, rows, _MODALS) & may_be(batch, right, VERB, VB)
    # May and will are names and nouns too.
    fits &= (among(batch, rows, _BE) | modal | perfect) & ~has_capital(batch, rows)
    (places,) = fits.nonzero()
    rows, right = rows.take(places), right.take(places)
    # A search has no question mark: where is the stadium.
    asks = in_question(batch, rows) | among(batch, before(batch, rows), _ASKING)
    # Nor has this: what color is the ball.
    text, opening = batch.text_of(batch.words.starts[rows]), _opening(batch)
    what = among(batch, opening, "what how")[text] & among(batch, right, _ARTICLES)
    inverted = among(batch, opening, _PREPOSITIONS) & among(batch, opening + 1, _OPENS_QUESTION)
    asks |= (what | inverted[text]) & bare_texts(batch)[text]
    # No ulcer was found.
    negated = among(batch, _first_words(batch, rows), _NEGATED)
    rows = rows[(~asks | _in_order(batch, rows, right)) & ~negated]
    ends = batch.words.ends[rows]
    can = among(batch, rows, "can")
    return Written(ends, ends, column([" not", "not"]).take(can.astype(np.intp)))


def _opening(batch: Batch) -> Int64:
    """Return the first word of each text, or any other for a text without words."""
    return np.minimum(batch.words.starts.searchsorted(batch.texts.starts), len(batch.words) - 1)


def _asks_with_do(batch: Batch) -> Bool:
    """Mark the texts with "do" in second place, whose other verbs are of titles: when did x air."""
    opening = _opening(batch)
    return among(batch, opening, _ASKING) & among(batch, after(batch, opening), _DOES)


def _first_words(batch: Batch, rows: Int64) -> Int64:
    """Return the first word of the sentence of each of the words at `rows`."""
    words, sentences = batch.words.starts, batch.sentences.starts
    place = sentences.searchsorted(words[rows], "right") - 1
    first = words.searchsorted(sentences[np.maximum(place, 0)])
    return np.minimum(first, len(words) - 1)


def _is_participle(batch: Batch, rows: Int64) -> Bool:
    had = among(batch, rows, "had")
    return had | (may_be(batch, rows, VERB, VBN) & ~is_function(batch, rows))


def _shares_auxiliary(batch: Batch, left: Int64) -> Bool:
    """Mark the words after "and" that share an auxiliary: was born and raised."""
    shares = among(batch, left, _JOINS)
    other = before(batch, left[shares])
    first = among(batch, before(batch, other), _BE | _HAVE | _PASSIVE)
    participle = _is_participle(batch, other) | among(batch, other, "born")
    shares[shares] = first & participle
    return shares


def _in_order(batch: Batch, rows: Int64, right: Int64) -> Bool:
    """Mark the verbs of a question whose subject asks: which of these is."""
    opening = _first_words(batch, rows)
    ordered = among(batch, opening, _OPENS_QUESTION) & ~has_capital(batch, right)
    ordered &= ~among(batch, right, _ANY_SUBJECT)
    return ordered & (rows - opening < _REACH)


def _for_verbs(batch: Batch) -> list[Written]:
    """Return the finite verbs that get does, do or did, each with a form of do before it."""
    tags = batch.once(tags_of, VERB, VB | VBZ | VBD)
    finite = is_tagged(tags, "VBZ", "VBD", "VB")
    finite[words_among(batch, _HAVE)] = True
    rows = np.flatnonzero(finite)
    left, right = before(batch, rows), after(batch, rows)
    plain = (left >= 0) & (right >= 0) & ~has_capital(batch, rows) & ~in_question(batch, rows)
    plain &= ~among(batch, left, _NEGATED | _LEADS_TO_BASE) & ~among(batch, rows, _CANT)
    # In a question without its mark the auxiliary precedes the subject: when do they find it.
    plain &= ~among(batch, before(batch, left), _DOES | _MODALS | _BE)
    (places,) = plain.nonzero()
    rows, left, right = rows.take(places), left.take(places), right.take(places)
    has = among(batch, rows, _HAVE) & ~_is_participle(batch, right)
    has &= ~among(batch, right, _NEGATED | _PERFECT | _FOLLOWS_HAVE | frozenset(["to"]))
    kind, surfaces = tags[rows], surfaces_of(batch, rows)
    noun = (surfaces_of(batch, left) < 0) | may_be(batch, left, NOUN, NN | NNS)
    content = ~is_function(batch, left) & (noun | has_capital(batch, left))
    named = content & is_name(batch, left)
    pasts = among(batch, left, _ANY_SUBJECT) | named | (content & ~may_be(batch, rows, VERB, VBN))
    pasts &= (kind == TAG["VBD"]) & ~among(batch, right, "by into")
    pasts &= ~_shares_auxiliary(batch, left)
    # After a noun a word in s is a verb only if it is rarely a noun: rawhide bones.
    weights = load().weights.take(surfaces, axis=0)
    verbal = named | (weights[:, VERB] > _MORE * weights[:, NOUN])
    verbal &= ~among(batch, right, "of")  # splits of the data
    thirds = (kind == TAG["VBZ"]) & (among(batch, left, _SINGULAR) | (content & verbal))
    bases = (kind == TAG["VB"]) & among(batch, left, _PLURAL)
    # How many games has the team won.
    how = among(batch, _opening(batch), "how")[batch.text_of(batch.words.starts[rows])]
    with_subject = has & (among(batch, left, _ANY_SUBJECT) | (content & ~how))
    which = {name: with_subject & among(batch, rows, name) for name in _HAVE}
    holds = (thirds | which["has"], pasts | which["had"], bases | which["have"])
    (places,) = (holds[0] | holds[1] | holds[2]).nonzero()
    lead = np.where(holds[0], 0, np.where(holds[1], 1, 2)).take(places)
    orders = imperatives(batch, tags)
    shouted = is_capital(batch.codes[batch.words.starts[orders] + 1])
    orders = orders[~(among(batch, orders, _REFERS) | shouted)]
    base = np.where(has[places], _have(), forms_of(surfaces[places], VERB, 0))
    forms = forms_of(surfaces_of(batch, orders), VERB, 0)
    do = np.full(len(orders), len(holds))
    return [_with_do(batch, rows[places], lead, base), _with_do(batch, orders, do, forms)]


@cache
def _have() -> Int32:
    """Return the surface of "have"."""
    return surfaces_of_hashes(hash_strings(["have"]))


def _with_do(batch: Batch, rows: Int64, lead: Int64, base: Int32) -> Written:
    """Return the base form of verbs after a form of do."""
    (fits,) = (base >= 0).nonzero()
    verbs, leads = batch.words.take(rows[fits]), column(_LEADS).take(lead[fits])
    return Written(verbs.starts, verbs.ends, led(leads, base[fits]))


@cache
def _negative() -> tuple[Phrases, Int64]:
    """Return the negations, and for those with do the column of the verb form; -1 for others."""
    pairs = _POSITIVE | {f"{verb} not": verb for verb in sorted(_AUXILIARIES - {"can"})} | _DO
    pairs |= {key.replace("'", ""): word for key, word in pairs.items()}  # i dont know
    table = Phrases(pairs.items())
    return table, np.array([_FORM_OF.get(pairs[key], -1) for key in table.keys])


def _removed(batch: Batch) -> list[Written]:
    """Return the negations that can be removed."""
    table, forms = _negative()
    matches = table.find(batch)
    previous = before(batch, matches.first)
    nouns = among(batch, matches.first, _NOUNS) & ~among(batch, previous, _ANY_SUBJECT)
    matches = matches.keep(~among(batch, previous, "or") & ~nouns)  # may or may not
    with_do = forms[matches.rows] >= 0
    never = words_among(batch, "never")
    inside = (after(batch, never) >= 0) & (before(batch, never) >= 0) & ~has_capital(batch, never)
    return [
        rephrased(batch, table, matches.keep(~with_do)),
        *_without_do(batch, matches.keep(with_do)),
        deleted(batch, never[inside]),
    ]


def _without_do(batch: Batch, matches: Found) -> list[Written]:
    """Return "does not eat" and the like, for "eats"; "does" if no verb follows."""
    words, (table, columns) = batch.words, _negative()
    form = columns[matches.rows]
    right = after(batch, matches.last)
    verb = may_be(batch, right, VERB, VB) & ~is_function(batch, right)
    capital = has_capital(batch, matches.first)
    forms = np.where(verb & ~capital, forms_of(surfaces_of(batch, right), VERB, form), -1)
    whole, order = forms >= 0, verb & capital & (form == 0)
    starts = words.starts[right[order]]
    letters = column(chr(code).upper() for code in batch.codes[starts].tolist())
    return [
        Written(matches.starts[whole], words.ends[right[whole]], spellings(forms[whole])),
        Written(matches.starts[order], starts + 1, letters),
        rephrased(batch, table, matches.keep(~whole & ~order)),
    ]
