"""`perturb apply`: files of rows in, the rows perturbed with their linkage records out."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from perturb.boundary import Escaped, display
from perturb.cli import job_options
from perturb.cli.manual import at_least
from perturb.cli.talk import diff_style, is_terminal, say
from perturb.errors import DataError, UsageError
from perturb.io.formats import FORMATS, TITLES, output_format, with_quoting
from perturb.plan.options import LINKAGE
from perturb.plan.options import MANUAL as OPTIONS_OF_JOB

if TYPE_CHECKING:
    from perturb.plan.job import Job
    from perturb.rows.counts import Summary
    from perturb.stream.perturb_file import Progress

_Counts = Mapping[str, Mapping[str, int]]
# An explanation for each reason why no row changed that the reader may not know.
_MEANS = {
    "no site": ", which is a place to act",
    "drew zero": ", by chance: another seed may draw more, and STEP:min_edits=1 edits every text "
    "that has a site",
}
# So many conditions that changed nothing are named; a table of verdicts has each.
_NAMED = 3


_FORMAT = f"""\
--format {{{",".join(FORMATS)}}}  format of input without a file extension, such as standard input;
    it overrules an extension, and holds for the output too unless its own extension is that of
    another format (default: by extension)"""
QUOTING = """\
--quoting {none}  TSV whose quotes are text, as in GLUE and Moses (default: by its first lines)"""
# Other commands read a file that this one wrote.
OUTPUT_OF_APPLY = f"""\
file FILE  a file that perturb apply wrote; - for standard input
{_FORMAT}"""
MANUAL = f"""
steps STEP*  NAME or NAME:p=0.05,parameter=value, in order, then input files; or
    'one_of(STEP | 2*STEP)', 'some_of(2, STEP | STEP | STEP)', 'sometimes(0.5, STEP)'
steps and their strength:
--text TEXT  perturb this text instead of rows; a terminal shows its edits
--grid  write a row for each step at each -p, instead of applying all steps in sequence
-p P,...  share of units to edit, for steps without a strength; several with --grid (default: one
    edit in a tenth of the words; steps that act on whole texts change every text)
--per {{unit,word}}  -p is a share of each step's units, or of words with one edit in each; in
    scripts without spaces between words, two characters count as a word
--intensity WORD,...  in place of -p: very_low, low, medium, high, very_high, extreme
--severity N,...  in place of -p: 1 to 5, for an expected character error rate of 0.01 to 0.2; a
    grid leaves out the severities that a step can't reach
--config FILE  read steps, and options by their Python names, from a YAML or JSON file, or from the
    manifest of an output
--recipe TEXT  run a recipe from a record or a manifest, in place of steps and options
--trust* NAME []  a file or function that the steps of a manifest may use; may be repeated
files:
-i, --input* FILE []  {TITLES}, by its name; a folder or pattern gives all its files, and fsspec
    opens an address such as s3:// or hf://; may be repeated, or follow the steps without -i
    (default: standard input)
-o, --output FILE [-]  a file, or a folder: a name that ends in /, or has no suffix if the input is
    a folder (default: standard output)
{_FORMAT}
{QUOTING}
--shape NAME  the layout of a published benchmark or of an API, in place of --rows, --field,
    --target and others, which overrule it; list shows all
--encoding NAME  encoding of the inputs, such as latin-1 or cp1252 (default: by the byte order mark,
    else utf-8; outputs are always UTF-8)
--limit N  read only the first N rows, or the first N of each file if the output is a folder
--bad-lines stop|skip|FILE [stop]  what to do with a line that isn't a row with the field: stop
    (default); skip it and count it; or write it to FILE
--max-line MB [16]  refuse longer rows (default: 16); a row takes up to 100 times its length in
    memory, and the texts of all its versions together may be 8 times as long
