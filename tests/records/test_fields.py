"""The table of the fields of a record against the records that are written."""

import json

import pytest
from pages_shown import ROOT

import perturb
from perturb.cli import main
from perturb.records import notation
from perturb.records.notation import LINKAGE, NAMES, RECORD

ROW = {
    "id": 7,
    "text": "See https://a.example: Which one?\nA. red\nB. blue",
    "gold": "B",
    "spans": [[0, 3, "x"], [23, 28, "y"]],
    "many": ["one two", "three; 100 % | a=b > c"],
    "b%=": {"c": "odd\u2028\x85 name"},
}
JOBS = {
    "plain": ("keyboard_typos:p=0.3", {}),
    "several": (["ocr:p=0.3,max_edits=2", "char_swap:count=1", "case:severity=2"], {}),
    "chance": ("one_of(ocr:p=0.3 | sometimes(0.5, case:p=0.5))", {"replicates": 5}),
    "nothing": ("word_delete:p=0", {"with_original": True}),
    "note": ("option_shuffle", {"target": "gold", "with_original": True}),
    "spans": ("char_delete:p=0.5", {"spans": "spans", "span_policy": "drop"}),
    "scope": ("char_delete:p=0.5", {"protect": ["url", "field:spans"], "only": "word:red"}),
    "list": ("char_delete:p=0.5", {"field": "many[*]"}),
    "fields": ("char_delete:p=0.9", {"field": ["text", "many", "b%=.c"], "lean": True}),
    "grid": (perturb.grid(["ocr", "case"], intensity=["low", "high"]), {}),
    "largest": ("ocr", {"seed": -(2**63)}),
    "expect": (perturb.grid(['"a b"=ocr', "case"]), {"expect": {"a b": "other"}}),
}


def records(name):
    steps, job = JOBS[name]
    return [row[LINKAGE] for row in perturb.augment([ROW], steps, **job)]


@pytest.mark.parametrize("name", JOBS)
def test_records_are_as_the_table_says(name) -> None:
    """Strings, all of them there, in their order, on one line but for the text itself."""
    assert records(name)
    for record in records(name):
        assert notation.checked(record) == record
        assert tuple(record) == NAMES
        assert set(map(type, record.values())) == {str}
        assert all(len(record[key].splitlines()) < 2 for key in NAMES if key != "original")


@pytest.mark.parametrize("name", JOBS)
def test_the_json_schema_takes_what_is_written_and_nothing_else(name) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    valid = jsonschema.Draft202012Validator(notation.json_schema()).is_valid
    for record in records(name):
        assert valid({LINKAGE: record})
        assert not valid({LINKAGE: [record]})
        for key in record:
            assert not valid({LINKAGE: {k: v for k, v in record.items() if k != key}})
            assert not valid({LINKAGE: {**record, key: None}})
        for key in ("status", "expect", "edits", "check"):
            assert not valid({LINKAGE: {**record, key: "x"}})
        assert not valid({LINKAGE: {**record, "more": ""}})


@pytest.mark.parametrize("name", JOBS)
def test_the_arrow_type_holds_what_is_written(name) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert pa.array(records(name), notation.arrow_type()).to_pylist() == records(name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("empty", [None, float("nan"), "absent"])
def test_null_nan_and_absence_are_empty(name, empty) -> None:
    """As readers of CSV and SQL give back a column of empty strings."""
    record = records("nothing")[0]
    given = {key: value for key, value in record.items() if key != name or empty != "absent"}
    if empty != "absent":
        given[name] = empty
    if name in ("status", "expect"):
        with pytest.raises(
            perturb.DataError, match=r"needs one of (changed, original|same, mapped), "
        ):
            notation.checked(given)
    else:
        assert notation.checked(given) == {**record, name: ""}


@pytest.mark.parametrize("name", NAMES)
def test_another_type_is_refused(name) -> None:
    """But where a reader may have taken a string for a number: no proof rests on these."""
    (record,) = records("plain")
    if name in ("original_id", "original", "condition"):
        assert notation.checked({**record, name: 5}) == {**record, name: "5"}
    else:
        with pytest.raises(perturb.DataError, match=rf"needs a string in '{name}'; got 5"):
            notation.checked({**record, name: 5})


@pytest.mark.parametrize("linkage", [5, "text", ["a"], None])
def test_what_is_no_record_is_refused(linkage) -> None:
    for many in (notation.checked, lambda one: notation.checked_many([one])):
        with pytest.raises(perturb.DataError, match="the 'perturbation' of a row must be an obj"):
            many(linkage)


def test_many_records_in_columns_are_those_of_each() -> None:
    (record,) = records("plain")
    odd = {name: record[name] for name in NAMES[::-1] if name != "original"} | {"more": 1}
    for some in ([], [record] * 2, [record, odd], [{**record, "original_id": 5}]):
        each = [*map(tuple, map(dict.values, map(notation.checked, some)))]
        assert [*zip(*notation.checked_many(some), strict=True)] == each
    with pytest.raises(perturb.DataError, match="needs one of"):
        notation.checked_many([record, {**record, "status": "odd"}])


def test_every_field_is_described() -> None:
    assert all(field.about.endswith(".") for field in RECORD)


def test_the_schema_that_ships_is_the_code_s() -> None:
    """If it is not: perturb show record --json | python -m json.tool > docs/record.schema.json."""
    shipped = (ROOT / "docs" / "record.schema.json").read_text("utf-8")
    assert json.loads(shipped) == notation.json_schema()


def test_show_record(capfd) -> None:
    """Every field, and as JSON the schema."""
    assert main(["show", "record"]) == 0
    shown = [line.split(maxsplit=1) for line in capfd.readouterr().out.splitlines()]
    for field in RECORD:
        assert [field.name, field.about] in shown
    assert main(["show", "record", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == notation.json_schema()


def test_rows_of_the_command_line_are_as_the_schema_says(tmp_path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(ROW) + "\n", "utf-8")
    call = ["apply", "ocr", "synonym", "-p", "0.3", "-i", str(source), "-o", str(target)]
    assert main([*call, "--with-original", "--replicates", "3"]) == 0
    shipped = json.loads((ROOT / "docs" / "record.schema.json").read_text("utf-8"))
    rows = list(map(json.loads, target.read_bytes().splitlines()))
    assert len(rows) == 4
    for row in rows:
        jsonschema.Draft202012Validator(shipped).validate(row)
