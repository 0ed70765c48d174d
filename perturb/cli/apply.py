"""`perturb apply`: files of rows in, the rows perturbed with their linkage records out."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from perturb.cli.manual import at_least
from perturb.cli.talk import say
from perturb.errors import UsageError
from perturb.io.formats import FORMATS, TITLES, format_of
from perturb.plan.options import LINKAGE, OPTIONS

if TYPE_CHECKING:
    from perturb.plan.job import Job
    from perturb.stream.perturb_file import Progress
    from perturb.stream.summary import Summary

# How argparse reads each kind of option.
_READ_AS: dict[str, dict[str, Any]] = {
    "text": {},
    "texts": {"action": "append"},
    "number": {"type": int},
    "switch": {"action": "store_true"},
}
# The marks of a step that says more than its name.
_SPEC = set(":(|")
# What is said behind a reason why no row was changed.
_MEANS = {
    "no site": ", which is a place to act",
    "drew zero": ", by chance: another --seed may draw more, and STEP:min_edits=1 edits whatever "
    "has a site",
}


_FORMAT = f"""\
--format {{{",".join(FORMATS)}}}  the format of the input, whatever its name says, and of an
    output whose name ends as that of the input, in .txt, or tells none (default: as names say)"""
# What other commands read: a file that this one wrote.
OUTPUT_OF_APPLY = f"""\
file FILE  a file that perturb apply wrote; - for standard input
{_FORMAT}"""
MANUAL = f"""
steps STEP*  NAME or NAME:p=0.05,parameter=value, in order, and after them input files; or
    'one_of(STEP | 2*STEP)', 'some_of(2, STEP | STEP | STEP)', 'sometimes(0.5, STEP)'
--grid  a row by each step at each -p, not all in sequence
-p P,...  share of the units to edit, for steps without a strength; several with --grid (default:
    0.1 of the words, one edit in each; every text for what acts on whole texts)
--per {{unit,word}}  what -p is a share of: the units of each step, or the words, one edit in each
    that is hit; two characters are a word in scripts without word spaces
--intensity WORD,...  in place of -p: very_low, low, medium, high, very_high, extreme
--severity N,...  in place of -p: 1 to 5, for an expected character error rate of 0.01 to 0.2; a
    grid is without those that a step can't reach
--config FILE  read the steps, and options by their names in Python, from a YAML or JSON file, or
    those of an output from its manifest
--trust* NAME []  a file or function that the steps of a manifest may use; may be given again
-i, --input* FILE []  {TITLES}, by its name; a folder or pattern stands for its files, an address
    such as s3:// or hf:// is opened by fsspec; may be given again, or after the steps without -i
    (default: standard input)
-o, --output FILE [-]  a file, or a folder: a name that ends in /, or has no suffix where the input
    is a folder (default: standard output)
{_FORMAT}
--encoding NAME  the encoding of the inputs, such as latin-1 or cp1252 (default: that of a byte
    order mark, else utf-8; outputs are always UTF-8)
--limit N  read only the first N rows; those of each file, if the output is a folder
--text TEXT  perturb this text instead of rows
--bad-lines stop|skip|FILE [stop]  what to do with a line that is no row with that field: stop, skip
    and count it, or write it to FILE
--max-line MB [16]  refuse rows that are longer (default: 16); a row takes up to 100 times its
    length of memory, and the texts of all its versions may have 8 times as much
--workers N [1]  number of processes (default: 1)
--recipe TEXT  do what a recipe says, which records and manifests hold, in place of steps and
    options
"""


def add_further(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a job."""
    for option in OPTIONS:
        settings = {**_READ_AS[option.kind], **option.arguments, "help": option.help}
        parser.add_argument(option.flag, dest=option.name, default=argparse.SUPPRESS, **settings)


def _separated(kind: Callable[[str], Any], meaning: str) -> Callable[[str], list[Any]]:
    """Return a function that reads values with commas between them, and says what each must be."""

    def read(text: str) -> list[Any]:
        values = []
        for word in text.split(","):
            try:
                values.append(kind(word))
            except ValueError:
                raise argparse.ArgumentTypeError(f"must be {meaning}; got {word!r}") from None
        return values

    return read


TYPES = {
    "p": _separated(float, "a share of the units from 0 to 1, such as 0.1 for 10 %"),
    "severity": _separated(
        int, "a whole number from 1 to 5; words such as low go with --intensity"
    ),
    "intensity": _separated(str, ""),
    "max_line": at_least(1, 1 << 20),
    "limit": at_least(1),
}


