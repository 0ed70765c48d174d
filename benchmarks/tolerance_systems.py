"""Claim: real systems bear so much noise, by two seeds, and bisection asks so much less.

    python benchmarks/tolerance_systems.py

Naive Bayes of scikit-learn, on words or on letters, tells the topic of the sentences of
`examples/classifier.py`, trained on others, and the language of the Declaration of Human Rights in
thirteen languages, trained on half of it. Retrieval is BM25 on words or on triples of letters:
which sentence of the Declaration do seven words stand in? All on words also answer as an endpoint
at temperature 1 would, which is simulated. Stores for each system
and seed at which share of mistyped characters five points are lost, asked at all strengths and by
bisection, with the calls; and how many times as much the system on letters bears.
"""

from __future__ import annotations

import math
import sys
from collections import Counter

import numpy as np
from common import EXAMPLES, FOLDER, write_result
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import perturb
from perturb.evaluation.bisect import next_strengths, strengths_of
from perturb.resources import parse
from perturb.rng import key64
from perturb.robustness import tolerance
from perturb.robustness.linking.conditions import link

sys.path.append(str(EXAMPLES.parent))
from classifier import WORDS, sentence

P = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4)
LOSE = 0.05
READS = ("words", "letters", "words at temperature 1")
DECLARATION = FOLDER.parent / "tests/lexicon/declaration.tsv"


def languages(seed, reads):
    """Return rows of sentences with their languages, and a system that names them."""
    rows = parse(DECLARATION)
    test = [key64("test", seed, text) % 2 == 0 for _, text in rows]
    train = [row for row, tested in zip(rows, test, strict=True) if not tested]
    asked = [
        {"id": f"{code}-{at}", "text": text, "answer": code}
        for at, ((code, text), tested) in enumerate(zip(rows, test, strict=True))
        if tested
    ]
    return asked, classifier(train, reads)


def topics(seed, reads):
    """Return rows of sentences with their topics, and a system that names them."""
    train = [(name, sentence(name, at)) for at in range(150) for name in WORDS]
    rows = [
        {"id": f"{name}-{at}", "text": sentence(name, at), "answer": name}
        for at in range(seed * 250, seed * 250 + 250)
        for name in WORDS
    ]
    return rows, classifier(train, reads)


def classifier(train, reads):
    """Return what says how likely each name of texts is, from texts with their names."""
    by, size = ("char_wb", (1, 3)) if reads == "letters" else ("word", (1, 1))
    model = make_pipeline(CountVectorizer(analyzer=by, ngram_range=size), MultinomialNB())
    model.fit([text for _, text in train], [name for name, _ in train])
    return lambda text: (model.classes_, model.predict_log_proba([text])[0])


def passages(seed, reads):
    """Return rows of seven words of a sentence, and a system that finds the sentence."""
    parts = [text for _, text in parse(DECLARATION) if len(text.split()) >= 8]
    rows = []
    for at, part in enumerate(parts):
        words = part.split()
        start = key64("query", seed, part) % (len(words) - 7)
        rows.append({"id": str(at), "text": " ".join(words[start : start + 7]), "answer": str(at)})
    return rows, bm25(parts, terms_of[reads.split()[0]])


terms_of = {
    "words": lambda text: text.lower().split(),
    "letters": lambda text: [text[at : at + 3].lower() for at in range(len(text) - 2)],
}


def bm25(parts, terms):
    """Return what says how well parts fit a text, by their numbers."""
    counts = [Counter(terms(part)) for part in parts]
    mean = sum(count.total() for count in counts) / len(parts)
    held: dict[str, list[tuple[int, float]]] = {}
    for at, count in enumerate(counts):
        longer = 1.2 * (0.25 + 0.75 * count.total() / mean)
        for term, times in count.items():
            held.setdefault(term, []).append((at, times * 2.2 / (times + longer)))
    rarity = {
        term: math.log(1 + (len(parts) - len(hits) + 0.5) / (len(hits) + 0.5))
        for term, hits in held.items()
    }

    def fit(text):
        scores = Counter()
        for term in terms(text):
            for at, weight in held.get(term, ()):
                scores[at] += weight * rarity[term]
        return zip(*sorted(scores.items()), strict=True) if scores else (["none"], [0.0])

    return fit


def answering(scores, seed, reads):
    """Return a system that says what scores most; at temperature 1, what is drawn by the scores."""
    rng = np.random.default_rng(seed)

    def answer(text):
        names, values = scores(text)
        noise = rng.gumbel(size=len(values)) if "temperature" in reads else 0.0
        return str(names[np.argmax(np.add(values, noise))])

    return answer


def bisected(rows):
    """Return the answered rows that bisection asks for, and their tolerance."""
    steps, left = strengths_of(rows)
    while True:
        some = [row for row in rows if link(row).condition not in left]
        found = tolerance(some, lose=LOSE)
        if not (wanted := next_strengths(steps, left, found)):
            return some, found.steps[0]
        left -= wanted


def said(step):
    """Return the estimate and the interval of a tolerance or a ratio."""
    return [
        None if each is None else round(each, 4) for each in (step.strength, step.low, step.high)
    ]


def main():
    """Measure three systems of each task by both seeds."""
    results = []
    for task in (topics, languages, passages):
        for seed in (1, 2):
            every = []
            for reads in READS:
                originals, scores = task(seed, reads)
                system = answering(scores, seed, reads)
                grid = perturb.grid(["keyboard_typos"], p=P)
                rows = list(perturb.augment(originals, grid, seed=seed, with_original=True))
                every.append(perturb.evaluation.evaluate(system, rows, concurrency=1))
                (whole,) = tolerance(every[-1], lose=LOSE).steps
                found = {"task": f"{task.__name__}, {reads}", "seed": seed,
                         "originals": len(originals), "all strengths": said(whole)}  # fmt: skip
                results.append(found)
                some, few = bisected(every[-1])
                saved = round(len(rows) / len(some), 2)
                found |= {"bisection": said(few), "times fewer calls": saved}
                print(results[-1], flush=True)
            ratio = tolerance(*every[:2], lose=LOSE).steps[-1]
            results.append({"task": task.__name__, "seed": seed, "letters over words": said(ratio)})
    write_result("tolerance_systems", {"lose": LOSE, "systems": results})


if __name__ == "__main__":
    main()
