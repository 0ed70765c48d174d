"""The checks of the contract that all perturbators keep."""

from __future__ import annotations

import functools
import os
import pickle
import random as python_random
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import orjson
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perturb.api import apply
from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Sites
from perturb.pipeline.combinators import one_of
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import Step
from perturb.records.edit import Edit, rebuild
from perturb.records.record import Record
from perturb.registry import store
from perturb.registry.definition import Perturbator
from perturb.registry.from_regex import from_regex
from perturb.rows.stored import record_of
from perturb.rows.verify import verify
from perturb.testing import declared
from perturb.testing.strategies import HOSTILE, SENTENCES, seeds, shares, texts

_WORDS = " ".join(SENTENCES).split()
_BATCHES = st.lists(texts, max_size=5)
_FEW = 10  # below it, checks that look at one large text or at many take fewer
_FRACTIONS, _LENGTHS = st.floats(0, 1), st.integers(0, 40)

# A check of a step, with the number of random texts that it looks at.
Check = Callable[[Step, int], None]


def check_perturbator(spec: str | Perturbator | Step, examples: int = 50) -> None:
    """Run every check on one perturbator.

    Args:
        spec: a name, a spec string with parameters, a perturbator (registered or not), or a step.
        examples: how many random texts each check looks at.

    Raises:
        AssertionError: a promise of the contract is broken; the message says which.

    Examples:
        >>> check_perturbator("yz_swap", examples=3)
    """
    step = Pipeline.of(spec).steps[0]
    with store.known(step.perturbator):
        for check in CHECKS:
            check(step, examples)


def check_zero_is_identity(step: Step, examples: int) -> None:
    """Check that at p = 0 nothing changes, and that the record says why."""

    def check(text: str, seed: int) -> None:
        record = _apply(text, step, 0.0, seed=seed)
        assert record.text == text, (step, text, record.text)
        assert record.edits == ()
        assert record.status in ("p is 0", "no site"), (step, text, record.status)

    _for_all(check, examples, texts, seeds)


def check_edits_rebuild(step: Step, examples: int) -> None:
    """Check that edits are sorted, apart and real changes, and lead from text to text and back."""

    def check(text: str, p: float, seed: int) -> None:
        record = _apply(text, step, p, seed=seed)
        _check_edits(record, text)
        assert verify(record)

    _for_all(check, examples, texts, shares, seeds)


def check_clusters_whole(step: Step, examples: int) -> None:
    """Check that no edit splits a grapheme cluster or makes a lone surrogate."""

    def check(text: str, seed: int) -> None:
        record = _apply(text, step, 1.0, seed=seed)
        borders = {0, len(text), *(match.start() for match in regex.finditer(r"\X", text))}
        for edit in record.edits:
            assert {edit.start, edit.end} <= borders, (step, text, edit)
            if not regex.search(r"\p{Cs}", text):
                assert not regex.search(r"\p{Cs}", edit.text), (step, text, edit)

    _for_all(check, examples, texts, seeds)


def check_independent(step: Step, examples: int) -> None:
    """Check that a result does not depend on the batch, the order, other steps, or a choice."""

    def check(batch: list[str], seed: int) -> None:
        alone = [_apply(text, step, 0.3, seed=seed) for text in batch]
        together = apply(batch, _at(step, 0.3), seed=seed)
        backwards = apply(batch[::-1], _at(step, 0.3), seed=seed)[::-1]
        assert together == alone == backwards, (step, batch)
        after_another = apply(batch, ["identity", _at(step, 0.3)], seed=seed)
        assert [one.edits for one in after_another] == [one.edits for one in alone], (step, batch)
        some = apply(batch, one_of(["identity:p=0", _at(step, 0.3)]), seed=seed)
        taken = [
            (one.edits, own.edits) for one, own in zip(some, alone, strict=True) if one.steps[0].p
        ]
        assert all(one == own for one, own in taken), (step, batch)

    _for_all(check, examples, _BATCHES, seeds)


