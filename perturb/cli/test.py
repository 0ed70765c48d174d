"""`perturb test`: from rows to a verdict in one call, of `apply`, `run`, `score` and `report`."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
from contextlib import closing, redirect_stdout
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import opened, read_whole
from perturb.cli import progress, scoring_options
from perturb.cli.manual import at_least
from perturb.cli.system_options import AGAIN, ON_ERROR, PACING, SYSTEM, asking_of
from perturb.cli.talk import say
from perturb.errors import DataError, UsageError, installing
from perturb.plan.options import repeated, to_words
from perturb.records.text_field import MISSING_HINT
from perturb.robustness.grading.plan import JUDGED, STOPPING, Grading, manual

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.evaluation.asking import Asking
    from perturb.evaluation.questions import Content
    from perturb.evaluation.suites import Rows

_DEFAULT = "standard@1"
MANUAL = f"""
Test a system in one call: perturb rows by a suite of noises, ask the system, judge its answers, and
write a page. A folder keeps the perturbed rows, the answers, the verdict and the page. A call that
was stopped continues where it was; another system in the same folder gets the same rows, and is
compared. Each command that this one calls is shown, and works by itself.

input FILE  rows with a question and its right answer, in any format that perturb apply reads
tested SYSTEM?  python:FILE.py:FUNCTION, called with each question; in place of --endpoint and
    --command
-o, --output DIR  the folder (default: the name of FILE, with .test in place of its suffix)
--suite NAME [{_DEFAULT}]  the noises (default: {_DEFAULT}, six at two strengths, chosen by what the
    rows are: questions, chats, options, entities or passages); or your own, a file as for --config
    of perturb apply, with steps of your own by --plugin
--field* PATH  the field with the question (default: question, prompt, messages, text ... , the
    first that the rows have); may be repeated, and the texts are asked one below the other
--target FIELD  the field with the right answer (default: answer, target, label ... , the first that
    the rows have, or the assistant's turn that ends each chat, which is not asked; without one,
    answers are compared with those to the originals)
--choices* PATH  answer options in fields of their own, as for perturb apply (default: choices,
    options ... , or A, B ... , if the rows have them); a question is asked with its options below
    it, each with its label; may be repeated
--id-field FIELD  the field with the id of a row, or a path to one (default: id)
--bad-lines stop|skip|FILE  what to do with a line that isn't a row with the field, as for perturb
    apply
--rows PATH  the path to the rows in a file or a line that holds several, as for perturb apply
--format NAME  the format of FILE, as for perturb apply, such as mmlu for MMLU's CSV
--shape NAME  the layout of a published benchmark, as for perturb apply, in place of these options,
    which overrule it
--prompt FILE  a file with the question, as for perturb run, in which {{field}} is replaced by that
    field of the row, such as {{^.context}}
--match WAY  how to compare the two, as for perturb score (default: choice for options, yes
    and no, number for numbers, f1 for several right answers; else contains for an endpoint, and
    exact for others)
{manual("against", *STOPPING)}
--limit N  test with the first N rows only
--name NAME  the name of the system in the folder (default: of the model, program or function)
--all  ask every question, also where a call stopped early; without it, asking stops once each
    condition has a verdict, unless replies take but milliseconds
