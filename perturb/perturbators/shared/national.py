"""Texts that are typed on the keyboards of their languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import count
from perturb.engine.sites import Kinds, Sites
from perturb.engine.text.characters import Script, of_script
from perturb.engine.text.scripts import of_texts
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Int64, UInt8

# The keyboards of languages in Latin script, which Dutch and others type on us.
NATIONAL = {"cs": "cz", "da": "dk", "sv": "se"} | {
    code: code for code in "de es fi fr hu it no pl pt ro tr".split()
}
_BEYOND_ASCII = 0x80
# Letters of Korean have no lower code points.
_FIRST_KOREAN = 0x1100


def by_language(
    batch: Batch,
    layout: str,
    typed: Callable[[Batch, str], Sites],
    national: Mapping[str, str] = NATIONAL,
) -> Sites:
    """Return the sites on a keyboard; with "auto" on that of the language of each text.

    Only texts with a Latin letter beyond ASCII, or with Korean ones, are looked at.

    Args:
        batch: the texts.
        layout: the keyboard, or "auto".
        typed: returns the sites of texts on a keyboard, or on those of "auto".
        national: the keyboards of languages.
    """
    sites = typed(batch, layout)
    if layout != "auto":
        return sites
    names = ("", *sorted({*national.values()}))

    def choose(texts: Strings) -> UInt8:
        if texts.codes.max(initial=0) < _BEYOND_ASCII:
            return np.zeros(len(texts), np.uint8)  # before the tables of words are loaded
        codes, numbers = _languages(texts)
        places = [names.index(national.get(code, "")) for code in codes]
        return np.array(places, np.uint8)[numbers]

    return batch.of_kinds(sites, Kinds(names, choose, typed))


@lru_cache(maxsize=2)  # the steps of a grid come to the same texts
def _languages(texts: Strings) -> tuple[Sequence[str], Int64]:
    """Return the codes of languages, and the number of the language of each text."""
    # Only here, since it reads tables of words.
    from perturb.lexicon.english import language_codes, language_numbers

    numbers = language_numbers(texts, has_letter=True)
    codes = [*language_codes(), "ko"]
    (places,) = (texts.codes >= _FIRST_KOREAN).nonzero()
    places = places[of_script(Script.HANGUL).mask(texts.codes[places])]
    (rows,) = count(places, np.append(texts.starts, len(texts.codes))).nonzero()
    if len(rows):
        batch = Batch(texts.apart(rows), np.zeros(len(rows), np.uint64))
        numbers[rows[of_texts(batch) == Script.HANGUL]] = len(codes) - 1
    return codes, numbers
