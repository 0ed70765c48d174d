"""With its input a file is made again, and every row is compared, whatever any hash says."""

import hashlib
import json
import subprocess
import sys

import pytest

import perturb
from perturb.errors import DataError, VerificationError
from perturb.plan.job import job_of
from perturb.registry import registry
from perturb.registry.from_function import from_function
from perturb.stream.manifest import CHECKSUM, checksum
from perturb.stream.perturb_file import perturb_file
from perturb.stream.perturb_folder import perturb_folder
from perturb.stream.verify_file import verify_file, verify_folder

ROWS = [
    {"id": n, "question": f"How many bees live in hive {n}?", "answer": f"${n}.50", "share": 0.5}
    for n in range(4)
]
STEP = "typo_mix:p=0.3"


def written(path, rows=ROWS):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def signed(out, place=None):
    """Have the manifest say the hashes of the file, as who forged it would."""
    path = out.with_name(f"{out.name}.manifest.json")
    if place is not None:
        path = out.parents[place.count("/")] / "_manifest.json"
    said = json.loads(path.read_bytes())
    about = said if place is None else said["shards"][place]
    data = out.read_bytes()
    about["output"] |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    said[CHECKSUM] = checksum(said)
    path.write_text(json.dumps(said))


@pytest.fixture
def files(tmp_path):
    given, out = written(tmp_path / "in.jsonl"), tmp_path / "out.jsonl"
    perturb_file(given, str(out), job_of(STEP, field="question"))
    verify_file(str(out), source=given)
    return given, out


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b'"answer":"$2.50"', b'"answer":"FORGED"', "out.jsonl:3: answer is 'FORGED'"),
        (b'"answer":"$2.50",', b"", "out.jsonl:3: answer is None"),
        (b'"answer":"$2.50"', b'"answer":"$2.50","more":1', "out.jsonl:3: more is 1"),
        (b'"answer":"$2.50"', b'"answer":"FORGED","answer":"$2.50"', "a repeated key"),
        (b'"answer":"$2.50",', b'"answer": "$2.50",', "white space"),
        (b'"share":0.5', b'"share":0.50', "a number differs"),
    ],
)
def test_a_signed_change_of_a_field_that_no_record_names(files, before, after, message):
    given, out = files
    data = out.read_bytes()
    assert before in data
    out.write_bytes(data.replace(before, after, 1))
    signed(out)
    verify_file(str(out))
    with pytest.raises(VerificationError, match=message.replace("$", r"\$")):
        verify_file(str(out), source=given)


def test_signed_rows_in_another_order(files):
    given, out = files
    first, second, *others = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join([second, first, *others]))
    signed(out)
    with pytest.raises(VerificationError, match=r"out\.jsonl:1: id is"):
        verify_file(str(out), source=given)


def test_line_ends_of_another_system_are_no_change(files):
    """A file that went through a program that writes its own."""
    given, out = files
    out.write_bytes(out.read_bytes().replace(b"\n", b"\r\n"))
    signed(out)
    assert verify_file(str(out), source=given).manifest


