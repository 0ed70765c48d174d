"""Spans over marks, against a walk over every place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.places import adjacent, covered, touching
from perturb.engine.text.strings import runs


@st.composite
def spans(draw):
    """Spans of a range: no two start together, and none ends before the one before it."""
    least = draw(st.sampled_from([0, 60]))  # many spans, few of them marked, go another way
    steps = draw(
        st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6)), min_size=least, max_size=120)
    )
    starts = 1 + np.cumsum([step for step, _ in steps], dtype=np.int64)
    ends = np.maximum.accumulate(starts + np.array([length for _, length in steps], np.int64))
    return starts, ends, int(ends.max(initial=0)) + 2


@pytest.mark.slow
@given(spans(), st.lists(st.tuples(st.integers(0, 499), st.integers(1, 5)), max_size=40))
def test_spans_that_touch_marks(case, runs) -> None:
    starts, ends, size = case
    blocked = np.zeros(size, np.bool_)
    for start, length in runs:
        blocked[1 + start % size : start % size + 1 + length] = True
    blocked[-1] = False
    expected = [
        blocked[start:end].any() if start < end else blocked[start - 1 : start + 1].any()
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    assert touching(blocked, starts, ends).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 30)), max_size=30))
def test_places_that_spans_cover(pairs) -> None:
    starts = np.array([start for start, _ in pairs], np.int64)
    ends = np.minimum(starts + np.array([length for _, length in pairs], np.int64), 100)
    expected = [
        any(start <= place < end for start, end in zip(starts, ends, strict=True))
        for place in range(100)
    ]
    assert covered(starts, ends, 100).tolist() == expected


@given(st.sets(st.integers(1, 98), max_size=60))
def test_runs_of_places_are_those_of_their_marks(numbers) -> None:
    places, marks = np.array(sorted(numbers), np.int64), np.zeros(100, np.bool_)
    marks[places] = True
    for ours, theirs in zip(adjacent(places), runs(marks), strict=True):
        assert ours.tolist() == theirs.tolist()
