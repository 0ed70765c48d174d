"""The closed vocabularies of the API, and the names that perturb reserves.

This module is private; `perturb.perturbator` documents what an author may say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
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


@cache
def scripts_of_languages() -> Mapping[str, frozenset[str]]:
    """Return the scripts that each language of ISO 639-1 is written in."""
    from perturb.resources import read_rows  # most steps are English, and need no table for it

    rows = read_rows("languages", "scripts.tsv")
    return {language: frozenset(scripts.split()) for language, scripts in rows}


def checked_languages(name: str, languages: Collection[str]) -> tuple[str, ...]:
    """Return the languages of a perturbator as a tuple.

    Raises:
        TypeError: a lone string where a collection is wanted.
        UsageError: a code is not one of ISO 639-1, or "any" stands beside others.
    """
    codes = _words(name, "languages", languages)
    if codes in (ANY, ("en",)):
        return codes
    if not codes or "any" in codes:
        raise UsageError(f'{name}: languages are codes such as ("en", "de"), or ("any",) alone')
    for code in codes:
        if code not in scripts_of_languages():
            from locale import locale_alias  # which has languages by their names

            alias = locale_alias.get(str(code).lower(), "")[:2]
            hint = f": did you mean {alias}?" if alias else " such as 'en'"
            raise UsageError(f"{name}: {code!r} is not an ISO 639-1 language code{hint}")
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
