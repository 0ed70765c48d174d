"""Features of grammar of varieties of English, as linguists have described them.

Only grammar is written, no accent and no slang: which features a variety has, and how common they
are, is that of the electronic World Atlas of Varieties of English (eWAVE), by its numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column, concatenate, repeated
from perturb.lexicon.features import VB, VBN, VERB
from perturb.lexicon.forms import forms_of, spelled
from perturb.lexicon.lookup import lookup
from perturb.lexicon.phrases import Found, Phrases, after, among, before, words_among
from perturb.lexicon.store import load
from perturb.lexicon.tags import TAG
from perturb.perturbators.shared.clauses import in_question, negated_before
from perturb.perturbators.shared.english import Language, in_english
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.neighbours import is_function, surfaces_of, tags_of
from perturb.perturbators.shared.written import Written, in_order
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, UInt8

Variety = Literal[
    "african_american", "appalachian", "indian", "irish", "newfoundland", "nigerian", "scottish",
    "singapore",
]  # fmt: skip

_THIRD = frozenset("he she it".split())
_SUBJECTS = frozenset("he she they we you who".split())
_PLURAL = frozenset("they we you these those".split())
_DETERMINERS = frozenset("a an the my your his her our their".split())
_PAST_BASE, _GERUND, _PAST = 0, 4, 2


@perturbator(
    "dialect",
    unit="place",
    summary="Write features of the grammar of a variety of English, such as Irish or Indian.",
    label_risk="medium",
    languages=("en",),
    touches={"words", "letters", "punctuation", "space", "meaning"},
    expect="same",
    source="B. Kortmann, K. Lunkenheimer, K. Ehret (eds.), The Electronic World Atlas of Varieties "
    "of English, 2020, ewave-atlas.org (wordlists/english/dialects.tsv)",
    intensities=PLACES,
    example="She doesn't have any money, and those boys are running. He is really tall.",
)
def dialect(
    batch: Batch, *, variety: Variety = "african_american", language: Language = "auto"
) -> Sites:
    """Write features of grammar of a variety of English; `p` is a share of their places.

    The features are those that eWAVE calls pervasive, or neither pervasive nor rare, in the
    variety, and that rules can write: 24 of its 235, from negative concord (doesn't have no) to the
    progressive of verbs such as know (she is knowing). No speaker uses all of them everywhere, and
    much of each variety is not here: its sounds, words, aspect markers, and use. Text made so tests
    whether a system depends on standard grammar; it is no sample of what anybody says.

    Args:
        batch: the texts.
        variety: "african_american" (urban), "appalachian", "indian", "irish", "newfoundland",
            "nigerian", "scottish" or "singapore".
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    tags = tags_of(batch)
    found = [_FEATURES[number](batch, tags) for number in _numbers(variety)]
    return in_english(batch, in_order(found).sites("place"), language)


@cache
def _numbers(variety: Variety) -> tuple[int, ...]:
    rows = read_rows("english", "dialects.tsv")
    return tuple(int(number) for own, number, *_ in rows if own == variety)


def _swapped(batch: Batch, found: Found, table: Phrases, fits: Bool | None = None) -> Written:
    """Return what a table writes for the phrases that fit."""
    found = found if fits is None else found.keep(fits)
    spans = Strings(batch.codes, found.starts, found.ends)
    texts = table.write(found.rows, spans, np.zeros(len(spans), np.uint32))
    return Written(found.starts, found.ends, texts)


@cache
def _pairs(pairs: tuple[tuple[str, str], ...]) -> Phrases:
    return Phrases(pairs)


def _all(*pairs: tuple[str, str]) -> Callable[[Batch, UInt8], Written]:
    """Return a feature that writes one word or phrase for another, wherever it stands."""

    def written(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
        table = _pairs(pairs)
        return _swapped(batch, table.find(batch), table)

    return written


def _deleted(batch: Batch, rows: Int64) -> Written:
    """Return the words at `rows`, with the space behind them, to be left out."""
    words = batch.words
    return Written(words.starts[rows], words.ends[rows] + 1, column([""]).take(rows * 0))


def _inflected(batch: Batch, rows: Int64, form: int, lead: str = "") -> Written:
    """Return the verbs at `rows` in another form, behind what leads to it."""
    words = batch.words
    rows = rows[~has_capital(batch, rows)]
    surfaces = lookup(words.codes, words.starts[rows], words.ends[rows])
    made = forms_of(surfaces, VERB, form)
    fits = (made >= 0) & ((made != surfaces) | (lead != ""))
    texts = spelled(made[fits])
    return Written(
        words.starts[rows[fits]],
        words.ends[rows[fits]],
        concatenate(repeated(lead, len(texts)), texts),
    )


def _words_among(batch: Batch, wanted: str) -> Int64:
    """Return the words of the texts that are one of those wanted."""
    return words_among(batch, frozenset(wanted.split()))


def _me_as_subject(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """7: Tom and me went."""
    rows = _words_among(batch, "i")
    rows = rows[among(batch, before(batch, rows), frozenset(["and"])) & (after(batch, rows) >= 0)]
    return Written(batch.words.starts[rows], batch.words.ends[rows], column(["me"]).take(rows * 0))


def _measures(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """56: five mile."""
    table = _pairs(
        tuple((f"{one}s", one) for one in "mile pound year month inch gallon ton acre".split())
    )
    found = table.find(batch)
    left = before(batch, found.first)
    heads = batch.codes[batch.words.starts[left]]
    number = among(batch, left, _SMALL_NUMBERS) | ((heads >= ord("2")) & (heads <= ord("9")))
    return _swapped(batch, found, table, (left >= 0) & number)


def _no_article(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """62: in morning."""
    rows = _words_among(batch, "the")
    left, right = before(batch, rows), after(batch, rows)
    return _deleted(batch, rows[(left >= 0) & (right >= 0) & ~is_function(batch, right)])


def _them(batch: Batch, tags: UInt8) -> Written:
    """68: them boys."""
    rows = _words_among(batch, "those")
    right = after(batch, rows)
    noun = (right >= 0) & (tags[right] == TAG["NNS"]) & ~has_capital(batch, rows)
    rows = rows[noun]
    return Written(
        batch.words.starts[rows], batch.words.ends[rows], column(["them"]).take(rows * 0)
    )


def _double_comparatives(batch: Batch, tags: UInt8) -> Written:
    """78: more bigger."""
    rows = np.flatnonzero(tags == TAG["JJR"])
    left = before(batch, rows)
    fits = (left >= 0) & ~among(batch, left, frozenset("more much far no".split()))
    fits &= ~among(batch, rows, frozenset("more less fewer".split()))
    starts = batch.words.starts[rows[fits]]
    return Written(starts, starts, column(["more "]).take(starts * 0))


def _progressive(batch: Batch, tags: UInt8) -> Written:
    """88: she is knowing."""
    rows = np.flatnonzero((tags == TAG["VBZ"]) | (tags == TAG["VB"]))
    wanted = "know knows want wants like likes love loves need needs believe believes understand"
    rows = rows[among(batch, rows, frozenset(f"{wanted} understands own owns cost costs".split()))]
    left = before(batch, rows)
    one = (tags[rows] == TAG["VBZ"]) & (among(batch, left, _THIRD) | has_capital(batch, left))
    many = (tags[rows] == TAG["VB"]) & among(batch, left, frozenset("they we you".split()))
    me = (tags[rows] == TAG["VB"]) & among(batch, left, frozenset(["i"]))
    asks = in_question(batch, batch.words.starts[rows])
    return in_order(
        [
            _inflected(batch, rows[kind & ~asks], _GERUND, lead)
            for kind, lead in ((one, "is "), (many, "are "), (me, "am "))
        ]
    )


def _after_perfect(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """98: she is after eating."""
    made = []
    for phrase, lead in (("has just", "is after "), ("have just", "are after ")):
        found = _pairs(((phrase, lead),)).find(batch)
        right = after(batch, found.last)
        surfaces = surfaces_of(batch, right)
        gerund = forms_of(surfaces, VERB, _GERUND)
        fits = (surfaces >= 0) & (load().masks[surfaces, VERB] & VBN > 0) & (gerund >= 0)
        fits &= ~among(batch, before(batch, found.first), frozenset(["i"]))
        texts = spelled(gerund[fits])
        ends = batch.words.ends[right[fits]]
        made.append(
            Written(found.starts[fits], ends, concatenate(repeated(lead, len(texts)), texts))
        )
    return in_order(made)


def _double_modals(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """121: might could."""
    rows = _words_among(batch, "might")
    rows = rows[_base_follows(batch, rows) & (before(batch, rows) >= 0)]
    ends = batch.words.ends[rows]
    return Written(ends, ends, column([" could"]).take(rows * 0))


def _base_follows(batch: Batch, rows: Int64) -> Bool:
    surfaces = surfaces_of(batch, after(batch, rows))
    follows: Bool = (surfaces >= 0) & (load().masks[surfaces, VERB] & VB > 0)
    return follows


def _past_unmarked(batch: Batch, tags: UInt8) -> Written:
    """129: yesterday he come."""
    rows = _words_among(batch, "came gave ran saw")
    left = before(batch, rows)
    subject = among(batch, left, _SUBJECTS | _THIRD) | (tags[left] == TAG["NN"])
    return _inflected(batch, rows[(left >= 0) & subject], _PAST_BASE)


def _past_for_participle(batch: Batch, tags: UInt8) -> Written:
    """130: he has went."""
    rows = np.flatnonzero(tags == TAG["VBN"])
    rows = rows[among(batch, before(batch, rows), frozenset("has have had".split()))]
    return _inflected(batch, rows, _PAST)


def _participle_for_past(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """131: I seen it."""
    table = _pairs((("saw", "seen"),))
    found = table.find(batch)
    left = before(batch, found.first)
    return _swapped(batch, found, table, among(batch, left, _SUBJECTS | frozenset(["i"])))


def _concord(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """154: she doesn't have no money."""
    table = _pairs(
        (
            ("any", "no"),
            ("anything", "nothing"),
            ("anybody", "nobody"),
            ("anyone", "no one"),
            ("anywhere", "nowhere"),
        )
    )
    found = table.find(batch)
    return _swapped(batch, found, table, negated_before(batch, found.first))


def _never(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """159: he never came."""
    found = _pairs((("didn't", "x"), ("did not", "x"))).find(batch)
    right = after(batch, found.last)
    past = forms_of(surfaces_of(batch, right), VERB, _PAST)
    fits = (past >= 0) & ~is_function(batch, right) & (before(batch, found.first) >= 0)
    fits &= ~in_question(batch, found.starts)
    texts = spelled(past[fits])
    ends = batch.words.ends[right[fits]]
    return Written(found.starts[fits], ends, concatenate(repeated("never ", len(texts)), texts))


def _no_third_person(batch: Batch, tags: UInt8) -> Written:
    """170: he walk."""
    rows = np.flatnonzero(tags == TAG["VBZ"])
    left = before(batch, rows)
    subject = among(batch, left, _THIRD | frozenset(["who"])) | ~is_function(batch, left)
    return _inflected(batch, rows[(left >= 0) & subject], _PAST_BASE)


def _no_auxiliary(batch: Batch, tags: UInt8) -> Written:
    """174: they running."""
    return _without_be(batch, lambda right: tags[right] == TAG["VBG"])


def _no_copula_before_noun(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """176: he a doctor."""
    return _without_be(batch, lambda right: among(batch, right, _DETERMINERS))


def _no_copula_before_adjective(batch: Batch, tags: UInt8) -> Written:
    """177: he tall."""
    degree = frozenset("very really so too".split())
    return _without_be(
        batch, lambda right: (tags[right] == TAG["JJ"]) | among(batch, right, degree)
    )


def _without_be(batch: Batch, follows: Callable[[Int64], Bool]) -> Written:
    """Leave out is and are between a subject and what follows."""
    rows = _words_among(batch, "is are")
    left, right = before(batch, rows), after(batch, rows)
    subject = among(batch, left, _SUBJECTS) | ((left >= 0) & ~is_function(batch, left))
    fits = subject & (right >= 0) & follows(right) & ~in_question(batch, batch.words.starts[rows])
    return _deleted(batch, rows[fits & ~has_capital(batch, rows)])


def _was(batch: Batch, tags: UInt8) -> Written:
    """180: they was."""
    rows = _words_among(batch, "were")
    left = before(batch, rows)
    fits = (left >= 0) & (among(batch, left, _PLURAL) | (tags[left] == TAG["NNS"]))
    rows = rows[fits & ~has_capital(batch, rows)]
    return Written(batch.words.starts[rows], batch.words.ends[rows], column(["was"]).take(rows * 0))


def _real(batch: Batch, tags: UInt8) -> Written:
    """220: real good."""
    table = _pairs((("really", "real"),))
    found = table.find(batch)
    right = after(batch, found.last)
    return _swapped(batch, found, table, (right >= 0) & (tags[right] == TAG["JJ"]))


def _flat_adverbs(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """221: come quick."""
    wanted = "quick slow loud soft quiet bad easy:easily careful nice proper".split()
    pairs = (one.partition(":") for one in wanted)
    table = _pairs(tuple((adverb or f"{word}ly", word) for word, _, adverb in pairs))
    found = table.find(batch)
    # Behind a verb, and at the end of a phrase.
    ends = after(batch, found.last) < 0
    return _swapped(batch, found, table, ends & (before(batch, found.first) >= 0))


_SMALL_NUMBERS = frozenset(
    "two three four five six seven eight nine ten twelve twenty fifty".split()
)
# The features by their numbers in eWAVE.
_FEATURES: dict[int, Callable[[Batch, UInt8], Written]] = {
    7: _me_as_subject,
    56: _measures,
    62: _no_article,
    68: _them,
    78: _double_comparatives,
    88: _progressive,
    98: _after_perfect,
    121: _double_modals,
    129: _past_unmarked,
    130: _past_for_participle,
    131: _participle_for_past,
    154: _concord,
    155: _all(("isn't", "ain't"), ("aren't", "ain't"), ("is not", "ain't"), ("are not", "ain't")),
    156: _all(("hasn't", "ain't"), ("haven't", "ain't")),
    158: _all(("doesn't", "don't"), ("does not", "don't")),
    159: _never,
    170: _no_third_person,
    172: _all(("there are", "there's"), ("there were", "there was")),
    174: _no_auxiliary,
    176: _no_copula_before_noun,
    177: _no_copula_before_adjective,
    180: _was,
    220: _real,
    221: _flat_adverbs,
}
