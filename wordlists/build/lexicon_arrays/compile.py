"""Make the lexicon's arrays from its tables: `python -m lexicon_arrays.compile`.

The arrays are committed as `wordlists/english/lexicon.npz`, so that neither an installation nor a checkout
has to build anything; a test rebuilds them and compares.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexicon_arrays import WORDLISTS, pairs, read_rows
from lexicon_arrays.articles import article
from lexicon_arrays.forms import Exceptions, forms
from lexicon_arrays.wordnet import WordNet, read_wordnet
from perturb.lexicon.hashing import hash_strings
from perturb.lexicon.tags import BIT, COMMON, MULTIWORD, POS, RELATIONS, WIDTHS

Arrays = dict[str, NDArray[Any]]
Word = tuple[int, str]
_HEAVIEST = 0xFFFF


class Vocabulary(NamedTuple):
    """Words by part of speech ("entries"), their forms, and the surfaces that these are.

    Both are numbered in alphabetical order, single words first, which packs best.
    """

    entries: dict[Word, int]
    forms: list[list[str | None]]
    surfaces: dict[str, int]
    single: int


def compile_arrays() -> Arrays:
    """Read every table of the lexicon and return its arrays by name.

    Raises:
        FileNotFoundError: a table is missing.
        ValueError: a table is damaged, or two words have one hash.
    """
    facts = read_facts()
    exceptions = _exceptions()
    classes = {word: names.split() for word, names in read_rows("english", "stop_words.tsv")}
    related = {
        name: [row for row in getattr(pairs, name)(facts) if _usable(row, classes, facts.good)]
        for name in RELATIONS
    }
    targets = {row.target for rows in related.values() for row in rows}
    words = [word for word in sorted(facts.wordnet.senses) if " " not in word[1] or word in targets]
    vocabulary = _vocabulary(words, exceptions, classes)
    arrays = _surface_arrays(vocabulary, classes)
    arrays.update(_entry_arrays(vocabulary, facts.wordnet))
    arrays["collocations"] = _collocations(facts.wordnet, exceptions, vocabulary)
    for name, rows in related.items():
        arrays.update(_pair_arrays(name, rows, vocabulary))
    return arrays


def read_facts() -> pairs.Facts:
    """Read what decides which words may stand for which.

    Raises:
        FileNotFoundError: a table is missing.
        ValueError: a table is damaged.
    """
    wordnet = read_wordnet()
    return pairs.Facts(
        wordnet,
        {word: int(size) for word, size in read_rows("english", "word_sizes.tsv")},
        pairs.offensive(wordnet) | {word for (word,) in read_rows("english", "taboo.tsv")},
        _listed("poor_pairs.tsv"),
        _listed("good_pairs.tsv"),
        frozenset(
            (POS.index(pos), word)
            for pos, words in read_rows("english", "good_hypernyms.tsv")
            for word in words.split(" ")
        ),
        _plurals(wordnet, _exceptions()),
    )


def _exceptions() -> Exceptions:
    return {(word, tag): form for word, tag, form in read_rows("english", "inflections.tsv")}


def _listed(name: str) -> frozenset[tuple[Word, Word]]:
    rows = read_rows("english", name)
    return frozenset(
        ((POS.index(pos), source), (POS.index(pos), target.replace("_", " ")))
        for pos, source, targets in rows
        for target in targets.split(" ")
    )


def _plurals(wordnet: WordNet, exceptions: Exceptions) -> frozenset[str]:
    nouns = [name for pos, name in wordnet.senses if pos == 0]
    found = {name: forms(0, name, exceptions)[1] for name in nouns}
    return frozenset(plural for name, plural in found.items() if plural and plural != name)


def _usable(
    row: pairs.Pair, classes: dict[str, list[str]], good: frozenset[tuple[Word, Word]]
) -> bool:
    """Say whether a lookup finds the source, and the target is no function word, but by choice."""
    source, target = row.source[1], row.target[1]
    fit = target not in classes or row[:2] in good
    return " " not in source and source not in classes and fit


def _vocabulary(
    words: list[Word], exceptions: Exceptions, classes: dict[str, list[str]]
) -> Vocabulary:
    inflected = [forms(pos, name, exceptions) for pos, name in words]
    spellings = {form for row in inflected for form in row if form} | set(classes)
    ordered = sorted(spellings, key=lambda form: (" " in form, form))
    single = sum(" " not in form for form in ordered)
    return Vocabulary(
        {word: number for number, word in enumerate(words)},
        inflected,
        {form: number for number, form in enumerate(ordered)},
        single,
    )


def _surface_arrays(vocabulary: Vocabulary, classes: dict[str, list[str]]) -> Arrays:
    names = {word for (word,) in read_rows("english", "names.tsv")}
    facts = np.zeros(len(vocabulary.surfaces), np.uint32)
    for word, number in vocabulary.surfaces.items():
        bits = sum(BIT[name] for name in classes.get(word, ()))
        bits |= BIT["name"] * (word in names)
        facts[number] = bits | BIT["vowel"] * (article(word) == "an")
    words = list(vocabulary.surfaces)
    hashes = hash_strings(words[: vocabulary.single])
    order = np.argsort(hashes)
    if not np.diff(hashes[order]).all():
        raise ValueError("two words of the lexicon have one hash")
    return {
        "codes": np.frombuffer("".join(words).encode("ascii") + bytes(8), np.uint8),
        "lengths": np.array([len(word) for word in words], np.uint8),
        "hash_order": order.astype(np.int32),
        "facts": facts,
    }


def _entry_arrays(vocabulary: Vocabulary, wordnet: WordNet) -> Arrays:
    """Return the surfaces of the forms of each entry, and what each surface is the form of."""
    weights = [
        min(10 * wordnet.total(*word) + len(wordnet.senses[word]), _HEAVIEST)
        for word in vocabulary.entries
    ]
    numbers = [
        -1 if form is None else vocabulary.surfaces[form]
        for row in vocabulary.forms
        for form in row
    ]
    sizes = Counter(pos for pos, _ in vocabulary.entries)
    counts = np.array([sizes[pos] for pos in range(len(POS))], np.int32)
    forms_of = np.array(numbers, np.int32)
    return {
        "entry_counts": counts,
        "forms": forms_of,
        **_analyses(forms_of, np.array(weights, np.uint16), counts, len(vocabulary.surfaces)),
    }


def _analyses(
    forms: NDArray[Any], entry_weights: NDArray[Any], counts: NDArray[Any], surfaces: int
) -> Arrays:
    """Turn the forms of entries into the entry, tags and weight of surfaces."""
    first_entry = np.append(0, np.cumsum(counts))
    first_form = np.append(0, np.cumsum(counts * np.array(WIDTHS)))
    entry = np.full((surfaces, len(POS)), -1, np.int32)
    masks = np.zeros((surfaces, len(POS)), np.uint8)
    weights = np.zeros((surfaces, len(POS)), np.uint16)
    for pos, width in enumerate(WIDTHS):
        first, last = first_entry[pos : pos + 2]
        table = forms[first_form[pos] : first_form[pos + 1]].reshape(-1, width)
        weight = entry_weights[first:last]
        order = np.argsort(weight, kind="stable")
        # Written from light to heavy, so that the heaviest entry of a surface stays; the base form
        # last, so that of two entries of one weight the one spelled so stays.
        for column in range(width - 1, -1, -1):
            spelled = table[order, column]
            found = spelled >= 0
            spelled, numbers = spelled[found], order[found]
            heavier = weight[numbers] >= weights[spelled, pos]
            spelled, numbers = spelled[heavier], numbers[heavier]
            entry[spelled, pos] = numbers + first
            weights[spelled, pos] = weight[numbers]
        for column in range(width):
            spelled = table[:, column]
            owned = (spelled >= 0) & (entry[spelled, pos] == np.arange(first, last))
            masks[spelled[owned], pos] |= np.uint8(1 << column)
    return {"entry": entry, "masks": masks, "weights": weights}


def _collocations(
    wordnet: WordNet, exceptions: Exceptions, vocabulary: Vocabulary
) -> NDArray[np.uint64]:
    """Return every two surfaces that are one word of WordNet together, as one number."""
    found = set()
    for pos, name in wordnet.senses:
        if name.count(" ") != 1:
            continue
        for form in filter(None, forms(pos, name, exceptions)):
            first, second = (vocabulary.surfaces.get(word) for word in form.split(" "))
            if first is not None and second is not None:
                found.add(first << 32 | second)
    return np.array(sorted(found), np.uint64)


def _pair_arrays(name: str, rows: list[pairs.Pair], vocabulary: Vocabulary) -> Arrays:
    """Return the pairs of a relation in rows by source entry, with a mark for each."""
    counts = Counter(vocabulary.entries[row.source] for row in rows)
    marks = [COMMON * row.common | MULTIWORD * (" " in row.target[1]) for row in rows]
    return {
        f"{name}_lengths": np.array([counts[n] for n in range(len(vocabulary.forms))], np.uint16),
        f"{name}_targets": np.array([vocabulary.entries[row.target] for row in rows], np.int32),
        f"{name}_marks": np.array(marks, np.uint8),
    }


def main() -> None:
    """Write the arrays beside the tables."""
    np.savez(
        WORDLISTS / "english" / "lexicon.npz",
        allow_pickle=False,
        **compile_arrays(),
    )


if __name__ == "__main__":
    main()
