import numpy as np
import orjson
import pytest

from perturb.errors import DataError
from perturb.robustness import compare, paired_difference, sign_flip_test
from perturb.robustness.metrics.sampling import uniforms

METRICS = {"correct": {"threshold": 0.5}}


@pytest.fixture
def systems(linked):
    """100 originals, two conditions, two versions: B loses .3 more under typos, none under case."""

    def system(key, typos):
        chance = iter(uniforms(key, 500).tolist())
        rows = []
        for at in range(100):
            rows.append({"id": str(at), "correct": next(chance) < 0.95})
            for name, right in (("typos", typos), ("case", 0.95)):
                rows += [
                    linked(str(at), name, 0.1, one, correct=next(chance) < right) for one in (0, 1)
                ]
        return rows

    return system(1, 0.9), system(2, 0.6)


def change(rows, name):
    clean = {row["id"]: row["correct"] for row in rows if "perturbation" not in row}
    records = [
        row
        for row in rows
        if "perturbation" in row and row["perturbation"]["steps"][0]["name"] == name
    ]
    ids = [row["perturbation"]["original_id"] for row in records]
    return np.array([row["correct"] - clean[at] for row, at in zip(records, ids, strict=True)]), ids


def test_the_difference_of_differences(systems):
    found = compare(*systems, metrics=METRICS)
    case, typos = found.conditions
    (a, ids), (b, _) = (change(rows, "typos") for rows in systems)
    estimate = paired_difference(a, b, ids)
    assert typos.difference == pytest.approx(b.mean() - a.mean())
    assert (typos.low, typos.high) == pytest.approx((estimate.low, estimate.high))
    assert typos.verdict == "B loses more"
    assert typos.p_adjusted == pytest.approx(min(1, 2 * sign_flip_test(a, b, ids)), rel=1e-6)
    assert case.verdict == "no difference shown"
    assert found.sentence.startswith("B loses more: perturbing changes A by ")


def test_turned_around(systems):
    found, turned = compare(*systems, metrics=METRICS), compare(*systems[::-1], metrics=METRICS)
    assert turned.overall.difference == pytest.approx(-found.overall.difference)
    assert turned.overall.verdict == "A loses more"
    assert (turned.overall.a_holds, turned.overall.b_holds) == (
        found.overall.b_holds,
        found.overall.a_holds,
    )


def test_rows_where_a_holds(systems):
    found = compare(*systems, metrics=METRICS)
    assert len(found.a_holds) == found.overall.a_holds > 20
    original, condition = found.a_holds[0]
    assert condition in ("typos p=0.1", "case p=0.1")
    rows = [row for row in systems[1] if row.get("perturbation", {}).get("original_id") == original]
    assert not all(row["correct"] for row in rows)


def test_a_system_beside_itself(systems):
    found = compare(systems[0], systems[0], metrics=METRICS)
    assert (found.overall.difference, found.overall.p_adjusted) == (0, 1)
    assert found.overall.verdict == "no difference shown"


def test_rows_of_one_alone_are_left_out_and_none_shared_is_an_error(systems, linked):
    fewer = [row for row in systems[1] if row.get("perturbation", {}).get("replicate") != 1]
    assert compare(systems[0], fewer, metrics=METRICS).overall.rows == 200
    other = [{"id": "x", "correct": 1}, linked("x", correct=1)]
    with pytest.raises(DataError, match="share no perturbed row"):
        compare(systems[0], other, metrics=METRICS)


def test_the_command(command, write, systems):
    a, b = write("a", systems[0]), write("b", systems[1])
    text = command("compare", a, b, "--score", "correct", "-n", "2")
    assert text.startswith("B loses more")
    assert "\nA holds and B breaks:\n" in text
    assert max(map(len, text.splitlines())) <= 80
    found = orjson.loads(command("compare", a, b, "--score", "correct", "--json"))
    assert found["overall"]["verdict"] == "B loses more"


def test_the_command_by_a_metric_of_which_less_is_better(command, write, systems):
    """Wrong answers counted up in place of right ones; names that do not fit go on below."""
    paths = []
    for name, rows in zip("ab", systems, strict=True):
        for row in rows:
            row["wrong"] = 1 - row["correct"]
            for step in row.get("perturbation", {}).get("steps", ()):
                step["name"] = f"a_long_name_of_{step['name']}"
        paths.append(write(name, rows))
    metrics = write("m", [{"wrong": {"threshold": 0.5, "higher_is_better": False}}])
    text = command("compare", *paths, "--metrics", metrics)
    assert text.startswith("B loses more")
    assert max(map(len, text.splitlines())) <= 80
    assert "\n  p=0.1\n" in text


def test_a_system_that_never_errs_holds_what_the_other_breaks(linked):
    rows = [{"id": n, "prediction": "a", "answer": "a"} for n in range(4)]
    broken = [linked(str(n), prediction="b", answer="a") for n in range(4)]
    held = [{**row, "prediction": "a"} for row in broken]
    found = compare([*rows, *broken], [*rows, *held])
    assert (found.overall.a_holds, found.overall.b_holds) == (0, 4)
