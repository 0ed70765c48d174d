import csv
import gzip
import io

import numpy as np
import orjson
import pytest

from perturb.robustness import (
    benjamini_hochberg,
    bounded_interval,
    bounded_test,
    cohens_h,
    consistency_rate,
)
from perturb.robustness.metrics.sampling import uniforms


@pytest.fixture
def scored(write, linked):
    """60 originals, two perturbators, two strengths, two replicates; some rows unchanged."""
    chance = iter(uniforms(11, 2000).tolist())
    rows = []
    for original in range(60):
        rows.append({"id": original, "correct": next(chance) < 0.9})
        for name, loss in (("mild", 0.05), ("harsh", 3.0)):
            for p in (0.2, 0.1):
                for replicate in (0, 1):
                    status = "changed" if next(chance) < 0.8 else "no site"
                    correct = next(chance) < 0.9 - loss * p
                    rows.append(
                        linked(
                            str(original),
                            name,
                            p,
                            replicate=replicate,
                            status=status,
                            correct=correct,
                        )
                    )
    return write("scored.jsonl", rows), rows


def by_hand(rows, name, p, only_changed=False):
    clean = {str(row["id"]): row["correct"] for row in rows if "perturbation" not in row}
    chosen = [
        row
        for row in rows
        if "perturbation" in row
        and row["perturbation"]["condition"] == f"{name}:p={p}"
        and not (only_changed and row["perturbation"]["status"] != "changed")
    ]
    originals = [row["perturbation"]["original_id"] for row in chosen]
    before = np.array([clean[original] for original in originals], float)
    after = np.array([row["correct"] for row in chosen], float)
    return before, after, originals


@pytest.mark.slow
def test_every_measure_is_that_of_the_rows(command, scored):
    path, rows = scored
    report = orjson.loads(command("score", path, "--score", "correct", "--json", "--seed", "3"))
    assert [(found["perturbator"], found["p"]) for found in report["conditions"][:4]] == [
        ("harsh", 0.1),
        ("harsh", 0.2),
        ("mild", 0.1),
        ("mild", 0.2),
    ]
    assert [found["scope"] for found in report["conditions"]] == ["all"] * 4 + ["changed"] * 4
    for found in report["conditions"]:
        before, after, originals = by_hand(
            rows, found["perturbator"], found["p"], found["scope"] == "changed"
        )
        low, high = bounded_interval(after - before, originals)
        assert found["rows"] == len(after)
        assert found["originals"] == len(set(originals))
        assert found["clean_mean"] == pytest.approx(before.mean())
        assert found["perturbed_mean"] == pytest.approx(after.mean())
        assert found["difference"] == pytest.approx(after.mean() - before.mean())
        assert found["p_value"] == pytest.approx(bounded_test(after - before, originals))
        mean = bounded_interval(after, originals, ends=(0.0, 1.0))
        assert (found["perturbed_low"], found["perturbed_high"]) == pytest.approx(mean)
        assert (found["low"], found["high"]) == pytest.approx((low, high))
        assert found["bootstrap_low"] < found["difference"] < found["bootstrap_high"]
        assert found["cohens_h"] == pytest.approx(cohens_h(before, after) / np.pi)
        assert found["cohens_d"] is None
        assert found["flips_to_bad"] == int(((before == 1) & (after == 0)).sum())
        assert found["flips_to_good"] == int(((before == 0) & (after == 1)).sum())
        worst = [min(after[np.array(originals) == original]) for original in set(originals)]
        assert found["worst_of_k"] == pytest.approx(np.mean(worst))
        assert found["test"] == "empirical likelihood"
        change = (after.mean() / before.mean() - 1) * 100
        assert found["relative_change"] == pytest.approx(change)


def test_p_values_are_adjusted_over_the_conditions(command, scored):
    report = orjson.loads(command("score", scored[0], "--score", "correct", "--json"))
    for scope in ("all", "changed"):
        found = [each for each in report["conditions"] if each["scope"] == scope]
        adjusted = benjamini_hochberg([each["p_value"] for each in found])
        assert [each["p_adjusted"] for each in found] == pytest.approx(adjusted)
    verdicts = {(f["perturbator"], f["p"]): f["verdict"] for f in report["conditions"][:4]}
    assert verdicts["harsh", 0.2] == "worse"
    assert verdicts["mild", 0.1] == "undecided"


