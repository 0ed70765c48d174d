"""The checks that a perturbator and its records keep the perturbator's own declarations."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import orjson
import regex

from perturb.api import apply
from perturb.engine.batch import Batch
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import Step
from perturb.plan.options import LINKAGE
from perturb.records import notation
from perturb.records.record import Record
from perturb.registry.definition import ANY, INTENSITIES
from perturb.registry.described import is_written
from perturb.resources import read_rows
from perturb.testing.strategies import HOSTILE, SENTENCES

_WORDS = " ".join(SENTENCES).split()
_DIGIT = regex.compile(r"\p{Nd}")
_NUMBERS = (
    *SENTENCES,
    "Wind: 3.14 m/s, or 1,000,000 km; call 555-0100 at 9:30 (room B12, 2nd floor).\nA1: x2 = 7y",
    "Летний театр работал с 1870 по 1939 гг., вход 25 руб.",
    "عمل المسرح من 1870 إلى 1939 وكان ثمنه 25 أو ٣٥ قرشا.",
    "थिएटर 1870 से 1939 तक चला, टिकट 25 या ३५ रुपये।",
    "剧院从1870年到1939年开放,票价25元。",
    "Select A, B, C, or D.\nA. 12 dogs\nB. 7 cats\nC. 3 mice\nD. none of the 3",
)


def at(step: Step, p: float, max_edits: int | None = None) -> Step:
    """Return a step with another strength."""
    return Step(step.perturbator, p, max_edits=max_edits, parameters=step.parameters)


def phrase(number: int, words: int) -> str:
    """Return a text of this many everyday words, different for each number."""
    return " ".join(_WORDS[(7 * number + j * j) % len(_WORDS)] for j in range(words))


def check_shares(step: Step, records: Iterable[Record], *more: object) -> None:
    """Check that the number of edits is the share of open units, on average and in each text.

    If N texts have enough sites, the number of edits of each is within 1 of its expectation,
    independently, so the sum is within 5 sqrt(N) / 2 of its own in all but one case in a million.

    Args:
        step: as it was applied.
        records: the records of the texts.
        more: shown where the check fails.
    """
    share = step.share
    assert share is not None
    able = [record for record in records if record.sites >= 2 + share * record.units]
    off = [record.steps[0].edits - share * record.units for record in able]
    assert abs(sum(off)) <= 2.5 * len(able) ** 0.5, (step, sum(off), *more)
    for record, difference in zip(able, off, strict=True):
        assert abs(difference) < 1, (step, record, *more)


def check_types(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that each field of a record is a string without line breaks, at every strength."""
    texts = [text for text in HOSTILE.values() if not regex.search(r"\p{Cs}", text)]
    for strength in ({"p": 0.0}, {"p": 0.3}, {"count": 2}, {"intensity": "low"}):
        again = Pipeline.of(step.perturbator, **step.parameters, **strength)
        for record in apply([*texts, *SENTENCES], again, seed=1):
            linkage = orjson.loads(orjson.dumps(record.to_dict()))[LINKAGE]
            assert notation.checked(linkage) == linkage, (step, strength)
            assert tuple(linkage) == notation.NAMES, (step, strength, list(linkage))
            for name in notation.NAMES:
                assert name == "original" or len(linkage[name].splitlines()) < 2, (step, linkage)


