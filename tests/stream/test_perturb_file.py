"""Files are perturbed and verified from Python as from the command line."""

import json
from pathlib import Path

import pytest

from perturb.errors import DataError, VerificationError
from perturb.pipeline.pipeline import Pipeline
from perturb.plan.job import job_of
from perturb.stream.perturb_file import perturb_file
from perturb.stream.verify_file import verify_file

TYPOS = [Pipeline.of("keyboard_typos:p=0.2")]


@pytest.fixture
def file(tmp_path):
    def write(rows):
        path = tmp_path / "in.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        return str(path), str(tmp_path / "out.jsonl")

    return write


def test_a_file_is_perturbed_and_verified(file) -> None:
    source, target = file([{"id": n, "q": "some few words"} for n in range(5)])
    told = []
    done = perturb_file(
        source, target, job_of(TYPOS, field="q"), progress=lambda *now: told.append(now)
    )
    assert (done.source, done.counts.rows, done.counts.texts, done.bad_lines) == (source, 5, 5, 0)
    assert told[-1][0] == told[-1][1] > 0
    assert verify_file(target)[:2] == (5, True)
    with Path(target).open("ab") as out:
        out.write(b"\n")
    with pytest.raises(VerificationError, match="SHA-256 is not the one"):
        verify_file(target)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("odd", ["", "\ud800"])
def test_two_rows_of_one_id_are_told(file, tmp_path, workers, odd) -> None:
    rows = [{"id": n % 4000, "text": "some words " * 20 + odd} for n in range(4001)]
    source, target = file(rows)
    with pytest.raises(DataError, match=r"in\.jsonl:4001: its 'id' is that of line 1 too"):
        perturb_file(source, target, job_of(TYPOS), workers=workers)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_field_that_leads_to_no_text_in_any_row_is_told(file, tmp_path) -> None:
    rows = [{"m": [{"role": role, "t": "a b"}]} for role in ("user", "system")]
    source, target = file(rows)
    perturb_file(source, target, job_of(TYPOS, field="m[role=user].t"))
    with pytest.raises(DataError, match=r"'m\[role=usr\]\.t' leads to no text in any of 2 rows"):
        perturb_file(source, f"{target}2.jsonl", job_of(TYPOS, field="m[role=usr].t"))
    assert not (tmp_path / "out.jsonl2.jsonl").exists()
