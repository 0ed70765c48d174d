"""Rows of tables that perturb wrote are proven as blocks of lines, whatever else is in them."""

from datetime import datetime

import pytest
from both_ways import needs_kernels

from perturb.cli import main
from perturb.errors import VerificationError
from perturb.plan.job import job_of
from perturb.rows import verify
from perturb.stream.perturb_file import perturb_file
from perturb.stream.verify_file import verify_file

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
ROWS = [
    {
        "id": f"q{number}",
        "text": f"How many eggs does hen {number} lay?",
        "seen": datetime(2020, 1, 1 + number),
        "score": float("nan") if number % 3 else number / 4,
        "answer": str(number),
        "spans": [{"start": 4, "end": 8}],
    }
    for number in range(20)
]
STEPS, OPTIONS = "char_swap:p=0.2", {"target": "answer"}


def written(folder, name, options):
    """The rows perturbed as a file of this name."""
    source, out = folder / "in.parquet", folder / name
    pq.write_table(pa.Table.from_pylist(ROWS), source)
    perturb_file(str(source), str(out), job_of(STEPS, **options))
    return out


@needs_kernels
@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.arrow"])
@pytest.mark.parametrize("options", [OPTIONS, {"spans": "spans", "with_original": True}])
def test_no_row_goes_alone(tmp_path, monkeypatch, name, options):
    """Times and NaN, which JSON lacks, are of no concern to a row."""
    if name.endswith("csv") and "spans" in options:
        pytest.skip("cells have no spans as lists")
    out = written(tmp_path, name, options)
    alone = []
    monkeypatch.setattr(verify, "stored", lambda row: alone.append(row))
    assert verify_file(str(out)).rows == len(ROWS) * (1 + ("spans" in options))
    assert alone == []


@pytest.mark.parametrize("options", [OPTIONS, {"spans": "spans"}])
def test_originals_have_the_values_that_json_lacks(tmp_path, options):
    out, back = written(tmp_path, "out.parquet", options), tmp_path / "back.parquet"
    assert main(["restore", str(out), "-o", str(back)]) == 0
    assert pq.read_table(back).equals(pq.read_table(tmp_path / "in.parquet")) is False  # NaN
    without = [pq.read_table(path).drop(["score"]) for path in (back, tmp_path / "in.parquet")]
    assert without[0].equals(without[1])


@pytest.mark.parametrize("column", ["text", "answer"])
def test_a_changed_value_is_found(tmp_path, column):
    out = written(tmp_path, "out.parquet", OPTIONS)
    rows = pq.read_table(out).to_pylist()
    rows[7][column] += "!"
    pq.write_table(pa.Table.from_pylist(rows), out)
    (tmp_path / "out.parquet.manifest.json").unlink()
    with pytest.raises(VerificationError, match=r"out\.parquet:8: q7"):
        verify_file(str(out))
