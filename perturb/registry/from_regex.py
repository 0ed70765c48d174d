"""Perturbators from a regular expression and a function, for those who want no arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError
from perturb.registry.registry import CHARACTERS, Perturbator, build_perturbator
from perturb.registry.vocabulary import ANY
from perturb.rng import key64

T = TypeVar("T")


class Draws:
    """The draws of one place in one text: the same whenever the same text is perturbed again.

    Args:
        key: the key of the text.
        origin: where the place starts in the text.
    """

    def __init__(self, key: int, origin: int) -> None:
        self._place = (key, origin)
        self._drawn = 0

    def below(self, limit: int) -> int:
        """An integer in [0, limit)."""
        if limit < 1:
            raise UsageError(f"there is no integer in [0, {limit}) to draw")
        self._drawn += 1
        return key64(*self._place, self._drawn) * limit >> 64

    def random(self) -> float:
        """A float in [0, 1)."""
        return self.below(1 << 53) / (1 << 53)

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`, each as likely."""
        return options[self.below(len(options))]


def from_regex(
    name: str,
    pattern: str | regex.Pattern[str],
    replace: Callable[[regex.Match[str], Draws], str],
    *,
    summary: str = "",
    label_risk: str = "medium",
    languages: Collection[str] = ANY,
    touches: Collection[str] | None = None,
) -> Perturbator:
    """Make a perturbator that rewrites matches of a pattern.

    Use it as a step, as it is; `perturb.register` makes it known by its name as well.

    Args:
        name: lower-case letters, digits and underscores.
        pattern: each match is a site, and `p` a share of the matches.
        replace: gives what to write for a match; what it draws, it should draw from its second
            argument, so that the same text gives the same again.
        summary: one sentence.
        label_risk: "none", "low", "medium" or "high".
        languages: see `perturb.perturbator`.
        touches: see `perturb.perturbator`.

    Raises:
        UsageError: the pattern is no regular expression, or `name` or `label_risk` can't be.

    Examples:
        >>> import perturb
        >>> def more(match, draws):
        ...     return "!" * (2 + draws.below(2))
        >>> shout = perturb.from_regex("shout", r"[.!]", more)
        >>> str(perturb.apply("Stop. Now.", shout, p=1.0))
        'Stop!!! Now!!'
    """
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise UsageError(f"{name}: {pattern!r} is not a regular expression: {error}") from error

    def written(match: regex.Match[str], draws: Draws) -> str:
        new = replace(match, draws)
        if not isinstance(new, str):
            raise TypeError(f"{name}: replace must return a string for {match[0]!r}; got {new!r}")
        return new

    def find(batch: Batch) -> Sites:
        """Rewrite the matches of a pattern."""
        matches: dict[int, regex.Match[str]] = {}
        for text, start in zip(batch.texts.to_list(), batch.texts.starts.tolist(), strict=True):
            for match in compiled.finditer(text):
                matches.setdefault(start + match.start(), match)

        def write(chosen: Chosen) -> Strings:
            starts, keys, origins = chosen.texts.starts, chosen.keys, chosen.origins
            places = zip(starts.tolist(), map(Draws, keys.tolist(), origins.tolist()), strict=True)
            return column(written(matches[start], draws) for start, draws in places)

        starts = np.fromiter(matches, np.int64, len(matches))
        lengths = [match.end() - match.start() for match in matches.values()]
        return Sites(starts, starts + np.array(lengths, np.int64), "place", write)

    return build_perturbator(
        name,
        find,
        unit="place",
        summary=summary,
        label_risk=label_risk,
        source="",
        version=1,
        intensities=CHARACTERS,
        languages=languages,
        touches=touches,
    )
