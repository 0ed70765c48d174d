"""The names that other libraries use for changes to text, each with the steps for it here.

A name has its library before a dot, which no perturbator has in its name: HELM's synonyms are
`helm.synonym`, ours are `synonym`. Where it stands for one step, its strength is what the original
does without being asked for another, and one that is given takes its place.
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
        name: the library, a dot, and what it calls the change.
        steps: what it stands for here, as a spec string.
        theirs: what the original does.
        ours: what is different here.
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
    """Return every drop-in name with what it stands for, in the order of the table."""
    return {row.name: row for row in _rows() if row.steps != "-"}


def left_out() -> Mapping[str, str]:
    """Return names that would not do here what they say, each with the reason."""
    return {row.name: row.ours for row in _rows() if row.steps == "-"}


def steps_of(name: str) -> str:
    """Return the steps that a name stands for, as a spec string.

    Raises:
        UsageError: there is none of that name; the message has the names that come near, or why
            it is left out.

    Examples:
        >>> steps_of("weave.butterfingers")
        'keyboard_typos:count=1'
    """
    library, _, _ = name.partition(".")
    libraries = {each.partition(".")[0] for each in drop_ins()} | {"nlpaug"}
    if library not in libraries:
        raise UsageError(
            f"{unknown('library', library, libraries)}; what stands for names of others is in "
            "the pages on coming from another library, docs/migration; perturbators of a Python "
            "file are known by their names with --plugin FILE"
        )
    if name in left_out():
        raise UsageError(f"{name} stands for no steps here: {left_out()[name]}")
    if name not in drop_ins():
        raise unknown("drop-in name", name, drop_ins())
    return drop_ins()[name].steps
