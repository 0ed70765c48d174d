"""Perturb a file of rows, and write its manifest."""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from math import inf
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb import resources
from perturb.engine import memory
from perturb.engine.native import binding
from perturb.errors import DataError, UsageError
from perturb.io import json_path
from perturb.io.addresses import plain_path
from perturb.io.files import STANDARD, SeenBytes
from perturb.io.formats import FORMATS, Format, RowWriter, output_format
from perturb.io.inputs import MANIFEST, Inputs, check_apart, expanded, one_format
from perturb.io.jsonl import at_line
from perturb.io.outputs import Output, replaceable, signals_held, writing_together
from perturb.plan.job import Job
from perturb.rows.counts import RowCounts, Summary
from perturb.rows.seen_ids import SeenIds, check_found
from perturb.stream.blocks import Block, perturb_block
from perturb.stream.pieces import PerturbedColumns, limited, pieces, rows_in

if TYPE_CHECKING:
    from perturb.stream.workers import Work

# A row takes up to 100 times the bytes of its line while it is perturbed.
MAX_LINE = 16 << 20
# The versions of one row are in memory together, as perturbed rows: some 4 times their texts.
_LINES_AT_ONCE = 8
# Each process takes some 70 MB and 24 MB of shared memory.
_MOST_WORKERS = 256
# The seconds of CPU time until processes or threads start: some twenty times the cost of starting
# them, so that a file that ends just then loses no more than a twentieth.
_ALONE = (1.0, 0.25)
# The blocks of each thread: the one it works on and the next.
_EACH = 2
# Called with the bytes read so far, and the bytes of the input, 0 where that is not known.
Progress = Callable[[int, int], None]


class Reading(NamedTuple):
    """How the rows of files are read.

    Attributes:
        format: that of the inputs, whatever their names say, and of an output whose name ends as
            theirs, in .txt or in no known way; by default what the names tell, or "jsonl".
        encoding: the encoding of the text of the inputs; None for UTF-8, which all outputs are.
        limit: how many rows of each file or shard are read; None for all.
        bad_lines: what to do with a line that is no row to perturb: "stop"; "skip" to count it;
            or a path, where such lines are kept, those of all shards in order.
        max_line: the bytes that a row may have, as a line of JSON, as fields of CSV or in Parquet;
            and an eighth of what its versions may have, if there are several. This bounds memory.
    """

    format: str | None = None
    encoding: str | None = None
    limit: int | None = None
    bad_lines: str = "stop"
    max_line: int = MAX_LINE


AS_THEY_ARE = Reading()


