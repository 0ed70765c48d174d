"""Ids at a path, such as `metadata.id`: read, written and restored where they are."""

import json
from pathlib import Path
from typing import Any

import pytest

from perturb import Transform, augment, verify
from perturb.engine.native import binding
from perturb.errors import DataError, UsageError
from perturb.evaluation import evaluate
from perturb.plan.job import job_of
from perturb.robustness import score
from perturb.rows.stored import id_in, restored
from perturb.stream.perturb_file import perturb_file

# Paths to an id, each with what a row has beside its text.
PATHS: dict[str, Any] = {
    "metadata.id": {"metadata": {"id": "q{}", "of": 1}},
    "response.custom.id": {"response": {"custom": {"id": "q{}"}}},
    "items[0].id": {"items": [{"id": "q{}"}, {"id": "other"}]},
    "filtered[-1]": {"filtered": ["first", "q{}"]},
    "items[kind=main][0].id": {"items": [{"kind": "x", "id": "o"}, {"kind": "main", "id": "q{}"}]},
}


def rows_at(path: str) -> list[dict[str, Any]]:
    texts = "Is it a long way from here?", "Nobody said so, did they?", "Where is my other shoe?"
    beside = json.dumps(PATHS[path])
    return [
        {**json.loads(beside.replace("{}", str(n))), "text": text} for n, text in enumerate(texts)
    ]


def written(tmp_path: Path, rows: Any, path: str, **options: Any) -> bytes:
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    perturb_file(str(given), str(out), job_of("keyboard_typos", 0.3, id_field=path, **options))
    return out.read_bytes()


@pytest.mark.parametrize("path", PATHS)
def test_a_path_leads_to_the_id(tmp_path, path, monkeypatch):
    """The id makes the noise, gets the suffix where it is, and comes back; with kernels or not."""
    rows = rows_at(path)
    plain = [{"id": f"q{n}", "text": row["text"]} for n, row in enumerate(rows)]
    as_field = [*augment(plain, "keyboard_typos", 0.3, with_original=True)]
    made = [*augment(rows, "keyboard_typos", 0.3, with_original=True, id_field=path)]
    assert [row["text"] for row in made] == [row["text"] for row in as_field]
    assert [id_in(row) for row in made] == [row["id"] for row in as_field]
    assert [restored(row) for row in made] == [row for row in rows for _ in range(2)]
    assert all(map(verify, made))
    data = written(tmp_path, rows, path, with_original=True)
    assert [json.loads(line) for line in data.splitlines()] == made
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert written(tmp_path, rows, path, with_original=True) == data


def test_two_processes_write_the_same(tmp_path, perturb):
    rows = rows_at("metadata.id") * 700
    rows = [{**row, "metadata": {"id": n}} for n, row in enumerate(rows)]
    given = "".join(json.dumps(row) + "\n" for row in rows).encode()
    call = ("apply", "ocr", "-p", "0.2", "--id-field", "metadata.id", "--workers")
    one, two = (perturb(*call, str(workers), stdin=given) for workers in (1, 2))
    assert one.out == two.out
    assert one.rows[7]["perturbation"]["original_id"] == "7"


def test_numbers_and_null_at_a_path(tmp_path):
    """A number becomes a text, and null an id made of the text; both come back."""
    rows = [{"meta": {"id": each}, "text": f"some plain words {each}"} for each in (7, None)]
    made = [*augment(rows, "typo_mix", p=0.2, id_field="meta.id")]
    assert made[0]["meta"]["id"] == "7#typo_mix:p=0.2"
    assert made[1]["meta"]["id"].startswith("text:")
    assert [restored(row) for row in made] == rows
    assert rows[0]["meta"] == {"id": 7}


def test_a_path_that_cannot_be_is_refused_before_a_row_is_written(perturb):
    given = json.dumps({"metadata": {"id": 1}, "items": [{"id": 1}], "text": "some words"}).encode()
    for path, message in {
        "items[*].id": "id_field takes a path to one value",
        "items[id=1].id": "this may lead to several",
        "metdata.id": "did you mean metadata?; say with --id-field",
        "metadata.name": "there is no 'name'",
        "items.id": "can't find 'id'",
    }.items():
        done = perturb("apply", "ocr", "--id-field", path, stdin=given)
        assert message in done.err, path
        assert done.status in (1, 2), path
        assert not done.out, path
    with pytest.raises(UsageError, match="this may lead to several"):
        job_of("ocr", id_field="a.*")


