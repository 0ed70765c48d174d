"""Asking strength by strength: what is asked, what is found, what is refused."""

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb as package
from perturb.cli import main
from perturb.errors import DataError
from perturb.robustness import tolerance
from perturb.robustness.metrics.crossing import asked_next, crossing_interval, curve_of

P = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.25, 0.3)
# Right until `least` of the letters of a row are left; it counts in `asked` what it is asked.
PROGRAM = """
import json, random, sys
for line in sys.stdin:
    row = json.loads(line)
    with open("asked.txt", "a") as log:
        print(row["id"], file=log)
    answer = "yes" if len(row["text"]) >= row["least"] else "no"
    {more}
    print(json.dumps({{"prediction": answer}}), flush=True)
"""


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Ask a program; return the status, the rows that it was asked, and the answers."""
    monkeypatch.chdir(tmp_path)

    def ask(rows, *arguments, more="", output="out.jsonl"):
        Path("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        Path("system.py").write_text(PROGRAM.format(more=more), "utf-8")
        Path("asked.txt").write_text("")
        command = f"{sys.executable} system.py"
        status = main(["run", "rows.jsonl", "-o", output, "--command", command, *arguments])
        asked = Path("asked.txt").read_text().splitlines()
        if status:
            return status, asked, []
        return (
            status,
            asked,
            [json.loads(line) for line in Path(output).read_text("utf-8").splitlines()],
        )

    return ask


def noisy(count=80, steps=("char_delete",), **options):
    """Texts of 100 letters, each of which may lose some; from 0 to 40."""
    rows = [
        {"id": f"q{at}", "text": "abcdefghi " * 10, "least": 100 - at % 40, "answer": "yes"}
        for at in range(count)
    ]
    grid = package.grid(list(steps), p=P)
    return list(package.augment(rows, grid, with_original=True, **options))


def limits(rows, lose, **options):
    return [(one.step, one.low, one.high) for one in tolerance(rows, lose=lose, **options).steps]


@pytest.mark.slow
def test_the_interval_is_that_of_asking_all_strengths(ask, capsys):
    rows = noisy()
    _, asked, few = ask(rows, "--bisect", "--lose", "0.3")
    said = capsys.readouterr().err
    every = ask(rows, output="every.jsonl")[2]
    assert limits(few, 0.3) == limits(every, 0.3)
    assert len(asked) == len(few) <= 0.75 * len(rows)
    kept = {row["id"] for row in few}
    assert few == [row for row in every if row["id"] in kept]
    strengths = {row["perturbation"]["condition"] for row in few}
    assert len(few) == 80 * len(strengths)  # each is asked of all originals
    assert f"saved {len(rows) - len(few):,} of {len(rows):,} calls" in said
    assert said.count("0.3 is lost under char_delete") >= 3


@pytest.mark.slow
def test_the_loss_and_the_way_to_grade_are_carried_to_tolerance(ask, capsys):
    ask(noisy(), "--bisect", "--lose", "0.3", "--match", "contains")
    options = json.loads(Path("out.jsonl.manifest.json").read_text())["asked"]["options"]
    assert (options["bisect"], options["lose"], options["match"]) == (True, 0.3, "contains")
    capsys.readouterr()
    assert main(["tolerance", "out.jsonl", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["lose"] == 0.3
    assert not [hint for hint in found["hints"] if "Asking stopped" in hint]
    assert main(["tolerance", "out.jsonl", "--json", "--lose", "0.1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "Asking stopped by --lose 0.3; these verdicts go by --lose 0.1." in found["hints"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "match"),
    [
        ('answer += f", and {random.random()}"', "contains"),
        ('answer = random.choice(["yes", answer, answer])', "exact"),
    ],
)
def test_a_system_may_be_chatty_or_answer_at_random(ask, more, match):
    status, asked, few = ask(noisy(), "--bisect", "--lose", "0.3", "--match", match, more=more)
    assert status == 0
    assert len(asked) < 80 * (len(P) + 1)
    (step,) = tolerance(few, lose=0.3, match=match).steps
    assert step.verdict in ("loses", "undecided")
    assert step.low > 0


@pytest.mark.slow
def test_a_stopped_run_asks_the_rest(ask):
    rows = noisy()
    broken = 'if row["id"] == "q79#char_delete:p=0.3": raise SystemExit(1)'
    status, first, _ = ask(rows, "--bisect", "--retries", "0", "--concurrency", "1", more=broken)
    assert status == 1
    status, rest, _ = ask(rows, "--bisect", "--same-system")
    assert status == 0
    assert not {*first[:-1]} & {*rest}
    whole = Path("out.jsonl").read_bytes()
    assert ask(rows, "--bisect", "--same-system")[1] == []
    assert Path("out.jsonl").read_bytes() == whole
    ask(rows, "--bisect", output="other.jsonl")
    assert Path("other.jsonl").read_bytes() == whole


@pytest.mark.slow
def test_each_step_is_searched_by_itself_and_two_systems_each_where_they_turn(ask):
    rows = noisy(steps=("char_delete", "holes=char_delete:where=last"))
    weak = ask(rows, "--bisect", "--lose", "0.3")[2]
    strong = ask(rows, "--bisect", "--lose", "0.3", more='answer = "yes" if row["least"] < 95 else answer',
                 output="strong.jsonl")[2]  # fmt: skip
    both = tolerance(weak, strong, lose=0.3).steps
    assert [one.step for one in both] == ["char_delete"] * 3 + ["holes"] * 3
    for system, found in (("A", weak), ("B", strong)):
        alone = tolerance(found, lose=0.3).steps
        of = [one for one in both if one.system == system]
        assert [one._replace(system="") for one in of] == alone


@pytest.mark.slow
def test_without_right_answers_it_asks_where_the_answer_is_no_longer_that_to_the_original(ask):
    rows = [{**row, "answer": "maybe"} for row in noisy()]
    few = ask(rows, "--bisect", "--lose", "0.3", "--against", "original")[2]
    every = ask(rows, output="every.jsonl")[2]
    assert len(few) < len(every)
    assert limits(few, 0.3, against="original") == limits(every, 0.3, against="original")


def test_what_has_one_strength_is_not_bisected(ask, capsys):
    originals = [{"id": "q", "text": "some text", "answer": "yes"}]
    rows = [*package.augment(originals, "char_delete", p=0.1, with_original=True)]
    assert ask(rows, "--bisect")[:2] == (1, [])
    assert "no step has several strengths to bisect" in capsys.readouterr().err


def test_rows_that_cannot_be_graded_are_not_asked(ask, capsys):
    assert ask(noisy(2), "--bisect", "--target", "gold")[:2] == (1, [])
    assert "rows.jsonl:1: there is no field 'gold'" in capsys.readouterr().err


def test_answers_that_an_older_version_inferred_are_refused():
    rows = [{**row, "prediction": "yes"} for row in noisy(2)]
    rows[-1]["response"] = {"bisected": "inferred"}
    with pytest.raises(DataError, match="its answer was inferred, not asked for"):
        tolerance(rows)


def searched(curve, loss):
    """What is asked of a curve, and the interval in the end."""
    every = curve.strengths[1:].tolist()
    asked = {every[-1], every[len(every) // 2]}
    while True:
        known = [0, *(at for at, one in enumerate(every, 1) if one in asked)]
        ends = crossing_interval(type(curve)(*(column[known] for column in curve)), loss)
        new = asked_next(every, asked, *ends)
        if not new:
            return asked, ends
        assert not new & asked
        asked |= new


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=2, max_size=40), st.floats(0.01, 0.5), st.floats(0, 1))
def test_of_limits_that_only_rise_nothing_is_missed(losses, wide, loss):
    losses = np.sort(losses)
    curve = curve_of(np.arange(1.0, losses.size + 1), losses, losses - wide, losses + wide)
    asked, ends = searched(curve, loss)
    assert ends == crossing_interval(curve, loss)
    assert len(asked) <= 3 + 2 * np.log2(losses.size)


def test_of_limits_that_rise_and_fall_it_ends():
    rng = random.Random(3)
    for _ in range(200):
        losses = np.array([rng.random() for _ in range(rng.randrange(2, 30))])
        curve = curve_of(np.arange(1.0, losses.size + 1), losses, losses - 0.2, losses + 0.2)
        asked, (low, high) = searched(curve, 0.5)
        assert high is None or {low, high} <= asked | {0.0}