def test_a_forged_shard_of_a_folder(tmp_path):
    written(tmp_path / "in" / "year=2020" / "a.jsonl")
    job, out = job_of(STEP, field="question"), tmp_path / "out"
    perturb_folder(str(tmp_path / "in"), str(out), job)
    verify_folder(str(out), source=str(tmp_path / "in"))
    shard = out / "year=2020" / "a.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"$1.50", b"$9.50"))
    signed(shard, "year=2020/a.jsonl")
    with pytest.raises(VerificationError, match=r"a.jsonl:2: answer is '\$9.50'"):
        verify_folder(str(out), source=str(tmp_path / "in"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["year=2020", "answer=no", "question=evil words in it"])
@pytest.mark.parametrize("options", [{}, {"target": "answer"}, {"workers": 2}])
def test_columns_that_the_path_tells_are_there_again(tmp_path, name, options):
    """Also where they are perturbed, or stand in place of a field of the rows."""
    written(tmp_path / "in" / name / "a.jsonl")
    options = dict(options)
    workers = options.pop("workers", 1)
    job, one, out = job_of(STEP, field="question", **options), tmp_path / "one.jsonl", "out"
    source = str(tmp_path / "in")
    perturb_file(source, str(one), job, workers=workers)
    column, _, value = name.partition("=")
    assert {str(row["perturbation"]["original"] if column == "question" else row[column])
            for row in map(json.loads, one.read_bytes().splitlines())} == {value}  # fmt: skip
    assert verify_file(str(one), source=source).rows == 4
    perturb_folder(source, str(tmp_path / out), job, workers=workers)
    assert verify_folder(str(tmp_path / out), source=source).rows == 4
    (tmp_path / "in" / name).rename(tmp_path / "in" / f"{name}0")
    with pytest.raises(VerificationError):
        verify_file(str(one), source=source)


def test_without_a_manifest_nothing_can_be_made_again(files):
    """And that is said, rather than the input left aside."""
    given, out = files
    out.with_name("out.jsonl.manifest.json").unlink()
    with pytest.raises(DataError, match="has no manifest of perturb apply"):
        verify_file(str(out), source=given)
    assert not verify_file(str(out)).manifest


@pytest.mark.slow
def test_a_step_that_never_gives_the_same_has_its_rows_compared_as_they_were(tmp_path, monkeypatch):
    """What it wrote can't be made again, but all else in the file can."""
    given, out = written(tmp_path / "in.jsonl"), tmp_path / "out.jsonl"
    calls = iter(range(100))
    step = from_function("more", lambda text: f"{text} {next(calls)}", reproducible=False)
    monkeypatch.setitem(registry.registered, step.name, step)
    perturb_file(given, str(out), job_of("more:p=1", field="question"))
    assert verify_file(str(out), source=given).consistent == 4
    data = out.read_bytes()
    for before, after in ((b"$1.50", b"$7.50"), (b'"share":0.5,', b'"share":0.7,')):
        out.write_bytes(data.replace(before, after, 1))
        signed(out)
        with pytest.raises(VerificationError, match="made again"):
            verify_file(str(out), source=given)


@pytest.mark.slow
def test_types_and_names_in_a_table_count(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    given, out = str(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    parquet.write_table(pa.Table.from_pylist(ROWS), given)
    perturb_file(given, str(out), job_of(STEP, field="question"))
    table = parquet.read_table(out)
    parquet.write_table(table, out, compression="gzip")  # the same in other bytes
    signed(out)
    verify_file(str(out), source=given)
    at = table.schema.get_field_index("share")
    for forged in (
        table.set_column(at, "share", table["share"].cast(pa.float32())),
        table.replace_schema_metadata({"huggingface": "{}"}),
        table.select([*reversed(table.column_names)]),
    ):
        parquet.write_table(forged, out)
        signed(out)
        with pytest.raises(VerificationError, match="the types of its columns"):
            verify_file(str(out), source=given)


@pytest.mark.slow
def test_tables_that_the_process_had_read_before_are_no_change(tmp_path):
    """The manifest of a long session names those of other steps too."""
    given, out = written(tmp_path / "in.jsonl"), tmp_path / "out.jsonl"
    perturb.apply("The good dog barks.", "synonym", p=1.0)
    perturb_file(given, str(out), job_of("case:p=0.5", field="question"))
    call = [sys.executable, "-m", "perturb", "verify", out, "-i", given]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["../SECURITY.md", "/etc/hostname", "english", "no/such.tsv", ""])
def test_a_manifest_names_tables_and_no_other_files(files, name):
    given, out = files
    path = out.with_name("out.jsonl.manifest.json")
    said = json.loads(path.read_bytes())
    said["tables"][name] = "0" * 64
    said[CHECKSUM] = checksum(said)
    path.write_text(json.dumps(said))
    with pytest.raises(VerificationError, match="there is no table"):
        verify_file(str(out), source=given)


def test_rows_of_any_depth_that_json_holds_are_compared(tmp_path) -> None:
    """Deeper than Python calls itself."""
    deep = "[" * 900 + "]" * 900
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text(f'{{"id": 1, "question": "How many bees?", "deep": {deep}}}\n')
    assert perturb_file(str(given), str(out), job_of(STEP, field="question"))
    verify_file(str(out), source=str(given))
