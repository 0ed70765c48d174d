"""Perturb texts with `apply` and rows with `augment`. Private."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import index
from typing import Any, Unpack, overload

from perturb.errors import UsageError, door, shown
from perturb.pipeline.combinators import Combinator
from perturb.pipeline.pipeline import Grid, Pipeline
from perturb.pipeline.step import Step
from perturb.plan.arguments import Noise, Options, remembered, spelled_out
from perturb.plan.job import Job, job_of
from perturb.records.ids import checked_id, id_change, id_changes
from perturb.records.perturb_texts import perturb_batch, perturb_texts
from perturb.records.record import Record, RecordList
from perturb.records.texts import Texts
from perturb.registry.definition import Perturbator

Steps = str | Step | Pipeline | Perturbator | Combinator | Mapping[str, Any] | Sequence[Any]

# The number of rows that `augment` holds at a time: fewer cost more calls for each, and more would
# only be in memory longer.
_ROWS = 1024


@overload
def apply(  # type: ignore[overload-overlap]
    text: str,
    steps: Steps,
    p: float | None = None,
    *,
    id: str | int | None = None,
    replicate: int = 0,
    spans: Sequence[Sequence[int]] | None = None,
    **options: Unpack[Noise],
) -> Record: ...
@overload
def apply(
    text: Iterable[str],
    steps: Steps,
    p: float | None = None,
    *,
    id: Sequence[str | int] | None = None,
    replicate: int = 0,
    spans: Sequence[Sequence[Sequence[int]]] | None = None,
    **options: Unpack[Noise],
) -> RecordList: ...


@door
@spelled_out
def apply(
    text: str | Iterable[str],
    steps: Steps,
    p: float | None = None,
    *,
    id: str | int | Sequence[str | int] | None = None,
    replicate: int = 0,
    spans: Sequence[Any] | None = None,
    **options: Unpack[Noise],
) -> Record | RecordList:
    """Perturb one text, or each of a list of texts.

    The output for a text depends on the seed, its id (or, without one, the text itself), the
    steps and the replicate; not on the other texts, their order, or the process.

    Args:
        text: one text, or several: a list, a column, a generator.
        steps: what to do: a name, a spec such as `"keyboard_typos:p=0.05,layout=de"`, a step of
            `perturb.steps`, a perturbator, a combinator (`one_of`, `some_of`, `sometimes`), a
            mapping, a pipeline, or a sequence of these, applied one after another. What belongs to
            one perturbator, its parameters and limits, stands with the step.
        p: the share of the perturbator's units to edit, in [0, 1]. The number of edits is
            `p * units` on average, also in short texts. Without any strength one word in ten is
            hit, and every text by a step that acts on a whole text.
        per: "word" makes `p` the share of words that are hit, with one edit in each; in scripts
            without word spaces two characters count as a word. "unit" is the perturbator's own.
        intensity: in place of `p`: very_low, low, medium, high, very_high or extreme.
        severity: in place of `p`: 1 to 5, for the `p` at which a perturbator makes an error rate of
            0.01, 0.02, 0.05, 0.1 or 0.2 in English prose, whichever it is: of words where it
            changes or moves whole words, and of characters elsewhere.
        count: in place of `p`: the number of edits a text.
        seed: any integer; 0 is a seed like any other.
        id: names the original; with a sequence of texts, one for each.
        replicate: which of several versions this is, from 0.
        protect: what no edit may touch: presets (url, email, number, placeholder, code, latex,
            html, mention, option_label, chat_token, negation), "word:A,B" (a word with a comma is
            in double quotes, as in JSON), "regex:...", compiled patterns, or, for one text, spans
            (start, end). One or a list.
        only: the inverse: restrict edits to this. `p` is then a share of the units there. "json"
            alone is for texts that are JSON: edits are in the strings of its values, away from
            escapes, and write nothing that needs one, so that the text stays JSON with its keys.
            "comments" or "docstrings" alone is for Python code: edits are in these, and it runs as
            before.
        spans: spans (start, end) to carry along, in code points; with a sequence of texts, a list
            for each.
        span_policy: a span that an edit touches is to "grow", to "drop", or to "refuse" (raise).

    Returns:
        A record, or a list of records in the order of the texts.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value.
        DataError: a span was touched and the policy is to refuse.
        TypeError: a value of a wrong type; the message says which.

    Examples:
        >>> record = apply("The quick brown fox", "char_delete", p=0.1, seed=7)
        >>> str(record)
        'Th quck brown fox'
        >>> record.edits[0]
        Edit(start=2, end=3, text='', removed='e')
    """
    job = _job(steps, p, first_replicate=replicate, **options)
    if isinstance(steps, Grid) or len(job.conditions) > 1:
        raise UsageError("a grid gives several versions of a text: pass it to augment")
    if named := (*job.protect_sources, *job.only_sources):
        raise UsageError(
            f"a text alone has no field {named[0].path!r} with spans: "
            "give the spans, or the row to augment"
        )
    (version,) = job.versions
    if isinstance(text, str):
        texts = Texts(
            [text],
            None if id is None else [checked_id(id)],
            id_changes="id=" if id is None else id_change("id", id) or None,
            spans=None if spans is None else [_checked_spans(spans)],
        )
        return Record(perturb_batch(texts, version).check_spans(), 0)
    texts = _checked_texts(text, id, spans)
    rules = (job.protect_rules, job.only_rules or job.protect_rules)
    if any(rule.offsets for rule in rules):
        raise UsageError(
            "offsets to protect hold for one text, but a list of texts was given; "
            "call apply for each, or name the field that holds them in augment"
        )
    return perturb_texts(texts, version)


@door
@spelled_out
def augment(
    rows: Iterable[Mapping[str, Any]],
    steps: Steps | Grid,
    p: float | None = None,
    **options: Unpack[Options],
) -> Iterator[dict[str, Any]]:
    """Perturb the texts in each of many rows, lazily.

    Args:
        rows: mappings; they are not changed. In the fields that are read, arrays count as lists,
            and NumPy's numbers as Python's.
        steps: see `apply`; or a grid, for versions by each of its pipelines.
        p: see `apply`.
        shape: the name of a published layout, such as "squad_hub", in place of the options that
            `perturb apply --shape list` shows; others overrule it.
        field: the path to the text, or several: `question`, `contexts[*]`,
            `messages[role=user][-1].content`. A list of strings is read as one text, an item a
            line, and stays a list of as many. Steps that change things consistently, such as
            `name_swap`, see the texts of a row as one.
        target: the path to the right answer, or several. It gets no noise of its own, and follows:
            a string is rewritten by consistent steps; the label of an option ("B", "(b)"), its
            number from 0, its text, both, a list of these, or a flag for each option, where steps
            move, relabel or add options. Beside passages also an id, or a list with an entry for
            each.
        choices: the path to the answer options, `[FIRST=]PATH`, where these are fields of their
            own: a list of strings, the texts of objects (`question.choices[*].text`), an object
            from label to text, or a list of paths to one option each. Only steps on options and
            consistent steps change them. FIRST, such as 1, is the label of the first, if the row
            has no labels; numbers then count from it. Or the path to a list whose items move as a
            whole, such as passages: of strings, objects or lists, or an object of columns.
        fixed: right answers that are no option and stay, such as "tie", "null" or "-1"; or the
            path to a list beside moved passages that doesn't belong to them.
        spans: the path to spans of the text, which are moved along; `TEXT=PATH` names the text
            where a row has several.
        id_field: the field of a row that names it, or a path such as `metadata.id`; a row without
            it, or with null there, is named by its first text and a hash of the row. Some row must
            have a field other than "id", and each a value where a path leads.
        replicates: how many versions of each row by each pipeline, at least 1.
        with_original: whether each untouched row comes before its versions.
        lean: whether to leave the original texts out of the records, which restore them anyway.
        per: see `apply`.
        intensity: see `apply`.
        severity: see `apply`.
        count: see `apply`.
        seed: see `apply`.
        protect: see `apply`; `"field:[TEXT=]PATH"` takes spans from a field of the row.
        only: see `apply`; `"field:[TEXT=]PATH"` takes spans from a field of the row.
        span_policy: see `apply`.
        copies: with "follow", values of a row that hold a copy of the text, offsets into it or its
            tokens are changed by its edits; "warn" and "ignore" hold for the rows of files.
        offsets: what the offsets of spans in rows count: "characters" (code points), units of
            "utf16", as in Java and JavaScript, or "bytes" of UTF-8.
        missing: what to do with a row that has no text, but null, NaN or no such field: raise an
            "error", "keep" it as it is, with a record that says so, or "skip" it.
        expect: what becomes of the right answer, in place of what the steps declare: "same",
            "mapped", "other", "abstain" or "unknown"; or a mapping from labels of conditions to
            these.

    Yields:
        For each row its versions in order: the row's fields, the texts perturbed, the id made
        unique, and `perturbation`, the linkage record as in the output of the command line.

    Raises:
        UsageError: as `apply`.
        DataError: a row has no such field, a list would get more items or fewer, or an answer is
            none of the options; the message has the number of the row, from 1.

    Examples:
        >>> rows = [{"id": "a", "question": "How many eggs?", "answer": "16"}]
        >>> for row in augment(rows, "char_swap", p=0.1, field="question", replicates=2):
        ...     print(row["id"], row["question"], row["answer"])
        a#char_swap:p=0.1 How mnay eggs? 16
        a#char_swap:p=0.1#1 oHw many eggs? 16
    """
    if isinstance(rows, (str, bytes, Mapping)):
        raise TypeError(
            "rows are an iterable of dicts; apply takes texts, and perturb apply on the command "
            f"line takes files; got {shown(rows)}"
        )
    from perturb.io.frames import kind_of

    if kind_of(rows) not in (None, "dataset", "dataset lazy"):  # these two yield rows
        raise TypeError(
            f"rows are an iterable of dicts; got a {type(rows).__name__}: "
            "perturb.Transform(STEPS, field=COLUMN)(data) takes tables, and gives the same kind"
        )
    return augmented(iter(rows), job_of(steps, p, **options))


def augmented(rows: Iterator[Mapping[str, Any]], job: Job) -> Iterator[dict[str, Any]]:
    """Perturb rows, some hundreds at a time; an error says which row it is about."""
    from perturb.rows.dict_rows import perturb_numbered
    from perturb.rows.seen_ids import SeenIds, check_apart, check_found, ids_of

    if job.inner_rows is not None:
        rows = chain.from_iterable(map(job.inner_rows.rows_of, rows))
    seen, ids = 0, SeenIds()
    while chunk := list(islice(rows, _ROWS)):
        numbers = range(seen + 1, seen + 1 + len(chunk))
        check_apart(ids, ids_of(chunk, numbers, job.id_field), job.id_field)
        yield from chain.from_iterable(perturb_numbered(chunk, job, numbers))
        seen += len(chunk)
    check_found(ids.are_there or not seen, job.id_field)


def _checked_texts(texts: Iterable[str], ids: Any, spans: Any) -> Texts:
    from perturb.io.frames import kind_of, listed

    if kind_of(texts) is not None:
        raise TypeError(
            f"expected a text or a sequence of texts; got a {type(texts).__name__}: "
            "perturb.Transform(STEPS, field=COLUMN)(data) takes tables"
        )
    if isinstance(texts, Mapping):
        raise TypeError("expected a text or a sequence of texts; got a row: augment takes rows")
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"expected a text or a sequence of texts; got {type(texts).__name__}")
    texts = listed(texts)
    if set(map(type, texts)) - {str}:
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                advice = ": augment takes rows" if isinstance(text, Mapping) else ""
                if text is None or text != text:
                    advice = "; leave it out, or give rows to augment with missing='keep'"
                raise TypeError(f"texts[{row}] must be a string; got {shown(text)}{advice}")
    for name, column in (("id", ids), ("spans", spans)):
        if column is not None and (isinstance(column, (str, int)) or len(column) != len(texts)):
            raise UsageError(f"{name} must have one entry for each of the {len(texts)} texts")
    return Texts(
        texts,
        None if ids is None else list(map(checked_id, ids)),
        id_changes="id=" if ids is None else id_changes("id", ids),
        spans=None if spans is None else list(map(_checked_spans, spans)),
    )


def _checked_spans(spans: Any) -> list[tuple[int, int]]:
    """Return the spans of one text as pairs."""
    if isinstance(spans, str) or not isinstance(spans, Iterable):
        raise UsageError(f"spans are a list of pairs (start, end); got {shown(spans)}")
    pairs = []
    for span in spans:
        try:
            start, end = map(index, span)
        except (TypeError, ValueError):
            raise UsageError(
                f"a span is a pair (start, end); got {shown(span)}: spans come back in the same "
                "order, so labels can be put beside them again; augment takes labels as they are"
            ) from None
        pairs.append((start, end))
    return pairs


# One text at a time asks for the same job again and again.
_job = remembered(job_of)
