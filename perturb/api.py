"""Perturb texts with `apply` and rows with `augment`; `describe` a perturbator. Private."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import index
from re import Pattern
from typing import Any, TypeVar, overload

import regex

from perturb.errors import UsageError, shown
from perturb.io.frames import kind_of
from perturb.pipeline.combinators import Combinator
from perturb.pipeline.grids import Grid
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import Step
from perturb.records.ids import checked_id
from perturb.records.perturb_texts import perturb_batch, perturb_texts
from perturb.records.record import Record
from perturb.records.record_list import RecordList
from perturb.records.run_config import RunConfig
from perturb.records.texts import Texts
from perturb.registry import label_risk
from perturb.registry import severity as severities
from perturb.registry.definition import Perturbator
from perturb.registry.registry import aliases, lookup
from perturb.registry.vocabulary import TOUCHES, Intensity, Severity, SpanPolicy
from perturb.rows.job import Job
from perturb.rows.perturb import perturb_numbered
from perturb.rows.seen_ids import SeenIds, check_apart, ids_of

# The types of arguments, for annotations.
Rule = str | Pattern[str] | regex.Pattern[str] | Sequence[int]
Protection = Rule | Sequence[Rule]
Steps = str | Step | Pipeline | Perturbator | Combinator | Mapping[str, Any] | Sequence[Any]
Made = TypeVar("Made", Pipeline, RunConfig)

# The number of rows that `augment` holds at a time.
_ROWS = 256


@overload
def apply(
    text: str,
    steps: Steps,
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int | None = None,
    max_edits: int | None = None,
    skip_first: int | None = None,
    skip_last: int | None = None,
    min_word_length: int | None = None,
    seed: int = 0,
    id: str | int | None = None,
    replicate: int = 0,
    protect: Protection | None = None,
    only: Protection | None = None,
    spans: Sequence[Sequence[int]] | None = None,
    span_policy: SpanPolicy = "grow",
    **params: Any,
) -> Record: ...
@overload
def apply(
    text: Sequence[str],
    steps: Steps,
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int | None = None,
    max_edits: int | None = None,
    skip_first: int | None = None,
    skip_last: int | None = None,
    min_word_length: int | None = None,
    seed: int = 0,
    id: Sequence[str | int] | None = None,
    replicate: int = 0,
    protect: Protection | None = None,
    only: Protection | None = None,
    spans: Sequence[Sequence[Sequence[int]]] | None = None,
    span_policy: SpanPolicy = "grow",
    **params: Any,
) -> RecordList: ...


def apply(
    text: str | Sequence[str],
    steps: Steps,
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    seed: int = 0,
    id: str | int | Sequence[str | int] | None = None,
    replicate: int = 0,
    protect: Protection | None = None,
    only: Protection | None = None,
    spans: Sequence[Any] | None = None,
    span_policy: SpanPolicy = "grow",
    **params: Any,
) -> Record | RecordList:
    """Perturb one text, or each of a list of texts.

    What comes out for a text depends on the seed, its id (or, without one, the text itself), the
    steps and the replicate; not on the other texts, their order, or the process.

    Args:
        text: one text, or a sequence of texts.
        steps: what to do: a name, a spec such as `"keyboard_typos:p=0.05,layout=de"`, a
            perturbator, a combinator (`one_of`, `some_of`, `sometimes`), a mapping, a pipeline, or
            a sequence of these, applied one after another.
        p: the share of the perturbator's units to edit, in [0, 1]. The number of edits is
            `p * units` on average, also in short texts. Without any strength: intensity "low".
        intensity: in place of `p`: very_low, low, medium, high, very_high or extreme.
        severity: in place of `p`: 1 to 5, for the `p` at which a perturbator makes an error rate of
            0.01, 0.02, 0.05, 0.1 or 0.2 in English prose, whichever it is: of words where it
            changes or moves whole words, and of characters elsewhere.
        seed: any integer; 0 is a seed like any other.
        id: names the original; with a sequence of texts, one for each.
        replicate: which of several versions this is, from 0.
        protect: what no edit may touch: presets (url, email, number, placeholder, code, latex,
            html, mention, option_label, chat_token, negation), "word:...", "regex:...", compiled
            patterns, or, for one text, spans (start, end). One or a list.
        only: the inverse: restrict edits to this. `p` is then a share of the units there. "json"
            alone is for texts that are JSON: edits are in the strings of its values, away from
            escapes, and write nothing that needs one, so that the text stays JSON with its keys.
        spans: spans (start, end) to carry along, in code points; with a sequence of texts, a list
            for each.
        span_policy: a span that an edit touches is to "grow", to "drop", or to "refuse" (raise).
        params: the perturbator's parameters; `count`, `min_edits`, `max_edits` (edits a text);
            `skip_first`, `skip_last` (words at the start and end of a text that stay), and
            `min_word_length` (words of fewer characters stay).

    Returns:
        A record, or a list of records in the order of the texts.

    Raises:
        UsageError: an unknown name or parameter, or a value that can't be.
        DataError: a span was touched and the policy is to refuse.
        TypeError: a value of a wrong type; the message says which.

    Examples:
        >>> record = apply("The quick brown fox", "char_delete", p=0.1, seed=7)
        >>> str(record)
        'Th quck brown fox'
        >>> record.edits
        (Edit(start=2, end=3, text=''), Edit(start=6, end=7, text=''))
    """
    settings = _settings(
        steps,
        p=p,
        intensity=intensity,
        severity=severity,
        seed=seed,
        replicate=replicate,
        protect=protect,
        only=only,
        span_policy=span_policy,
        **params,
    )
    if isinstance(text, str):
        texts = Texts(
            [text],
            None if id is None else [checked_id(id)],
            spans=None if spans is None else [_checked_spans(spans)],
        )
        return Record(perturb_batch(texts, settings), 0)
    texts = _checked_texts(text, id, spans)
    if settings.protect.offsets or (settings.only and settings.only.offsets):
        raise UsageError(
            "offsets to protect hold for one text, but a list of texts was given; "
            "call apply for each, or name the field that holds them in augment"
        )
    return perturb_texts(texts, settings)


def augment(
    rows: Iterable[Mapping[str, Any]],
    steps: Steps | Grid,
    p: float | None = None,
    *,
    field: str = "text",
    id_field: str = "id",
    replicates: int = 1,
    with_original: bool = False,
    spans_field: str | None = None,
    target: str | None = None,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    seed: int = 0,
    protect: Protection | None = None,
    only: Protection | None = None,
    span_policy: SpanPolicy = "grow",
    **params: Any,
) -> Iterator[dict[str, Any]]:
    """Perturb a text in each of many rows, lazily.

    Args:
        rows: mappings; they are not changed.
        steps: see `apply`; or a grid, for versions by each of its pipelines.
        p: see `apply`.
        field: the path to the text, such as `question` or `messages[role=user].content`. A list of
            strings is read as one text, an item a line, and stays a list of as many.
        id_field: the field that names a row; a row without it is named by its text.
        replicates: how many versions of each row by each pipeline, at least 1.
        with_original: whether each untouched row comes before its versions.
        spans_field: a field with a list of spans of the text, which are moved along.
        target: a field with the right option of a multiple-choice question: its label ("B",
            "(b)"), its number from 0, or its text. Where steps move or relabel the options, the row
            has it as it is called after them.
        intensity: see `apply`.
        severity: see `apply`.
        seed: see `apply`.
        protect: see `apply`; `"field:PATH"` takes spans from a field of the row.
        only: see `apply`; `"field:PATH"` takes spans from a field of the row.
        span_policy: see `apply`.
        params: see `apply`.

    Yields:
        For each row its versions in order: the row's fields, the text perturbed, the id made
        unique, and `perturbation`, the linkage record as in the output of the command line.

    Raises:
        UsageError: as `apply`.
        DataError: a row has no such field, a list would get more items or fewer, or an answer is
            none of the options; the message has the number of the row, from 1.

    Examples:
        >>> rows = [{"id": "a", "question": "How many eggs?", "answer": "16"}]
        >>> for row in augment(rows, "char_swap", p=0.1, field="question", replicates=2):
        ...     print(row["id"], row["question"], row["answer"])
        a#0 How mnay eggs? 16
        a#1 oHw many eggs? 16
    """
    given = locals()
    del given["rows"], given["params"]
    if isinstance(rows, (str, bytes, Mapping)):
        raise TypeError(
            "rows are an iterable of dicts; apply takes texts, and perturb apply on the command "
            f"line takes files; got {shown(rows)}"
        )
    return augmented(iter(rows), Job.of(**given, **params))


def augmented(rows: Iterator[Mapping[str, Any]], job: Job) -> Iterator[dict[str, Any]]:
    """Perturb rows, some hundreds at a time; an error says which row it is about."""
    seen, ids = 0, SeenIds()
    while chunk := list(islice(rows, _ROWS)):
        numbers = range(seen + 1, seen + 1 + len(chunk))
        check_apart(ids, ids_of(chunk, numbers, job.id_field), job.id_field)
        yield from perturb_numbered(chunk, job, numbers)
        seen += len(chunk)


def describe(name: str) -> dict[str, Any]:
    """Describe a perturbator.

    Args:
        name: a name or an alias.

    Returns:
        A mapping with `name`, `summary`, `unit`, `label_risk`, `source`, `version`, `languages`,
        `touches`, `parameters` with their defaults, `intensities` and `severities` with their `p`,
        `scale`, with what a severity is a rate of (`unit`, "character" or "word"), the share of the
        `texts` that p = 1 changes, and its rate in the `typical` ones, with its `low` and `high`,
        `aliases` with what they stand for, `doc`, `example`, a text on which it shows, and `risk`:
        the share of the English texts with numbers, negations, labels of options and names in
        which one of them is lost at the intensity medium; empty for one that was not measured.

    Raises:
        UsageError: there is none of that name.

    Examples:
        >>> describe("yz_swap")["unit"]
        'place'
    """
    found = lookup(name)
    return {
        "name": found.name,
        "summary": found.summary,
        "unit": found.unit,
        "label_risk": found.label_risk,
        "risk": label_risk.measured(found.name),
        "source": found.source,
        "version": found.version,
        "languages": list(found.languages),
        "touches": [word for word in TOUCHES if word in found.touches],
        "parameters": dict(found.parameters),
        "intensities": dict(found.intensities),
        "severities": severities.shares(found),
        "scale": severities.scale(found),
        "aliases": {
            alias: dict(parameters)
            for alias, (stands_for, parameters) in aliases().items()
            if stands_for == found.name
        },
        "doc": inspect.getdoc(found.find) or "",
        "example": found.example,
    }


def _checked_texts(texts: Sequence[str], ids: Any, spans: Any) -> Texts:
    if kind_of(texts) is not None:
        raise TypeError(
            f"expected a text or a sequence of texts; got a {type(texts).__name__}: "
            "perturb.Transform and augment take tables"
        )
    if isinstance(texts, Mapping):
        raise TypeError("expected a text or a sequence of texts; got a row: augment takes rows")
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"expected a text or a sequence of texts; got {type(texts).__name__}")
    texts = list(texts)
    if set(map(type, texts)) - {str}:
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(f"texts[{row}] must be a string; got {shown(text)}")
    for name, column in (("id", ids), ("spans", spans)):
        if column is not None and (isinstance(column, (str, int)) or len(column) != len(texts)):
            raise UsageError(f"{name} must have one entry for each of the {len(texts)} texts")
    return Texts(
        texts,
        None if ids is None else list(map(checked_id, ids)),
        spans=None if spans is None else list(map(_checked_spans, spans)),
    )


def _checked_spans(spans: Any) -> list[tuple[int, int]]:
    """Return the spans of one text as pairs."""
    if isinstance(spans, str) or not isinstance(spans, Iterable):
        raise UsageError(f"spans are a list of pairs (start, end); got {shown(spans)}")
    made = []
    for span in spans:
        try:
            start, end = map(index, span)
        except (TypeError, ValueError):
            raise UsageError(
                f"a span is a pair (start, end); got {shown(span)}: spans come back in the same "
                "order, so labels can be put beside them again; augment takes labels as they are"
            ) from None
        made.append((start, end))
    return made


def _remembered(make: Callable[..., Made]) -> Callable[..., Made]:
    """Keep what was made of the same arguments, unless it came from a file, which may change."""
    kept = lru_cache(maxsize=256, typed=True)(make)

    def remembering(*args: Any, **given: Any) -> Made:
        try:
            made = kept(*args, **given)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            return make(*args, **given)
        return make(*args, **given) if made.reads_files else made

    return remembering


@_remembered
def _pipeline(steps: Steps, **given: Any) -> Pipeline:
    if isinstance(steps, Grid):
        steps = steps.to_dict()  # which is refused, with a reason
    return Pipeline.of(steps, **_without_none(given))


@_remembered
def _settings(
    steps: Steps,
    *,
    seed: int,
    replicate: int,
    protect: Any,
    only: Any,
    span_policy: str,
    **given: Any,
) -> RunConfig:
    return RunConfig.of(
        _pipeline(steps, **given),
        seed=seed,
        replicate=replicate,
        protect=protect,
        only=only,
        span_policy=span_policy,
    )


def _without_none(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if value is not None}