def check_other_process(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that another process with another PYTHONHASHSEED gives the same bytes.

    A perturbator that only this process knows, such as one of a notebook, can't be asked there.
    """
    if step.perturbator.find.__module__ not in ("__main__", from_regex.__module__):
        assert _differing_elsewhere([step]) == [], step


def _differing_elsewhere(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that give other bytes in one process with another PYTHONHASHSEED."""
    program = (
        "import importlib, sys, orjson, perturb\n"
        "from perturb.testing import HOSTILE, SENTENCES\n"
        "for module, spec in orjson.loads(sys.stdin.buffer.read()):\n"
        "    importlib.import_module(module)\n"
        "    made = perturb.apply([*HOSTILE.values(), *SENTENCES], spec, seed=11)\n"
        "    sys.stdout.buffer.write(orjson.dumps([ascii(one.text) for one in made]) + b'\\n')\n"
    )
    steps = [_at(step, 0.3) for step in steps]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "4321", "PYTHONPATH": os.pathsep.join(sys.path)},
        input=orjson.dumps([(step.perturbator.find.__module__, str(step)) for step in steps]),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    batch = [*HOSTILE.values(), *SENTENCES]
    here = [[ascii(one.text) for one in apply(batch, step, seed=11)] for step in steps]
    there = map(orjson.loads, done.stdout.splitlines())
    return [step for step, a, b in zip(steps, here, there, strict=True) if a != b]


def check_nested(step: Step, examples: int) -> None:
    """Check that the edits at a smaller p are among those at a larger one."""

    def check(text: str, low: float, high: float, seed: int) -> None:
        low, high = sorted((low, high))
        fewer = _apply(text, step, low, seed=seed).edits
        more = _apply(text, step, high, seed=seed).edits
        assert set(fewer) <= set(more), (step, text, low, high)

    _for_all(check, examples, texts, shares, shares, seeds)


def check_rate(step: Step, examples: int) -> None:
    """Check that the number of edits is on average the stated share, in short texts too.

    N = 3000 texts (1000 if the examples are few) of one to six words; where all of them have sites
    enough, the number of edits of each is within 1 of share * units, independently, so the sum is
    within 5 sqrt(N) / 2 of its expectation in all but one case in a million.
    """
    count, p = 1000 if examples < _FEW else 3000, 0.08
    batch = [
        " ".join(_WORDS[(7 * i + j * j) % len(_WORDS)] for j in range(1 + i % 6))
        for i in range(count)
    ]
    share = _at(step, p).share
    assert share is not None
    records = apply(batch, _at(step, p), seed=5, id=list(range(count)))
    able = [one for one in records if one.sites >= 2 + share * one.units]
    expected = sum(share * one.units for one in able)
    got = sum(one.steps[0].edits for one in able)
    assert abs(got - expected) <= 2.5 * len(able) ** 0.5, (step, got, expected)
    for one in able:
        assert abs(one.steps[0].edits - share * one.units) < 1, (step, one)


def check_all_taken(step: Step, examples: int) -> None:
    """Check that p = 1 takes every site that touches no taken one, and that `max_edits` bounds."""

    def check(text: str, seed: int) -> None:
        record = _apply(text, step, 1.0, seed=seed)
        made = record.steps[0].edits
        assert made <= record.sites <= 3 * made, (step, text)
        bounded = apply(text, _at(step, 1.0, max_edits=2), seed=seed)
        assert bounded.steps[0].edits == min(2, made), (step, text)
        assert set(bounded.edits) <= set(record.edits), (step, text)

    _for_all(check, examples, texts, seeds)


