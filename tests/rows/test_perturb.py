"""Rows in, rows with linkage records out; the rows that came in stay as they are."""

import copy
from itertools import chain
from types import MappingProxyType

import pytest

from perturb import augment, restored, verify
from perturb.errors import DataError, UsageError
from perturb.pipeline.pipeline import grid
from perturb.plan.job import job_of
from perturb.records import notation
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_each
from perturb.rows.row_texts import row_texts

TYPOS = "keyboard_typos:p=0.3"
ROW = {
    "id": "a",
    "text": "Seven quick brown foxes.",
    "spans": [[0, 5, "N"]],
    "list": [{"t": "one text"}, {"t": "another text"}],
}


def perturb_rows(*call):
    return list(chain.from_iterable(perturb_each(*call)))


def made(row, *pipelines, **settings):
    return perturb_rows([row], job_of(grid(pipelines or [TYPOS]), **settings))


@pytest.mark.parametrize("field", ["text", "list[*].t", "list[t=one text].t"])
def test_the_row_that_came_in_is_not_changed(field):
    """Rows are copied as far as they are changed, and shared beyond that."""
    before = copy.deepcopy(ROW)
    spans = "spans" if field == "text" else ()
    (row,) = made(ROW, field=field, spans=spans)
    assert before == ROW
    assert row["id"] == "a#keyboard_typos:p=0.3"
    assert (row["list"] is ROW["list"]) == (field == "text")


def test_the_order_of_versions():
    """The untouched row, then pipeline by pipeline its replicates."""
    rows = made(
        ROW, TYPOS, "noisy=ocr:p=0.5", replicates=2, with_original=True, seed=3
    )  # fmt: skip
    assert [row["id"] for row in rows] == [
        "a",
        *("a#keyboard_typos:p=0.3", "a#keyboard_typos:p=0.3#1"),
        *("a#noisy", "a#noisy#1"),
    ]
    assert {row["perturbation"]["original_id"] for row in rows} == {"a"}


def test_a_row_comes_out_the_same_in_any_company():
    """Alone, among others, and in another order a row gives the same."""
    job = job_of(TYPOS, replicates=2)
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
        job_of(TYPOS),
        job_of(grid([TYPOS, "ocr"]), replicates=2, lean=True),
    ):
        others = perturb_rows(list(map(MappingProxyType, rows)), job)
        assert perturb_rows(rows, job) == others
        assert perturb_rows([{**row, "id": None} for row in rows], job) == perturb_rows(
            [MappingProxyType({**row, "id": None}) for row in rows], job
        )


def test_counts():
    """RowCounts add up, row by row or together."""
    job = job_of(TYPOS, replicates=2, with_original=True)
    rows = [{"text": text} for text in ("some words", "", "1 2", "ж")]
    together, added = RowCounts(), RowCounts()
    perturb_rows(rows, job, together)
    for row in rows:
        counts = RowCounts()
        perturb_rows([row], job, counts)
        added.add(counts)
    assert vars(added) == vars(together)
    assert (together.rows, together.written) == (4, 12)
    (statuses,) = together.statuses.values()
    assert (sum(statuses.values()), statuses["no site"]) == (8, 4)
    two = RowCounts()
    perturb_rows([{"text": "some", "more": "words"}], job_of(TYPOS, field=["text", "more"]), two)
    assert (two.rows, two.texts, two.written) == (1, 2, 1)


@pytest.mark.parametrize("value", [True, 1.5])
@pytest.mark.parametrize("others", [{}, {"with_original": True}])
def test_what_is_no_id(value, others) -> None:
    """Whether all rows are checked together or each alone."""
    row = {"id": value, "text": "some words"}
    with pytest.raises(DataError, match=f"a string or a whole number; got {value}"):
        perturb_rows([row], job_of(TYPOS, **others))


@pytest.mark.parametrize("row", [None, 5, "text", [ROW]])
def test_what_is_no_row(row):
    """A row is a mapping."""
    with pytest.raises(DataError, match="a row is a JSON object"):
        row_texts(row, job_of(TYPOS))


@pytest.mark.parametrize(
    "settings",
    [
        {"replicates": 0},
        {"replicates": 10_001},
        {"field": "id"},
        {"id_field": "text"},
        {"id_field": "perturbation"},
        {"span_policy": "shrink"},
        {"seed": 2**64},
        {"protect": "field:"},
        {"protect": "field:other=spans"},
        {"spans": "other=spans"},
        {"field": []},
        {"field": ["text", "text"]},
        {"field": "text", "target": "text"},
        {"target": "perturbation"},
        {"expect": "equal"},
        {"expect": {"other": "same"}},
        {"only": ["json", "field:spans"]},
        {"protect": "json"},
        {"only": "nothing"},
    ],
)
def test_what_can_not_be(settings):
    """A job that can't be done is refused before any row is read."""
    with pytest.raises(UsageError):
        job_of(TYPOS, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        *({"replicates": True}, {"replicates": 1.0}, {"seed": "1"}, {"with_original": 1}),
        *({"field": 5}, {"field": ["text", 5]}, {"id_field": 5}, {"lean": None}),
    ],
)
def test_what_is_of_another_type(settings):
    with pytest.raises(TypeError):
        job_of(TYPOS, **settings)


def test_equal_texts_of_one_row_get_equal_edits():
    """Others draw on their own."""
    row = {"id": 1, "list": ["the same words here"] * 2 + ["the same words there"]}
    (got,) = made(row, field="list[*]")
    assert got["list"][0] == got["list"][1] != row["list"][0]
    assert got["list"][2][:14] != got["list"][0][:14]
    changes = notation.read(got["perturbation"]["edits"])
    assert [*changes.texts] == ["list[0]", "list[1]", "list[2]"]


def test_a_selection_of_nothing_leaves_the_row_as_it_is():
    """No text; the row still gets its id, and a record that says so."""
    (got,) = made(ROW, field="list[t=nothing].t")
    record = got.pop("perturbation")
    assert got == ROW | {"id": "a#keyboard_typos:p=0.3"}
    assert (record["status"], record["edits"], record["original"]) == ("no site", "", "")


def test_a_row_without_id_and_text_is_named_as_an_empty_text_is() -> None:
    rows = [{"parts": []}, {"parts": ["How many eggs?"]}]
    versions = list(augment(rows, "char_swap", p=1.0, field="parts[*]"))
    (empty,) = augment([{"text": ""}], "char_swap", p=1.0)
    assert versions[0]["id"].partition(".")[0] == empty["id"].partition(".")[0]
    assert empty["id"].startswith("text:")
    for row, original in zip(versions, rows, strict=True):
        assert verify(row)
        assert restored(row) == original


def test_a_row_without_an_id_gets_the_same_noise_beside_others() -> None:
    """Of whatever number of texts."""
    rows = [{"parts": ["How many eggs?"]}, {"parts": ["one more", "and another"]}, {"parts": []}]
    together = list(augment(rows, "char_swap", p=1.0, field="parts[*]"))
    alone = [row for each in rows for row in augment([each], "char_swap", p=1.0, field="parts[*]")]
    assert together == alone


def test_counts_of_a_manifest_may_lack_those_of_rows_that_repeat_others() -> None:
    """Nobody counted them, so that none are added to those of other files."""
    content = {"rows_read": 2, "rows_repeated": None, "rows_written": 2, "conditions": {}}
    counts = RowCounts.of(content)
    counts.add(RowCounts.of({name: content[name] for name in content if "repeated" not in name}))
    assert (counts.rows, counts.repeats) == (4, 0)