def perturb_file(
    source: str | Sequence[str],
    target: str,
    job: Job,
    reading: Reading = AS_THEY_ARE,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    described: str | None = None,
    form_out: str | None = None,
) -> Summary:
    """Perturb the rows of a file, or of several, which are read one after the other.

    Their names tell their formats; see `perturb.io.formats`.

    Args:
        source: the path of the input, or several; "-" is standard input; a folder, or a pattern
            such as `data/*.parquet`, means the files in it, and each may be an address.
        target: the path of the output, which appears when it is whole, with a manifest beside it;
            "-" is standard output.
        job: what to do with a row.
        reading: how the inputs are read.
        workers: the number of processes, or of threads where kernels do the work; the bytes don't
            depend on it.
        progress: called on the way.
        described: the path of the manifest, where it does not stand beside the output.
        form_out: the format of the output, where neither its name nor that of the inputs tells it.

    Raises:
        DataError: a file can't be read or written, a line is wrong, two rows have one id, or no
            row has a text; the message says where.
        UsageError: files that are the same, formats that are not known, or a number of workers
            that can't be.

    Examples:
        >>> from perturb.plan.job import job_of
        >>> job = job_of("keyboard_typos", p=0.1, field="question")
        >>> perturb_file("in.jsonl", "out.parquet", job, workers=2)  # doctest: +SKIP
    """
    if not 1 <= workers <= _MOST_WORKERS:
        raise UsageError(f"--workers must be from 1 to {_MOST_WORKERS}; got {workers}")
    form_in, encoding, limit, bad_lines, max_line = reading
    sources = expanded(source)
    target, read = plain_path(target), one_format(sources, form_in)
    form = FORMATS[form_out] if form_out else output_format(target, form_in, sources[0], read)
    writer: Callable[..., RowWriter] = form.writer
    if job.nested:
        from perturb.stream import nested  # most runs write rows

        nested.check_nested(job, sources, target, read, (limit, bad_lines))
        form, writer = read, nested.Writer
    has_manifest = replaceable(target)
    described = described or f"{target}{MANIFEST}"
    written = [("output", target)] + [("manifest", described)] * has_manifest
    check_apart(sources, *written, *bad_lines_file(bad_lines))
    memory.settle()
    _check_rules(job, has_manifest)
    job = with_spans(job, read)
    file = Inputs(
        *(sources, form_in, max_line), hashed=has_manifest, encoding=encoding, inner=job.inner_rows
    )
    counts, left_out, used, seen = RowCounts(), 0, resources.used(), SeenIds()
    columns, stop = PerturbedColumns(file, form, job), bad_lines == "stop"
    with contextlib.closing(file), writing_together() as opened:
        out = opened(target)
        reject = None if stop or bad_lines == "skip" else opened(bad_lines)
        rows = writer(out, target, columns)
        most = _LINES_AT_ONCE * max_line
        blocks = limited(file.blocks(columns.tables), limit, to_end=has_manifest)
        unseen: dict[str, str | None] = dict.fromkeys(filter(json_path.is_many, job.paths))
        blocks = _looked_through(_noting(blocks, job, read, counts.copies), unseen)
        blocks = pieces(blocks, job.rows_each, most, file.at)
        hashed = file.current.digest, out.digest
        for block in perturb_blocks(job, blocks, hashed, stop_at_bad=stop, workers=workers):
            _check_ids(block, seen, file, job.id_field)
            rows.write(block.data)
            if target == STANDARD:
                out.flush()
            counts.add(block.counts)
            used |= block.tables
            left_out += _handle(block, file, stop, reject, not job.nested)
            if progress is not None:
                progress(file.read, file.total)
        for message in filter(None, unseen.values()):
            raise DataError(f"{file.name}: {message}; none of {counts.rows} rows has it")
        _check_texts(counts, file.name, " and ".join(job.field))
        with at_line(file.name):
            check_found(seen.are_there or not counts.rows, job.id_field)
        rows.finish()
        counts.repeats = seen.repeats
        summary = Summary(file.name, counts, job, left_out, seen, limit)
        if has_manifest:
            from perturb.stream.manifest import manifest_of

            out.finish()
            manifest = manifest_of(job, file, form.name, out.digest, summary, used)
            opened(described).write(manifest)
    return summary


def _check_rules(job: Job, has_manifest: bool) -> None:
    """Refuse rules that only a manifest can hold, if there is none."""
    if job.long_rules and not has_manifest:
        raise UsageError(
            "the rules of --protect and --only are too long for every record, and a pipe "
            "has no manifest for them: write to a file with -o FILE"
        )


def _noting(
    blocks: Iterator[tuple[int, Any]], job: Job, read: Format, copies: Counter[str]
) -> Iterator[tuple[int, Any]]:
    """Return blocks; if the job warns of copies, those in the first rows are counted on the way."""
    if job.copies != "warn" or read.spans:  # a format with spans writes all that repeats its texts
        return blocks
    from perturb.rows.copies import noting  # no other door needs it

    return noting(blocks, job, copies)


def _looked_through(
    blocks: Iterator[tuple[int, Any]], unseen: dict[str, str | None]
) -> Iterator[tuple[int, Any]]:
    """Yield blocks, whose rows are read until each path through lists has led to a value.

    Items of a list may lack a key, so no row is at fault for a misspelled one.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        unseen: the paths that have led nowhere so far, with what items of their lists lack.
    """
    for first, data in blocks:
        for row in rows_in(first, data) if unseen else ():
            for path in [*unseen]:
                with contextlib.suppress(DataError):  # it is raised when the row's turn comes
                    if lack := json_path.lacking(row, path):
                        unseen[path] = lack
                    elif lack is not None:
                        del unseen[path]
            if not unseen:
                break
        yield first, data


