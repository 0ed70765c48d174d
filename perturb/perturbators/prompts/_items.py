"""Lists of items in texts, such as passages and messages: changed as whole items."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.boundary import File, lines_of
from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings
from perturb.errors import UsageError
from perturb.perturbators.prompts._permutations import shuffled
from perturb.perturbators.tools._json import values_in
from perturb.registry.from_function import writer
from perturb.registry.from_regex import KeyedRandom
from perturb.values.lists import in_lines, on_one_line

# The first of items in a prompt: [1], 1., Document 1:, Passage [1](Title: ...).
_NUMBERED = re.compile(
    r"(?im)^\W{0,3}(?:\[1\]|(?:document|doc|passage|source|context)\s*\[?1\b|1[.)] )"
)


class Item(NamedTuple):
    """An item after a step.

    Attributes:
        place: the place that it had; None for a new one.
        text: its text.
        edits: the edits of the strings of its value: the number of one, the start and end there,
            and the new text.
    """

    place: int | None
    text: str
    edits: Sequence[tuple[int, int, int, str]] = ()


class Listed(NamedTuple):
    """A list in a text.

    Attributes:
        row: the number of the text.
        text: the text.
        spans: where each item starts and ends in it.
        gold: the places of those that right answers name; None where no answer names one.
        is_json: whether they are JSON, or lines.
    """

    row: int
    text: str
    spans: Sequence[tuple[int, int]]
    gold: frozenset[int] | None
    is_json: bool

    @property
    def items(self) -> list[Item]:
        """The items as they are."""
        return [Item(at, self.text[start:end]) for at, (start, end) in enumerate(self.spans)]

    def values(self) -> list[Any]:
        """Return the values of the items."""
        read = orjson.loads if self.is_json else in_lines
        return [read(item.text) for item in self.items]


# Where runs of adjacent items start and end, one after the other.
Runs = Sequence[tuple[int, int]]
# Gives the items of a list after a step, or why there is no such change.
Change = Callable[[Listed, Runs, KeyedRandom], Sequence[Item] | str]


def _lists(batch: Batch) -> Iterator[Listed]:
    """Yield the texts that are lists, of lines or in JSON, with an item at least."""
    are_lines = np.zeros(len(batch.texts), np.bool_) if batch.lists is None else batch.lists
    pairs = zip(batch.texts.to_list(), are_lines.tolist(), strict=True)
    for row, (text, is_lines) in enumerate(pairs):
        spans: Sequence[tuple[int, int]] = ()
        if is_lines:
            ends = np.cumsum([len(line) + 1 for line in text.split("\n")]).tolist()
            spans = [(a, b - 1) for a, b in zip([0, *ends], ends, strict=False)]
        elif (values := values_in(text)) and values[-1].kind == "list":
            spans = values[-1].parts
        named = None if batch.beside is None else batch.beside[row]
        items = [text[start:end] for start, end in spans]
        gold = frozenset(at for at, item in enumerate(items) if item in named) if named else None
        yield Listed(row, text, spans, gold, not is_lines)


def item_sites(
    batch: Batch, runs_of: Callable[[Listed], Runs | str], change: Change | None
) -> Sites:
    """Return a site in each list that changes, with its whole change.

    Args:
        batch: the texts.
        runs_of: gives the runs of a list that may move, or why it has none.
        change: gives its items after the step; None to put the runs in another order.
    """
    refused, known = dict[int, str](), list[tuple[Listed, Runs]]()
    for one in _lists(batch):
        runs: Runs | str = "no list of items"
        if one.spans:
            runs = runs_of(one)
        elif _NUMBERED.search(one.text):
            runs = "items that are numbered within a text: copy them to a list of their own"
        if isinstance(runs, str):
            refused[one.row] = runs
        else:
            known.append((one, runs))
    made: Iterator[Sequence[Item] | str]
    if change is None:
        made = _reordered(batch, known)
    else:
        keys = batch.keys.tolist()
        made = (change(one, runs, KeyedRandom(keys[one.row], 0)) for one, runs in known)
    spans, texts, notes = list[tuple[int, int]](), list[str](), dict[int, dict[str, Any]]()
    for (one, runs), items in zip(known, made, strict=True):
        before = [each.text for each in one.items]
        if not isinstance(items, str) and [each.text for each in items] == before:
            items = "one alone has no other order" if len(runs) == 1 else "all items are the same"
        if isinstance(items, str):
            refused[one.row] = items
            continue
        start, end, text = _edit(one, items)
        base = int(batch.texts.starts[one.row])
        spans.append((base + start, base + end))
        texts.append(text)
        edits = [[at, *edit] for at, item in enumerate(items) for edit in item.edits]
        notes[one.row] = {"order": [item.place for item in items]}
        if edits:
            notes[one.row]["rewritten"] = edits
    starts, ends = np.array(spans, np.intp).reshape(-1, 2).T
    rows = [*notes]

    def note(chosen: Chosen) -> Mapping[int, Mapping[str, Any]]:
        taken = [rows[row] for row in chosen.rows.tolist()]
        changed = {row: notes[row] for row in taken}
        return {row: {"refused": [why]} for row, why in refused.items()} | changed

    return Sites(starts, ends, "text", writer(starts, texts), note=note)


def _reordered(
    batch: Batch, known: Sequence[tuple[Listed, Runs]]
) -> Iterator[Sequence[Item] | str]:
    """Yield the items of each list with its runs in another order."""
    base = batch.texts.starts.tolist()
    spans = [
        (base[one.row] + one.spans[first][0], base[one.row] + one.spans[last - 1][1])
        for one, runs in known
        for first, last in runs
    ]
    starts, ends = np.array(spans, np.intp).reshape(-1, 2).T
    group = np.arange(len(known)).repeat([len(runs) for _, runs in known])
    order = shuffled(batch.chosen(Strings(batch.codes, starts, ends)), group)
    at = 0
    for one, runs in known:
        now, items = [runs[row - at] for row in order[at : at + len(runs)].tolist()], one.items
        at += len(runs)
        yield _replaced(items, runs, [items[first:last] for first, last in now])


def changed(
    one: Listed, runs: Runs, places: Collection[int], new: Sequence[Item] | None, rng: KeyedRandom
) -> list[Item]:
    """Return the items of a list without some runs of them, or with one more anywhere.

    Args:
        one: the list.
        runs: the runs that may move.
        places: those that go, if there is no new one.
        new: the items of the new one.
        rng: draws its place.
    """
    items = one.items
    groups = [items[first:last] for first, last in runs]
    if new is None:
        groups = [group for at, group in enumerate(groups) if at not in places]
    else:
        groups.insert(rng.below(len(groups) + 1), [*new])
    return _replaced(items, runs, groups)


def _replaced(items: Sequence[Item], runs: Runs, groups: Iterable[Sequence[Item]]) -> list[Item]:
    """Return items with others in the place of adjacent runs of them."""
    return [*items[: runs[0][0]], *chain.from_iterable(groups), *items[runs[-1][1] :]]


def _edit(one: Listed, now: Sequence[Item]) -> tuple[int, int, str]:
    """Return the one edit that makes a list of items of another."""
    before, spans = one.items, one.spans
    between = (
        one.text[spans[0][1] : spans[1][0]] if len(spans) > 1 else "," if one.is_json else "\n"
    )
    most = min(len(before), len(now))
    head = next((at for at in range(most) if before[at] != now[at]), most)
    most -= head
    tail = next((at for at in range(most) if before[-1 - at] != now[-1 - at]), most)
    last, new = len(before) - tail, [item.text for item in now[head : len(now) - tail]]
    if head:
        return spans[head - 1][1], spans[last - 1][1], "".join(between + text for text in new)
    if tail:
        return spans[0][0], spans[last][0], "".join(text + between for text in new)
    return spans[0][0], spans[-1][1], between.join(new)


def form_of(value: Any) -> Any:
    """Return what two items have in common that fit the same list."""
    if isinstance(value, dict):
        return frozenset(value)
    return frozenset(type(part) for part in value) if isinstance(value, list) else type(value)


@lru_cache(maxsize=4)
def pool_of(file: File) -> tuple[Sequence[str], Sequence[Any]]:
    """Return the lines of a caller's file, and the form of each.

    They are texts, or JSON where the name ends in .jsonl. Values are read again when they are
    drawn: a large pool would take twice the memory otherwise.
    """
    lines = lines_of(file)
    if not _holds_json(file):
        return lines, [str] * len(lines)
    known: dict[Any, Any] = {}
    try:
        forms = (form_of(orjson.loads(line)) for line in lines)
        return lines, [known.setdefault(form, form) for form in forms]
    except ValueError as error:
        raise UsageError(f"{file.path}: a line isn't JSON: {error}") from None


def _holds_json(file: File) -> bool:
    return file.path.endswith(".jsonl")


def drawn(
    pool: File, rng: KeyedRandom, wanted: Collection[Any], fits: Callable[[Any], bool]
) -> Any:
    """Return the first value of a pool, from a drawn place on, that fits and is of a wanted form.

    None if none does.
    """
    lines, forms = pool_of(pool)
    read: Callable[[str], Any] = orjson.loads if _holds_json(pool) else str
    start = rng.below(len(lines))
    turned = chain(range(start, len(lines)), range(start))
    values = (read(lines[at]) for at in turned if forms[at] in wanted)
    return next(filter(fits, values), None)


def added(value: Any, one: Listed) -> Item:
    """Return a value as a new item of a list."""
    return Item(None, orjson.dumps(value).decode() if one.is_json else on_one_line(value))


def check_pool(step: str, pool: File | None, needed: bool, form: Any = None) -> None:
    """Refuse a pool that nothing draws from, or its lack; and one that can't be read.

    Args:
        step: the step.
        pool: its pool.
        needed: whether it draws.
        form: the only form of values that it can use, if there is one: lists of messages.
    """
    if needed != (pool is not None):
        raise UsageError(
            f"{step}:kind=distract draws from a file: give both kind=distract and pool=FILE, or "
            f"neither; got {'no pool' if pool is None else f'pool={pool.path}'}"
        )
    if pool is not None and form not in (None, *pool_of(pool)[1]):
        raise UsageError(
            f"{step}: no line of {pool.path} is a list of messages in JSON, such as "
            '[{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]; '
            "the name of such a file ends in .jsonl"
        )
