"""`perturb.fit`: noise from pairs, and a report on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from perturb.api import apply
from perturb.errors import DataError, UsageError, shown
from perturb.fitting.counts import FEWEST_TEXTS, counted
from perturb.fitting.pairs import Aligned, Distance, align, distance
from perturb.io.outputs import writing
from perturb.perturbators.shared.edit_tables import noisy_sites
from perturb.perturbators.shared.noise import Noise
from perturb.pipeline.specs import make_step
from perturb.registry.registry import resolve
from perturb.rng import key64

# The share of edits that the pairs should show as they are. Above it each doubling of the pairs
# adds little, since the rest is a long tail of edits seen once; chosen by hand on 23 November 2026.
_ENOUGH = 0.8


class Fit(NamedTuple):
    """Noise that was fitted to pairs.

    Attributes:
        noise: the content of the file of noise.
        made: the distance of the noise fitted on one half of the pairs from the other half, on its
            texts.
        real: the distance of the two halves from each other; no noise can come closer.
        left_out: the numbers, from 0, of the pairs that perturb could not align: one text is empty,
            or more than half of it differs.
        needed: the estimated number of pairs that would show four fifths of all edits.
    """

    noise: Mapping[str, Any]
    made: Distance
    real: Distance
    left_out: Sequence[int]
    needed: int

    def save(self, path: str | Path) -> None:
        """Write the file of noise that `fitted:file=PATH` takes."""
        with writing(str(path)) as (out, _):
            out.write(orjson.dumps(dict(self.noise)) + b"\n")

    def __str__(self) -> str:
        """Return a report on the noise, in sentences."""
        noise = self.noise
        lines = [
            f"{noise['pairs']} pairs: {noise['rate']:.2%} of the characters are edited; the rates "
            f"of texts have a spread of {noise['spread']:g}, those of stretches in a text of "
            f"{noise['bursts']:g}.",
            f"{len(noise['edits'])} kinds of edits, {len(noise['words'])} of whole words; "
            f"at least {FEWEST_TEXTS} texts show {noise['shown']:.0%} of all edits; the others are "
            "counted by their parts."
            + (f" About {self.needed} pairs would show {_ENOUGH:.0%}." if self.needed else ""),
        ]
        if self.left_out:
            some = ", ".join(str(number + 1) for number in self.left_out[:5])
            lines.append(
                f"{len(self.left_out)} pairs could not be aligned, such as number {some}: a text "
                "is empty, or more than half of it differs."
            )
        for name, far in (("made from one half", self.made), ("real in both halves", self.real)):
            auc = "unknown from so few edits" if math.isnan(far.auc) else f"{far.auc:.2f}"
            lines.append(
                f"{name}: kinds {far.kinds:.2f}, edits {far.edits:.2f} (total variation), AUC {auc}"
            )
        return "\n".join(lines)


def fit(clean: Sequence[str], noisy: Sequence[str]) -> Fit:
    """Count the errors of pairs of texts, for the step `fitted`.

    Nothing that fewer than five texts show is in the result, since pairs may be private. The fit is
    measured on held-out pairs: noise fitted on one half is applied to the texts of the other.

    Args:
        clean: the texts as they should be, at least 20.
        noisy: the same texts with errors, in the same order.

    Returns:
        The noise and a report on it; `save` writes its file.

    Raises:
        TypeError: a text is not a string.
        UsageError: the lists differ in length, or are too short.
        DataError: the pairs have too few errors that can be counted.

    Examples:
        >>> clean = [f"the sea is wide, said number {n}" for n in range(40)]
        >>> noise = fit(clean, [text.replace("the sea", "teh sea") for text in clean])
        >>> noise.noise["edits"]
        [['t', 'he', '', 'eh', 1.0]]
    """
    clean, noisy = list(clean), list(noisy)
    for text in (*clean, *noisy):
        if not isinstance(text, str):
            raise TypeError(f"clean and noisy must be lists of strings; got {shown(text)}")
    if len(clean) != len(noisy):
        raise UsageError(f"each clean text needs a noisy one; got {len(clean)} and {len(noisy)}")
    if len(clean) < 4 * FEWEST_TEXTS:
        raise UsageError(f"a fit needs at least {4 * FEWEST_TEXTS} pairs; got {len(clean)}")
    pairs = align(clean, noisy)
    noise = counted(pairs)
    if not noise["edits"] and not noise["words"]:
        raise DataError(
            f"no error occurs in {FEWEST_TEXTS} of the {len(pairs.clean)} aligned pairs: "
            "give more pairs, or check that clean is the text that noisy was made from"
        )
    order = sorted(range(len(pairs.clean)), key=lambda row: key64("half", pairs.clean[row], row))
    half = len(order) // 2
    first, second = pairs.part(sorted(order[:half])), pairs.part(sorted(order[half:]))
    of_half = counted(first)
    made = _made(of_half, second.clean)
    return Fit(
        noise,
        distance(second, made),
        distance(second, first),
        pairs.left_out,
        _needed(noise, of_half),
    )


def _made(noise: Mapping[str, Any], clean: Sequence[str]) -> Aligned:
    """Apply noise to texts, and return the aligned pairs."""
    if not noise["edits"] and not noise["words"]:
        return align(clean, clean)
    table = Noise(dict(noise))
    again, _ = resolve("fitted")
    step = make_step(
        again.replaced(find=lambda batch: noisy_sites(batch, table), parameters={}, types={}),
        p=noise["rate"],
        spread=noise["spread"],
    )
    texts = [str(record) for record in apply(list(clean), step, seed=1)]
    return align(clean, texts)


def _needed(noise: Mapping[str, Any], of_half: Mapping[str, Any]) -> int:
    """Estimate the number of pairs that would show enough; 0 if these do or it is unknown."""
    gain = noise["shown"] - of_half["shown"]
    lack = _ENOUGH - noise["shown"]
    # A gain of one percent from twice the pairs is chance, and dividing by it would ask for
    # millions.
    if lack <= 0 or gain <= 0.01:
        return 0
    return int(float(f"{noise['pairs'] * 2 ** min(lack / gain, 20):.2g}"))