the system:
{SYSTEM}
how to ask:
{PACING}
{ON_ERROR}
{AGAIN}
"""
TYPES = {"limit": at_least(1)}
_OF_ROWS = ("field", "target", "choices", "rows", "id_field")
# The seconds of a reply where nothing is known of the system. Chosen by hand, for the estimate.
_REPLY = 2.0
# The seconds of a reply that no service is asked for in, and of a wait that nobody minds. By hand.
_QUICK, _PATIENCE = 0.05, 60.0
# The share of right answers where nothing is known of the system, and how often a loss is found.
_ACCURACY = _POWER = 0.8


def run(
    *,
    input: str,
    tested: str | None,
    output: str | None,
    suite: str,
    bad_lines: str | None,
    format: str | None,
    shape: str | None,
    match: str | None,
    limit: int | None,
    name: str | None,
    all: bool,
    plugin: list[str],
    **options: Any,
) -> int:
    """Perturb, ask, judge and report."""
    from perturb.evaluation.questions import BEFORE_ANSWER, value_at
    from perturb.evaluation.suites import job_file

    asking = _asking(tested, options)
    own = {name: value for name in _OF_ROWS if (value := options[name]) is not None}
    of_rows, found = _looked_at(input, format, shape, own)
    # A model answers in sentences, which have a right answer among their words.
    usual = "contains" if asking.endpoint and found.match == "exact" else found.match
    found = found._replace(match=match or usual)
    of_rows |= {"field": found.field, "target": of_rows.get("target", found.target)}
    of_rows["choices"] = listed = found.choices
    terms = ("against", *STOPPING)
    given = {name: options[name] for name in terms if options[name] not in (None, [])}
    # A right answer that was found, and not named, still follows the noise.
    plan = Grading.of(**given, target=own.get("target") if "against" in given else None)
    target = None if plan.against else found.target
    folder = Path(output or f"{Path(input).with_suffix('')}.test")
    rows = folder / "rows.jsonl"
    chosen = job_file(suite, found.kind)
    _check_suite(chosen, found.field)
    slug = _slug(name or asking.model or str(asking.command))
    answers = folder / "answers" / f"{slug}.jsonl"
    graded = [*repeated("--against", "original"), *repeated("--match", match or [])]
    if target is not None:
        graded = [*repeated("--target", target), *repeated("--match", found.match)]
    rules = plan.words(*STOPPING)
    until = [] if all or target is None else ["--until", "decided", *graded, *rules]
    asked = [*repeated("--field", found.asked), *repeated("--choices", listed)]
    if asking.kind == "program" or asking.prompt is not None:
        asked = []
    plugins = repeated("--plugin", plugin)
    with _going_on(folder):
        making = [*repeated("--bad-lines", bad_lines or []), *plugins]
        reading = [*repeated("--format", format or []), *repeated("--limit", limit or [])]
        _freeze(input, limit, [*reading, "-i", input], making, chosen, of_rows, rows)
        answers.parent.mkdir(exist_ok=True)
        question, of_kind = value_at(found.asked, listed), f"{suite} for {found.kind}"
        count = _tell_plan(of_kind, question, rows, asking.concurrency, target is not None)
        _tell_options(listed, found.unknown if asked else ())
        if asking.kind == "program" and found.asked[0].endswith(BEFORE_ANSWER):
            say("the program gets whole rows, and must not read the answer that a chat ends with")
        if found.kind == "choices" and "@" in chosen.parent.name:
            say("option_labels is left out: options in fields of their own have no labels there")
        asks = ["run", str(rows), "-o", str(answers), *asking.words(), *asked]
        _call(*asks, *until)
        if until and asking.endpoint is None and _left_quick(answers, count):
            _call(*asks)
        return _judge(answers, graded, rules, plugins)


@contextlib.contextmanager
def _going_on(folder: Path) -> Iterator[None]:
    """Add to what ends a call that the same one goes on."""
    advice = f"run the same call again to go on where it was, in {folder}"
    try:
        yield
    except KeyboardInterrupt:
        say(advice)
        raise
    except DataError as error:
        if "the same call" in str(error):
            raise
        # Rows without a text are what --bad-lines leaves out here.
        said = str(error).replace(f"; {MISSING_HINT}", "")
        raise DataError(f"{said}; put that right, and {advice}") from error


def _judge(
    answers: Path, graded: Sequence[str], rules: Sequence[str], plugins: Sequence[str]
) -> int:
    """Judge the answers, compare those of several systems, and write a page."""
    from perturb.cli.parser import parsed
    from perturb.io.outputs import writing

    folder = answers.parent.parent
    by = [*graded, *rules]
    _, options = parsed(["score", str(answers), *by])
    plan = scoring_options.grading_of(options)
    together = [*graded, *plan.words("margin", *JUDGED)]
    with writing(str(folder / scoring_options.TEST_PLAN)) as (file, _):
        file.write(json.dumps(plan.to_dict(), indent=2).encode())
    _tell_grades(plan, answers)
    status = _call("score", str(answers), *by)
    several = len(list(answers.parent.glob("*.jsonl"))) > 1
    shown = str(answers.parent if several else answers)
    last = ("compare", shown, *together) if several else ("score", shown, *by)
    if several:
        _call(*last)
    with writing(str(folder / "verdict.json")) as (file, _), redirect_stdout(io.StringIO()) as said:
        _call(*last, "--json")
        file.write(said.getvalue().encode())
    page = ["report", shown, *by, *plugins, "-o", str(folder / "report.html")]
    if find_spec("jinja2") is None:
        say(f"for a page: {installing('report')}, then {shlex.join(['perturb', *page])}")
    else:
        _call(*page)
    return status


def _tell_grades(plan: Grading, answers: Path) -> None:
    """Report a reply that is graded right and one that is wrong: people see how they are read."""
    from perturb.robustness.scoring.score import examples

    if plan.right is not None:
        rows = scoring_options.sources(plan, answers)
        for each in examples(rows, plan, scoring_options.grader_of(plan, rows, answers).grade):
            say(each)


def _asking(tested: str | None, options: Mapping[str, Any]) -> Asking:
    """Return the plan of asking; refuse a call without a system."""
    command, endpoint = options["command"], options["endpoint"]
    if sum(each is not None for each in (tested, command, endpoint)) != 1:
        raise UsageError(
            "name one system to test: python:FILE.py:FUNCTION, --command 'PROGRAM ARGS', or "
            "--endpoint URL with --model NAME"
        )
    if tested is not None and not tested.startswith("python:"):
        raise UsageError(f"a function is named as python:FILE.py:FUNCTION; got {tested!r}")
    # Fields are named to perturb them; the question is found in the rows.
    asking = asking_of({**options, "command": command or tested, "field": (), "choices": ()})
    if endpoint is not None and find_spec("aiohttp") is None:
        raise UsageError(f"--endpoint needs the package aiohttp: {installing('endpoint')}")
    return asking


def _looked_at(
    path: str, format: str | None, shape: str | None, own: Mapping[str, Any]
) -> tuple[dict[str, Any], Rows]:
    """Return the options of a job that say where the texts are, and what the first rows are.

    Rows of a published layout with options in fields of their own are taken as such.
    """
    from perturb.cli.shapes import naming
    from perturb.evaluation.suites import LOOKED_AT, looked_at
    from perturb.io.inner_rows import InnerRows
    from perturb.io.inputs import Inputs, expanded
    from perturb.plan.shapes import fitting, shape_options

    options = {**(shape_options(shape) if shape is not None else {}), **own}
    inner = InnerRows(options["rows"]) if "rows" in options else None
    with closing(Inputs(expanded([path]), format, inner=inner)) as source:
        first: list[Any] = []
        try:
            first.extend(row for _, row in islice(source.rows(), LOOKED_AT))
        except DataError:  # perturbing says what to do about it
            if not first:
                raise
    fits = fitting(first[0]) if first and shape is None else None
    if fits is not None and "choices" in fits.options:
        options = {**fits.options, **own}
    target = options.get("target")
    target = target[0] if isinstance(target, list) else target  # of several, the first is graded
    try:
        return options, looked_at(first, options.get("field"), target, options.get("choices"))
    except DataError as error:
        if fits is None:
            raise
        raise DataError(f"{error}; {naming(fits)}") from None


def _check_suite(chosen: Path, field: Sequence[str]) -> None:
    """Refuse noises of people for what machines write, as results of tools, by their paths."""
    from perturb.plan.shapes import shapes

    of = [each.step for each in shapes().values() if each.step and each.options["field"] == field]
    if of and "@" in chosen.parent.name:
        raise UsageError(
            f"the suite {chosen.parent.name} has noises of people, and {field[0]} holds results of "
            "tools: give --suite FILE.yaml with the line "
            f"grid: [{of[0]}:kind=timeout, {of[0]}:kind=reordered], or other kinds"
        )


def _freeze(
    source: str,
    limit: int | None,
    reading: Sequence[str],
    making: Sequence[str],
    chosen: Path,
    options: Mapping[str, Any],
    rows: Path,
) -> None:
    """Write the perturbed rows, or check that those in the folder are of this call."""
    from perturb.cli import job_options
    from perturb.cli.parser import parsed
    from perturb.io.files import sha256_at
    from perturb.plan import recipe
    from perturb.stream import manifest

    suite = rows.with_name("suite.yaml")
    before = manifest.read(str(rows)) if rows.exists() else None
    words = ["--config", str(suite), "--with-original", *to_words(options)]
    words += [*reading, "-o", str(rows)]
    if before is None:
        rows.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(chosen, suite)
        _call("apply", *words, *making)
        return
    _, given = parsed(["apply", *words])
    job, _ = job_options.job_of_options(**given)
    of_folder = before["recipe"], before["input"]["sha256"], before["input"].get("limit")
    of_call = recipe.written(job), sha256_at(source), limit
    if of_folder != of_call or read_whole(suite) != read_whole(chosen):
        raise UsageError(
            f"{rows.parent} has the rows of another file, suite, field or --limit; name another "
            "folder with -o, or delete this one"
        )


def _tell_plan(suite: str, question: Content, rows: Path, concurrency: int, graded: bool) -> int:
    """Report what the rows take at most, and what their originals show; return their number."""
    from perturb.evaluation.limits import prompt_tokens
    from perturb.evaluation.stopping import fewest_robust
    from perturb.io.inputs import open_input
    from perturb.robustness.linking.conditions import link
    from perturb.robustness.scoring.power import smallest_loss

    with closing(open_input(str(rows))) as source:
        each = [(prompt_tokens(question(row)), link(row)) for _, row in source.rows()]
    minutes = len(each) * _REPLY / concurrency / 60
    say(
        f"the suite {suite}: at most {progress.plural(len(each), 'call')} with prompts of about "
        f"{sum(size for size, _ in each):,.0f} tokens; {minutes:,.1f} minutes at {_REPLY:g} s a "
        f"reply, {concurrency} at a time"
    )
    if not graded:
        say("answers are compared with those to the originals; --target names right ones")
        return len(each)
    originals = len({one.original_id for _, one in each})
    conditions = len({one.condition for _, one in each} - {None})
    least = smallest_loss(originals, conditions, _ACCURACY, _POWER) if originals > 1 else None
    what = f"{'is' if originals == 1 else 'are'} too few to show a loss under one noise"
    if least is not None:
        what = f"show a loss of {least:.2f} under one noise in {100 * _POWER:g} % of tests"
    say(
        f"{progress.plural(originals, 'original')} {what}, if {100 * _ACCURACY:g} % of the answers "
        "to them are right; more show smaller losses, and perturb power says how many"
    )
    if originals < (fewest := fewest_robust()):
        say(f"no noise is found to be harmless with fewer than {fewest} originals")
    return len(each)


def _left_quick(answers: Path, count: int) -> bool:
    """Return whether questions are left, and so quickly answered that stopping saves nothing."""
    from perturb.evaluation.journal import Journal

    with opened(answers) as lines:
        if sum(1 for _ in lines) >= count:
            return False
    replies = Journal(Path(f"{answers}.journal"), None).replies().values()
    mean = sum(reply.seconds for reply in replies) / len(replies)
    if mean > _QUICK or mean * count > _PATIENCE:
        return False
    say(f"a reply takes about {1000 * mean:.1f} ms, so the other questions are asked too")
    return True


def _tell_options(listed: Sequence[str], unknown: Sequence[str]) -> None:
    """Report which options are asked, and which fields may hold some, or a passage, that aren't."""
    from perturb.evaluation.suites import PASSAGES

    if listed:
        words = shlex.join(repeated("--choices", listed))
        say(f"each question is asked with the options below it that {words} names")
    for name in unknown:
        advice = "if it holds answer options, name them with --choices"
        if name in PASSAGES:
            advice = f"if the question needs it, give --prompt FILE with {{{name}}} in it"
        say(f"{name!r} isn't asked; {advice}")


def _call(*words: str) -> int:
    """Show another command, and run it."""
    from perturb.cli.parser import parsed

    say(f"$ {shlex.join(['perturb', *words])}")
    run, options = parsed(words)
    return run(**options)


def _slug(system: str) -> str:
    """Return the name of a system's files: of its model, its program's file, or its function."""
    words = [system.removeprefix("python:")]
    with contextlib.suppress(ValueError):  # a name may hold a quote or a backslash of its own
        words = shlex.split(words[0]) or words
    name = Path(next(filter(os.path.isfile, reversed(words)), words[-1])).name
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "system"
