"""Passages that say something else than they did: other facts, or older dates."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import orjson

from perturb.engine.batch import Batch
from perturb.engine.edits import Edits
from perturb.engine.text.strings import Strings
from perturb.perturbators.people.people import name_swap
from perturb.perturbators.people.places import entity_swap
from perturb.perturbators.tools._json import values_in
from perturb.registry.definition import Perturbator
from perturb.registry.from_regex import KeyedRandom
from perturb.values.lines import IN_LINES, ON_ONE_LINE

Rewrite = Callable[[str, KeyedRandom], str]

# Between the texts of a passage, which are one text, so that its title and its sentences agree.
_GAP = "\n\x1d\n"
# The names of texts that say nothing of the world.
_NAMES = re.compile(r"(?i)(id|url|uri|link|source|type|role)$")
_MONTHS = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    "Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
# A number that is no part of a word, a code or a time; behind a day of a month, which is none.
_NUMBER = re.compile(
    rf"\b(?:{_MONTHS})\.?\s\d{{1,2}}\b|\b\d{{1,2}}\s(?:of\s)?(?:{_MONTHS})\b"
    r"|(?<![\w.,:/-])(\d+(?:[.,]\d+)*)(?!\w|[.,:/-]\w)"
)
# A number from 1900 to 2099 is a year behind such a word, in brackets, ranges, lists and dates.
_YEAR = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|to|of|during|after|before|around|early|late|year|and|"
    rf"{_MONTHS})\.?,?\s(?:\d{{1,2}},?\s)?|\(|(?<=\d/)|(?<=[·;|]\s)|(?<=(?:19|20)\d\d[–-])"
    r"|(?<=(?:19|20)\d\d,\s))"
    r"((?:19|20)\d\d)(?![\w%]|[.,]\d)"
    r"|(?<![\w.,$€£-])((?:19|20)\d\d)(?=-[01]\d-|[–-](?:19|20)\d\d|\)|\s·)",
    re.IGNORECASE,
)
_ANY_YEAR = re.compile(r"(?<![\w$€£])(?<!\d[.,])(?:19|20)\d\d(?![\w%]|[.,]\d)")
# How many years a stale passage is back, at most. Chosen by hand.
_YEARS = 3


def rewritten(item: str, is_json: bool, rewrite: Rewrite, rng: KeyedRandom) -> str:
    """Return an item of a list with its texts rewritten as one; all else in it stays."""
    if not is_json:
        return rewrite(item.translate(IN_LINES), rng).translate(ON_ONE_LINE)
    values = values_in(item)
    places = [(0, len(item))] * item.startswith('"')
    if values:
        said = [value for value in values if value.kind == "string"]
        places = [(value.start, value.end) for value in said if not _NAMES.search(value.name)]
    texts = [orjson.loads(item[start:end]) for start, end in places]
    after = rewrite(_GAP.join(texts), rng).split(_GAP)
    if len(after) == len(texts):
        for (start, end), old, new in reversed([*zip(places, texts, after, strict=True)]):
            if old != new:
                item = item[:start] + orjson.dumps(new).decode() + item[end:]
    return item


def contradicted(text: str, rng: KeyedRandom) -> str:
    """Return a text with another place or time for one of its own, or else a number, or a name."""
    for rewrite in (_swapped(entity_swap), _other_number, _swapped(name_swap)):
        after = rewrite(text, rng)
        if after != text:
            return after
    return text


def _swapped(kind: Perturbator) -> Rewrite:
    """Return a function that does to one name of a text what a consistent perturbator does to all.

    If all were others, the text would be about something else, and contradict nothing.
    """

    def rewrite(text: str, rng: KeyedRandom) -> str:
        batch = Batch(Strings.of_texts([text]), np.array([rng.below(1 << 63)], np.uint64))
        sites = kind(batch)
        if not len(sites.starts) or (sites.refused is not None and sites.refused[0]):
            return text
        chosen = sites.parts(batch.chosen(Strings(batch.codes, sites.starts, sites.ends)))
        chosen.sites = sites
        assert sites.write is not None  # swaps write
        edits = Edits(chosen.texts.starts, chosen.texts.ends, sites.write(chosen))
        names = chosen.texts.to_list()
        title = text.partition(_GAP)[0] if _GAP in text else ""  # it may say what all is about
        known = dict.fromkeys(names)
        one = rng.choice([name for name in known if name not in title] or [*known])
        return (
            edits.keep(np.array([name == one for name in names])).apply(batch.texts).to_texts()[0]
        )

    return rewrite


def _other_number(text: str, rng: KeyedRandom) -> str:
    """Return a text with another number in the place of one, everywhere."""
    found = dict.fromkeys(match[1] for match in _NUMBER.finditer(text) if match[1])
    if not found:
        return text
    old = rng.choice([*found])
    at = len(old) - 1 if _ANY_YEAR.fullmatch(old) else 0
    digits = "0123456789"[at == 0 :]
    new = old[:at] + rng.choice(digits.replace(old[at], "")) + old[at + 1 :]
    return _NUMBER.sub(lambda match: new if match[1] == old else match[0], text)


def outdated(text: str, rng: KeyedRandom) -> str:
    """Return a text with the years of its dates one to three years back, wherever they are."""
    back = 1 + rng.below(_YEARS)
    years = {match[1] or match[2] for match in _YEAR.finditer(text)}
    return _ANY_YEAR.sub(
        lambda match: str(int(match[0]) - back) if match[0] in years else match[0], text
    )
