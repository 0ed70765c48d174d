"""Differences rebuild the text that they were found in, and split no cluster."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from perturb.engine import difference as module
from perturb.engine.batch import Batch
from perturb.engine.difference import difference

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


@given(st.text("abc ", max_size=40), st.text("abc ", max_size=40))
def test_changes_are_those_of_rapidfuzz(before, after):
    """Which has Myers' algorithm in C++: of equally few changes the same are taken."""
    theirs = [(one.src_pos, one.dest_pos) for one in Levenshtein.editops(before, after)]
    one, other = list(before), list(after)
    changes = list(module.changed_parts(one, other))
    if changes and one and other:
        found = [
            (a, c)
            for a, b, c, d in changes
            for a, c in (
                zip([*range(a, b)] or [a] * (d - c), [*range(c, d)] or [c] * (b - a), strict=True)
            )
        ]
        assert found == theirs


@pytest.fixture
def compared(monkeypatch):
    """The pairs of clusters that are compared, each time that two parts are."""
    sizes = []

    def counted(before, after):
        sizes.append(len(before) * len(after))
        return fewest(before, after)

    fewest = module._fewest
    monkeypatch.setattr(module, "_fewest", counted)
    return sizes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ab" * 80_000, "ba" * 80_000 + "c"),
        ("a" * 100_000, "b" * 100_000),
        ("z" + "ab" * 50_000 + "z", "ab"),
        (" ".join(map(str, range(60_000))), " ".join(map(str, reversed(range(60_000))))),
    ],
)
def test_work_grows_with_the_texts_and_not_with_their_square(before, after, compared):
    found = difference(before, after)
    assert rebuilt(before, found) == after
    assert sum(compared) < 200 * (len(before) + len(after))
    assert max(compared, default=0) <= module._MOST_PAIRS


@pytest.mark.slow
def test_a_few_changes_of_a_long_text_are_found_one_by_one(compared):
    words = [f"word{number}" for number in range(20_000)]
    changed = [
        word.replace("word1", "ward1") if n % 100 == 0 else word for n, word in enumerate(words)
    ]
    found = difference(" ".join(words), " ".join(changed))
    assert len(found) == sum(one != other for one, other in zip(words, changed, strict=True)) > 50
    assert {(end - start, text) for start, end, text in found} == {(1, "a")}


@given(texts, texts)
def test_parts_rebuild_the_text_too(before, after):
    """As of texts that are too long to be compared as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"_MOST_PAIRS": 4, "_WINDOW": 2, "_PART": 1}.items():
            patch.setattr(module, name, value)
        found = difference(before, after)
    assert rebuilt(before, found) == after
    assert all(last[1] < this[0] for last, this in pairwise(found))
