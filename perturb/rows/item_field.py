"""What belongs to a list whose items move, go and come whole: gold ones, ids, flags beside it.

A step on whole items says in its note `order` which item, by its place before the step, is now at
each place; None for one that is new; and in `rewritten` the edits of items, each with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.json_path import Location
from perturb.io.jsonl import dumps, value_of_json
from perturb.plan.job import Job
from perturb.records.option_sets import OptionSet, value_at
from perturb.rows.target_field import is_fixed, share_lists

# The edits of an item by one step: of each the number of a string in it, start, end, and text.
Told = Sequence[Sequence[Any]]


class ItemList(NamedTuple):
    """A list of items before the steps, and what names one.

    Attributes:
        names: of each item the strings in it, and the numbers that are ids.
        columns: the lists beside it, with an id of each item.
        first: the number of the first item, where the caller says it; "" for 0.
        around: where the object is that holds the list.
    """

    names: Sequence[Sequence[str | int]]
    columns: Sequence[Sequence[Any]]
    first: str
    around: Location

    def is_column(self, answer: Any, location: Location) -> bool:
        """Return whether an answer is a list with an entry for each item, as ids or flags are.

        Raises:
            DataError: it may as well be the numbers of items.
        """
        if not isinstance(answer, list) or len(answer) != len(self.names):
            return False
        are_numbers = {*map(type, answer)} == {int} and sorted(answer) == [*self._numbers]
        if are_numbers and _are_flags(answer) and answer != [1]:
            if self.first:
                return False
            raise DataError(
                f"{shown(answer)} may be the numbers of items or a flag for each: write flags as "
                "true and false, or say by --choices 0=PATH (choices= in Python) that they are "
                "numbers"
            )
        if _are_flags(answer) or location[:-1] != self.around:
            return _are_flags(answer)
        if sorted(map(dumps, answer)) == sorted(map(dumps, self._numbers)):
            raise DataError(
                f"{shown(answer)} is the number of each item, or the id of each in order: give ids "
                "that are strings, or leave the field out of --target (target= in Python)"
            )
        if all(part in names for part, names in zip(answer, self.names, strict=True)):
            return True  # each names the item at its own place
        return not all(any(part in names for names in self.names) for part in answer)

    def places(self, answer: Any, location: Location) -> list[int]:
        """Return the places of the items that an answer names.

        Raises:
            DataError: it names none.
        """
        if answer is None:
            return []
        if isinstance(answer, list):
            if self.is_column(answer, location):
                return [at for at, flag in enumerate(answer) if flag] if _are_flags(answer) else []
            return [place for each in answer for place in self.places(each, ())]
        named = [at for at, names in enumerate(self.names) if answer in names]
        for column in self.columns:
            named += [at for at, name in enumerate(column) if name == answer]
        is_number = isinstance(answer, str) or type(answer) is int
        number = {str(number): at for at, number in enumerate(self._numbers)}.get(
            str(answer) if is_number else ""
        )
        if number is None and not named:
            named = self._holding(answer)
        if number is None and not named:
            raise DataError(
                f"the answer {shown(answer)} names none of {len(self.names)} items, by a number "
                f"from {self.first or 0}, a text, words in one, an id or a flag for each; another "
                "one stays with perturb apply --fixed (fixed= in Python)"
            )
        if number is not None and named and not self.first:
            raise DataError(
                f"the answer {shown(answer)} is the number of an item, and an id or a text too: if "
                "it is the number, say so by --choices 0=PATH (choices= in Python); if not, leave "
                "it out of --target (target=)"
            )
        return named if number is None else [number]

    def _holding(self, answer: Any) -> list[int]:
        """Return the places of the items with a text that holds an answer, as words."""
        if not isinstance(answer, str) or not answer.strip():
            return []
        held = re.compile(rf"(?<!\w){re.escape(answer.strip())}(?!\w)")
        texts = ([name for name in names if isinstance(name, str)] for names in self.names)
        return [at for at, own in enumerate(texts) if any(map(held.search, own))]

    @property
    def _numbers(self) -> range:
        """The numbers of the items."""
        first = int(self.first or 0)
        return range(first, first + len(self.names))

    def followed(
        self,
        answer: Any,
        location: Location,
        order: Sequence[int | None],
        after: Sequence[Sequence[str | int]],
    ) -> Any:
        """Return an answer after the steps; None in place of one whose item is gone.

        Args:
            answer: the answer.
            location: where it is.
            order: for each item after the steps, the place that it had; None for a new one.
            after: the names in each of these.
        """
        if isinstance(answer, list):
            if self.is_column(answer, location):
                blank = type(answer[0])(0) if _are_flags(answer) else None
                return [blank if place is None else answer[place] for place in order]
            return [self.followed(part, (), order, after) for part in answer]
        places = self.places(answer, location)
        if places and answer not in self.names[places[0]] and places == self._holding(answer):
            return answer
        now = [at for at, place in enumerate(order) if place in places]
        if not now:
            return None
        names = self.names[places[0]]
        if str(answer) in map(str, self._numbers):
            return type(answer)(self._numbers[0] + now[0])
        if answer not in names or any(answer in after[at] for at in now):
            return answer
        return after[now[0]][names.index(answer)]


def _are_ids(answer: Sequence[Any]) -> bool:
    return {*map(type, answer)} in ({str}, {int}) and not _are_flags(answer)


def _are_flags(answer: Sequence[Any]) -> bool:
    return all(isinstance(flag, int | float) and flag in (0, 1) for flag in answer)


def names_in(items: Iterable[str], is_json: bool) -> list[list[str | int]]:
    """Return what may name each item: an item itself, or strings and ids in its JSON."""
    return [[*_names(value_of_json(item), "")] if is_json else [item] for item in items]


def _names(value: Any, key: str) -> Iterator[str | int]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _names(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _names(part, key)
    elif isinstance(value, str) or (type(value) is int and key.lower().endswith("id")):
        yield value


def item_list(
    row: Mapping[str, Any], options: OptionSet, items: Sequence[str], job: Job
) -> tuple[ItemList, set[int]]:
    """Return a list of items with the columns beside it, and the places of those that are gold.

    Raises:
        DataError: a right answer names no item, or a flag is none.
    """
    answers, gold = list[tuple[Any, Location]](), set[int]()
    named, cited = list[tuple[Any, Location]](), list[tuple[Any, Location]]()
    in_spans = tuple(source.path + sign for source in job.spans for sign in ".[")
    for path in job.target:
        located = json_path.locate(row, path)
        if is_inside(located, options):
            gold |= _flagged(located, len(options.home))
            continue
        own = [(value, place) for place, value in located if share_lists(options.home, place)]
        own = [each for each in own if not is_fixed(each[0], job.fixed)]
        answers += own
        # A cited passage is gold only where nothing else names a gold one.
        (cited if path.startswith(in_spans) else named).extend(own)
    first = options.first if options.first.isdigit() else ""
    found = ItemList(names_in(items, options.is_json), (), first, options.home[:-1])
    columns = [each[0] for each in answers if found.is_column(*each) and _are_ids(each[0])]
    found = found._replace(columns=columns)
    gold_ones = named if named or gold else cited
    return found, gold.union(*(found.places(*each) for each in gold_ones))


def following(
    row: Mapping[str, Any],
    options: OptionSet,
    items: tuple[Sequence[str], Sequence[str]],
    notes: Iterable[Mapping[str, Any]],
    job: Job,
) -> Callable[[Any, Location], Any]:
    """Return what becomes of each right answer of a row, and of each list beside the items."""
    found, _ = item_list(row, options, items[0], job)
    order = [place for place, _ in histories(len(items[0]), notes)]
    after = names_in(items[1], options.is_json)
    return lambda answer, location: found.followed(answer, location, order, after)


def histories(
    count: int, notes: Iterable[Mapping[str, Any]]
) -> list[tuple[int | None, tuple[Told, ...]]]:
    """Return of each item after the steps the place that it had, and its edits by each step.

    Args:
        count: how many items there were.
        notes: what the steps say of the list, in order.
    """
    states: list[tuple[int | None, tuple[Told, ...]]] = [(place, ()) for place in range(count)]
    for note in notes:
        if "order" in note:
            states = [(None, ()) if place is None else states[place] for place in note["order"]]
        for at, edits in groupby(note.get("rewritten", ()), itemgetter(0)):
            place, told = states[at]
            states[at] = place, (*told, [edit[1:] for edit in edits])
    return states


def is_inside(located: Sequence[tuple[Location, Any]], options: OptionSet) -> bool:
    """Return whether all values that a path leads to are in the items of a list."""
    home = options.home
    return options.is_json and bool(located) and all(at[: len(home)] == home for at, _ in located)


def _flagged(located: Sequence[tuple[Location, Any]], depth: int) -> set[int]:
    """Return the places of the items with a flag in them that is set.

    Raises:
        DataError: one is no flag.
    """
    gold = set[int]()
    for location, value in located:
        flags = value if isinstance(value, list) else [value]
        if not _are_flags([flag or 0 for flag in flags]):
            raise DataError(
                f"the field {json_path.written(location)!r} is in the items, with which it moves; "
                f"there only flags name right ones, true or 1; got {shown(value)}"
            )
        start = 0 if isinstance(value, list) else int(location[depth])
        gold |= {at for at, flag in enumerate(flags, start) if flag}
    return gold


def check_beside(row: Mapping[str, Any], home: Location, count: int, known: Sequence[str]) -> None:
    """Refuse lists beside a list with as many items, unless the caller says what becomes of them.

    Args:
        row: the row.
        home: where the list is.
        count: how many items it has.
        known: the paths that the caller names.

    Raises:
        DataError: there are some; all are named.
    """
    around = value_at(row, home[:-1])
    paths = [
        json_path.written((*home[:-1], key))
        for key, value in (around.items() if isinstance(around, Mapping) else ())
        if isinstance(value, list) and len(value) == count and key != home[-1]
    ]
    if unsaid := [
        path
        for path in paths
        if not any(each == path or each.startswith((f"{path}.", f"{path}[")) for each in known)
    ]:
        target, fixed = (
            " ".join(f"--{to} {path}" for path in unsaid) for to in ("target", "fixed")
        )
        raise DataError(
            f"{json_path.written(home)!r} has as many items as {', '.join(map(repr, unsaid))}: "
            f"name what belongs to these too, with {target} (target= in Python), and it follows; "
            f"the rest with {fixed} (fixed=), and it stays"
        )