--workers N [1]  number of processes
{OPTIONS_OF_JOB}
"""


def _separated(kind: Callable[[str], Any], meaning: str) -> Callable[[str], list[Any]]:
    """Return a function that reads values with commas between them; errors give their meaning."""

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
    "p": _separated(float, "a share of units from 0 to 1, such as 0.1 for 10 %"),
    "severity": _separated(
        int, "a whole number from 1 to 5; give words such as low to --intensity"
    ),
    "intensity": _separated(str, ""),
    "max_line": at_least(1, 1 << 20),
    "limit": at_least(1),
}


def run(
    *,
    input: list[str],
    output: str,
    text: str | None,
    shape: str | None,
    format: str | None,
    quoting: str | None,
    encoding: str | None,
    limit: int | None,
    bad_lines: str,
    max_line: int,
    workers: int,
    **options: Any,
) -> int:
    """Perturb the rows."""
    if shape == "list":
        from perturb.cli.shapes import show

        return show()
    job, files = job_options.job_of_options(shape=shape, **options)
    named = [*input, *files]
    form = with_quoting(format, quoting)
    if text is not None:
        return _one_text(text, job, named, output, form)
    if not named and os.isatty(0):
        say("reading rows from the terminal, one JSON object a line, until Ctrl-D (or: -i FILE)")
    from perturb.stream.perturb_file import Reading

    sources = named or ["-"]

    def hint() -> str:
        from perturb.cli.shapes import shape_hint

        return shape_hint(sources, job, shape, form, encoding)

    reading = Reading(form, encoding, limit, bad_lines, max_line << 20)
    perturb, is_folder = _into(sources, output)
    if is_folder:
        _tell_of_another_recipe(output, job, sources, form)
    try:
        with _progress() as progress:
            done = perturb(sources, output, job, reading, workers=workers, progress=progress)
    except DataError as error:
        if options["field"] or options["rows"] or options["choices"]:
            raise
        raise DataError(f"{error}{hint()}") from None
    if is_folder:
        if done.done_before:
            say(f"{done.done_before:,} of {done.shards:,} shards were already there")
        tell_of_ids(done.shared_ids)
    else:
        _tell_of_rules(job, done)
    for note in done.notes():
        say(note)
    _tell_of_unchanged(done.counts.statuses, done.counts.refused)
    _tell_of_options(job, done.counts.statuses)
    _tell_of_answers(job, hint)
    return 0


def _one_text(text: str, job: Job, files: Sequence[str], output: str, format: str | None) -> int:
    """Perturb the text of an option, and write its versions as rows, or as lines of plain text.

    A terminal shows the edits of each instead.
    """
    from perturb.api import augmented
    from perturb.io.files import STANDARD
    from perturb.io.jsonl import dumps
    from perturb.io.outputs import writing
    from perturb.rows.stored import record_of

    form = output_format(output, format, "-", FORMATS[format or "jsonl"])
    if [*files] not in ([], ["-"]) or form.name not in ("jsonl", "text"):
        raise UsageError(
            "--text takes the place of input files, and its output is JSON lines or, with --format "
            "text, plain text; leave out the files, or the other format"
        )
    if len(job.field) != 1 or not job.field[0].isidentifier():
        raise UsageError("--text makes a row with one field; leave out --field and --choices")
    (field,) = job.field
    rows = list(augmented(iter([{field: text}]), job))
    if output == STANDARD and format is None and is_terminal():
        for row in rows:
            condition = [row[LINKAGE]["condition"]] * (len(rows) > 1)
            display(*condition, Escaped(record_of(row).diff(diff_style())))
    else:
        texts = [f"{row[field]}\n".encode() for row in rows]
        with writing(output) as (out, _):
            out.write(b"".join(texts if form.name == "text" else map(dumps, rows)))
    statuses: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        statuses[row[LINKAGE]["condition"]][row[LINKAGE]["status"]] += 1
    _tell_of_unchanged(statuses, {})
    return 0


def _into(sources: list[str], output: str) -> tuple[Callable[..., Any], bool]:
    """Return the function that perturbs into a file or a folder, and whether it is a folder."""
    # Most paths are files, and need no further module.
    if any(
        path.endswith("/") or "://" in path or os.path.isdir(path)  # noqa: PTH112
        for path in (*sources, output)
    ):
        from perturb.stream.perturb_folder import is_to_be_folder, perturb_folder

        if is_to_be_folder(sources, output):
            return perturb_folder, True
    from perturb.stream.perturb_file import perturb_file

    return perturb_file, False


def _tell_of_another_recipe(
    folder: str, job: Job, sources: Sequence[str], given: str | None
) -> None:
    """Report shards that another recipe made, before they are overwritten."""
    from perturb.io.inputs import expanded, one_format
    from perturb.plan import recipe
    from perturb.stream import manifest
    from perturb.stream.perturb_file import with_spans

    before = (manifest.read(f"{folder}/") or {}).get("recipe")
    job = with_spans(job, one_format(expanded(sources), given))
    if before not in (None, recipe.written(job)):
        say(f"{folder} was made by another recipe, {before}; replacing all of its shards")


def tell_of_ids(shared: Sequence[tuple[str, str]]) -> None:
    """Report ids that two shards share, which can't tell their rows apart."""
    if shared:
        from perturb.rows.seen_ids import of_shared_ids

        say(of_shared_ids(shared))