def run(args: argparse.Namespace) -> int:
    """Perturb the rows."""
    args.files = [word for word in args.steps if _is_input(word)]
    args.steps = [word for word in args.steps if not _is_input(word)]
    try:
        job = _job(args)
    except TypeError as error:
        raise UsageError(str(error)) from error
    if args.text is None and not [*args.input, *args.files] and os.isatty(0):
        say("reading rows from the terminal, a JSON object a line, until Ctrl-D (or: -i FILE)")
    sources = [*args.input, *args.files] or ["-"]
    if args.text is not None:
        return _one_text(args, job, sources)
    perturb, is_folder = _into(sources, args.output)
    if is_folder:
        _tell_of_another_recipe(args.output, job)
    with _progress() as progress:
        done = perturb(
            sources,
            args.output,
            job,
            format=args.format,
            encoding=args.encoding,
            limit=args.limit,
            bad_lines=args.bad_lines,
            workers=args.workers,
            max_line=args.max_line << 20,
            progress=progress,
        )
    if is_folder:
        if done.done_before:
            say(f"{done.done_before:,} of {done.shards:,} shards were done before")
        tell_of_ids(done.shared_ids)
    else:
        _tell_of_rules(job, done)
    _tell_of_rows(done)
    _tell_of_unchanged(done.counts.statuses)
    _tell_of_answers(job)
    return 0


def _one_text(args: argparse.Namespace, job: Job, sources: list[str]) -> int:
    """Perturb the text of an option, and write its versions as rows; as texts in plain text."""
    from perturb.api import augmented
    from perturb.io.formats import output_format
    from perturb.io.jsonl import dumps
    from perturb.io.outputs import writing

    form = output_format(args.output, args.format, "-", FORMATS[args.format or "jsonl"])
    if sources != ["-"] or form.name not in ("jsonl", "text"):
        raise UsageError(
            "--text is all of the input, and is written as JSON lines or, with --format text, as "
            "text: leave out the files, or the other format"
        )
    field = job.field[0]
    if len(job.field) > 1 or not field.isidentifier():
        raise UsageError("--text is the text of a row with one field: leave out --field")
    rows = list(augmented(iter([{field: args.text}]), job))
    texts = [f"{row[field]}\n".encode() for row in rows]
    with writing(args.output) as (out, _):
        out.write(b"".join(texts if form.name == "text" else map(dumps, rows)))
    statuses: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        statuses[row[LINKAGE]["condition"]][row[LINKAGE]["status"]] += 1
    _tell_of_unchanged(statuses)
    return 0


def _into(sources: list[str], output: str) -> tuple[Callable[..., Any], bool]:
    """Return what perturbs into a file or a folder, and whether it is a folder."""
    if any(map(_may_be_folder, [*sources, output])):
        from perturb.stream.perturb_folder import is_to_be_folder, perturb_folder

        if is_to_be_folder(sources, output):
            return perturb_folder, True
    from perturb.stream.perturb_file import perturb_file

    return perturb_file, False


def _may_be_folder(path: str) -> bool:
    """Return true if a path may be a folder; most are files, which need no look at more modules."""
    return path.endswith("/") or "://" in path or os.path.isdir(path)  # noqa: PTH112


def _tell_of_another_recipe(folder: str, job: Job) -> None:
    """Tell of shards that another recipe made, before they are written over."""
    from perturb.plan import recipe
    from perturb.stream import manifest

    before = (manifest.read(f"{folder}/") or {}).get("recipe")
    if before not in (None, recipe.written(job)):
        say(f"{folder} was made by another recipe, {before}: all of its shards are replaced")


def tell_of_ids(shared: Sequence[tuple[str, str]]) -> None:
    """Tell of ids that stand in two shards, whose rows can't be told apart by them."""
    if shared:
        from perturb.rows.seen_ids import of_shared_ids

        say(of_shared_ids(shared))


def _tell_of_rows(done: Summary) -> None:
    if not done.counts.rows and not done.bad_lines:
        say(f"{done.source} holds no row, so none was written")
    if done.bad_lines:
        lines = "1 bad line" if done.bad_lines == 1 else f"{done.bad_lines} bad lines"
        say(f"left out {lines} of {done.source}")
    if repeats := done.counts.repeats:
        some = "1 row repeats" if repeats == 1 else f"{repeats:,} rows repeat"
        say(
            f"{some} another row of {done.source} exactly, without an id of its own: equal rows "
            "share their id and noise, and perturb score counts them once"
        )
    if done.ids_not_kept:
        from perturb.rows.seen_ids import MOST_IDS

        say(
            f"the ids of the last {done.ids_not_kept:,} rows of {done.source} were compared with "
            f"those of the first {MOST_IDS:,}, but not with each other"
        )