def check_protected(step: Step, examples: int) -> None:
    """Check that a protected span stays whole, and that protecting moves no edit elsewhere.

    It closes units, so that the edits elsewhere may be fewer; and where it takes sites away that
    come first, they may be more; but they are always the first of the same order.
    """

    def check(text: str, share: float, length: int, seed: int) -> None:
        start = int(share * len(text))
        end = min(start + length, len(text))
        free = _apply(text, step, 0.5, seed=seed)
        held = apply(text, _at(step, 0.5), seed=seed, protect=[(start, end)], spans=[(start, end)])
        if start < end:
            assert held.spans[0] is not None
            assert held.text[slice(*held.spans[0])] == text[start:end], (step, text, start, end)
        sites = step.sites(Batch.of([text]))
        if sites.apart():
            some, others = (
                {
                    edit
                    for edit, (low, high) in _reach(sites, record.edits).items()
                    if high < start or low > end or start == end
                }
                for record in (free, held)
            )
            assert some <= others or others <= some, (step, text, start, end)
        only = apply(text, _at(step, 1.0), seed=seed, only=[(start, end)])
        assert all(start <= e.start and e.end <= end for e in only.edits), (step, text, start, end)

    _for_all(check, examples, texts, _FRACTIONS, _LENGTHS, seeds)


def check_spans(step: Step, examples: int) -> None:
    """Check that spans move as a slow and obvious walk over the edits moves them."""

    def check(text: str, a: float, b: float, seed: int) -> None:
        start, end = sorted((round(a * len(text)), round(b * len(text))))
        record = apply(text, _at(step, 0.3), seed=seed, spans=[(start, end)])
        assert record.spans == (_walked(record, start, end),), (step, text, start, end)
        assert record.project(start, end) == record.spans[0], (step, text, start, end)

    _for_all(check, examples, texts, _FRACTIONS, _FRACTIONS, seeds)


def check_round_trips(step: Step, examples: int) -> None:
    """Check that records come back from JSON and pickle, and steps from specs and mappings."""

    def check(text: str, seed: int) -> None:
        record = _apply(text, step, 0.3, seed=seed)
        assert pickle.loads(pickle.dumps(record)) == record, (step, text)
        if not regex.search(r"\p{Cs}", text):
            parsed = record_of(orjson.loads(orjson.dumps(record.to_dict())))
            assert (parsed, parsed.original) == (record, text), (step, text)

    _for_all(check, examples, texts, seeds)
    pipeline = Pipeline((step,))
    assert Pipeline.of(str(step)) == pipeline, step
    assert Pipeline.of(orjson.loads(orjson.dumps(pipeline.to_dict()))) == pipeline, step
    assert pickle.loads(pickle.dumps(pipeline)) == pipeline, step


