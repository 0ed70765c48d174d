"""Claim: verdicts are rarely false, intervals cover, and what is there is found, on known truth.

    python benchmarks/verdicts.py [--sets 400] [--only NAME]

Each design makes a system of which the truth is known, and judges so many sets of its answers as
`perturb score` does, or two systems as `perturb compare` does. A design is a row of `ROWS`: a line
about it, a function from a generator of random numbers to findings, each with its true difference,
and the words that would be false of it. Stored are, of all findings that are judged: how many
intervals hold the truth, and the share of each word. The designs were written after the methods,
and none was used to choose a number in them; `interval_coverage.py` has those that were.

Contrasts have two systems that lose answers to versions of originals, which both answer rightly
when they are clean; few flip. Ranks are of several such systems: covered are sets in which all
intervals of ranks hold those of the truth, where equal systems share all of their places. Beside
that stands how many hold if intervals are quantiles over 1,000 resamples of originals.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, product

import numpy as np
from simulation import METRICS, findings, joined, judged, noises, simulate

from perturb.robustness.linking.conditions import WHOLE, Condition
from perturb.robustness.measures.findings import ALL
from perturb.robustness.scoring.compare import rank_limits
from perturb.robustness.scoring.contrast import contrast_pairs

PERSON = np.array([np.nan, 0.0, 1.0])
IDENTITY = Condition("identity", None, "", control=True)
ANTONYM = Condition("antonym", 1.0, "", expect="other")
SENSITIVE, KEPT = {"sensitive", "robust", "no worse"}, {"insensitive", "robust", "no worse"}
MORE = {"A reacts more", "B reacts more"}
LESS = {"B reacts more", "same reaction", "B reacts no less"}
CHANGE, WRONG = {"worse", "better"}, {"better", "robust"}
SAME, B_MORE = {"A loses more", "B loses more"}, {"A loses more", "same", "B loses no more"}
ACCURACY, KINDS = 0.9, 4  # on the originals; of answers
RESAMPLES = 1000


def drawn(outcomes):
    """Return what takes all arguments but the generator, and returns what waits for that."""
    return lambda *args, **options: lambda rng: outcomes(rng, *args, **options)


@drawn
def alike(rng, originals, versions, conditions, chances, copies=0, sizes=None):
    """Return outcomes of a system to which no edit matters: it is right by chance, each time.

    Args:
        rng: draws.
        originals: how many.
        versions: of each, at most.
        conditions: how many.
        chances: draws the chance of each original.
        copies: how often a control asks each again.
        sizes: draws how many versions each original has.
    """
    chance = chances(rng, originals)[:, None]
    some = np.arange(versions) < (versions if sizes is None else sizes(rng, originals)[:, None])
    right = [rng.random((originals, versions)) < chance for _ in range(conditions)]
    parts = [
        (one, np.where(some, each, -1), True)
        for one, each in zip(noises(conditions), right, strict=True)
    ]
    if copies:
        parts.append((IDENTITY, (rng.random((originals, copies)) < chance) * 1, False))
    clean = (rng.random(originals) < chance[:, 0]) * 1
    return [(one, 0.0) for one in findings(judged(clean, *parts))]


@drawn
def turned(rng, originals, versions, share, conditions=1):
    """Return outcomes of a system that never varies; edits turn as many originals each way.

    All versions of an original that turns turn with it.
    """
    clean = rng.integers(0, 2, originals)
    parts = []
    for one in noises(conditions):
        turns = rng.random((originals, 1)) < share
        parts.append((one, np.abs(clean[:, None] - turns) * np.ones((1, versions), int), True))
    return [(one, 0.0) for one in findings(judged(clean, *parts))]


def by_both(answer):
    """Return the scores of a judge and of a person; see `graded`."""
    return np.stack([answer % 2, PERSON[answer // 2]], axis=1)


@drawn
def losing(rng, originals, versions, loss, copies=0, own=1.0):
    """Return outcomes of a system that loses so much; each original is lost at a rate of its own.

    Args beside those of `alike`:
        loss: the share of all answers that perturbing turns wrong.
        own: how alike the rates of originals are; 0 for a system that is right by chance.
    """
    known = rng.random((originals, 1)) < ACCURACY
    rate = loss / ACCURACY
    if own:
        lost = rng.random((originals, versions)) < rng.beta(
            own * rate, own * (1 - rate), (originals, 1)
        )
        clean, again, noisy = known[:, 0], np.repeat(known, max(copies, 1), 1), known & ~lost
    else:
        sizes = originals, (originals, max(copies, 1)), (originals, versions)
        chances = ACCURACY, ACCURACY, ACCURACY - loss
        clean, again, noisy = (rng.random(n) < c for n, c in zip(sizes, chances, strict=True))
    parts = [(noises(1)[0], noisy * 1, True)]
    if copies:
        parts.append((IDENTITY, again * 1, False))
    return [(one, -loss) for one in findings(judged(clean * 1, *parts))]


@drawn
def graded(rng, originals, versions, known, loss, errors, chosen=None):
    """Return outcomes of a system that a judge grades, and a person some originals of it.

    Args beside those of `losing`:
        known: how many the person grades.
        errors: how often the judge errs where a reply is right, and where it is wrong; of the
            originals, then of the perturbed rows.
        chosen: how much each original is pushed forward, by the judge's grades; None for a draw.
    """
    clean = rng.random((originals, 1)) < ACCURACY
    noisy = clean & (rng.random((originals, versions)) >= loss / ACCURACY)
    by_judge = [
        truth ^ (rng.random(truth.shape) < np.where(truth, *rates))
        for truth, rates in ((noisy, errors[2:]), (clean, errors[:2]))
    ]
    first = np.zeros((originals, 1), bool)
    ranks = np.zeros(originals) if chosen is None else rng.random(originals) - chosen(*by_judge)
    first[np.argsort(ranks, kind="stable")[:known]] = True
    answers, replies = (
        judge + 2 * (1 + truth) * first
        for judge, truth in zip(by_judge, (noisy, clean), strict=True)
    )
    found = judged(replies[:, 0], (noises(1)[0], answers, True), scores=by_both)
    return [(one, None if one.verdict == "cannot judge" else -loss) for one in findings(found)]


def broken(noisy, clean):
    """Return the originals that the judge calls right and some version of them wrong."""
    return (clean & ~noisy).any(axis=1)


def followed(rng, clean, system, share, answers, versions):
    """Return the answers of a system to edits: those that should change it, at share 0, or not."""
    every = rng.integers(0, answers, (clean.size, versions))
    if system == "constant":
        return np.ones_like(every)
    if system == "coin" or (system == "hash" and share is not None):
        return every
    moved = rng.random(every.shape) < (0 if share is None else system[share])
    return np.where(moved, (clean[:, None] + 1) % answers, clean[:, None])


CONTROLS = {"typos": [(noises(1)[0], 1)], "identity": [(IDENTITY, None)], "none": []}


@drawn
def reacting(rng, system, answers=2, control="typos", originals=200, versions=1):
    """Return outcomes of a condition under which every answer should change.

    Args beside those of `alike`:
        system: a name: "constant", "coin", "hash", or how often it follows an edit that changes the
            answer, and one that does not.
        answers: how many there are.
        control: "typos", "identity" or "none" stands beside it.
    """
    clean = rng.integers(0, answers, originals) if system != "constant" else np.ones(originals)
    parts = [(ANTONYM, followed(rng, clean, system, 0, answers, versions), True)]
    for one, share in CONTROLS[control]:
        parts.append((one, followed(rng, clean, system, share, answers, versions), bool(share)))
    found = judged(clean.astype(int), *parts).conditions
    truth = system[0] - system[1] if isinstance(system, tuple) else 0.0
    if control == "none" or (system, control) == ("hash", "identity"):
        truth = None  # what is measured is no reaction to the meaning
    return [(one, truth) for one in found if one.expect == "other" and one.scope == ALL]


@drawn
def beside(rng, a, b, originals=200, versions=1, answers=2, uneven=False):
    """Return outcomes of two systems whose answers should change; see `reacting`.

    Where it is uneven, an original is up to twice as easy to follow for both.
    """
    clean, sides = rng.integers(0, answers, originals), []
    ease = 2 * rng.random((originals, 1)) if uneven else 1.0
    for system in (a, b):
        each = system if system == "hash" else (system[0] * ease, system[1])
        parts = [
            (one, followed(rng, clean, each, share, answers, versions), True)
            for share, one in enumerate((ANTONYM, *noises(1)))
        ]
        sides.append(joined(clean, *parts))
    truth = (0 if b == "hash" else b[0] - b[1]) - (a[0] - a[1])
    found = contrast_pairs(*sides, [], METRICS).conditions
    return [(one, truth) for one in found if one.expect == "other"]


def always(chance):
    return lambda rng, count: np.full(count, chance)  # noqa: ARG005


def spread(mean, total):
    return lambda rng, count: rng.beta(mean * total, (1 - mean) * total, count)


def uneven(rng, count):
    return np.minimum(rng.geometric(0.1, count), 40)


@drawn
def agreeing(rng, originals, versions, change, tops=(1.0,), copies=0):
    """Return outcomes of a system that is judged against its answers to the originals.

    Args beside those of `alike`:
        change: the share of answers that perturbing draws anew, at a rate of each original's own.
        tops: how often it gives an original its first answer, drawn for each.
    """
    top = rng.choice(tops, (originals, 1))
    rate = rng.beta(change, 1 - change, (originals, 1)) if change else 0.0

    def answers(count, anew=0.0):
        first, again = rng.random((2, originals, count))
        drawn = np.where(first < top, 1, rng.integers(2, KINDS + 1, first.shape))
        return np.where(again < anew, rng.integers(1, KINDS + 1, first.shape), drawn)

    known, noisy = answers(1 + copies), answers(versions, rate)
    itself = (known[:, :, None] == known[:, None]).sum(2) - 1
    itself = itself / copies if copies else itself + 1.0
    parts = itself[:, :1], (noisy[:, :, None] == known[:, None]).mean(2), itself[:, 1:]
    scores = np.concatenate([part.ravel() for part in parts])[:, None]
    asked = [(noises(1)[0], noisy, True), (IDENTITY, known[:, 1:], False)][: 1 + bool(copies)]
    alike = np.mean([c**2 + (1 - c) ** 2 / (KINDS - 1) for c in tops])
    found = findings(judged(known[:, 0], *asked, scores=lambda _: scores))
    return [(one, -change * (alike - 1 / KINDS)) for one in found]


def side(lost):
    """Return a system, right on all originals, by whether it loses each version of each."""
    return joined(np.ones(len(lost), int), (noises(1)[0], 1 - lost, True))


@drawn
def contrasted(rng, originals, versions, rates, total):
    """Return outcomes of two systems; the parameters of the beta of each rate add up to `total`."""
    sides = []
    for rate in rates:
        chance = rng.beta(rate * total, (1 - rate) * total, (originals, 1))
        sides.append(side((rng.random((originals, versions)) < chance) * 1))
    found = contrast_pairs(*sides, [], METRICS).conditions
    return [(one, rates[0] - rates[1]) for one in found]


def ranks(rng, sets, originals, versions, rates):
    """Return the share of sets in which all ranks hold, and the mean width of their intervals."""
    each = np.array(rates)
    first, last = (each[:, None] > each).sum(1) + 1, (each[:, None] >= each).sum(1)
    rows, held = np.arange(originals * versions), np.empty((sets, 3))
    for at in range(sets):
        chance = each[:, None, None] * 2 * rng.beta(0.8, 0.8, (1, originals, 1))
        lost = (rng.random((each.size, originals, versions)) < chance) * 1
        sides = {str(system): side(one) for system, one in enumerate(lost)}
        low, high = np.array([*rank_limits(sides, (WHOLE, rows)).values()]).T
        means, drawn = lost.mean(axis=2), rng.integers(0, originals, (RESAMPLES, originals))
        losses = means[:, drawn].mean(axis=2).T
        places = (losses[:, :, None] > losses[:, None, :]).sum(axis=2) + 1
        least, most = np.quantile(places, (0.025, 0.975), axis=0, method="nearest")
        by_quantiles = (least <= first).all() and (first <= most).all()
        held[at] = (low <= first).all() and (last <= high).all(), by_quantiles, (high - low).mean()
    names = "covered", "by quantiles", "places in an interval, less one"
    return dict(zip(names, held.mean(axis=0).round(4).tolist(), strict=True))


_VARIES, READER = (1.0, 0.95, 0.6), (0.6, 0.05)
CHOSEN = 400, 2, 100, 0.15, [0.1] * 4
ROWS = {
    "agrees, asked 2": ("varies", agreeing(200, 5, 0.0, _VARIES, 1), CHANGE),
    "agrees, asked 6": ("varies", agreeing(200, 5, 0.0, _VARIES, 5), CHANGE),
    "agrees, few": ("30 originals, 40 versions", agreeing(30, 40, 0.0, (0.8,), 3), CHANGE),
    "agreement lost": ("of .06, never varies", agreeing(300, 3, 0.08), WRONG),
    "agreement lost, 2": ("and varies", agreeing(300, 3, 0.15, _VARIES, 1), WRONG),
    "agreement lost, 6": ("and varies", agreeing(300, 3, 0.15, _VARIES, 5), WRONG),
    "coin .97": ("right in 97 %, 8 noises", alike(200, 5, 8, always(0.97)), CHANGE),
    "coin .97, 40": ("40 versions", alike(200, 40, 1, always(0.97)), CHANGE),
    "coin .8, few": ("30 originals, 40 versions", alike(30, 40, 1, always(0.8)), CHANGE),
    "coin beta": ("hard and easy originals", alike(100, 12, 4, spread(0.85, 1.5)), CHANGE),
    "coin uneven": ("1 to 40 versions", alike(150, 40, 1, spread(0.9, 5), sizes=uneven), CHANGE),
    "coin asked 5": ("5 controls, 8 noises", alike(200, 5, 8, always(0.97), 5), CHANGE),
    "coin asked 5, 40": ("and 40 versions", alike(100, 40, 1, spread(0.9, 3), 5), CHANGE),
    "turned": ("originals turn whole, either way", turned(100, 12, 0.08, 4), CHANGE),
    "loses .05": ("loses 5 %, never varies", losing(300, 3, 0.05), WRONG),
    "loses .05, coin": ("right by chance", losing(300, 3, 0.05, 0, 0.0), WRONG),
    "loses .05, asked 5": ("right by chance, 5 controls", losing(300, 3, 0.05, 5, 0.0), WRONG),
    "loses .02": ("just the margin", losing(400, 4, 0.02, own=8.0), WRONG),
    "judge alike": ("errs on 10 %", graded(400, 2, 100, 0.15, [0.1] * 4), WRONG),
    "judge on noise": ("2 and 20 %", graded(400, 2, 100, 0.15, [0.02, 0.02, 0.2, 0.2]), WRONG),
    "judge lenient": ("passes 40 % wrong", graded(400, 2, 100, 0.15, [0, 0.4] * 2), WRONG),
    "judge, 30 graded": ("errs on 10 %", graded(400, 2, 30, 0.3, [0.1] * 4), WRONG),
    "judge sees a loss": ("on noise", graded(400, 2, 100, 0.0, [0, 0, 0.15, 0]), CHANGE),
    "judge, 1 version": ("errs on 10 %", graded(1000, 1, 200, 0.15, [0.1] * 4), WRONG),
    **{
        "{}, {}, {}".format(*one): ("{1} answers, {2}".format(*one), reacting(*one), SENSITIVE)
        for one in product(("constant", "coin", "hash"), (2, 10), CONTROLS)
    },
    "follows": (".8 under antonyms, .05 under typos", reacting((0.8, 0.05)), KEPT),
    "follows, few": ("30 originals", reacting((0.8, 0.05), originals=30), KEPT),
    "follows a third": (".35 and .1", reacting((0.35, 0.1), 10, versions=3), KEPT),
    "follows, alone": ("beside nothing", reacting((0.8, 0.05), control="none"), KEPT),
    "follows at least": ("just what counts", reacting((0.2, 0.1)), SENSITIVE),
    "loses nothing": ("for power", losing(1000, 4, 0.0, 0, 0.0), CHANGE),
    "two alike": (".6, .05", beside(READER, READER), MORE),
    "two alike, few": ("30 originals", beside(READER, READER, 30), MORE),
    "two alike, 10": ("uneven", beside((0.4, 0.1), (0.4, 0.1), 100, 3, 10, True), MORE),
    "two, one jumpy": ("as much beyond typos", beside((0.5, 0.02), (0.7, 0.22)), MORE),
    "one less": (".6 and .35", beside(READER, (0.35, 0.05)), LESS),
    "one less, few": ("40 originals", beside(READER, (0.35, 0.05), 40), LESS),
    "one less, 10": ("uneven", beside((0.5, 0.1), (0.3, 0.1), 200, 3, 10, True), LESS),
    "one a little less": ("the margin", beside(READER, (0.58, 0.05), 1000), LESS),
    "one constant": ("never reacts", beside(READER, (0, 0)), LESS),
    "one hashes": ("reads nothing", beside(READER, "hash"), LESS),
    "one hashes, 10": ("can't be judged", beside(READER, "hash", answers=10), MORE | LESS),
    "judge, broken chosen": ("all first", graded(*CHOSEN, broken), WRONG),
    "judge, some chosen": ("broken rather", graded(*CHOSEN, lambda *by: broken(*by) / 8), WRONG),
    "judge, wrong chosen": ("originals", graded(*CHOSEN, lambda _, clean: ~clean[:, 0]), WRONG),
}

# How many originals and versions, how much A and B lose, and how alike the rates of originals are.
CONTRASTS = product(
    (10, 30, 100, 500), (1, 6, 12), ((0.005, 0.005), (0.02, 0.1)), ("weak", "strong")
)
CLUSTERS = {"weak": 8.0, "strong": 0.4}
RANKED = {
    "all equal": (0.1,) * 5,
    "two equal": (0.02, 0.1, 0.1, 0.3),
    "near": (0.05, 0.08, 0.1, 0.12, 0.15),
    "rare": (0.01, 0.01, 0.02, 0.03),
}


def verdicts(rng, sets, about, outcomes, false):
    """Return how many intervals hold the truth, and the shares of words."""
    words, held = Counter(), []
    for finding, truth in chain.from_iterable(outcomes(rng) for _ in range(sets)):
        words[finding.verdict] += 1
        if finding.low is not None and truth is not None:
            held.append(finding.low - 1e-9 <= truth <= finding.high + 1e-9)
    total = words.total()
    return {
        "about": about,
        "covered": round(float(np.mean(held)), 4) if held else None,
        "false": round(sum(words[word] for word in false) / total, 4),
        "words": {word: round(count / total, 4) for word, count in words.most_common()},
    }


def tables():
    """Return the designs: of verdicts, of contrasts where few originals flip, and of ranks."""
    contrasts, ranked = {}, {}
    for originals, versions, rates, clusters in CONTRASTS:
        about = f"A loses {rates[0]}, B {rates[1]}"
        name = f"contrast, {originals} originals, {versions} versions, {clusters}, {about}"
        outcomes = contrasted(originals, versions, rates, CLUSTERS[clusters])
        false = SAME if rates[0] == rates[1] else B_MORE
        contrasts[name] = verdicts, about, outcomes, false
    for originals, versions, rates in product((50, 200), (1, 6), RANKED):
        name = f"ranks, {originals} originals, {versions} versions, {rates}"
        ranked[name] = ranks, originals, versions, RANKED[rates]
    designs = {name: (verdicts, *row) for name, row in ROWS.items()}
    return {"designs": designs, "contrasts": contrasts, "ranks": ranked}


if __name__ == "__main__":
    simulate(__doc__, "verdicts", tables(), 400, 20261123)
