"""Ask by bisection: search for the strength at which each answer flips, and ask some at all.

Edits are nested in strength, so that most answers flip once. Originals asked at all strengths show
the errors of bisection, and `perturb tolerance` corrects for them.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import numpy as np

from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import (
    Ask,
    Reply,
    System,
    UnansweredError,
    ask_all,
    run_to_end,
    with_retries,
)
from perturb.evaluation.ask_rows import Output, Run, Standing, rows_of
from perturb.evaluation.questions import Question, Row
from perturb.records.notation import read
from perturb.rng import key64
from perturb.robustness.grading.grade import Grade
from perturb.robustness.grading.ways import REFERENCE
from perturb.robustness.scoring.bisection import bisect
from perturb.robustness.scoring.columns import ASKED, BISECTED, INFERRED, SAMPLED
from perturb.robustness.scoring.conditions import KEPT, Condition, link
from perturb.robustness.scoring.ladders import Ladder, ladders
from perturb.robustness.scoring.record_text import record_of

# The originals asked twice, whatever the share asked at all strengths: if a system changes one
# answer in ten, that shows in 19 of 20 runs (1 - 0.9**30 = 0.96). More would cost more questions,
# and with fewer, random systems pass as deterministic.
_TWICE = 30

_Asked = tuple[Question, Row]


class _Chain(NamedTuple):
    """One version of an original: its rows by strength, and the first row with the same edits."""

    rows: list[_Asked]
    first: list[int]


class _Original(NamedTuple):
    """An original with its versions: `drawn` are asked at all strengths, `twice` are tested."""

    key: str
    clean: _Asked
    chains: list[_Chain]
    others: list[_Asked]
    drawn: bool
    twice: bool


def ask_by_bisection(run: Run, output: Output, grade: Grade, share: float) -> Standing:
    """Ask by bisection, and return the question whose answer each row takes, and why.

    Args:
        run: the system and its journal.
        output: the rows, at several strengths, with their originals.
        grade: says whether an answer is right.
        share: the share of originals, drawn at random, that are asked at all strengths.

    Raises:
        UsageError: rows are asked with several seeds.
        DataError: rows are not nested, an original is missing, or the system answers at random.
    """
    if len(output.seeds) > 1:
        raise UsageError("--bisect asks each row only once: leave out --seeds")
    originals = _originals(output, share)
    replies = run.journal.replies() if run.counts.before else {}
    standing: dict[str, tuple[str, str]] = {}

    async def all_of_them() -> None:
        async with _opened(run.system) as ask:
            retrying = with_retries(ask, run.retries, run.progress.again)

            async def graded(each: _Asked, clean: str) -> tuple[float, Any]:
                """Return the score of a row, and its answer as read."""
                question, row = each
                if question not in run.journal:
                    reply: Reply = await retrying(question)
                    run.journal.add(question, reply)
                    run.counts.add_new(reply)
                    run.progress.done()
                    replies[question.key] = reply
                answers = {output.prediction: replies[question.key].answer}
                answers[REFERENCE] = replies[clean].answer
                (((score, *_), words),) = grade([{**row, **answers}])
                return score, words

            async def asked(original: _Original) -> None:
                question, row = original.clean
                clean = question.key
                score, words = await graded(original.clean, clean)
                if original.twice:
                    again = question._replace(key=f"{clean}#again"), row
                    _check_same(original.key, words, (await graded(again, clean))[1])
                for other in original.others:
                    await graded(other, clean)
                for rows, first in original.chains:
                    scores = np.full((1, len(rows)), np.nan)
                    scores[0, 0] = score
                    while True:
                        seen = bisect(scores)
                        wanted = np.isnan(scores[0]) & (seen.asked[0] | original.drawn)
                        if not wanted.any():
                            break
                        for at in np.flatnonzero(wanted).tolist():
                            if np.isnan(scores[0, first[at]]):
                                scores[0, first[at]], _ = await graded(rows[first[at]], clean)
                            scores[0, at] = scores[0, first[at]]
                    for at, source in enumerate(seen.source[0].tolist()[1:], 1):
                        answer = first[at if original.drawn else source]
                        way = SAMPLED if original.drawn else ASKED if source == at else INFERRED
                        standing[rows[at][0].key] = rows[answer][0].key, BISECTED[way]

            await ask_all(asked, iter(originals), run.concurrency, lambda *_: None, failed)

    def failed(original: _Original, error: UnansweredError) -> None:
        run.counts.failed[original.key] = str(error)

    with run.journal.writing():
        run_to_end(all_of_them())
    return standing


class _AtRandomError(DataError):
    """The system gave different answers to the same question."""


@contextlib.asynccontextmanager
async def _opened(system: System) -> AsyncIterator[Ask]:
    """Open a system; if it answers at random, close it first, since that may reveal why.

    A command that writes more lines than answers is noticed only at its end.
    """
    at_random: _AtRandomError | None = None
    async with system as ask:
        try:
            yield ask
        except _AtRandomError as error:
            at_random = error
    if at_random is not None:
        raise at_random


def _check_same(original: str, first: Any, second: Any) -> None:
    if first != second:
        raise _AtRandomError(
            f"the system answers at random: asked twice about the original {original!r}, it said "
            f"{first!r:.60} and {second!r:.60}; bisection needs answers that don't change, so ask "
            "all rows, without --bisect"
        )


def _originals(output: Output, share: float) -> list[_Original]:
    """Return the originals of a file, first those asked at all strengths.

    Raises:
        DataError: there is nothing to bisect, or a row is missing.
    """
    clean: dict[str, _Asked] = {}
    versions: dict[tuple[str, Any], dict[Condition, _Asked]] = {}
    for question, row in rows_of(output):
        origin = link(row)
        if origin.condition is None:
            clean[origin.original_id] = question, row
        else:
            version = versions.setdefault((origin.original_id, origin.instance), {})
            version[origin.condition] = question, row
    conditions = [*dict.fromkeys(condition for rows in versions.values() for condition in rows)]
    steps = [
        ladder
        for ladder in ladders(dict(enumerate(conditions)))
        if len(ladder.rungs) > 1 and ladder.expect == KEPT
    ]
    if not steps:
        raise DataError(
            "no step has several strengths to bisect: perturb with some, as in perturb apply "
            "keyboard_typos --grid -p 0.01,0.02,0.05,0.1 --with-original"
        )
    order = sorted(clean, key=lambda original: key64("bisection", original))
    count = max(2, round(share * len(order)))
    originals = {
        key: _Original(key, clean[key], [], [], at < count, at < _TWICE)
        for at, key in enumerate(order)
    }
    for (key, _), rows in versions.items():
        if key not in originals:
            raise DataError(f"the original {key!r} is missing: perturb with --with-original")
        for ladder in steps:
            chain = [rows.pop(conditions[at], None) for _, at in ladder.rungs]
            originals[key].chains.append(_chain(key, ladder, originals[key].clean, chain))
        originals[key].others.extend(rows.values())
    return list(originals.values())


def _chain(key: str, ladder: Ladder, clean: _Asked, versions: list[_Asked | None]) -> _Chain:
    """Return the versions of an original by strength.

    Raises:
        DataError: a version is missing, or has edits that the next stronger one lacks.
    """
    rows, edits = [clean], [frozenset[Any]()]
    for version, (strength, _) in zip(versions, ladder.rungs, strict=True):
        if version is None:
            raise DataError(f"the original {key!r} has no row for {ladder.name} at {strength:g}")
        texts = read((record_of(version[1]) or {})["edits"]).texts
        now = frozenset((path, edit) for path, each in texts.items() for edit in each)
        if not edits[-1] <= now:
            raise DataError(
                f"{ladder.name} isn't nested: for the original {key!r}, some edits of the weaker "
                f"version are missing at {strength:g}; bisection needs them, so ask all rows, "
                "without --bisect"
            )
        rows.append(version)
        edits.append(now)
    return _Chain(rows, [edits.index(each) for each in edits])
