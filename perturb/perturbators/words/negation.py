"""Negations, added to clauses or taken out of them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column, concatenate, repeated, stack
from perturb.lexicon.features import NOUN, VB, VBN, VERB
from perturb.lexicon.forms import forms_of, spelled
from perturb.lexicon.phrases import Phrases, after, among, before, words_among
from perturb.lexicon.store import load
from perturb.lexicon.tags import TAG
from perturb.perturbators.shared.clauses import imperatives, in_question
from perturb.perturbators.shared.english import Language, in_english
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.neighbours import is_function, surfaces_of, tags_of
from perturb.perturbators.shared.written import Written, in_order
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.values.arrays import Bool, Int64, UInt8, UInt32

Mode = Literal["both", "add", "remove"]

_BE = frozenset("is are was were am".split())
_MODALS = frozenset("will would could should must may might can".split())
_HAVE = frozenset("has have had".split())
_AUXILIARIES = _BE | _MODALS | _HAVE
_NEGATED = frozenset("not never no n't hardly ever nothing nobody none neither".split())
_SINGULAR = frozenset("he she it who which that and but or then this everyone someone".split())
_PLURAL = frozenset("i you we they".split())
_ANY_SUBJECT = _SINGULAR | _PLURAL
_OPENS_QUESTION = frozenset(["which", "who"])
# What may follow the auxiliary of a perfect, besides a participle.
_PERFECT = frozenset("been already just also only always recently since long ever so".split())
# What stands before a "have" that is no finite verb.
_LEADS_TO_BASE = frozenset(
    "to will would can could should must may might shall do does did not n't never i'd".split()
)
# What is written for a word with a negation in it, or for two words.
_POSITIVE = {
    "cannot": "can", "can't": "can", "can not": "can", "won't": "will", "nothing": "something",
    "nobody": "somebody", "no one": "someone", "nowhere": "somewhere", "without": "with",
    "isn't": "is", "aren't": "are", "wasn't": "was", "weren't": "were", "couldn't": "could",
    "wouldn't": "would", "shouldn't": "should", "mustn't": "must", "hasn't": "has",
    "haven't": "have", "hadn't": "had",
}  # fmt: skip
_DO = {
    "does not": 1, "doesn't": 1, "do not": 0, "don't": 0, "did not": 2, "didn't": 2,
}  # fmt: skip
_MORE = 2
_EMPHATIC = ("do", "does", "did")


@perturbator(
    "negation",
    unit="place",
    summary="Say the opposite: put not into a clause, or take it out.",
    label_risk="high",
    languages=("en",),
    touches={"words", "space", "meaning"},
    expect="other",
    source="M. T. Ribeiro et al., Beyond Accuracy: Behavioral Testing of NLP Models with "
    "CheckList, ACL 2020; M. Gardner et al., Evaluating Models' Local Decision Boundaries, 2020",
    intensities=PLACES,
    example="Tom is happy and can swim. He likes fish, but Ann does not eat it. She never ran.",
)
def negation(batch: Batch, *, mode: Mode = "both", language: Language = "auto") -> Sites:
    """Negate clauses, or take their negation away; `p` is a share of the places where that works.

    Not is added behind is, has, can and their like, and in place of other verbs with does, do or
    did (she eats, she does not eat); an imperative gets do not. In the clause that asks, only where
    subject and verb stand in their order (which of these is a fish). Verbs of which the form is in
    doubt stay, and so do negations of another kind, such as neither, few or unhappy.

    Args:
        batch: the texts.
        mode: "add" negates, "remove" takes negations away, "both" does either.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    found = _added(batch) if mode != "remove" else []
    found += _removed(batch) if mode != "add" else []
    return in_english(batch, in_order(found).sites("place"), language)


def _added(batch: Batch) -> list[Written]:
    tags = tags_of(batch)
    rows = np.arange(len(batch.words))
    return [_behind_auxiliaries(batch), *_for_verbs(batch, rows, tags)]


def _behind_auxiliaries(batch: Batch) -> Written:
    """Return the places behind is, can, has eaten and their like."""
    words = batch.words
    rows = words_among(batch, _AUXILIARIES)
    left, right = before(batch, rows), after(batch, rows)
    surfaces = surfaces_of(batch, right)
    masks = load().masks[surfaces, VERB]
    participle = (surfaces >= 0) & (masks & VBN > 0) & ~is_function(batch, right)
    participle |= among(batch, right, _PERFECT)
    base = (surfaces >= 0) & (masks & VB > 0)
    be = among(batch, rows, _BE)
    fits = (
        (right >= 0) & (left >= 0) & ~among(batch, right, _NEGATED) & ~among(batch, left, _NEGATED)
    )
    fits &= be | (among(batch, rows, _MODALS) & base) | (among(batch, rows, _HAVE) & participle)
    fits &= ~among(batch, left, _LEADS_TO_BASE) | ~among(batch, rows, _HAVE)
    # May and will are names and nouns too.
    fits &= ~has_capital(batch, rows)
    asks = in_question(batch, words.starts[rows])
    fits &= ~asks | _in_order(batch, rows, right)
    rows = rows[fits]
    ends = words.ends[rows]
    can = among(batch, rows, frozenset(["can"]))
    texts = stack(repeated(" not", 1), repeated("not", 1)).take(can.astype(np.int64))
    return Written(ends, ends, texts)