def check_status(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that the status is "changed" if the text differs, even if steps undo each other.

    The numbers of the steps are those of their edits.
    """
    again = at(step, 1.0)
    texts = [*HOSTILE.values(), *SENTENCES, step.perturbator.example]
    for steps in ([again], [again, again]):
        for record in apply(texts, steps, seed=2):
            changed = record.text != record.original
            assert (record.status == "changed") == changed, (step, record)
            assert bool(record.edits) == changed, (step, record)
            for counts in record.steps:
                assert counts.edits <= counts.sites, (step, record)
                assert min(counts.units, counts.closed) >= 0, (step, record)


def check_open_units(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that `p` is a share of open units, with 10, 50 and 90% of a text protected.

    200 texts of 60 characters are protected at the start, in the middle or at the end. Closed units
    are counted, and never edited.
    """
    count, length, moderate = 200, 60, at(step, 0.15)
    batch, ids = [phrase(number, 15)[:length] for number in range(count)], list(range(count))
    characters = step.sites(Batch.of(batch)).unit == "character"
    free = apply(batch, moderate, id=ids)
    for start, closed in ((0, 6), (15, 30), (6, 54)):
        rule = rf"regex:(?s)\A.{{{start}}}\K.{{{closed}}}"
        records = apply(batch, moderate, id=ids, protect=rule)
        for record, was in zip(records, free, strict=True):
            after, before = record.steps[0], was.steps[0]
            assert before.units + before.closed == after.units + after.closed, (step, was, record)
            assert after.units <= before.units, (step, was, record)
            for edit in record.edits:
                assert edit.end <= start or edit.start >= start + closed, (step, record)
        if characters and not any(was.steps[0].closed for was in free):
            assert {record.steps[0].closed for record in records} == {closed}, step
        check_shares(moderate, records, closed)


def check_digits_stay(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that a perturbator that doesn't touch digits leaves all in place, and writes none.

    Steps with parameters aren't checked, since the declaration holds for the default.
    """
    touches = step.perturbator.touches
    if "digits" in touches or not _is_default(step):
        return
    for p in (0.2, 1.0):
        for record in apply(list(_NUMBERS), at(step, p)):
            before, after = _DIGIT.findall(record.original), _DIGIT.findall(record.text)
            if "order" in touches:
                before, after = sorted(before), sorted(after)
            assert before == after, (step, record)


def check_languages(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that nothing changes in languages and scripts that a perturbator doesn't declare.

    The texts are sentences of the Universal Declaration of Human Rights in twenty languages; those
    in Latin script have at least six words. `language="en"` treats all as English, and "auto"
    leaves all but the first of the declared languages alone. Scripts hold for the default
    parameters.
    """
    declared = step.perturbator.languages
    if "language" in step.perturbator.parameters and declared != ANY:
        declared = declared[:1]
    scripts = step.perturbator.scripts if _is_default(step) else ANY
    if declared == scripts == ANY or step.parameters.get("language", "auto") != "auto":
        return
    rows = read_rows("languages", "declaration.tsv")
    rows = [row for row in rows if not is_written(row[0], declared, scripts)]
    rows = [row for row in rows if not row[1].isascii() or len(row[1].split()) >= 6]
    assert declared == ANY or len({language for language, _ in rows}) >= 12
    texts = [text for _, text in rows]
    for record in apply(texts, at(step, 1.0)):
        assert record.text == record.original, (step, record)
        assert record.status in ("not English", "no site", "not segmented", "no rewording"), (
            step,
            record,
        )


def check_intensities_differ(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that each intensity edits more than the one before it, unless they are the same `p`.

    The texts are the example, 100 times, and the sentences; draws are the same at each intensity,
    so that a larger `p` only adds edits. Steps with parameters aren't checked.
    """
    example, intensities = step.perturbator.example, step.perturbator.intensities
    if not _is_default(step) or not len(step.sites(Batch.of([example])).starts):
        return
    texts = [*[example] * 100, *SENTENCES]
    ids = list(range(len(texts)))
    by_name = {name: apply(texts, at(step, p), id=ids) for name, p in intensities.items()}
    for weak, strong in pairwise(INTENSITIES):
        fewer, more = by_name[weak], by_name[strong]
        if intensities[weak] < intensities[strong]:
            counts = [sum(len(record.edits) for record in records) for records in (fewer, more)]
            assert counts[0] < counts[1], (step, weak, strong, counts)
            assert [record.text for record in fewer] != [record.text for record in more], step
        else:
            assert fewer == more, (step, weak, strong)


def _is_default(step: Step) -> bool:
    return dict(step.parameters) == dict(step.perturbator.parameters)
