"""Proofs: numbers of what rows say of their originals, by which these are compared."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from perturb.errors import PerturbError
from perturb.io import json_path
from perturb.plan.recipe_text import read_options
from perturb.records.ids import check_of
from perturb.records.notation import NAMES, Records
from perturb.rng import key64
from perturb.robustness.linking.conditions import KEPT, identity, link
from perturb.values.arrays import Int32, UInt32, UInt64

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.linking.sources import Row, RowSource


def a_record(sources: Sequence[RowSource]) -> Mapping[str, str] | None:
    """Return the first record of the last source that has one; None where no row has."""
    for source in sources[::-1]:
        for number, row in source.rows:
            with source.naming(number):
                if record := link(row).record:
                    return record
    return None


def as_record(row: Row, other: Mapping[str, str]) -> dict[str, str]:
    """Return what the record of an original without one would say, but for a condition's name.

    Args:
        row: the original, which holds its text itself.
        other: the record of another row, which says in which fields that text is.
    """
    is_text, original_id = bool(other["original"]), identity(row)
    text = _text_of(row, _layout(other["recipe"], is_text)[1], is_text)
    fields = {"original_id": original_id, "status": "original", "expect": KEPT}
    fields |= {"original": text} if is_text else {"check": text}
    return dict.fromkeys(NAMES, "") | fields | {"recipe": other["recipe"]}


def numbers_of(records: Records) -> list[int]:
    """Return the numbers of what proves the originals of rows: their texts, or else their checks.

    One is 0 where the row does not say what its original is.
    """
    texts = (text or check for text, check in zip(records.original, records.check, strict=True))
    return [crc32(text.encode("utf-8", "surrogatepass")) or 1 if text else 0 for text in texts]


def proofs_of(numbers: UInt32, layouts: Sequence[tuple[str, bool]], kinds: Int32) -> UInt64:
    """Return numbers that prove originals: one half says what the other is a hash of.

    Args:
        numbers: shape (n,); those of `numbers_of`.
        layouts: for each kind of rows its recipe, and whether they hold the text or its check.
        kinds: shape (n,); the kind of each row.

    Returns:
        The numbers; 0 where the row does not say what its original is.
    """
    proofs: UInt64 = np.array([_layout(*layout)[0] << 32 for layout in layouts], np.uint64)[kinds]
    proofs |= numbers
    proofs[numbers == 0] = 0
    return proofs


def right_number(text: str) -> int:
    """Return the number of a right answer."""
    return 1 << 32 | key64(text) >> 32


@lru_cache(maxsize=1 << 13)
def _layout(recipe: str, is_text: bool) -> tuple[int, tuple[str, ...]]:
    """Return the number of what proves an original, and the paths to what that is made of."""
    options = read_options(recipe)
    paths = options["field"] if is_text else (*options["field"], *options["target"])
    # 0 says that there is no proof, and 1 is of right answers.
    return key64(is_text, *paths) >> 32 or 2, paths


def _text_of(row: Row, paths: Sequence[str], is_text: bool) -> str:
    """Return the text or the check of a row without a record; "" where it lacks a part of it."""
    try:
        found = [value for path in paths for _, value in json_path.locate(row, path)]
        texts = ["\n".join(value if isinstance(value, list) else [value]) for value in found]
    except (PerturbError, TypeError):  # it is not there, or no text
        return ""
    return "".join(texts[:1]) if is_text else check_of(texts)
