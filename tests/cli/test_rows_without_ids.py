"""Rows without ids from file to verdict: told apart by what they are, and counted once if equal."""

import json

import pytest

TEXT = "Is the old box red, or is it blue?"
ROWS = [{"text": TEXT, "of": of} for of in (1, 2, 1)] + [{"text": "Who wrote Emma?", "of": 1}]
APPLY = ("apply", "char_swap:p=1", "--with-original")


@pytest.fixture
def given(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in ROWS), "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet"])
def test_repeats_are_told_and_verified(perturb, given, tmp_path, name) -> None:
    out = tmp_path / name
    done = perturb(*APPLY, "-i", given, "-o", out)
    assert done.message == (
        f"1 row repeats another row of {given} exactly, without an id of its own: equal rows "
        "share their id and noise, and perturb score counts them once"
    )
    counts = json.loads(out.with_name(f"{name}.manifest.json").read_bytes())["counts"]
    assert (counts["rows_read"], counts["rows_repeated"], counts["rows_written"]) == (4, 1, 8)
    done = perturb("verify", out)
    assert done.status == 0, done.err
    assert perturb("verify", out, "--input", given).status == 0
    again = perturb("restore", out, "-o", tmp_path / "again.jsonl")
    assert again.status == 0
    rows = [json.loads(line) for line in (tmp_path / "again.jsonl").read_bytes().splitlines()]
    assert [row["text"] for row in rows] == [row["text"] for row in ROWS]


def test_repeats_in_a_folder_are_counted_by_file(perturb, given, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / "in" / name).write_bytes(given.read_bytes())
    call = (*APPLY, "-i", tmp_path / "in", "-o", tmp_path / "out")
    assert perturb(*call).message.startswith("2 rows repeat another row")
    manifest = (tmp_path / "out" / "_manifest.json").read_bytes()
    assert json.loads(manifest)["counts"]["rows_repeated"] == 2
    assert "2 rows repeat another row" in perturb(*call).err  # which does not read them again
    assert (tmp_path / "out" / "_manifest.json").read_bytes() == manifest
    assert perturb("verify", tmp_path / "out").status == 0


@pytest.mark.slow
def test_equal_originals_are_one_in_a_verdict(perturb, given, tmp_path) -> None:
    """Whatever their rows scored; rows that differ are two, as their texts are equal."""
    rows = perturb(*APPLY, "-i", given).rows
    for at, row in enumerate(rows):
        row["score"] = [1, 0, 1, 1, 0, 1, 1, 1][at]
    scored = tmp_path / "scored.jsonl"
    scored.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = perturb("score", scored, "--score", "score", "--format", "json")
    assert done.status == 0, done.err
    verdict = json.loads(done.out)
    under = verdict["conditions"][0]
    means = under["clean_mean"], under["perturbed_mean"]
    assert (under["originals"], under["rows"], *means) == (3, 3, 1, 2 / 3)
    assert verdict["hints"][0].startswith("2 rows are left out: originals without ids that")


def test_rows_that_were_given_one_id_are_refused_as_before(perturb, tmp_path) -> None:
    row = json.dumps({"id": "a", "text": TEXT}).encode()
    done = perturb("apply", "char_swap", stdin=row + b"\n" + row)
    assert done.status == 1
    assert "its 'id' is that of line 1 too" in done.message


def test_records_of_the_contract_before_are_restored_and_told(perturb, tmp_path) -> None:
    line = (
        b'{"text":"oHw many eggs?","id":"text:53b3e2c1ba29c9ea#char_swap:p=0.1","perturbation":'
        b'{"original_id":"text:53b3e2c1ba29c9ea","original":"How many eggs?","condition":'
        b'"char_swap:p=0.1","status":"changed","expect":"same","edits":"id=;text|0:Ho>oH","check":'
        b'"x5346abe8","recipe":"char_swap@2:p=0.1 --contract 3"}}'
    )
    (tmp_path / "old.jsonl").write_bytes(line + b"\n")
    assert perturb("restore", tmp_path / "old.jsonl").out == b'{"text":"How many eggs?"}\n'
    done = perturb("verify", tmp_path / "old.jsonl")
    assert done.status == 1
    assert done.message.endswith(
        "the recipe has contract 3, but this release makes the bytes of contract 4; get the "
        "originals back with perturb restore and perturb them again, or verify the rows with the "
        "release that wrote them"
    )


@pytest.mark.slow
def test_numbers_of_lines_come_out_of_every_command_as_they_are(perturb, tmp_path) -> None:
    """By kernels, as rows of Python, and after a number moved; a table has their values."""
    line = b'{"id":7,"n":[1.10,1e-5,12345678901234567890,1e400,-0],"text":"How many eggs?","at":[%s]}\n'
    lines = line % b"" + line.replace(b'"id":7', b'"id":8') % b'{"start":9,"end":13,"w":0.50}'
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(lines)
    for more in ((), ("--spans", "at")):
        assert perturb("apply", "char_delete:p=0.3", *more, "-i", source, "-o", out).status == 0
        for made in out.read_bytes().splitlines():
            assert b'"n":[1.10,1e-5,12345678901234567890,1e400,-0],' in made
            json.loads(made, parse_constant=pytest.fail)
        assert perturb("verify", out).status == 0
        assert perturb("verify", out, "--input", source).status == 0
        assert perturb("restore", out).out == lines
    assert b'"w":0.50' in out.read_bytes()
