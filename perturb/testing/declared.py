"""The checks that a perturbator does what it says of itself, and that its records do."""

from __future__ import annotations

from itertools import pairwise

import orjson
import regex

from perturb.api import apply
from perturb.engine.batch import Batch
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import Step
from perturb.plan.options import LINKAGE
from perturb.records import schema
from perturb.records.record import Record
from perturb.registry.vocabulary import ANY, INTENSITIES
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


def check_types(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that each field of a record is a string without line breaks, at every strength."""
    texts = [text for text in HOSTILE.values() if not regex.search(r"\p{Cs}", text)]
    for strength in ({"p": 0.0}, {"p": 0.3}, {"count": 2}, {"intensity": "low"}):
        again = Pipeline.of(step.perturbator, **step.parameters, **strength)
        for record in apply([*texts, *SENTENCES], again, seed=1):
            linkage = orjson.loads(orjson.dumps(record.to_dict()))[LINKAGE]
            assert schema.checked(linkage) == linkage, (step, strength)
            assert tuple(linkage) == schema.NAMES, (step, strength, list(linkage))
            for name in schema.NAMES:
                assert name == "original" or len(linkage[name].splitlines()) < 2, (step, linkage)


def check_status(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that a text is said to be changed if it is another, also where steps undo each other.

    The numbers of the steps are those of their edits.
    """
    again = Step(step.perturbator, 1.0, parameters=step.parameters)
    texts = [*HOSTILE.values(), *SENTENCES, step.perturbator.example]
    for steps in ([again], [again, again]):
        for one in apply(texts, steps, seed=2):
            changed = one.text != one.original
            assert (one.status == "changed") == changed, (step, one)
            assert bool(one.edits) == changed, (step, one)
            for taken in one.steps:
                assert taken.edits <= taken.sites, (step, one)
                assert min(taken.units, taken.closed) >= 0, (step, one)


def check_open_units(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that `p` is a share of what is not protected: with 10, 50 and 90 % of a text closed.

    N = 200 texts of 60 characters, protected at the start, between or at the end; where all of
    them have sites enough, the number of edits of each is within 1 of share * open, independently,
    so the sum is within 5 sqrt(N) / 2 of its expectation in all but one case in a million. A
    closed unit is counted, and never edited.
    """
    count, length, p = 200, 60, 0.15
    moderate = Step(step.perturbator, p, parameters=step.parameters)
    share = moderate.share
    assert share is not None
    words = (
        " ".join(_WORDS[(7 * i + j * j) % len(_WORDS)] for j in range(15)) for i in range(count)
    )
    batch, ids = [text[:length] for text in words], list(range(count))
    characters = step.sites(Batch.of(batch)).unit == "character"
    free = apply(batch, moderate, id=ids)
    for start, closed in ((0, 6), (15, 30), (6, 54)):
        rule = rf"regex:(?s)\A.{{{start}}}\K.{{{closed}}}"
        records = apply(batch, moderate, id=ids, protect=rule)
        _check_closed(step, free, records, start, start + closed)
        if characters and not any(was.steps[0].closed for was in free):
            assert {one.steps[0].closed for one in records} == {closed}, step
        able = [one for one in records if one.sites >= 2 + share * one.units]
        expected = sum(share * one.units for one in able)
        got = sum(one.steps[0].edits for one in able)
        assert abs(got - expected) <= 2.5 * len(able) ** 0.5, (step, closed, got, expected)
        for one in able:
            assert abs(one.steps[0].edits - share * one.units) < 1, (step, one)


def _check_closed(
    step: Step, free: list[Record], records: list[Record], start: int, end: int
) -> None:
    """Check the numbers of open and closed units against the same texts without protection."""
    for was, one in zip(free, records, strict=True):
        before, after = was.steps[0], one.steps[0]
        assert before.units + before.closed == after.units + after.closed, (step, was, one)
        assert after.units <= before.units, (step, was, one)
        assert all(edit.end <= start or edit.start >= end for edit in one.edits), (step, one)


def check_digits_stay(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that a perturbator that does not touch digits leaves all in place, and writes none.

    One with parameters of its own is not looked at, since what it touches is said of the default.
    """
    touches = step.perturbator.touches
    if "digits" in touches or not _is_default(step):
        return
    for p in (0.2, 1.0):
        for one in apply(list(_NUMBERS), Step(step.perturbator, p, parameters=step.parameters)):
            before, after = _DIGIT.findall(one.original), _DIGIT.findall(one.text)
            if "order" in touches:
                before, after = sorted(before), sorted(after)
            assert before == after, (step, one)


def check_languages(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that nothing changes in the languages that a perturbator does not declare.

    The texts are sentences of the Universal Declaration of Human Rights in twenty languages, of
    which those in Latin script have six words and more. `language="en"` takes all for English, and
    "auto" leaves all but the first of the declared languages alone.
    """
    declared = step.perturbator.languages
    if "language" in step.perturbator.parameters and declared != ANY:
        declared = declared[:1]
    if declared == ANY or step.parameters.get("language", "auto") != "auto":
        return
    rows = [row for row in read_rows("languages", "declaration.tsv") if row[0] not in declared]
    rows = [row for row in rows if not row[1].isascii() or len(row[1].split()) >= 6]
    assert len({language for language, _ in rows}) >= 12
    texts = [text for _, text in rows]
    for one in apply(texts, Step(step.perturbator, 1.0, parameters=step.parameters)):
        assert one.text == one.original, (step, one)
        assert one.status in ("not English", "no site"), (step, one)


def check_intensities_differ(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that each intensity edits more than the one before it, unless they are the same `p`.

    The example, 100 times, and the sentences: what is drawn is the same at each intensity, so that
    a larger `p` only adds edits. One with parameters of its own is not looked at.
    """
    found = step.perturbator
    if not _is_default(step) or not len(step.sites(Batch.of([found.example])).starts):
        return
    texts = [*[found.example] * 100, *SENTENCES]
    ids = list(range(len(texts)))
    made = {
        name: apply(texts, Step(found, p, parameters=step.parameters), id=ids)
        for name, p in found.intensities.items()
    }
    for weak, strong in pairwise(INTENSITIES):
        less, more = ([len(one.edits) for one in made[name]] for name in (weak, strong))
        if found.intensities[weak] < found.intensities[strong]:
            assert sum(less) < sum(more), (step, weak, strong, sum(less), sum(more))
            assert [one.text for one in made[weak]] != [one.text for one in made[strong]], step
        else:
            assert made[weak] == made[strong], (step, weak, strong)


def _is_default(step: Step) -> bool:
    return dict(step.parameters) == dict(step.perturbator.parameters)