def _tell_of_unchanged(statuses: Mapping[str, Mapping[str, int]]) -> None:
    """Tell of conditions under which no row was changed, and why."""
    for condition, counts in statuses.items():
        none_meant = counts.keys() & {"original", "p is 0"} or condition.startswith("identity")
        if counts and not none_meant and "changed" not in counts:
            why = ", ".join(f"{reason}{_MEANS.get(reason, '')}" for reason in counts)
            say(f"{condition} changed no row of {sum(counts.values()):,}: {why}")


def _tell_of_rules(job: Job, done: Summary) -> None:
    """Tell of words to protect, and of places for edits, that stand in no text."""
    for rule, option in job.named_rules.items() if done.counts.texts else ():
        if rule not in done.counts.matched:
            case = "; capitals count" if rule.startswith("word:") else ""
            say(f"--{option} {rule} matches nothing in {done.source}{case}")


def _tell_of_answers(job: Job) -> None:
    """Tell of right answers that options take along, if their field is named."""
    kinds = (step.perturbator for each in job.conditions for step in each.pipeline.steps)
    moving = sorted({kind.name for kind in kinds if kind.expect_alone == "mapped"})
    if moving and not job.target:
        say(
            f"{', '.join(moving)}: a right answer in a field of its own follows its option only "
            "with --target FIELD"
        )


def _is_input(word: str) -> bool:
    """Return true if a positional argument is an input file, and no step."""
    from perturb.io.addresses import is_address
    from perturb.io.formats import names_file

    return word == "-" or is_address(word) or (names_file(word) and not set(word) & _SPEC)


def _check_steps(args: argparse.Namespace) -> None:
    """Refuse a call without steps, and files and texts in their place.

    Raises:
        UsageError: the message has what to type.
    """
    from perturb.registry.registry import is_known

    if args.steps and args.config is not None:
        raise UsageError(
            f"the steps are given twice, as {' '.join(args.steps)} and with --config "
            f"{args.config}; leave out one"
        )
    if args.recipe is not None and (args.steps or args.config is not None):
        raise UsageError("a recipe has its steps: leave out the others, or --recipe")
    if not args.steps and args.config is None and args.recipe is None:
        import shlex

        files = "".join(f" {shlex.quote(file)}" for file in args.files)
        raise UsageError(
            f"no step says what to do{' with' * bool(files)}{files}; for example: "
            f"perturb apply keyboard_typos -p 0.05{files} (perturb list has all steps)"
        )
    for step in args.steps:
        if os.path.exists(step) and not is_known(step):  # noqa: PTH110  # never raises
            if os.path.isdir(step):  # noqa: PTH112
                raise UsageError(f"{step} is a folder, not a step: read it by -i {step}")
            form = format_of(step).title  # or says what to do with such a file
            raise UsageError(f"{step} is a file, not a step: -i {step} reads it as {form}")
        if " " in step and not set(step) & _SPEC and not any(map(is_known, step.split())):
            raise UsageError(
                f"{step!r} is no step; a text is given by --text, as in: "
                'perturb apply keyboard_typos --text "The quick brown fox"'
            )


def _job(args: argparse.Namespace) -> Job:
    """Return what to do with every row."""
    from perturb.pipeline.pipeline import crossed
    from perturb.plan.job import job_of

    _check_steps(args)
    options = {option.name: getattr(args, option.name) for option in OPTIONS if option.name in args}
    strength = {name: vars(args)[name] for name in ("p", "per", "intensity", "severity")}
    if args.recipe is not None:
        return _of_recipe(args.recipe, args, strength, options)
    if args.config is None:
        return job_of(crossed(args.steps) if args.grid else args.steps, **strength, **options)
    from perturb.plan.recipe import read_job_file

    steps, settings = read_job_file(args.config)
    if settings is None:
        return _of_recipe(steps, args, strength, options)
    try:
        return job_of(crossed(steps) if args.grid else steps, **{**settings, **strength, **options})
    except (UsageError, TypeError) as error:
        raise UsageError(f"{args.config}: {error}") from error


def _of_recipe(
    text: str, args: argparse.Namespace, strength: dict[str, Any], options: dict[str, Any]
) -> Job:
    """Return the job of a recipe, with the options that are given beside it in place of its own."""
    from perturb.boundary import trusting
    from perturb.plan import recipe
    from perturb.plan.job import job_of

    fixed = [
        *(name for name, value in strength.items() if value is not None),
        *["grid"] * args.grid,
        *options.keys() & {"expect"},
    ]
    if fixed:
        raise UsageError(f"{fixed[0]} can't be given with a recipe, where every step has its own")
    with trusting(args.trust):  # it comes with data, and is read as data
        job = recipe.read(text)
    beside = job_of("identity", **options)
    return job.replaced(**{name: vars(beside)[name] for name in options})


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
