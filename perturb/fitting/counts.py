"""Count edits in their context, and how they cluster, in the form of a file of noise."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from perturb.fitting.pairs import Aligned, Change
from perturb.perturbators.shared.edit_tables import STRETCH
from perturb.perturbators.shared.noise import BORDER, FORMAT, MOST_CHARACTERS

# A string from fewer texts may identify one of them, so it is left out. Five is a usual smallest
# cell in published counts; a lower number can give private strings away, a higher one needs more
# pairs.
FEWEST_TEXTS = 5
# A cap on both spreads, chosen by hand on 23 November 2026: a few bad texts in a small sample can
# push the estimate far above it, and noise made with it would then fall on those few alone.
_WIDEST = 4.0
_SPACE = " "
Pattern = tuple[str, str, str, str]
Shown = TypeVar("Shown", bound=Hashable)


def counted(
    pairs: Aligned, fewest: int = FEWEST_TEXTS, beside: int = FEWEST_TEXTS
) -> dict[str, Any]:
    """Return the content of a file of noise.

    An edit that five texts show with both neighbouring characters is counted with both, else with
    one of them, else alone. A longer edit that fewer texts show is split into edits of one
    character, and those that fewer than five show are smoothed: their total is distributed over the
    characters that five texts show removed and those that five show written. So every string in the
    content comes from five clean texts, or was written in five, whatever a few texts hold and
    however often; equal texts count once.

    Args:
        pairs: aligned pairs.
        fewest: the number of clean texts that must show an edit of characters; public texts need
            fewer than five.
        beside: the same for an edit with its neighbouring characters.
    """
    changes = [change for change in pairs.changes if not change.is_word]
    patterns, rare = _patterns(pairs.clean, changes, fewest, beside)
    words = _whole_words(pairs)
    shown = sum(patterns.values()) + sum(words.values())
    alike = {change: relation for change in rare if (relation := _relation(pairs.clean, change))}
    parts = [part for change in rare if change not in alike for part in _parts(change)]
    of_parts, rest = _patterns(pairs.clean, parts, fewest, beside)
    smoothed = _smoothed(pairs.clean, rest, fewest)
    # An edit counts once, in however many parts.
    scale = (len(rare) - len(alike)) / max(len(parts), 1)
    sizes = {len(left) + len(removed) + len(right) for left, removed, right, _ in patterns}
    windows = _windows(pairs.clean, sizes | {1, 2, 3}, fewest)
    places = sum(map(len, pairs.clean))
    edits: defaultdict[Pattern, float] = defaultdict(float)
    counts = [(patterns.items(), 1.0), (of_parts.items(), scale), (smoothed, scale)]
    for some, weight in counts:
        for pattern, count in some:
            of_pattern = windows["".join(pattern[:3])] if any(pattern[:3]) else places
            edits[pattern] += weight * count / max(of_pattern, 1)
    relations = ((relation, pairs.clean[change.text]) for change, relation in alike.items())
    for relation, count in _shown(relations, fewest).items():
        alike_patterns = [*_alike(relation, windows)]
        total = sum(windows["".join(pattern[:3])] for pattern in alike_patterns)
        for pattern in alike_patterns:
            edits[pattern] += count / total
    of_word = Counter(word for text in pairs.clean for word in _words(text))
    rows = _with_few_characters(edits)
    return {
        "format": FORMAT,
        "pairs": len(pairs.clean),
        "rate": round(len(pairs.changes) / max(places, 1), 6),
        "spread": round(_spread(pairs), 2),
        "bursts": round(_bursts(pairs), 2),
        "shown": round(shown / max(len(pairs.changes) + pairs.unread, 1), 3),
        "edits": [[*pattern, float(f"{min(rate, 1.0):.3g}")] for pattern, rate in rows],
        "words": [
            [removed, written, float(f"{min(count / max(of_word[removed], count), 1):.3g}")]
            for (removed, written), count in sorted(words.items())
        ],
    }


def _patterns(
    clean: Sequence[str], changes: Iterable[Change], fewest: int, beside: int
) -> tuple[Counter[Pattern], list[Change]]:
    """Return the edits that enough texts show, with the widest such context; and the others."""
    shapes = [
        (change, [_pattern(clean[change.text], change, *sides) for sides in _sides(change)])
        for change in changes
    ]
    texts: defaultdict[Pattern, set[str]] = defaultdict(set)
    for change, patterns in shapes:
        for pattern in patterns:
            texts[pattern].add(clean[change.text])
    counts: Counter[Pattern] = Counter()
    rare = []
    for change, patterns in shapes:
        known = [pattern for pattern in patterns if len(texts[pattern]) >= beside]
        known += [pattern for pattern in patterns[-1:] if len(texts[pattern]) >= fewest]
        if known:
            counts[known[0]] += 1
        else:
            rare.append(change)
    return counts, rare


def _whole_words(pairs: Aligned) -> Counter[tuple[str, str]]:
    """Return the words that five texts show, each with its replacement.

    Fewer say nothing about a word, even if the texts are public.
    """
    changes = [change for change in pairs.changes if change.is_word]
    return _shown((((c.removed, c.written), pairs.clean[c.text]) for c in changes), FEWEST_TEXTS)


def _parts(change: Change) -> list[Change]:
    """Split an edit into edits of one character each, from the left."""
    text, start, removed, written, _ = change
    return [
        Change(text, start + min(at, len(removed)), removed[at : at + 1], written[at : at + 1])
        for at in range(max(len(removed), len(written)))
        if removed[at : at + 1] != written[at : at + 1]
    ]


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


def _relation(clean: Sequence[str], change: Change) -> str:
    """Return how the two sides of an edit of letters are related, "" if they are not."""
    _, removed, _, written = _pattern(clean[change.text], change, False, False)
    left, _, right, _ = _pattern(clean[change.text], change, True, True)
    if not (removed + written).isalpha():
        return ""
    if len(removed) == 2 and written == removed[::-1]:
        return "swapped"
    if len(removed + written) == 1 and removed + written in (left, right):
        return "single" if removed else "double"
    if len(removed) == 1 and removed != written and removed.lower() == written.lower():
        return "first case" if left == _SPACE else "case"
    return ""


def _alike(relation: str, windows: Counter[str]) -> Iterator[Pattern]:
    """Yield all edits of a relation between strings of the texts."""
    for window in windows:
        if not window.strip().isalpha():
            continue
        first, last, other = window[0], window[-1], _other_case(window[-1])
        if len(window) == 1:
            if relation == "double":
                yield window, "", "", window
            elif relation == "case" and other in windows:
                yield "", window, "", other
        elif len(window) == 2:
            is_pair = window.isalpha() and first != last
            if relation == "first case" and first == _SPACE and other in windows:
                yield first, last, "", other
            elif relation == "single" and first == last:
                yield first, last, "", ""
            elif relation == "swapped" and is_pair and window[::-1] in windows:
                yield "", window, "", window[::-1]


def _other_case(letter: str) -> str:
    """Return a letter in its other case, "" if it has none or if that takes several letters."""
    other = letter.swapcase()
    return other if len(other) == 1 and other != letter else ""


def _smoothed(
    clean: Sequence[str], rare: Iterable[Change], fewest: int
) -> Iterator[tuple[Pattern, float]]:
    """Yield rare edits of at most one character for one, by the counts of both sides.

    Letters replace letters, digits digits and punctuation punctuation; each can also be inserted.
    """
    kinds: defaultdict[tuple[str, str], list[Change]] = defaultdict(list)
    for change in rare:
        kinds[_class(change.removed), _class(change.written)].append(change)
    for changes in kinds.values():
        removed, written = (
            _shown(((getattr(change, side), clean[change.text]) for change in changes), fewest)
            for side in ("removed", "written")
        )
        both = {(a, b): m * n for a, m in removed.items() for b, n in written.items() if a != b}
        total = sum(both.values())
        for (a, b), share in both.items():
            yield ("", a, "", b), share / total * len(changes)


def _class(text: str) -> str:
    return "letter" if text.isalpha() else "digit" if text.isdigit() else text and "sign"


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


def _windows(texts: Iterable[str], sizes: set[int], fewest: int) -> Counter[str]:
    """Count strings of given lengths in texts framed by spaces, if enough texts show them.

    Strings at the borders also count in a frame of line breaks.
    """
    counts: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for text, times in Counter(texts).items():
        windows = [
            window
            for border in (_SPACE, BORDER)
            for padded in [f"{border}{text}{border}"]
            for size in sizes - {0}
            for at in range(len(padded) - size + 1)
            if BORDER in (window := padded[at : at + size]) or border == _SPACE
        ]
        counts.update(windows * times)
        shown.update({*windows})
    return Counter({s: n for s, n in counts.items() if shown[s] >= fewest})


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else _SPACE for c in text).split()


def _with_few_characters(edits: Mapping[Pattern, float]) -> list[tuple[Pattern, float]]:
    """Return the edits of the most edited characters, in order."""
    weights: defaultdict[str, float] = defaultdict(float)
    for pattern, rate in edits.items():
        for character in {*"".join(pattern[:3])}:
            weights[character] += rate
    kept = {*sorted(weights, key=lambda c: (-weights[c], c))[:MOST_CHARACTERS]}
    return sorted((p, rate) for p, rate in edits.items() if rate > 0 and kept >= {*"".join(p[:3])})


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
