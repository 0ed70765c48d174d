"""Steps with sites known before any text, each performed by one kernel, and their results."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from struct import Struct, unpack_from
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from perturb.engine.batch import Batch, in_tables, places_beyond_ascii
from perturb.engine.edits import Edits
from perturb.engine.native import binding, kernels
from perturb.engine.placement import EVERYWHERE
from perturb.engine.run import Outcome, Stage
from perturb.engine.sites import Sites
from perturb.engine.spread import rates
from perturb.engine.step import CHANGED, DREW_ZERO, NO_SITE, P_IS_0, PROTECTED, Reasons, Tally
from perturb.engine.text.characters import (
    CODE_POINTS,
    Alternatives,
    Break,
    CharacterSet,
    Kind,
    LatinTable,
    Script,
    breaks,
    kinds,
    scripts,
)
from perturb.engine.text.strings import Strings, every, runs
from perturb.values.arrays import Bool, Codes, Int64, NDArray, UInt8, UInt64

# The longest text for `perform_one`: LONGEST in kernels.c, the room on the kernel's stack. Up to
# there it takes a third of the time of `perform`; beyond, both take as long.
_LONGEST = 4096
# A control character, which no step writes or replaces, marks characters outside the table.
_NOT_PLAIN = 0x80
# Plan in planned.h, field by field.
_PLAN = Struct("<QQQQQdqqqqqq128s128s")
_NO_MOST = 1 << 62
# Done in planned.h: the units, the sites, the edits asked for and those made.
_DONE = Struct("<4q")
# What kernels write in place of a deleted character: a byte that ASCII doesn't have.
_DELETED = 0xFF
_MARK = bytes([_DELETED])


class _Planned(Sites):
    """Sites that are known before any text: all characters of a set.

    Attributes:
        table: the alternatives of those of Latin-1; of characters that are deleted a mark.
        revised: the letters with which a text has other sites; None for no letters.
    """

    revised: CharacterSet | None = None

    def __init__(self, characters: CharacterSet, table: LatinTable | None, unit: str) -> None:
        self.unit = unit
        self.follow_up_edits = self.note = None
        self.replaced, self.table = characters, table
        self.deletes = self.keeps_numbers = self.keeps_tables = False


class _AnyBatch:
    """A placeholder for any batch of Latin-1: its sites hold for every batch.

    It has no text. A perturbator that uses anything but the methods below gets an error, and then
    runs on each text.
    """

    codes = SimpleNamespace(dtype=np.dtype(np.uint8))

    def substitutions(self, table: Alternatives, *, unit: str = "character") -> Sites:
        """Return the sites of a substitution."""
        return _Planned(table.characters, table.latin_1, unit)

    def sites_at_clusters(self, characters: CharacterSet, write: object = None) -> Sites:
        """Return the sites of characters that are deleted; each is a single code point."""
        if write is not None:
            raise TypeError("the sites depend on the texts")
        number = characters.first(256).astype(np.uint32)
        mark = np.array([_DELETED], np.uint8)
        sites = _Planned(characters, LatinTable(number, np.zeros_like(number), mark), "character")
        sites.deletes = True
        return sites

    def outside_numbers(self, sites: _Planned) -> Sites:
        """Return the sites outside numbers."""
        sites.keeps_numbers = True
        return sites

    def outside_tables(self, sites: _Planned) -> Sites:
        """Return the sites outside table markup."""
        sites.keeps_tables = True
        return sites

    def revised(self, sites: _Planned, letters: CharacterSet, _: object) -> Sites:
        """Return the sites of texts without the letters."""
        sites.revised = letters
        return sites


class SingleOutcome:
    """The result of a step on one text, read lazily from the output of the kernel.

    Args:
        text: the text before.
        room: the output of the kernel: `_DONE`, then columns with an entry for each character of
            the text: the places of the edits (8 bytes each), the text after, and the replacements
            (a byte each).
        edits: the number of edits.
        p_is_0: whether the strength is 0.
        deletes: whether the edits delete; the replacements are marks then.

    Attributes:
        text: the text after.
        spans: None, as no spans were carried along.
    """

    spans = None

    def __init__(
        self, text: str, room: bytearray, edits: int, *, p_is_0: bool, deletes: bool
    ) -> None:
        self._p_is_0, self._deletes = p_is_0, deletes
        self._before = text
        self._room = room
        self._edits = edits
        first = _DONE.size + 8 * len(text)
        after = room[first : first + len(text)]
        self.text = after.replace(_MARK, b"").decode("latin-1") if edits else text

    def texts(self, originals: Sequence[str]) -> list[str]:  # noqa: ARG002
        """Return the text after, as `Outcome.texts`."""
        return [self.text]

    def edit_columns(self) -> tuple[list[int], list[int], list[str], list[str]]:
        """Return the starts and ends of the edits, the replacements, and the replaced text."""
        places = unpack_from(f"<{self._edits}q", self._room, _DONE.size)
        written = self._written().decode("latin-1")
        strings = [""] * self._edits if self._deletes else list(written)
        removed = [self._before[place] for place in places]
        return list(places), [place + 1 for place in places], strings, removed

    def _written(self) -> bytearray:
        """Return the replacements, a byte each."""
        first = _DONE.size + 9 * len(self._before)
        return self._room[first : first + self._edits]

    def edit_ends(self) -> list[int]:
        """Return the number of edits, as `Outcome.edit_ends`."""
        return [self._edits]

    @cached_property
    def source(self) -> Strings:
        """The text before."""
        return Strings.of_texts([self._before])

    @cached_property
    def result(self) -> Strings:
        """The text after."""
        return Strings.of_texts([self.text])

    @cached_property
    def edits(self) -> Edits:
        """The edits."""
        places = np.frombuffer(self._room, np.int64, self._edits, _DONE.size) + 1
        if self._deletes:
            return Edits.deleting(places)
        codes = np.frombuffer(self._written(), np.uint8)
        return Edits.of_characters(places, codes, self.source, self.result.codes)

    @cached_property
    def tallies(self) -> tuple[Tally]:
        """The result of the step."""
        units, sites, asked_for, edits = _DONE.unpack_from(self._room)
        none = np.zeros(1, np.intp)
        saturated = np.array([edits < asked_for])
        columns = np.array([units]), none, np.array([sites]), np.array([edits])
        return (Tally(*columns, saturated, self.reasons, dict),)

    @cached_property
    def reasons(self) -> Reasons:
        """Why the text didn't change; 0 if it did."""
        _, sites, _, edits = _DONE.unpack_from(self._room)
        unchanged = NO_SITE if not sites else P_IS_0 if self._p_is_0 else DREW_ZERO
        return np.array([CHANGED if edits else unchanged], np.uint8)


