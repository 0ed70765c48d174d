"""Folders, patterns and addresses: one output for each input, and one manifest over all."""

import json
import os
import random
import sys
from pathlib import Path

import pytest

from perturb.stream import shards

sys.path.append(str(Path(__file__).parents[2] / "fuzz"))
import shards as fuzz

CALL = ("apply", "char_swap:p=0.3", "--seed", "7")
WORDS = "some plain words of which a few are long enough to be changed".split()


def text(dice):
    return " ".join(dice.choices(WORDS, k=12))


@pytest.fixture
def folder(tmp_path):
    """Six shards in two partitions, what is no shard, and a folder beside it."""
    dice = random.Random(5)
    for shard in range(6):
        part = tmp_path / "in" / f"year={2020 + shard % 2}"
        part.mkdir(parents=True, exist_ok=True)
        rows = [{"id": f"{shard}-{n}", "text": text(dice)} for n in range(9)]
        (part / f"{shard}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "in" / "_SUCCESS").touch()
    (tmp_path / "in" / "README.md").write_text("What it is.\n")
    (tmp_path / "in" / ".hidden.jsonl").write_text("no row\n")
    return tmp_path


@pytest.mark.slow
def test_every_shard_is_the_file_that_it_is_alone(perturb, folder):
    """And an apply to the whole gives the same rows, with the columns of partitions."""
    out = folder / "out"
    done = perturb(*CALL, "-i", folder / "in", "-o", out)
    assert (done.status, done.err) == (0, "")
    made = fuzz.tree(out)
    assert sorted(made) == ["_manifest.json", *(f"year={2020 + n % 2}/{n}.jsonl" for n in (0, 2, 4)),
                            *(f"year={2020 + n % 2}/{n}.jsonl" for n in (1, 3, 5))]  # fmt: skip
    for place in list(made)[1:]:
        if place != "_manifest.json":
            assert perturb(*CALL, "-i", folder / "in" / place).out == made[place]
    one = perturb(*CALL, "-i", folder / "in")
    assert [row.pop("year") for row in one.rows] == [2020] * 27 + [2021] * 27
    rows = [json.loads(line) for place in sorted(made) for line in made[place].splitlines()
            if place != "_manifest.json"]  # fmt: skip
    assert [{k: v for k, v in row.items() if k != "year"} for row in one.rows] == rows


@pytest.mark.slow
def test_the_manifest_counts_and_verify_holds_it(perturb, folder):
    out = folder / "out"
    assert perturb(*CALL, "-i", folder / "in", "-o", f"{out}/").status == 0
    said = json.loads((out / "_manifest.json").read_bytes())
    assert (len(said["shards"]), said["counts"]["rows_written"]) == (6, 54)
    assert said["ids_in_two_shards"] == []
    done = perturb("verify", out, "--input", folder / "in")
    assert done.out.decode() == (
        f"{out}, 6 shards: 54 rows reproduced, and the file matches its manifest\n"
    )
    shard = out / "year=2020" / "0.jsonl"
    assert b"the file matches its manifest" in perturb("verify", shard).out
    whole = shard.read_bytes()
    shard.write_bytes(whole.replace(b'"id":"0-', b'"id":"9-', 1))
    assert perturb("verify", out).status == 1
    shard.unlink()
    assert "year=2020/0.jsonl: the shard is not there" in perturb("verify", out).message
    shard.write_bytes(whole)
    (out / "more.jsonl").write_bytes(whole)
    assert "more.jsonl: the shard is in no manifest" in perturb("verify", out).message


@pytest.mark.slow
def test_what_is_done_is_not_done_again(perturb, folder, monkeypatch):
    """But a shard whose input, recipe or output changed."""
    out, source = folder / "out", folder / "in" / "year=2021" / "3.jsonl"
    calls = []
    perturb_file = shards.perturb_file
    monkeypatch.setattr(
        shards,
        "perturb_file",
        lambda source, *args, **named: calls.append(source) or perturb_file(source, *args, **named),
    )

    def run(*more):
        calls.clear()
        done = perturb(*CALL, *more, "-i", folder / "in", "-o", out)
        assert done.status == 0, done.err
        return len(calls), fuzz.tree(out)

    first = run()
    assert run() == (0, first[1])
    (out / "year=2020" / "2.jsonl").write_text("damaged")
    assert run() == (1, first[1])
    source.write_bytes(source.read_bytes().replace(b"plain", b"other"))
    assert run()[0] == 1
    assert run("--lean")[0] == 6


@pytest.mark.slow
@pytest.mark.parametrize("at", range(0, 30, 4))
def test_a_run_that_was_stopped_goes_on(perturb, folder, monkeypatch, at):
    """Wherever it was stopped: the folder becomes that of a run that was not."""
    whole, out = folder / "whole", folder / "out"
    assert perturb(*CALL, "-i", folder / "in", "-o", whole).status == 0
    replace, left = Path.replace, iter(range(at))

    def stopped(path, target):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stopped)
        assert (perturb(*CALL, "-i", folder / "in", "-o", out).status == 0) == (at > 13)
    assert perturb(*CALL, "-i", folder / "in", "-o", out).status == 0
    assert fuzz.tree(out) == fuzz.tree(whole)


