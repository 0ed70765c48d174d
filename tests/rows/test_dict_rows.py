"""Rows as objects: in blocks of lines they become what they become one by one."""

import enum
from collections import Counter
from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from both_ways import needs_kernels
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all

import perturb
from perturb.errors import DataError
from perturb.plan.job import job_of
from perturb.rows import dict_rows
from perturb.rows.counts import RowCounts
from perturb.rows.dict_rows import perturb_rows
from perturb.rows.perturb import perturb_each


class Role(enum.StrEnum):
    USER = "user"


class Rank(enum.IntEnum):
    FIRST = 1


ODD = [
    *(None, True, 1.5, 1e22, -0.0, float("nan"), float("inf"), 2**63, 2**70, "", "\ud800"),
    *((1, 2), [1, [2]], {"a": (1,)}, {1: 2}, {"x": None}, Role.USER, Rank.FIRST),
    *(date(2020, 1, 1), Decimal("1.1"), b"b", {2}),
]
TEXTS = st.text(alphabet='ab3 é漢\U0001f600"\\\n', max_size=30)
LABELS = st.one_of(TEXTS, st.integers(), st.floats(), st.lists(TEXTS, max_size=2))
SPANS = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2).map(sorted), max_size=2)
ROWS = st.fixed_dictionaries(
    {"text": st.one_of(TEXTS, st.lists(TEXTS, min_size=1, max_size=2))},
    optional={
        "id": st.one_of(st.none(), st.uuids().map(str), st.integers()),
        "answer": st.one_of(LABELS, st.sampled_from(ODD)),
        "spans": st.one_of(SPANS, SPANS.map(tuple)),
        "inner": st.fixed_dictionaries({"q": TEXTS}, optional={"more": st.sampled_from(ODD)}),
        "more": st.sampled_from(ODD),
    },
)
JOBS = [
    {},
    {"with_original": True, "replicates": 2},
    {"target": "answer"},
    {"spans": "spans"},
    {"spans": "spans", "span_policy": "drop", "offsets": "utf16", "lean": True},
    {"protect": "field:spans"},
    {"field": "inner.q"},
    {"field": ["text", "inner.q"], "target": "answer", "missing": "keep"},
    {"copies": "follow"},
    {"id_field": "inner.more"},
]


def typed(value):
    """A value with the types of all in it, to compare; NaN equals itself."""
    if isinstance(value, dict):
        return type(value), [(key, typed(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [*map(typed, value)]
    return type(value), repr(value)


def can_be_perturbed(row, job):
    try:
        return bool(perturb_each([row], job))
    except (DataError, TypeError):
        return False


@pytest.mark.parametrize("options", JOBS, ids=str)
@pytest.mark.parametrize("steps", ["char_delete:p=0.2", "case:style=upper,p=1 typo_mix:p=0.3"])
@settings(max_examples=of_all(60))
@given(rows=st.lists(ROWS, max_size=12))
def test_blocks_change_no_row(steps, options, rows):
    """Values keep their types, whether JSON has them or not."""
    options = {"field": "text", **options}
    job = job_of(steps, **options)
    rows = [row for row in rows if can_be_perturbed(row, job)] * (dict_rows._FEW + 1)
    counts, expected = RowCounts(), RowCounts()
    made, one_by_one = perturb_rows(rows, job, counts), perturb_each(rows, job, expected)
    assert [typed(list(own)) for own in made] == [typed(list(own)) for own in one_by_one]
    assert counts.to_dict() == expected.to_dict()


@needs_kernels
def test_a_block_takes_rows_with_answers_and_spans(monkeypatch):
    """What JSON gives back goes by the kernel, and a row that it doesn't goes alone."""
    rows = [{"id": n, "text": "one two", "spans": [[0, 3]], "answer": n / 4} for n in range(20)]
    rows[7]["answer"] = Rank.FIRST
    rows[9]["more"] = Role.USER  # no step reads it
    sizes = Counter()
    monkeypatch.setattr(
        dict_rows,
        "perturb_each",
        lambda rows, *given: sizes.update([len(rows)]) or perturb_each(rows, *given),
    )
    made = [*perturb.augment(rows, "char_swap:p=1", spans="spans", target="answer")]
    assert sizes == {1: 1}
    assert made[9]["more"] is Role.USER
    assert made[7]["answer"] is Rank.FIRST


def test_rows_of_many_bytes_are_several_blocks(monkeypatch):
    monkeypatch.setattr(dict_rows, "_BLOCK", 300)
    rows = [{"id": n, "text": "one two three " * (1 + 9 * (n % 5))} for n in range(50)]
    job = job_of("char_swap:p=0.3")
    assert perturb_rows(rows, job) == perturb_each(rows, job)


@pytest.mark.parametrize("others", [0, 30])
def test_arrays_count_as_lists(others):
    """Where a file of Parquet has lists, pandas has arrays, also in the objects of SQuAD."""
    row = {
        "context": "They met in Oslo, by the harbour.",
        "answers": {"text": np.array(["Oslo"]), "answer_start": np.array([12])},
        "vector": np.array([1.0, 2.0]),
    }
    rows = [row, *({"context": "x", "answers": []} for _ in range(others))]
    options = {"field": "context", "spans": "answers"}
    made = next(perturb.augment(rows, "case:style=upper,p=1", **options))
    assert made["answers"] == {"text": ["OSLO"], "answer_start": [12]}
    assert made["vector"] is row["vector"]
    by_list = {**row, "answers": {"text": ["Oslo"], "answer_start": [12]}}
    expected = next(perturb.augment([by_list], "case:style=upper,p=1", **options))
    assert made["perturbation"] == expected["perturbation"]


@pytest.mark.parametrize("others", [0, 30])
def test_numbers_of_numpy_count_as_those_of_python(others):
    """A label that NumPy made is the place of an option, as one of Python's is."""
    rows = [{"id": n, "text": ["one", "two", "three"], "label": 2} for n in range(1 + others)]
    by_numpy = [{**row, "label": np.int64(2)} for row in rows]
    made, expected = (
        [*perturb.augment(own, "option_shuffle:form=lines", target="label")]
        for own in (by_numpy, rows)
    )
    assert typed(made) == typed(expected)


def test_an_error_has_the_number_of_its_row():
    rows = [{"id": n, "text": "one two"} for n in range(40)]
    rows[33]["text"] = (1, 2)
    with pytest.raises(DataError, match=r"^row 34: the field 'text' must be a string"):
        list(perturb.augment(rows, "char_swap:p=1"))


@needs_kernels
@pytest.mark.parametrize("spans", [[[0, 0]], [[3, 3]], [[0, 0], [0, 3]], [[1, 3]], [[0, 3]], []])
@pytest.mark.parametrize("policy", ["grow", "drop", "refuse"])
def test_spans_beside_a_text_that_goes_are_refused_in_blocks_too(spans, policy):
    """An edit touches no empty span at its end, yet takes the text whole."""
    rows = [{"id": n, "text": "egg", "spans": spans} for n in range(20)]
    job = job_of("word_delete:p=1", spans="spans", span_policy=policy)
    assert perturb_rows(rows, job) == perturb_each(rows, job)
