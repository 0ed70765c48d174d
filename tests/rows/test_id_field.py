"""A field for ids that no row has is an error, as a target is, at every door."""

import json

import pytest

import perturb
from perturb.errors import DataError
from perturb.plan.job import job_of
from perturb.stream.perturb_file import perturb_file

ROWS = [{"meta": {"qid": f"q{n}"}, "key": n, "text": f"some plain words {n}"} for n in range(3)]
MESSAGE = "no row has an id in '{}'; --id-field .* names a field of the row, or a path"


@pytest.mark.parametrize("name", ["nosuch", "ID"])
def test_no_row_has_it(tmp_path, name):
    """Of rows, of a file, of a table."""
    message = MESSAGE.format(name)
    with pytest.raises(DataError, match=message):
        list(perturb.augment(ROWS, "typo_mix", field="text", id_field=name))
    columns = {key: [row[key] for row in ROWS] for key in ("key", "text")}
    with pytest.raises(DataError, match=message):
        perturb.Transform("typo_mix", field="text", id_field=name)(columns)
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    with pytest.raises(DataError, match=rf"in\.jsonl: {message}"):
        perturb_file(str(given), str(out), job_of("typo_mix", field="text", id_field=name))
    assert not out.exists()


@pytest.mark.parametrize("name", ["key", "id"])
def test_the_usual_field_may_be_missing_and_some_rows_are_enough(tmp_path, name):
    rows = [*ROWS, {"text": "no key"}]
    made = list(perturb.augment(rows, "typo_mix", field="text", id_field=name))
    assert len(made) == len({row[name] for row in made}) == 4
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    perturb_file(str(given), str(out), job_of("typo_mix", field="text", id_field=name))
    assert [json.loads(line) for line in out.read_bytes().splitlines()] == made


def test_a_key_that_looks_like_a_path_is_a_key(tmp_path):
    rows = [{"meta.qid": "a", "text": "some plain words"}]
    (made,) = perturb.augment(rows, "typo_mix", p=1.0, field="text", id_field="meta.qid")
    assert made["meta.qid"] == "a#typo_mix:p=1.0"
    assert list(perturb.augment([], "typo_mix", id_field="nosuch")) == []
