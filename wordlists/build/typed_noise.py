"""Write wordlists/noise/slips.json: how often people mistype, as counts alone.

    python wordlists/build/typed_noise.py NOISEQA EWT > wordlists/noise/slips.json
    python wordlists/build/typed_noise.py web EWT > web.jsonl

NOISEQA is a checkout of https://github.com/noiseQA/NoiseQA (MIT; its questions are SQuAD's), EWT
one of https://github.com/UniversalDependencies/UD_English-EWT (CC BY-SA 4.0): what people wrote in
blogs, mails, reviews, newsgroups and answers. In EWT a mistyped word has its `CorrectForm` beside
it, a lost space `CorrectSpaceAfter`, and parts of one word are `goeswith`. With `web`, its pairs
alone are printed.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from noise import pairs as pairs_of

from perturb.fitting.pairs import Change, align
from perturb.resources import read_rows

HEAD = {
    "source": "counts of NoiseQA (A. Ravichander et al., EACL 2021), 25c49ce, and of the English "
    "Web Treebank (N. Silveira et al., LREC 2014), 15d613d",
    "licence": "facts, no text; licenses/NOISEQA.txt",
    "made by": "build/typed_noise.py",
}
PLACES = FIRST, INNER, LAST = range(3)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
ROWS = "qwertyuiop", "asdfghjkl", "zxcvbnm"
SIGNS = " '?.,-!"
BY_PLACE = "omit neighbour double insert stray transpose confuse skip blend".split()
OF_LETTERS = "omit", "neighbour", "double", "confuse"
KINDS = *BY_PLACE, "split", "undouble", "case", "other"
# What signs have: they are left out, or a space is put in before them; and what words have.
ALIKE = {"sign": "omit", "spaced": "split", "word": "confuse"}
# A word of grammar is taken for another where two texts show it; short ones are of many languages.
WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
GRAMMAR = {row[0] for row in read_rows("english", "stop_words.tsv")}
FEWEST_TEXTS, SHORTEST = 2, 3
# Edits that a letter or a kind is given beside those that were counted.
PRIOR = 1


def sentence_pair(sentence):
    """Return the clean and the typed text of a sentence of EWT."""
    rows = [line.split("\t") for line in sentence.splitlines() if line[:1].isdigit()]
    clean, typed, form, last = "", "", None, 0
    for number, word, *_, relation, _, marks in rows:
        first, _, end = number.partition("-")
        marks = dict(mark.partition("=")[::2] for mark in marks.split("|"))
        space = "" if marks.get("SpaceAfter") == "No" else " "
        if end:  # a contraction, whose words come one by one
            last, space_of_last = int(end), space
            continue
        if "." in number:  # a word that is left out
            continue
        if int(first) <= last:
            space = space_of_last if int(first) == last else ""
        typed += word + space
        if relation == "goeswith":
            clean = clean.removesuffix(" ") + ("" if form else word) + space
            continue
        form = marks.get("CorrectForm")
        clean += (form or word) + (" " if "CorrectSpaceAfter" in marks else space)
    return clean.strip(), typed.strip()


def web_pairs(folder):
    """Return the pairs of EWT."""
    files = sorted(Path(folder).glob("not-to-release/sources/*/*.conllu"))
    sentences = [part for file in files for part in file.read_text("utf-8").split("\n\n")]
    return [pair for pair in map(sentence_pair, sentences) if pair[0]]


def near(letter):
    """Return what is on the keys beside that of a letter."""
    return dict(read_rows("keyboards", "us.tsv")).get(letter.lower(), "")


def place_of(text, at):
    """Return where in its word a letter is."""
    if not text[at - 1 : at].isalpha():
        return FIRST
    return INNER if text[at + 1 : at + 2].isalpha() else LAST


def case_of(text, at):
    """Return whether a letter is the first of a word, is led, and is a capital, as a number.

    What is led is the first of a text, or stands behind a capital.
    """
    is_led = at == 0 or text[at - 1].isupper()
    return 4 * (place_of(text, at) == FIRST) + 2 * is_led + text[at].isupper()


def first_letters(corpora):
    """Return how often slips are at small and at capital first letters, in units of both."""
    rates = []
    for pairs in corpora:
        seen, places = [0.5, 0.5], [1, 1]
        for text in pairs.clean:
            for at, letter in enumerate(text):
                if letter.isalpha() and place_of(text, at) == FIRST:
                    places[letter.isupper()] += 1
        for change in pairs.changes:
            text = pairs.clean[change.text]
            kind = sight(text, change)
            letter = text[change.start : change.start + 1]
            if kind and kind[0] in BY_PLACE and place_of(text, change.start) == FIRST:
                seen[letter.isupper()] += letter.isalpha()
        mean = sum(seen) / sum(places)
        rates.append([made / count / mean for made, count in zip(seen, places, strict=True)])
    return [rounded(sum(some) / len(rates)) for some in zip(*rates, strict=True)]


def same_row(corpora):
    """Return how many of the neighbours that are hit are of the same row, for each that is not."""
    beside = [
        any({change.removed.lower(), change.written.lower()} <= {*row} for row in ROWS)
        for pairs in corpora
        for change in pairs.changes
        if (sight(pairs.clean[change.text], change) or [None])[0] == "neighbour"
    ]
    return round((sum(beside) + PRIOR) / (len(beside) - sum(beside) + PRIOR))


def with_words(pairs):
    """Return pairs in which edits are of words where they make one word of grammar another.

    But not those of words at which slips of letters are as frequent, one for each letter.
    """
    of_word, alike = defaultdict(list), defaultdict(list)
    changes = {change._replace(is_word=False) for change in pairs.changes}
    for change in sorted(changes):
        for match in re.finditer(WORD, pairs.clean[change.text]):
            if match.start() <= change.start <= match.end() - len(change.removed):
                of_word[change.text, match.start(), match[0]].append(change)
    for (text, first, word), parts in of_word.items():
        written = word
        for change in reversed(parts):
            at = change.start - first
            written = written[:at] + change.written + written[at + len(change.removed) :]
        both = Change(text, first, word.lower(), written.lower(), is_word=True)
        is_other = both.removed != both.written and {both.removed, both.written} <= GRAMMAR
        if is_other and len(word) >= SHORTEST:
            alike[both.removed, both.written].append((both, parts))
    places = word_shares(pairs)
    for (word, _), some in alike.items():
        is_frequent = len(some) / len(pairs.changes) > places[word] * len(word)
        if is_frequent and len({pairs.clean[both.text] for both, _ in some}) >= FEWEST_TEXTS:
            for both, parts in some:
                changes = changes - {*parts} | {both}
    return pairs._replace(changes=sorted(changes))


def word_shares(pairs):
    """Return how many characters of the clean texts begin each word, as shares."""
    text = "\n".join(pairs.clean).lower()
    return {word: n / len(text) for word, n in Counter(re.findall(WORD, text)).items()}


def confusions(corpora):
    """Return how often words of grammar are taken for each other, by word."""
    made, places, rates = Counter(), Counter(), defaultdict(dict)
    for pairs in corpora:
        places.update(word_shares(pairs))
        for change in pairs.changes:
            if change.is_word:
                made[change.removed, change.written] += 1 / len(pairs.changes)
    for (word, written), share in sorted(made.items()):
        rates[word][written] = rounded(share / places[word])
    return rates


def sight(text, change):
    """Return the kind of an edit, and what it depends on; None for what is no slip."""
    if change.is_word:
        return ("word",)
    at, removed, written = change.start, change.removed, change.written
    if not (removed or written).isalpha() and text[at - 1 : at] in ("?", "."):
        at, removed, written = at - 1, text[at - 1] + removed, text[at - 1] + written
    left, right = text[at - 1 : at], text[at + len(removed) : at + len(removed) + 1]
    if len(removed) == 1 and not written:
        if removed.isalpha():
            alike = removed in (left, right)
            return ("undouble",) if alike else ("omit", place_of(text, at), removed.lower())
        return ("sign", removed) if removed in SIGNS else None
    if not removed and len(written) == 1:
        beside = at if text[at : at + 1].isalpha() else at - 1
        if written == " ":
            if right in SIGNS and left.isalpha():
                return "spaced", right
            return ("split",) if left.isalpha() and right.isalpha() else None
        if not (written.isalpha() and text[beside : beside + 1].isalpha()):
            return None
        if written.lower() in (left.lower(), right.lower()):
            return "double", place_of(text, beside), written.lower()
        is_near = written.lower() in near(left) + near(right)
        return "insert" if is_near else "stray", place_of(text, beside), written.lower()
    if removed.swapcase() == written and len(written) == 1:
        return "case", case_of(text, at)
    if len(removed) == 2 and written == removed[::-1] and removed.isalpha():
        return "transpose", place_of(text, at)
    if (
        removed in SIGNS
        and removed
        and 0 < len(written) <= 2
        and not any(map(str.isalnum, written))
    ):
        return "other", removed, written
    if 2 <= len(removed) <= 3 and (removed + written).isalpha():
        return ("blend" if written else "skip"), place_of(text, at)
    if len(removed) == 1 == len(written) and (removed + written).isalpha():
        if written.lower() in near(removed):
            return "neighbour", place_of(text, at), removed.lower()
        if {removed.lower(), written.lower()} <= {*LETTERS}:
            return "confuse", place_of(text, at), written.lower(), removed.lower()
    return None


def room(texts):
    """Count the places for edits: what they depend on, and how often texts have it."""
    counts = Counter()
    for text in texts:
        counts["characters"] += len(text)
        for at, character in enumerate(text):
            if character.isalpha():
                place = place_of(text, at)
                counts["letter", place] += 1
                counts["case", case_of(text, at)] += 1
                counts["letter", character.lower()] += 1
                counts["doubled"] += character == text[at + 1 : at + 2]
            else:
                counts["sign", character] += 1
    return counts


def sights(pairs):
    """Return of each kind its share of the edits, and the share of characters where it could be.

    Each is an array of two columns, by place in the word as far as it matters; capitals' rows are
    of small and capital letters inside and at the beginning.
    """
    seen = [sight(pairs.clean[change.text], change) for change in pairs.changes]
    kinds, places = Counter(seen), room(pairs.clean)
    for key in filter(None, seen):
        kinds[key[:2]] += len(key) > 2
    letters = [places["letter", place] for place in PLACES]
    single = {
        "undouble": (kinds["undouble",], places["doubled"]),
        "split": (kinds["split",], letters[INNER] + letters[LAST]),
    }
    rows = {kind: [pair] for kind, pair in single.items()}
    for kind in BY_PLACE:
        rows[kind] = [(kinds[kind, place] + PRIOR / 3, letters[place]) for place in PLACES]
    rows["case"] = [(kinds["case", n] + PRIOR / 8, places["case", n]) for n in range(8)]
    for kind in ("sign", "spaced", "other"):
        rows[kind] = [(kinds[kind, sign], places["sign", sign]) for sign in SIGNS]
    sizes = len(pairs.changes), places["characters"]
    shares = {kind: np.array(some) / sizes for kind, some in rows.items()}
    shares["sign"] += PRIOR / len(pairs.changes)  # some are rare
    return shares


def counted(corpora):
    """Return the table; each of the corpora has the same weight."""
    corpora = [*map(with_words, corpora)]
    of_each = [sights(pairs) for pairs in corpora]
    both = {kind: sum(each[kind] for each in of_each) for kind in of_each[0]}
    letters, expected, written, kinds, signs = (Counter() for _ in range(5))
    for pairs in corpora:
        places = room(pairs.clean)
        keys = [sight(pairs.clean[change.text], change) for change in pairs.changes]
        every = Counter(key[0] for key in keys if key)
        for letter in LETTERS:
            share = places["letter", letter] / sum(places["letter", place] for place in PLACES)
            expected.update({(kind, letter): every[kind] * share for kind in OF_LETTERS})
        for key in filter(None, keys):
            kinds[ALIKE.get(key[0], key[0])] += 1 / len(keys)
            letters[key[0], key[-1]] += 1
            signs[key[1:]] += key[0] == "other"
            written[key[2] if len(key) > 2 else None] += key[0] == "confuse"
    return {
        "rates": {
            kind: [rounded(made / max(places, 1e-9)) for made, places in some]
            for kind, some in both.items()
        },
        "first letters": first_letters(corpora),
        "same row": same_row(corpora),
        "shares": {kind: rounded(kinds[kind] / kinds.total()) for kind in KINDS},
        "letters": {
            kind: [
                rounded((letters[kind, a] + PRIOR) / (expected[kind, a] + PRIOR)) for a in LETTERS
            ]
            for kind in OF_LETTERS
        },
        "signs": {
            sign: {text: n for (_, text), n in sorted(shown.items())}
            for sign in SIGNS.strip()
            if (shown := {key: n for key, n in signs.items() if n > 0 and key[0] == sign})
        },
        "words": confusions(corpora),
        "confused": "".join(a * written[a] for a in LETTERS),
        "strayed": "".join(a * letters["stray", a] for a in LETTERS),
    }


def rounded(number):
    """Return three figures of a number."""
    return float(f"{number:.3g}")


def main(first, second):
    """Print the table, or the pairs of EWT."""
    if first == "web":
        for clean, typed in web_pairs(second):
            print(json.dumps({"clean": clean, "noisy": typed}, ensure_ascii=False))
        return
    rows = pairs_of(Path(first)), web_pairs(second)
    copied, own = (align(*zip(*some, strict=True)) for some in rows)
    tables = {"any": [copied, own], "copied": [copied], "own": [own]}
    content = HEAD | {kind: counted(corpora) for kind, corpora in tables.items()}
    print(json.dumps(content, ensure_ascii=False).replace('}, "', '},\n"'))


if __name__ == "__main__":
    main(*sys.argv[1:])
