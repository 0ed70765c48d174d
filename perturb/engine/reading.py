"""The texts of planned steps, in bytes: one for each character that a step distinguishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import Struct
from perturb.engine.sites import Kinds
from perturb.engine.text.characters import (
    CODE_POINTS,
    Break,
    CharacterSet,
    Kind,
    Letters,
    Script,
    breaks,
    kinds,
    scripts,
)
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Int64, UInt8, UInt32

# A control character, which no step writes or replaces, marks characters outside the table.
_NOT_PLAIN = 0x80
LAST_OF_ASCII = 0x7F
_ONE_KIND = np.zeros(1, np.intp)

Replaced = tuple[tuple[CharacterSet, Letters], ...]


class KindPlans(NamedTuple):
    """The plans of a step for some kinds of texts.

    Attributes:
        known: shape (kinds,); whether it is planned for each.
        plans: the addresses of the plans.
        replaced: the characters that each replaces, and their letters as in `ByteTable`.
        has_letters: whether a byte is another character than that of Latin-1.
        alive: the steps, which hold the arrays with addresses in the plans.
    """

    known: Bool
    plans: Struct
    replaced: Replaced
    has_letters: bool
    alive: Sequence[object]


class Reading(NamedTuple):
    """The texts as a planned step reads them.

    Attributes:
        codes: a byte for each character that the step distinguishes.
        kinds: the kinds of the texts.
        of: shape (texts,); the number of the kind of each; None if all are of the first.
        odd: shape (texts,); which have a character without a byte, or are of no kind that the step
            knows, so that the engine perturbs them. None for no text.
    """

    codes: UInt8
    kinds: KindPlans
    of: UInt8 | None
    odd: Bool | None

    def only(self, mask: Bool) -> Reading:
        """Return the reading of some texts, none of them odd."""
        return self._replace(of=None if self.of is None else self.of[mask], odd=None)


def read(
    texts: Strings,
    is_limited: bool,
    choice: Kinds | None,
    plans_of: Callable[[tuple[int, ...]], KindPlans],
) -> Reading:
    """Read texts by kernels.

    Args:
        texts: the texts.
        is_limited: whether there are places where no edit may be.
        choice: the kinds of texts; None for one.
        plans_of: returns the plans of the kinds of some numbers.
    """
    numbers, of, marks = _ONE_KIND, None, []
    if choice is not None and texts.codes.max() > LAST_OF_ASCII:
        number = choice.choose(texts)
        has_texts = np.bincount(number, minlength=1) > 0
        (numbers,) = has_texts.nonzero()
        if len(numbers) > 1:
            of = (np.cumsum(has_texts) - 1).astype(np.uint8)[number]
    made = plans_of(tuple(numbers.tolist()))
    codes = texts.codes.view(np.uint8)
    if texts.codes.dtype != np.uint8 or made.has_letters:
        codes, is_odd = narrow(texts, _tables(made.replaced), of, _NOT_PLAIN)
        marks.append(is_odd)
    if is_limited and len(ends := np.flatnonzero(codes == ord("\r"))):
        marks.append(ends.searchsorted(texts.ends) > ends.searchsorted(texts.starts))
    if not made.known.all():
        marks.append(~made.known[np.zeros(len(texts), np.uint8) if of is None else of])
    odd: Bool = np.logical_or.reduce(marks) if marks else np.zeros(1, np.bool_)
    return Reading(codes, made, of, odd if odd.any() else None)


def narrow(texts: Strings, tables: Struct, of: UInt8 | None, odd: int) -> tuple[UInt8, Bool]:
    """Return a byte for each code point of texts, and which texts have an odd one.

    Args:
        texts: the texts.
        tables: tables with a byte for each code point, which have ASCII as it is.
        of: shape (texts,); the number of the table of each; None for the first.
        odd: the byte that is odd.

    Returns:
        The bytes, 0 outside all texts; and shape (texts,).
    """
    codes, marks = np.empty(len(texts.codes), np.uint8), np.empty(len(texts), np.bool_)
    arguments = *binding.column_of(texts), len(texts), tables.numbers, len(tables.numbers), of, odd
    binding.called("perturb_narrow", *arguments, codes, marks)
    return codes, marks


@lru_cache(maxsize=32)
def code_points(replaced: Replaced) -> UInt32:
    """Return the code point of each byte for each kind, in shape (kinds, 256)."""
    written = np.tile(np.arange(256, dtype=np.uint32), (len(replaced), 1))
    for row, (_, letters) in zip(written, replaced, strict=True):
        codes, own = _columns(letters)
        row[own] = codes
    return written


@lru_cache(maxsize=32)
def _tables(replaced: Replaced) -> Struct:
    """Return the addresses of tables with a byte for each code point, for each kind."""
    return Struct(*(_bytes_for(*each) for each in replaced))


@lru_cache(maxsize=32)
def _bytes_for(replaced: CharacterSet, letters: Letters) -> UInt8:
    """Return `_bytes_of_plain` for a step that replaces some characters.

    Args:
        replaced: the characters; those beyond Latin-1 without a byte are not plain.
        letters: the letters beyond Latin-1 with a byte of their own, as in `ByteTable`.
    """
    table = _bytes_of_plain().copy()
    codes, own = _columns(letters)
    table[own] = 0
    is_plain = table[codes] != _NOT_PLAIN
    table[replaced.beyond_latin_1()] = _NOT_PLAIN
    table[codes[is_plain]] = own[is_plain]
    return table


def _columns(letters: Letters) -> tuple[Int64, Int64]:
    """Return the code points of letters, and their bytes."""
    codes, own = np.array(letters, np.intp).reshape(-1, 2).T
    return codes, own


@cache
def _bytes_of_plain() -> UInt8:
    """Return a byte for each code point: itself, or 0 if a step of Latin-1 treats both alike.

    Letters of other scripts, digits, and characters that join a neighbour get `_NOT_PLAIN`.
    """
    table = np.zeros(CODE_POINTS, np.uint8)
    foreign = (scripts() != Script.OTHER) & (scripts() != Script.LATIN)
    table[foreign | (kinds() == Kind.DIGIT) | (breaks() >= Break.CR)] = _NOT_PLAIN
    table[:256] = np.arange(256)
    table[_NOT_PLAIN] = 0
    return table
