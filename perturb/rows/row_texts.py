"""The texts of a row, and what holds for each: answers that follow them, spans, protection."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from perturb.engine.scope import Span
from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.jsonl import text_of_json
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.plan.parts import SpanSource
from perturb.records.ids import (
    checked_id,
    given_id,
    hashes_of_rows,
    id_change,
    id_of_text,
    is_no_id,
)
from perturb.records.notation import ABSENT
from perturb.records.option_sets import OptionSet, check_form, option_sets, options_in
from perturb.records.text_field import holds_json, kind_of, text_of, texts_at
from perturb.records.texts import LISTED
from perturb.rows.cited_field import Cited, cited_in, strings_in
from perturb.rows.item_field import check_beside, is_inside, item_list
from perturb.rows.span_field import (
    Labels,
    check_span,
    labels_in_characters,
    labels_of,
    owners_of,
)
from perturb.rows.target_field import share_lists
from perturb.values.spans import ends_of

# The column of a table that says that its rows have records, each part in a column of its own.
_FLAT = f"{LINKAGE}.edits"


class Window(NamedTuple):
    """A part of a text, and where a string of the row has it too.

    Attributes:
        inside: where the string is within the copy; empty for the copy itself.
        at: where the part starts in the string.
        start: where the part starts in the text.
        end: where it ends there.
        opens: whether an insertion at its start belongs to it.
        closes: whether one at its end does.
    """

    inside: json_path.Location
    at: int
    start: int
    end: int
    opens: bool = False
    closes: bool = False


class Copy(NamedTuple):
    """A value of a row that depends on a text of it.

    Attributes:
        location: where it stands.
        value: the value.
        owner: the number of the text.
        how: how it depends on the text.
        windows: the parts of the text that it has, none of offsets, which are spans; None where
            their edits can't be followed.
        told: these words in full, with the paths of both.
    """

    location: json_path.Location
    value: Any
    owner: int
    how: str
    windows: Sequence[Window] | None
    told: str


class RowText(NamedTuple):
    """One text of a row.

    Attributes:
        location: where it stands.
        text: the text; the items of a list are the lines of one.
        items: how many items the list has; None for a string.
        number: that of its field among the job's; -1 for a right answer or options, which get no
            noise of their own, and `LISTED` for an item of a list of answers.
        key_path: what its key is made of besides the id of the row; "" for nothing.
        options: the set of options that the text is.
        beside: what steps may know of its row: of options that they move as whole items, those
            that right answers name; of other texts, the JSON at each path that steps name.
        is_json: whether the text is the JSON of an object, or of a list of objects.
    """

    location: json_path.Location
    text: str
    items: int | None
    number: int
    key_path: str
    options: OptionSet | None = None
    beside: frozenset[str] | Mapping[str, str] | None = None
    is_json: bool = False

    @property
    def follows(self) -> bool:
        """Whether it gets no noise of its own."""
        return self.number < 0

    @property
    def path(self) -> str:
        """Where it stands, as a path."""
        return json_path.written(self.location)


class RowTexts(NamedTuple):
    """A row, and the texts, answers and spans in it.

    Attributes:
        row: the row.
        id: the id of the row; None if its first text names it.
        apart: the hash of a row without an id, which keeps it apart from others of that text.
        id_change: how the id differs from what records say.
        texts: the texts, in the order of the job's paths, answers last.
        answers: where right answers stand that are no strings, and their values; the flags of
            options that are objects are one answer at several places.
        labels: the spans to move, each list with the number of its text.
        protect: for each text, where no edit may be.
        only: for each text, the spans that edits are restricted to.
        cited: the spans of texts in the items of a list.
        copies: the values that depend on texts and follow their edits; see `with_copies`.
    """

    row: Mapping[str, Any]
    id: str | None
    apart: str
    id_change: str
    texts: Sequence[RowText]
    answers: Sequence[tuple[Sequence[json_path.Location], Any]] = ()
    labels: Sequence[tuple[int, Labels]] = ()
    protect: Sequence[Sequence[Span]] = ()
    only: Sequence[Sequence[Span]] = ()
    cited: Sequence[Cited] = ()
    copies: Sequence[Copy] = ()

    @property
    def is_missing(self) -> bool:
        """True if there is no text to perturb."""
        return all(text.follows and text.options is None for text in self.texts)

    @property
    def name(self) -> str:
        """The id of the original; a row without an id and a text is named as an empty text is."""
        if self.id is not None:
            return self.id
        return id_of_text(self.texts[0].text if self.texts else "", self.apart)


def row_texts(row: Any, job: Job, apart: str | None = None) -> RowTexts:
    """Find the texts of a row.

    Args:
        row: the row.
        job: the instructions for it.
        apart: the hash of a row without an id, where it is known.

    Raises:
        DataError: the row is no mapping, or a field is missing or not of its kind.
    """
    if type(row) is not dict and not isinstance(row, Mapping):
        hints = {
            "a list": "; in JSON lines each object has a line of its own",
            "a string": "; texts that are no rows go to perturb.apply, in files to --format text",
        }
        hint = hints.get(kind_of(row), "")
        raise DataError(f"a row is a JSON object; got {kind_of(row)}{hint}")
    if LINKAGE in row or _FLAT in row:
        raise DataError(
            f"the row has a {LINKAGE!r} already; to perturb a text several times "
            "give all steps in one run"
        )
    texts: list[RowText] = []
    for number, (path, in_key) in enumerate(job.text_paths):
        texts += _texts(row, path, number, in_key, job)
    count = len(texts)
    sets = option_sets(row, job.choices) if job.choices else ()
    for options, text in sets:
        location = options.home or options.places[0]
        key_path = json_path.written(location) if texts else ""
        items = None if options.is_json else len(options.places)
        texts.append(RowText(location, text, items, -1, key_path, options))
    answers = _add_answers(texts, row, sets, job)
    if job.moves_whole_items is not None:
        texts = [_checked(row, text, job) for text in texts]
    if len(texts) > 1:
        _refuse_same(texts)
        # Equal texts of a row get equal edits: they have the key of the first.
        first: dict[str, str] = {}
        for at, each in enumerate(texts):
            if (key_path := first.setdefault(each.text, each.key_path)) != each.key_path:
                texts[at] = each._replace(key_path=key_path)
    found = _named(row, texts, job, apart)
    if not job.reads_more:
        return found
    noisy = texts[:count]
    has_spans = noisy or job.missing == "error"
    paths = job.choice_paths
    own = [source for source in job.spans if not source.is_within(paths, job.field)]
    spans, protect, only = (
        _labels(row, sources if has_spans else (), noisy, job.offsets)
        for sources in (own, job.protect_sources, job.only_sources)
    )
    found = found._replace(protect=by_text(protect, texts), only=by_text(only, texts))
    cited = [*cited_in(row, sets, job)]
    return found._replace(answers=answers, labels=spans, cited=cited)


def _add_answers(
    texts: list[RowText], row: Mapping[str, Any], sets: Sequence[Any], job: Job
) -> list[tuple[Sequence[json_path.Location], Any]]:
    """Add the right answers that are texts, and return the others with their places."""
    answers: list[tuple[Sequence[json_path.Location], Any]] = []
    for path in job.target:
        located = json_path.locate(row, path)
        beside = [location[:-1] for location, _ in located]
        texts_of = [each for each, _ in sets if not each.is_json]
        if any(beside == [place[:-1] for place in each.places] for each in texts_of):
            answers.append(([place for place, _ in located], [value for _, value in located]))
            continue
        if any(is_inside(located, each) for each, _ in sets):
            continue  # it moves with its items
        for location, value in located:
            if isinstance(value, str):
                key_path = json_path.written(location)
                texts.append(RowText(location, value, None, -1, key_path))
            elif job.writes_answers and type(value) is list and {*map(type, value)} == {str}:
                places = [(*location, item) for item in range(len(value))]
                texts += [
                    RowText(place, item, None, LISTED, json_path.written(place))
                    for place, item in zip(places, value, strict=True)
                ]
            else:
                if job.writes_answers and not job.moves_whole_items:
                    _check_answer(location, value)
                answers.append(([location], value))
    return answers


def _check_answer(location: json_path.Location, value: Any) -> None:
    """Refuse an answer with texts that would stay as they are, whatever the texts of its row do."""
    if (inner := next(strings_in(value, location), None)) is not None:
        path = re.sub(r"\[[0-9]+\]", "[*]", json_path.written(inner))
        raise DataError(
            f"the right answer in {json_path.written(location)!r} is {kind_of(value)} with texts "
            f"that would not follow: name these, as in --target {path!r} (target= in Python)"
        )


def _checked(row: Mapping[str, Any], text: RowText, job: Job) -> RowText:
    """Return a text; options that steps move as whole items with the gold ones among them.

    Raises:
        DataError: steps don't take these options in their form.
    """
    whole = bool(job.moves_whole_items)
    if whole and not job.choices and text.items is not None:
        raise DataError(
            f"the field {text.path!r} is a list whose items move, and not a text: name it with "
            "--choices (choices= in Python) in place of --field"
        )
    if text.options is None:
        return text
    check_form(row, text.options, whole)
    if not whole:
        return text
    items = options_in(text.text, text.options.is_json)
    check_beside(row, text.options.home, len(items), (*job.paths, *job.fixed))
    _, gold = item_list(row, text.options, items, job)
    own = items if text.options.is_json else text.text.split("\n")
    return text._replace(beside=frozenset(own[place] for place in gold))


def _beside(row: Mapping[str, Any], text: RowText, job: Job) -> dict[str, str]:
    """Return the JSON at each path that steps read beside a text.

    Raises:
        DataError: a path leads nowhere, or to several values.
    """
    found: dict[str, str] = {}
    for path in job.beside:
        located = json_path.locate(row, path)
        own = [value for at, value in located if share_lists(text.location, at)]
        if len(own) != 1:
            raise DataError(
                f"the path {path!r}, which a step reads, must lead to one value for {text.path!r}, "
                f"but leads to {len(own)}; give a path such as {path}[0]"
            )
        found[path] = own[0] if isinstance(own[0], str) else text_of_json(own[0])
    return found


def _refuse_same(texts: Sequence[RowText]) -> None:
    """Refuse a text to which two paths lead."""
    locations = [text.location for text in texts]
    if len(set(locations)) < len(locations):
        twice = next(place for place in locations if locations.count(place) > 1)
        raise DataError(f"two of the fields lead to the same text, {json_path.written(twice)!r}")


def _texts(row: Mapping[str, Any], path: str, number: int, in_key: bool, job: Job) -> list[RowText]:
    required = job.missing == "error"
    try:
        located = texts_at(row, path, required=required)
    except DataError as error:
        raise DataError(
            f"{error}; say with --field (field= in Python) which field holds the text"
        ) from None
    if len(located) != 1 and (located or required) and not json_path.is_many(path):
        raise DataError(
            f"the field {path!r} must be one text, but {len(located)} of its parts are; "
            f"give it as {path}[type=text].text"
        )
    texts = []
    for location, value in located:
        name, is_json = json_path.written(location), job.reads_json and holds_json(value)
        items = len(value) if isinstance(value, list) and not is_json else None
        text = text_of_json(value) if is_json else text_of(value, name)
        key_path = name if in_key else ""
        of_row = RowText(location, text, items, number, key_path, is_json=is_json)
        texts.append(of_row._replace(beside=_beside(row, of_row, job)) if job.beside else of_row)
    return texts


def _labels(
    row: Mapping[str, Any], sources: Sequence[SpanSource], texts: Sequence[RowText], unit: str
) -> list[tuple[int, Labels]]:
    """Return the lists of spans in fields, each with the number of its text."""
    labels = []
    for source in sources:
        owner_at = owners_of(source, [text.location for text in texts])
        for location, value in json_path.locate(row, source.path):
            owner = owner_at(location)
            text = texts[owner]
            own = labels_of(location, value, text.items)
            if unit != "characters":
                own = labels_in_characters(own, text.text, unit)
            for span in own.spans:
                check_span(span, json_path.written(location), text.text)
            labels.append((owner, own))
    return labels


def by_text(labels: Sequence[tuple[int, Labels]], texts: Sequence[RowText]) -> list[list[Span]]:
    """Return for each text the spans of all its lists of them."""
    spans: list[list[Span]] = [[] for _ in texts]
    for owner, of_text in labels:
        spans[owner] += map(ends_of, of_text.spans)
    return spans


def _named(
    row: Mapping[str, Any], texts: Sequence[RowText], job: Job, apart: str | None
) -> RowTexts:
    """Return a row with its texts and its id, if it has one; else its first text names it."""
    try:
        given = given_id(row, job.id_field, ABSENT)
    except DataError as error:
        raise DataError(
            f"{error}; say with --id-field (id_field= in Python) where the id of a row is"
        ) from None
    if type(given) is str:  # as most are
        return RowTexts(row, given, "", "", texts)
    change = id_change(job.id_field, given)
    if is_no_id(given):
        if len(texts) == 1:  # it has the key of its text, whatever rows are beside it
            texts = [texts[0]._replace(key_path="")]
        own = hashes_of_rows([row])[0] if apart is None else apart
        return RowTexts(row, None, own, change, texts)
    try:
        return RowTexts(row, checked_id(given), "", change, texts)
    except TypeError as error:
        raise DataError(f"the field {job.id_field!r}: {error}") from None