class PlannedStep:
    """A step that is one call of a kernel.

    Args:
        stage: the step.
        planned: its sites.
    """

    def __init__(self, stage: Stage, planned: _Planned) -> None:
        action = stage.action
        assert planned.table is not None
        self._table = planned.table
        self._replaced, self._revised = planned.replaced, planned.revised
        self._keeps_tables, self._deletes = planned.keeps_tables, planned.deletes
        self._keeps_numbers = planned.keeps_numbers
        self._by_place = planned.unit == "place"
        self._p_is_0 = action.p == 0
        share = action.share
        spread = share is not None and action.spread
        self._rates = rates(share, spread) if spread else None
        count = -1 if share is not None else action.count
        most = _NO_MOST if action.max_edits is None else action.max_edits
        # `runs` counts from 1 because of the border in front, and ends exclude the last place.
        replaced = np.concatenate([[False], self._table.number > 0, [False]])
        firsts, behind = runs(replaced)
        self._plan = ctypes.create_string_buffer(
            _PLAN.pack(
                *(column.ctypes.data for column in self._table),
                self._rates.ctypes.data if self._rates is not None else 0,
                *(stage.stream, share or 0.0, count, action.min_edits, most),
                *(planned.unit == "place", planned.keeps_numbers),
                *(len(firsts), bytes((firsts - 1).tolist()), bytes((behind - 2).tolist())),
            )
        )
        self._address = ctypes.addressof(self._plan)

    def perform_one(self, text: str, key: int | None) -> SingleOutcome | None:
        """Perform the step on one short text of ASCII.

        Args:
            text: the text.
            key: the key of its record; None for that of the text.

        Returns:
            The result; None if `perform` or the engine must do it: the text is long, isn't ASCII or
            has a table that stays, or there are no kernels.
        """
        size = len(text)
        if size > _LONGEST or not text.isascii() or binding.LIBRARY is None:
            return None
        if self._keeps_tables and "|" in text:
            return None
        room = bytearray(_DONE.size + 10 * size)
        edits = binding.LIBRARY.perturb_text(
            text.encode(),
            size,
            self._address,
            key is not None,
            key or 0,
            ctypes.byref(ctypes.c_char.from_buffer(room)),
        )
        return (
            None
            if edits < 0
            else SingleOutcome(text, room, edits, p_is_0=self._p_is_0, deletes=self._deletes)
        )

    def perform(self, texts: Strings, keys: UInt64, blocked: Bool | None = None) -> Outcome | None:
        """Perform the step on many texts.

        Args:
            texts: the texts, as `Strings.of_texts` gives them.
            keys: shape (texts,); the key of each record.
            blocked: shape (code points,); where no edit may be.

        Returns:
            The result; None if the engine must do it: `leaves` marks some texts, or there are no
            kernels.
        """
        if binding.LIBRARY is None:
            return None
        codes, odd = self._narrow(texts, blocked is not None)
        if odd is not None:
            return None
        closed = np.zeros(len(texts), np.intp)
        shut = [np.empty(0, np.intp)]
        if self._keeps_tables and (markup := in_tables(texts)) is not None:
            shut.append(np.flatnonzero(markup))
        codes = _without(codes, shut[-1])
        free = codes
        if blocked is not None:
            places = np.flatnonzero(blocked)
            closed += places.searchsorted(texts.ends) - places.searchsorted(texts.starts)
            if self._keeps_numbers:  # what stands between two digits is no site, protected or not
                places = places[codes[places] - np.uint8(ord("0")) > 9]
            shut.append(places)
            free = _without(codes, places)
        native = self._call(free, texts, closed, keys)
        if native is None:
            return None
        after, chosen, written, (units, sites, asked, edits) = native
        if texts.codes.dtype == np.uint8:
            for places in shut:
                after[places] = texts.codes[places]
        else:
            after = texts.codes.copy()
            after[chosen] = written
        if self._deletes:
            changes = Edits.deleting(chosen)
            result = changes.apply(texts)
        else:
            changes = Edits.of_characters(chosen, written, texts, after)
            result = Strings(after, texts.starts, texts.ends)
        reasons = np.zeros(len(texts), np.uint8)
        if not every(edits):
            reasons[edits == 0] = P_IS_0 if self._p_is_0 else DREW_ZERO
            reasons[sites == 0] = NO_SITE
        if blocked is not None and (self._by_place or not every(sites)):
            whole = self._call(codes, texts, np.zeros_like(closed), keys)
            assert whole is not None  # it was done already
            all_sites = whole[3][1]
            reasons[(sites == 0) & (all_sites > 0)] = PROTECTED
            if self._by_place:
                closed = all_sites - sites
        tally = Tally(units, closed, sites, edits, edits < asked, reasons, dict)
        return Outcome(texts, result, changes, (tally,), reasons, None)

    def _call(
        self, codes: UInt8, texts: Strings, closed: Int64, keys: UInt64
    ) -> tuple[Codes, Int64, UInt8, Int64] | None:
        narrow = Strings(codes, texts.starts, texts.ends)
        return kernels.perform(narrow, closed, keys, self._address)

    def leaves(self, texts: Strings, is_limited: bool = False) -> Bool | None:
        """Mark the texts that `perform` leaves to the engine; None for none or all of them.

        Args:
            texts: the texts.
            is_limited: whether there are places where no edit may be.
        """
        odd = None if binding.LIBRARY is None else self._narrow(texts, is_limited)[1]
        return None if odd is None or every(odd) else odd

    def _narrow(self, texts: Strings, is_limited: bool) -> tuple[UInt8, Bool | None]:
        """Return a byte for each character that the step distinguishes.

        Returns:
            The bytes; and which texts have a character without one. None for none of them.
        """
        codes: NDArray[Any] = texts.codes
        signs = [ord("\r")] * is_limited
        if codes.dtype != np.uint8:
            codes, count = kernels.narrow(codes, _bytes_for(self._replaced), _NOT_PLAIN)
            signs += [_NOT_PLAIN] * bool(count)
        places = [np.flatnonzero(codes == sign) for sign in signs]
        if self._revised is not None:
            places.append(places_beyond_ascii(self._revised, texts.codes))
        odd = np.zeros(len(texts), np.bool_)
        for each in places:
            odd |= each.searchsorted(texts.ends) > each.searchsorted(texts.starts)
        return codes, odd if odd.any() else None


