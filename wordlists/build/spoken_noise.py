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
from math import prod
from pathlib import Path

from noise import questions
from rapidfuzz.distance import Levenshtein

from perturb.fitting.counts import FEWEST_TEXTS
from perturb.resources import read_rows

# Beside what a word of grammar shows alone, so many errors count as those of the rare ones.
PRIOR = 6

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
    words, of_word, said_in, errors, wrong_at, lost_at = (Counter() for _ in range(6))
    texts, uses, kept = defaultdict(set), Counter(), []
    for number, (clean, noisy) in enumerate(pairs):
        said, heard = words_of(clean), words_of(noisy)
        sorts = [word in grammar for word in said]
        words.update(sorts)
        of_word.update(said)
        said_in.update({*said})
        wrong = [False] * len(said)
        for kind, at, to in Levenshtein.editops(said, heard):
            wrong[min(at, len(said) - 1)] = True
            wrong_at.update(said[at : at + 1])
            lost_at.update(said[at : at + 1] if kind == "delete" else [])
            sort = 2 if kind == "insert" else sorts[at]
            errors[kind, sort] += 1
            if kind != "delete" and heard[to] in grammar:
                use = "+" if sort == 2 else said[at] * sort, heard[to]
                uses[sort, use] += 1
                texts[use].add(number)
        kept.append((said, wrong))
    rates = rates_of(of_word, said_in, wrong_at, lost_at)
    added = errors["insert", 2] / words.total()
    all_wrong = [
        (errors["replace", n] + errors["delete", n]) / words[n] + added for n in (False, True)
    ]
    heard_as = [errors["replace", False], errors["replace", True], errors["insert", 2]]
    options = grammar_words(uses, texts)
    to_grammar = Counter()
    # What fewer questions show comes of its sound alone.
    for (sort, (group, word)), count in uses.items():
        to_grammar[sort] += count * (word in options[""] or word in options.get(group, ""))
    return {
        "pairs": len(pairs),
        "follows": round(follows(kept, rates), 3),
        **rates,
        "lost": [round(errors["delete", n] / words[n] / all_wrong[n], 3) for n in (False, True)],
        "added": [round(added / all_wrong[n], 3) for n in (False, True)],
        "to grammar": [round(to_grammar[n] / heard_as[n], 3) for n in range(3)],
        "grammar words": options,
    }


def follows(kept, rates):
    """Return how often a word is as wrong as the one before it, beyond what their rates say.

    Of two words that share their draw both are wrong as often as the one that is so less often.

    Args:
        kept: the words of each text, and whether each is wrong.
        rates: `rates_of` all texts.
    """
    sizes = {word: size for word, size, _ in read_rows("english", "misheard.tsv")}
    grammar = dict.fromkeys((row[0] for row in read_rows("english", "stop_words.tsv")), "grammar")
    both = apart = alike = 0
    errors = sum(sum(wrong) for _, wrong in kept) / sum(len(wrong) for _, wrong in kept)
    for said, wrong in kept:
        factors = [
            rates["grammar is wrong"].get(word)
            or rates["wrong"][grammar.get(word) or sizes.get(word, "unknown")]
            * (rates["wrong with s"] if word[-1] == "s" and word not in grammar else 1)
            for word in said
        ]
        chances = [min(errors * len(said) * each / sum(factors), 1) for each in factors]
        both += sum(map(all, pairwise(wrong)))
        apart += sum(map(prod, pairwise(chances)))
        alike += sum(map(min, pairwise(chances)))
    return (both - apart) / (alike - apart)


def rates_of(of_word, said_in, wrong_at, lost_at):
    """Return how often words are wrong, by their sort, and each word of grammar that is frequent.

    Rates are in units of that of a word that has others of its sound, and does not end in s.

    Args:
        of_word: how often each word is said.
        said_in: in how many texts.
        wrong_at: how often it is wrong.
        lost_at: how often it is lost.
    """
    grammar = {row[0] for row in read_rows("english", "stop_words.tsv")}
    sizes = {word: size for word, size, _ in read_rows("english", "misheard.tsv")}

    def rate_of(some):
        some = [word for word in some if word[0].isalpha()]
        return sum(wrong_at[word] for word in some) / sum(of_word[word] for word in some)

    others = of_word.keys() - grammar
    rates = {
        size: rate_of([word for word in others if sizes.get(word) == size])
        for size in sorted({*sizes.values()})
    }
    often = sorted(word for word in grammar if said_in[word] >= FEWEST_TEXTS)
    rare = grammar & of_word.keys() - {*often}
    rates |= {"unknown": rate_of(others - sizes.keys()), "grammar": rate_of(rare)}
    plural, single = (
        rate_of([word for word in others & sizes.keys() if (word[-1] == "s") is ends])
        for ends in (True, False)
    )
    lost = sum(lost_at[word] for word in grammar) / sum(wrong_at[word] for word in grammar)
    wrong = {
        word: (wrong_at[word] + PRIOR * rates["grammar"]) / (of_word[word] + PRIOR)
        for word in often
    }
    return {
        "wrong": {name: round(value / single, 3) for name, value in rates.items()},
        "wrong with s": round(plural / single, 3),
        "grammar is wrong": {word: round(value / single, 3) for word, value in wrong.items()},
        "grammar is lost": {
            word: round((lost_at[word] + PRIOR * lost) / (wrong_at[word] + PRIOR), 3)
            for word in often
        },
    }


def grammar_words(uses, texts):
    """Return which words are written for words of grammar, are added ("+"), and for other words.

    Behind the former, "" stands for all that fewer texts show.
    """
    shown = {use: n for (_, use), n in uses.items() if use[0] and len(texts[use]) >= FEWEST_TEXTS}
    rest, total, sights = Counter(), Counter(), defaultdict(set)
    for (_, use), count in uses.items():
        if use not in shown:
            rest[use[1]] += count
            sights[use[1]] |= texts[use]
    every = {word: n for word, n in sorted(rest.items()) if len(sights[word]) >= FEWEST_TEXTS}
    for (_, use), count in uses.items():
        total[use[0]] += count * (use not in shown)
    options = {"": every}
    for group in ("+", *sorted({said for said, _ in shown} - {"+"})):
        some = {word: count for (said, word), count in sorted(shown.items()) if said == group}
        options[group] = some | {"": total[group]}
    return options


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
