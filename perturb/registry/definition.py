"""Perturbators as they are defined: what they find and write, and what is said of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.registry.vocabulary import ANY, TOUCHES
from perturb.values.frozen import Frozen

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
        types: each parameter's type, where it is annotated; a number's with its range.
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