@pytest.mark.slow
def test_order_of_rows_and_where_the_clean_ones_stand_change_nothing(command, scored, write):
    path, rows = scored
    expected = command("score", path, "--score", "correct", "--json")
    shuffled = [rows[at] for at in np.argsort(uniforms(3, len(rows)))]
    mixed = write("mixed.jsonl", shuffled)
    assert command("score", mixed, "--score", "correct", "--json") == expected
    clean = write("clean.jsonl", [row for row in shuffled if "perturbation" not in row])
    perturbed = write("perturbed.jsonl", [row for row in shuffled if "perturbation" in row])
    assert command("score", perturbed, "--clean", clean, "--score", "correct", "--json") == expected


def test_originals_written_beside_their_variants_are_clean_rows(command, write, linked):
    rows = [linked("a", correct=False), linked("b", correct=True)]
    for original in "ab":
        row = linked(original, correct=True)
        row["perturbation"].update(status="original", condition="")
        rows.append(row)
    report = orjson.loads(command("score", write("s", rows), "--score", "correct", "--json"))
    assert report["conditions"][0]["flips_to_bad"] == 1


@pytest.mark.slow
def test_compressed_input(command, scored, tmp_path):
    path, _ = scored
    packed = tmp_path / "scored.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    expected = command("score", path, "--score", "correct")
    assert command("score", packed, "--score", "correct") == expected


@pytest.mark.slow
def test_table_and_csv(command, scored):
    text = command("score", scored[0], "--score", "correct")
    sentence, _, table = text.partition("\n\n")
    assert sentence.startswith(
        "Breaks under harsh from p=0.1, most at p=0.2 (-0.575). Undecided under mild."
    )
    lines = table.partition("\n\n")[0].splitlines()
    assert lines[0].startswith("condition")
    assert len(lines) == 2 + 2 + 2 + 1
    assert max(map(len, text.splitlines())) <= 80
    wide = command("score", scored[0], "--score", "correct", "--wide")
    assert "unedited flips" in wide
    text = command("score", scored[0], "--score", "correct", "--csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["perturbator"] for row in rows] == ["harsh", "harsh", "mild", "mild"] * 2 + [
        "overall"
    ] * 2


def test_changed_rows_are_shown_in_the_wide_table_alone_and_only_where_they_differ(
    command, write, linked
):
    rows = [{"id": at, "correct": True} for at in range(3)]
    rows += [linked(at, correct=at > 0) for at in range(3)]
    assert " of 3 changed" not in command("score", write("s", rows), "--score", "correct")
    rows[-1]["perturbation"]["status"] = "no site"
    narrow = command("score", write("s", rows), "--score", "correct")
    assert " of 3 changed" not in narrow.partition("verdict\n")[2]
    assert "- 2 of 3 changed" in command("score", write("s", rows), "--score", "correct", "--wide")
    for row in rows[3:]:
        row["perturbation"]["status"] = "no site"
    report = orjson.loads(command("score", write("s", rows), "--score", "correct", "--json"))
    assert [found["scope"] for found in report["overall"]] == ["all"]


def test_scores_that_are_not_binary(command, write, linked):
    rows = [{"id": at, "bleu": 30.0 + at} for at in range(20)]
    rows += [linked(at, bleu=29.0 + at + at % 3) for at in range(20)]
    report = orjson.loads(command("score", write("s", rows), "--score", "bleu", "--json"))
    found = report["conditions"][0]
    assert found["test"] == "empirical likelihood"
    assert found["cohens_h"] is None
    assert found["flips_to_bad"] is None
    assert found["cohens_d"] == pytest.approx(
        found["difference"] / np.std([1, 0, -1] * 6 + [1, 0], ddof=1)
    )


