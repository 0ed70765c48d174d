"""Reading the synset lines of WordNet."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from lexicon_arrays import read_rows
from perturb.lexicon.tags import POS

# What the lexicon keeps of WordNet: lower-case words without digits or dots.
_NAME = re.compile(r"[a-z][a-z' -]*[a-z]")
_LONGEST = 40


class Synset(NamedTuple):
    """One meaning: the words that share it, with how often SemCor has each in it."""

    pos: int
    members: dict[str, int]
    antonyms: list[tuple[str, str, str]]
    hypernyms: list[str]
    offensive: bool


class WordNet(NamedTuple):
    """The synsets by identifier, and by word and part of speech."""

    synsets: dict[str, Synset]
    senses: dict[tuple[int, str], list[str]]

    def total(self, pos: int, name: str) -> int:
        """Return how often SemCor has a word in any of its senses."""
        return sum(self.synsets[key].members[name] for key in self.senses[pos, name])


def read_wordnet() -> WordNet:
    """Read the four tables of WordNet.

    Raises:
        FileNotFoundError: a table is missing.
        ValueError: a table is damaged.
    """
    synsets: dict[str, Synset] = {}
    senses: dict[tuple[int, str], list[str]] = defaultdict(list)
    for pos, name in enumerate(POS):
        for row in read_rows("wordnet", f"{name}.tsv"):
            # Offsets repeat between parts of speech.
            key = f"{pos}{row[0]}"
            synsets[key] = _synset(pos, row)
            for member in synsets[key].members:
                senses[pos, member].append(key)
    return WordNet(synsets, dict(senses))


def _synset(pos: int, row: list[str]) -> Synset:
    _, members, antonyms, hypernyms, mark = row
    counted = (member.partition(":") for member in members.split("|"))
    pairs = (re.split("[>@]", pair) for pair in antonyms.split("|") if pair)
    return Synset(
        pos,
        {name: int(count or 0) for name, _, count in counted if _kept(name)},
        [(own, other, f"{pos}{key}") for own, other, key in pairs if _kept(own) and _kept(other)],
        [f"{pos}{key}" for key in hypernyms.split("|") if key],
        bool(mark),
    )


def _kept(name: str) -> bool:
    return len(name) <= _LONGEST and bool(_NAME.fullmatch(name))
