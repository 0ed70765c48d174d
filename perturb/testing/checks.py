"""The checks of the contract that all perturbators keep."""

from __future__ import annotations

import functools
import os
import pickle
import random as python_random
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import orjson
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perturb.api import apply
from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.scope import place_in
from perturb.engine.sites import Sites
from perturb.pipeline.combinators import one_of
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import Step
from perturb.records.edit import Edit
from perturb.records.record import Record
from perturb.registry import registry
from perturb.registry.definition import Perturbator
from perturb.registry.from_regex import from_regex
from perturb.rows.stored import record_of
from perturb.rows.verify import verify
from perturb.testing import declared
from perturb.testing.declared import at
from perturb.testing.strategies import HOSTILE, SENTENCES, seeds, shares, texts
from perturb.values.spans import rebuild

_BATCHES = st.lists(texts, max_size=5)
_FEW = 10  # with fewer examples, checks of one large text or of many texts take less
_FRACTIONS, _LENGTHS = st.floats(0, 1), st.integers(0, 40)

# A check of a step, with the number of random texts to check.
Check = Callable[[Step, int], None]


class _StepCheck(Protocol):
    def __call__(self, step: Step, examples: int) -> None: ...


@functools.cache
def _examples(count: int, *strategies: st.SearchStrategy[Any]) -> list[tuple[Any, ...]]:
    """Draw examples, once for all perturbators; the first to fail is the shortest one."""
    examples: list[tuple[Any, ...]] = []

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*strategies))
    def draw(values: tuple[Any, ...]) -> None:
        examples.append(values)

    draw()
    return sorted(examples, key=lambda values: len(repr(values)))


def _for_all(*strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], _StepCheck]:
    """Turn a check of a step and what strategies draw into one of a step and a number of draws."""

    def decorator(check: Callable[..., None]) -> _StepCheck:
        @functools.wraps(check, ("__module__", "__name__", "__qualname__", "__doc__"))
        def check_step(step: Step, examples: int) -> None:
            for values in _examples(examples, *strategies):
                check(step, *values)

        vars(check_step).pop("__wrapped__")  # so that its signature is (step, examples)
        return check_step

    return decorator


def check_perturbator(spec: str | Perturbator | Step, examples: int = 50) -> None:
    """Run every check on one perturbator.

    Args:
        spec: a name, a spec string with parameters, a perturbator (registered or not), or a step.
        examples: the number of random texts for each check.

    Raises:
        AssertionError: a promise of the contract is broken; the message says which.

    Examples:
        >>> check_perturbator("yz_swap", examples=3)
    """
    step = Pipeline.of(spec).steps[0]
    with registry.known(step.perturbator):
        for check in CHECKS:
            check(step, examples)


@_for_all(texts, seeds)
def check_zero_is_identity(step: Step, text: str, seed: int) -> None:
    """Check that at p = 0 nothing changes, and that the record says why."""
    record = apply(text, at(step, 0.0), seed=seed)
    assert record.text == text, (step, text, record.text)
    assert record.edits == ()
    assert record.status in ("p is 0", "no site", "not English", "not segmented", "no rewording"), (
        step,
        text,
        record.status,
    )


@_for_all(texts, shares, seeds)
def check_edits_rebuild(step: Step, text: str, p: float, seed: int) -> None:
    """Check that edits are sorted, separate and real, and lead from text to text and back."""
    record = apply(text, at(step, p), seed=seed)
    _check_edits(record, text)
    assert verify(record)


@_for_all(texts, seeds)
def check_clusters_whole(step: Step, text: str, seed: int) -> None:
    """Check that no edit splits a grapheme cluster or makes a lone surrogate."""
    record = apply(text, at(step, 1.0), seed=seed)
    borders = {0, len(text), *(match.start() for match in regex.finditer(r"\X", text))}
    for edit in record.edits:
        assert {edit.start, edit.end} <= borders, (step, text, edit)
        if not regex.search(r"\p{Cs}", text):
            assert not regex.search(r"\p{Cs}", edit.text), (step, text, edit)