def test_two_rows_of_one_id_at_a_path(tmp_path):
    rows = rows_at("metadata.id")[:1] * 2
    with pytest.raises(DataError, match=r"row 2: its 'metadata.id' is that of row 1 too"):
        list(augment(rows, "ocr", id_field="metadata.id"))
    with pytest.raises(DataError, match=r"its 'metadata.id' is that of line 1 too"):
        written(tmp_path, rows, "metadata.id")


def test_an_id_within_what_moves_is_refused():
    rows = [{"docs": [{"id": f"d{n}", "text": f"passage {n}"} for n in range(4)], "gold": "d1"}]
    how: Any = {"choices": "docs", "target": "gold", "id_field": "docs[0].id"}
    with pytest.raises(DataError, match="is within a value that the steps rewrite"):
        list(augment(rows, "passages:kind=shuffle", **how))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables(tmp_path, form, perturb):
    """An id within a column comes back with the types that it had."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    rows = [{**row, "metadata": {"id": n}} for n, row in enumerate(rows_at("metadata.id"))]
    given, table, noisy = (tmp_path / name for name in ("in.jsonl", f"in.{form}", f"out.{form}"))
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    call = ("apply", "ocr", "-p", "0.3", "--id-field", "metadata.id", "-i")
    if form == "parquet":
        import pyarrow as pa
        import pyarrow.parquet

        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), table)
        perturb(*call, str(table), "-o", str(noisy))
        assert (
            str(pyarrow.parquet.read_schema(noisy).field("metadata").type) == "struct<id: string>"
        )
        perturb("verify", str(noisy), "-i", str(table))
        perturb(*call, str(given), "-o", str(tmp_path / "typed.parquet"))
        assert pyarrow.parquet.read_table(tmp_path / "typed.parquet").equals(
            pyarrow.parquet.read_table(noisy)
        )
    else:
        perturb(*call, str(given), "-o", str(noisy))
        perturb("verify", str(noisy), "-i", str(given))
    back = [json.loads(line) for line in perturb("restore", str(noisy)).out.splitlines()]
    assert back == rows
    assert "0#ocr" in perturb("diff", str(noisy)).out.decode()


def test_a_table_in_memory_and_its_schema():
    pa = pytest.importorskip("pyarrow")
    rows = [{**row, "n": {"id": at, "of": 1}} for at, row in enumerate(rows_at("items[0].id"))]
    table = pa.Table.from_pylist(rows)
    for path, kept in {"n.id": "n", "items[0].id": "items"}.items():
        noisy = Transform("ocr", 0.3, id_field=path)
        expected = [*augment(rows, "ocr", 0.3, id_field=path)]
        columns = noisy({name: [row[name] for row in rows] for name in rows[0]})
        assert columns[kept] == [row[kept] for row in expected]
        made = noisy(table)
        assert made[kept].to_pylist() == columns[kept]
        assert made.schema.equals(noisy.schema(table.schema))
        assert noisy(table.to_reader()).read_all().equals(made)
    numbered = pa.Table.from_pylist([{"items": [{"id": 1}], "text": "some words"}])
    with pytest.raises(DataError, match="leads into a list of struct<id: int64>"):
        Transform("ocr", id_field="items[0].id")(numbered)


def test_inside_a_file_that_keeps_its_form(tmp_path, perturb):
    given, out = tmp_path / "in.json", tmp_path / "out.json"
    given.write_text('{"name": "f",  "docs": [{"meta": {"id": 5}, "text": "some plain words"}]}')
    call = ("apply", "ocr", "-p", "1", "--rows", "docs[*]", "--id-field")
    perturb(*call, "meta.id", "-i", str(given), "-o", str(out), "--nested")
    assert out.read_text().startswith('{"name": "f",  "docs": [{"meta": {"id": 5}, "text": "')
    perturb("verify", str(out), "-i", str(given))
    (row,) = perturb(*call, "^.name", "-i", str(given)).rows
    assert row["^"]["name"] == "f#ocr:p=1.0"
    assert row["perturbation"]["original_id"] == "f"


def test_rows_of_such_ids_are_scored():
    rows = augment(rows_at("metadata.id"), "ocr", id_field="metadata.id", with_original=True)
    verdict = score([{**row, "score": 1.0} for row in rows], score="score")
    assert "3 originals" in verdict.sentence


def test_rows_keep_such_ids_where_a_system_answers_them():
    rows = [*augment(rows_at("metadata.id"), "ocr", id_field="metadata.id", with_original=True)]
    for seeds, ends in ((None, [""]), ([3, 4], ["#rs3", "#rs4"])):
        answered = evaluate(lambda text, seed=0: text[seed], rows, seeds=seeds)
        assert not any("id" in row for row in answered)
        names = [row["metadata"]["id"] + end for row in rows for end in ends]
        assert [row["metadata"]["id"] for row in answered] == names
