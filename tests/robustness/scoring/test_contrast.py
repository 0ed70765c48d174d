from collections import Counter

import numpy as np
import orjson
import pytest

from perturb.errors import DataError
from perturb.robustness import bounded_interval, bounded_test, compare
from perturb.robustness.linking.conditions import Condition, labels
from perturb.robustness.metrics.sampling import uniforms

METRICS = {"correct": {"threshold": 0.5}}


@pytest.fixture
def systems(linked):
    """100 originals, two conditions, two versions: B loses .3 more under typos, none under case."""

    def system(key, typos):
        chance = iter(uniforms(key, 500).tolist())
        rows = []
        for at in range(100):
            rows.append({"id": str(at), "text": "clean text", "correct": next(chance) < 0.95})
            for name, right in (("typos", typos), ("case", 0.95)):
                rows += [
                    linked(str(at), name, replicate=one, correct=next(chance) < right)
                    for one in (0, 1)
                ]
        return rows

    return system(1, 0.9), system(2, 0.6)


def change(rows, name):
    clean = {row["id"]: row["correct"] for row in rows if "perturbation" not in row}
    records = [
        row
        for row in rows
        if "perturbation" in row and row["perturbation"]["condition"].startswith(name)
    ]
    ids = [row["perturbation"]["original_id"] for row in records]
    return np.array([row["correct"] - clean[at] for row, at in zip(records, ids, strict=True)]), ids


def test_the_difference_of_differences(systems):
    found = compare(*systems, metrics=METRICS)
    case, typos = found.conditions
    (a, ids), (b, _) = (change(rows, "typos") for rows in systems)
    interval = bounded_interval(b - a, ids)
    assert typos.difference == pytest.approx(b.mean() - a.mean())
    assert (typos.low, typos.high) == pytest.approx(interval)
    assert typos.verdict == "B loses more"
    assert (typos.a, typos.b, found.tolerances) == ("A", "B", ())  # each has one strength
    assert typos.p_adjusted == pytest.approx(min(1, 2 * bounded_test(b - a, ids)))
    assert case.verdict == "undecided"
    assert found.sentence.startswith("B loses more than A under typos p=0.1 (-0.")
    assert ". Undecided under case. Perturbing changes A by " in found.sentence


@pytest.mark.slow
def test_the_order_of_the_rows_changes_no_digit(systems):
    """Of scores whose sums are not whole."""
    scored = [
        [
            {**row, "correct": one}
            for row, one in zip(rows, uniforms(key, 500).tolist(), strict=True)
        ]
        for key, rows in enumerate(systems)
    ]
    mixed = [
        [rows[at] for at in np.argsort(uniforms(key, 500))] for key, rows in enumerate(scored, 5)
    ]
    found, again = (compare(*each, metrics=METRICS) for each in (scored, mixed))
    assert (again.conditions, again.overall) == (found.conditions, found.overall)
    assert sorted(again.a_holds) == sorted(found.a_holds)


@pytest.mark.slow
def test_turned_around(systems):
    found, turned = compare(*systems, metrics=METRICS), compare(*systems[::-1], metrics=METRICS)
    assert turned.overall[0].difference == pytest.approx(-found.overall[0].difference)
    assert turned.overall[0].verdict == "A loses more"
    assert (turned.overall[0].a_holds, turned.overall[0].b_holds) == (
        found.overall[0].b_holds,
        found.overall[0].a_holds,
    )


def test_rows_where_a_holds(systems):
    found = compare(*systems, metrics=METRICS)
    assert len(found.a_holds) == found.overall[0].a_holds > 20
    original, condition = found.a_holds[0]
    assert condition in ("typos p=0.1", "case p=0.1")
    rows = [row for row in systems[1] if row.get("perturbation", {}).get("original_id") == original]
    assert not all(row["correct"] for row in rows)
    for most in (0, 1, 7):
        assert found.most_held(most) == Counter(found.a_holds).most_common(most or None)


@pytest.mark.slow
def test_a_system_beside_itself(systems):
    found = compare(systems[0], systems[0], metrics=METRICS)
    assert (found.overall[0].difference, found.overall[0].p_adjusted) == (0, 1)
    assert found.overall[0].verdict == "undecided"  # one in 25 originals may yet differ
    assert compare(systems[0], systems[0], metrics=METRICS, margin=0.1).overall[0].verdict == "same"


