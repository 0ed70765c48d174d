"""`perturb dispersion`: how consistent systems are over test samples, as the paper's tables say."""

from __future__ import annotations

import argparse
from pathlib import Path

from perturb.boundary import display
from perturb.cli import scoring_options
from perturb.errors import DataError, UsageError

# The scores of each sample, by system and then by domain.
Scores = dict[str, dict[str, list[float]]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb dispersion`."""
    parser.description = (
        "Measure how much the scores of systems vary: mean, variance, coefficient of variation "
        "(sd / mean), index of dispersion (variance / mean) and gamma, of all samples and without "
        "each domain; and rank the systems by gamma, the most robust first."
    )
    add = parser.add_argument
    add("scored", nargs="+", type=Path, metavar="SCORED",
        help="scored rows of a system, JSON Lines; the file's name is the system's")  # fmt: skip
    scoring_options.add_grades(parser)
    add("--by", metavar="FIELD", help="the domain of a row; each is left out once")
    add("--scale", type=float, default=100.0, metavar="X",
        help="multiply scores, so that eps is in points (default: 100)")  # fmt: skip
    add("--eps", type=float, default=10.0, metavar="E",
        help="the tolerated distance from the mean, after scaling (default: 10)")  # fmt: skip
    add("--eps-prime", type=float, metavar="E",
        help="in place of --eps: eps = E * sd / mean of each system")  # fmt: skip
    add("--bagging", choices=("plain", "design"),
        help="average mean and variance over blocks of samples (Algorithms 5 and 6)")  # fmt: skip
    add("--blocks", type=int, default=30, metavar="N", help="number of blocks (default: 30)")
    add("--block-share", type=float, default=0.6, metavar="S",
        help="share of the samples in a block (default: 0.6)")  # fmt: skip
    add("--seed", type=int, default=0, metavar="N", help="of the blocks (default: 0)")
    add("--human", metavar="A=1,B=2",
        help="ranks that judges gave; says which share of pairs agrees")  # fmt: skip
    add("--plot", type=Path, metavar="FILE", help="draw gamma over eps 1 to 100 for each system")


def run(args: argparse.Namespace) -> int:
    """Print the tables."""
    from perturb.robustness.tables.formats import aligned

    scores = _scores(args)
    human = None if args.human is None else _ranks(args.human, scores)
    pools = {name: _pool(domains) for name, domains in scores.items()}
    try:
        display(aligned(_measures(args, scores)))
        gammas = {name: _gamma(args, pool) for name, pool in pools.items()}
    except ValueError as error:
        raise DataError(str(error)) from None
    if len(gammas) > 1:
        display()
        display(aligned(_ranking(gammas)))
    if human is not None:
        display()
        display(_agreement(pools, gammas, human))
    if args.plot is not None:
        from perturb.robustness.tables.plots import write_gamma_curves

        write_gamma_curves(pools, args.plot)
    return 0


def _scores(args: argparse.Namespace) -> Scores:
    """Read the scores of each system."""
    from perturb.robustness.scoring.sources import file_source

    grade, scores = scoring_options.grade(args, []), Scores()
    for path in args.scored:
        if path.stem in scores:
            raise UsageError(f"two systems are named {path.stem}: rename a file")
        source, domains = file_source(path), scores.setdefault(path.stem, {})
        for number, row in source.rows:
            with source.naming(number):
                if args.by is not None and args.by not in row:
                    raise DataError(f"there is no field {args.by!r}")
                (((score,), _),) = grade([row])
            domain = "all" if args.by is None else str(row[args.by])
            domains.setdefault(domain, []).append(args.scale * score)
        if not domains:
            raise DataError(f"{path} holds no row")
    return scores


def _pool(domains: dict[str, list[float]], left_out: str | None = None) -> list[float]:
    """Return the scores of all domains, or of all but one."""
    return [score for name, scores in domains.items() if name != left_out for score in scores]


def _gamma(args: argparse.Namespace, pool: list[float]) -> float:
    from perturb.robustness.metrics.dispersion import eps_gamma, relative_eps

    eps = args.eps if args.eps_prime is None else relative_eps(pool, args.eps_prime)
    return eps_gamma(pool, eps)


def _measures(args: argparse.Namespace, scores: Scores) -> list[tuple[str, ...]]:
    from perturb.robustness.metrics.bagging import Blocks, dispersion

    rows: list[tuple[str, ...]] = [
        ("system", "left out", "samples", "mean", "variance", "sd/mean", "var/mean", "gamma")
    ]
    blocks = None
    if args.bagging is not None:
        blocks = Blocks(args.block_share, args.blocks, args.bagging == "design", args.seed)
    for name, domains in scores.items():
        for left_out in (None, *(domains if len(domains) > 1 else ())):
            pool = _pool(domains, left_out)
            measures = dispersion(pool, blocks)
            cells = (f"{value:.2f}" for value in measures[:2])
            ratios = (f"{value:.4f}" for value in (*measures[2:], _gamma(args, pool)))
            rows.append((name, left_out or "none", str(len(pool)), *cells, *ratios))
    return rows


def _ranking(gammas: dict[str, float]) -> list[tuple[str, ...]]:
    from perturb.robustness.metrics.dispersion import ranked

    rows = [(name, f"{gamma:.4f}", str(rank)) for name, gamma, rank in ranked(gammas)]
    return [("system", "gamma", "rank"), *rows]


def _ranks(text: str, scores: Scores) -> dict[str, float]:
    """Read the ranks that judges gave to all systems."""
    try:
        pairs = [part.split("=") for part in text.split(",")]
        ranks = {name.strip(): float(rank) for name, rank in pairs}
    except ValueError:
        raise UsageError(f"--human takes ranks as A=1,B=2; got {text!r}") from None
    if ranks.keys() != scores.keys() or len(ranks) < 2:
        raise UsageError(
            f"--human ranks each system once, and at least two; there are {', '.join(scores)}"
        )
    return ranks


def _agreement(
    pools: dict[str, list[float]], gammas: dict[str, float], human: dict[str, float]
) -> str:
    from perturb.robustness.metrics.dispersion import pairwise_agreement

    means = {name: -sum(pool) / len(pool) for name, pool in pools.items()}
    by_gamma = 100 * pairwise_agreement(gammas, human)
    by_mean = 100 * pairwise_agreement(means, human)
    return f"pairs in the judges' order: {by_gamma:.2f} % by gamma, {by_mean:.2f} % by mean score"
