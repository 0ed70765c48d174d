"""Every figure of a verdict again, from the rows alone, with pandas, SciPy and statsmodels."""

from itertools import combinations

import numpy as np
import orjson
import pytest
import scipy
from likelihood import limits, p_value

import perturb
from perturb.robustness.metrics.sampling import uniforms

STEPS = ("keyboard_typos:p=0.15", "char_swap:p=0.05")
near = {"rel": 1e-7, "abs": 1e-9}


@pytest.fixture(scope="module")
def rows():
    """100 questions, two steps, two replicates; some replies refuse, some say nothing."""
    chance = iter(uniforms(5, 2000).tolist())
    questions = [
        {"id": str(n), "question": f"Ann has {n} eggs and eats 2. Is that not few?", "answer": n}
        for n in range(100)
    ]
    made = []
    for step in STEPS:
        made += perturb.augment(questions, step, field="question", replicates=2)
    for row in [*questions, *made]:
        rate = (
            row["perturbation"]["edits"].count("|") / len(row["question"])
            if "perturbation" in row
            else 0
        )
        share = 0.95 - 2 * rate
        row["prediction"] = f"{row['answer'] + (next(chance) > share)}"
        row["bleu"] = 10 * share + 20 * next(chance)
        if next(chance) < 0.02:
            row["prediction"] = None
        elif next(chance) < 0.02:
            row["prediction"] = "I'm sorry, but I can't help with that."
    return [*questions, *made]


def table(rows, score):
    """One line a perturbed row, with what its clean row has."""
    import pandas as pd  # not for a collection

    clean = {row["id"]: row for row in rows if "perturbation" not in row}
    lines = []
    for row in rows:
        if "perturbation" in row:
            record = row["perturbation"]
            original = clean[record["original_id"]]
            lines.append(
                {
                    "original": record["original_id"],
                    "perturbator": record["condition"].partition(":")[0],
                    "changed": record["status"] == "changed",
                    "before": score(original),
                    "after": score(row),
                    "said": row["prediction"],
                    "said_before": original["prediction"],
                }
            )
    return pd.DataFrame(lines)


def lost(replies):
    return replies.isna() | replies.str.startswith("I'm sorry").fillna(False)


def cases(own):
    """Lost replies for the worse, for the better, and left out: changes and perturbed scores."""
    gone, before_gone = lost(own.said), lost(own.said_before)
    for noisy, clean in ((0.0, 1.0), (1.0, 0.0)):
        after, before = own.after.mask(gone, noisy), own.before.mask(before_gone, clean)
        yield after - before, after, own.original
    known = own[~(gone | before_gone)]
    yield known.after - known.before, known.after, known.original


def agreement(frame):
    equal = pairs = 0
    for _, own in frame.groupby("original"):
        answers = [own.said_before.iloc[0], *own.said]
        for one, other in combinations(answers, 2):
            pairs, equal = pairs + 1, equal + (one is not None and one == other)
    return 100 * equal / pairs


def frames(report, frame):
    for found in [*report["conditions"], *report["overall"]]:
        if found["scope"] in ("all", "changed"):
            own = frame if found["perturbator"] == "overall" else frame[
                frame.perturbator == found["perturbator"]
            ]  # fmt: skip
            yield found, own if found["scope"] == "all" else own[own.changed]


@pytest.mark.slow
def test_binary_scores(rows, write, command):
    from statsmodels.stats.proportion import proportion_effectsize  # not for a collection

    report = orjson.loads(command("score", write("s", rows), "--json"))
    frame = table(rows, lambda row: float(row["prediction"] == str(row["answer"])))
    for found, every in frames(report, frame):
        own = every[~(lost(every.said) | lost(every.said_before))]
        before, after = own.before, own.after
        assert found["lost"] == len(every) - len(own)
        assert (found["rows"], found["originals"]) == (len(own), own.original.nunique())
        means = (before.mean(), after.mean(), after.mean() - before.mean())
        named = (found["clean_mean"], found["perturbed_mean"], found["difference"])
        assert named == pytest.approx(means, **near)
        assert found["relative_change"] == pytest.approx(100 * (means[1] / means[0] - 1), **near)
        effect = proportion_effectsize(means[1], means[0]) / np.pi
        assert found["cohens_h"] == pytest.approx(effect, **near)
        changes, means, names = zip(*cases(every), strict=True)
        each = [limits(*one) for one in zip(changes, names, strict=True)]
        hull = [min(low for low, _ in each), max(high for _, high in each)]
        assert [found["low"], found["high"]] == pytest.approx(hull, **near)
        p = max(p_value(*one) for one in zip(changes, names, strict=True))
        assert found["p_value"] == pytest.approx(p, rel=1e-6)
        assert [found["least"], found["most"]] == pytest.approx([c.mean() for c in changes[:2]])
        each = [limits(*one, ends=(0.0, 1.0)) for one in zip(means, names, strict=True)]
        hull = [min(low for low, _ in each), max(high for _, high in each)]
        assert [found["perturbed_low"], found["perturbed_high"]] == pytest.approx(hull, **near)
        by = own.groupby("original")
        worst = (by.after.min().mean(), by.before.min().mean())
        assert (found["worst_of_k"], found["clean_worst_of_k"]) == pytest.approx(worst, **near)
        flips = ((before > after).sum(), (before < after).sum())
        assert (found["flips_to_bad"], found["flips_to_good"]) == flips
        assert found["consistency"] == pytest.approx(agreement(every), **near)
        sorry = every.said.str.startswith("I'm sorry").fillna(False)
        assert found["refused"] == pytest.approx(100 * sorry.mean(), **near)
        assert found["no_reply"] == pytest.approx(100 * every.said.isna().mean(), **near)
        assert (found["unread"], found["missing"]) == (0, 0)
        unedited = own[~own.changed]
        noise = (len(unedited), (unedited.before != unedited.after).sum())
        assert (found["unedited"], found["unedited_flips"]) == noise
    for scope in ("all", "changed"):
        found = [one for one in report["conditions"] if one["scope"] == scope]
        adjusted = scipy.stats.false_discovery_control([one["p_value"] for one in found])
        assert [one["p_adjusted"] for one in found] == pytest.approx(adjusted, **near)


@pytest.mark.slow
def test_continuous_scores(rows, write, command):
    report = orjson.loads(command("score", write("s", rows), "--score", "bleu", "--json"))
    frame = table(rows, lambda row: row["bleu"])
    for found, own in frames(report, frame):
        change = own.after - own.before
        ends = (frame.before.min(), frame.after.min()), (frame.before.max(), frame.after.max())
        ends = min(ends[0]), max(ends[1])
        span = ends[1] - ends[0]
        for values, low, high, between in (
            (change, "low", "high", (-span, span)),
            (own.after, "perturbed_low", "perturbed_high", ends),
        ):
            expected = limits(values, own.original, ends=between)
            assert [found[low], found[high]] == pytest.approx(expected, rel=1e-7, abs=1e-7)
        assert found["difference"] == pytest.approx(change.mean(), **near)
        assert found["cohens_d"] == pytest.approx(change.mean() / change.std(ddof=1), **near)
        assert found["cohens_h"] is None
