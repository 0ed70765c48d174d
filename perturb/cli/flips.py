"""`perturb flips`: metrics that cross their threshold when the input is perturbed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import Escaped, display
from perturb.cli import scoring_options
from perturb.cli.scoring_options import GRADING, SCORED
from perturb.cli.talk import diff_style
from perturb.records.edit import joined, marked

if TYPE_CHECKING:
    from perturb.robustness.scoring.flips import RobustnessProblem

# Characters of an answer: its end, where most answers come to the point, in two lines.
_LONGEST = 120
# What --json shows of a flip, besides its metric and its scores.
_SHOWN = (
    "perturbator p severity original_id replicate sample original_prompt perturbed_prompt "
    "original_answer perturbed_answer"
).split()
MANUAL = f"""
List every metric that is on one side of its threshold for the original and on the other side for
the perturbed row: the metrics of --metrics, or the one score that perturb score would give, with
the threshold 0.5. Rows that flip without an edit show how much the system varies by itself; they
are counted, not listed. Rows with a lost reply are left out.

{SCORED}
{GRADING}
-n N [20]  how many flips to list, 0 for all (default: 20); --json lists all
--json  write one JSON object for each flip
"""


def run(*, scored: Path, clean: Path | None, n: int, json: bool, **options: Any) -> int:
    """Print the flips."""
    from perturb.io.jsonl import text_of_json
    from perturb.robustness.pairs.alignment import joined_by_id
    from perturb.robustness.pairs.columns import collect
    from perturb.robustness.pairs.join import join
    from perturb.robustness.scoring.flips import stream_flips, summary, turning

    grading = scoring_options.grading_of(options, scored)
    scoring_options.tell_unlike(grading, scored)
    sources = scoring_options.sources(grading, scored, clean)
    by, reply = scoring_options.grader_of(grading, sources, scored), grading.reply
    metrics = turning(grading, by.metrics)
    pairs = join(collect(sources, by.grade, reply, grading.right), sources)
    problems = stream_flips(sources, pairs, metrics, reply)
    if json:
        for problem in problems:
            display(text_of_json(_fields(problem)))
        return 0
    display("\n".join([*summary(pairs, metrics), *joined_by_id(pairs)]))
    for problem in islice(problems, n or None):
        display("", *_lines(problem))
    if unlisted := sum(1 for _ in problems):
        display(f"\n{unlisted:,} more; -n 0 lists all")
    return 0


def _fields(problem: RobustnessProblem) -> dict[str, Any]:
    flip = problem.flip
    turn = {"threshold": flip.threshold, "from": flip.original, "to": flip.perturbed}
    rest = {name: getattr(problem, name) for name in _SHOWN}
    metric = {"problem": "robustness", "metric": problem.metric}
    return {**metric, **turn, "direction": flip.direction, **rest}


def _lines(problem: RobustnessProblem) -> Iterator[str]:
    flip = problem.flip
    way = "good -> bad" if flip.direction == "good_to_bad" else "bad -> good"
    yield (
        f"{problem.original_id}, {problem.condition}, replicate {problem.replicate}"
        f"{'' if problem.sample is None else f', asked with seed {problem.sample}'}: "
        f"{problem.metric} {flip.original:g} -> {flip.perturbed:g} ({way})"
    )
    original = problem.original_prompt
    if problem.edits and original is not None:
        edits = joined(original, problem.edits)
        yield Escaped(f"  {marked(original, edits, diff_style())}")
    else:
        for sign, text in (("-", original), ("+", problem.perturbed_prompt)):
            if text is not None:
                yield f"  {sign} {text!r}"
    if problem.original_answer is not None or problem.perturbed_answer is not None:
        yield f"  answers: {_short(problem.original_answer)} -> {_short(problem.perturbed_answer)}"


def _short(answer: str | None) -> str:
    if answer is None:
        return "none"
    return repr(answer if len(answer) <= _LONGEST else f"…{answer[-_LONGEST:]}")
