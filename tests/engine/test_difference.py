"""Differences rebuild the text that they were found in, and split no cluster."""

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.batch import Batch
from perturb.engine.difference import difference
from perturb.errors import UsageError

texts = st.text("ab \u0301\r\n\U0001f1e9\U0001f1ea\u200d\U0001f469", max_size=14) | st.text(
    max_size=9
)


def rebuilt(text, replacements):
    parts, place = [], 0
    for start, end, new in replacements:
        parts += [text[place:start], new]
        place = end
    return "".join([*parts, text[place:]])


@given(texts, texts)
def test_replacements_rebuild_the_text(before, after):
    found = difference(before, after)
    assert rebuilt(before, found) == after
    places = [place for start, end, _ in found for place in (start, end)]
    assert places == sorted(places)
    assert all(last[1] < this[0] for last, this in pairwise(found))
    assert all(before[start:end] != new for start, end, new in found)
    clusters = Batch.of([before]).characters
    edges = {*(clusters.starts - 1).tolist(), len(before)}
    assert all({start, end} <= edges for start, end, _ in found)


def levenshtein(one, other):
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row, last = [i], row
        for j, b in enumerate(other, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (a != b)))
    return row[-1]


@given(st.text("abc", max_size=10), st.text("abc", max_size=10))
def test_no_fewer_characters_could_change(before, after):
    """Held against the textbook's algorithm."""
    cost = sum(max(end - start, len(new)) for start, end, new in difference(before, after))
    assert cost >= levenshtein(before, after)
    if cost:
        kept = len(before) - sum(end - start for start, end, _ in difference(before, after))
        assert kept >= max(len(before), len(after)) - 2 * levenshtein(before, after)


def test_without_the_library_the_message_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(UsageError, match=r"pip install 'perturb-text\[functions\]'"):
        difference("a", "b")
