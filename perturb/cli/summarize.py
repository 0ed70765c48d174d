"""`perturb summarize`: the summary of a results directory."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb summarize`."""
    parser.description = (
        "Summarize BENCHMARK/PROMPT/output-rsN.jsonl: accuracy with its interval, "
        "consistency, and prompt sensitivity beside what it would be if prompts meant nothing."
    )
    parser.add_argument("results_dir", type=Path, metavar="DIR", help="the benchmarks' directory")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="where to write (default: DIR/metrics.json)"
    )


def run(args: argparse.Namespace) -> int:
    """Print the tables and write the metrics."""
    from perturb.robustness.scoring.summarize import summarize_robustness

    summarize_robustness(args.results_dir, args.save)
    return 0