@pytest.mark.slow
def test_a_folder_that_is_killed(tmp_path):
    """By one process or two, and two writers at once; in the full size: python fuzz/shards.py."""
    assert fuzz.disturbed(tmp_path, shards=40, kills=3, seed=1)["kills"] == 3


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_do_not_change_a_folder(perturb, folder, workers):
    """Whether they share shards, or the blocks of each; the first rows and bad lines too."""
    with (folder / "in" / "year=2021" / "3.jsonl").open("a") as file:
        file.write("no row\n")
    for options in (["--bad-lines", "FILE"], ["--limit", "4"], ["--bad-lines", "skip"]):
        made = []
        for name, number in (("one", 1), ("many", workers)):
            given = [folder / f"{name}.bad" if word == "FILE" else word for word in options]
            call = [*CALL, *given, "-i", folder / "in", "-o", folder / name, "--workers", number]
            assert perturb(*call).status == 0
            made.append(fuzz.tree(folder / name))
        assert made[0] == made[1]
        said = json.loads(made[0]["_manifest.json"])["counts"]["rows_read"]
        assert said == (24 if "--limit" in options else 54)
        assert perturb("verify", folder / "many", "-i", folder / "in").status == 0
    bad = perturb(*CALL, "-i", folder / "in", "-o", folder / "stops", "--workers", workers)
    assert "3.jsonl:10: not JSON" in bad.message
    assert not [*(folder / "stops").rglob("*.part")]


@pytest.mark.slow
def test_bad_lines_are_kept_in_one_file(perturb, folder):
    """In the order of the shards; whoever comes again gets them again."""
    for n in (5, 3, 0):
        with (folder / "in" / f"year={2020 + n % 2}" / f"{n}.jsonl").open("a") as file:
            file.write(f"{n} is no row\n")
    out, bad = folder / "out", folder / "bad.txt"
    for again, done in enumerate((0, 3, 3)):
        if again == 2:
            bad.unlink()
        call = perturb(*CALL, "-i", folder / "in", "-o", out, "--bad-lines", bad)
        assert call.status == 0
        assert (f"{done} of 6 shards were already there" in call.err) == (done > 0)
        assert bad.read_text() == "0 is no row\n3 is no row\n5 is no row\n"


@pytest.mark.slow
def test_a_second_writer_is_refused(perturb, folder):
    fcntl = pytest.importorskip("fcntl")
    state = folder / "out" / ".perturb"
    state.mkdir(parents=True)
    told, tell = os.pipe()
    if (child := os.fork()) == 0:  # locks are those of a process
        with (state / "lock").open("ab") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            os.write(tell, b".")
            os.read(os.open(os.devnull, os.O_RDONLY), 1)
            os.kill(os.getpid(), 19)  # until it is ended
    os.read(told, 1)
    try:
        done = perturb(*CALL, "-i", folder / "in", "-o", folder / "out")
        assert done.message.endswith("out: wait for it, or end it")
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(told)
        os.close(tell)
    assert perturb(*CALL, "-i", folder / "in", "-o", folder / "out").status == 0


