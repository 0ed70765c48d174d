"""Blocks of lines of JSON, perturbed from bytes to bytes without an object for each row.

A kernel says where in the lines the texts are, the engine perturbs these as columns, and a kernel
writes the lines of all versions. They are what `perturb_each` makes of the same rows; a row that is
not usual is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import orjson

from perturb.engine.native import blocks as native
from perturb.engine.native.blocks import Part, Path, Read, Struct, read_block, write_block
from perturb.engine.step import CHANGED, NOT_TAKEN, REASONS
from perturb.engine.text.strings import Strings, every
from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.jsonl import BOM
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import written_original
from perturb.records import notation
from perturb.records.batch import STATUSES, RecordBatch, expected
from perturb.records.notation import NAMES
from perturb.records.perturb_texts import perturb_batches
from perturb.records.texts import Texts
from perturb.registry.definition import EXPECTS
from perturb.rows.block_values import NOT_MOVED, LabelLists, ValuesError, labels_in, refuse
from perturb.rows.counts import RowCounts
from perturb.rows.seen_ids import Ids
from perturb.values.arrays import Int64, NDArray

# More bytes may be one long line, which takes less memory as a row.
_MOST_BYTES = 4 << 20
_STATUSES = [*STATUSES, "original"]


class PerturbedLines(NamedTuple):
    """The lines of perturbed rows.

    Attributes:
        data: the lines of all versions, those of a row together.
        ends: shape (rows,); where the last of each row ends.
        numbers: shape (rows,); the number of the line that each row was.
        counts: the counts of the rows.
        ids: the ids of the rows.
        left: the lines that are left to `perturb_each`: how many of the rows are before each, its
            number, and itself.
    """

    data: NDArray[np.uint8]
    ends: Int64
    numbers: Int64
    counts: RowCounts
    ids: Ids
    left: list[tuple[int, int, bytes]]


def perturb_lines(first: int, lines: bytes, job: Job) -> PerturbedLines | None:
    """Perturb the rows of whole lines.

    Args:
        first: the number of the first line.
        lines: the lines.
        job: the instructions for each row.

    Returns:
        None where there are no kernels, or the job is not usual.
    """
    if len(lines) > _MOST_BYTES or not _has_lists(job) or job.beside or job.moves_whole_items:
        return None
    if first == 1:
        lines = lines.removeprefix(BOM)
    sources = (*job.spans, *job.protect_sources, *job.only_sources)
    values = tuple(dict.fromkeys(source.path for source in sources))
    lacking = job.missing != "error"
    others = job.target, values, job.writes_answers, lacking, job.choice_paths
    fields = fields_of(job.field, job.id_field, *others)
    paths = (*job.field, *job.choice_paths, *job.target, *values)
    alone: dict[int, bytes] = {}  # the lines that no kernel may read, by their numbers
    if job.copies == "follow" and fields is not None:
        from perturb.rows.put_copies import has_copies  # most jobs need none of it

        each = enumerate(lines.split(b"\n"))
        alone = {at: line for at, line in each if line and has_copies(line, job)}
    while True:
        rest, counts = _without(lines, alone), RowCounts()
        read = None if fields is None else read_block(rest, fields)
        if fields is None or read is None:
            return None
        try:
            versions = _versions(read, job, paths, counts) if read.rows else []
            written = write_block(read, fields, _record(job.id_field, job.has_original), versions)
            break
        except ValuesError as error:
            rows = np.arange(read.rows).repeat(read.counts)[error.values]
            rows_given = lines.split(b"\n")
            alone |= {at: rows_given[at] for at in read.lines[rows].tolist()}
        except (DataError, orjson.JSONEncodeError):
            return None  # it is met again where an error says in which line it is
    if written is None:
        return None
    numbers = read.lines + first
    left = [
        (before, first + at, alone.get(at, rest[start:end]))
        for before, at, start, end in read.left.tolist()
    ]
    ids = Ids.of(read.id_keys, numbers, ~read.named, read.apart)
    return PerturbedLines(*written, numbers, counts, ids, left)


def _has_lists(job: Job) -> bool:
    """Return whether the options of a job may be lists of strings, which the search finds."""
    return not (
        any(source.is_within(job.choice_paths, job.field) for source in job.spans)
        or any("[" in path for path in job.choice_paths)
        or (job.choices and (job.missing != "error" or job.writes_answers))
    )


def _without(lines: bytes, alone: Mapping[int, bytes]) -> bytes:
    """Return lines with blank ones in place of some."""
    if not alone:
        return lines
    numbered = enumerate(lines.split(b"\n"))
    return b"\n".join([b" " if at in alone else line for at, line in numbered])


def _refuse_parts(read: Read, job: Job) -> None:
    """Refuse right answers that are lists or objects, in which a step may have to write."""
    paths = read.found["path"] - len(job.field)
    is_answer = (read.found["items"] == native.OTHER) & (paths >= 0) & (paths < len(job.target))
    (answers,) = is_answer.nonzero()
    first = read.arrays["json"][read.found["start"][answers]]
    refuse(answers[np.isin(first, [ord("["), ord("{")])])


@lru_cache(maxsize=16)
def fields_of(
    texts: tuple[str, ...],
    id_field: str,
    answers: tuple[str, ...] = (),
    values: tuple[str, ...] = (),
    written_in: bool = False,
    lacking: bool = False,
    choices: tuple[str, ...] = (),
) -> Struct | None:
    """Return the fields that rows are searched for; None where kernels can't follow a path.

    Args:
        texts: the paths to texts.
        id_field: the field that names a row, or the path to its id.
        answers: the paths to right answers.
        values: the paths to anything else.
        written_in: whether a step may write in answers.
        lacking: whether rows may lack texts.
        choices: the paths to lists of options, which are texts; or to each option alone.
    """
    plain = next((path for path in texts or choices if not json_path.is_many(path)), None)
    roles = dict.fromkeys(texts, native.TEXTS)
    for path in choices:
        roles[path] = native.VALUES if json_path.is_many(path) else native.CHOICES
    roles |= dict.fromkeys(answers, native.ANSWERS if written_in else native.SAID)
    names = [*roles, *values, id_field]
    if len(names) > native.MOST_PATHS or len({*names}) < len(names):
        return None
    roles |= dict.fromkeys(values, native.VALUES)
    paths = [_path(path, role, path != plain, lacking) for path, role in roles.items()]
    id_key = Part("key", _bytes(id_field))
    of_id: Path | None = Path(_bytes(id_field), [id_key], False, native.IDS, 0)
    if json_path.is_path(id_field):
        of_id = _path(id_field, native.IDS, False, False)
    whole = [path for path in (*paths, of_id) if path]
    return native.fields_of(whole, _bytes(LINKAGE)) if len(whole) == len(names) else None


def _path(path: str, role: int, keyed: bool, lacking: bool) -> Path | None:
    """Return a path as kernels know it; None where they don't."""
    selections = json_path.selections(path)
    parts = [_part(each) for each in selections]
    # Behind a choice of objects comes a key of theirs; none leads to an id.
    chosen, of_id = zip(parts, [*selections[1:], "["], strict=True), role == native.IDS
    if (
        None in parts
        or len(parts) > native.MOST_PARTS
        or sum(each[0] == "[" for each in selections) > native.MOST_LISTS
        or selections[0][0] == "["
        or json_path.ANY in selections
        or any(part and "where" in part.kind and (of_id or at[0] == "[") for part, at in chosen)
    ):
        return None
    own = [part for part in parts if part]
    may_lack = lacking and role == native.TEXTS
    items = [at + 1 for at, each in enumerate(selections) if json_path.is_each(each)]
    optional = 0 if may_lack else min(items, default=len(own))
    return Path(_bytes(path), own, keyed, role, optional, may_lack, bool(items))


