"""The dispersion of the scores of systems, over all domains and without each, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perturb.robustness.metrics.bagging import Blocks, dispersion
from perturb.robustness.metrics.dispersion import (
    eps_gamma,
    eps_gamma_curve,
    pairwise_agreement,
    ranked,
    relative_eps,
)
from perturb.robustness.scoring.results import Shown
from perturb.robustness.tables.formats import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    # The scores of each domain.
    Domains = Mapping[str, Sequence[float]]

_OTHERWISE = "gamma divides by it, so that more spread may look more robust"
_COLUMNS = {
    "system": ("system", ""),
    "left_out": ("left out", ""),
    "samples": ("samples", ""),
    "mean": ("mean", ".2f"),
    "variance": ("variance", ".2f"),
    "coefficient_of_variation": ("sd/mean", ".4f"),
    "index_of_dispersion": ("var/mean", ".4f"),
    "gamma": ("gamma", ".4f"),
    "rank": ("rank", ""),
}


@dataclass(frozen=True)
class Dispersions(Shown):
    """The measures of each system.

    Attributes:
        measures: for each system, of all domains and without each in turn, by the names of
            `Dispersion`, with `gamma`; `rank` by gamma of all domains, None elsewhere.
            `left_out` is None of all.
        agreement: the share of pairs of systems that are in the judges' order, by gamma and by the
            mean; None without judges.
        curves: for each system gamma at each eps from 1 to 100, as `eps_gamma_curve` gives it.
    """

    measures: list[dict[str, Any]]
    agreement: dict[str, float] | None
    curves: dict[str, list[tuple[float, float]]]

    @property
    def sentence(self) -> str:
        """The order of the systems, and how far that is the judges'."""
        whole = sorted(
            (row for row in self.measures if row["rank"] is not None), key=lambda row: row["rank"]
        )
        names, last = "", None
        for row in whole:
            names += "" if not names else " = " if row["rank"] == last else ", "
            names, last = f"{names}{row['system']} ({row['gamma']:.4f})", row["rank"]
        several = "The most robust first, by gamma: " if len(whole) > 1 else "Gamma of "
        agreed = ""
        if self.agreement is not None:
            shares = (f"{100 * share:.2f} % by {name}" for name, share in self.agreement.items())
            agreed = f" Pairs in the judges' order: {', '.join(shares)}."
        by_variance = sorted(whole, key=lambda row: row["variance"])
        if [row["gamma"] for row in by_variance] != sorted(row["gamma"] for row in whole):
            agreed += f" The variance orders them otherwise: {_OTHERWISE}."
        return f"{several}{names}.{agreed}"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {
            "sentence": self.sentence,
            "measures": self.measures,
            "agreement": self.agreement,
            "curves": self.curves,
        }

    def _rows(self) -> list[dict[str, Any]]:
        return self.measures

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        cells = [
            tuple(
                "-" if row[name] is None else format(row[name], form)
                for name, (_, form) in _COLUMNS.items()
            )
            for row in self.measures
        ]
        header = tuple(title for title, _ in _COLUMNS.values())
        return Table(self.sentence, header, cells, [""] * len(cells), {""})


def dispersions(
    scores: Mapping[str, Domains],
    eps: float,
    *,
    relative: bool = False,
    blocks: Blocks | None = None,
    human: Mapping[str, float] | None = None,
) -> Dispersions:
    """Measure systems, and rank them by gamma.

    Args:
        scores: the scores of each domain of each system.
        eps: the tolerated distance from the mean; if relative, times `sd / mean` of each pool.
        relative: whether it is.
        blocks: to average mean, variance and gamma over; None for the pool itself.
        human: the ranks of the systems that judges gave.

    Raises:
        ValueError: a pool or a block has no such measure.
    """
    measures: list[dict[str, Any]] = []
    for system, domains in scores.items():
        for left_out in (None, *(domains if len(domains) > 1 else ())):
            pool = pooled(domains, left_out)
            radius = relative_eps(pool, eps) if relative else eps
            gamma = eps_gamma(pool, radius)
            if blocks is not None:
                gamma = blocks.average(pool, lambda block: eps_gamma(block, radius)).mean  # noqa: B023
            measures.append(
                {
                    "system": system,
                    "left_out": left_out,
                    "samples": len(pool),
                    **dispersion(pool, blocks)._asdict(),
                    "gamma": gamma,
                    "rank": None,
                }
            )
    whole = {row["system"]: row for row in measures if row["left_out"] is None}
    gammas = {system: row["gamma"] for system, row in whole.items()}
    for system, _, rank in ranked(gammas):
        whole[system]["rank"] = rank
    agreement = None
    if human is not None:
        means = {system: -row["mean"] for system, row in whole.items()}
        by = {"gamma": gammas, "mean score": means}
        agreement = {name: pairwise_agreement(ours, human) for name, ours in by.items()}
    curves = {system: eps_gamma_curve(pooled(domains)) for system, domains in scores.items()}
    return Dispersions(measures, agreement, curves)


def pooled(domains: Domains, left_out: str | None = None) -> list[float]:
    """Return the scores of all domains, or of all but one."""
    return [score for name, scores in domains.items() if name != left_out for score in scores]
