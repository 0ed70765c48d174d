"""Grammatical features of varieties of English, as linguists have described them.

Only grammar changes, not accent or slang. The features of each variety, how common they are, and
their numbers are those of the electronic World Atlas of Varieties of English (eWAVE).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import column
from perturb.lexicon.phrases import Found, Phrases, after, among, before, words_among
from perturb.lexicon.store import forms_of, is_function, may_be, surfaces_of, words_able
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import ADJECTIVE, JJR, TAG, VB, VBN, VBZ, VERB
from perturb.lexicon.tokens import read_batch
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.clauses import in_question, negated_before
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.written import (
    Written,
    deleted,
    in_order,
    inflected,
    inserted,
    joined,
    led,
    rephrased,
)
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, UInt8

Variety = Literal[
    "african_american", "appalachian", "indian", "irish", "newfoundland", "nigerian", "scottish",
    "singapore",
]  # fmt: skip

Feature = Callable[[Batch], Written]

_THIRD = frozenset("he she it".split())
_BESIDE_I = frozenset("he she they you".split())
_SUBJECTS = frozenset("he she they we you who".split())
_PLURAL = frozenset("they we you these those".split())
_DETERMINERS = frozenset("a an the my your his her our their".split())
_NUMBERS = frozenset("two three four five six seven eight nine ten twelve twenty fifty".split())
_STATES = frozenset(
    "know knows want wants like likes love loves need needs believe believes understand "
    "understands own owns cost costs".split()
)
# Next to these words, the part of speech of others matters.
_CUES = frozenset("those came gave ran saw is are were really".split())
_I = frozenset(["i"])
_CONCORD = {
    "any": "no", "anything": "nothing", "anybody": "nobody", "anyone": "no one",
    "anywhere": "nowhere",
}  # fmt: skip
_UNITS = "mile pound year month inch gallon ton acre".split()
_FLAT = "quick slow loud soft quiet bad careful nice proper".split()
# Columns of verbs' forms.
_BASE, _PAST, _GERUND = 0, 2, 4


@english_perturbator(
    "dialect",
    version=2,
    touches={"words", "letters", "punctuation", "space", "meaning"},
    expect="same",
    source="B. Kortmann, K. Lunkenheimer, K. Ehret (eds.), The Electronic World Atlas of Varieties "
    "of English, 2020, ewave-atlas.org (wordlists/english/dialects.tsv)",
    example="She doesn't have any money, and those boys are running. He is really tall.",
)
def dialect(batch: Batch, *, variety: Variety = "african_american") -> Sites:
    """Write grammatical features of a variety of English, such as Irish or Indian.

    Write grammatical features of a variety of English; `p` is a share of their places.

    The features are those that eWAVE calls pervasive, or neither pervasive nor rare, in the
    variety, and that rules can write: 24 of its 235, from negative concord (doesn't have no) to the
    progressive of verbs such as know (she is knowing). No speaker uses all of them everywhere, and
    much of each variety is missing: its sounds, words, aspect markers, and use. Such text tests
    whether a system depends on standard grammar; it is not a sample of anyone's speech.

    Args:
        batch: the texts.
        variety: "african_american" (urban), "appalachian", "indian", "irish", "newfoundland",
            "nigerian", "scottish" or "singapore".
    """
    return _written(batch, _numbers(variety)).sites()


@cache
def _numbers(variety: Variety) -> tuple[int, ...]:
    rows = read_rows("english", "dialects.tsv")
    return tuple(int(number) for own, number, *_ in rows if own == variety)


def _written(batch: Batch, numbers: tuple[int, ...]) -> Written:
    """Return the replacements by the features of some numbers."""
    features = [_FEATURES[number] for number in numbers]
    places = [feature(batch) for feature in features if not isinstance(feature, _Swap)]
    if len(places) < len(features):
        # If two features fit one word, as with saw, the first stays.
        places.append(_swapped(batch, numbers))
    return in_order(places)


class _Swap(NamedTuple):
    """A feature that replaces one word or phrase by another, where that fits."""

    pairs: Mapping[str, str]
    fits: Callable[[Batch, Found], Bool] | None = None


@cache
def _swaps(numbers: tuple[int, ...]) -> tuple[Phrases, Int64, list[_Swap]]:
    """Return the phrases of all such features, the feature of each phrase, and the features."""
    features = (_FEATURES[number] for number in numbers)
    swaps = [feature for feature in features if isinstance(feature, _Swap)]
    owners = {key: row for row, swap in enumerate(swaps) for key in swap.pairs}
    table = Phrases(pair for swap in swaps for pair in swap.pairs.items())
    return table, np.array([owners[key] for key in table.keys], np.intp), swaps


def _swapped(batch: Batch, numbers: tuple[int, ...]) -> Written:
    """Return the words and phrases that others replace."""
    table, owners, swaps = _swaps(numbers)
    matches = table.find(batch)
    owner, fitting = owners[matches.rows], np.ones(len(matches.rows), np.bool_)
    for row, swap in enumerate(swaps):
        if swap.fits:
            own = owner == row
            fitting[own] = swap.fits(batch, matches.keep(own))
    return rephrased(batch, table, matches.keep(fitting))


def _tags(batch: Batch) -> UInt8:
    """Return the tags of the few words that features ask for."""
    wanted = words_able(batch, VERB, VBZ | VBN) | words_able(batch, ADJECTIVE, JJR)
    beside, last = words_among(batch, _CUES), len(wanted) - 1
    for rows in (words_among(batch, _STATES), beside - 1, np.minimum(beside + 1, last)):
        wanted[rows] = True
    return tag(batch.once(read_batch), wanted)


def _tagged(batch: Batch, rows: Int64, tag: str) -> Bool:
    """Mark the words at `rows` that have a tag; a row of -1 has none."""
    marks: Bool = (rows >= 0) & (batch.once(_tags)[rows] == TAG[tag])
    return marks


def _joins_subject(batch: Batch, matches: Found) -> Bool:
    """7: Tom and me went."""
    joint, words = before(batch, matches.first), batch.words
    other = before(batch, joint)
    # In "he left, and I stayed" no other subject is beside "and".
    beside = has_capital(batch, other) | among(batch, other, _BESIDE_I)
    beside |= among(batch, before(batch, other), "my")
    beside &= words.starts[joint] == words.ends[other] + 1
    return beside & among(batch, joint, "and") & (after(batch, matches.last) >= 0)


def _is_counted(batch: Batch, matches: Found) -> Bool:
    """56: five mile."""
    left = before(batch, matches.first)
    heads = batch.codes[batch.words.starts[left]]
    digit = (left >= 0) & (heads >= ord("2")) & (heads <= ord("9"))
    return digit | among(batch, left, _NUMBERS)


def _no_article(batch: Batch) -> Written:
    """62: in morning."""
    rows = words_among(batch, "the")
    left, right = before(batch, rows), after(batch, rows)
    return deleted(batch, rows[(left >= 0) & (right >= 0) & ~is_function(batch, right)])


def _points(batch: Batch, matches: Found) -> Bool:
    """68: them boys."""
    plural = _tagged(batch, after(batch, matches.last), "NNS")
    return plural & ~has_capital(batch, matches.first)


def _double_comparatives(batch: Batch) -> Written:
    """78: more bigger."""
    rows = np.flatnonzero(batch.once(_tags) == TAG["JJR"])
    left = before(batch, rows)
    fits = (left >= 0) & ~among(batch, left, "more much far no")
    fits &= ~among(batch, rows, "more less fewer")
    return inserted(batch.words.starts[rows[fits]], "more ")


def _progressive(batch: Batch) -> Written:
    """88: she is knowing."""
    rows = words_among(batch, _STATES)
    rows = rows[~in_question(batch, rows)]
    left = before(batch, rows)
    third, base = _tagged(batch, rows, "VBZ"), _tagged(batch, rows, "VB")
    leads = {
        "is ": third & (among(batch, left, _THIRD) | has_capital(batch, left)),
        "are ": base & among(batch, left, "they we you"),
        "am ": base & among(batch, left, "i"),
    }
    forms = [inflected(batch, rows[fits], VERB, _GERUND, lead) for lead, fits in leads.items()]
    return joined(forms)


def _with_verb(
    leads: Mapping[str, str], form: int, fits: Callable[[Batch, Found, Int64], Bool]
) -> Feature:
    """Return a feature that replaces a phrase and the verb after it by a lead and a verb form."""

    @cache
    def table() -> Phrases:
        return Phrases((phrase, phrase) for phrase in leads)

    def written(batch: Batch) -> Written:
        matches = table().find(batch)
        right = after(batch, matches.last)
        forms = forms_of(surfaces_of(batch, right), VERB, form)
        good = fits(batch, matches, right) & (forms >= 0)
        texts = led(column(leads.values()).take(matches.rows[good]), forms[good])
        return Written(matches.starts[good], batch.words.ends[right[good]], texts)

    return written


def _is_perfect(batch: Batch, matches: Found, right: Int64) -> Bool:
    """98: she is after eating."""
    return may_be(batch, right, VERB, VBN) & ~among(batch, before(batch, matches.first), _I)


def _double_modals(batch: Batch) -> Written:
    """121: might could."""
    rows = words_among(batch, "might")
    fits = may_be(batch, after(batch, rows), VERB, VB) & (before(batch, rows) >= 0)
    return inserted(batch.words.ends[rows[fits]], " could")


def _past_unmarked(batch: Batch) -> Written:
    """129: yesterday he come."""
    rows = words_among(batch, "came gave ran saw")
    left = before(batch, rows)
    subject = among(batch, left, _SUBJECTS | _THIRD) | _tagged(batch, left, "NN")
    return inflected(batch, rows[subject], VERB, _BASE)


def _past_for_participle(batch: Batch) -> Written:
    """130: he has went."""
    rows = np.flatnonzero(batch.once(_tags) == TAG["VBN"])
    rows = rows[among(batch, before(batch, rows), "has have had")]
    return inflected(batch, rows, VERB, _PAST)


def _has_subject(batch: Batch, matches: Found) -> Bool:
    """131: I seen it."""
    return among(batch, before(batch, matches.first), _SUBJECTS | _I)


def _is_denied(batch: Batch, matches: Found, right: Int64) -> Bool:
    """159: he never came."""
    states = (before(batch, matches.first) >= 0) & ~in_question(batch, matches.first)
    return states & ~is_function(batch, right)


def _no_third_person(batch: Batch) -> Written:
    """170: he walk."""
    rows = np.flatnonzero(batch.once(_tags) == TAG["VBZ"])
    left = before(batch, rows)
    subject = among(batch, left, _THIRD | frozenset(["who"])) | ~is_function(batch, left)
    return inflected(batch, rows[(left >= 0) & subject], VERB, _BASE)


def _without_be(follows: Callable[[Batch, Int64], Bool]) -> Feature:
    """Return a feature that drops is and are between a subject and certain words."""

    def written(batch: Batch) -> Written:
        rows = batch.once(_copulas)
        return deleted(batch, rows[follows(batch, rows + 1)])

    return written


def _copulas(batch: Batch) -> Int64:
    """Return the words is and are between a subject and a word that may follow."""
    rows = words_among(batch, "is are")
    left = before(batch, rows)
    fits = among(batch, left, _SUBJECTS) | ((left >= 0) & ~is_function(batch, left))
    fits &= (after(batch, rows) >= 0) & ~has_capital(batch, rows) & ~in_question(batch, rows)
    return rows[fits]


def _opens_predicate(batch: Batch, rows: Int64) -> Bool:
    """177: he tall."""
    degree = among(batch, rows, "very really so too")
    return degree | _tagged(batch, rows, "JJ")


def _has_plural_subject(batch: Batch, matches: Found) -> Bool:
    """180: they was."""
    left = before(batch, matches.first)
    subject = among(batch, left, _PLURAL) | _tagged(batch, left, "NNS")
    return subject & ~has_capital(batch, matches.first)


def _ends_phrase(batch: Batch, matches: Found) -> Bool:
    """221: come quick. After a verb, and at the end of a phrase."""
    return (after(batch, matches.last) < 0) & (before(batch, matches.first) >= 0)


# The features by their numbers in eWAVE.
_FEATURES: dict[int, Feature | _Swap] = {
    7: _Swap({"i": "me"}, _joins_subject),
    56: _Swap({f"{unit}s": unit for unit in _UNITS}, _is_counted),
    62: _no_article,
    68: _Swap({"those": "them"}, _points),
    78: _double_comparatives,
    88: _progressive,
    98: _with_verb({"has just": "is after ", "have just": "are after "}, _GERUND, _is_perfect),
    121: _double_modals,
    129: _past_unmarked,
    130: _past_for_participle,
    131: _Swap({"saw": "seen"}, _has_subject),
    # She doesn't have no money.
    154: _Swap(_CONCORD, lambda batch, matches: negated_before(batch, matches.first)),
    155: _Swap(dict.fromkeys(("isn't", "aren't", "is not", "are not"), "ain't")),
    156: _Swap(dict.fromkeys(("hasn't", "haven't"), "ain't")),
    158: _Swap(dict.fromkeys(("doesn't", "does not"), "don't")),
    159: _with_verb({"didn't": "never ", "did not": "never "}, _PAST, _is_denied),
    170: _no_third_person,
    172: _Swap({"there are": "there's", "there were": "there was"}),
    # They running; he a doctor.
    174: _without_be(lambda batch, right: _tagged(batch, right, "VBG")),
    176: _without_be(lambda batch, right: among(batch, right, _DETERMINERS)),
    177: _without_be(_opens_predicate),
    180: _Swap({"were": "was"}, _has_plural_subject),
    # Real good.
    220: _Swap(
        {"really": "real"}, lambda batch, matches: _tagged(batch, after(batch, matches.last), "JJ")
    ),
    221: _Swap({"easily": "easy"} | {f"{word}ly": word for word in _FLAT}, _ends_phrase),
}
