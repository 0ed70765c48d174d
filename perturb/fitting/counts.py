"""Count edits in their context, and how they cluster, in the form of a file of noise."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from perturb.engine.batch import Batch
from perturb.fitting.pairs import Aligned, Change, words_of
from perturb.lexicon.hashing import hash_strings
from perturb.perturbators.machines._misheard import chances, misheard
from perturb.perturbators.shared.edit_tables import STRETCH
from perturb.perturbators.shared.noise import (
    BORDER,
    FORMAT,
    LONGEST_WORD,
    MOST_CHARACTERS,
    MOST_EDITS,
)
from perturb.resources import read_json
from perturb.values.arrays import Float64

# A string from fewer texts may identify one of them, so it is left out. Five is a usual smallest
# cell in published counts; a lower number can give private strings away, a higher one needs more
# pairs.
FEWEST_TEXTS = 5
# The tables that ship: they make the errors that pairs are too few for.
TABLES = "tesseract", "ppocr", "ppocr_v4", "typing"
# A cap on both spreads, chosen by hand on 23 November 2026: a few bad texts in a small sample can
# push the estimate far above it, and noise made with it would then fall on those few alone.
_WIDEST = 4.0
_SPACE = " "
# What a table that ships says of an edit that it lacks: less than of any that it has.
_UNKNOWN = 1e-9
# Rounds of expectation and maximisation, after which a share moves by less than 0.001.
_ROUNDS = 50
Pattern = tuple[str, str, str, str]
Shown = TypeVar("Shown", bound=Hashable)


def counted(
    pairs: Aligned, least: int = FEWEST_TEXTS, tables: Collection[str] = ()
) -> dict[str, Any]:
    """Return the content of a file of noise.

    An edit that enough texts show with both neighbouring characters is counted with both, else with
    one of them, else alone. Other edits are left out, and a table that ships makes the share of all
    edits that it knows better than the counts do. So every string in the content comes from so many
    clean texts, was written in as many, or ships, whatever a few texts hold and however often;
    equal texts count once.

    Args:
        pairs: aligned pairs.
        least: the number of clean texts that must show an edit; at its place, at least two must.
        tables: the names of tables that ship; of several, the one nearest to the pairs counts.
    """
    changes = [change for change in pairs.changes if not change.is_word]
    shapes, kept = _patterns(pairs.clean, changes, least)
    own, words = Counter(filter(None, kept)), _whole_words(pairs, least)
    windows, known = _windows(pairs.clean), max(own.total(), 1)
    rates = {p: n / _times(windows, p) for p, n in own.items()}
    # For the counts an edit is as likely as the others make it.
    by_pairs = np.array([
        sum(rates.get(p, 0) - (p == at) / _times(windows, p) for p in patterns) / known
        for patterns, at in zip(shapes, kept, strict=True)
    ])  # fmt: skip
    mixtures = (_mixed(shapes, by_pairs, windows, name) for name in tables if changes)
    _, share, like, table = max(mixtures, default=(0.0, 0.0, None, {}))
    if share * len(changes) < 1:
        share, like, table = 0.0, None, {}
    scale = (1 - share) * len(changes) / known if like else 1.0
    both = {
        p: scale * rates.get(p, 0) + share * len(changes) * table.get(p, 0)
        for p in rates.keys() | table.keys()
    }
    of_word = Counter(word for text in pairs.clean for word in _words(text))
    content = _content(pairs, own.total() + words.total(), like, share)
    return content | {
        "edits": [[*pattern, _rounded(rate)] for pattern, rate in _with_few_characters(both)],
        "words": [
            [removed, written, _rounded(count / max(of_word[removed], count))]
            for (removed, written), count in sorted(words.items())
        ],
    }


def counted_words(
    pairs: Aligned, least: int = FEWEST_TEXTS, tables: Collection[str] = ()
) -> dict[str, Any]:
    """Return the content of a file of noise of words.

    A table that ships makes the errors that fewer texts show, or one alone: errors that no pair
    shows are as frequent as those that one text shows (I. J. Good, Biometrika 40, 1953).

    Args:
        pairs: pairs aligned by words.
        least: the number of clean texts that must show an error.
        tables: the names of tables that ship; of several, the one nearest to the pairs counts, and
            none if most of the words that were written are unknown, as those of typos are.
    """
    said = [*words_of(pairs.clean)]
    sights = [
        (_replaced(change, said[change.text]), pairs.clean[change.text]) for change in pairs.changes
    ]
    own, sure = (_shown(sights, fewest) for fewest in (least, max(least, 2)))
    total = len(pairs.changes)
    share = 1 - sure.total() / max(total, 1)
    like = _spoken(pairs) if len(tables) > 1 else next(iter(tables), None)
    of_word = Counter(word for words in said for _, word in words)
    content = _content(pairs, own.total(), like, share if like else 0)
    scale = (sure.total() if like else total) / max(own.total(), 1)
    rows = {
        (form(word), form(heard)): _rounded(scale * count / of_word[word])
        for (word, heard), count in own.most_common(MOST_EDITS // 2)
        for form in (str, _with_capital)
        if max(len(word), len(heard)) <= LONGEST_WORD
    }
    kept = [[*pair, rate] for pair, rate in sorted(rows.items()) if rate]
    content |= {"unit": "word", "edits": [], "words": kept}
    if like:
        batch = Batch.of(pairs.clean)
        table = misheard(like)
        factors, _, _ = chances(batch, np.arange(len(batch.words)), table)
        # A word that becomes two is two errors.
        wrong = share * total / (1 + table.counts["added"])
        content["factor"] = _rounded(wrong / max(factors.sum(), 1))
    return content


def _spoken(pairs: Aligned) -> str | None:
    """Return the table of the recogniser that wrote such words and full stops, None for no one."""
    hashes = hash_strings([change.written for change in pairs.changes if change.written])
    table = misheard("asr")
    known = {row for some in (table.keys, table.grammar) for row in some.find(hashes)[0].tolist()}
    ends = sum(text.rstrip()[-1:] in {*".?!"} for text in pairs.noisy)
    speaks = 2 * len(known) > len(hashes)
    return ("whisper" if 2 * ends > len(pairs.noisy) else "asr") if speaks else None


def _replaced(change: Change, words: Sequence[tuple[int, str]]) -> tuple[str, str]:
    """Return an error as the replacement of a word; an added word replaces the one beside it."""
    if change.removed:
        return change.removed, change.written
    at = bisect_left(words, (change.start,))
    beside = words[min(at, len(words) - 1)][1]
    both = (change.written, beside) if at < len(words) else (beside, change.written)
    return beside, " ".join(both)


def _with_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rounded(rate: float) -> float:
    return float(f"{min(rate, 1.0):.3g}")


def _content(pairs: Aligned, shown: int, like: str | None, share: float) -> dict[str, Any]:
    """Return what a file of noise says of its pairs."""
    return {
        "format": FORMAT,
        "pairs": len(pairs.clean),
        "rate": round(len(pairs.changes) / max(sum(map(len, pairs.clean)), 1), 6),
        "spread": round(_spread(pairs), 2),
        "bursts": round(_bursts(pairs), 2),
        "shown": round(shown / max(len(pairs.changes) + pairs.unread, 1), 3),
        "like": like,
        "share": round(share, 3),
    }


def _mixed(
    shapes: Sequence[Sequence[Pattern]], by_pairs: Float64, windows: Counter[str], name: str
) -> tuple[float, float, str, dict[Pattern, float]]:
    """Return the mixture of counts and a table in which the edits of pairs are likeliest.

    An edit that was seen once speaks for the table, if that knows it (deleted interpolation: F.
    Jelinek and R. Mercer, 1980).

    Args:
        shapes: the edits, each with less and less context.
        by_pairs: how likely the counts of the other edits make each.
        windows: how often each string occurs.
        name: the table.

    Returns:
        The mean logarithm of the likelihood, the share of the table, its name, and its rates, by
        which it makes one edit in the texts.
    """
    rows = {(*row[:4],): row[4] for row in read_json("noise", f"{name}.json")["edits"]}
    total = sum(rate * _times(windows, pattern) for pattern, rate in rows.items())
    table = {pattern: rate / total for pattern, rate in rows.items()}
    by_table = np.array([sum(table.get(p, 0) for p in some) for some in shapes]) + _UNKNOWN
    share = 0.5
    for _ in range(_ROUNDS):
        likely = share * by_table + (1 - share) * by_pairs
        share = float((share * by_table / likely).mean())
    return float(np.log(likely).mean()), share, name, table


def _times(windows: Counter[str], pattern: Pattern) -> int:
    """Return how often the place of an edit occurs."""
    return max(windows["".join(pattern[:3])], 1)


def _patterns(
    clean: Sequence[str], changes: Iterable[Change], least: int
) -> tuple[list[list[Pattern]], list[Pattern | None]]:
    """Return each edit with less and less context, and the widest that enough texts show."""
    shapes = [
        [*filter(_is_plain, (_pattern(clean[change.text], change, *s) for s in _sides(change)))]
        for change in changes
    ]
    texts: defaultdict[Pattern, set[str]] = defaultdict(set)
    for change, patterns in zip(changes, shapes, strict=True):
        for pattern in patterns:
            texts[pattern].add(clean[change.text])
    shown = {
        p for p, some in texts.items() if len(some) >= (max(least, 2) if p[0] or p[2] else least)
    }
    kept = [next((p for p in some if p in shown), None) for some in shapes]
    return shapes, kept


def _is_plain(pattern: Pattern) -> bool:
    """Return whether an edit has no control characters but borders, as a file of noise."""
    left, removed, right, written = pattern
    sides = (left + right).replace(BORDER, "")
    return not any(c < " " for c in sides + removed + written)


def _whole_words(pairs: Aligned, least: int) -> Counter[tuple[str, str]]:
    """Return the words that enough texts show, each with its replacement."""
    changes = [change for change in pairs.changes if change.is_word]
    return _shown((((c.removed, c.written), pairs.clean[c.text]) for c in changes), least)


def _sides(change: Change) -> list[tuple[bool, bool]]:
    """Return the sides of an edit that its context may include, the widest first."""
    most = [(True, True), (True, False), (False, True), (False, False)]
    return {0: most, 1: most, 2: [most[1], most[3]], 3: most[3:]}[len(change.removed)]


def _pattern(clean: str, change: Change, left: bool, right: bool) -> Pattern:
    """Return an edit with the characters beside it.

    An insertion at the border of a text has a line break there: it may be dirt at the edge of a
    page, or a slip after the last character. A deletion there is as likely at any space.
    """
    border = _SPACE if change.removed else BORDER
    padded = f"{border}{clean}{border}"
    start, end = change.start + 1, change.start + 1 + len(change.removed)
    return padded[start - left : start], change.removed, padded[end : end + right], change.written


def _shown(sights: Iterable[tuple[Shown, str]], fewest: int) -> Counter[Shown]:
    """Count the items that enough texts show.

    Args:
        sights: an item and a text that shows it, once for each time.
        fewest: the number of texts that must show an item.
    """
    counts: Counter[Shown] = Counter()
    texts: defaultdict[Shown, set[str]] = defaultdict(set)
    for sight, text in sights:
        counts[sight] += 1
        texts[sight].add(text)
    return Counter({s: n for s, n in counts.items() if len(texts[s]) >= fewest})


def _windows(texts: Iterable[str]) -> Counter[str]:
    """Count the strings of up to three characters in texts framed by spaces, and all places as "".

    Strings at the borders also count in a frame of line breaks.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        padded, framed = f"{_SPACE}{text}{_SPACE}", f"{BORDER}{text}{BORDER}"
        counts[""] += len(text)
        for size in (1, 2, 3):
            counts.update(padded[at : at + size] for at in range(len(padded) - size + 1))
            counts.update((framed[:size], framed[-size:]))
    return counts


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else _SPACE for c in text).split()


