"""Tables of characters: the scripts that they can write, and their rows without digits."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Sites
from perturb.engine.text.case import alphabet_scripts
from perturb.engine.text.characters import Kind, Script, blank, scripts, set_of
from perturb.engine.text.scripts import FOREIGN, letter_classes
from perturb.engine.text.strings import ranges, runs
from perturb.values.arrays import Bool, Codes, Int64

# The scripts with an alphabet, by their names.
ALPHABETS = sorted(script.name.lower() for script in alphabet_scripts())
_DIGIT = re.compile(r"\d")


def is_blank(codes: Codes) -> Bool:
    """Mark white space, and the borders of texts."""
    marks: Bool = blank().mask(codes) | (codes == 0)
    return marks


def is_open(batch: Batch, ends: Int64) -> Bool:
    """Mark the ends of texts without final punctuation of any kind; Thai has none.

    A bracket or a fence of code closes a part of a text, and only a stop before it ends a sentence.
    """
    codes = batch.codes
    last, before = codes[ends - 1], codes[np.maximum(ends - 2, 0)]
    closes = set_of(")]}`|>").mask(last) & ~set_of(".!?…。！？").mask(before)
    return closes | ~of_kind(Kind.PUNCTUATION, Kind.SYMBOL).mask(last)


def before_label(batch: Batch, ends: Int64) -> Int64:
    """Return the ends of texts, or of the line before a last one such as "Answer:"."""
    codes, starts = batch.codes, batch.texts.starts[batch.text_of(ends - 1)]
    (breaks,) = of_kind(Kind.NEWLINE).mask(codes).nonzero()
    lines = blank().back(codes, np.append(0, breaks)[breaks.searchsorted(ends)])
    return np.where((codes[ends - 1] == ord(":")) & (lines > starts), lines, ends)


def has_digit(text: str) -> bool:
    """Return whether a string has a decimal digit of any script."""
    return _DIGIT.search(text) is not None


def without_digits(table: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a table of alternatives without rows with a digit on either side."""
    return {
        key: [option for option in options if not has_digit(option)]
        for key, options in table.items()
        if not has_digit(key)
    }


def script_of_each(characters: Collection[str]) -> dict[str, Script]:
    """Return the script of each of some characters."""
    codes = [ord(character) for character in characters]
    members = tuple(Script)  # numbered from 0
    return dict(zip(characters, map(members.__getitem__, scripts()[codes].tolist()), strict=True))


def scripts_of(characters: Collection[str]) -> frozenset[Script]:
    """Return the scripts of some characters, without `Script.OTHER`."""
    return frozenset(script_of_each(characters).values()) - {Script.OTHER}


def in_scripts(
    batch: Batch, sites: Sites, written: frozenset[Script], signs: frozenset[Script] | None = None
) -> Sites:
    """Return the sites, without punctuation that follows a letter of a foreign script.

    Args:
        batch: the texts.
        sites: sites at letters of the scripts that are written, and at punctuation and digits.
        written: the scripts that the step can write; units of others are closed.
        signs: the scripts whose letters punctuation may follow; by default, `written`.
    """
    classes = letter_classes(batch, written if signs is None else signs)
    if classes is not None:
        # Punctuation is foreign from a foreign letter up to the next letter.
        starts, ends = runs((classes == 0) & (batch.codes != 0))
        led = classes[starts - 1] == FOREIGN
        foreign = classes == FOREIGN if signs is None else np.zeros(len(classes), np.bool_)
        foreign[ranges(starts[led], (ends - starts)[led])] = True
        sites = sites.free(foreign)
    return sites.limited(scripts=written)