def test_measures_that_do_not_exist_are_missing_and_infinities_are_words(command, write, linked):
    rows = [{"id": 1, "correct": 0}, linked(1, correct=0)]
    found = orjson.loads(command("score", write("s", rows), "--score", "correct", "--json"))
    assert {
        found["overall"][0][name] for name in ("low", "p_value", "cohens_d", "relative_change")
    } == {None}
    assert found["overall"][0]["verdict"] == "cannot judge"
    rows = [
        {"id": 1, "bleu": 30},
        {"id": 2, "bleu": 20},
        linked(1, bleu=28),
        linked(2, bleu=18),
    ]
    found = orjson.loads(command("score", write("s", rows), "--score", "bleu", "--json"))
    assert found["overall"][0]["cohens_d"] == "-inf"
    assert found["overall"][0]["low"] < -2 < found["overall"][0]["high"]
    assert found["overall"][0]["minimum_detectable_drop"] is None


def test_consistency_counts_the_clean_answer(command, write, linked):
    answers = {"a": ["A", "A", "C"], "b": ["B", "B", None]}
    rows = []
    for original, (clean, *perturbed) in answers.items():
        rows.append({"id": original, "answer": clean, "gold": "A"})
        rows += [
            linked(original, replicate=at, answer=answer, gold="A")
            for at, answer in enumerate(perturbed)
        ]
    report = orjson.loads(
        command("score", write("s", rows), "--prediction", "answer", "--target", "gold", "--json")
    )
    found = report["overall"][0]
    expected = consistency_rate(by_run=list(zip(*answers.values(), strict=True)))
    assert found["consistency"] == pytest.approx(expected)
    assert found["no_answer"] == 25
    assert found["clean_mean"] == 2 / 3  # of the rows whose reply came


def test_no_answer_at_all_is_no_agreement(command, write, linked):
    rows = [{"id": 1, "answer": None, "gold": "A"}, linked(1, answer=None, gold="A")]
    options = ("--prediction", "answer", "--target", "gold", "--json")
    found = orjson.loads(command("score", write("s", rows), *options))["overall"][0]
    assert (found["consistency"], found["no_answer"]) == (0, 100)


def test_conditions_that_differ_in_parameters_are_told_apart(command, write, linked):
    rows = [
        {"id": 1, "correct": 1},
        linked(1, correct=1),
        linked(1, steps="typos@1:p=0.1,layout=de", correct=0),
        linked(1, steps="typos@1:p=0.1 swap@1:p=0.5", correct=0),
        linked(1, steps="typos@1:severity=2", correct=0),
        linked(1, steps="typos@1:severity=3", correct=0),
    ]
    report = orjson.loads(command("score", write("s", rows), "--score", "correct", "--json"))
    told = [
        (found["perturbator"], found["p"], found["severity"])
        for found in report["conditions"]
        if found["scope"] == "all"
    ]
    assert told == [
        ("typos", None, 2),
        ("typos", None, 3),
        ("typos", 0.1, None),
        ("typos layout=de", 0.1, None),
        ("typos:p=0.1 swap:p=0.5", None, None),
    ]


def test_answers_with_several_seeds_are_paired_by_seed(command, write, linked):
    """Seed 1 is always wrong, seed 0 wrong where it was perturbed, of two in three originals."""
    rows = []
    for original in "123":
        for seed in (0, 1):
            response = {"seed": seed}
            clean = {"id": f"{original}#{seed}", "response": response, "right": not seed}
            record = linked(original, status="original", condition="")["perturbation"]
            right = original == "1" and not seed
            noisy = {**linked(original, response=response), "right": right}
            rows += [{**clean, "perturbation": record}, noisy]
    path = write("scored.jsonl", rows)
    found = orjson.loads(command("score", path, "--score", "right", "--json"))
    of_all = found["overall"][0]
    assert (of_all["rows"], of_all["originals"]) == (6, 3)
    assert (of_all["clean_mean"], of_all["perturbed_mean"]) == (0.5, pytest.approx(1 / 6))
    assert (of_all["flips_to_bad"], of_all["flips_to_good"]) == (2, 0)


def test_one_clean_row_serves_all_seeds(command, write, linked):
    clean = [{"id": str(n), "right": 1} for n in range(3)]
    noisy = [
        {**linked(str(n), response={"seed": seed}), "right": seed}
        for n in range(3)
        for seed in (0, 1)
    ]
    path = write("scored.jsonl", [*clean, *noisy])
    found = orjson.loads(command("score", path, "--score", "right", "--json"))
    assert (found["overall"][0]["rows"], found["overall"][0]["flips_to_bad"]) == (6, 3)