def _part(selection: str) -> Part | None:
    """Return a part of a path as kernels know it; None where they don't."""
    if selection[0] != "[":
        return Part("key", _bytes(selection), b"", _inner(notation.quoted(selection)))
    choice, _, number = selection[1:].partition("]")
    key, equals, value = choice.partition("=")
    if equals:
        kind = {"": "where", "[0]": "where first", "[-1]": "where last"}.get(number)
        # Keys with dots may lead into the object, which kernels don't follow.
        return None if kind is None or "." in key else Part(kind, _bytes(key), _bytes(value))
    if choice in ("*", "-1"):
        return Part("all" if choice == "*" else "last")
    return None if choice[0] == "-" else Part("index", place=int(choice))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _inner(text: str) -> bytes:
    """Return what stands between the quotes of a string of JSON."""
    return orjson.dumps(text)[1:-1]


@lru_cache(maxsize=16)
def _record(id_field: str, has_original: bool) -> native.Record:
    """Return the text that the lines of all rows share."""
    before = [f'","{name}":'.encode() for name in NAMES]
    before[0] = b"," + orjson.dumps(LINKAGE) + f':{{"{NAMES[0]}":'.encode()
    original_id, original, _, _, expect, edits, check, _ = before
    return native.Record(
        b"," + orjson.dumps(id_field) + b":",
        _inner(notation.quoted(id_field)) + b"=",
        (original_id, original, expect + b'"', edits + b'"', check + b'"'),
        tuple(map(_inner, _STATUSES)),
        tuple(map(_inner, EXPECTS)),
        has_original,
    )


