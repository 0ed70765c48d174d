"""The table of the fields of a record against the records that are written."""

import json

import pytest
from pages_shown import ROOT

import perturb
from perturb.cli import main
from perturb.errors import DataError
from perturb.records import schema
from perturb.records.schema import ANSWER, EDIT, LINKAGE, RECORD, SPAN, STEP, Field

ROW = {
    "id": 7,
    "text": "See https://a.example: Which one?\nA. red\nB. blue",
    "gold": "B",
    "spans": [[0, 3, "x"], [23, 28, "y"]],
}
JOBS = {
    "plain": ("keyboard_typos:p=0.3", {}),
    "several": (["ocr:p=0.3,max_edits=2", "char_swap:count=1", "case:severity=2"], {}),
    "chance": ("one_of(ocr:p=0.3 | sometimes(0.5, case:p=0.5))", {"replicates": 5}),
    "nothing": ("word_delete:p=0", {"with_original": True}),
    "note": ("option_shuffle", {"target": "gold", "with_original": True}),
    "spans": ("char_delete:p=0.5", {"spans_field": "spans", "span_policy": "drop"}),
    "scope": ("char_delete:p=0.5", {"protect": ["url", "field:spans"], "only": "word:red"}),
    "list": ("char_delete:p=0.5", {"field": "many[*]"}),
    "grid": (perturb.grid(["ocr", "case"], intensity=["low", "high"]), {}),
    "largest": ("ocr", {"seed": -(2**63)}),
}


def records(name):
    steps, job = JOBS[name]
    for row in perturb.augment([{**ROW, "many": ["one two", "three"]}], steps, **job):
        said = row[LINKAGE]
        yield from said if isinstance(said, list) else [said]


@pytest.mark.parametrize("name", JOBS)
def test_records_are_as_the_table_says(name) -> None:
    """The table checks what is written: all fields, in their order, and no others."""
    optional = {"spans": "spans", "answer": "note"}
    fields = [one.name for one in RECORD if optional.get(one.name, name) == name]
    found = list(records(name))
    assert found
    for record in found:
        schema.check(record)
        assert list(record) == fields
        for step in record["steps"]:
            assert list(step) == [one.name for one in STEP]
        for edit in record["edits"]:
            assert list(edit) == [one.name for one in EDIT if not one.optional]
        assert json.loads(json.dumps(record)) == record


@pytest.mark.parametrize("name", JOBS)
def test_the_json_schema_takes_what_is_written_and_nothing_else(name) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    valid = jsonschema.Draft202012Validator(schema.json_schema()).is_valid
    for record in records(name):
        assert valid({LINKAGE: record})
        assert valid({LINKAGE: [record]})
        for key in record.keys() - {"original", "spans", "answer"}:
            assert not valid({LINKAGE: {k: v for k, v in record.items() if k != key}})
            assert not valid({LINKAGE: {**record, key: None}})
        assert not valid({LINKAGE: {**record, "seed": 2**63}})
        assert not valid({LINKAGE: {**record, "more": 1}})


@pytest.mark.parametrize("name", JOBS)
def test_the_arrow_type_holds_what_is_written(name) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    made = list(records(name))
    kind = schema.arrow_type(spans=name == "spans", answer=name == "note")
    assert pa.array(made, kind).to_pylist() == made


def test_compact_records_have_a_type_of_their_own() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    kind = schema.arrow_type(compact=True)
    assert kind.get_field_index("original") == -1
    assert kind.field("edits").type.value_type.get_field_index("removed") == 3


@pytest.mark.parametrize("field", RECORD, ids=lambda field: field.name)
def test_another_type_is_refused(field) -> None:
    (record,) = records("plain")
    assert not {"spans", "answer"} & record.keys()
    wrong = 5 if field.kind in ("string", "strings", "objects", "object") else "5"
    with pytest.raises(perturb.DataError, match=rf"needs '{field.name}'; got {wrong!r}"):
        schema.check({**record, field.name: wrong})


def test_every_field_is_described() -> None:
    for one in (*RECORD, *STEP, *EDIT, *SPAN, *ANSWER):
        assert isinstance(one, Field)
        assert one.about.endswith(".")


def test_the_schema_that_ships_is_the_code_s() -> None:
    """If it is not: perturb show record --json | python -m json.tool > docs/record.schema.json."""
    shipped = (ROOT / "docs" / "record.schema.json").read_text("utf-8")
    assert json.loads(shipped) == schema.json_schema()


def test_show_record(capfd) -> None:
    """Every field with its type, and as JSON the schema."""
    assert main(["show", "record"]) == 0
    shown = [line.split()[:2] for line in capfd.readouterr().out.splitlines()]
    for one in (*RECORD, *STEP, *EDIT, *SPAN, *ANSWER):
        assert [one.name, f"{one.kind}."] in shown
    assert main(["show", "record", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == schema.json_schema()


def test_rows_of_the_command_line_are_as_the_schema_says(tmp_path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(ROW) + "\n", "utf-8")
    call = ["apply", "ocr", "synonym", "-p", "0.3", "-i", str(source), "-o", str(target)]
    assert main([*call, "--with-original", "--replicates", "3"]) == 0
    shipped = json.loads((ROOT / "docs" / "record.schema.json").read_text("utf-8"))
    rows = list(map(json.loads, target.read_text("utf-8").splitlines()))
    assert len(rows) == 4
    for row in rows:
        jsonschema.Draft202012Validator(shipped).validate(row)


def test_an_edit_that_is_wrong_is_named_among_many() -> None:
    """Many are looked at together, which lets nothing pass that each by itself would not."""
    (record,) = records("plain")
    for count in (1, 50):
        many = [{"start": n, "end": n + 1, "text": "x"} for n in range(count)]
        schema.check({**record, "edits": many})
        schema.check({**record, "edits": [{**one, "removed": "y"} for one in many]})
        for wrong in (
            {"start": True},
            {"end": 2**31},
            {"start": -(2**31) - 1},
            {"text": None},
            {"end": 1.0},
            {"removed": 5},
        ):
            damaged = [*many, {**many[-1], **wrong}]
            (name,) = wrong
            with pytest.raises(DataError, match=rf"edits\[{count}\] of .* needs '{name}'"):
                schema.check({**record, "edits": damaged})
        with pytest.raises(DataError, match="needs 'text'"):
            schema.check({**record, "edits": [*many, {"start": 1, "end": 2}]})


def test_many_edits_take_no_check_each(monkeypatch) -> None:
    """The number of checks does not grow with the edits."""
    calls, check = [], schema._check
    monkeypatch.setattr(schema, "_check", lambda *given: calls.append(given) or check(*given))
    (record,) = records("plain")
    for count in (10, 1000):
        calls.clear()
        schema.check(
            {**record, "edits": [{"start": n, "end": n, "text": "x"} for n in range(count)]}
        )
        assert len(calls) == 1 + len(record["steps"])
