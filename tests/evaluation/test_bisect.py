"""Asking by bisection: what is asked, what is written, what is refused, what it is corrected by."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import perturb as package
from perturb.cli import main
from perturb.errors import DataError
from perturb.robustness import score, tolerance
from perturb.robustness.scoring.bisection import bisect

P = (0.02, 0.04, 0.08, 0.12, 0.16, 0.2, 0.3)
# Right until `limit` of the words that a row counts in `asked` are gone.
PROGRAM = """
import json, sys
{first}
for line in sys.stdin:
    row = json.loads(line)
    with open("asked.txt", "a") as log:
        print(row["id"], file=log)
    {answer}
    print(json.dumps({{"prediction": answer}}), flush=True)
"""
KEEPS = 'answer = "yes" if len(row["text"]) >= row["least"] else "no"'


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Ask a program by bisection; return the status, the rows that it was asked, and the answers."""
    monkeypatch.chdir(tmp_path)

    def ask(rows, *arguments, answer=KEEPS, first=""):
        Path("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        Path("system.py").write_text(PROGRAM.format(answer=answer, first=first), "utf-8")
        command = f"{sys.executable} system.py"
        given = ["rows.jsonl", "-o", "out.jsonl", "--command", command, *arguments]
        status = main(["run", *given])
        asked = Path("asked.txt").read_text().splitlines() if Path("asked.txt").exists() else []
        if status:
            return status, asked, []
        lines = Path("out.jsonl").read_text("utf-8").splitlines()
        return status, asked, [json.loads(line) for line in lines]

    return ask


def noisy(count=60, steps=("char_delete",), **options):
    """Texts of 100 letters, each of which may lose some; from 0 to 40."""
    rows = [
        {"id": f"q{at}", "text": "abcdefghi " * 10, "least": 100 - at % 40, "answer": "yes"}
        for at in range(count)
    ]
    grid = package.grid(list(steps), p=P)
    return list(package.augment(rows, grid, with_original=True, **options))


@pytest.mark.slow
def test_answers_are_those_of_asking_all_rows_where_each_turns_once(ask, capsys):
    rows = noisy()
    _, asked, few = ask(rows, "--bisect")
    _, _, every = ask(rows)
    assert [row["id"] for row in few] == [row["id"] for row in rows]
    assert [row["prediction"] for row in few] == [row["prediction"] for row in every]
    assert len(asked) < len(rows) / 1.4
    assert "times fewer" in capsys.readouterr().err
    ways = [row["response"].get("bisected") for row in few]
    assert ways.count(None) == 60  # the originals
    sampled = {row["perturbation"]["original_id"] for row, way in zip(few, ways, strict=True)
               if way == "sampled"}  # fmt: skip
    assert len(sampled) == 12
    assert ways.count("sampled") == 12 * len(P)
    inferred = [row["id"] for row, way in zip(few, ways, strict=True) if way == "inferred"]
    assert inferred
    assert not {*inferred} & {*asked}
    first, second = (tolerance(each, lose=0.3).steps[0] for each in (few, every))
    assert first.strength == pytest.approx(second.strength)
    assert first.low <= second.low < second.high <= first.high


@pytest.mark.slow
def test_without_right_answers_it_asks_where_the_answer_is_no_longer_that_to_the_original(ask):
    """All answers are wrong; what they were for the original is not in the rows."""
    rows = [{**row, "answer": "maybe"} for row in noisy()]
    few, every = (ask(rows, *given)[2] for given in (["--bisect", "--against", "original"], []))
    assert [row["prediction"] for row in few] == [row["prediction"] for row in every]
    assert "inferred" in {row["response"].get("bisected") for row in few}
    first, second = (
        tolerance(each, lose=0.3, against="original").steps[0] for each in (few, every)
    )
    assert first.strength == pytest.approx(second.strength)
    assert first.metric == "agreement"


@pytest.mark.slow
def test_a_text_is_asked_once_however_often_it_stands_there(ask):
    """With so few characters most strengths make the same edits."""
    rows = noisy(steps=("case:where=first",), count=20)
    texts = {(row["perturbation"]["original_id"], row["text"]) for row in rows}
    _, asked, _ = ask(rows, "--bisect", "1")
    assert len(asked) == len(texts) + 20  # each original twice


@pytest.mark.slow
def test_a_stopped_run_asks_the_rest(ask, monkeypatch, tmp_path):
    rows = noisy()
    broken = f'if "q59" in row["id"]: raise SystemExit(1)\n    {KEEPS}'
    status, first, _ = ask(rows, "--bisect", "--retries", "0", "--concurrency", "1", answer=broken)
    assert status == 1
    Path("asked.txt").unlink()
    status, rest, few = ask(rows, "--bisect", "--same-system")
    assert status == 0
    assert not {*first[:-1]} & {*rest}
    assert len(few) == len(rows)


@pytest.mark.slow
def test_only_tolerance_judges_such_a_file(ask):
    _, _, few = ask(noisy(), "--bisect")
    with pytest.raises(DataError, match="its answer was inferred by perturb run --bisect"):
        score(few)
    for command in ("score", "flips", "report"):
        assert main([command, "out.jsonl", *["-o", "p.html"][: 2 * (command == "report")]]) == 1
    assert main(["tolerance", "out.jsonl", "--lose", "0.3", "--json"]) == 0
    for row in few:
        if row["response"].get("bisected") == "sampled":
            row["response"]["bisected"] = "asked"
    with pytest.raises(DataError, match="fewer than two originals were asked at all strengths"):
        tolerance(few)


@pytest.mark.slow
def test_a_module_that_prints_at_import_is_diagnosed_as_without_bisection(ask, capsys):
    for given in ([], ["--bisect"], ["--bisect", "--concurrency", "1"]):
        assert ask(noisy(), *given, first="print('Loading ...', flush=True)")[0] == 1
        assert "wrote more lines than it got rows" in capsys.readouterr().err


@pytest.mark.slow
def test_a_sample_that_is_asked_everywhere_corrects_what_bisection_misses(ask):
    """One original in three is right again at the strongest but wrong in between."""
    middle = (
        'size = len(row["text"]); wrong = size < 100 and size > 75\n'
        '    answer = "no" if wrong and row["least"] % 3 == 0 else "yes"'
    )
    rows = noisy(120)
    _, _, few = ask(rows, "--bisect", "0.5", answer=middle)
    _, _, every = ask(rows, answer=middle)
    found, whole = (tolerance(each, lose=0.2).steps[0].curve for each in (few, every))
    inferred = [row for row in few if row["response"].get("bisected") == "inferred"]
    assert {row["prediction"] for row in inferred} == {"yes"}  # so that all alone would lose none
    for rung, true in zip(found, whole, strict=True):
        assert rung.low <= true.loss <= rung.high
        assert rung.loss == pytest.approx(true.loss, abs=0.12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--bisect", "0"], "a share above 0"),
        (["--bisect", "--seeds", "2"], "--seeds does nothing with --bisect"),
        (["--bisect", "--on-error", "keep"], "leave out --on-error keep"),
        (["--match", "exact"], "--match does nothing without --until or --bisect"),
    ],
)
def test_what_is_refused_before_anything_is_asked(ask, capsys, given, message):
    status, asked, _ = ask(noisy(2), *given)
    assert (status, asked) == (2, [])
    assert message in capsys.readouterr().err


