"""The closed vocabularies of the API, and the names that perturb reserves.

This module is private; `perturb.perturbator` documents what an author may say.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from perturb.errors import UsageError, shown

# How strong a step is, by name: each perturbator has a `p` for each.
Intensity = Literal["very_low", "low", "medium", "high", "very_high", "extreme"]
# How strong a step is, as an error rate that means the same for all perturbators.
Severity = Literal[1, 2, 3, 4, 5]
INTENSITIES: tuple[str, ...] = get_args(Intensity)
Unit = Literal["character", "word", "sentence", "line", "text", "place"]
UNITS: tuple[str, ...] = get_args(Unit)
LabelRisk = Literal["none", "low", "medium", "high"]
LABEL_RISKS: tuple[str, ...] = get_args(LabelRisk)
Touch = Literal[
    "digits", "letters", "words", "case", "punctuation", "space", "order", "layout", "meaning"
]
TOUCHES: tuple[str, ...] = get_args(Touch)
# What becomes of the right answer where a step acted.
Expect = Literal["same", "mapped", "other", "unknown"]
EXPECTS: tuple[str, ...] = get_args(Expect)
# What becomes of a span that an edit touches.
SpanPolicy = Literal["grow", "drop", "refuse"]
SPAN_POLICIES: tuple[str, ...] = get_args(SpanPolicy)
# What becomes of a row without a text.
Missing = Literal["error", "keep", "skip"]
MISSING: tuple[str, ...] = get_args(Missing)
ANY = ("any",)
# ISO 639-1.
LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
    ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
    lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
    pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
# What every step takes.
SETTINGS = frozenset(
    """
    p intensity severity count min_edits max_edits skip_first skip_last min_word_length
    per of spare within signs spread segmenter
    """.split()
)
# What a step, a row or a call says of its own; no parameter of a perturbator can be called so.
RESERVED = SETTINGS | frozenset(
    """
    name version steps grid one_of some_of sometimes
    text rows batch rng seed id replicate replicates protect only spans span_policy field id_field
    data target with_original lean expect missing trust config recipe workers format
    """.split()
)


def check_word(what: str, word: object, known: Collection[str]) -> None:
    """Refuse what is not one of the known words.

    Raises:
        UsageError: it is none of them.
    """
    if word not in known:
        raise UsageError(f"{what} is one of {', '.join(known)}; got {shown(word)}")


def checked_languages(name: str, languages: Collection[str]) -> tuple[str, ...]:
    """Return the languages of a perturbator as a tuple.

    Raises:
        TypeError: a lone string where a collection is wanted.
        UsageError: a code is not one of ISO 639-1, or "any" stands beside others.
    """
    codes = _words(name, "languages", languages)
    if codes == ANY:
        return codes
    if not codes or "any" in codes:
        raise UsageError(f'{name}: languages are codes such as ("en", "de"), or ("any",) alone')
    for code in codes:
        if code not in LANGUAGES:
            raise UsageError(f"{name}: {code!r} is not an ISO 639-1 language code such as 'en'")
    return codes


def checked_touches(
    name: str, touches: Collection[str] | None, kind: str = "touches"
) -> frozenset[str]:
    """Return what a perturbator may change; everything where nothing was declared.

    Raises:
        TypeError: a lone string where a collection is wanted.
        UsageError: a word is not one of the vocabulary.
    """
    if touches is None:
        return frozenset(TOUCHES)
    words = _words(name, kind, touches)
    for word in words:
        check_word(f"{name}: {kind}", word, TOUCHES)
    return frozenset(words)


def _words(name: str, kind: str, words: Collection[str]) -> tuple[str, ...]:
    if isinstance(words, str) or not isinstance(words, Collection):
        raise TypeError(f"{name}: {kind} is a collection such as ({words!r},); got {words!r}")
    return tuple(words)
