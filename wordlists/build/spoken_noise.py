"""Write wordlists/noise/asr.json: the errors of a recogniser of speech, as counts alone.

    python wordlists/build/spoken_noise.py NOISEQA > wordlists/noise/asr.json
    python wordlists/build/spoken_noise.py NOISEQA pairs > spoken.jsonl

NOISEQA is a checkout of https://github.com/noiseQA/NoiseQA (MIT; its questions are SQuAD's). No
word is written that fewer than five questions show. With `pairs`, these alone are printed. Needs
rapidfuzz.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from noise import questions
from rapidfuzz.distance import Levenshtein

from perturb.fitting.counts import FEWEST_TEXTS
from perturb.resources import read_rows

HEAD = {
    "source": "counts of spoken questions: NoiseQA (A. Ravichander et al., EACL 2021), 25c49ce",
    "licence": "MIT, licenses/NOISEQA.txt",
    "made by": "build/spoken_noise.py",
}


def words_of(text):
    """Return the words of a text in small letters, without signs."""
    return re.sub(r"[^a-z0-9' ]", " ", text.lower().replace("’", "'")).split()


def counted(pairs):
    """Return the content of the table."""
    grammar = {row[0] for row in read_rows("english", "stop_words.tsv")}
    words, errors, to_grammar, kept = Counter(), Counter(), Counter(), []
    texts, uses = defaultdict(set), Counter()
    for number, (clean, noisy) in enumerate(pairs):
        said, heard = words_of(clean), words_of(noisy)
        sorts = [word in grammar for word in said]
        words.update(sorts)
        wrong = [False] * len(said)
        for kind, at, to in Levenshtein.editops(said, heard):
            wrong[min(at, len(said) - 1)] = True
            sort = 2 if kind == "insert" else sorts[at]
            errors[kind, sort] += 1
            if kind != "delete" and heard[to] in grammar:
                to_grammar[sort] += 1
                uses[heard[to]] += 1
                texts[heard[to]].add(number)
        kept.append(wrong)
    pairs_of_words = Counter(two for wrong in kept for two in pairwise(wrong))
    rate = sum(map(sum, kept)) / sum(map(len, kept))
    after_wrong = pairs_of_words[True, True] / (
        pairs_of_words[True, True] + pairs_of_words[True, False]
    )
    added = errors["insert", 2] / words.total()
    all_wrong = [
        (errors["replace", n] + errors["delete", n]) / words[n] + added for n in (False, True)
    ]
    heard_as = [errors["replace", False], errors["replace", True], errors["insert", 2]]
    return {
        "pairs": len(pairs),
        "follows": round((after_wrong - rate) / (1 - rate), 3),
        "grammar is wrong": round(all_wrong[1] / all_wrong[0], 3),
        "lost": [round(errors["delete", n] / words[n] / all_wrong[n], 3) for n in (False, True)],
        "added": [round(added / all_wrong[n], 3) for n in (False, True)],
        "to grammar": [round(to_grammar[n] / heard_as[n], 3) for n in range(3)],
        "grammar words": [
            [word, count]
            for word, count in sorted(uses.items())
            if len(texts[word]) >= FEWEST_TEXTS
        ],
    }


def main(folder, what="noise"):
    """Write the counts, or the pairs."""
    names = "xquad-context-en-question-en", "xquad-asr-natural"
    clean, spoken = (questions(Path(folder) / "Natural" / f"{name}.json") for name in names)
    pairs = [(clean[key], spoken[key]) for key in sorted(clean.keys() & spoken.keys())]
    if what == "pairs":
        for text, noisy in pairs:
            print(json.dumps({"clean": text, "noisy": noisy}, ensure_ascii=False))
    else:
        print(json.dumps(HEAD | counted(pairs), ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
