"""Claim: intervals of measures of a corpus cover, and "robust" is seldom false.

    python benchmarks/corpus_coverage.py [--sets 1000] [--only "macro F1"]

Macro F1: labels of which some may be rare, replies that are right as often as said, and perturbing
turns a share of those of each label to any label. BLEU: texts of a geometric number of words, which
are right at a rate of the text's own; perturbing breaks words of some of the texts. Both have one
perturbed row an original, or two whose losses go together. The true difference is that of 400,000
originals. A share of 1,000 sets has a standard error of .007 at .95.
"""

from functools import cache

import numpy as np
from interval_coverage import measured
from simulation import simulate

from perturb.robustness.grading.corpus_matches import by_bleu, by_macro_f1
from perturb.robustness.measures.unanswered import Bounded
from perturb.robustness.metrics.corpus import reach, shares

MANY = 400_000
CORPORA = {"macro F1": by_macro_f1("").corpus, "BLEU": by_bleu("").corpus}
FOUR = 0.7, 0.2, 0.07, 0.03
# Shares of labels, how often replies are right, and how often each label is turned.
LABELS = {
    "even": ((0.5, 0.5), 0.9, (0.0, 0.0)),
    "even, .1 turn": ((0.5, 0.5), 0.9, (0.1, 0.1)),
    "ten, .05 turn": ((0.1,) * 10, 0.8, (0.05,) * 10),
    "rare, none turns": (FOUR, 0.9, (0.0,) * 4),
    "rare, .05 turn": (FOUR, 0.9, (0.05,) * 4),
    "rare, .2 of the rarest turn": (FOUR, 1.0, (0.0, 0.0, 0.0, 0.2)),
    "rare, .3 of the rarest turn": (FOUR, 0.95, (0.0, 0.0, 0.0, 0.3)),
}
# Words, the share that is right, the share of texts that break, and how much of each.
TEXTS = {
    "nothing breaks": (15, 0.8, 0.0, 0.0),
    "5 % lose half": (15, 0.8, 0.05, 0.5),
    "30 % lose .3": (15, 0.6, 0.3, 0.3),
    "all lose .1": (20, 0.7, 1.0, 0.1),
    "of little, 20 % lose half": (8, 0.4, 0.2, 0.5),
    "3 % lose all": (15, 0.9, 0.03, 1.0),
}


def labels(rng, count, versions, parts, right, turned):
    """Return tables of clean and perturbed replies."""
    known = rng.choice(len(parts), count, p=parts)
    clean = np.where(rng.random(count) < right, known, rng.integers(0, len(parts), count))
    fate = np.repeat(rng.random(count) < np.array(turned)[known], versions)
    known, clean = np.repeat(known, versions), np.repeat(clean, versions)
    noisy = np.where(fate, rng.integers(0, len(parts), known.size), clean)
    return [np.stack([said, known], axis=1).astype(float) for said in (clean, noisy)]


def texts(rng, count, versions, words, right, share, lost):
    """Return tables of the n-grams of clean and perturbed replies."""
    sizes = rng.geometric(1 / words, count) + 2
    rate, broken = rng.beta(4 * right, 4 - 4 * right, count), rng.random(count) < share
    first = rng.random(sizes.sum()) < np.repeat(rate, sizes)
    every, noisy = counted(first, sizes), []
    for _ in range(versions):
        gone = rng.random(first.size) < lost * np.repeat(broken, sizes)
        noisy.append(counted(first & ~gone, sizes))
    return np.repeat(every, versions, axis=0), np.stack(noisy, axis=1).reshape(-1, every.shape[1])


def counted(good, sizes):
    """Return the hits of n-grams of each text, and how many there are, of words that are right."""
    own = np.repeat(np.arange(sizes.size), sizes)
    place = np.arange(good.size) - np.repeat(sizes.cumsum() - sizes, sizes)
    run, hits = np.ones(good.size, bool), []
    for at in range(4):
        run[: good.size - at] &= good[at:]
        hits.append(np.bincount(own[run & (place + at < sizes[own])], minlength=sizes.size))
    said = [np.maximum(sizes - at, 0) for at in range(4)]
    return np.stack([*hits, *said, sizes, sizes], axis=1).astype(float)


@cache
def truth(name, draw, *design):
    """Return the difference of the measure of a large corpus."""
    one = np.zeros(MANY, np.int32)
    clean, noisy = (
        CORPORA[name].without(table, one, 1, None)[0]
        for table in draw(np.random.default_rng(1), MANY, 1, *design)
    )
    return noisy - clean


def corpora(rng, sets, name, draw, originals, versions, *design):
    """Return the figures of one design."""
    corpus, unit, limits = CORPORA[name], np.repeat(np.arange(originals), versions), []
    for _ in range(sets):
        clean, noisy = draw(rng, originals, versions, *design)
        change = shares(corpus, noisy, unit) - shares(corpus, clean, unit)
        known = np.ones(unit.size, bool)
        found = Bounded(change, change, known, reach(corpus, clean, unit))
        limits.append(found.interval(unit, 0.95, (-1.0, 1.0)))
    return measured(np.array(limits).T, truth(name, draw, *design))


def tables():
    """Return all designs, by measure."""
    return {
        name: {
            f"{name}, {count} originals, {versions} versions, {kind}": (
                *(corpora, name, draw, count, versions),
                *design,
            )
            for count, versions in ((50, 1), (150, 1), (150, 2), (400, 1))
            for kind, design in designs.items()
        }
        for name, draw, designs in (("macro F1", labels, LABELS), ("BLEU", texts, TEXTS))
    }


if __name__ == "__main__":
    simulate(__doc__, "corpus_coverage", tables(), 1000, 20261127)