def _tell_of_unchanged(statuses: _Counts, refused: _Counts) -> None:
    """Report conditions under which no row changed, or rows stayed that were to change, and why."""
    alike = defaultdict[str, list[str]](list)
    for condition, counts in statuses.items():
        none_meant = counts.keys() & {"original", "p is 0"} or condition.startswith("identity")
        why = [", ".join(f"{reason}{_MEANS.get(reason, '')}" for reason in sorted(counts))]
        why += [*refused.get(condition, ())][:1]
        if counts and not none_meant and "changed" not in counts:
            alike[f"{sum(counts.values()):,} rows: {': '.join(why)}"].append(condition)
        elif why[1:]:
            say(f"{condition} left some rows as they were: {why[1]}")
    for rows, conditions in alike.items():
        more = f" and {len(conditions) - _NAMED} more" if len(conditions) > _NAMED else ""
        say(f"{', '.join(conditions[:_NAMED])}{more} changed none of {rows}")


def _tell_of_rules(job: Job, done: Summary) -> None:
    """Report rules for protection, and for places of edits, that match no text."""
    for rule, option in job.named_rules.items() if done.counts.texts else ():
        if rule not in done.counts.matched:
            case = "; case matters" if rule.startswith("word:") else ""
            say(f"--{option} {rule} matches nothing in {done.source}{case}")


def _tell_of_options(job: Job, statuses: _Counts) -> None:
    """Report steps that found no options in some rows, which may have them in other fields."""
    for each in () if job.choices else job.conditions:
        none = statuses.get(each.label, {}).get("no site", 0)
        if none and any(step.on_options for step in each.pipeline.steps):
            what = "list of items" if job.moves_whole_items else "options"
            more = "; copy items that are numbered within a text, as by [1] or Document 1:, to one"
            say(
                f"{each.label} found no {what} in {none:,} row{'s' * (none > 1)}: name those in a "
                "list, in objects or in fields of their own with --choices PATH"
                f"{more * bool(job.moves_whole_items)}"
            )


def _tell_of_answers(job: Job, hint: Callable[[], str]) -> None:
    """Report steps with which the right answer moves or changes only if its field is named."""
    kinds = [step.perturbator for step in job.steps]
    moving = {kind.name for kind in kinds if kind.on_options is not None}
    renaming = {kind.name for kind in kinds if kind.consistent and kind.expect == "mapped"}
    what = "move{} items of a list" if job.moves_whole_items else "move{} answer options"
    known = "change{} names or numbers that a right answer may be"
    for names, does in ((moving, what), (renaming, known)) if not job.target else ():
        if names:
            does = does.format("s" * (len(names) == 1))
            say(
                f"{' and '.join(sorted(names))} {does}; if the right answer is in a field of its "
                f"own, name it with --target FIELD, so that it follows{hint()}"
            )


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
