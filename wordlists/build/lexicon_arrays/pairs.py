"""Which words may stand for which, by synonymy, antonymy and hypernymy, and which read well."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lexicon_arrays.wordnet import WordNet

Word = tuple[int, str]
_NOUN, _ADJECTIVE, _ADVERB = 0, 2, 3

# Least product of how surely the source and the target have the sense that they share. Set by
# reading replacements in running text, as were the lists of poor and of good pairs.
_SURE = 0.45
# Least share of a word's uses in the sense of a pair, for the profile `all`.
_NOT_RARE = 0.1
_RARER = 12
_FAMILIAR = 35
# A word whose harmless senses are counted this often may be written in spite of another sense.
_HARMLESS = 5


class Pair(NamedTuple):
    """A word, what may replace it, and whether that reads well (profile `common`)."""

    source: Word
    target: Word
    common: bool


class Facts(NamedTuple):
    """What the filters ask of the tables.

    Attributes:
        wordnet: the synsets.
        sizes: SCOWL size class of common words.
        barred: words that nothing may be replaced with.
        poor: pairs that read badly.
        good: synonyms and antonyms that read well, whatever the counts say.
        general: the only words that are written as hypernyms in the profile `common`.
        plurals: nouns that are spelled as the plural of another, such as "woods".
    """

    wordnet: WordNet
    sizes: dict[str, int]
    barred: frozenset[str]
    poor: frozenset[tuple[Word, Word]]
    good: frozenset[tuple[Word, Word]]
    general: frozenset[Word]
    plurals: frozenset[str]


def synonyms(facts: Facts) -> list[Pair]:
    """Return every two words of one synset, and those chosen by hand; the best target first."""
    shared: dict[tuple[Word, Word], Counter[str]] = defaultdict(Counter)
    for synset in facts.wordnet.synsets.values():
        for own, own_count in synset.members.items():
            for other, other_count in synset.members.items():
                if own != other:
                    counts = shared[(synset.pos, own), (synset.pos, other)]
                    counts["own"] += own_count
                    counts["other"] += other_count
    shared.update(
        (pair, Counter()) for pair in facts.good - shared.keys() - _opposites(facts).keys()
    )
    return _ranked(shared, facts, facts.good)


def antonyms(facts: Facts) -> list[Pair]:
    """Return every two words that WordNet calls opposites in some sense of theirs."""
    return _ranked(_opposites(facts), facts, facts.good)


def _opposites(facts: Facts) -> dict[tuple[Word, Word], Counter[str]]:
    shared: dict[tuple[Word, Word], Counter[str]] = defaultdict(Counter)
    for synset in facts.wordnet.synsets.values():
        for own, other, key in synset.antonyms:
            counts = shared[(synset.pos, own), (synset.pos, other)]
            counts["own"] += synset.members[own]
            counts["other"] += facts.wordnet.synsets[key].members[other]
    return shared


def hypernyms(facts: Facts) -> list[Pair]:
    """Return for every word the words of the synsets directly above its own."""
    shared: dict[tuple[Word, Word], Counter[str]] = defaultdict(Counter)
    for synset in facts.wordnet.synsets.values():
        for key in synset.hypernyms:
            above = facts.wordnet.synsets.get(key)
            for own, own_count in synset.members.items():
                for other, other_count in (above.members if above else {}).items():
                    if own != other:
                        counts = shared[(synset.pos, own), (synset.pos, other)]
                        counts["own"] += own_count
                        counts["other"] += other_count
    return [
        row._replace(common=row.common and row.target in facts.general)
        for row in _ranked(shared, facts)
    ]


def offensive(wordnet: WordNet) -> frozenset[str]:
    """Return the words that WordNet marks as insults, except those mostly used otherwise."""
    marked = {n for s in wordnet.synsets.values() if s.offensive for n in s.members}
    harmless: Counter[str] = Counter()
    for synset in wordnet.synsets.values():
        if not synset.offensive:
            harmless.update({n: c for n, c in synset.members.items() if n in marked})
    return frozenset(name for name in marked if harmless[name] < _HARMLESS)


def _ranked(
    shared: dict[tuple[Word, Word], Counter[str]],
    facts: Facts,
    good: frozenset[tuple[Word, Word]] = frozenset(),
) -> list[Pair]:
    rows = []
    for (source, target), counts in shared.items():
        chosen = (source, target) in good
        rare = not chosen and _rare(source, target, counts, facts.wordnet)
        if target[1] not in facts.barred and not rare:
            common = chosen or _reads_well(source, target, counts, facts)
            rows.append((source, not common, -counts["other"], target, common))
    return [Pair(source, target, common) for source, _, _, target, common in sorted(rows)]


def _rare(source: Word, target: Word, counts: Counter[str], wordnet: WordNet) -> bool:
    """Say whether the sense that two words share is one that either is seldom used in."""
    shares = _share(source, counts["own"], wordnet), _share(target, counts["other"], wordnet)
    return min(shares) < _NOT_RARE


def _reads_well(source: Word, target: Word, counts: Counter[str], facts: Facts) -> bool:
    wordnet = facts.wordnet
    sure = _share(source, counts["own"], wordnet) * _share(target, counts["other"], wordnet)
    return (
        min(counts["own"], counts["other"]) > 0
        and sure >= _SURE
        and wordnet.total(*target) * _RARER >= wordnet.total(*source)
        and _familiar(target[1], facts.sizes)
        and len(source[1]) > 2
        and not (source[0] == _NOUN and {source[1], target[1]} & facts.plurals)
        and (source, target) not in facts.poor
        and not (source[1].endswith("ly") and source[0] == _ADVERB and _flat(target, wordnet))
    )


def _flat(adverb: Word, wordnet: WordNet) -> bool:
    """Say whether an adverb is spelled as its adjective, as in "go slow"."""
    return not adverb[1].endswith("ly") and (_ADJECTIVE, adverb[1]) in wordnet.senses


def _share(word: Word, count: int, wordnet: WordNet) -> float:
    """Return how likely a word has a sense counted so often, as if each had been seen once more."""
    return (count + 1) / (wordnet.total(*word) + len(wordnet.senses[word]))


def _familiar(name: str, sizes: dict[str, int]) -> bool:
    return all(sizes.get(part, 99) <= _FAMILIAR and len(part) > 2 for part in name.split(" "))
