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
# The rates have settled by then, and draws of runs move none by more than their last digit but one.
ROUNDS, DRAWS = 12, 40

# With which a sentence may end.
SIGNS = "?", ".", ""
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
    texts, uses, errors, lost_at, kept = defaultdict(set), Counter(), Counter(), Counter(), []
    for number, (clean, noisy) in enumerate(pairs):
        said, heard = words_of(clean), words_of(noisy)
        wrong = [False] * len(said)
        edits = Levenshtein.editops(said, heard)
        # A recogniser that has lost its place repeats itself; that is no reading of the text.
        if len(edits) >= len(said):
            continue
        for kind, at, to in edits:
            sort = 2 if kind == "insert" else said[at] in grammar
            errors[kind, sort] += 1
            if kind != "insert":
                wrong[at] = True
            if kind == "delete":
                lost_at[said[at]] += 1
            elif heard[to] in grammar:
                use = "+" if sort == 2 else said[at] * sort, heard[to]
                uses[sort, use] += 1
                texts[use].add(number)
        kept.append((said, wrong))
    heard_as = [errors["replace", False], errors["replace", True], errors["insert", 2]]
    all_wrong = [errors["replace", n] + errors["delete", n] for n in (False, True)]
    options = grammar_words(uses, texts, fewest)
    to_grammar = Counter()
    # What fewer questions show comes of its sound alone.
    for (sort, (group, word)), count in uses.items():
        to_grammar[sort] += count * (word in options[""] or word in options.get(group, ""))
    return {
        "pairs": len(kept),
        **rates_of(kept, lost_at),
        "lost": [round(errors["delete", n] / all_wrong[n], 3) for n in (False, True)],
        "added": round(errors["insert", 2] / sum(all_wrong), 3),
        "to grammar": [round(to_grammar[n] / heard_as[n], 3) for n in range(3)],
        "grammar words": options,
    }


def rates_of(kept, lost_at):
    """Return how often words are wrong, how that runs on, and how much texts differ.

    Rates are by sort, and of each word of grammar that is frequent, in units of that of a word that
    has others of its sound and does not end in s. The words of a run are all wrong or all right, at
    the mean of their rates, so rates are sought that make in runs what was counted. Words far from
    each other are wrong together only as some texts are worse than others: the spread is the
    standard deviation of their rates, in units of the mean. Beyond that, neighbours are both wrong
    as often as they share a run.

    Args:
        kept: the words of each text, and whether each is wrong.
        lost_at: how often each word is lost.
    """
    grammar = {row[0] for row in read_rows("english", "stop_words.tsv")}
    sizes = {word: size for word, size, _ in read_rows("english", "misheard.tsv")}
    said_in = Counter(word for said, _ in kept for word in {*said} & grammar)
    often = sorted(word for word, count in said_in.items() if count >= FEWEST_TEXTS)
    names = [*sorted({*sizes.values()}), "unknown", "grammar", *often]
    name_of = sizes | dict.fromkeys(grammar, "grammar") | {word: word for word in often}
    rows = [
        (text, names.index(name_of.get(word, "unknown")), word not in grammar and word[-1] == "s", wrong)
        for text, (said, marks) in enumerate(kept)
        for word, wrong in zip(said, marks, strict=True)
        if word[0].isalpha()
    ]  # fmt: skip
    text, sort, with_s, wrong = map(np.array, zip(*rows, strict=True))
    size, rare = len(names), names.index("grammar")
    seen, errors = np.bincount(sort, minlength=size), np.bincount(sort, wrong, size)
    prior = PRIOR * (np.arange(size) > rare)
    wanted = (errors + prior * errors[rare] / max(seen[rare], 1)) / np.maximum(seen + prior, 1)
    rates, plural, follows = wanted, 1.0, 0.0
    for _ in range(ROUNDS):
        factors = rates[sort] * np.where(with_s, plural, 1)
        scale = wrong.mean() * np.bincount(text) / np.maximum(np.bincount(text, factors), 1e-9)
        made = in_runs(np.minimum(factors * scale[text], 1), text, follows)
        rates = rates * wanted * seen / np.maximum(np.bincount(sort, made, size), 1e-9)
        plural *= wrong[with_s].sum() / made[with_s].sum()
        differ = both(wrong, text, FAR, None) / both(made, text, FAR, None)
        alike = differ * both(made, text)
        most = (made[1:] + made[:-1])[text[1:] == text[:-1]].sum() / 2
        follows = (both(wrong, text) - alike) / (most - alike)
    single = np.average(rates[sort[~with_s & (sort < len({*sizes.values()}))]])
    lost = sum(lost_at[word] for word in grammar) / errors[rare:].sum()
    rate_of = dict(zip(names, (rates / single).round(3).tolist(), strict=True))
    return {
        "follows": round(follows, 3),
        "spread": round(sqrt(max(differ - 1, 0)), 2),
        "wrong": {name: rate_of[name] for name in names[: rare + 1]},
        "wrong with s": round(plural, 3),
        "grammar is wrong": {word: rate_of[word] for word in often},
        "grammar is lost": {
            word: round((lost_at[word] + PRIOR * lost) / (errors[names.index(word)] + PRIOR), 3)
            for word in often
        },
    }


