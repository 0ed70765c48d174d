"""Times in Parquet, written as JSON and CSV."""

import json
import subprocess
import sys

import pytest

WITHOUT_PANDAS = """
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == "pandas":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Finder())
"""
NS = 1_767_323_045_123_456_000  # 2026-01-02T03:04:05.123456Z


@pytest.mark.slow
@pytest.mark.parametrize("pandas", [True, False])
def test_times_of_parquet_as_json(perturb, tmp_path, monkeypatch, pandas):
    """To the nanosecond with pandas; without it, what Python has no type for is refused by name."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    if not pandas:
        # pyarrow looks for it once, so another process is needed.
        def perturb(*call):
            code = WITHOUT_PANDAS + "from perturb.cli import main; sys.exit(main(sys.argv[1:]))"
            call = [sys.executable, "-c", code, *map(str, call)]
            done = subprocess.run(call, capture_output=True, text=True, check=False)
            done.status, done.message = done.returncode, done.stderr
            return done

    else:
        pytest.importorskip("pandas")
    given, out = tmp_path / "in.parquet", tmp_path / "out.jsonl"
    kind = pa.timestamp("ns", "UTC")
    columns = {
        "text": pa.array(["some words", "more words"]),
        "at": pa.array([NS, None], kind),
        "log": pa.array([[{"at": NS}], []], pa.list_(pa.struct([("at", kind)]))),
        "of": pa.array([5_000_000_000, None], pa.time64("ns")),
    }
    pq.write_table(pa.table(columns), given)
    for target in ("jsonl", "csv"):
        done = perturb("apply", "char_swap", given, "-o", tmp_path / f"out.{target}")
        assert done.status == 0, done.message
    row, _ = map(json.loads, out.read_text("utf-8").splitlines())
    assert row["at"] == row["log"][0]["at"] == "2026-01-02T03:04:05.123456+00:00"
    assert row["of"] == "00:00:05"
    assert perturb("verify", out, "--input", given).status == 0
    parquet = tmp_path / "out.parquet"
    assert perturb("apply", "char_swap", given, "-o", parquet).status == 0
    assert perturb("verify", parquet, "--input", given).status == 0
    finer = columns | {"at": pa.array([NS + 7, None], kind)}
    pq.write_table(pa.table(finer), given)
    done = perturb("apply", "char_swap", given, "-o", out)
    if pandas:
        assert json.loads(out.read_text("utf-8").splitlines()[0])["at"] == (
            "2026-01-02T03:04:05.123456007+00:00"
        )
    else:
        assert done.status == 1
        assert "the column 'at' of type timestamp[ns, tz=UTC] can't be read as" in done.message
    pq.write_table(pa.table(columns | {"of": pa.array([7, None], pa.time64("ns"))}), given)
    done = perturb("apply", "char_swap", given, "-o", out)
    assert done.status == 1
    assert "the column 'of' of type time64[ns] can't be read as rows: " in done.message
