"""The manifest says what it takes to make a file again, and nothing that depends on the day."""

import hashlib
import json
import sys

import numpy as np
import pytest

import perturb as package
from perturb import resources

CALL = ("apply", "keyboard_typos:p=0.1", "char_swap:p=0.2,max_edits=3", "--field", "question")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst"])
def test_what_it_says(perturb, questions, tmp_path, name):
    """Versions, tables, the call, the hashes of both files as they lie there, and the counts."""
    out = tmp_path / name
    done = perturb(
        *CALL, "-i", questions, "-o", out, "--seed", 7, "--replicates", 2, "--protect", "url"
    )
    assert (done.status, done.out, done.err) == (0, b"", "")
    said = json.loads((tmp_path / f"{name}.manifest.json").read_bytes())
    used = said.pop("tables")
    assert used["keyboards/us.tsv"] == sha256(resources.path("keyboards", "us.tsv"))
    assert all(used[name] == sha256(resources.path(*name.split("/"))) for name in used)
    assert len(said.pop("manifest_sha256")) == 64
    counts = said.pop("counts")
    assert (counts["rows_read"], counts["rows_written"]) == (100, 200)
    ((label, cell),) = counts["conditions"].items()
    assert label == "keyboard_typos:p=0.1 char_swap:p=0.2,max~"[:39] + label[39:]
    assert sum(cell["statuses"].values()) == 200
    assert cell["rate"] == round(cell["edits"] / cell["units"], 6)
    assert said == {
        "contract": 4,
        "versions": {
            "perturb": package.__version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            "numpy": np.__version__,
        },
        "recipe": "keyboard_typos@4:p=0.1 char_swap@2:p=0.2,max_edits=3 --field question "
        "--protect url --seed 7 --replicates 2 --contract 4",
        "plugins": {},
        "input": {
            "path": str(questions),
            "sha256": sha256(questions),
            "bytes": questions.stat().st_size,
            "format": "jsonl",
            "bad_lines": 0,
            "ids_not_kept": 0,
        },
        "output": {
            "sha256": sha256(out),
            "bytes": out.stat().st_size,
            "format": "jsonl",
        },
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "out.jsonl",
        *(pytest.param(f"out.jsonl.{end}", marks=pytest.mark.slow) for end in ("gz", "zst")),
    ],
)
def test_two_runs_give_the_same_bytes(start, questions, tmp_path, name):
    """The file and its manifest are alike, whenever and with however many workers they are made."""
    made = []
    for workers in (1, 1, 2):
        process = start(*CALL, "-i", questions, "-o", tmp_path / name, "--workers", workers)
        _, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        made.append([path.read_bytes() for path in sorted(tmp_path.iterdir())])
        for path in tmp_path.iterdir():
            path.unlink()
    assert len(made[0]) == 2
    assert made[0] == made[1] == made[2]


def test_counts_and_bad_lines(perturb, jsonl, tmp_path):
    """The counts are those of the rows; bad lines are counted on their own."""
    given = jsonl("in.jsonl", {"text": "abcd efgh"}, {"text": "12"}, b"bad", {"text": ""})
    out = tmp_path / "out.jsonl"
    call = ("apply", "char_delete:count=2", "--bad-lines", "skip", "--with-original")
    assert perturb(*call, "-i", given, "-o", out).status == 0
    said = json.loads((tmp_path / "out.jsonl.manifest.json").read_bytes())
    rows = [json.loads(line)["perturbation"] for line in out.read_bytes().splitlines()]
    assert said["input"]["bad_lines"] == 1
    assert said["counts"] == {
        "rows_read": 3,
        "rows_repeated": 0,
        "rows_written": 6,
        "conditions": {
            "char_delete:count=2": {
                "statuses": {"changed": 1, "no site": 2},
                "units": 11,
                "edits": sum(row["edits"].count(">") for row in rows),
                "rate": 0.181818,
            }
        },
    }


def test_no_manifest_without_a_file(perturb, questions, tmp_path, monkeypatch):
    """Standard output and devices have none."""
    monkeypatch.chdir(tmp_path)
    assert perturb(*CALL, "-i", questions).status == 0
    done = perturb(*CALL, "-i", questions, "-o", "/dev/null")
    assert (done.status, done.err) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_an_input_from_a_pipe_has_no_path(perturb, questions, tmp_path):
    """Its hash is there all the same."""
    out = tmp_path / "out.jsonl"
    assert perturb(*CALL, "-o", out, stdin=questions.read_bytes()).status == 0
    said = json.loads((tmp_path / "out.jsonl.manifest.json").read_bytes())["input"]
    assert said["path"] is None
    assert said["sha256"] == sha256(questions)


@pytest.mark.slow
def test_a_manifest_is_a_config(perturb, questions, tmp_path):
    """It makes the same file again, and the command line comes before it."""
    first, again, other = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl"))
    given = ("--field", "question", "--seed", "7", "--replicates", "2", "--protect", "number")
    steps = ("one_of(ocr | 2*case)", "word_swap", "-p", "0.1")
    assert perturb("apply", *steps, *given, "-i", questions, "-o", first).status == 0
    call = ("apply", "--config", f"{first}.manifest.json", "-i", questions, "-o")
    assert perturb(*call, again).status == 0
    assert again.read_bytes() == first.read_bytes()
    assert perturb(*call, other, "--seed", "8").status == 0
    assert other.read_bytes() != first.read_bytes()
    done = perturb(*call, other, "-p", "0.2")
    assert (done.status, done.message.endswith("every step of a recipe has its own")) == (2, True)


def test_a_config_holds_options(perturb, questions, tmp_path):
    config = tmp_path / "noise.yaml"
    config.write_text("steps:\n- ocr: {p: 0.1}\nseed: 7\nfield: question\n")
    plain = perturb(
        "apply", "ocr", "-p", "0.1", "--seed", "7", "--field", "question", "-i", questions
    )
    assert perturb("apply", "--config", config, "-i", questions).out == plain.out
    for line, message in (
        ("seed: three", "seed must be a whole number; got 'three'"),
        ("field: 3", "field must be a path or a list of paths; got 3"),
        ("with_original: maybe", "with_original must be true or false; got 'maybe'"),
        ("sed: 3", "unknown key of a job 'sed': did you mean seed "),
    ):
        config.write_text(f"steps: ocr\n{line}\n")
        done = perturb("apply", "--config", config, "-i", questions)
        assert done.status == 2
        assert done.message.startswith(f"{config}: {message}")