@pytest.mark.slow
def test_rows_of_one_alone_are_left_out_and_none_shared_is_an_error(systems, linked):
    fewer = [row for row in systems[1] if not row["id"].endswith("#1")]
    found = compare(systems[0], fewer, metrics=METRICS)
    assert found.overall[0].rows == 200
    assert found.hints[0] == "Left out: 200 perturbed rows that A alone has."
    assert compare(systems[1], systems[0], metrics=METRICS).hints == ()
    other = [{"id": "x", "correct": 1}, linked("x", correct=1)]
    with pytest.raises(DataError, match="share no perturbed row"):
        compare(systems[0], other, metrics=METRICS)
    again = [{**row, "response": {"seed": 1}} for row in systems[1]]
    with pytest.raises(DataError, match=r"ask both systems with the same seeds, or all without"):
        compare(systems[0], again, metrics=METRICS)


@pytest.mark.slow
def test_the_command(command, write, systems):
    a, b = write("a", systems[0]), write("b", systems[1])
    text = command("compare", a, b, "--score", "correct", "-n", "2")
    assert text.startswith("b loses more than a under ")
    assert "\na holds and b breaks:\n" in text
    assert max(map(len, text.splitlines())) <= 80
    found = orjson.loads(command("compare", a, b, "--score", "correct", "--json"))
    assert found["overall"][0]["verdict"] == "b loses more"


@pytest.mark.slow
def test_the_rows_that_one_system_breaks_are_listed_once_with_their_versions(
    command, write, systems
):
    a, b = write("a", systems[0]), write("b", systems[1])
    some, every = (
        command("compare", a, b, "--score", "correct", "-n", count).partition("breaks:\n")[2]
        for count in "20"
    )
    left = int(some.splitlines()[-1].split()[2].rstrip(";"))
    assert len(some.splitlines()) == 3
    rows = [2 if line.endswith(", 2 versions") else 1 for line in every.splitlines()]
    assert rows == sorted(rows, reverse=True)
    assert left == sum(rows[2:]) > 0
    assert sum(rows) == compare(*systems, metrics=METRICS).overall[0].a_holds


@pytest.mark.slow
def test_the_command_by_a_metric_of_which_less_is_better(command, write, systems):
    """Wrong answers counted up in place of right ones; names that do not fit go on below."""
    paths = []
    for name, rows in zip("ab", systems, strict=True):
        for row in rows:
            row["wrong"] = 1 - row["correct"]
            record = row.get("perturbation", {})
            for said in record.keys() & {"condition", "recipe"}:
                record[said] = f"a_long_name_of_{record[said]}"
        paths.append(write(name, rows))
    metrics = write("m", [{"wrong": {"threshold": 0.5, "higher_is_better": False}}])
    text = command("compare", *paths, "--metrics", metrics)
    assert text.startswith("b loses more than a under ")
    assert max(map(len, text.splitlines())) <= 80
    assert "\n  p=0.1\n" in text


def test_a_system_that_refuses_cannot_be_compared(linked):
    """The reason names the system, and the way to read the answers of the other stands beside."""

    def system(said):
        return [
            row
            for at in range(40)
            for row in (
                {"id": str(at), "prediction": said, "answer": "4"},
                linked(str(at), prediction=said, answer="4"),
            )
        ]

    fine, refusing = system("4"), system("I'm sorry, but I can't help with that.")
    found = compare(fine, refusing)
    assert found.sentence == ("Cannot judge: of B, 100 % of the clean replies are refusals.")
    assert {one.verdict for one in found.conditions} == {"cannot judge"}
    assert compare(fine, system("the 4"), match="number", margin=0.1).sentence.startswith(
        "A and B lose the same under typos."
    )


@pytest.mark.slow
def test_the_command_tells_the_match_that_reads(command, write, linked):
    rows = [{"id": str(at), "prediction": "It is 4.", "answer": "4"} for at in range(40)]
    rows += [linked(str(at), prediction="It is 4.", answer="4") for at in range(40)]
    path = write("a", rows)
    text = " ".join(command("compare", path, path).split())
    assert text.startswith("Cannot judge: of A, no original is answered correctly")
    assert "A: --match number reads 100 % and finds 100 % of the originals right." in text
    assert command("compare", path, path, "--match", "number", "--margin", "0.2").startswith(
        "A and B lose the same"
    )


