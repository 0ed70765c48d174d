"""The result of a step on one short text, for loops that perturb one text at a time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from struct import Struct, unpack_from

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.step import CHANGED, DREW_ZERO, NO_SITE, P_IS_0, Reasons, Tally
from perturb.engine.text.strings import Strings

# Done in planned.h: the units, the sites, the edits asked for and those made.
DONE = Struct("<4q")
# What kernels write in place of a deleted character: a byte that ASCII doesn't have.
DELETED = 0xFF
_MARK = bytes([DELETED])


class SingleOutcome:
    """The result of a step on one text, read lazily from the output of the kernel.

    Args:
        text: the text before.
        room: the output of the kernel: `DONE`, then columns with an entry for each character of
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
        first = DONE.size + 8 * len(text)
        after = room[first : first + len(text)]
        self.text = after.replace(_MARK, b"").decode("latin-1") if edits else text

    def texts(self, originals: Sequence[str]) -> list[str]:  # noqa: ARG002
        """Return the text after, as `Outcome.texts`."""
        return [self.text]

    def edit_columns(self) -> tuple[list[int], list[int], list[str], list[str]]:
        """Return the starts and ends of the edits, the replacements, and the replaced text."""
        places = unpack_from(f"<{self._edits}q", self._room, DONE.size)
        written = self._written().decode("latin-1")
        strings = [""] * self._edits if self._deletes else list(written)
        removed = [self._before[place] for place in places]
        return list(places), [place + 1 for place in places], strings, removed

    def _written(self) -> bytearray:
        """Return the replacements, a byte each."""
        first = DONE.size + 9 * len(self._before)
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
        places = np.frombuffer(self._room, np.int64, self._edits, DONE.size) + 1
        if self._deletes:
            return Edits.deleting(places)
        codes = np.frombuffer(self._written(), np.uint8)
        return Edits.of_characters(places, codes, self.source, self.result.codes)

    @cached_property
    def tallies(self) -> tuple[Tally]:
        """The result of the step."""
        units, sites, asked_for, edits = DONE.unpack_from(self._room)
        none = np.zeros(1, np.intp)
        saturated = np.array([edits < asked_for])
        columns = np.array([units]), none, np.array([sites]), np.array([edits])
        return (Tally(*columns, saturated, self.reasons, dict),)

    @cached_property
    def reasons(self) -> Reasons:
        """Why the text didn't change; 0 if it did."""
        _, sites, _, edits = DONE.unpack_from(self._room)
        unchanged = NO_SITE if not sites else P_IS_0 if self._p_is_0 else DREW_ZERO
        return np.array([CHANGED if edits else unchanged], np.uint8)
