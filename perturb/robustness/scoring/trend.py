"""One system on several dates or in several versions: what became of it from each to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.metrics.inference import benjamini_hochberg
from perturb.robustness.scoring.contrast import contrast_pairs
from perturb.robustness.scoring.findings import Contrast
from perturb.robustness.scoring.judgement import FALSE_DISCOVERIES, OF_TWO, UNDECIDED, of_systems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.metric import Metric


class Change(NamedTuple):
    """What became of a system between two dates or versions.

    Attributes:
        earlier: the name of one of the systems.
        later: that of the next.
        contrast: over all conditions, with the earlier as A.
    """

    earlier: str
    later: str
    contrast: Contrast

    def __str__(self) -> str:
        words = of_systems(self.contrast.verdict, (self.earlier, self.later))
        change = f"{self.contrast.change_a:+.3f} and {self.contrast.change_b:+.3f}"
        return f"From {self.earlier} to {self.later}: {words} ({change})."


def trend_of(
    systems: Mapping[str, Pairs],
    successions: Sequence[tuple[str, str]],
    metrics: Mapping[str, Metric],
    margin: float,
) -> list[Change]:
    """Compare each system with its next version; p-values are adjusted for the number of steps.

    Args:
        systems: joined rows of each, the same rows in one order.
        successions: pairs of systems; the second is the first on a later date.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
    """
    every = []
    for earlier, later in successions:
        pair = systems[earlier], systems[later]
        contrasts = contrast_pairs(*pair, metrics, margin=margin, systems=(earlier, later))
        every += [Change(earlier, later, contrast) for contrast in contrasts.overall]
    known = ((at, each.contrast.p_adjusted) for at, each in enumerate(every))
    p_values = {at: p_value for at, p_value in known if p_value is not None}
    adjusted = benjamini_hochberg([*p_values.values()]).tolist() if p_values else []
    for at, p_value in zip(p_values, adjusted, strict=True):
        contrast = every[at].contrast._replace(p_adjusted=p_value)
        if contrast.verdict in (OF_TWO.loss, OF_TWO.gain) and p_value >= FALSE_DISCOVERIES:
            contrast = contrast._replace(verdict=UNDECIDED)
        every[at] = every[at]._replace(contrast=contrast)
    return every
