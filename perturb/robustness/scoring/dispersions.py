"""The dispersion of the scores of systems, over all domains and without each, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from perturb.robustness.metrics.bagging import Blocks, dispersion
from perturb.robustness.metrics.dispersion import (
    eps_gamma,
    eps_gamma_curve,
    pairwise_agreement,
    ranked,
    relative_eps,
)
from perturb.robustness.metrics.rank_limits import MEASURES, Sample, dispersion_limits
from perturb.robustness.tables.formats import Shown, Table, number, place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    # For each domain its scores, with what each belongs to.
    Domains = Mapping[str, Sequence[tuple[str, float]]]

_COLUMNS = {
    "system": ("system", ""),
    "left_out": ("left out", ""),
    "samples": ("samples", ""),
    "mean": ("mean", ".2f"),
    "variance": ("variance", ".2f"),
    "coefficient_of_variation": ("sd/mean", ".4f"),
    "index_of_dispersion": ("var/mean", ".4f"),
    "gamma": ("gamma", ".4f"),
}
_ENDS = ("", "_low", "_high")
_TITLES = {measure: _COLUMNS[measure][0] for measure in MEASURES}
# Why the second measure orders systems otherwise than the first.
_OTHERWISE = {
    ("gamma", "variance"): "Gamma divides by the variance, so that more spread may look more "
    "robust.",
    ("variance", "coefficient_of_variation"): "sd/mean and var/mean divide by the mean, so that "
    "higher scores may look more robust.",
}


@dataclass(frozen=True)
class Dispersions(Shown):
    """The measures of each system.

    Attributes:
        measures: for each system, of all domains and without each in turn, by the names of
            `Dispersion`, with `gamma`. Of all domains, also the rank by each, as `gamma_rank`, with
            its limits, `gamma_rank_low` and `gamma_rank_high`: all of one measure hold together
            with 95 %. By the mean, the highest is first. `left_out` is None of all.
        agreement: the share of pairs of systems that are in the judges' order, by each measure;
            None without judges.
        pairs: for each two systems the one that is more robust by each measure, None for a tie;
            that of the judges as `human`, and whether gamma agrees with them as `agree`. Empty
            without judges.
        curves: for each system gamma at each eps from 1 to 100, as `eps_gamma_curve` gives it.
    """

    measures: list[dict[str, Any]]
    agreement: dict[str, float] | None
    pairs: list[dict[str, Any]]
    curves: dict[str, list[tuple[float, float]]]

    @property
    def sentence(self) -> str:
        """The order of the systems, where measures disagree on it and why; the judges' order."""
        whole = [row for row in self.measures if row["left_out"] is None]
        orders = {name: _order(whole, name) for name in MEASURES}
        several = "The most robust first, by gamma: " if len(whole) > 1 else "Gamma of "
        parts = [f"{several}{_order(whole, 'gamma', _with_gamma)}."]
        for text in dict.fromkeys(orders[name] for name in MEASURES[1:]):
            if text != orders["gamma"]:
                names = [_TITLES[name] for name in MEASURES[1:] if orders[name] == text]
                parts.append(f"By {_listed(names)}: {text}.")
        parts += [why for (one, other), why in _OTHERWISE.items() if orders[one] != orders[other]]
        if shares := self.agreement:
            agreed = (
                f"{100 * share:.2f} % by "
                + _listed([_TITLES[name] for name in MEASURES if shares[name] == share])
                for share in dict.fromkeys(shares.values())
            )
            parts.append(f"Pairs in the judges' order: {', '.join(agreed)}.")
        return " ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {"sentence": self.sentence, **vars(self)}

    def _rows(self) -> list[dict[str, Any]]:
        return self.measures

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        header, cells = [title for title, _ in _COLUMNS.values()], []
        for row in self.measures:
            cells.append([number(row[name], form) for name, (_, form) in _COLUMNS.items()])
            if row["left_out"] is None and len(self.curves) > 1:
                ranks = ([row[f"{name}_rank{end}"] for end in _ENDS] for name in MEASURES)
                cells.append(["  rank", "", "", *(place(*each) for each in ranks)])
        if self.pairs:
            header += ["judges", "agree"]
            cells = [[*row, "", ""] for row in cells]
        for pair in self.pairs:
            better = (pair[name] or "-" for name in (*MEASURES, "human"))
            agree = "yes" if pair["agree"] else "no"
            cells.append([f"{pair['first']} or {pair['second']}", "", "", *better, agree])
        rows = [*map(tuple, cells)]
        return Table(self.sentence, tuple(header), rows, [""] * len(rows), {""})


