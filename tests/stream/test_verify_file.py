"""Rows that come out the same when they are made again need no check one by one."""

import json

import pytest

from perturb.records import schema
from perturb.rows.job import Job
from perturb.stream.perturb_file import perturb_file
from perturb.stream.verify_file import verify_file

ROWS = 600


@pytest.fixture
def checks(monkeypatch):
    """The records that were checked field by field."""
    checked, check = [], schema.check
    monkeypatch.setattr(schema, "check", lambda one: checked.append(one) or check(one))
    return checked


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("out.jsonl", {}),
        ("out.jsonl", {"compact": True}),
        ("out.jsonl", {"replicates": 3, "protect": "number"}),
        ("out.jsonl", {"field": "many[*]"}),
        ("out.csv", {}),
        ("out.csv", {"form": "columns"}),
        ("out.parquet", {}),
    ],
    ids=lambda value: value if isinstance(value, str) else ",".join(value),
)
def test_few_records_are_checked_by_themselves(tmp_path, checks, name, options):
    """One of those that were made alike, of the rows that are read at a time."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    form = options.pop("form", None)
    source, target = tmp_path / "in.jsonl", tmp_path / name
    rows = [{"text": f"some {n} words, naïve", "many": [f"one {n}", "two"]} for n in range(ROWS)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = perturb_file(
        str(source), str(target), Job.of("keyboard_typos:p=0.3", **options), record=form
    )
    assert verify_file(str(target)).rows == made.counts.written
    assert 0 < len(checks) < ROWS / 20
