"""Ask by bisection: each original only where its answer turns, and some at all strengths.

Edits are nested in strength, so that most answers turn once. Where bisection errs, the originals
that are asked at all strengths tell, and `perturb tolerance` corrects for it.
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

# So many originals are asked twice, whatever the share that is asked at all strengths: a system of
# which one answer in ten is drawn anew is found out in 19 of 20 runs.
_TWICE = 30

_Asked = tuple[Question, Row]


class _Chain(NamedTuple):
    """One version of an original: its rows by strength, and the first one with the same edits."""

    rows: list[_Asked]
    first: list[int]


class _Original(NamedTuple):
    """An original with its versions; `drawn` to be asked at all strengths, `twice` to be tested."""

    key: str
    clean: _Asked
    chains: list[_Chain]
    others: list[_Asked]
    drawn: bool
    twice: bool


def ask_by_bisection(run: Run, output: Output, grade: Grade, share: float) -> Standing:
    """Ask what bisection asks, and return whose answer stands for each row, with a word for how.

    Args:
        run: the system and its journal.
        output: the rows, at several strengths, with their originals.
        grade: tells whether an answer is right.
        share: the share of the originals, drawn at random, that are asked at all strengths.

    Raises:
        UsageError: rows are asked with several seeds.
        DataError: rows are not nested, an original is missing, or the system answers at random.
    """
    if len(output.seeds) > 1:
        raise UsageError("--bisect asks each row once, with one seed at most: leave out --seeds")
    originals = _originals(output, share)
    replies = run.journal.replies() if run.counts.before else {}
    standing: dict[str, tuple[str, str]] = {}

    async def all_of_them() -> None:
        async with _opened(run.system) as ask:
            retrying = with_retries(ask, run.retries, run.progress.again)

            async def graded(each: _Asked, clean: str) -> tuple[float, Any]:
                """Return the score of a row, and what is read of its answer."""
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
    """The system gave two answers to one question."""


@contextlib.asynccontextmanager
async def _opened(system: System) -> AsyncIterator[Ask]:
    """Open a system; where it answers at random, close it first, since it may then say why.

    A command that writes more lines than answers is known at its end.
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
            f"{first!r:.60} and {second!r:.60}; bisection takes an answer to stay what it is, so "
            "ask all rows, without --bisect"
        )


def _originals(output: Output, share: float) -> list[_Original]:
    """Return the originals of a file, those that are asked at all strengths first.

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
            "no step has several strengths to bisect: perturb with one, as in perturb apply "
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
            raise DataError(f"the original {key!r} is not there: perturb with --with-original")
        for ladder in steps:
            chain = [rows.pop(conditions[at], None) for _, at in ladder.rungs]
            originals[key].chains.append(_chain(key, ladder, originals[key].clean, chain))
        originals[key].others.extend(rows.values())
    return list(originals.values())


def _chain(key: str, ladder: Ladder, clean: _Asked, versions: list[_Asked | None]) -> _Chain:
    """Return the versions of an original by strength.

    Raises:
        DataError: one is missing, or its edits are not among those of the next stronger one.
    """
    rows, edits = [clean], [frozenset[Any]()]
    for version, (strength, _) in zip(versions, ladder.rungs, strict=True):
        if version is None:
            raise DataError(f"the original {key!r} has no row for {ladder.name} at {strength:g}")
        texts = read((record_of(version[1]) or {})["edits"]).texts
        now = frozenset((path, edit) for path, each in texts.items() for edit in each)
        if not edits[-1] <= now:
            raise DataError(
                f"{ladder.name} does not nest: of the original {key!r}, not all edits of the "
                f"version before are among those at {strength:g}; bisection needs that, so ask "
                "all rows, without --bisect"
            )
        rows.append(version)
        edits.append(now)
    return _Chain(rows, [edits.index(each) for each in edits])