def _versions(
    read: Read, job: Job, paths: Sequence[str], counts: RowCounts
) -> list[native.Version]:
    """Perturb the texts, and return all versions of the rows."""
    if job.writes_answers:
        _refuse_parts(read, job)
    items = read.found["items"]
    several = len(items) > read.rows
    first_of_row = row_of = np.arange(read.rows)
    if several:
        first_of_row, row_of = np.cumsum(read.counts) - read.counts, row_of.repeat(read.counts)
    # What counts for the reason why a row is as it was: answers that no step writes in, too.
    others = np.full(len(items), len(REASONS), np.uint8)
    if job.target:
        others[items == native.SAID_STRING] = NOT_TAKEN
    carries = bool(job.spans or job.protect_sources or job.only_sources)
    labels = labels_in(read, job, paths) if carries else {}
    if job.target or job.spans or job.choices:
        from perturb.rows.block_answers import moved_in, options_in  # most jobs need none of it

        option_labels = options_in(read, job, paths) if job.choices else {}
    kinds = list(_texts(read, job, labels, row_of, first_of_row))
    counts.rows, counts.texts = read.rows, int(np.count_nonzero(items != native.OTHER))
    counts.written = read.rows * job.rows_each
    versions = [_original(read, job)] if job.with_original else []
    for version in job.versions:
        made: list[tuple[Int64, RecordBatch]] = []
        batch_of, place_of = np.empty((2, len(items)), np.int32)
        reasons, acted = others.copy(), np.zeros((len(version.stages), len(items)), np.bool_)
        for of_kind, own in kinds:
            for places, batch in perturb_batches(own, version, decoded=False):
                counts.see_edits(batch)
                if own.lists is not None:
                    _check_items(batch, np.asarray(own.lists)[places], of_kind[places])
                own_at = of_kind[places]
                at = own_at if len(own_at) < len(items) else slice(None)
                batch_of[at], place_of[at] = len(made), np.arange(len(own_at))
                reasons[at], acted[:, at] = batch.outcome.reasons, batch.acted()
                made.append((own_at, batch))
        if several:  # a row changed if one of its texts did; else its first reason counts
            reasons = np.minimum.reduceat(reasons, first_of_row)
            acted = np.logical_or.reduceat(acted, first_of_row, axis=1)
        moved, mapped = NOT_MOVED, row_of[:0]
        if job.target or job.spans:
            moved = moved_in(read, paths, option_labels, labels.get("spans"), version, made)
            reasons[row_of[moved.answered]] = CHANGED
            mapped = row_of[moved.answered + moved.mapped]
        counts.see_reasons(version.condition.label, reasons)
        expects = expected(version, acted, reasons == CHANGED).view(np.uint8)
        if len(mapped):
            same = expects[mapped] == EXPECTS.index("same")
            expects[mapped[same]] = EXPECTS.index("mapped")
        suffix = orjson.dumps(version.suffix)[1:]
        around = _around(version.condition.label, version.recipe)
        outcomes = [batch.outcome for _, batch in made]
        batches = [(each.source, each.result, each.edits) for each in outcomes]
        versions.append(
            native.Version(
                *(suffix, *around, reasons, expects), batches, batch_of, place_of, moved.values
            )
        )
    return versions