def check_replicates_differ(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that seeds and replicates give other edits, unless every site is taken.

    Of 16 versions of a text with one site at p = 0.37, all are alike in one case in a thousand.
    """
    text, moderate = " ".join(SENTENCES * 3), _at(step, 0.37)
    first, numbers = apply(text, moderate), range(1, 16)
    if first.steps[0].edits < first.sites:
        assert any(apply(text, moderate, seed=n).edits != first.edits for n in numbers), step
        assert any(apply(text, moderate, replicate=n).edits != first.edits for n in numbers), step


def check_global_state(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that the global generators of `random` and NumPy are neither read nor advanced."""
    before = (python_random.getstate(), repr(np.random.get_state()))
    first = apply(list(SENTENCES), _at(step, 0.5))
    assert (python_random.getstate(), repr(np.random.get_state())) == before, step
    python_random.random()
    np.random.random()
    assert apply(list(SENTENCES), _at(step, 0.5)) == first, step


def check_large(step: Step, examples: int) -> None:
    """Check that a text of 1 MB (of 128 kB if the examples are few) goes through, as any text."""
    text = " ".join([*SENTENCES, *(t for t in HOSTILE.values() if "\ud83d" not in t)])
    text *= -(-(1 << 17 if examples < _FEW else 1 << 20) // len(text))
    record = _apply(text, step, 0.02, seed=1)
    _check_edits(record, text)
    share = _at(step, 0.02).share
    assert share is not None
    if record.sites > record.units * 0.05:
        off = record.steps[0].edits - share * record.units
        assert abs(off) < max(1, 0.5 * record.units / len(text) ** 0.5), (step, record.rate)


def check_hostile(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that the texts that have broken other tools give valid records."""
    for p in (0.0, 0.2, 1.0):
        records = apply([*HOSTILE.values()], _at(step, p), seed=3)
        for (name, text), record in zip(HOSTILE.items(), records, strict=True):
            _check_edits(record, text)
            assert (record.status == "changed") == (record.text != text), (step, name, p)
            assert not (text.strip() == "" and record.text.strip()), (step, name, p)


# All checks, in the order in which `check_perturbator` makes them.
CHECKS: tuple[Check, ...] = (
    check_zero_is_identity,
    check_edits_rebuild,
    check_clusters_whole,
    check_independent,
    check_other_process,
    check_nested,
    check_rate,
    check_all_taken,
    check_protected,
    check_spans,
    check_round_trips,
    check_replicates_differ,
    check_global_state,
    check_large,
    check_hostile,
    declared.check_types,
    declared.check_status,
    declared.check_open_units,
    declared.check_digits_stay,
    declared.check_languages,
    declared.check_intensities_differ,
)


def _reach(sites: Sites, edits: Sequence[Edit]) -> dict[Edit, tuple[int, int]]:
    """Return the span that must be free for each edit: its own, or that of its whole site."""
    if not isinstance(sites, GroupedSites):
        return {edit: (edit.start, edit.end) for edit in edits}
    spans = [(a - 1, b - 1) for a, b in zip(sites.starts, sites.ends, strict=True)]
    return {e: next(s for s in spans if s[0] <= e.start and e.end <= s[1]) for e in edits}


def _at(step: Step, p: float, max_edits: int | None = None) -> Step:
    return Step(step.perturbator, p, max_edits=max_edits, parameters=step.parameters)


def _apply(text: str, step: Step, p: float, seed: int) -> Record:
    return apply(text, _at(step, p), seed=seed)


def _for_all(
    check: Callable[..., None], examples: int, *strategies: st.SearchStrategy[Any]
) -> None:
    for values in _examples(examples, *strategies):
        check(*values)


@functools.cache
def _examples(count: int, *strategies: st.SearchStrategy[Any]) -> list[tuple[Any, ...]]:
    """Draw examples, once for all perturbators; the first to fail is the shortest that does."""
    drawn: list[tuple[Any, ...]] = []

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*strategies))
    def draw(values: tuple[Any, ...]) -> None:
        drawn.append(values)

    draw()
    return sorted(drawn, key=lambda values: len(repr(values)))


def _check_edits(record: Record, text: str) -> None:
    assert record.original == text
    assert rebuild(text, record.edits) == record.text, record
    assert record.restore() == text, record
    at = 0
    for edit in record.edits:
        assert at <= edit.start <= edit.end <= len(text), (record, edit)
        assert text[edit.start : edit.end] != edit.text, (record, edit)
        at = edit.end
    assert (record.status == "changed") == (record.text != text), record


def _walked(record: Record, start: int, end: int) -> tuple[int, int]:
    """Carry a span the slow way: give each code point of the result a place in the original."""
    # For each code point of the result, the span of the original that it stands for.
    lows: list[int] = []
    highs: list[int] = []
    at = 0
    for edit in record.edits:
        lows += range(at, edit.start)
        highs += range(at + 1, edit.start + 1)
        lows += [edit.start] * len(edit.text)
        highs += [edit.end] * len(edit.text)
        at = edit.end
    lows += range(at, len(record.original))
    highs += range(at + 1, len(record.original) + 1)
    inside = [
        place
        for place, (low, high) in enumerate(zip(lows, highs, strict=True))
        if (low < end and high > start) or (start < low == high < end)
    ]
    if inside:
        return inside[0], inside[-1] + 1
    before = sum(1 for high in highs if high <= start)
    return before, before
