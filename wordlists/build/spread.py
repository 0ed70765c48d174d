"""Print how much the rates of texts differ, as `grammar_errors` has it.

    python wordlists/build/spread.py JFLEG

JFLEG is a checkout of https://github.com/keisks/jfleg: sentences of learners, each with four
corrections (CC BY-NC-SA; only this number is taken). An error is a word that differs between a
sentence and a correction. The spread is that of `perturb.fitting.counts`, by words. Needs
rapidfuzz.
"""

import sys
from itertools import product
from math import sqrt
from pathlib import Path

from rapidfuzz.distance import Levenshtein


def pairs(folder):
    """Yield the words of each correction and of its sentence."""
    for part, number in product(("dev", "test"), range(4)):
        sides = (
            (folder / part / f"{part}.{end}").read_text("utf-8").splitlines()
            for end in (f"ref{number}", "src")
        )
        yield from ([side.split() for side in pair] for pair in zip(*sides, strict=True))


def main(folder):
    """Print the number of pairs, the rate, the share of untouched sentences and the spread."""
    counts = [
        (len(clean), Levenshtein.distance(clean, noisy)) for clean, noisy in pairs(Path(folder))
    ]
    rate = sum(errors for _, errors in counts) / sum(size for size, _ in counts)
    moment = sum(errors**2 for _, errors in counts) / sum((rate * size) ** 2 for size, _ in counts)
    stay = sum(not errors for _, errors in counts) / len(counts)
    print(
        f"{len(counts)} pairs, rate {rate:.3f}, {stay:.2f} untouched, spread {sqrt(moment - 1):.2f}"
    )


if __name__ == "__main__":
    main(sys.argv[1])
