"""The kind of an edit, the words that it touches and its place, as bits; and their tally."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.records.tokens import Tokens
from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.values.arrays import parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.records.notation import ChangedTexts
    from perturb.values.arrays import Bool, Int32, Int64, Rows

KINDS = ("insertion", "deletion", "substitution", "transposition", "change of case", "white space")
CLASSES = (
    "number",
    "negation",
    "capitalised word",
    "function word",
    "other word",
    "punctuation or symbol",
    "space between words",
    "unknown",
)
PLACES = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth", "unknown")
TOUCHED = "content touched"
GROUPS = {"kind of edit": KINDS, TOUCHED: CLASSES, "place in the text": PLACES}
LABELS = (*KINDS, *CLASSES, *PLACES)

_CLASS_BIT, _PLACE_BIT = len(KINDS), len(KINDS) + len(CLASSES)
_UNKNOWN = 1 << _PLACE_BIT - 1 | 1 << len(LABELS) - 1
_NEGATIONS = frozenset(
    "no not never none nobody nothing neither nor nowhere without cannot".split()
)
# English words of closed classes; in other languages only capitals tell words apart.
_FUNCTION_WORDS = frozenset(
    """a about above after against all also although am among an and another any are around as at
    be because been before being below between both but by can could did do does doing down during
    each either every few for from had has have having he her here hers him his how i if in into is
    it its itself just less many may me might mine more most much must my of off on once one only
    or other our ours out over own per same shall she should since so some such than that the their
    theirs them then there these they this those though through to too under until up upon us very
    was we were what when where whether which while who whom whose why will with would yet you your
    yours""".split()
)


def kinds_of(originals: Sequence[str | None], changed: ChangedTexts) -> Int32:
    """Return the bits of all that the edits of each text are, in the order of LABELS.

    Args:
        originals: the texts; None where one is not known, and so what edits touch, and where.
        changed: the edits, of at most one text a row.

    Examples:
        >>> from perturb.records.notation import read_many
        >>> (bits,) = kinds_of(["two eggs"], read_many(["text|1:wo>ow"]))
        >>> [label for bit, label in enumerate(LABELS) if bits >> bit & 1]
        ['transposition', 'other word', 'first fifth']
    """
    found, start, rows = np.zeros(len(originals), np.int32), changed.starts, changed.of_rows
    if not rows.size:
        return found
    end = start + changed.old.lengths
    numbers: dict[str, int] = {}
    text = np.array([numbers.setdefault(one or "", len(numbers)) for one in originals])[rows]
    tokens = Tokens.of([*numbers])
    starts, begin, length = tokens.starts, tokens.begins[text], tokens.lengths[text]
    at = begin + np.minimum(start, length)
    first = starts.searchsorted(at, "right") - 1
    inserts = start == end
    # Text inserted at the end of a word belongs to the word.
    some = np.flatnonzero(inserts & (start > 0) & (starts[first] == at))
    first[some] -= _classes(tokens, first[some]) > 4
    last = starts.searchsorted(begin + np.minimum(end - 1, length), "right") - 1
    last[inserts] = first[inserts]
    counts = last - first + 1
    bits = 1 << _CLASS_BIT + _classes(tokens, tokens.runs(first, counts))
    bits = np.bitwise_or.reduceat(bits, np.cumsum(counts) - counts)
    bits |= 1 << _PLACE_BIT + np.minimum(start / (np.maximum(length, 1) / 5), 4).astype(np.int64)
    bits[np.array([one is None for one in originals])[rows]] = _UNKNOWN
    kinds = map(_kind, changed.old.to_list(), changed.new.to_list())
    bits |= 1 << np.fromiter(kinds, np.int64, rows.size)
    np.bitwise_or.at(found, rows, bits)
    return found


@lru_cache(maxsize=1 << 14)
def _kind(removed: str, text: str) -> int:
    if not (removed + text).strip():
        return 5
    if not removed or not text:
        return 1 if removed else 0
    if removed.casefold() == text.casefold():
        return 4
    return 3 if sorted(removed) == sorted(text) else 2


def _classes(tokens: Tokens, numbers: Int64) -> Int64:
    """Return the classes of some tokens."""
    return np.fromiter(map(_class, tokens.strings(numbers)), np.int64, numbers.size)


@lru_cache(maxsize=1 << 14)
def _class(token: str) -> int:
    first, lower = token[0], token.lower()
    if first.isdigit():
        return 0
    if first.isspace():
        return 6
    if not first.isalpha():
        return 5
    if lower in _NEGATIONS or lower.endswith(("n't", "n’t")):
        return 1
    if lower in _FUNCTION_WORDS:
        return 3
    return 2 if first.isupper() else 4


class Tally(NamedTuple):
    """The rows with an edit of one kind, and how many of them broke.

    Attributes:
        bit: its number among the kinds.
        label: its name.
        rows: changed rows with such an edit that had something to lose.
        broke: those of them that broke.
        explained: flips whose smallest set of edits has one of this kind.
        more: by how much more often they broke than other rows of the same condition, with the
            limits of its 95 % interval; None where no condition has both.
    """

    bit: int
    label: str
    rows: int
    broke: int
    explained: int
    more: tuple[float, float, float] | None

    @property
    def share(self) -> float:
        """The share of the rows that broke."""
        return self.broke / self.rows


def tally(
    kinds: Int32, explained: Int32, good: Bool, broke: Bool, condition: Rows, original: Int32
) -> dict[str, list[Tally]]:
    """Count, by group, the kinds of edits that rows have, the most harmful first.

    That is the kind which explains most flips where some are explained, else that which surely
    breaks most, by the low limit, in comparison with other rows of the same condition: a kind is
    not to blame for its noise.

    Args:
        kinds: for each row, its kinds as bits.
        explained: for each row, the kinds of the edits that explain its flip.
        good: for each row, whether it had something to lose.
        broke: for each row, whether it was lost; only where `good`.
        condition: the condition of each row.
        original: the original of each row.
    """
    groups: dict[str, list[Tally]] = {}
    pairs = [(group, label) for group, labels in GROUPS.items() for label in labels]
    kinds, broke = kinds[good], broke[good]
    condition, original = condition[good], original[good]
    for bit, (group, label) in enumerate(pairs):
        has = kinds & 1 << bit != 0
        if has.any():
            causes = int(np.count_nonzero(explained & 1 << bit))
            more = beside_others(has, broke, condition, original)
            count = Tally(bit, label, int(has.sum()), int((has & broke).sum()), causes, more)
            groups.setdefault(group, []).append(count)
    for group, tallies in groups.items():
        if group != "place in the text":
            tallies.sort(key=lambda one: (-one.explained, -one.more[1] if one.more else 1.0))
    return groups


def beside_others(
    has: Bool, broke: Bool, condition: Rows, original: Int32
) -> tuple[float, float, float] | None:
    """Return how much more often rows broke that have something than others of their condition.

    The differences of conditions are averaged with the weights of Mantel and Haenszel, which ask
    for both kinds of rows in a condition. The interval is by originals: to the squares of their
    influence that of one is added for either kind of rows, which alone would turn the share of its
    kind. Else of ten rows that all held it would be told that such rows never break.

    Returns:
        The difference and the limits of its 95 % interval; None where no condition has both.

    Source: Greenland and Robins (1985), Estimation of a common effect parameter from sparse
    follow-up data.
    """

    def kinds(part: slice) -> Int32:  # of rows that are alike
        kind: Int32 = (condition[part].astype(np.int32) * 2 + has[part]) * 2 + broke[part]
        return kind

    size = 4 * int(condition.max()) + 4
    alike = np.sum([np.bincount(kinds(part), minlength=size) for part in parts(has)], axis=0)
    alike = alike.reshape(-1, 2, 2)
    counts, broken = alike.sum(axis=2).T, alike[:, :, 1].T
    weights = counts.prod(axis=0) / np.maximum(counts.sum(axis=0), 1)
    if not weights.any():
        return None
    each = weights / weights.sum() / np.maximum(counts, 1)
    share = broken / np.maximum(counts, 1)
    signed = np.array([[-1], [1]]) * each
    influence = np.stack([signed * (turned - share) for turned in (0, 1)]).T.ravel()
    originals = int(original.max()) + 1
    sums, there = np.zeros(originals), np.zeros((originals, 2), np.bool_)
    for part in parts(has):
        inside = (weights > 0)[condition[part]]
        kind, own = kinds(part)[inside], original[part][inside]
        sums += np.bincount(own, influence[kind], originals)
        there[own, kind >> 1 & 1] = True
    count = int(np.count_nonzero(there.any(axis=1)))
    if count < 2:
        return None
    squares = float(sums @ sums + (1 / there.sum(axis=0) ** 2).sum())
    reach = student_t_quantile(0.975, count - 1) * math.sqrt(count / (count - 1) * squares)
    difference = float((weights * (share[1] - share[0])).sum() / weights.sum())
    return difference, max(difference - reach, -1.0), min(difference + reach, 1.0)
