"""`perturb dispersion`: how consistent systems are over test samples, as in the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from perturb.cli import scoring_options, verdict_output
from perturb.cli.talk import say
from perturb.cli.verdict_output import FORM
from perturb.errors import DataError, UsageError
from perturb.robustness.grading.plan import ANSWERS, Grading, manual

# The score of each sample, with its original, by system and then by domain.
Scores = dict[str, dict[str, list[tuple[str, float]]]]


MANUAL = f"""
Measure how much the scores of systems vary: mean, variance, coefficient of variation (sd / mean),
index of dispersion (variance / mean) and gamma, over all samples and without each domain. Rank the
systems by each, with intervals, the most robust first.

scored SCORED+  scored rows of a system, JSON Lines; the name of the file is that of the system
{manual(*ANSWERS, "score", "against")}
--by PATH  the field with the domain of a row, such as perturbation.condition for its noise; the
    table also shows the measures without each domain
--means  count each domain as one score, its mean
--scale X  multiply scores, so that eps is in points (default: 100 if all are in [0, 1], else 1)
--eps E [10]  the tolerated distance from the mean, after scaling
--eps-prime E  in place of --eps: eps = E * sd / mean of each system
--bagging {{plain,design}}  average mean, variance and gamma over blocks (Algorithms 5 and 6)
--blocks N [30]  number of blocks
--block-share S [0.6]  share of the samples in a block
--seed N [0]  the seed of the blocks
--human A=1,B=2  ranks that people gave, to show which pairs of systems are in their order
{FORM}
--plot FILE  draw gamma over eps from 1 to 100 for each system
"""


def run(
    *,
    scored: list[Path],
    by: str | None,
    means: bool,
    scale: float | None,
    eps: float,
    eps_prime: float | None,
    bagging: str | None,
    blocks: int,
    block_share: float,
    seed: int,
    human: str | None,
    format: str,
    plot: Path | None,
    **options: Any,
) -> int:
    """Print the table."""
    from perturb.robustness.metrics.bagging import Blocks
    from perturb.robustness.scoring.dispersions import dispersions, pooled

    if means and by is None:
        raise UsageError("--means takes the mean of each domain; name their field with --by")
    grading = scoring_options.grading_of(options, scored[0])
    scoring_options.tell_unlike(grading, *scored)
    scores = _scores(grading, scored, by, means=means, scale=scale)
    ranks = None if human is None else _ranks(human, scores)
    averaged, relative = None, eps_prime is not None
    if bagging is not None:
        averaged = Blocks(block_share, blocks, bagging == "design", seed)
    if eps_prime is not None:
        eps = eps_prime
    try:
        results = dispersions(scores, eps, relative=relative, blocks=averaged, human=ranks)
    except ValueError as error:
        raise DataError(str(error)) from None
    verdict_output.print_pieces(verdict_output.Output("dispersion", format).pieces(results))
    if plot is not None:
        from perturb.robustness.tables.plots import write_gamma_curves

        write_gamma_curves({name: pooled(each) for name, each in scores.items()}, plot)
    return 0


def _scores(
    grading: Grading, paths: Sequence[Path], by: str | None, *, means: bool, scale: float | None
) -> Scores:
    """Read the scores of each system; with --means, only the mean of each domain."""
    from perturb.robustness.linking.conditions import link
    from perturb.robustness.linking.sources import file_source

    scores = Scores()
    for path in paths:
        if path.stem in scores:
            raise UsageError(f"two files have the name {path.stem}; rename one, as its system")
        source, domains = file_source(path), scores.setdefault(path.stem, {})
        source = source.reading(*grading.paths)
        graded_by = scoring_options.grader_of(grading, [source], path, paths)
        if not all(metric.higher_is_better for metric in graded_by.metrics.values()):
            # The rank by the mean, measures relative to it and 0 for a lost reply praise errors.
            raise UsageError(
                f"--match {grading.way} counts errors, and more must be better: take chrf "
                "for texts, close:DISTANCE for numbers, or --score with a field, such as 1 - wer"
            )
        grade, lost = graded_by.grade, 0
        for number, row in source.rows:
            with source.naming(number):
                # A row without an id is one of its own.
                named = row if row.get("id") is not None else {**row, "id": f"{path}:{number}"}
                origin = link(named)
                if origin.condition is None and grading.against is not None:
                    continue  # it agrees with itself
                domain = "all" if by is None else _domain(row, by)
                (((score,), answer),) = grade([row])
            lost += answer is None
            domains.setdefault(domain, []).append((origin.original_id, score))
        if lost:
            count = sum(map(len, domains.values()))
            say(
                f"{path}: {lost:,} of {count:,} replies never came or were not read: these have "
                "the score 0 here"
            )
        if not domains:
            raise DataError(f"{path} has no {'perturbed ' * bool(grading.against)}rows")
        if means:
            scores[path.stem] = {
                name: [(name, fmean(one for _, one in each))] for name, each in domains.items()
            }
    every = [one for domains in scores.values() for each in domains.values() for _, one in each]
    if scale is None:
        scale = 100.0 if min(every) >= 0 and max(every) <= 1 else 1.0
    for domains in scores.values():
        for name, each in domains.items():
            domains[name] = [(original, scale * one) for original, one in each]
    return scores


def _domain(row: dict[str, Any], path: str) -> str:
    """Return the one value at a path, or the value of the field with this name."""
    from perturb.io import json_path

    values = [(path, row[path])] if path in row else json_path.locate(row, path)
    if len(values) != 1:
        raise DataError(f"a row has one domain; the path {path!r} leads to {len(values)} values")
    return str(values[0][1])


def _ranks(text: str, scores: Scores) -> dict[str, float]:
    """Read the ranks that people gave to all systems."""
    try:
        pairs = [part.split("=") for part in text.split(",")]
        ranks = {name.strip(): float(rank) for name, rank in pairs}
    except ValueError:
        raise UsageError(f"--human takes ranks as A=1,B=2; got {text!r}") from None
    if ranks.keys() != scores.keys() or len(ranks) < 2:
        raise UsageError(
            f"--human ranks each of at least two systems once; the systems are {', '.join(scores)}"
        )
    return ranks
