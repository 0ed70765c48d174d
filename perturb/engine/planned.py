"""Steps with sites known before any text, each performed by one kernel, and their results."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cached_property, lru_cache
from struct import Struct, unpack_from
from types import SimpleNamespace
from typing import TypeGuard, cast

import numpy as np

from perturb.engine.batch import Batch, in_tables
from perturb.engine.edits import Edits
from perturb.engine.native import binding
from perturb.engine.native.binding import Struct as Addresses
from perturb.engine.native.kernels import perform
from perturb.engine.placement import EVERYWHERE
from perturb.engine.reading import LAST_OF_ASCII, KindPlans, Reading, code_points, read
from perturb.engine.run import Outcome, Stage
from perturb.engine.sites import Kinds, Sites
from perturb.engine.spread import rates
from perturb.engine.step import CHANGED, DREW_ZERO, NO_SITE, P_IS_0, PROTECTED, Reasons, Tally
from perturb.engine.text.characters import Alternatives, ByteTable, CharacterSet, Script
from perturb.engine.text.strings import Strings, every, runs
from perturb.values.arrays import Bool, Codes, Int64, UInt8, UInt64

# The longest text for `perform_one`: LONGEST in kernels.c, the room on the kernel's stack. Up to
# there it takes a third of the time of `perform`; beyond, both take as long.
_LONGEST = 4096
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
        table: their alternatives in bytes; of characters that are deleted a mark.
        kinds: the kinds of texts with other sites; None if all texts have these.
    """

    kinds: Kinds | None = None

    def __init__(self, characters: CharacterSet, table: ByteTable | None, unit: str) -> None:
        self.unit = unit
        self.follow_up_edits = self.note = None
        self.replaced, self.table = characters, table
        self.deletes = self.keeps_numbers = self.keeps_tables = False

    @property
    def rules(self) -> tuple[str, bool, bool, bool]:
        """What the sites of all kinds of texts share."""
        return self.unit, self.deletes, self.keeps_numbers, self.keeps_tables