def _order(
    rows: Sequence[dict[str, Any]],
    name: str,
    label: Callable[[dict[str, Any]], str] = itemgetter("system"),
) -> str:
    """Return systems by their rank, tied ones with a sign of equality."""
    rank = itemgetter(f"{name}_rank")
    ordered = sorted(rows, key=rank)
    signs = (" = " if rank(one) == rank(other) else ", " for one, other in pairwise(ordered))
    return "".join(f"{sign}{label(row)}" for sign, row in zip(["", *signs], ordered, strict=True))


def _with_gamma(row: dict[str, Any]) -> str:
    low, high = row["gamma_rank_low"], row["gamma_rank_high"]
    sure = "" if low == high else f", rank {place(row['gamma_rank'], low, high)}"
    return f"{row['system']} ({row['gamma']:.4f}{sure})"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def dispersions(
    scores: Mapping[str, Domains],
    eps: float,
    *,
    relative: bool = False,
    blocks: Blocks | None = None,
    human: Mapping[str, float] | None = None,
) -> Dispersions:
    """Measure systems, and rank them by each measure.

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
    samples: dict[str, Sample] = {}
    for system, domains in scores.items():
        for left_out in (None, *(domains if len(domains) > 1 else ())):
            pool = pooled(domains, left_out)
            radius = relative_eps(pool, eps) if relative else eps
            gamma = eps_gamma(pool, radius)
            if blocks is not None:
                gamma = blocks.average(pool, lambda block: eps_gamma(block, radius)).mean  # noqa: B023
            if left_out is None:
                units = [unit for each in domains.values() for unit, _ in each]
                samples[system] = Sample(pool, units, radius)
            measures.append(
                {
                    "system": system,
                    "left_out": left_out,
                    "samples": len(pool),
                    **dispersion(pool, blocks)._asdict(),
                    "gamma": gamma,
                    **dict.fromkeys(f"{name}_rank{end}" for name in MEASURES for end in _ENDS),
                }
            )
    whole = {row["system"]: row for row in measures if row["left_out"] is None}
    limits = dispersion_limits(samples, _ends([*map(pooled, scores.values())]))
    by: dict[str, dict[str, float]] = {}
    for name, held in zip(MEASURES, limits, strict=True):
        sign = -1 if name == "mean" else 1
        by[name] = {system: sign * row[name] for system, row in whole.items()}
        for system, _, rank in ranked(by[name]):
            each = zip(_ENDS, (rank, *held[system]), strict=True)
            whole[system] |= {f"{name}_rank{end}": number for end, number in each}
    agreement, pairs = None, list[dict[str, Any]]()
    if human is not None:
        agreement = {name: pairwise_agreement(by[name], human) for name in MEASURES}
        pairs = [_pair(*two, {**by, "human": human}) for two in combinations(scores, 2)]
    curves = {system: eps_gamma_curve(pooled(domains)) for system, domains in scores.items()}
    return Dispersions(measures, agreement, pairs, curves)


def _pair(first: str, second: str, by: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Return which of two systems is better by each measure, and whether gamma's is the judges'."""
    better = {}
    for name, values in by.items():
        best, other = ranked({one: values[one] for one in (first, second)})
        better[name] = None if best.rank == other.rank else best.system
    return {"first": first, "second": second, **better, "agree": better["gamma"] == better["human"]}


def _ends(pools: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return between which ends scores lie: those of shares or of points where these hold all."""
    least, most = min(map(min, pools)), max(map(max, pools))
    return min(0.0, least), next(end for end in (1.0, 100.0, most) if most <= end)


def pooled(domains: Domains, left_out: str | None = None) -> list[float]:
    """Return the scores of all domains, or of all but one."""
    return [score for name, scores in domains.items() if name != left_out for _, score in scores]