def _with_few_characters(edits: Mapping[Pattern, float]) -> list[tuple[Pattern, float]]:
    """Return the edits of the most edited characters, in order."""
    weights: defaultdict[str, float] = defaultdict(float)
    for pattern, rate in edits.items():
        for character in {*"".join(pattern[:3])}:
            weights[character] += rate
    kept = {*sorted(weights, key=lambda c: (-weights[c], c))[:MOST_CHARACTERS]}
    rows = [(p, rate) for p, rate in edits.items() if rate > 0 and kept >= {*"".join(p[:3])}]
    return sorted(sorted(rows, key=lambda row: (-row[1], row[0]))[:MOST_EDITS])


def _spread(pairs: Aligned) -> float:
    """Return the standard deviation of the rates of texts, in units of their mean."""
    counts = Counter(change.text for change in pairs.changes)
    sizes = [len(text) for text in pairs.clean]
    mean = len(pairs.changes) / max(sum(sizes), 1)
    expected = sum((mean * size) ** 2 for size in sizes)
    moment = sum(count**2 for count in counts.values()) / expected if expected else 1.0
    return min(math.sqrt(max(moment - 1, 0)), _WIDEST)


def _bursts(pairs: Aligned) -> float:
    """Return the standard deviation of the rates of stretches of a text, in units of its own."""
    counts = Counter(change.text for change in pairs.changes)
    near = Counter((change.text, change.start // STRETCH) for change in pairs.changes)
    together = sum(n * (n - 1) for n in near.values())
    alone = sum(
        n * (n - 1) / max(len(pairs.clean[text]) / STRETCH, 1) for text, n in counts.items()
    )
    return min(math.sqrt(max(together / alone - 1, 0)) if alone else 0.0, _WIDEST)