def _without(codes: UInt8, places: Int64) -> UInt8:
    """Return codes with a character that no step replaces at some places."""
    if not len(places):
        return codes
    codes = codes.copy()
    codes[places] = 0
    return codes


@lru_cache(maxsize=16)
def _bytes_for(replaced: CharacterSet) -> UInt8:
    """Return `_bytes_of_plain` for a step that replaces characters outside Latin-1."""
    beyond, table = replaced.beyond_latin_1(), _bytes_of_plain()
    if len(beyond):
        table = table.copy()
        table[beyond] = _NOT_PLAIN
    return table


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


def planned_step(stages: Sequence[Stage]) -> PlannedStep | None:
    """Return the one step that performs all stages, if it is known before the texts."""
    if len(stages) != 1 or stages[0].gates:
        return None
    action = stages[0].action
    if action.placement != EVERYWHERE:
        return None
    try:
        sites = action.sites(cast(Batch, _AnyBatch()))
    except (AttributeError, TypeError):
        return None
    if not isinstance(sites, _Planned) or sites.table is None or sites.refused is not None:
        return None
    latin = sites.scripts is None or Script.LATIN in sites.scripts
    if not latin or sites.unit not in ("character", "place") or sites.note:
        return None
    return PlannedStep(stages[0], sites)
