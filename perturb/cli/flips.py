"""`perturb flips`: metrics that cross their threshold when the input is perturbed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import scoring_options
from perturb.errors import DataError, UsageError

if TYPE_CHECKING:
    import argparse

    from perturb.robustness.scoring.flips import RobustnessProblem
    from perturb.robustness.scoring.grade import Grade


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb flips`."""
    parser.description = (
        "List every metric that lies on one side of its threshold on the original and on the "
        "other side on the perturbed: the metrics of --metrics, or the one score that rows are "
        "graded by as in perturb score, with the threshold 0.5."
    )
    scoring_options.add_files(parser)
    scoring_options.add_grades(parser)
    parser.add_argument(
        "--metrics",
        type=Path,
        metavar="FILE",
        help="YAML or JSON: for each metric (a field of the rows) its threshold and, if not the "
        "default, higher_is_better: false and rule: pass_fail",
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object a flip")


def run(args: argparse.Namespace) -> int:
    """Print the flips."""
    import orjson

    from perturb.robustness.scoring.flips import stream_flips

    count = 0
    for problem in stream_flips(scoring_options.sources(args), *_graded(args)):
        count += 1
        print(orjson.dumps(_fields(problem)).decode() if args.json else _line(problem))
    if not args.json:
        print(f"{count} flips")
    return 0


def _graded(args: argparse.Namespace) -> tuple[dict[str, dict[str, Any]], Grade | None]:
    if args.metrics is None:
        return {args.score or "correct": {"threshold": 0.5}}, scoring_options.grade(args)
    given = [name for name in ("score", "prediction", "target", "match") if getattr(args, name)]
    if given:
        raise UsageError(
            f"--metrics already says how to grade: leave out --{given[0]}, or --metrics"
        )
    return _metrics(args.metrics), None


def _metrics(path: Path) -> dict[str, dict[str, Any]]:
    import yaml

    try:
        metrics = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise DataError(f"{path} cannot be read: {error}") from None
    if not isinstance(metrics, dict) or not all(
        isinstance(each, dict) for each in metrics.values()
    ):
        raise DataError(
            f"{path} must map each metric to its settings, as in correct: {{threshold: 0.5}}"
        )
    return {str(name): settings for name, settings in metrics.items()}


def _fields(problem: RobustnessProblem) -> dict[str, Any]:
    return {
        "problem": "robustness",
        "metric": problem.metric,
        "threshold": problem.flip.threshold,
        "from": problem.flip.original,
        "to": problem.flip.perturbed,
        "direction": problem.flip.direction,
        "perturbator": problem.perturbator,
        "p": problem.p,
        "original_id": problem.original_id,
        "replicate": problem.replicate,
        "original_prompt": problem.original_prompt,
        "perturbed_prompt": problem.perturbed_prompt,
    }


def _line(problem: RobustnessProblem) -> str:
    strength = "" if problem.p is None else f" p={problem.p:g}"
    return (
        f"{problem.metric} {problem.flip.original:g} -> {problem.flip.perturbed:g} "
        f"(threshold {problem.flip.threshold:g}, {problem.flip.direction}) by "
        f"{problem.perturbator}{strength}, original {problem.original_id}, "
        f"replicate {problem.replicate}\n"
        f"  - {problem.original_prompt!r}\n  + {problem.perturbed_prompt!r}"
    )
