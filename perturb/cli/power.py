"""`perturb power`: how many originals, calls and tokens a verdict takes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from perturb.cli import scoring_options, verdict_output
from perturb.cli.manual import at_least
from perturb.cli.scoring_options import GRADING
from perturb.cli.system_options import LIMITS, QUESTION
from perturb.cli.verdict_output import FORM
from perturb.errors import DataError
from perturb.robustness.grading.plan import JUDGED, Grading, manual

if TYPE_CHECKING:
    from perturb.evaluation.questions import Content
    from perturb.robustness.linking.sources import RowSource


_SAMPLE = 1000  # rows: their mean length is within some 4 % of that of all rows, close enough here
# What a pilot says, and without one has to be assumed.
_ASSUMED = ("accuracy", "flips", "changed", "clustering", "versions", "conditions")
_NUMBERS = ("margin", "drop", "lose", "width", "power", "originals", *_ASSUMED)


MANUAL = f"""
Plan an experiment: how many originals it takes to find a system robust, or worse by a drop, or to
find the strength that it tolerates; their cost; and what the originals at hand can show. This
simulates the test and the interval of perturb score.

scored FILE?  the answers of a pilot, scored as by perturb score; or rows without answers, for their
    number and their tokens
without a pilot:
--accuracy A  the share of originals answered correctly
--flips F  the share of versions whose answer flips, either way (default: A * (1 - A))
--changed C  the share of versions that differ from their originals, as some texts stay (default:
    that of FILE, or 1)
--clustering R  how much the versions of an original flip together, from 0 (independently) to
    1 (all or none; default: 0.5)
--versions K  versions of each original under each condition (default: those of FILE, or 1)
--conditions M  number of conditions (default: those of FILE, or 1)
goals:
{manual("margin")}
--drop D  the loss to detect (default: 0.05, or twice the margin if that is more)
--lose L  also find the strength at which this much is lost
--width W [0.5]  the width of that strength's interval, as a share of it
--power P [0.8]  the share of such datasets in which it must be found
--originals N  also report what N originals can show (default: those of FILE)
cost:
{QUESTION}
--max-tokens N  the length of an answer (default: as in a pilot)
--seconds S  the time for one answer (default: as in a pilot's journal)
{LIMITS}
options:
{GRADING}
{manual(*JUDGED)}
{FORM}
"""
TYPES = {"max_tokens": at_least(1)}


def run(
    *,
    scored: Path | None,
    field: list[str] | None,
    choices: list[str] | None,
    system: str | None,
    prompt: str | None,
    max_tokens: int | None,
    seconds: float | None,
    concurrency: int,
    rpm: int | None,
    tpm: int | None,
    price: str | None,
    format: str,
    **options: Any,
) -> int:
    """Print the plan."""
    from perturb.evaluation.asking import refuse_idle
    from perturb.evaluation.limits import expenses, parse_price
    from perturb.evaluation.prompts import load_prompt
    from perturb.evaluation.questions import messages_at
    from perturb.robustness.scoring.power import power

    prices = None if price is None else parse_price(price)
    tokens, pilot = {"completion": float(max_tokens or 0)}, None
    numbers = {name: one for name in _NUMBERS if (one := options[name]) is not None}
    grading = scoring_options.grading_of(options, scored)
    if scored is not None:
        scoring_options.tell_unlike(grading, scored)
        (source,) = scoring_options.sources(grading, scored)
        is_needed = bool(field or prompt or price or tpm)
        content = messages_at(field, system, choices)
        if prompt is not None:
            content = load_prompt(Path(prompt)).messages
        tokens |= _tokens(source, content, is_needed)
        if _is_answered(grading, source):
            refuse_idle(options, "beside answers, which say it themselves", _ASSUMED)
            pilot = scoring_options.judge(grading, [source], scored).verdict
            numbers["margin"] = grading.margin
        else:
            numbers = {**_counts(scored, source), **numbers}
    else:
        question = {"field": field, "choices": choices, "system": system, "prompt": prompt}
        refuse_idle(question, "without FILE, whose rows are asked", question)
    seconds = seconds or _seconds(Path(f"{scored}.journal"))
    pace = min(rpm or math.inf, 60 * concurrency / seconds if seconds else math.inf)
    limits = {"rpm": pace, "tpm": tpm or math.inf}
    plan = power(pilot, **numbers, expense=lambda calls: expenses(calls, tokens, prices, **limits))
    if prices is not None and not tokens["completion"]:
        hint = "The cost covers the prompts only; add a ceiling for answers with --max-tokens."
        plan = replace(plan, hints=(*plan.hints, hint))
    verdict_output.print_pieces(verdict_output.Output("power", format).pieces(plan))
    return 0


def _is_answered(grading: Grading, source: RowSource) -> bool:
    """Return whether rows hold scores or answers."""
    _, row = next(iter(source.rows), (0, {}))
    return grading.reads_scores or grading.reply in row


def _tokens(source: RowSource, content: Content, is_needed: bool) -> dict[str, float]:
    """Return the mean tokens of a call, from the answers or from the texts of the prompts."""
    from perturb.evaluation.limits import prompt_tokens

    rows = [row for _, row in islice(source.rows, _SAMPLE)]
    counts = [(row.get("response") or {}).get("tokens") for row in rows]
    if any(counts):
        kinds = ("prompt", "completion")
        return {kind: fmean(count.get(kind, 0) for count in counts if count) for kind in kinds}
    try:
        return {"prompt": fmean(prompt_tokens(content(row)) for row in rows)} if rows else {}
    except DataError:
        if is_needed:
            raise
        return {}  # rows for a program, which may have no text to count


def _counts(path: Path, source: RowSource) -> dict[str, float]:
    """Count the originals, conditions and versions of rows, and the share that edits changed."""
    from perturb.robustness.linking.conditions import link
    from perturb.robustness.linking.record_text import record_of

    rows = [row for _, row in source.rows]
    if not rows:
        raise DataError(f"{path} has no rows")
    links = [link(row) for row in rows if record_of(row) is not None]
    originals = len({one.original_id for one in links}) or len(rows)
    conditions = len({one.condition for one in links if one.condition is not None}) or 1
    made = [one for one in links if one.condition is not None]
    versions = round(len(made) / originals / conditions) or 1
    counts = {"originals": originals, "conditions": conditions, "versions": versions}
    return {**counts, "changed": sum(not one.reason for one in made) / len(made) if made else 1.0}


def _seconds(path: Path) -> float:
    """Return the seconds for an answer in a pilot's journal; 0 without one."""
    from perturb.evaluation.journal import Journal

    if not path.exists():
        return 0.0
    return fmean(reply.seconds for reply in Journal(path, None).replies().values())
