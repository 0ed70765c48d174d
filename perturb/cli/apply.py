"""`perturb apply`: rows of JSON lines in, rows of JSON lines with their linkage records out."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from perturb.cli.talk import say
from perturb.errors import UsageError

if TYPE_CHECKING:
    from perturb.pipeline.grids import Grid
    from perturb.rows.job import Job
    from perturb.stream.perturb_file import Progress

T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add = parser.add_argument
    add(
        "steps",
        nargs="*",
        metavar="STEP",
        help="NAME or NAME:p=0.05,parameter=value, in order; "
        "or 'one_of(STEP | 2*STEP)', 'some_of(2, STEP | STEP | STEP)', 'sometimes(0.5, STEP)'",
    )
    add("--grid", action="store_true", help="a row by each step at each -p, not all in sequence")
    add(
        "-p",
        type=_listed(float),
        metavar="P,...",
        help="share of the units to edit, for steps without a strength; several with --grid",
    )
    add(
        "--intensity",
        type=_listed(str),
        metavar="WORD,...",
        help="in place of -p: very_low, low, medium, high, very_high, extreme",
    )
    add(
        "--severity",
        type=_listed(int),
        metavar="N,...",
        help="in place of -p: 1 to 5, for an expected character error rate of 0.01 to 0.2",
    )
    add("--config", metavar="FILE", help="read the steps from a YAML or JSON file")  # fmt: skip
    add("-i", "--input", default="-", metavar="FILE", help="default: standard input")
    add("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    add("--field", default="text", metavar="PATH", help="the field to perturb (default: text)")
    add("--id-field", default="id", metavar="FIELD", help="names a row (default: id)")
    add("--seed", type=int, default=0, help="default: 0")
    add("--replicates", type=int, default=1, metavar="N", help="versions of each row")
    add("--protect", action="append", default=[], metavar="WHAT", help="what no edit may touch: "
        "url, email, number, placeholder, code, latex, html, mention, option_label, chat_token, "
        "word:..., regex:..., field:PATH (with spans); may be given again")  # fmt: skip
    add("--only", action="append", default=[], metavar="WHAT", help="where alone edits may be; "
        "json: in the values of a text that is JSON, which stays JSON")  # fmt: skip
    add("--spans", metavar="PATH", help="a field with spans of the text, to move along")
    add("--answer", metavar="PATH", help="a field with the right option of a multiple-choice "
        "question (its label, its number from 0, or its text), to follow it")  # fmt: skip
    add("--span-policy", default="grow", choices=("grow", "drop", "refuse"),
        help="for spans that an edit touches (default: grow)")  # fmt: skip
    add("--with-original", action="store_true", help="also write the untouched rows")
    add("--compact", action="store_true", help="leave the original out of the records")
    add("--bad-lines", default="stop", metavar="stop|skip|FILE", help="what to do with a line "
        "that is no row with that field; skip counts them, FILE keeps them")  # fmt: skip
    add("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Perturb the rows."""
    from perturb.stream.perturb_file import perturb_file

    try:
        job = _job(args)
    except TypeError as error:
        raise UsageError(str(error)) from error
    with _progress() as progress:
        done = perturb_file(
            args.input,
            args.output,
            job,
            bad_lines=args.bad_lines,
            workers=args.workers,
            progress=progress,
        )
    if done.bad_lines:
        lines = "1 bad line" if done.bad_lines == 1 else f"{done.bad_lines} bad lines"
        say(f"left out {lines} of {done.source}")
    return 0


def _job(args: argparse.Namespace) -> Job:
    """Return what to do with every row."""
    from perturb.rows.job import job_of

    return job_of(
        _pipelines(args).pipelines,
        field=args.field,
        id_field=args.id_field,
        seed=args.seed,
        replicates=args.replicates,
        protect=_rules(args.protect),
        only=_rules(args.only),
        spans_field=args.spans,
        answer_field=args.answer,
        span_policy=args.span_policy,
        with_original=args.with_original,
        compact=args.compact,
    )


def _pipelines(args: argparse.Namespace) -> Grid:
    from perturb.pipeline.grids import Grid, crossed
    from perturb.pipeline.pipeline import from_file

    given = {"p": args.p, "intensity": args.intensity, "severity": args.severity}
    strengths = {key: values for key, values in given.items() if values is not None}
    if bool(args.steps) == (args.config is not None):
        raise UsageError(
            "give the steps either as arguments or with --config; "
            "for example: perturb apply keyboard_typos -p 0.05"
        )

    def make(spec: Any) -> Grid:
        return Grid.of(crossed(spec) if args.grid else spec, **strengths)

    return make(args.steps) if args.config is None else from_file(args.config, make)


def _listed(kind: type[T]) -> Callable[[str], list[T]]:
    """Return a function that reads values with commas between them."""

    def read(text: str) -> list[T]:
        made = []
        for word in text.split(","):
            try:
                made.append(kind(word))  # type: ignore[call-arg]
            except ValueError:
                raise argparse.ArgumentTypeError(
                    f"invalid {kind.__name__} value: {word!r}"
                ) from None
        return made

    return read


def _rules(given: list[str]) -> list[str] | None:
    """Rules from the command line; the names of presets may be joined by commas."""
    rules = [one for rule in given for one in ([rule] if ":" in rule else rule.split(","))]
    return rules or None


@contextlib.contextmanager
def _progress() -> Iterator[Progress | None]:
    """Draw a bar of the bytes read, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit="B", unit_scale=True, leave=False) as bar:

        def show(read: int, total: int) -> None:
            bar.total = total or None
            bar.update(read - bar.n)

        yield show