@_for_all(_BATCHES, seeds)
def check_independent(step: Step, batch: list[str], seed: int) -> None:
    """Check that a result doesn't depend on the batch, the order, other steps, or a choice."""
    alone = [apply(text, at(step, 0.3), seed=seed) for text in batch]
    together = apply(batch, at(step, 0.3), seed=seed)
    backwards = apply(batch[::-1], at(step, 0.3), seed=seed)[::-1]
    assert together == alone == backwards, (step, batch)
    after_another = apply(batch, ["identity", at(step, 0.3)], seed=seed)
    edits = [record.edits for record in alone]
    assert [record.edits for record in after_another] == edits, (step, batch)
    some = apply(batch, one_of(["identity:p=0", at(step, 0.3)]), seed=seed)
    for record, expected in zip(some, edits, strict=True):
        assert record.edits == expected or not record.steps[0].p, (step, batch)


def check_other_process(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that another process with another PYTHONHASHSEED gives the same bytes.

    A perturbator that only this process knows, as in a notebook, can't be checked there.
    """
    if step.perturbator.find.__module__ not in ("__main__", from_regex.__module__):
        assert _differing_elsewhere([step]) == [], step


def _differing_elsewhere(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that give other bytes in a process with another PYTHONHASHSEED."""
    program = (
        "import importlib, sys, orjson, perturb\n"
        "from perturb.testing import HOSTILE, SENTENCES\n"
        "for module, spec in orjson.loads(sys.stdin.buffer.read()):\n"
        "    importlib.import_module(module)\n"
        "    made = perturb.apply([*HOSTILE.values(), *SENTENCES], spec, seed=11)\n"
        "    sys.stdout.buffer.write(orjson.dumps([ascii(one.text) for one in made]) + b'\\n')\n"
    )
    steps = [at(step, 0.3) for step in steps]
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


@_for_all(texts, shares, shares, seeds)
def check_nested(step: Step, text: str, low: float, high: float, seed: int) -> None:
    """Check that the edits at a smaller p are among those at a larger one."""
    low, high = sorted((low, high))
    fewer = apply(text, at(step, low), seed=seed).edits
    more = apply(text, at(step, high), seed=seed).edits
    assert set(fewer) <= set(more), (step, text, low, high)


def check_rate(step: Step, examples: int) -> None:
    """Check that the number of edits matches the stated share on average, in short texts too.

    There are 3000 texts (1000 if the examples are few) of one to six words.
    """
    count, moderate = 1000 if examples < _FEW else 3000, at(step, 0.08)
    batch = [declared.phrase(number, 1 + number % 6) for number in range(count)]
    declared.check_shares(moderate, apply(batch, moderate, seed=5, id=list(range(count))))


@_for_all(texts, seeds)
def check_all_taken(step: Step, text: str, seed: int) -> None:
    """Check that p = 1 takes every site that touches no taken one, and that `max_edits` holds."""
    record = apply(text, at(step, 1.0), seed=seed)
    count = record.steps[0].edits
    assert count <= record.sites <= 3 * count, (step, text)
    bounded = apply(text, at(step, 1.0, max_edits=2), seed=seed)
    assert bounded.steps[0].edits == min(2, count), (step, text)
    assert set(bounded.edits) <= set(record.edits), (step, text)


@_for_all(texts, _FRACTIONS, _LENGTHS, seeds)
def check_protected(step: Step, text: str, share: float, length: int, seed: int) -> None:
    """Check that a protected span stays whole, and that protecting moves no edit elsewhere.

    Protection closes units, so there may be fewer edits elsewhere; it may also remove sites that
    come first, so there may be more; but they are always the first in the same order.
    """
    start = int(share * len(text))
    end = min(start + length, len(text))
    span, moderate = (start, end), at(step, 0.5)
    free = apply(text, moderate, seed=seed)
    closed = apply(text, moderate, seed=seed, protect=[span], spans=[span])
    if start < end:
        assert closed.spans[0] is not None
        assert closed.text[slice(*closed.spans[0])] == text[start:end], (step, text, span)
    sites = step.sites(Batch.of([text]))
    if sites.apart():
        some, others = (
            {
                edit
                for edit, (low, high) in _reach(sites, record.edits).items()
                if high < start or low > end or start == end
            }
            for record in (free, closed)
        )
        assert some <= others or others <= some, (step, text, span)
    only = apply(text, at(step, 1.0), seed=seed, only=[span])
    assert all(start <= e.start and e.end <= end for e in only.edits), (step, text, span)


@_for_all(texts, _FRACTIONS, _FRACTIONS, seeds)
def check_spans(step: Step, text: str, a: float, b: float, seed: int) -> None:
    """Check that spans move as in a slow and obvious walk over the edits."""
    start, end = sorted((round(a * len(text)), round(b * len(text))))
    record = apply(text, at(step, 0.3), seed=seed, spans=[(start, end)])
    assert record.spans == (_walked(record, start, end),), (step, text, start, end)
    assert record.project(start, end) == record.spans[0], (step, text, start, end)


@_for_all(texts, seeds)
def _check_records_return(step: Step, text: str, seed: int) -> None:
    record = apply(text, at(step, 0.3), seed=seed)
    assert pickle.loads(pickle.dumps(record)) == record, (step, text)
    if not regex.search(r"\p{Cs}", text):
        parsed = record_of(orjson.loads(orjson.dumps(record.to_dict())))
        assert (parsed, parsed.original) == (record, text), (step, text)


def check_round_trips(step: Step, examples: int) -> None:
    """Check that records survive JSON and pickle, and steps survive specs and mappings."""
    _check_records_return(step, examples)
    pipeline = Pipeline((step,))
    assert Pipeline.of(str(step)) == pipeline, step
    assert Pipeline.of(orjson.loads(orjson.dumps(pipeline.to_dict()))) == pipeline, step
    assert pickle.loads(pickle.dumps(pipeline)) == pipeline, step


def check_replicates_differ(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that seeds and replicates give different edits, unless every site is taken.

    16 versions of a text with one site at p = 0.37 are all equal in one case in a thousand.
    """
    text, moderate = " ".join(SENTENCES * 3), at(step, 0.37)
    first, numbers = apply(text, moderate), range(1, 16)
    if first.steps[0].edits < first.sites:
        assert any(apply(text, moderate, seed=n).edits != first.edits for n in numbers), step
        assert any(apply(text, moderate, replicate=n).edits != first.edits for n in numbers), step


def check_global_state(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that the global generators of `random` and NumPy are neither read nor advanced."""
    before = (python_random.getstate(), repr(np.random.get_state()))
    first = apply(list(SENTENCES), at(step, 0.5))
    assert (python_random.getstate(), repr(np.random.get_state())) == before, step
    python_random.random()
    np.random.random()
    assert apply(list(SENTENCES), at(step, 0.5)) == first, step


def check_large(step: Step, examples: int) -> None:
    """Check that a text of 1 MB (128 kB with few examples) works like any other."""
    text = " ".join([*SENTENCES, *(t for t in HOSTILE.values() if "\ud83d" not in t)])
    text *= -(-(1 << 17 if examples < _FEW else 1 << 20) // len(text))
    record = apply(text, at(step, 0.02), seed=1)
    _check_edits(record, text)
    share = at(step, 0.02).share
    assert share is not None
    if record.sites > record.units * 0.05:
        off = record.steps[0].edits - share * record.units
        assert abs(off) < max(1, 0.5 * record.units / len(text) ** 0.5), (step, record.rate)


def check_hostile(step: Step, examples: int) -> None:  # noqa: ARG001
    """Check that texts that have broken other tools give valid records."""
    for p in (0.0, 0.2, 1.0):
        records = apply([*HOSTILE.values()], at(step, p), seed=3)
        for (name, text), record in zip(HOSTILE.items(), records, strict=True):
            _check_edits(record, text)
            assert (record.status == "changed") == (record.text != text), (step, name, p)
            assert not (text.strip() == "" and record.text.strip()), (step, name, p)


# All checks, in the order of `check_perturbator`.
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
    # With another key, an edit may lie where these sites have none; sites may interleave.
    around = {e: [s for s in spans if s[0] <= e.start and e.end <= s[1]] for e in edits}
    return {
        e: (min((s[0] for s in found), default=e.start), max((s[1] for s in found), default=e.end))
        for e, found in around.items()
    }


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
    over = [edit for edit in record.edits if edit.start < end and start < edit.end]
    if len(over) == 1 and over[0].start <= start and end <= over[0].end:
        low, high, text, removed = over[0]
        place = place_in(removed, text, start - low, end - low) if end - start < high - low else -1
        if place >= 0:  # as the same text in what the edit wrote
            place += low + sum(len(e.text) - len(e.removed) for e in record.edits if e.end <= low)
            return place, place + end - start
    # For each code point of the result, the span of the original that it replaces.
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
