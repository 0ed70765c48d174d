"""`perturb summarize`: the summary of a results directory."""

from __future__ import annotations

from pathlib import Path

MANUAL = """
Summarize BENCHMARK/PROMPT/output-rsN.jsonl: accuracy with its interval, consistency, and prompt
sensitivity beside its value if prompts made no difference.

results_dir DIR  the folder of the benchmarks
--save FILE  where to write (default: DIR/metrics.json)
"""


def run(*, results_dir: Path, save: Path | None) -> int:
    """Print the tables and write the metrics."""
    from perturb.io.inputs import check_apart
    from perturb.robustness.scoring.summarize import summarize_robustness

    if save is not None:
        check_apart(map(str, results_dir.glob("*/*/*.jsonl")), ("summary", str(save)))
    summarize_robustness(results_dir, save)
    return 0
