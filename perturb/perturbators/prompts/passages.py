"""The passages that a question is asked about, as retrieval gives them."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Literal

import numpy as np
import orjson

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.people.people import name_swap
from perturb.perturbators.people.places import entity_swap
from perturb.perturbators.prompts._items import (
    Item,
    Listed,
    Runs,
    added,
    changed,
    check_pool,
    drawn,
    form_of,
    item_sites,
)
from perturb.perturbators.tools._json import values_in
from perturb.registry.definition import Perturbator
from perturb.registry.from_regex import KeyedRandom
from perturb.values.lists import in_lines, on_one_line
from perturb.values.spans import rebuild

# Start, end, and the new text.
Edit = tuple[int, int, str]
Rewrite = Callable[[str, KeyedRandom], Sequence[Edit]]

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
# Of what may be a year of any age, another last digit gives one too.
_LIKE_A_YEAR = re.compile(r"1\d{3}|20\d\d")
# How many years a stale passage is back, at most. Chosen by hand.
_YEARS = 3


def rewritten(
    item: str, is_json: bool, rewrite: Rewrite, rng: KeyedRandom
) -> tuple[str, list[tuple[int, int, int, str]]]:
    """Return an item of a list with its texts rewritten as one; all else in it stays.

    Returns:
        The item; and its edits, each with the number of its text among the strings of the item.
    """
    places = [(0, len(item))]
    texts = {0: in_lines(item)}
    if is_json:
        said = [value for value in values_in(item) or () if value.kind == "string"]
        places = [(value.start, value.end) for value in said] or places
        texts = {
            number: orjson.loads(item[slice(*place)])
            for number, place in enumerate(places)
            if item[place[0]] == '"' and not (said and _NAMES.search(said[number].name))
        }
    starts = [0, *accumulate(len(text) + len(_GAP) for text in texts.values())]
    own: dict[int, list[Edit]] = {number: [] for number in texts}
    for start, end, new in rewrite(_GAP.join(texts.values()), rng):
        at = bisect(starts, start) - 1
        number, base = [*texts][at], starts[at]
        if end - base > len(texts[number]):
            return item, []  # a name that stands across two texts
        own[number].append((start - base, end - base, new))
    for number in reversed(texts):
        if own[number]:
            start, end = places[number]
            text = rebuild(texts[number], own[number])
            new = orjson.dumps(text).decode() if is_json else on_one_line(text)
            item = item[:start] + new + item[end:]
    return item, [(number, *edit) for number, edits in own.items() for edit in edits]


def contradicted(text: str, rng: KeyedRandom) -> Sequence[Edit]:
    """Return the edits that write another place or time for one, or else a number, or a name."""
    ways = (_swapped(entity_swap), _other_number, _swapped(name_swap))
    return next(filter(None, (way(text, rng) for way in ways)), ())


def _swapped(kind: Perturbator) -> Rewrite:
    """Return a function that does to one name of a text what a consistent perturbator does to all.

    If all were others, the text would be about something else, and contradict nothing.
    """

    def rewrite(text: str, rng: KeyedRandom) -> Sequence[Edit]:
        batch = Batch(Strings.of_texts([text]), np.array([rng.below(1 << 63)], np.uint64))
        sites = kind(batch)
        if not len(sites.starts) or (sites.refused is not None and sites.refused[0]):
            return ()
        chosen = sites.parts(batch.chosen(Strings(batch.codes, sites.starts, sites.ends)))
        chosen.sites = sites
        assert sites.write is not None  # swaps write
        spans, base = chosen.texts, int(batch.texts.starts[0])
        names = spans.to_list()
        title = text.partition(_GAP)[0] if _GAP in text else ""  # it may say what all is about
        known = dict.fromkeys(names)
        one = rng.choice([name for name in known if name not in title] or [*known])
        ends = (spans.starts - base).tolist(), (spans.ends - base).tolist()
        edits = zip(names, *ends, sites.write(chosen).to_list(), strict=True)
        return [(start, end, new) for name, start, end, new in edits if name == one != new]

    return rewrite


def _other_number(text: str, rng: KeyedRandom) -> Sequence[Edit]:
    """Return the edits that write another number in the place of one, everywhere."""
    found = dict.fromkeys(match[1] for match in _NUMBER.finditer(text) if match[1])
    if not found:
        return ()
    old = rng.choice([*found])
    at = len(old) - 1 if _LIKE_A_YEAR.fullmatch(old) else 0
    digits = "0123456789"[at == 0 :]
    new = old[:at] + rng.choice(digits.replace(old[at], "")) + old[at + 1 :]
    return [(*match.span(1), new) for match in _NUMBER.finditer(text) if match[1] == old]


def outdated(text: str, rng: KeyedRandom) -> Sequence[Edit]:
    """Return the edits that put years of dates one to three back, wherever they are."""
    back = 1 + rng.below(_YEARS)
    years = {match[1] or match[2] for match in _YEAR.finditer(text)}
    matches = (match for match in _ANY_YEAR.finditer(text) if match[0] in years)
    return [(*match.span(), str(int(match[0]) - back)) for match in matches]


Kind = Literal[
    "shuffle", "repeat", "distract", "drop", "drop_gold", "drop_other", "contradict",
    "contradict_gold", "contradict_other", "stale", "stale_gold", "stale_other",
]  # fmt: skip
_REWRITES = {"contradict": contradicted, "stale": outdated}


@text_perturbator(
    "passages",
    version=3,
    touches={"words", "digits", "letters", "case", "punctuation", "space", "order", "meaning"},
    on_options={},
    whole_items=True,
    expect="same",
    expect_of_kind={
        "drop_gold": "abstain",
        **dict.fromkeys(
            ("drop", "contradict", "contradict_gold", "stale", "stale_gold"), "unknown"
        ),
    },
    source="F. Shi et al., Large Language Models Can Be Easily Distracted by Irrelevant Context, "
    "ICML 2023; N. F. Liu et al., Lost in the Middle, TACL 2024; F. Cuconasu et al., The Power of "
    "Noise, SIGIR 2024",
    example='["Oslo is the capital of Norway.", "Bergen is its second city.", "It rains there."]',
)
def passages(batch: Batch, *, kind: Kind = "shuffle", pool: File | None = None) -> Sites:
    """Reorder, repeat, drop, add or contradict passages that a question is asked about.

    Change a list of passages, each as a whole; `p` is a share of the lists.

    A list is a field of `choices`, of strings, objects or lists, or an object of columns; or a text
    that is a list in JSON. Right answers follow (see `target` of `augment`): numbers, texts and ids
    of gold passages, words that are in all of them, and lists beside it with an entry for each, as
    of ids, titles or flags. What nobody names there is refused, and no passage is of another row.

    Args:
        batch: the texts.
        kind: "shuffle" puts them in another order; "repeat" puts one in again anywhere;
            "distract" puts in one of `pool`; "drop" leaves one out; "contradict" writes another
            place, weekday or month in place of one in it, or else another number or name, all
            through the passage, with names as in English; "stale" sets its years back by one to
            three. With "_gold" these act on all passages that a right answer names, with "_other"
            on one of the others.
        pool: a text file in UTF-8 to draw from, with a passage on each line; or, if its name ends
            in .jsonl, a string, object or list, which fits where those of the list have the same
            keys. The step then holds its SHA-256 after the path.
    """
    check_pool("passages", pool, kind == "distract")
    name, _, which = kind.partition("_")

    def edited(one: Listed, runs: Runs, rng: KeyedRandom) -> Sequence[Item] | str:
        items, new, is_other = one.items, None, False
        gold = one.gold or frozenset()
        if which and not gold:
            return "no answer names a gold passage"
        order = rng.sample(range(len(items)), len(items))
        places = [at for at in order if not which or (at in gold) == (which == "gold")]
        if not places:
            return "no other passage"
        if name in _REWRITES:
            for at in places:
                now = Item(at, *rewritten(items[at].text, one.is_json, _REWRITES[name], rng))
                items[at] = now
                is_other |= bool(now.edits)
                if is_other and which != "gold":
                    break
            return items if is_other else "no passage says what could be otherwise"
        if pool is not None:
            values = one.values()
            value = drawn(pool, rng, {*map(form_of, values)}, lambda value: value not in values)
            if value is None:
                return "no passage of the pool fits"
            new = [added(value, one)]
        elif name == "repeat":
            new = [items[places[0]]]
        gone = places if which == "gold" else places[:1]
        return changed(one, runs, gone, new, rng) or "no passage would be left"

    def each(one: Listed) -> Runs:
        return [(at, at + 1) for at in range(len(one.spans))]

    return item_sites(batch, each, None if kind == "shuffle" else edited)
