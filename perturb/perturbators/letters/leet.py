"""Letters as the digits and signs that look like them."""

from __future__ import annotations

from functools import cache
from typing import Literal

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.substitution import substitutions
from perturb.engine.text.characters import Alternatives
from perturb.engine.text.unicode import Script
from perturb.registry.registry import perturbator
from perturb.resources import read_rows


@perturbator(
    "leetspeak",
    unit="place",
    version=2,
    summary="Write letters as digits and signs that look like them: l33t.",
    label_risk="high",
    touches={"letters", "digits", "punctuation"},
    source="own table (wordlists/leet/leet.tsv)",
)
def leetspeak(batch: Batch, *, level: Literal[1, 2, 3] = 1) -> Sites:
    """Replace letters of the basic Latin alphabet; `p` is a share of those in the table.

    Args:
        batch: the texts.
        level: 1 for the digits that everyone reads, 2 for signs and rarer digits as well, 3 for
            letters drawn with several signs as well.
    """
    sites = substitutions(batch, _table(level), unit="place")
    return sites.limited(scripts=frozenset({Script.LATIN}))


@cache
def _table(level: int) -> Alternatives:
    table: dict[str, list[str]] = {}
    for letter, written, needed in read_rows("leet", "leet.tsv"):
        if int(needed) <= level:
            table.setdefault(letter, []).append(written)
            table.setdefault(letter.upper(), []).append(written)
    return Alternatives(table)
