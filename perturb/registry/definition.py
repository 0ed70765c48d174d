"""Perturbators as they are defined, the words that may be said of them, and reserved names.

This module is private; `perturb.perturbator` documents what an author may say.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

from perturb.errors import UsageError, shown
from perturb.values.frozen import Frozen

if TYPE_CHECKING:
    from perturb.engine.batch import Batch
    from perturb.engine.sites import Sites


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


# From one unit, such as a word, to what is written for it.
UnitFunction = Callable[..., str] | Callable[..., Awaitable[str]]

# Many perturbators show on it what they do.
EXAMPLE = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."

# H2O Eval Studio's scale for characters, each range at its middle.
CHARACTERS = (0.04, 0.10, 0.275, 0.525, 0.75, 0.95)
# For what acts on some letters only, so that no strength takes every place there is.
LETTERS = (0.04, 0.10, 0.275, 0.40, 0.50, 0.60)
# H2O's scale for words, and what lies outside of its three levels.
WORDS = (0.05, 0.10, 0.30, 0.50, 0.70, 0.90)
# For kinds of place of which a text has few.
PLACES = (0.10, 0.30, 0.50, 0.80, 0.90, 1.00)
# For what is done to a text as a whole, or not at all.
WHOLE = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


def as_it_is(p: float, **_: Any) -> float:
    """Return the strength as the share of places that are edited, which most perturbators mean."""
    return p


class Range(NamedTuple):
    """The numbers that a parameter takes, as in `marks: Annotated[int, Range(1, 32)] = 1`."""

    least: float
    most: float = math.inf

    def __str__(self) -> str:
        upper = f"from {self.least:g} to {self.most:g}"
        return upper if math.isfinite(self.most) else f"at least {self.least:g}"


# The share of something, and a number of things.
Share = Annotated[float, Range(0, 1)]
Count = Annotated[int, Range(0)]


class Perturbator(Frozen):
    """A kind of change to text; see `perturb.perturbator`.

    Attributes:
        name: the name by which it is used.
        find: returns the sites of a batch; its keyword-only arguments are the parameters.
        unit: what `p` is a share of: "character", "word", "sentence", "line", "text", or "place"
            (its own kind of place).
        summary: one sentence.
        label_risk: how likely it changes what a text means: "none", "low", "medium" or "high".
        source: where the idea or its numbers come from.
        version: raised whenever the same call would give other bytes.
        intensities: the `p` of each named intensity, in [0, 1].
        parameters: each parameter's default.
        types: each parameter's type, where it is annotated.
        ranges: the numbers that a parameter takes, where its annotation says so.
        share: gives the share of the units to edit for a `p` and the parameters; it never falls
            as `p` grows. Without one it is `p`.
        example: a text that it changes visibly.
        reproducible: whether the same call always gives the same bytes.
        languages: the ISO 639-1 codes of the languages that it can write, or ("any",).
        scripts: the scripts that it can write, such as "latin", or ("any",).
        touches: what it may change: "digits", "letters", "words", "case", "punctuation", "space",
            "order", "layout" and "meaning".
        consistent: whether it writes the same for the same throughout a text, and so takes all
            texts of a row for one.
        expect: what becomes of the right answer: "same", "mapped", "other" or "unknown".
        expect_alone: the same where a row has one text and no target.
    """

    name: str
    find: Callable[..., Sites]
    unit: str
    summary: str
    label_risk: str
    source: str
    version: int
    intensities: Mapping[str, float]
    parameters: Mapping[str, Any] = MappingProxyType({})
    types: Mapping[str, Any] = MappingProxyType({})
    ranges: Mapping[str, Range] = MappingProxyType({})
    share: Callable[..., float] = as_it_is
    example: str = EXAMPLE
    reproducible: bool = True
    languages: tuple[str, ...] = ANY
    scripts: tuple[str, ...] = ANY
    touches: frozenset[str] = frozenset(TOUCHES)
    consistent: bool = False
    expect: str = "same"
    expect_alone: str = "same"

    def __call__(self, batch: Batch, **parameters: Any) -> Sites:
        """Return the sites of a batch."""
        return self.find(batch, **parameters)

    @property
    def built_in(self) -> bool:
        """True if the perturbator comes with perturb."""
        return self.find.__module__.startswith("perturb.perturbators.")

    def __repr__(self) -> str:
        return f"<Perturbator {self.name}: {self.summary}>"