def _in_order(batch: Batch, rows: Int64, right: Int64) -> Bool:
    """Mark the verbs of a question of which the subject asks: which of these is."""
    sentences = batch.sentences
    starts = batch.words.starts[rows]
    row = np.maximum(np.searchsorted(sentences.starts, starts, "right") - 1, 0)
    opening = np.searchsorted(batch.words.starts, sentences.starts[row])
    first = among(batch, np.minimum(opening, len(batch.words) - 1), _OPENS_QUESTION)
    ordered: Bool = first & ~has_capital(batch, right) & ~among(batch, right, _PLURAL | _SINGULAR)
    return ordered & (rows - opening < 8)


def _for_verbs(batch: Batch, rows: Int64, tags: UInt8) -> list[Written]:
    """Return the finite verbs that get does, do or did."""
    words = batch.words
    kinds = np.isin(tags, [TAG["VBZ"], TAG["VBD"], TAG["VB"]])
    has = among(batch, rows, _HAVE)
    rows = np.flatnonzero(kinds | has)
    left, right = before(batch, rows), after(batch, rows)
    surfaces = surfaces_of(batch, rows)
    masks = load().masks[surfaces, VERB]
    participle = (load().masks[surfaces_of(batch, right), VERB] & VBN > 0) & (right >= 0)
    participle &= ~is_function(batch, right)
    kind = tags[rows]
    has = has[rows] & ~participle & ~among(batch, right, _NEGATED | _PERFECT | frozenset(["to"]))
    plain = ~has_capital(batch, rows) & (left >= 0) & ~among(batch, left, _NEGATED | _LEADS_TO_BASE)
    plain &= ~in_question(batch, words.starts[rows]) & (right >= 0)
    function = is_function(batch, left)
    content = ~function & (left >= 0)
    named = has_capital(batch, left)
    pasts = (kind == TAG["VBD"]) & (
        among(batch, left, _ANY_SUBJECT) | named | (content & (masks & VBN == 0))
    )
    pasts &= ~among(batch, right, frozenset(["by", "into"]))
    # Behind a noun a word in s is a verb only if it is rarely a noun: rawhide bones.
    weights = load().weights[surfaces]
    verbal = named | (weights[:, VERB] > _MORE * weights[:, NOUN])
    thirds = (kind == TAG["VBZ"]) & (among(batch, left, _SINGULAR) | (content & verbal))
    bases = (kind == TAG["VB"]) & among(batch, left, _PLURAL)
    which = {name: has & among(batch, rows, frozenset([name])) for name in _HAVE}
    opens = np.isin(rows, imperatives(batch))
    subject = among(batch, left, _ANY_SUBJECT) | content
    found = []
    for lead, fits in (
        ("does not ", (plain & thirds) | (plain & which["has"] & subject)),
        ("did not ", (plain & pasts) | (plain & which["had"] & subject)),
        ("do not ", (plain & bases) | (plain & which["have"] & subject)),
        ("Do not ", opens),
    ):
        base = forms_of(surfaces, VERB, 0)
        chosen = fits & ((base >= 0) | has)
        at = rows[chosen]
        own = stack(spelled(np.maximum(base[chosen], 0)), repeated("have", 1))
        verb = own.take(np.where(has[chosen], len(at), np.arange(len(at))))
        found.append(
            Written(words.starts[at], words.ends[at], concatenate(repeated(lead, len(at)), verb))
        )
    return found


@cache
def _negative() -> tuple[Phrases, Phrases]:
    """Return the negations that one text replaces, and those with a form of do."""
    pairs = [
        *_POSITIVE.items(),
        *((f"{verb} not", verb) for verb in sorted(_AUXILIARIES - {"can"})),
    ]
    return Phrases(pairs), Phrases((key, _EMPHATIC[column]) for key, column in _DO.items())


def _removed(batch: Batch) -> list[Written]:
    """Return the negations that can be taken away."""
    plain, with_do = _negative()
    found = plain.find(batch)
    spans = Strings(batch.codes, found.starts, found.ends)
    places = [
        Written(found.starts, found.ends, plain.write(found.rows, spans, _no_draw(len(spans))))
    ]
    return [*places, *_without_do(batch, with_do), _without_never(batch)]


def _no_draw(count: int) -> UInt32:
    return np.zeros(count, np.uint32)


def _without_do(batch: Batch, table: Phrases) -> list[Written]:
    """Return "does not eat" and its like, for "eats"; "does" where no verb follows."""
    words = batch.words
    found = table.find(batch)
    form = np.array([_DO[key] for key in table.keys])[found.rows]
    right = after(batch, found.last)
    surfaces = surfaces_of(batch, right)
    verb = (surfaces >= 0) & (load().masks[surfaces, VERB] & VB > 0) & ~is_function(batch, right)
    capital = has_capital(batch, found.first)
    made = np.where(verb & ~capital, forms_of(surfaces, VERB, form), -1)
    whole, order = made >= 0, verb & capital & (form == 0)
    starts = words.starts[right[order]]
    letters = column(chr(code).upper() for code in batch.codes[starts].tolist())
    rest = np.flatnonzero(~whole & ~order)
    spans = Strings(batch.codes, found.starts, found.ends)
    emphatic = table.write(found.rows, spans, _no_draw(len(spans)))
    return [
        Written(
            found.starts[whole], words.ends[right[whole]], spelled(made[whole].astype(np.int32))
        ),
        Written(found.starts[order], starts + 1, letters),
        Written(found.starts[rest], found.ends[rest], emphatic.take(rest)),
    ]


def _without_never(batch: Batch) -> Written:
    """Return each "never" with the space behind it."""
    words = batch.words
    rows = words_among(batch, frozenset(["never"]))
    rows = rows[(after(batch, rows) >= 0) & (before(batch, rows) >= 0) & ~has_capital(batch, rows)]
    return Written(words.starts[rows], words.ends[rows] + 1, column([""]).take(rows * 0))
