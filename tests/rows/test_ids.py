"""Ids of rows without one: rows that differ have their own, equal rows share theirs and its noise."""

import datetime
import decimal
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.native import binding
from perturb.io.jsonl import dumps, loads
from perturb.plan.job import job_of
from perturb.records.ids import hashes_of_rows, id_of_text, record_keys, rows_of_ids
from perturb.rows.seen_ids import SeenIds, ids_in
from perturb.stream.blocks import perturb_block

TEXT = "How many eggs are there in the box?"
ROWS = [{"text": TEXT, "of": of} for of in (1, 2, 1, [3, None])]
STEP = "char_swap:p=0.5"
# Those that have a form in JSON.
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def original_ids(rows):
    return [row["perturbation"]["original_id"] for row in rows]


def check_ids(ids):
    """Those of ROWS: the first and the third are of one original, by the key of the text."""
    assert ids[0] == ids[2]
    assert len({*ids}) == 3
    assert {name.partition(".")[0] for name in ids} == {perturb.apply(TEXT, STEP).original_id}
    assert {len(name) for name in ids} == {len("text:") + 16 + 1 + 12}


@pytest.fixture(params=["kernels", "rows"])
def way(request, monkeypatch):
    if request.param == "rows":
        monkeypatch.setattr(binding, "LIBRARY", None)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("options", [{}, {"with_original": True}, {"replicates": 2}])
def test_lines_of_rows_that_differ_have_ids_of_their_own(options) -> None:
    job = job_of(STEP, None, **options)
    lines = "\n".join(map(json.dumps, ROWS)).encode()
    block = perturb_block(job, True, 1, lines)
    made = [json.loads(line) for line in bytes(block.data).splitlines()]
    check_ids(original_ids(made)[:: job.rows_each])
    assert len({row["text"] for row in made}) == job.rows_each  # their noise is the same
    assert all(map(perturb.verify, made))
    assert [perturb.restored(row) for row in made[:: job.rows_each]] == ROWS
    seen = SeenIds()
    assert seen.add(block.ids) is None
    assert (seen.repeats, seen.are_there) == (1, False)


def test_dicts_and_tables_have_the_ids_of_lines() -> None:
    """As far as their values are the same."""
    rows = list(perturb.augment(ROWS, STEP))
    line = json.dumps(ROWS[1]).encode()
    made = json.loads(bytes(perturb_block(job_of(STEP), True, 1, line).data))
    assert original_ids(rows)[1] == original_ids([made])[0]
    check_ids(original_ids(rows))
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    made = perturb.Transform(STEP)(columns)
    assert made["id"] == [row["id"] for row in rows]
    turned = perturb.Transform(STEP, field=["text"], with_original=True)(columns)
    assert turned["id"][1::2] == made["id"]


def test_a_row_of_several_texts_keeps_the_noise_of_its_key() -> None:
    """The hash of the row is in no key."""
    rows = [{"a": TEXT, "b": "Who wrote Emma?", "of": of} for of in (1, 2)]
    one, other = perturb.augment(rows, STEP, field=["a", "b"])
    assert one["id"] != other["id"]
    assert (one["a"], one["b"]) == (other["a"], other["b"])
    named = {**rows[1], "id": one["perturbation"]["original_id"]}
    (again,) = perturb.augment([named], STEP, field=["a", "b"])
    assert (again["a"], again["b"], again["id"]) == (one["a"], one["b"], one["id"])


def test_null_is_no_id_and_comes_back() -> None:
    rows = [{"id": None, "text": TEXT}, {"text": TEXT}]
    made = list(perturb.augment(rows, STEP))
    assert [row["perturbation"]["edits"].partition(";")[0] for row in made] == ["id=null", "id="]
    assert len({row["id"] for row in made}) == 2
    assert [perturb.restored(row) for row in made] == rows
    assert all(map(perturb.verify, made))


