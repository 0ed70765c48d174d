"""Every figure of a verdict again, from the rows alone, with pandas, SciPy and statsmodels."""

from itertools import combinations

import numpy as np
import orjson
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import norm, t
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint, proportion_effectsize

import perturb
from perturb.robustness.metrics.sampling import uniforms

STEPS = ("keyboard_typos:p=0.15", "char_swap:p=0.05")
near = {"rel": 1e-9, "abs": 1e-9}


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


def sign_flip(sums):
    """The share of all signs of the sums that are as far from 0, by convolution."""
    sums = np.abs(sums[sums != 0]).astype(int)
    ways = np.ones(1)
    for one in sums:
        wider = np.zeros(ways.size + 2 * one)
        wider[: ways.size] += ways / 2
        wider[2 * one :] += ways / 2
        ways = wider
    totals = np.arange(ways.size) - sums.sum()
    return totals, ways


def effective(x, original, whole):
    frame = pd.DataFrame({"x": x - x.mean(), "original": original})
    by = frame.groupby("original")
    largest = (by.size() ** 2).sum() / len(frame)
    between = by.ngroups / (by.ngroups - 1) * (by.x.sum() ** 2).sum() + whole * largest**2
    deff = between / ((frame.x**2).sum() + whole * largest)
    return len(frame) / min(max(deff, 1), largest)


def tango(frame):
    change = frame.after - frame.before
    n, q = effective(change, frame.original, 1.5), norm.ppf(0.975)
    limits = []
    for sign in (-1, 1):
        worse, better = (change * sign < 0).mean(), (change * sign > 0).mean()

        def score(d, worse=worse, better=better):
            e = -better - worse + (2 - better + worse) * d
            r = (np.sqrt(e**2 + 8 * worse * d * (1 - d)) - e) / 4
            return d - (better - worse) - q * np.sqrt((2 * r + d * (1 - d)) / n)

        limits.append(sign * brentq(score, better - worse + 1e-9, 1 - 1e-12, xtol=1e-14))
    return limits


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


def exchange(own):
    """The chance that clean answers, drawn from all of each original, are as far from the mean."""
    chances, off = np.ones(1), 0.0
    for _, each in own.groupby("original"):
        n, total = len(each) + 1, each.after.sum() + each.before.iloc[0]
        off += n * each.before.iloc[0] - total
        step = np.zeros(n + 1)
        step[[0, n]] = 1 - total / n, total / n
        chances = np.convolve(chances, step)
    sums = np.arange(chances.size)
    return chances[np.abs(sums - sums @ chances) >= abs(off) - 1e-6].sum()


def test_binary_scores(rows, write, command):
    report = orjson.loads(command("score", write("s", rows), "--json"))
    frame = table(rows, lambda row: float(row["prediction"] == str(row["answer"])))
    for found, own in frames(report, frame):
        before, after = own.before, own.after
        assert (found["rows"], found["originals"]) == (len(own), own.original.nunique())
        means = (before.mean(), after.mean(), after.mean() - before.mean())
        named = (found["clean_mean"], found["perturbed_mean"], found["difference"])
        assert named == pytest.approx(means, **near)
        assert found["relative_change"] == pytest.approx(100 * (means[1] / means[0] - 1), **near)
        effect = proportion_effectsize(means[1], means[0]) / np.pi
        assert found["cohens_h"] == pytest.approx(effect, **near)
        sums = (after - before).groupby(own.original).sum()
        totals, ways = sign_flip(sums.to_numpy())
        p = ways[np.abs(totals) >= abs(sums.sum()) - 0.5].sum()
        assert found["p_value"] == pytest.approx(max(p, exchange(own)), **near)
        assert [found["low"], found["high"]] == pytest.approx(tango(own), **near)
        n = effective(after, own.original, 0.1)
        alpha = 2 * norm.sf(t.ppf(0.975, own.original.nunique() - 1))
        mean = proportion_confint(after.mean() * n, n, alpha, "agresti_coull")
        limits = (found["perturbed_low"], found["perturbed_high"])
        assert limits == pytest.approx(mean, **near)
        by = own.groupby("original")
        worst = (by.after.min().mean(), by.before.min().mean())
        assert (found["worst_of_k"], found["clean_worst_of_k"]) == pytest.approx(worst, **near)
        flips = ((before > after).sum(), (before < after).sum())
        assert (found["flips_to_bad"], found["flips_to_good"]) == flips
        assert found["consistency"] == pytest.approx(agreement(own), **near)
        sorry = own.said.str.startswith("I'm sorry").fillna(False)
        assert found["refused"] == pytest.approx(100 * sorry.mean(), **near)
        assert found["unread"] == pytest.approx(100 * own.said.isna().mean(), **near)
        unedited = own[~own.changed]
        noise = (len(unedited), (unedited.before != unedited.after).sum())
        assert (found["unedited"], found["unedited_flips"]) == noise
    for scope in ("all", "changed"):
        found = [one for one in report["conditions"] if one["scope"] == scope]
        adjusted = multipletests([one["p_value"] for one in found], method="fdr_bh")[1]
        assert [one["p_adjusted"] for one in found] == pytest.approx(adjusted, **near)


def test_continuous_scores(rows, write, command):
    report = orjson.loads(command("score", write("s", rows), "--score", "bleu", "--json"))
    frame = table(rows, lambda row: row["bleu"])
    for found, own in frames(report, frame):
        change = own.after - own.before
        for values, low, high in (
            (change, "low", "high"),
            (own.after, "perturbed_low", "perturbed_high"),
        ):
            groups = {"groups": pd.factorize(own.original)[0]}
            fit = OLS(values.to_numpy(), np.ones(len(own))).fit(
                cov_type="cluster", cov_kwds=groups, use_t=True
            )
            assert [found[low], found[high]] == pytest.approx(fit.conf_int()[0], **near)
        assert found["difference"] == pytest.approx(change.mean(), **near)
        assert found["cohens_d"] == pytest.approx(change.mean() / change.std(ddof=1), **near)
        assert found["cohens_h"] is None
