"""Write a table of wordlists/noise: the errors of a recogniser of speech, as counts alone.

    python wordlists/build/spoken_noise.py asr NOISEQA > wordlists/noise/asr.json
    python wordlists/build/spoken_noise.py asr NOISEQA pairs > spoken.jsonl
    python wordlists/build/spoken_noise.py whisper PAIRS.jsonl > wordlists/noise/whisper.json

NOISEQA is a checkout of https://github.com/noiseQA/NoiseQA (MIT; its questions are SQuAD's); the
pairs of Whisper are those that `speech.py` prints. Of NoiseQA no word is written that fewer
than five texts show. With `pairs`, these alone are printed. Needs rapidfuzz.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from math import sqrt
from pathlib import Path

import numpy as np
from noise import questions
from rapidfuzz.distance import Levenshtein

from perturb.fitting.counts import FEWEST_TEXTS
from perturb.perturbators.machines._whisper import OPENS_QUESTION
from perturb.resources import read_rows

# Beside what a word of grammar shows alone, so many errors count as those of the rare ones.
PRIOR = 6
# Runs of errors rarely have so many words: two that are wrong at that distance have no run in common.
FAR = 5

VALUES = {row[1]: int(row[0]) for row in read_rows("english", "numbers.tsv") if len(row[0]) < 3}
HEADS = {
    "asr": {
        "source": "counts of spoken questions: NoiseQA (A. Ravichander et al., EACL 2021), 25c49ce",
        "licence": "MIT, licenses/NOISEQA.txt",
    },
    "whisper": {
        "source": "counts of what Whisper tiny.en and base write of sentences of GSM8K and of the "
        "English Web Treebank, read by Piper, flite and espeak-ng",
        "licence": "MIT, as the project",
    },
}
# How many texts must show a word; those that Whisper heard are public.
FEWEST = {"asr": FEWEST_TEXTS, "whisper": 1}


def words_of(text):
    """Return the words of a text in small letters, without signs."""
    return re.sub(r"[^a-z0-9' ]", " ", text.lower().replace("’", "'")).split()


def counted(pairs, fewest=FEWEST_TEXTS):
    """Return the content of the table, without what fewer texts show."""
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
    runs, spread = runs_and_spread(kept, rates)
    added = errors["insert", 2] / words.total()
    all_wrong = [
        (errors["replace", n] + errors["delete", n]) / words[n] + added for n in (False, True)
    ]
    heard_as = [errors["replace", False], errors["replace", True], errors["insert", 2]]
    options = grammar_words(uses, texts, fewest)
    to_grammar = Counter()
    # What fewer questions show comes of its sound alone.
    for (sort, (group, word)), count in uses.items():
        to_grammar[sort] += count * (word in options[""] or word in options.get(group, ""))
    return {
        "pairs": len(pairs),
        "follows": round(runs, 3),
        "spread": round(spread, 2),
        **rates,
        "lost": [round(errors["delete", n] / words[n] / all_wrong[n], 3) for n in (False, True)],
        "added": [round(added / all_wrong[n], 3) for n in (False, True)],
        "to grammar": [round(to_grammar[n] / heard_as[n], 3) for n in range(3)],
        "grammar words": options,
    }


def runs_and_spread(kept, rates):
    """Return how often a word is as wrong as the one before it, and how much texts differ.

    Words far from each other are wrong together only as some texts are worse than others: the
    spread is the standard deviation of their rates, in units of the mean. Beyond that, of two words
    that share their draw both are wrong as often as the one that is so less often.

    Args:
        kept: the words of each text, and whether each is wrong.
        rates: `rates_of` all texts.
    """
    sizes = {word: size for word, size, _ in read_rows("english", "misheard.tsv")}
    grammar = dict.fromkeys((row[0] for row in read_rows("english", "stop_words.tsv")), "grammar")
    near, far = np.zeros(3), np.zeros(2)
    errors = sum(sum(wrong) for _, wrong in kept) / sum(len(wrong) for _, wrong in kept)
    for said, wrong in kept:
        factors = [
            rates["grammar is wrong"].get(word)
            or rates["wrong"][grammar.get(word) or sizes.get(word, "unknown")]
            * (rates["wrong with s"] if word[-1] == "s" and word not in grammar else 1)
            for word in said
        ]
        chances = np.minimum(errors * len(said) * np.array(factors) / sum(factors), 1)
        alone = np.outer(chances, chances), np.outer(wrong, wrong)
        near += [np.trace(each, 1) for each in (*alone, np.minimum.outer(chances, chances))]
        far += [np.triu(each, FAR).sum() for each in alone]
    alike, both, most = near[0] * far[1] / far[0], near[1], near[2] * far[1] / far[0]
    return (both - alike) / (most - alike), sqrt(max(far[1] / far[0] - 1, 0))


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


def grammar_words(uses, texts, fewest):
    """Return which words are written for words of grammar, are added ("+"), and for other words.

    Behind the former, "" stands for all that fewer texts show.
    """
    shown = {use: n for (_, use), n in uses.items() if use[0] and len(texts[use]) >= fewest}
    rest, total, sights = Counter(), Counter(), defaultdict(set)
    for (_, use), count in uses.items():
        if use not in shown:
            rest[use[1]] += count
            sights[use[1]] |= texts[use]
    every = {word: n for word, n in sorted(rest.items()) if len(sights[word]) >= fewest}
    for (_, use), count in uses.items():
        total[use[0]] += count * (use not in shown)
    options = {"": every}
    for group in ("+", *sorted({said for said, _ in shown} - {"+"})):
        some = {word: count for (said, word), count in sorted(shown.items()) if said == group}
        options[group] = some | {"": total[group]}
    return options


def layout_of(pairs):
    """Return how sentences begin and end, which punctuation stays, and how numbers are written."""
    ends, kept, seen, starts = defaultdict(Counter), Counter(), Counter(), Counter()
    ways, numbers, in_digits = Counter(), Counter(), Counter()
    for clean, noisy in pairs:
        first = words_of(clean)[:1]
        tail = re.search(r"\W*$", clean)[0]
        asks = bool(first) and first[0] in OPENS_QUESTION and not {*tail} & {*".!…"}
        end = "asks" if asks or "?" in tail else "tells"
        sign = re.search(r"\W*$", noisy)[0]
        ends[end]["?" if "?" in sign else "." if {*sign} & {*".!…"} else ""] += 1
        starts[noisy[:1].isupper()] += noisy[:1].isalpha()
        sides = [text.split() for text in (clean, noisy)]
        bare = [[re.sub(r"\W", "", word.lower()) for word in words] for words in sides]
        changed = {at: to for kind, at, to in Levenshtein.editops(*bare) if kind == "replace"}
        for at, to in matches(*bare):
            if sides[0][at] != sides[0][-1] and sides[1][to] != sides[1][-1]:
                said, heard = sides[0][at], sides[1][to]
                edges = re.search(r"\W*$", said)[0], re.match(r"\W*", said)[0]
                for marks, other in zip(edges, (heard[-1], heard[0]), strict=True):
                    for mark in {*marks} - {*"$#%&@.?!"}:
                        kind = mark if mark in ",:;" else "other"
                        seen[kind] += 1
                        kept[kind] += other == mark
        for at, word in enumerate(bare[0]):
            value = number_of(word)
            if value is None:
                continue
            other = bare[1][changed[at]] if at in changed else ""
            way, same = "words" if word.isdigit() else "digits", number_of(other) == value
            in_digits["all"] += word.isdigit()
            in_digits["misheard"] += word.isdigit() and other.isdigit() and not same
            if not (at and sides[0][at - 1][:1].isupper()):
                numbers[way, value > 10] += 1
                ways[way, value > 10] += same
    return {
        "ends": {
            name: [round(some[sign] / some.total(), 3) for sign in ("?", ".", "")]
            for name, some in sorted(ends.items())
        },
        "capital": round(starts[True] / starts.total(), 3),
        "kept": {mark: round(kept[mark] / max(seen[mark], 1), 3) for mark in (*",:;", "other")},
        **{
            way: [round(ways[way, n] / max(numbers[way, n], 1), 3) for n in (False, True)]
            for way in ("words", "digits")
        },
        "misheard": round(in_digits["misheard"] / in_digits["all"], 3),
    }


def number_of(word):
    """Return the value of a number in digits, or of a simple one in letters; None for others."""
    return int(word) if word.isdigit() and len(word) < 10 else VALUES.get(word)


def matches(said, heard):
    """Return the places of equal words in an alignment."""
    blocks = Levenshtein.opcodes(said, heard)
    return [
        (block.src_start + n, block.dest_start + n)
        for block in blocks
        if block.tag == "equal"
        for n in range(block.src_end - block.src_start)
    ]


def main(name, path, what="noise"):
    """Write the counts, or the pairs."""
    if name == "asr":
        files = "xquad-context-en-question-en", "xquad-asr-natural"
        clean, spoken = (questions(Path(path) / "Natural" / f"{file}.json") for file in files)
        pairs = [(clean[key], spoken[key]) for key in sorted(clean.keys() & spoken.keys())]
    else:
        rows = map(json.loads, Path(path).read_text("utf-8").splitlines())
        pairs = [(row["clean"], row["noisy"]) for row in rows if words_of(row["clean"])]
    if what == "pairs":
        for text, noisy in pairs:
            print(json.dumps({"clean": text, "noisy": noisy}, ensure_ascii=False))
        return
    layout = {"layout": layout_of(pairs)} if name == "whisper" else {}
    head = HEADS[name] | {"made by": "build/spoken_noise.py"}
    print(json.dumps(head | counted(pairs, FEWEST[name]) | layout, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