def test_a_temperature_is_refused(ask, capsys, tmp_path):
    Path("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in noisy(2)), "utf-8")
    given = ["--endpoint", "http://localhost:1", "--model", "m", "--temperature", "0.7"]
    assert main(["run", "rows.jsonl", "-o", "out.jsonl", *given, "--bisect"]) == 2
    assert "a --temperature above 0 draws" in capsys.readouterr().err


@pytest.mark.slow
def test_a_system_that_answers_at_random_is_refused(ask, capsys):
    status, asked, _ = ask(noisy(), "--bisect", answer="import random; answer = random.random()")
    assert status == 1
    assert (
        "the system answers at random: asked twice about the original 'q" in capsys.readouterr().err
    )
    assert len(asked) < 60


@pytest.mark.parametrize(
    ("without", "message"),
    [
        ("q3#char_delete:p=0.12", "the original 'q3' has no row for char_delete at 0.12"),
        ("q3", "the original 'q3' is missing: perturb with --with-original"),
    ],
)
def test_rows_that_are_missing(ask, capsys, without, message):
    status, asked, _ = ask([row for row in noisy(8) if row["id"] != without], "--bisect")
    assert (status, asked) == (1, [])
    assert message in capsys.readouterr().err


def test_what_does_not_nest_is_refused(ask, capsys):
    rows = noisy(8)
    for row in rows:
        if row["id"].endswith("p=0.3"):
            row["perturbation"]["edits"] = "text|0:a>b"
    status, asked, _ = ask(rows, "--bisect")
    assert (status, asked) == (1, [])
    assert "char_delete isn't nested: for the original 'q" in capsys.readouterr().err


def test_steps_in_a_row_do_not_nest(ask, capsys):
    originals = [{"id": "q", "text": "some text " * 9, "answer": "yes"}]
    grid = package.grid([["char_delete", "keyboard_typos"]], p=P)
    status, asked, _ = ask([*package.augment(originals, grid, with_original=True)], "--bisect")
    assert (status, asked) == (1, [])
    assert "char_delete keyboard_typos isn't nested" in capsys.readouterr().err


@pytest.mark.slow
def test_steps_with_a_name_and_one_step_of_several_nest(ask):
    steps = ("holes=char_delete", package.one_of(["char_delete", "case"]))
    rows = noisy(40, steps)
    _, asked, few = ask(rows, "--bisect")
    assert len(asked) < 0.8 * len(rows)
    assert [step.step for step in tolerance(few, lose=0.2).steps] == [
        "holes",
        "one_of(char_delete | case)",
    ]


def test_what_has_one_strength_is_not_bisected(ask, capsys):
    originals = [{"id": "q", "text": "some text", "answer": "yes"}]
    rows = [*package.augment(originals, "char_delete", p=0.1, with_original=True)]
    assert ask(rows, "--bisect")[:2] == (1, [])
    assert "no step has several strengths to bisect" in capsys.readouterr().err


@pytest.mark.slow
def test_thirty_originals_are_asked_twice_however_few_are_asked_everywhere(ask):
    _, asked, _ = ask(noisy(40), "--bisect", "0.05")
    assert len(asked) - len({*asked}) == 30


@pytest.mark.slow
def test_a_bisected_chain_is_what_bisecting_its_scores_gives(ask):
    """Whatever the system says: a hash of what it is asked."""
    hashed = 'import zlib; answer = "yes" if zlib.crc32(row["text"].encode()) % 3 else "no"'
    rows = noisy(40)
    _, _, few = ask(rows, "--bisect", "0.1", answer=hashed)
    _, _, every = ask(rows, answer=hashed)
    right = {row["id"]: float(row["prediction"] == "yes") for row in every}
    for row in few[:: len(P) + 1]:
        names = [row["id"], *(f"{row['id']}#char_delete:p={p}" for p in P)]
        chain = [each for each in few if each["id"] in names]
        scores = np.array([[right[name] for name in names]])
        if chain[1]["response"]["bisected"] == "sampled":
            expected = scores
        else:
            expected = bisect(scores).values
        values = [float(each["prediction"] == "yes") for each in chain]
        assert values == expected[0].tolist()
