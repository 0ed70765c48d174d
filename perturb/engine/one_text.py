"""One short text in one call, for a loop that perturbs a text at a time."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cached_property
from struct import Struct, unpack_from
from typing import cast

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.edits import Edits
from perturb.engine.native import library
from perturb.engine.run import Stage
from perturb.engine.sites import Sites
from perturb.engine.step import CHANGED, DREW_ZERO, NO_SITE, P_IS_0, Reasons, Tally
from perturb.engine.substitution import Substitution
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Script

_LONGEST = 1024
# As in one.h: a plan, and what was done.
_PLAN, _DONE = Struct("<QQQQdqqqqq"), Struct("<4q")
_NO_MOST = 1 << 62


class _NotPlannedError(Exception):
    """The sites of a perturbator depend on the texts."""


class _Latin:
    """Code points of which nothing is known but that they are of Latin-1."""

    dtype = np.dtype(np.uint8)


class _Planned(Sites):
    """Sites that are known before there is a text: all characters that have alternatives."""

    def __init__(self, write: Substitution, unit: str) -> None:
        self.write, self.unit = write, unit
        self.follow_up_edits = self.note = None
        self.table = write.table.latin_1
        self.keeps_numbers = False


class _AnyBatch:
    """Stands for all batches of ASCII: what a perturbator gives for it holds for every one.

    It has nothing to be looked at. A perturbator that asks for more than the methods below gets an
    error, and is then run on each text.
    """

    codes = _Latin()

    def sites_where(
        self,
        characters: CharacterSet | str,
        write: object = None,
        *,
        unit: str = "character",
        inserts: bool = False,
    ) -> Sites:
        """Return the sites of a substitution."""
        if (
            not isinstance(write, Substitution)
            or write.table.characters is not characters
            or inserts
        ):
            raise _NotPlannedError
        return _Planned(write, unit)

    def outside_numbers(self, sites: Sites) -> Sites:
        """Return the sites that are in no number."""
        if not isinstance(sites, _Planned):
            raise _NotPlannedError
        sites.keeps_numbers = True
        return sites


class SingleStep:
    """A step that is one call for one short text of ASCII.

    Args:
        stage: the step.
        planned: its sites.
    """

    def __init__(self, stage: Stage, planned: _Planned) -> None:
        action = stage.action
        assert planned.table is not None
        self._table = planned.table
        self.p_is_0 = action.p == 0
        addresses = [column.ctypes.data for column in self._table]
        share = action.share
        self._plan = ctypes.create_string_buffer(
            _PLAN.pack(
                *addresses,
                *(stage.stream, share or 0.0, -1 if share is not None else action.count),
                *(action.min_edits, _NO_MOST if action.max_edits is None else action.max_edits),
                *(planned.unit == "place", planned.keeps_numbers),
            )
        )
        self._address = ctypes.addressof(self._plan)

    def perform(self, text: str, key: int | None) -> SingleOutcome | None:
        """Do the step; None where the kernel leaves a text to NumPy.

        Args:
            text: one text.
            key: the key of its record; None for that of the text.
        """
        size = len(text)
        if size > _LONGEST or not text.isascii() or library.LIBRARY is None:
            return None
        room = bytearray(_DONE.size + 10 * size)
        made = library.LIBRARY.perturb_text(
            text.encode(),
            size,
            self._address,
            key is not None,
            key or 0,
            ctypes.byref(ctypes.c_char.from_buffer(room)),
        )
        return None if made < 0 else SingleOutcome(self, text, room, made)


class SingleOutcome:
    """The result of a step on one text, read lazily from the output of the kernel.

    Attributes:
        text: the text after.
        spans: None, as no spans were carried along.
    """

    spans = None

    def __init__(self, step: SingleStep, text: str, room: bytearray, edits: int) -> None:
        self._step = step
        self._before = text
        self._room = room
        self._edits = edits
        size, first = len(text), _DONE.size + 8 * len(text)
        self.text = room[first : first + size].decode("latin-1") if edits else text

    def texts(self, originals: Sequence[str]) -> list[str]:  # noqa: ARG002
        """Return the text after, as `Outcome.texts`."""
        return [self.text]

    def edit_columns(self) -> tuple[list[int], list[int], list[str]]:
        """Return the starts and the ends of the edits, and what they write."""
        first, size = _DONE.size, len(self._before)
        places = unpack_from(f"<{self._edits}q", self._room, first)
        written = self._room[first + 9 * size : first + 9 * size + self._edits].decode("latin-1")
        return list(places), [place + 1 for place in places], list(written)

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
        written = np.frombuffer(
            self._room, np.uint8, self._edits, _DONE.size + 9 * len(self._before)
        )
        return Edits.of_characters(places, written, self.source, self.result.codes)

    @cached_property
    def tallies(self) -> tuple[Tally]:
        """The result of the step."""
        units, sites, wanted, edits = _DONE.unpack_from(self._room)
        none = np.zeros(1, np.int64)
        saturated = np.array([edits < wanted])
        columns = np.array([units]), none, np.array([sites]), np.array([edits])
        return (Tally(*columns, saturated, self.reasons, {}),)

    @cached_property
    def reasons(self) -> Reasons:
        """Why the text is as it was; 0 where it changed."""
        _, sites, _, edits = _DONE.unpack_from(self._room)
        unchanged = NO_SITE if not sites else P_IS_0 if self._step.p_is_0 else DREW_ZERO
        return np.array([CHANGED if edits else unchanged], np.uint8)


def single_step(stages: Sequence[Stage]) -> SingleStep | None:
    """Return the step that does all that stages do to a short text of ASCII, if there is one."""
    if len(stages) != 1 or stages[0].gates:
        return None
    action = stages[0].action
    if action.skip_first or action.skip_last or action.min_word_length:
        return None
    try:
        sites = action.sites(cast(Batch, _AnyBatch()))
    except (_NotPlannedError, AttributeError, TypeError):
        return None
    if not isinstance(sites, _Planned) or sites.table is None or sites.refused is not None:
        return None
    latin = sites.scripts is None or Script.LATIN in sites.scripts
    if not latin or sites.unit not in ("character", "place") or sites.note:
        return None
    return SingleStep(stages[0], sites)
