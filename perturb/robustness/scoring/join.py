"""The join: every perturbed row beside the clean row of its original."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.rng import key64
from perturb.robustness.metrics.looks import Look
from perturb.robustness.scoring.columns import CHANGED, CLEAN, INFERRED, Columns
from perturb.robustness.scoring.conditions import KEPT, Condition, labels, link, order
from perturb.values.arrays import Bool, Float64, Int32, Intp, NDArray, UInt8, UInt16, UInt64

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from perturb.robustness.scoring.sources import RowSource

    Place = Callable[[int], tuple[str, str]]


# The same of a row whoever answers it.
_OF_ROWS = "original", "condition", "conditions", "labels"
_UNJUDGED = {
    "unknown": "what becomes of the right answer is not known: say it where it is perturbed, with "
    "--expect LABEL=same, mapped or other",
    "other": "the right answer should be another one",
}


class Pairs(NamedTuple):
    """One entry a perturbed row; `original` counts the originals from 0.

    `clean`, `baseline` and `perturbed` have one column a measure; `baseline` is the mean of the
    clean row and of the controls that ask it again, `asked` of how many (of a control, of one).
    `reason` is an index into `reasons`, why the text was not changed. `place` is the row's position
    in the columns, `clean_place` that of its clean row, `version` the key of its seeds and
    replicate, `key` its key for draws; `labels` names the conditions. `look` is
    that at which asking stopped.
    `human` has two columns, what a person gives the clean row and the perturbed one; NaN for none.
    """

    original: Int32
    condition: Int32
    reason: UInt16
    clean: Float64
    baseline: Float64
    asked: UInt16
    perturbed: Float64
    clean_answer: UInt64
    answer: UInt64
    state: UInt8
    clean_state: UInt8
    damage: UInt8
    edits: UInt16
    bisected: UInt8
    version: UInt64
    key: UInt64
    place: Int32
    clean_place: Int32
    conditions: list[Condition]
    labels: list[str]
    reasons: list[str]
    human: Float64 | None = None
    look: Look = Look()

    @property
    def changed(self) -> Bool:
        """Whether the text of each was changed."""
        return np.asarray(self.reason == CHANGED)

    @property
    def counted(self) -> Bool:
        """Whether each is of a condition that is judged: it perturbs, and keeps the answer."""
        judged = [not each.control and each.expect == KEPT for each in self.conditions]
        perturbs = np.array(judged, bool)
        some = np.bincount(self.condition[self.changed], minlength=perturbs.size) > 0
        return np.asarray((perturbs & some)[self.condition])

    @property
    def named(self) -> list[Condition]:
        """The conditions, each called by its label."""
        pairs = zip(self.conditions, self.labels, strict=True)
        return [condition._replace(perturbator=label) for condition, label in pairs]

    def groups(self, rows: Intp) -> list[tuple[Condition, Intp]]:
        """Return each condition that some rows are of, called by its label, with its rows."""
        condition, named = self.condition[rows], self.named
        places = sorted(range(len(named)), key=lambda at: order(self.conditions[at]))
        groups = [(named[at], rows[condition == at]) for at in places]
        return [(one, members) for one, members in groups if members.size]

    def take(self, rows: Intp) -> Pairs:
        """Return these rows alone."""
        if np.array_equal(rows, np.arange(self.key.size)):
            return self
        columns = Pairs._fields[: Pairs._fields.index("conditions")]
        human = None if self.human is None else self.human[rows]
        return self._replace(human=human, **{name: getattr(self, name)[rows] for name in columns})

    def unjudged(self, rows: Intp) -> str:
        """Return why the answers to rows are neither right nor wrong; "" where they are."""
        words = {self.conditions[at].expect for at in np.unique(self.condition[rows]).tolist()}
        return next((why for word, why in _UNJUDGED.items() if word in words), "")


def join(columns: Columns, sources: Sequence[RowSource], *, inferred: bool = False) -> Pairs:
    """Pair every perturbed row with the clean row of its original.

    Where an original has several clean rows, answered with several seeds, it is the one of the same
    seed.

    Args:
        columns: the rows.
        sources: those they were read from, to name them.
        inferred: whether answers may be inferred by bisection, which only a tolerance corrects.

    Raises:
        DataError: there is no perturbed row; a perturbed row has no clean one, or a clean row no
            perturbed one; or two rows are the same (same original, condition, seeds and replicate).
            The rows are named.
    """
    is_clean = columns.condition == CLEAN
    clean, perturbed = np.flatnonzero(is_clean), np.flatnonzero(~is_clean)
    if not perturbed.size:
        raise DataError(
            "no row is perturbed: none has a perturbation record with another status than "
            "original; keep that field through scoring"
        )
    if not inferred and (columns.bisected == INFERRED).any():
        at = int(np.argmax(columns.bisected == INFERRED))
        raise DataError(
            f"{_place(columns, sources, at)[0]}: its answer was inferred by perturb run --bisect, "
            "not asked for; perturb tolerance judges such a file, and asking without --bisect "
            "makes one for every command"
        )
    names = _names(columns, clean)
    clean = clean[np.argsort(names[clean], kind="stable")]
    place = partial(_place, columns, sources)
    _refuse_twins(place, clean, [names], "are both the clean row")
    partner = _partners(names, clean, perturbed, place)
    instances = columns.instance, columns.condition, columns.original
    order = perturbed[np.lexsort([column[perturbed] for column in instances])]
    _refuse_twins(place, order, instances, "have the same steps, seed and replicate")
    originals = columns.original[perturbed]
    keys = np.array([key64(*map(str, each[:4])) for each in columns.conditions], np.uint64)
    baseline, asked = _baseline(columns, perturbed, partner)
    return Pairs(
        original=np.searchsorted(np.unique(originals), originals).astype(np.int32),
        condition=columns.condition[perturbed],
        reason=columns.reason[perturbed],
        clean=columns.scores[partner],
        baseline=baseline,
        asked=asked,
        perturbed=columns.scores[perturbed],
        clean_answer=columns.answer[partner],
        answer=columns.answer[perturbed],
        state=columns.state[perturbed],
        clean_state=columns.state[partner],
        damage=columns.damage[perturbed],
        edits=columns.edits[perturbed],
        bisected=columns.bisected[perturbed],
        version=columns.instance[perturbed],
        key=originals ^ columns.instance[perturbed] ^ keys[columns.condition[perturbed]],
        place=perturbed.astype(np.int32),
        clean_place=partner.astype(np.int32),
        conditions=columns.conditions,
        labels=labels(columns.conditions),
        reasons=columns.reasons,
        look=columns.look,
    )


def _baseline(columns: Columns, perturbed: Intp, partner: Intp) -> tuple[Float64, UInt16]:
    """Return what each perturbed row is compared with, and of how many answers it is the mean."""
    clean = columns.scores[partner]
    asks_again = np.array([condition.control for condition in columns.conditions], bool)
    control = asks_again[columns.condition[perturbed]]
    if not control.any():
        return clean, np.broadcast_to(np.uint16(1), partner.shape)
    count = 1 + np.bincount(partner[control], minlength=columns.condition.size)
    sums = columns.scores.copy()
    np.add.at(sums, partner[control], columns.scores[perturbed[control]])
    baseline = (sums / count[:, None])[partner]
    baseline[control] = clean[control]
    return baseline, np.where(control, 1, count[partner]).astype(np.uint16)


def shared_rows(*sides: Pairs) -> list[Intp]:
    """Return the places of the perturbed rows that all systems have, in each, in one order.

    Raises:
        DataError: there is none.
    """
    first, *others = (pairs.key for pairs in sides)
    if all(np.array_equal(first, key) for key in others):
        return [np.arange(first.size) for _ in sides]
    shared = reduce(np.intersect1d, others, first)
    if not shared.size:
        which = "two share no perturbed row: perturb once, and ask both systems"
        every = "systems share no perturbed row: perturb once, and ask all of them"
        raise DataError(f"the {which if len(sides) == 2 else every}")
    orders = [np.argsort(pairs.key, kind="stable") for pairs in sides]
    return [
        order[np.searchsorted(pairs.key, shared, sorter=order)]
        for pairs, order in zip(sides, orders, strict=True)
    ]


def aligned(sides: Mapping[str, Pairs]) -> tuple[list[Pairs], list[str]]:
    """Return the rows that all systems share, in one order, and how many others have, as hints.

    Originals and conditions of all are numbered and called as those of the first.

    Raises:
        DataError: they share none.
    """
    shared = shared_rows(*sides.values())
    hints = []
    for (name, pairs), rows in zip(sides.items(), shared, strict=True):
        if alone := pairs.key.size - rows.size:
            count = f"{alone:,} perturbed {'row' if alone == 1 else 'rows'}"
            which = f"that {name} alone has" if len(sides) == 2 else f"of {name} that not all have"
            hints.append(f"Left out: {count} {which}.")
    first, *others = (pairs.take(at) for pairs, at in zip(sides.values(), shared, strict=True))
    names = {name: getattr(first, name) for name in _OF_ROWS}
    return [first, *(pairs._replace(**names) for pairs in others)], hints


def _names(columns: Columns, clean: Intp) -> UInt64:
    """Return the key that a row shares with its partner: its original, or one sample of that."""
    originals, counts = np.unique(columns.original[clean], return_counts=True)
    several = np.isin(columns.original, originals[counts > 1])
    return np.where(several, columns.sample, columns.original)


def _partners(names: UInt64, clean: Intp, perturbed: Intp, place: Place) -> Intp:
    """Return the clean row of each perturbed one, of clean rows in the order of their names."""
    ids, partners = names[clean], names[perturbed]
    at = np.searchsorted(ids, partners)
    matched = ids[np.minimum(at, ids.size - 1)] == partners if ids.size else np.zeros(at.size, bool)
    what_to_do = (
        "perturb with --with-original, which writes the originals too, or give their scores "
        "with --clean FILE (clean= in Python)"
    )
    _refuse_lonely(place, perturbed[~matched], "perturbed", "clean", what_to_do)
    alone = clean[~np.isin(ids, partners)]
    _refuse_lonely(place, alone, "clean", "perturbed", "score both, or leave both out")
    return clean[at]


def _place(columns: Columns, sources: Sequence[RowSource], row: int) -> tuple[str, str]:
    """Return where a row stands, and the id of its original; it is read again."""
    source, number = sources[columns.source[row]], int(columns.number[row])
    return source.at(number), link(source.row(number)).original_id


def _refuse_twins(place: Place, rows: Intp, keys: Sequence[NDArray[Any]], what: str) -> None:
    """Raise if two neighbours have the same keys."""
    same = np.stack([key[rows][1:] == key[rows][:-1] for key in keys]).all(axis=0)
    twins = np.flatnonzero(same)
    if twins.size:
        first, original = place(rows[twins[0]])
        second, _ = place(rows[twins[0] + 1])
        more = _and_more(twins.size)
        raise DataError(f"{first} and {second} {what} of original {original!r}{more}: keep one")


def _refuse_lonely(place: Place, rows: Intp, kind: str, other: str, what_to_do: str) -> None:
    """Raise if any row is without its partner."""
    if rows.size:
        first, original = place(rows[0])
        raise DataError(
            f"{first}: the {kind} row of original {original!r} has no {other} row"
            f"{_and_more(rows.size)}: {what_to_do}"
        )


def _and_more(count: int) -> str:
    return f" (and {count - 1} more such)" if count > 1 else ""
