"""Spans of passages, as citations of an answer have them: each names the passage that it is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.json_path import Location
from perturb.io.jsonl import value_of_json
from perturb.plan.job import Job
from perturb.records.option_sets import OptionSet, options_in
from perturb.rows.item_field import ItemList, item_list
from perturb.rows.span_field import Labels, check_span, labels_of
from perturb.rows.target_field import share_lists
from perturb.values.spans import in_characters


class Quoted(NamedTuple):
    """The text in an item that a span is of.

    Attributes:
        place: the place of the item in its list.
        string: the number of the text among the strings of the item.
        location: where the text is in the row.
        text: the text.
    """

    place: int
    string: int
    location: Location
    text: str


class Cited(NamedTuple):
    """A list of spans, each of a text in an item of a list.

    Attributes:
        labels: the spans.
        home: where the list of items is.
        at: the depth at which the location of spans that are in an item, and move with it, has
            the place of the item; 0 for others.
        size: how many items the list has.
        texts: the text of each span; None for one that names no item.
    """

    labels: Labels
    home: Location
    at: int
    size: int
    texts: Sequence[Quoted | None]


def cited_in(
    row: Mapping[str, Any], sets: Sequence[tuple[OptionSet, str]], job: Job
) -> Iterator[Cited]:
    """Yield the spans of a row that are of texts in items of `choices`.

    Raises:
        DataError: a span names no text, or doesn't lie in it.
    """
    paths = job.choice_paths
    for source in (each for each in job.spans if each.is_within(paths, job.field)):
        texts = [*_texts(row, source.text or paths[0])]
        for location, value in json_path.locate(row, source.path):
            labels = labels_of(location, value, None)
            for options, text in sets:
                home = options.home
                own = [each for each in texts if home and each[0][: len(home)] == home]
                is_of = bool(own) or not texts  # those that lead nowhere are refused
                if is_of and labels.spans and share_lists(home, location):
                    items = options_in(text, options.is_json)
                    names, _ = item_list(row, options, items, job)
                    at = _depth(location, home) if location[: len(home)] == home else 0
                    quoted = [_quoted(*each, home, items, options.is_json) for each in own]
                    yield _cited(row, Cited(labels, home, at, len(items), quoted), names, job)


def _texts(row: Mapping[str, Any], path: str) -> Iterator[tuple[Location, str]]:
    """Yield the texts that a path leads to, or to a list of them."""
    for location, value in json_path.locate(row, path):
        inner = enumerate(value) if isinstance(value, list) else ()
        for where, text in ((location, value), *(((*location, at), each) for at, each in inner)):
            if isinstance(text, str):
                yield where, text


def _depth(location: Location, home: Location) -> int:
    """Return the depth at which a location in a list, or in columns, has the place of an item."""
    return next(at for at in range(len(home), len(location)) if isinstance(location[at], int))


def _quoted(
    location: Location, text: str, home: Location, items: Sequence[str], is_json: bool
) -> Quoted:
    at = _depth(location, home)
    place, inner = int(location[at]), (*location[len(home) : at], *location[at + 1 :])
    strings = [*strings_in(value_of_json(items[place]), ())] if is_json else [inner]
    return Quoted(place, strings.index(inner), location, text)


def strings_in(value: Any, location: Location) -> Iterator[Location]:
    """Yield where the strings of a value are, in order."""
    if isinstance(value, str):
        yield location
    elif isinstance(value, Mapping | list):
        for key, part in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from strings_in(part, (*location, key))


def _cited(row: Mapping[str, Any], given: Cited, names: ItemList, job: Job) -> Cited:
    """Return spans, each with the text that it is of, among those that it may be of."""
    labels, path = given.labels, json_path.written(given.labels.location)
    by_place = dict[int, list[Quoted]]()
    for text in given.texts:
        if text is not None:
            by_place.setdefault(text.place, []).append(text)
    of_each = labels.spans is labels.value
    answers = _answers(row, job, len(labels.location) + of_each)
    spans, found = list[Any](), list[Quoted | None]()
    for number, span in enumerate(labels.spans):
        at = (*labels.location, number) if of_each else labels.location
        places: set[Any] | None = {labels.location[given.at]} if given.at else None
        if not given.at and at in answers:
            places = {place for each in answers[at] for place in names.places(*each)}
        own = [text for place in places or () for text in by_place.get(place, ())]
        if places is None or len(own) > 1 or (places and not own):
            listed = json_path.written(given.home)
            raise DataError(
                f"the span {shown(span)} in {path!r} must be of one text of one passage: name the "
                f"field in it that names the passage, as in --target '{path}[*].passage' (target= "
                f"in Python), and the text, as in --spans '{listed}[*].text={path}' (spans=)"
            )
        found += own or [None]
        for text in own:
            if job.offsets != "characters":
                span = in_characters(span, text.text, job.offsets)
            check_span(span, path, text.text)
        spans.append(span)
    return given._replace(labels=labels._replace(spans=spans), texts=found)


def _answers(
    row: Mapping[str, Any], job: Job, depth: int
) -> dict[Location, list[tuple[Any, Location]]]:
    """Return the right answers and their locations, by so many parts of these."""
    found = dict[Location, list[tuple[Any, Location]]]()
    for path in job.target:
        for place, value in json_path.locate(row, path):
            found.setdefault(place[:depth], []).append((value, place))
    return found