def perturb_blocks(
    job: Job,
    blocks: Iterator[tuple[int, Any]],
    hashed: Sequence[SeenBytes] = (),
    *,
    stop_at_bad: bool,
    workers: int,
) -> Iterator[Block]:
    """Perturb blocks of rows, in order; the bytes do not depend on the number of workers.

    Args:
        job: the instructions for each row.
        blocks: the number of the first row, and whole lines or a table of Arrow.
        hashed: the files that are hashed on the way, by a thread of its own beside others.
        stop_at_bad: whether nothing after the first bad row of a block is looked at.
        workers: the number of processes or threads; 1 works in this one.

    Raises:
        DataError: a worker died.
    """
    work = partial(perturb_block, job, stop_at_bad)
    # Kernels run without Python's lock; patterns, spans, answers and copies are found with it.
    limited = job.has_followers or job.protect or job.only is not None
    by_kernels = binding.LIBRARY is not None and not limited
    threads = by_kernels and all(version.planned for version in job.versions)
    return shared_out(work, blocks, workers, hashed, threads=threads)


def shared_out(
    work: Work,
    blocks: Iterator[tuple[int, Any]],
    workers: int,
    hashed: Sequence[SeenBytes] = (),
    *,
    threads: bool = False,
) -> Iterator[Any]:
    """Process blocks one by one, and several at a time once that has taken a while.

    Args:
        work: the function that processes a block.
        blocks: the number of the first row, and whole lines or a table of Arrow.
        workers: the number of processes or threads; 1 works in this process alone.
        hashed: see `perturb_blocks`.
        threads: whether the workers are threads, since kernels do most of the work.

    Raises:
        DataError: a worker died.
    """
    # The first blocks also read tables, which processes that start later then have.
    started, alone = process_time(), inf if workers == 1 else _ALONE[threads]
    for block in blocks:
        if process_time() - started <= alone:
            yield work(*block)
            continue
        rest = chain([block], blocks)
        if threads:
            yield from _by_threads(work, rest, workers, hashed)
        else:
            from perturb.stream.workers import by_processes  # most runs need none of it

            yield from by_processes(work, rest, workers)


def _by_threads(
    work: Work, blocks: Iterator[tuple[int, Any]], workers: int, hashed: Sequence[SeenBytes]
) -> Iterator[Any]:
    from concurrent.futures import ThreadPoolExecutor  # most runs need none of it

    pool, hashing, waiting = ThreadPoolExecutor(workers), ThreadPoolExecutor(1), deque[Any]()
    try:
        with signals_held():  # a thread that starts now leaves them to this one
            hashing.submit(bool)
        for each in hashed:
            each.pool = hashing
        for first, data in blocks:
            with signals_held():
                waiting.append(pool.submit(work, first, data))
            while waiting and (waiting[0].done() or len(waiting) > workers * _EACH):
                yield waiting.popleft().result()
        yield from (each.result() for each in waiting)
    finally:
        for each in hashed:
            each.pool = None
        hashing.shutdown()
        pool.shutdown(cancel_futures=True)


def bad_lines_file(bad_lines: str) -> list[tuple[str, str]]:
    """Return the file for bad lines, if there is one, as `check_apart` takes it."""
    return [] if bad_lines in ("stop", "skip") else [("file for bad lines", bad_lines)]


def _check_ids(block: Block, seen: SeenIds, file: Inputs, id_field: str) -> None:
    """Refuse a second row of the same id, whose versions could not be told from the first's."""
    if block.ids is not None and (pair := seen.add(block.ids)) is not None:
        first, second = map(file.at, pair)
        if len(file.paths) == 1:
            first = f"line {pair[0]}"
        raise DataError(
            f"{second}: its {id_field!r} is that of {first} too, and an id names one "
            "row: make them different, or name another field with --id-field"
        )


def _check_texts(counts: RowCounts, name: str, field: str) -> None:
    """Refuse a path that leads to no text in any row."""
    if counts.rows and not counts.texts:
        raise DataError(
            f"{name}: the field {field!r} leads to no text in any of {counts.rows} rows; say with "
            "--field (field= in Python) which field holds the texts, with a value in "
            "brackets exactly as in the row, without quotes, as in messages[role=user].content"
        )


def _handle(block: Block, file: Inputs, stop: bool, reject: Output | None, may_skip: bool) -> int:
    """Stop at a bad line, or keep it where it is wanted; return how many there were."""
    for bad in block.bad:
        if stop:
            raise DataError(
                f"{file.at(bad.number)}: {bad.message}"
                + " (--bad-lines skip|FILE goes on without such lines)" * may_skip
            )
        if reject is not None:
            reject.write(bad.line.rstrip(b"\n") + b"\n")
    return len(block.bad)


def with_spans(job: Job, read: Format) -> Job:
    """Return a job that moves the spans that each row of a format has, if it names no others."""
    return job if job.spans else job.replaced(spans=read.spans)
