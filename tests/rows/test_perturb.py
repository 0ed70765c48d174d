"""Rows in, rows with linkage records out; the rows that came in stay as they are."""

import copy
from types import MappingProxyType

import pytest

from perturb.errors import DataError, UsageError
from perturb.pipeline.grids import Grid
from perturb.pipeline.pipeline import Pipeline
from perturb.rows.job import Job, RowCounts
from perturb.rows.perturb import perturb_rows, target

TYPOS = Pipeline.of("keyboard_typos:p=0.3")
ROW = {
    "id": "a",
    "text": "Seven quick brown foxes.",
    "spans": [[0, 5, "N"]],
    "list": [{"t": "one text"}, {"t": "another text"}],
}


def made(row, *pipelines, **settings):
    job = Job.of(Grid(pipelines or (TYPOS,)), **settings)
    return perturb_rows([row], job)


@pytest.mark.parametrize("field", ["text", "list[*].t", "list[t=one text].t"])
def test_the_row_that_came_in_is_not_changed(field):
    """Rows are copied as far as they are changed, and shared beyond that."""
    before = copy.deepcopy(ROW)
    spans = "spans" if field == "text" else None
    (row,) = made(ROW, field=field, spans_field=spans)
    assert before == ROW
    assert row["id"] == "a#0"
    assert (row["list"] is ROW["list"]) == (field == "text")


def test_the_order_of_versions():
    """The untouched row, then pipeline by pipeline its replicates."""
    rows = made(
        ROW, TYPOS, Pipeline.of("ocr:p=0.5"), replicates=2, with_original=True, seed=3
    )  # fmt: skip
    assert [row["id"] for row in rows] == [
        "a",
        *("a#keyboard_typos:p=0.3#0", "a#keyboard_typos:p=0.3#1"),
        *("a#ocr:p=0.5#0", "a#ocr:p=0.5#1"),
    ]
    assert {row["perturbation"]["original_id"] for row in rows} == {"a"}


def test_a_row_comes_out_the_same_in_any_company():
    """Alone, among others, and in another order a row gives the same."""
    job = Job.of(TYPOS, replicates=2)
    rows = [{"id": n, "text": "word " * n + "é" * (n % 3)} for n in range(40)]
    together = perturb_rows(rows, job)
    turned = perturb_rows(rows[::-1], job)
    alone = [made for row in rows for made in perturb_rows([row], job)]
    assert together == alone
    assert sorted(turned, key=repr) == sorted(together, key=repr)


def test_plain_rows_come_out_as_others_do():
    """Rows with one string each go a way of their own; a mapping that is no dict does not."""
    rows = [{"id": n or "zero", "text": "word " * n, "more": [n]} for n in range(20)]
    for job in (
        Job.of(TYPOS),
        Job.of(Grid((TYPOS, Pipeline.of("ocr"))), replicates=2, compact=True),
    ):
        others = perturb_rows(list(map(MappingProxyType, rows)), job)
        assert perturb_rows(rows, job) == others
        assert perturb_rows([{**row, "id": None} for row in rows], job) == perturb_rows(
            [MappingProxyType({**row, "id": None}) for row in rows], job
        )


def test_counts():
    """RowCounts add up, row by row or together."""
    job = Job.of(TYPOS, replicates=2, with_original=True)
    rows = [{"text": text} for text in ("some words", "", "1 2", "ж")]
    together, added = RowCounts(), RowCounts()
    perturb_rows(rows, job, together)
    for row in rows:
        counts = RowCounts()
        perturb_rows([row], job, counts)
        added.add(counts)
    assert vars(added) == vars(together)
    assert (together.rows, together.written) == (4, 12)
    assert together.changed + sum(together.reasons.values()) == 8


@pytest.mark.parametrize("row", [None, 5, "text", [ROW]])
def test_what_is_no_row(row):
    """A row is a mapping."""
    with pytest.raises(DataError, match="a row is a JSON object"):
        target(row, Job.of(TYPOS))


@pytest.mark.parametrize(
    "settings",
    [
        {"replicates": 0},
        {"replicates": True},
        {"replicates": 1.0},
        {"field": "id"},
        {"id_field": "text"},
        {"id_field": "perturbation"},
        {"span_policy": "shrink"},
        {"seed": 2**64},
        {"protect": ["field:a", "field:b"]},
        {"protect": "field:"},
        {"only": "nothing"},
    ],
)
def test_what_can_not_be(settings):
    """A job that can't be done is refused before any row is read."""
    with pytest.raises(UsageError):
        Job.of(TYPOS, **settings)


def test_texts_of_one_row_draw_on_their_own():
    """Two equal texts in one row get edits of their own."""
    row = {"id": 1, "list": ["the same words here"] * 2}
    (got,) = made(row, field="list[*]")
    assert got["list"][0] != got["list"][1]
    assert [said["field"] for said in got["perturbation"]] == ["list[0]", "list[1]"]


def test_a_selection_of_nothing_leaves_the_row_as_it_is():
    """No text, no record; the row still gets its id."""
    (got,) = made(ROW, field="list[t=nothing].t")
    assert got == ROW | {"id": "a#0", "perturbation": []}
