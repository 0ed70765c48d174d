"""Perturbators from a regular expression and a function, without arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, MutableSequence, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.errors import DataError, UsageError
from perturb.registry.definition import ANY, CHARACTERS, Expect, LabelRisk, Perturbator, Touch
from perturb.registry.making import build_perturbator
from perturb.rng import key64
from perturb.user_patterns import compiled, matches

T = TypeVar("T")


class KeyedRandom:
    """Random choices for one place in a text, the same whenever that text is perturbed again.

    Args:
        key: the key of the text.
        origin: where the place starts in the text.
    """

    def __init__(self, key: int, origin: int) -> None:
        self._place = (key, origin)
        self._drawn = 0

    def below(self, limit: int) -> int:
        """Return an integer in [0, limit)."""
        if limit < 1:
            raise UsageError(f"below needs a limit of at least 1 to draw an integer; got {limit}")
        self._drawn += 1
        return key64(*self._place, self._drawn) * limit >> 64

    def random(self) -> float:
        """Return a float in [0, 1)."""
        return self.below(1 << 53) / (1 << 53)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of `options`, each with the same probability."""
        return options[self.below(len(options))]

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return `k` different members of `population` in random order, `k` at most its length."""
        if not 0 <= k <= len(population):
            raise UsageError(f"sample takes k from 0 to {len(population)} members; got {k}")
        pool = list(population)
        return [pool.pop(self.below(len(pool))) for _ in range(k)]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle a list in place, each order with the same probability."""
        items[:] = self.sample(items, len(items))


Replacement = str | Callable[[regex.Match[str], KeyedRandom], str]


def from_regex(
    name: str,
    pattern: str | regex.Pattern[str],
    replace: Replacement,
    *,
    summary: str = "",
    label_risk: LabelRisk = "medium",
    languages: Collection[str] = ANY,
    touches: Collection[Touch] | None = None,
    expect: Expect | None = None,
    expect_alone: Expect | None = None,
) -> Perturbator:
    r"""Make a perturbator that rewrites the matches of a pattern.

    Use it directly as a step; after `perturb.register` its name works too.

    Args:
        name: lower-case letters, digits and underscores.
        pattern: each match is a site, and `p` a share of the matches.
        replace: the replacement, in which `\\1` and `\\g<name>` mean groups of the match; or a
            function that returns it for a match. The function must draw random numbers only from
            its second argument, a `KeyedRandom`, so that the result can be reproduced.
        summary: one sentence.
        label_risk: "none", "low", "medium" or "high".
        languages: see `perturb.perturbator`.
        touches: see `perturb.perturbator`.
        expect: see `perturb.perturbator`.
        expect_alone: see `perturb.perturbator`.

    Raises:
        UsageError: the pattern isn't a regular expression, or another argument is invalid.
        TypeError: the pattern is neither a string nor a pattern of the module `regex`.

    Examples:
        >>> import perturb
        >>> def more(match, random):
        ...     return "!" * (2 + random.below(2))
        >>> shout = perturb.from_regex("shout", r"[.!]", more)
        >>> str(perturb.apply("Stop. Now.", shout, p=1.0))
        'Stop!!! Now!!'
        >>> ampersand = perturb.from_regex("ampersand", r"\band\b", "&", summary="Write & for and.")
        >>> str(perturb.apply("nuts and bolts", ampersand, p=1.0))
        'nuts & bolts'
    """
    if not isinstance(pattern, (str, regex.Pattern)):
        raise TypeError(
            f"{name}: the pattern must be a string, or a pattern of the module regex; "
            f"got {pattern!r}"
        )
    try:
        ready = compiled(pattern)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error
    return build_perturbator(
        name,
        _Rewriter(name, ready, replace).find,
        unit="place",
        summary=summary,
        label_risk=label_risk,
        source="",
        version=1,
        intensities=CHARACTERS,
        languages=languages,
        touches=touches,
        expect=expect,
        expect_alone=expect_alone,
    )


@dataclass(frozen=True, slots=True)
class _Rewriter:
    """A function that rewrites matches of a pattern; unlike a closure it can be pickled."""

    name: str
    pattern: regex.Pattern[str]
    replace: Replacement

    def find(self, batch: Batch) -> Sites:
        """Rewrite the matches of a pattern."""
        matches: dict[int, regex.Match[str]] = {}
        for text, start in zip(batch.texts.to_list(), batch.texts.starts.tolist(), strict=True):
            for match in _in_order(self.name, self.pattern, text):
                matches.setdefault(start + match.start(), match)

        def write(chosen: Chosen) -> Strings:
            randoms = map(KeyedRandom, chosen.keys.tolist(), chosen.origins.tolist())
            places = zip(chosen.texts.starts.tolist(), randoms, strict=True)
            return column(self._text(matches[start], random) for start, random in places)

        starts = np.fromiter(matches, np.intp, len(matches))
        lengths = [match.end() - match.start() for match in matches.values()]
        return Sites(starts, starts + np.array(lengths, np.intp), "place", write)

    def _text(self, match: regex.Match[str], random: KeyedRandom) -> str:
        """Return the replacement of a match."""
        if isinstance(self.replace, str):
            try:
                return match.expand(self.replace)
            except (regex.error, IndexError) as error:
                raise UsageError(
                    f"{self.name}: can't expand the replacement {self.replace!r}: {error}"
                ) from error
        text = self.replace(match, random)
        if not isinstance(text, str):
            raise TypeError(
                f"{self.name}: replace must return a string for {match[0]!r}; got {text!r}"
            )
        return text


def _in_order(name: str, pattern: regex.Pattern[str], text: str) -> list[regex.Match[str]]:
    """Return the matches in the order of the text; a reverse pattern finds the last one first."""
    try:
        in_turn = list(matches(pattern, text))
    except DataError as error:
        raise DataError(f"{name}: {error}") from None
    return in_turn[::-1] if pattern.flags & regex.REVERSE else in_turn
