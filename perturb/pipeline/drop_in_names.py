"""Names from other libraries for changes to text, each with the steps that do the same here.

A name has its library before a dot, which no name of a perturbator contains: HELM's synonyms are
`helm.synonym`, ours are `synonym`. If a name means one step, its strength is the original's
default, and a caller's strength replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from perturb.errors import UsageError, unknown
from perturb.resources import folder, parse


class DropIn(NamedTuple):
    """Another library's name for a change to text.

    Attributes:
        name: the library, a dot, and its name for the change.
        steps: the steps here, as a spec string.
        theirs: a description of the original.
        ours: the differences here.
    """

    name: str
    steps: str
    theirs: str
    ours: str


_TABLE = folder() / "pipeline" / "drop_in_names.tsv"


@cache
def _rows() -> list[DropIn]:
    return [DropIn(*row) for row in parse(_TABLE)]


@cache
def drop_ins() -> Mapping[str, DropIn]:
    """Return every drop-in name with its row of the table, in order."""
    return {row.name: row for row in _rows() if row.steps != "-"}


def left_out() -> Mapping[str, str]:
    """Return the names that have no equivalent here, each with the reason."""
    return {row.name: row.ours for row in _rows() if row.steps == "-"}


def steps_of(name: str) -> str:
    """Return the steps that a name means, as a spec string.

    Raises:
        UsageError: an unknown name; the message suggests similar names, or says why the table
            leaves this one out.

    Examples:
        >>> steps_of("weave.butterfingers")
        'keyboard_typos:count=1'
    """
    library, _, _ = name.partition(".")
    libraries = {each.partition(".")[0] for each in drop_ins()} | {"nlpaug"}
    if library not in libraries:
        raise UsageError(
            f"{unknown('library', library, libraries)}; docs/migration lists the names of other "
            "libraries; load perturbators from your own Python file with --plugin FILE"
        )
    if name in left_out():
        raise UsageError(f"{name} has no equivalent here: {left_out()[name]}")
    if name not in drop_ins():
        raise unknown("drop-in name", name, drop_ins())
    return drop_ins()[name].steps