def test_the_id_of_a_bad_row_names_none(perturb, jsonl, tmp_path):
    """Neither when its shard is perturbed nor when it is found done."""
    (tmp_path / "in").mkdir()
    jsonl("in/a.jsonl", {"id": 1}, {"id": 2, "text": "ten eggs"})
    jsonl("in/b.jsonl", {"id": 1, "text": "ten eggs"})
    call = [*CALL, "--bad-lines", "skip", "-i", tmp_path / "in", "-o", tmp_path / "out"]
    assert [perturb(*call).err for _ in range(2)] == [
        f"{told}perturb: left out 1 bad line of {tmp_path / 'in'}\n"
        for told in ("", "perturb: 2 of 2 shards were already there\n")
    ]


def test_an_id_in_two_shards_is_told(perturb, jsonl, tmp_path):
    (tmp_path / "in").mkdir()
    for name in "abc":
        jsonl(f"in/{name}.jsonl", {"id": 1, "text": text(random)}, {"id": name, "text": "a word"})
    for call in (
        [*CALL, "-i", tmp_path / "in", "-o", tmp_path / "out"],
        ["verify", tmp_path / "out"],
    ):
        done = perturb(*call)
        assert done.status == 0
        assert "two shards share an id, a.jsonl:1 and b.jsonl:1" in done.err
        assert "2 shards share ids" in done.err
    said = json.loads((tmp_path / "out" / "_manifest.json").read_bytes())
    assert said["ids_in_two_shards"] == [["a.jsonl:1", "b.jsonl:1"], ["a.jsonl:1", "c.jsonl:1"]]


def test_what_would_be_lost_is_refused(perturb, folder):
    data, out = folder / "in", folder / "out"
    wrong = {
        ("-i", data, "-o", data): "lies in the output",
        ("-i", data, "-o", f"{data}/noisy/"): "lies in the input",
        ("-i", data, "-o", out, "--bad-lines", out / "bad.txt"): "lies in the output",
        ("-i", data, "-o", out, "--bad-lines", data / "bad.txt"): "lies in the input",
        ("-o", f"{out}/"): "standard input is one file",
        ("-i", f"{data}/year=2020", "-i", f"{data}/*/0.jsonl", "-i", f"{data}/year=2020/0.jsonl",
         "-o", f"{out}/"): "would both become",
    }  # fmt: skip
    for call, message in wrong.items():
        assert message in perturb(*CALL, *call).message
    out.mkdir()
    (out / "mine.jsonl").touch()
    assert "holds mine.jsonl, which no input gives" in perturb(*CALL, "-i", data, "-o", out).message


@pytest.mark.slow
def test_restore_gives_each_file_back(perturb, folder):
    out, back = folder / "out", folder / "back"
    assert perturb(*CALL, "--replicates", "2", "-i", folder / "in", "-o", out).status == 0
    for given in (out, f"{out}/*/[0-9].jsonl"):
        assert perturb("restore", given, "-o", f"{back}/").status == 0
        for place, data in fuzz.tree(back).items():
            rows = (folder / "in" / place).read_text().splitlines()
            assert [*map(json.loads, data.splitlines())] == [*map(json.loads, rows)]
        assert len(fuzz.tree(back)) == 6
    assert len(perturb("restore", out).rows) == 54
    assert "lies in the output" in perturb("restore", out, "-o", out).message


