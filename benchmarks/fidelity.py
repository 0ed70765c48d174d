"""What each library keeps of a text, and whether it does what it is asked: so much, and again.

Run it as `python benchmarks/fidelity.py`.
"""

from contextlib import ExitStack
from itertools import islice

import regex
from common import Run, made_rows, options, started_on, versions_of
from rapidfuzz.distance import Levenshtein
from setup_peers import PEERS

ASKED = 0.05
TEXTS = 300
SEED = 7
JOINTS = ("\n", "  (", ") ", ' — "', '"\n\n', "\t")
CLUSTERS = ("👩‍👩‍👧", "🇩🇪", "e\u0301", "👍🏽", "\r\n", "n\u0303", "❤️")
# What is left of a cluster that was cut; whole clusters are taken out first.
PIECES = regex.compile("[\u200d\u0301\u0303\ufe0f\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\r]")


def main():
    run = Run(options(__doc__))
    corpus = list(islice(made_rows("text"), TEXTS))
    texts = [row["text"] for row in corpus]
    with ExitStack() as stack:
        starts = (started_on(("perturb", *PEERS), corpus, seed) for seed in range(3))
        runs = [stack.enter_context(start) for start in starts]
        rows = [
            {"side": sides[0].name, "operation": maker} | judged(sides, maker, texts)
            for sides in zip(*runs, strict=True)
            for maker in sides[0].operations
            if "list" in maker and "edits" not in maker
        ]
    run.write("fidelity", versions_of(runs[0]), texts=TEXTS, rows=rows)


def judged(sides, maker, texts):
    """What a maker of one side does, which runs in several processes."""
    made, *others = [side.make(maker, texts, SEED) for side in sides]
    back = sides[0].make(maker, texts[::-1], SEED)
    # Blanks and marks between sentences that are easily lost; clusters behind every third word.
    laid_out = [with_each(JOINTS, text, r"(?<=[.?!]) ") for text in texts]
    places = r"(?<= \w) |(?<= \w\w\w) "
    clustered = [with_each([f"{each} " for each in CLUSTERS], text, places) for text in texts]
    return {
        "asked": None if sides[0].name == "langtest" else ASKED,
        "measured": rate(texts, made),
        "letters": rate(texts, made, without_white_space),
        "white_space": share(same_white_space, laid_out, sides[0].make(maker, laid_out, SEED)),
        "clusters": share(whole_clusters, clustered, sides[0].make(maker, clustered, SEED)),
        "processes": all(other == made for other in others),
        "order": back[::-1] == made,
    }


def rate(texts, made, read=str):
    """The distance a character between what is read of the texts."""
    distance = sum(map(Levenshtein.distance, map(read, texts), map(read, made)))
    return round(distance / sum(map(len, texts)), 4)


def without_white_space(text):
    return "".join(text.split())


def share(holds, texts, made):
    return sum(map(holds, texts, made)) / len(texts)


def same_white_space(before, after):
    return regex.findall(r"\s+", before) == regex.findall(r"\s+", after)


def whole_clusters(before, after):
    clusters = {each for each in regex.findall(r"\X", before) if len(each) > 1}
    for cluster in sorted(clusters, key=len, reverse=True):
        after = after.replace(cluster, "")
    return not PIECES.search(after)


def with_each(parts, text, places):
    """The text with one part after another at the places."""
    turn = iter(range(len(text)))
    return regex.sub(places, lambda _: parts[next(turn) % len(parts)], text)


if __name__ == "__main__":
    main()