class _AnyBatch:
    """A placeholder for any batch of Latin-1: its sites hold for every batch.

    It has no text. A perturbator that uses anything but the methods below gets an error, and then
    runs on each text.
    """

    codes = SimpleNamespace(dtype=np.dtype(np.uint8))

    def substitutions(self, table: Alternatives, *, unit: str = "character") -> Sites:
        """Return the sites of a substitution."""
        return _Planned(table.characters, table.in_bytes, unit)

    def sites_at_clusters(self, characters: CharacterSet, write: object = None) -> Sites:
        """Return the sites of characters that are deleted; each is a single code point."""
        if write is not None:
            raise TypeError("the sites depend on the texts")
        number = characters.first(256).astype(np.uint32)
        mark = np.array([_DELETED], np.uint8)
        table = ByteTable(number, np.zeros_like(number), mark)
        sites = _Planned(characters, table, "character")
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

    def of_kinds(self, sites: _Planned, kinds: Kinds) -> Sites:
        """Return the sites of texts of the first kind."""
        sites.kinds = kinds
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
        action, table = stage.action, planned.table
        assert table is not None
        self._planned, self._stage, self._letters = planned, stage, table.letters
        self._deletes = planned.deletes
        self._p_is_0 = action.p == 0
        share = action.share
        spread = share is not None and action.spread
        self._rates = rates(share, spread) if spread else None
        count = -1 if share is not None else action.count
        most = _NO_MOST if action.max_edits is None else action.max_edits
        # `runs` counts from 1 because of the border in front, and ends exclude the last place.
        firsts, behind = runs(np.concatenate([[False], table.number > 0, [False]]))
        packed = _PLAN.pack(
            *(column.ctypes.data for column in (table.number, table.first, table.options)),
            self._rates.ctypes.data if self._rates is not None else 0,
            *(stage.stream, share or 0.0, count, action.min_edits, most),
            *(planned.unit == "place", planned.keeps_numbers),
            *(len(firsts), bytes((firsts - 1).tolist()), bytes((behind - 2).tolist())),
        )
        self._plan = np.frombuffer(packed, np.uint8)
        self._address = self._plan.ctypes.data
        self._kinds = lru_cache(maxsize=16)(self._kinds_of)

    def _kinds_of(self, numbers: tuple[int, ...]) -> KindPlans:
        """Return the plans of the kinds of some numbers."""
        first, kinds = self._planned, self._planned.kinds
        names = [""] if kinds is None else [kinds.names[number] for number in numbers]
        made = [_of_kind(name, first) for name in names]
        sites = [each or first for each in made]
        steps = [self if each is first else PlannedStep(self._stage, each) for each in sites]
        replaced = tuple((step._planned.replaced, step._letters) for step in steps)
        has_letters = any(step._letters for step in steps)
        known = np.array([each is not None for each in made])
        plans = Addresses(*(step._plan for step in steps))
        return KindPlans(known, plans, replaced, has_letters, steps)

    def perform_one(self, text: str, key: int | None) -> SingleOutcome | None:
        """Perform the step on one short text of ASCII.

        Args:
            text: the text.
            key: the key of its record; None for that of the text.

        Returns:
            The result; None if `perform` or the engine must do it: the text is long, isn't ASCII or
            has a table that stays, its step writes beyond Latin-1, or there are no kernels.
        """
        size = len(text)
        if size > _LONGEST or not text.isascii() or self._letters or binding.LIBRARY is None:
            return None
        if self._planned.keeps_tables and "|" in text:
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
        if edits < 0:
            return None
        return SingleOutcome(text, room, edits, p_is_0=self._p_is_0, deletes=self._deletes)

    def perform(
        self, texts: Strings, keys: UInt64, reading: Reading, blocked: Bool | None = None
    ) -> Outcome:
        """Perform the step on many texts.

        Args:
            texts: the texts, as `Strings.of_texts` gives them.
            keys: shape (texts,); the key of each record.
            reading: the texts as `read` gives them, none of them odd.
            blocked: shape (code points,); where no edit may be.
        """
        codes, plans, planned = reading.codes, reading.kinds.plans, self._planned
        closed = np.zeros(len(texts), np.intp)
        shut = [np.empty(0, np.intp)]
        if planned.keeps_tables:
            shut.append(in_tables(texts))
        codes = _without(codes, shut[-1])
        free = codes
        if blocked is not None:
            places = np.flatnonzero(blocked)
            closed += places.searchsorted(texts.ends) - places.searchsorted(texts.starts)
            if planned.keeps_numbers:  # what stands between two digits is no site, protected or not
                places = places[codes[places] - np.uint8(ord("0")) > 9]
            shut.append(places)
            free = _without(codes, places)
        after: Codes
        after, chosen, bytes_, (units, sites, asked, edits) = perform(
            Strings(free, texts.starts, texts.ends), closed, keys, plans, reading.of
        )
        written: Codes = bytes_
        if reading.kinds.has_letters:
            of = reading.of
            kind = 0 if of is None else of.repeat(edits)
            written = code_points(reading.kinds.replaced)[kind, bytes_]
        if texts.codes.dtype == np.uint8 and written is bytes_:
            for places in shut:
                after[places] = texts.codes[places]
        else:
            after = texts.codes.astype(np.result_type(texts.codes, written))
            after[chosen] = written
        if self._deletes:
            changes = Edits.deleting(chosen)
            result = changes.apply(texts)
        else:
            changes = Edits.of_characters(chosen, written, texts, after)
            result = Strings(after, texts.starts, texts.ends)
        edges = np.zeros(len(edits) + 1, np.intp)
        changes.known_edges = texts, edges
        np.cumsum(edits, out=edges[1:])
        reasons = np.zeros(len(texts), np.uint8)
        if not every(edits):
            reasons[edits == 0] = P_IS_0 if self._p_is_0 else DREW_ZERO
            reasons[sites == 0] = NO_SITE
        by_place = planned.unit == "place"
        if blocked is not None and (by_place or not every(sites)):
            whole = Strings(codes, texts.starts, texts.ends)
            all_sites = perform(whole, np.zeros_like(closed), keys, plans, reading.of)[3][1]
            reasons[(sites == 0) & (all_sites > 0)] = PROTECTED
            if by_place:
                closed = all_sites - sites
        tally = Tally(units, closed, sites, edits, edits < asked, reasons, dict)
        return Outcome(texts, result, changes, (tally,), reasons, None)

    def read(self, texts: Strings, is_limited: bool = False) -> Reading | None:
        """Return the texts as the step reads them; None if there are no kernels.

        Args:
            texts: the texts.
            is_limited: whether there are places where no edit may be.
        """
        if binding.LIBRARY is None:
            return None
        kinds, codes = self._planned.kinds, texts.codes
        is_plain = codes.dtype == np.uint8 and not is_limited and not self._letters
        if is_plain and (kinds is None or codes.max() <= LAST_OF_ASCII):
            return Reading(codes.view(np.uint8), self._kinds((0,)), None, None)
        return read(texts, is_limited, kinds, self._kinds)


def _without(codes: UInt8, places: Int64) -> UInt8:
    """Return codes with a character that no step replaces at some places."""
    if not len(places):
        return codes
    codes = codes.copy()
    codes[places] = 0
    return codes


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
    return PlannedStep(stages[0], sites) if _suits(sites) else None


def _of_kind(name: str, first: _Planned) -> _Planned | None:
    """Return the sites of texts of a kind, if a kernel knows them; "" for those of the first."""
    if not name or first.kinds is None:
        return first
    try:
        sites = first.kinds.make(cast(Batch, _AnyBatch()), name)
    except (AttributeError, TypeError):
        return None
    return sites if _suits(sites) and sites.rules == first.rules else None


def _suits(sites: Sites) -> TypeGuard[_Planned]:
    """Return whether a kernel knows such sites."""
    if not isinstance(sites, _Planned) or sites.table is None or sites.refused is not None:
        return False
    latin = sites.scripts is None or Script.LATIN in sites.scripts
    return latin and sites.unit in ("character", "place") and not sites.note