def test_a_row_of_another_home_is_verified_by_the_id_that_it_has() -> None:
    """A table gave it other values, or an order of keys; what it says of its text is proven."""
    (row,) = perturb.augment([ROWS[0]], STEP)
    moved = {"of": float(row.pop("of")), **row}
    assert perturb.verify(moved)
    other = {**moved, "id": moved["id"].replace(".", ".0", 1)}
    with pytest.raises(perturb.VerificationError):
        perturb.verify(other)
    wrong = json.loads(json.dumps(moved).replace(id_of_text(TEXT), id_of_text("x")))
    with pytest.raises(perturb.VerificationError):
        perturb.verify(wrong)


def test_what_json_has_no_form_for() -> None:
    """Bytes, numbers, durations and arrays keep rows apart; of other values their type counts."""
    values = [1, decimal.Decimal("1.1"), b"a", b"b", np.arange(2), np.arange(3), {1}, (1, 2), None]
    values += [
        datetime.date(2026, 1, 2),
        *map(float, ("nan", "inf", "-inf")),
        "\ud800",
        10**30,
        {3: 4},
        {(1,): 2},
    ]
    values += map(datetime.timedelta, (1, 2))
    hashes = hashes_of_rows({"text": TEXT, "value": value} for value in values)
    assert len({*hashes}) == len(values)
    assert hashes_of_rows([{"value": {1}}]) == hashes_of_rows([{"value": {2}}])


@pytest.mark.slow
@given(st.dictionaries(st.text(), st.integers() | FLOATS | st.text() | st.none(), max_size=3))
def test_the_hash_is_that_of_the_line(row) -> None:
    """Of rows as they stand in JSON lines."""
    line = dumps(row)
    (of_row,), (of_line,) = hashes_of_rows([row]), hashes_of_rows([loads(line, as_written=True)])
    assert of_row == of_line


def test_an_id_made_of_a_text_says_its_key() -> None:
    names = [id_of_text(TEXT), id_of_text(TEXT, "0123456789ab"), id_of_text(TEXT, "0123456789ac")]
    assert len({*record_keys(names, None).tolist()}) == 1
    assert len({*record_keys(names, ["b"] * 3).tolist()}) == 1
    assert len({*rows_of_ids(names).tolist()}) == 3
    odd = [names[1] + "0", names[1] + "\n", names[1].upper(), names[0] + "."]
    assert len({*record_keys([*names, *odd], None).tolist()}) == 5


def test_rows_that_were_given_one_id_are_told_from_repeats() -> None:
    seen = SeenIds()
    assert seen.add(ids_in(["a", "b"], [1, 2])) is None
    assert seen.add(ids_in([None] * 4, [3, 4, 5, 6], ["a", "c", "c", "c"])) is None
    assert (seen.repeats, seen.are_there) == (2, True)
    assert seen.add(ids_in([None] * 2, [7, 8], ["c", "a"])) is None
    assert seen.repeats == 4
    assert seen.add(ids_in(["c", "b"], [9, 10])) == (2, 10)
    assert sorted(seen.given.numbers.tolist()) == [1, 2, 9, 10]


def test_an_id_that_is_an_array_is_told():
    """It ended in an error of NumPy."""
    rows = [{"id": np.arange(2), "text": "one two"}]
    with pytest.raises(perturb.DataError, match=r"row 1: .*an id is a string or a whole number"):
        list(perturb.augment(rows, "char_swap"))


def test_a_row_that_holds_itself_is_told() -> None:
    """JSON writes no such row, so nothing tells it from another of its text."""
    row: dict[str, object] = {"text": "one two"}
    row["self"] = row
    with pytest.raises(perturb.DataError, match="row 1: the row is nested too deeply"):
        list(perturb.augment([row], "char_swap"))


def test_an_array_counts_as_a_list():
    """Whether a step reads it or not: a row of pandas is named as that of its file."""
    texts = {"text": "Ça va?", "more": "…"}
    names = {
        row["perturbation"]["original_id"]
        for value in ([1, 2], np.array([1, 2]))
        for row in perturb.augment([{**texts, "vector": value}], "char_swap")
    }
    assert len(names) == 1
