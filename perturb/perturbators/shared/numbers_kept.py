"""Numbers as what a change to letters must not touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.unicode import Kind


def digits() -> CharacterSet:
    """Return the decimal digits of all scripts."""
    return of_kind(Kind.DIGIT)


def keep_numbers(batch: Batch, sites: Sites) -> Sites:
    """Return the sites that neither hold a part of a number nor insert beside one."""
    return batch.outside_numbers(sites)


def without_digits(table: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a table of alternatives without those that have a digit, on either side."""
    numeric = set(filter(has_digit, {*table, *chain.from_iterable(table.values())}))
    kept = {
        written: [option for option in options if option not in numeric]
        for written, options in table.items()
        if written not in numeric
    }
    return {written: options for written, options in kept.items() if options}


def has_digit(text: str) -> bool:
    """Say whether a string has a decimal digit of any script."""
    return any(character.isdecimal() for character in text)
