"""Whether a synonym keeps part of speech and inflection: slowly, and apart from the lexicon.

It shares nothing with `perturb` but the text of WordNet and the pairs chosen by hand: forms come
from the rules below and a list of irregular words written by hand (`lexicon/irregular.tsv`).
"""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent
WORDNET = TESTS.parent / "wordlists/wordnet"
GOOD_PAIRS = TESTS.parent / "wordlists/english/good_pairs.tsv"
POS = {"N": "noun", "V": "verb", "J": "adjective", "R": "adverb"}
BASE = ("NN", "VB", "JJ", "RB")
# Column of a row of `irregular.tsv` that has the form with a tag.
COLUMN = {"NNS": 0, "VBD": 0, "VBN": 1, "JJR": 0, "JJS": 1, "RBR": 0, "RBS": 1}
SUFFIX = {
    "VBG": "ing",
    "VBD": "ed",
    "VBN": "ed",
    "JJR": "er",
    "RBR": "er",
    "JJS": "est",
    "RBS": "est",
}
MARK = re.compile(r"\*([^/*]+)/([A-Z-]+)\*")


class Sentence(NamedTuple):
    """A sentence, and by hand the tags of its words by where they start; "-" for function words."""

    text: str
    tags: dict[int, str]


def sentences(name):
    """The marked sentences of a table beside the tests of the lexicon."""
    return [unmarked(line) for line in lines(TESTS / "lexicon" / name)]


def unmarked(line):
    text, tags, last = "", {}, 0
    for match in MARK.finditer(line):
        text += line[last : match.start()]
        tags[len(text)] = match[2]
        text += match[1]
        last = match.end()
    return Sentence(text + line[last:], tags)


def keeps(word, tag, replacement):
    """Say whether both are spelled as a word of one synset is with this tag."""
    return tag != "-" and bool(synsets(word.lower(), tag) & synsets(replacement.lower(), tag))


def is_irregular(word, tag):
    """Say whether a word is an irregular form, as far as the list of them goes."""
    rows = irregular(POS[tag[0]]).values() if tag in COLUMN else ()
    return any(word.lower() in row[COLUMN[tag]].split(" ") for row in rows)


def article(word):
    """The article before a word, by its letters and the few words that sound otherwise."""
    if re.match(r"(?i)hour|honest|hono|heir|herb", word):
        return "an"
    if re.match(r"(?i)uni(?!m|n)|us[aeiu]|ut[ei]|eu|one\b|once\b", word):
        return "a"
    return "an" if word[0].lower() in "aeiou" else "a"


@cache
def synsets(form, tag):
    """The synsets of the words that are spelled so with this tag."""
    pos = POS[tag[0]]
    if tag in BASE:
        return wordnet(pos).get(form, set())
    alike = {word for word in wordnet(pos) if word[:2] == form[:2]}
    odd = {word for word in irregular(pos) if word in wordnet(pos)}
    return {
        key for word in alike | odd if form in forms(pos, word, tag) for key in wordnet(pos)[word]
    }


def forms(pos, word, tag):
    """Every form that a word may have with a tag."""
    if tag in COLUMN and word in irregular(pos):
        return irregular(pos)[word][COLUMN[tag]].split(" ")
    if tag in ("NNS", "VBZ"):
        return with_s(word)
    return with_suffix(word, SUFFIX[tag])


def with_s(word):
    if re.search(r"(s|x|z|ch|sh)$", word):
        return [word + "es"]
    if re.search(r"[^aeiou]y$", word):
        return [word[:-1] + "ies"]
    return [word + "s", word + "es"] if word.endswith("o") else [word + "s"]


def with_suffix(word, suffix):
    if suffix == "ing" and word.endswith("ie"):
        return [word[:-2] + "ying"]
    if suffix == "ing" and re.search(r"[^eoy]e$", word):
        return [word[:-1] + suffix]
    if suffix != "ing" and word.endswith("e"):
        return [word + suffix[1:]]
    if suffix != "ing" and re.search(r"[^aeiou]y$", word):
        return [word[:-1] + "i" + suffix]
    doubled = word + word[-1] + suffix
    if re.fullmatch(r"(qu|[^aeiou])*[aeiouy][^aeiouwxy]", word):
        return [doubled]
    # Of longer words the stress decides: permitted, but visited.
    return [word + suffix, doubled] if re.search(r"[aeiou][^aeiouwxy]$", word) else [word + suffix]


@cache
def irregular(pos):
    rows = (line.split("\t") for line in lines(TESTS / "lexicon/irregular.tsv"))
    return {word: found for kind, word, *found in rows if kind == pos}


@cache
def wordnet(pos):
    """The synsets of each word of a part of speech, and the rows of pairs chosen by hand."""
    found = defaultdict(set)
    for kind, word, others in (line.split("\t") for line in lines(GOOD_PAIRS)):
        for member in [word, *others.split(" ")] if kind == pos else ():
            found[member].add(word)
    for number, line in enumerate(lines(WORDNET / f"{pos}.tsv")):
        for member in line.split("\t")[1].split("|"):
            found[member.partition(":")[0].lower()].add(number)
    return dict(found)


def lines(path):
    """The rows of a table, without its header."""
    return path.read_text("utf-8").partition("\n\n")[2].splitlines()
