"""`perturb summarize`: the summary of a results directory."""

from __future__ import annotations

import argparse

MANUAL = """
Summarize BENCHMARK/PROMPT/output-rsN.jsonl: accuracy with its interval, consistency, and prompt
sensitivity beside its value if prompts made no difference.

results_dir DIR  the folder of the benchmarks
--save FILE  where to write (default: DIR/metrics.json)
"""


def run(args: argparse.Namespace) -> int:
    """Print the tables and write the metrics."""
    from perturb.io.inputs import check_apart
    from perturb.robustness.scoring.summarize import summarize_robustness

    if args.save is not None:
        runs = map(str, args.results_dir.glob("*/*/*.jsonl"))
        check_apart(runs, ("summary", str(args.save)))
    summarize_robustness(args.results_dir, args.save)
    return 0