def in_runs(chances, text, follows):
    """Return the mean chance of each word over runs that are drawn again and again."""
    rng, total = np.random.default_rng(0), np.zeros(len(chances))
    for _ in range(DRAWS):
        run = np.cumsum((rng.random(len(text)) >= follows) | (np.diff(text, prepend=-1) > 0)) - 1
        total += (np.bincount(run, chances) / np.bincount(run))[run]
    return total / DRAWS


def both(wrong, text, nearest=1, farthest=1):
    """Return how often two words of a text are both wrong that are so many apart."""
    distances = range(nearest, (farthest or np.bincount(text).max()) + 1)
    return sum((wrong[n:] * wrong[:-n])[text[n:] == text[:-n]].sum() for n in distances)


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
    ways, numbers, in_digits, commas = (Counter() for _ in range(4))
    for clean, noisy in pairs:
        first = words_of(clean)[:1]
        tail = re.search(r"\W*$", clean)[0]
        asks = bool(first) and first[0] in OPENS_QUESTION and not {*tail} & {*".!…"}
        end = "asks" if asks or "?" in tail else "tells"
        sign = re.search(r"\W*$", noisy)[0]
        mark = "?" if "?" in sign else "." if {*sign} & {*".!…"} else ""
        ends[end][mark] += 1
        starts[end, mark, noisy[:1].isupper()] += noisy[:1].isalpha()
        sides = [text.split() for text in (clean, noisy)]
        bare = [[re.sub(r"\W", "", word.lower()) for word in words] for words in sides]
        edits = Levenshtein.editops(*bare)
        changed = {at: to for kind, at, to in edits if kind == "replace"}
        # A word that is heard as another may get a comma that none has said.
        heard = [
            sides[1][to]
            for kind, at, to in edits
            if kind != "delete"
            and to + 1 < len(bare[1])
            and (kind == "insert" or sides[0][at][-1].isalnum())
        ]
        commas.update(word[-1] == "," for word in heard)
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
            name: [round(some[sign] / some.total(), 3) for sign in SIGNS]
            for name, some in sorted(ends.items())
        },
        "capital": {
            name: [share_of(starts, (name, sign)) for sign in SIGNS] for name in sorted(ends)
        },
        "comma": round(commas[True] / commas.total(), 3),
        "kept": {mark: round(kept[mark] / max(seen[mark], 1), 3) for mark in (*",:;", "other")},
        **{
            way: [round(ways[way, n] / max(numbers[way, n], 1), 3) for n in (False, True)]
            for way in ("words", "digits")
        },
        "misheard": round(in_digits["misheard"] / in_digits["all"], 3),
    }


def share_of(starts, end):
    """Return how often a text with such an end begins with a capital."""
    upper, small = (
        sum(n for key, n in starts.items() if key[-1] is case) for case in (True, False)
    )
    mean = upper / (upper + small)
    some, others = (starts[*end, case] for case in (True, False))
    return round((some + PRIOR * mean) / (some + others + PRIOR), 3)


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
