"""The passages that a question is asked about, as retrieval gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.prompts._contradictions import contradicted, outdated, rewritten
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
from perturb.registry.from_regex import KeyedRandom

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