@pytest.mark.slow
def test_other_commands_read_folders(perturb, folder):
    out, pattern = folder / "out", f"{folder}/out/*/[0-9].jsonl"
    assert (
        perturb(*CALL, "--with-original", "-i", f"{folder}/in/*/*.jsonl", "-o", f"{out}/").status
        == 0
    )
    assert perturb("diff", out).out == perturb("diff", pattern).out
    system = f"{sys.executable} -c \"for line in iter(input, ''): print(7, flush=True)\""
    answers = folder / "answers" / "a.jsonl"
    answers.parent.mkdir()
    assert perturb("run", out, "--command", system, "-o", answers).status == 0
    said = json.loads(Path(f"{answers}.manifest.json").read_bytes())["input"]
    assert (len(said["sha256"]), said["manifest"]["counts"]["rows_read"]) == (6, 54)
    for command in ("score", "flips"):
        one = perturb(command, answers, "--target", "year")
        assert one.status == 0, one.err
        assert one.out == perturb(command, answers.parent, "--target", "year").out
    pairs = [(answers, answers), (answers.parent, f"{answers.parent}/*.jsonl")]
    first, second = (perturb("compare", *pair, "--target", "year", "--json") for pair in pairs)
    assert (first.status, first.err) == (0, "")
    (first,), (second,) = (json.loads(each.out)["overall"] for each in (first, second))
    same = ("originals", "difference", "low", "high", "verdict")  # but for the names of systems
    assert [first[name] for name in same] == [second[name] for name in same]


@pytest.mark.slow
def test_parquet_keeps_partitions_for_its_readers(perturb, tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for year in (2020, 2021):
        (tmp_path / "in" / f"year={year}").mkdir(parents=True)
        table = pa.table({"id": [f"{year}-1"], "text": ["some plain words"], "at": [0.5]})
        pq.write_table(table, tmp_path / "in" / f"year={year}" / "a.parquet")
    assert perturb(*CALL, "-i", tmp_path / "in", "-o", tmp_path / "out").status == 0
    assert pq.read_table(tmp_path / "out")["year"].to_pylist() == [2020, 2021]
    assert perturb(*CALL, "-i", tmp_path / "in", "-o", tmp_path / "one.parquet").status == 0
    assert pq.read_table(tmp_path / "one.parquet")["year"].to_pylist() == [2020, 2021]
    assert perturb("verify", tmp_path / "one.parquet", "-i", tmp_path / "in").status == 0


@pytest.mark.slow
def test_addresses(perturb, folder):
    """Read and written by fsspec, here in memory; the same bytes as in files."""
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.put(str(folder / "in") + "/", "/in/", recursive=True)
    assert perturb(*CALL, "-i", "memory://in/", "-o", "memory://out/").status == 0
    assert perturb(*CALL, "-i", folder / "in", "-o", folder / "out").status == 0
    wanted = fuzz.tree(folder / "out")
    made = {path.removeprefix("/out/"): memory.cat(path) for path in memory.find("/out")}
    assert made.keys() == wanted.keys()
    assert all(made[place] == wanted[place] for place in made if place != "_manifest.json")
    assert b"6 shards: 54 rows reproduced" in perturb("verify", "memory://out/").out
    assert "6 of 6 shards" in perturb(*CALL, "-i", "memory://in/", "-o", "memory://out/").err
    assert perturb(*CALL, "-i", "memory://in/*/0.jsonl", "-o", "memory://one.jsonl.gz").status == 0
    assert (
        perturb("diff", "memory://one.jsonl.gz").out
        == perturb("diff", "memory://out/year=2020/0.jsonl").out
    )
    file = (folder / "in" / "year=2020" / "0.jsonl").as_uri()
    assert perturb(*CALL, "-i", file).out == wanted["year=2020/0.jsonl"]


def test_credentials_reach_no_message(perturb, monkeypatch):
    fsspec = pytest.importorskip("fsspec")

    class Shut(fsspec.AbstractFileSystem):
        protocol = "shut"

        def _open(self, path, *_, **__):
            raise RuntimeError(f"no entry to shut://user:hunter2@{path} for hunter2")

        def info(self, path, **_):
            return {"name": path, "size": 3, "type": "file"}

    fsspec.register_implementation("shut", Shut, clobber=True)
    done = perturb(*CALL, "-i", "shut://user:hunter2@host/a.jsonl")
    assert (done.status, "hunter2" in done.err, "host/a.jsonl" in done.err) == (1, False, True)