def _texts(
    read: Read, job: Job, labels: Mapping[str, LabelLists], row_of: Int64, first_of_row: Int64
) -> Iterator[tuple[Int64, Texts]]:
    """Yield the texts of ASCII and the others, with their numbers among the values."""
    items, paths = read.found["items"], read.found["path"]
    several, row_keys = job.by_field or bool(job.choices), read.keys
    if len(items) > read.rows:
        strings = np.add.reduceat(items != native.OTHER, first_of_row, dtype=np.intp)
        several = several or not every(strings == 1)
        # A row with a single text has the key of that text.
        row_keys = np.where(strings == 1, read.keys[first_of_row], read.id_keys)
    for at, source in (read.narrow, read.wide):
        if not len(at):
            continue
        lists, numbers = items[at] > 0, None
        follows = paths[at] >= len(job.field)
        if job.by_field or job.choices or (job.writes_answers and follows.any()):
            numbers = np.where(follows, -1, paths[at])
        yield (
            at,
            Texts(
                source,
                groups=row_of[at] if several else None,
                lists=lists if lists.any() else None,
                numbers=numbers,
                options=follows if job.choices else None,
                given_keys=read.keys[at],
                row_keys=row_keys[row_of[at]] if several else None,
                **{name: lists.of_texts(at) for name, lists in labels.items()},  # type: ignore[arg-type]
            ),
        )


def _check_items(batch: RecordBatch, lists: NDArray[np.bool_], numbers: Int64) -> None:
    """Refuse lists that a step made longer or shorter, unless it says that it added an item.

    Args:
        batch: the texts.
        lists: shape (texts,); which of them are lists.
        numbers: shape (texts,); their numbers among the values.

    Raises:
        ValuesError: there is one.
    """
    outcome = batch.outcome
    more = _line_ends(outcome.result) - _line_ends(outcome.source)
    if batch.given.options is not None:  # a further option changes more than its list
        refuse(numbers[np.asarray(batch.given.options) & (more != 0)])
    if more[lists].any():
        for tally in outcome.tallies:
            for row, note in tally.notes().items():
                more[row] -= "added" in note
        refuse(numbers[lists & (more != 0)])


def _line_ends(texts: Strings) -> Int64:
    """Return how many line ends each text has."""
    places = np.flatnonzero(texts.codes == ord("\n"))
    counts: Int64 = places.searchsorted(texts.ends) - places.searchsorted(texts.starts)
    return counts


def _original(read: Read, job: Job) -> native.Version:
    """Return the version that is untouched."""
    numbers = (_STATUSES.index("original"), EXPECTS.index("same"))
    reasons, expects = (np.full(read.rows, number, np.uint8) for number in numbers)
    none = np.empty(0, np.int32)
    around = _around("original", written_original(job))
    return native.Version(b'"', *around, reasons, expects, (), none, none)


def _around(condition: str, recipe: str) -> tuple[bytes, bytes]:
    """Return what of a record is between the original and the status, and behind the check."""
    label, made_by = orjson.dumps(condition), orjson.dumps(recipe)
    return b',"condition":' + label + b',"status":"', b'","recipe":' + made_by + b"}}\n"