@pytest.mark.slow
def test_the_command_takes_what_a_person_says(command, write, linked):
    """The match is blind to the word "4" in what B says of noisy rows; a person reads it."""
    paths = []
    for name, noisy in (("a", "4"), ("b", "not 4")):
        rows = [{"id": str(at), "text": "clean text", "prediction": "4"} for at in range(60)]
        rows += [linked(str(at), prediction=noisy) for at in range(60)]
        words = {"4": "right", "not 4": "wrong"}
        every = [{**row, "answer": "4", "ok": words[row["prediction"]]} for row in rows]
        paths.append(write(name, every))
    call = ("compare", *paths, "--match", "contains", "--json")
    found = orjson.loads(command(*call))["conditions"][0]
    assert (found["difference"], found["change_b"]) == (0, 0)
    found = orjson.loads(command(*call, "--human", "ok"))
    assert found["sentence"].startswith("b loses more than a under typos p=0.1 (-1.000). ")
    assert (
        "A person's grades cover 120 rows of b; equal replies to an original share one. The judge calls right 100 %"
        in found["hints"][1]
    )
    with pytest.raises(DataError, match="no row has right or wrong in its field 'no'"):
        command(*call, "--human", "no")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["md", "latex", "tsv", "csv", "json"])
def test_the_forms_of_a_comparison(command, write, systems, form):
    a, b = write("a", systems[0]), write("b", systems[1])
    text = command("compare", a, b, "--score", "correct", "--format", form)
    assert text.count("b loses more") >= 2
    assert f"{-0.3:+.3f}"[:3] in text


@pytest.mark.slow
def test_several_metrics(systems):
    """Each has findings of its own, with its own direction; wrong answers tell the same."""
    for rows in systems:
        for row in rows:
            row["wrong"] = 1 - row["correct"]
    metrics = METRICS | {"wrong": {"threshold": 0.5, "higher_is_better": False}}
    found = compare(*systems, metrics=metrics)
    assert [one.metric for one in found.overall] == ["correct", "wrong"]
    assert [one.verdict for one in found.overall] == ["B loses more"] * 2
    assert found.overall[0].difference == pytest.approx(-found.overall[1].difference)
    assert "wrong: B loses more" in found.sentence
    assert len(found.to_pandas()) == 6


def test_a_system_that_never_errs_holds_what_the_other_breaks(linked):
    rows = [{"id": n, "prediction": "a", "answer": "a"} for n in range(4)]
    broken = [linked(str(n), prediction="b", answer="a") for n in range(4)]
    held = [{**row, "prediction": "a"} for row in broken]
    (found,) = compare([*rows, *broken], [*rows, *held]).overall
    assert (found.a_holds, found.b_holds) == (0, 4)


def test_the_first_strength_is_named_for_whichever_system_loses_more(linked):
    def answers(lost):
        rows = [{"id": str(at), "correct": True} for at in range(100)]
        for p, share in lost.items():
            rows += [linked(at, "noise", p, correct=at >= share) for at in range(100)]
        return rows

    one, other = answers({0.1: 30, 0.2: 40, 0.3: 60}), answers({0.1: 0, 0.2: 0, 0.3: 0})
    told = "loses more than {} under noise from p=0.1, most at p=0.3 ({}0.600)."
    assert compare(one, other, metrics=METRICS).sentence.startswith(f"A {told.format('B', '+')}")
    assert compare(other, one, metrics=METRICS).sentence.startswith(f"B {told.format('A', '-')}")


def test_a_file_goes_by_its_name_in_a_sentence():
    pools = [
        f"kind=distract,pool=/data/{folder}/pool.txt@sha256:{digit * 64}"
        for folder, digit in ("xa", "yb")
    ]
    one, other = (Condition("passages", 1.0, params, None) for params in pools)
    plain = Condition("passages", 1.0, "kind=drop", None)
    assert labels([one, plain])[0] == "passages kind=distract,pool=pool.txt"
    assert labels([one, other])[1] == "passages kind=distract,pool=pool.txt~bbbbbb"
