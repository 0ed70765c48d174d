"""Blocks are cut where their rows have many versions, and nothing of the bytes depends on it."""

import json

import pytest

from perturb.cli import main
from perturb.errors import DataError
from perturb.plan.job import job_of
from perturb.stream import pieces as cut
from perturb.stream.perturb_file import Reading, perturb_file
from perturb.stream.pieces import pieces


def lines_of(sizes):
    return b"".join(b"x" * size + b"\n" for size in sizes)


@pytest.mark.parametrize("sizes", [[], [0] * 50, [10] * 100, [5000], [3, 5000, 3], range(200)])
@pytest.mark.parametrize("end", [b"\n", b"last"])
def test_pieces_are_whole_lines_with_their_numbers(sizes, end, monkeypatch):
    """Each is as small as it can be, or has one line."""
    monkeypatch.setattr(cut, "_SIZE", 1000)
    data = lines_of(sizes) + end
    made = list(pieces(iter([(7, data)]), 10, 1 << 30, str))
    assert b"".join(lines for _, lines in made) == data
    number = 7
    for first, lines in made:
        assert first == number
        assert len(lines) <= 100 or lines.count(b"\n", 0, -1) == 0
        number += lines.count(b"\n")


def test_few_versions_leave_blocks_as_they_are():
    blocks = [(1, lines_of([10] * 100)), (101, b"")]
    assert list(pieces(iter(blocks), 4, 1 << 30, str)) == blocks


def test_tables_are_cut_by_rows(monkeypatch):
    pa = pytest.importorskip("pyarrow")
    monkeypatch.setattr(cut, "_SIZE", 20_000)
    table = pa.table({"text": [f"some words {n}" for n in range(1000)]})
    made = list(pieces(iter([(1, table)]), 10, 1 << 30, str))
    tables = [one for _, one in made]
    assert pa.concat_tables(tables).equals(table)
    assert [first for first, _ in made] == [
        1 + sum(t.num_rows for t in tables[:n]) for n in range(len(tables))
    ]
    assert len(made) > 5


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_cut_file_has_the_same_bytes(suffix, workers, tmp_path, monkeypatch):
    """With versions, originals and a bad line, the cut at every few bytes or never."""
    source = tmp_path / f"in.{suffix}"
    rows = [{"id": n, "text": f"some few words, {n} times"} for n in range(60)]
    if suffix == "jsonl":
        source.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{}\n" + '{"text":"x"}')
    else:
        source.write_text("id,text\n" + "".join(f'{n},"some,\nwords {n}"\n' for n in range(60)))
    job = job_of("typo_mix:p=0.2", replicates=7, with_original=True)
    made = []
    for size in (1 << 30, 300):
        monkeypatch.setattr(cut, "_SIZE", size)
        target = tmp_path / f"out.{suffix}"
        perturb_file(str(source), str(target), job, Reading(bad_lines="skip"), workers=workers)
        made.append(target.read_bytes())
    assert made[0] == made[1]
    assert made[0]


@pytest.mark.slow
def test_the_versions_of_a_row_are_bounded(tmp_path):
    """As its line is; one version of it is no more than the line."""
    source, target = tmp_path / "in.jsonl", str(tmp_path / "out.jsonl")
    source.write_text('{"text": "short"}\n' + json.dumps({"text": "word " * 100_000}) + "\n")
    job = job_of("identity:p=0", replicates=20)
    with pytest.raises(
        DataError, match=r"in.jsonl:2: 20 versions of a row of 500,0.. bytes .*max-line"
    ):
        perturb_file(str(source), target, job, Reading(max_line=1 << 20))
    perturb_file(str(source), target, job, Reading(max_line=2 << 20))


def test_lines_keep_the_order_of_their_fields_in_parquet(tmp_path) -> None:
    """Their ids become strings, whichever types they had."""
    pq, given, out = pytest.importorskip("pyarrow.parquet"), tmp_path / "in.jsonl", tmp_path / "out"
    rows = [{"id": name, "text": "Ten eggs.", "n": 1} for name in (1, "b")]
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    call = ["apply", "ocr", "-i", str(given), "-o", f"{out}.parquet"]
    assert [main(call), main(["verify", f"{out}.parquet"])] == [0, 0]
    assert pq.read_schema(f"{out}.parquet").names == ["id", "text", "n", "perturbation"]


@pytest.mark.parametrize("end", ["parquet", "feather"])
def test_values_of_two_types_are_refused_by_the_format_of_the_output(end, tmp_path, capfd) -> None:
    pytest.importorskip("pyarrow")
    (given := tmp_path / "in.jsonl").write_text('{"text": "a", "x": 1}\n{"text": "b", "x": "c"}\n')
    assert main(["apply", "ocr", "-i", str(given), "-o", str(tmp_path / f"out.{end}")]) == 1
    title = {"parquet": "Parquet", "feather": "Arrow"}[end]
    assert (
        f"{title} needs one type for each field of all rows: field 'x': " in capfd.readouterr().err
    )


@pytest.mark.parametrize(("end", "levels"), [("parquet", 50), ("arrow", 500)])
def test_values_too_deep_to_be_read_again_are_refused(end, levels, tmp_path, capfd) -> None:
    pytest.importorskip("pyarrow")
    given, out = tmp_path / "in.jsonl", tmp_path / f"out.{end}"
    given.write_text(f'{{"text": "a", "x": {"[" * levels}{"]" * levels}}}\n')
    assert main(["apply", "ocr", "-i", str(given), "-o", str(out)]) == 1
    assert "; write JSON Lines" in capfd.readouterr().err
    assert not out.exists()


def test_a_table_of_no_rows_is_read_again(tmp_path) -> None:
    (given := tmp_path / "in.jsonl").write_text("")
    out = tmp_path / "out.csv"
    assert main(["apply", "ocr", "-i", str(given), "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(given)]) == 0
    assert main(["restore", str(out), "-o", str(back := tmp_path / "back.csv")]) == 0
    assert back.read_text() == "id\n"
