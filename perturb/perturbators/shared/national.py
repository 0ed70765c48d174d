"""Texts that are typed on the keyboards of their languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import cast

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, OrderedSites, Sites, Write
from perturb.engine.text.characters import CharacterSet, Script, of_script
from perturb.engine.text.scripts import latin_beyond_ascii, of_texts
from perturb.engine.text.strings import Strings, stack

# The keyboards of languages in Latin script, which Dutch and others type on us.
NATIONAL = {"cs": "cz", "da": "dk", "sv": "se"} | {
    code: code for code in "de es fi fr hu it no pl pt ro tr".split()
}


def by_language(
    batch: Batch,
    layout: str,
    typed: Callable[[str], Sites],
    national: Mapping[str, str] = NATIONAL,
) -> Sites:
    """Return the sites on a keyboard; with "auto" on that of the language of each text.

    Only texts with a Latin letter beyond ASCII, or with Korean ones, are looked at.

    Args:
        batch: the texts.
        layout: the keyboard, or "auto".
        typed: returns the sites of all texts on a keyboard, or on those of "auto".
        national: the keyboards of languages.
    """
    sites = typed(layout)
    if layout != "auto":
        return sites
    revise = partial(_on_national, batch, sites, typed, national)
    return batch.revised(sites, _national_letters(), revise)


@cache
def _national_letters() -> CharacterSet:
    """Return the letters that say that a text may be typed on a keyboard of its language."""
    latin, korean = latin_beyond_ascii(), of_script(Script.HANGUL)
    return CharacterSet(lambda part: latin.first(part.stop) | korean.first(part.stop))


def _on_national(
    batch: Batch, sites: Sites, typed: Callable[[str], Sites], national: Mapping[str, str]
) -> Sites:
    """Return sites, but in texts of other languages than English those on their keyboards."""
    from perturb.lexicon.english import foreign_languages  # it has tables of words

    codes = np.where(of_texts(batch) == Script.HANGUL, "ko", foreign_languages(batch)).tolist()
    names = [national.get(code, "") for code in codes]
    owner = np.unique(names, return_inverse=True)[1]
    if not any(names):
        return sites
    parts = [typed(name) if name else sites for name in sorted(set(names))]
    parts = [part.of_texts(owner == n, batch.edges) for n, part in enumerate(parts)]
    writes = [cast(Write, part.write) for part in parts]

    def write(chosen: Chosen) -> Strings:
        of_site = owner[batch.text_of(chosen.texts.starts)]
        rows = [np.flatnonzero(of_site == n) for n in range(len(writes))]
        written = [write(chosen.take(own)) for write, own in zip(writes, rows, strict=True)]
        return stack(*written).take(np.concatenate(rows).argsort())

    starts = np.concatenate([part.starts for part in parts])
    order = starts.argsort()
    ends = np.concatenate([part.ends for part in parts])[order]
    ranks = np.concatenate([part.ranks(batch.keys, batch.edges) for part in parts])[order]
    merged = OrderedSites(starts[order], ends, sites.unit, ranks)
    merged.write = write
    written = [part.scripts for part in (sites, *parts) if part.scripts is not None]
    return merged.limited(scripts=frozenset().union(*written) if written else None)
