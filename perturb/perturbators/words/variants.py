"""Other numbers in a word problem, with everything that is computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import FIRST_WRITE, Chosen, Sites
from perturb.engine.text.strings import Strings, column, decode
from perturb.lexicon.english import is_foreign
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.words._problems import Variant, problems, vary
from perturb.registry.definition import WHOLE
from perturb.rng import hash32_of_one


@place_perturbator(
    "number_variant",
    version=3,
    touches={"digits", "words", "meaning"},
    languages={"en"},
    consistent=True,
    expect="mapped",
    expect_alone="unknown",
    intensities=WHOLE,
    source="K. Cobbe et al., Training Verifiers to Solve Math Word Problems, 2021 (the chains "
    "<<16-3=13>> of GSM8K); I. Mirzadeh et al., GSM-Symbolic, 2024 (other numbers)",
    example="Ann has 16 eggs and eats three of them. How many are left?\n\n"
    "She has 16 - 3 = <<16-3=13>>13 eggs.\n#### 13",
)
def number_variant(batch: Batch) -> Sites:
    """Put other numbers into a word problem, and compute its solution again.

    Change the numbers of a question and its solution; `p` is a share of the groups of numbers.

    The numbers of a group are those that one computation ties together: mostly all of a problem.
    A solution has its computations in chains, `<<16-3=13>>` or 16-3=13, or is an expression on a
    line of its own, such as (16-3)*2, with its value on another. It follows the question in the
    text, or it is a `target`, which may be a number.

    A new number has as many digits as the old one and the same decimals, at least half and at most
    double its size, and keeps its place in the order of the others. A result stays whole, positive
    or of as few decimals where it was, and within a factor of four. Hours of a day, days
    of a week, ages and percentages stay possible. Numbers stay that may be facts (7 days, 12 in a
    dozen), parts of dates, times, fractions and names, or two things at once, with all that they
    are computed from. A problem is refused, and the note of the step says why, if a number of its
    solution comes from nowhere or a chain doesn't compute.

    Args:
        batch: the texts.
    """
    text, parts, group = decode(batch.codes), [], []
    variants: list[Variant] = []
    owners: list[int] = []
    refusals: dict[int, list[str]] = {}
    spans = zip(batch.texts.starts.tolist(), batch.texts.ends.tolist(), strict=True)
    for row, (start, end) in enumerate(spans):
        own = text[start:end]
        key = int(batch.keys[row])
        for first, last in problems(own):

            def draw(turn: int, number: int, key: int = key, first: int = first) -> int:
                return hash32_of_one(key, (first << 16) + (turn << 6) + number, FIRST_WRITE)

            found, refusal = vary(own[first:last], draw)
            if refusal:
                refusals.setdefault(row, []).append(refusal)
            for variant in found:
                parts += [
                    (start + first + a, start + first + b, new) for a, b, new in variant.places
                ]
                group += [len(variants)] * len(variant.places)
                variants.append(variant)
                owners.append(row)
    starts, ends = np.array([part[:2] for part in parts], np.intp).reshape(-1, 2).T
    sizes = np.bincount(np.array(group, np.intp))

    def written(chosen: Chosen) -> Strings:
        return column(parts[row][2] for row in chosen.rows.tolist())

    def note(chosen: Chosen) -> Mapping[int, Mapping[str, Any]]:
        notes: dict[int, dict[str, Any]] = {row: {"refused": why} for row, why in refusals.items()}
        for number in sorted({group[row] for row in chosen.rows.tolist()}):
            results = notes.setdefault(owners[number], {}).setdefault("numbers", [])
            results += [[_plain(old), _plain(new)] for old, new in variants[number].results]
        return notes

    sites = GroupedSites(starts, ends, sizes, "place", written, note)
    return sites.limited(refused=is_foreign(batch))


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)
