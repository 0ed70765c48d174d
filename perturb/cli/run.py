"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.boundary import display
from perturb.cli import progress, scoring_options, system_options
from perturb.cli.system_options import AGAIN, ON_ERROR, PACING, QUESTION, SYSTEM
from perturb.cli.talk import say
from perturb.errors import UsageError
from perturb.robustness.grading.plan import JUDGED, STOPPING, Grading, manual
from perturb.robustness.grading.ways import BY_JUDGE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from perturb.evaluation.ask_rows import AskCounts, Output, Run
    from perturb.evaluation.asking import Asking
    from perturb.evaluation.questions import Question
    from perturb.evaluation.robust_eval import PromptRuns
    from perturb.evaluation.stopping import State
    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.metrics.looks import Look

MANUAL = f"""
Ask a system the questions of rows, and write the rows with its answers in order. OUTPUT.journal
keeps every answer at once, so a stopped run continues where it was and asks nothing twice.

the system:
{SYSTEM}
--group N|all  start the command for each N rows, one group at a time, or once for all; it gets a
    line for each row and the end of its input, and answers with as many lines, as Unix filters do.
    With --field it gets only that text, and answers with plain text. --timeout is for each row
rows:
input INPUT?  rows, such as the output of perturb apply
-o, --output FILE  the rows with their answers
{QUESTION}
--rows PATH  the path to the rows in a file or a line that holds several, as for perturb apply; its
    output needs none
--shape NAME  the layout of a published benchmark, in place of --rows, --field and --choices, as for
    perturb apply
--seeds N  ask each row N times, with increasing seeds
--seed N  the first seed, or the only one (default: 0 with --seeds, else none)
--bisect  ask only the strengths of a step between which --lose may be lost: the strongest and the
    one in the middle, then others, as long as the interval of perturb tolerance may narrow
--lose X  with --bisect, the loss, as for perturb tolerance (default: 0.05)
--match WAY  with --bisect or --until, as for perturb score (default: exact)
--against {{original}}  with --bisect, compare with the answer to the original in place of the right
    answer
--prediction FIELD [prediction]  the field to write answers to
when to stop:
--until {{decided,overall}}  ask whole originals in five rounds, and stop once every condition, or
    all conditions together, have a verdict; perturb score of the output allows for the repeated
    looks. --match compares answers with --target
{manual("margin", "at_least", *JUDGED)}
benchmarks in several prompts:
--prompts FILE  a prompt set, YAML, from benchmarks to prompt files; or math or mcq, 20 prompts each
    that come with perturb and take the field problem, or that of --field
--benchmarks NAME:N,...  names of benchmarks, each with a number of seeds
--data-dir DIR  the folder with BENCHMARK.jsonl or BENCHMARK/test.jsonl
--output-dir DIR  the folder for BENCHMARK/PROMPT/output-rsN.jsonl and the summary
--target FIELD  the right answer (default: expected_answer, or answer with --bisect or --until)
--extract* RULE  how to find the answer in a reply: boxed (default), number, choice, regex:PATTERN;
    may be repeated, and the next one is tried if the first finds nothing
how to ask:
{PACING}
{ON_ERROR}
{AGAIN}
--dry-run  ask nothing, and show what would be asked, with --price at which cost
--write-batch FILE  ask nothing, and write the questions without an answer as a batch for the API of
    the endpoint: OpenAI's or a compatible one, or Anthropic's; in several files if it limits their
    size
--read-batch* FILE  ask nothing, and take the answers from such a batch's output; give its errors
    too
"""


class _Work(NamedTuple):
    """The questions of a call, and where its answers come from and go.

    Attributes:
        asking: the system, its questions and its pace.
        grading: how answers are judged, where that decides on the questions.
        outputs: the files to write.
        run: the run of the system, with its journal.
        call: the call as manifests describe it.
        remedy: what a call does about questions without an answer.
        batches: the files that have the answers, if no system is asked.
    """

    asking: Asking
    grading: Grading
    outputs: Sequence[Output]
    run: Run
    call: Mapping[str, Any]
    remedy: str = "the same call asks only these"
    batches: Sequence[str] = ()


def run(
    *,
    input: str | None,
    output: str | None,
    rows: str | None,
    shape: str | None,
    seeds: int | None,
    seed: int | None,
    until: str | None,
    bisect: bool,
    prompts: str | None,
    dry_run: bool,
    write_batch: str | None,
    read_batch: list[str] | None,
    **options: Any,
) -> int:
    """Ask the questions without an answer, and write the outputs."""
    from perturb.evaluation.ask_rows import Output, count_questions, make_folders

    files = {"input": input, "output": output, "write_batch": write_batch, "read_batch": read_batch}
    given = {**options, **files, "rows": rows, "shape": shape, "seeds": seeds, "seed": seed}
    given |= {"until": until, "bisect": bisect, "prompts": prompts}
    runs = None if prompts is None else _prompt_runs(prompts, given)
    theirs = {} if runs is None else {"field": (), "choices": ()}
    asking = system_options.asking_of({**given, **theirs})
    asking, inner = _shaped(asking, rows, shape, input)
    _check_idle(given, asking)
    if runs is None:
        source, to = system_options.check_files(input, output, **given)
        named = {"prediction": given["prediction"], "inner": inner}
        outputs = [Output(to, source, asking.content(), _seeds(seeds, seed), **named)]
    else:
        outputs = runs.outputs(asking)
    grading = scoring_options.grading_of(given)
    if bisect:
        grading = replace(grading, lose=grading.loss)
    plan = [] if until is None else _plan(grading, outputs[0].source)
    of_rounds = {}
    if plan:  # no other plan continues with its answers
        of_plan = {"looks": len(plan), "originals": len(plan[-1][1])}
        of_rounds["until"] = {"until": until, **grading.to_dict(), **of_plan}
    asked = {name: given[name] for name in ("seed", "seeds", "group", "prediction", "again")}
    asked["rows"] = inner
    if until or bisect:
        asked |= {"until": until, "bisect": bisect, **grading.to_dict()}
    if runs is not None:
        asked |= runs.options()
    path = f"{output}.journal" if runs is None else runs.journal
    journal = asking.journal(path, **of_rounds)
    if plan and journal.planned == 0:
        say("the answers so far were asked without looks, so all are asked now, in one go")
        plan = []
    elif journal.planned and not plan:
        last = f"{journal.planned}/{journal.planned}"
        say(f"the answers so far were asked in rounds, so all are asked now as at look {last}")
        outputs = [replace(each, response={"look": last}) for each in outputs]
    counted = asking.run(journal, count_questions(outputs, journal))
    work = _Work(asking, grading, outputs, counted, asking.call("run", **asked))
    if read_batch is not None:
        work = _from_batches(work, read_batch)
    if dry_run:
        _print_plan(work)
    elif until and plan:
        _answer_until(work, until, plan)
    elif bisect:
        _answer_bisecting(work)
    elif write_batch is not None:
        _write(work, write_batch)
    else:
        if runs is not None:
            make_folders(outputs)
        _answer(work)
        if runs is not None:
            runs.summarize()
    return 0


def _shaped(
    asking: Asking, rows: str | None, shape: str | None, source: str | None
) -> tuple[Asking, str | None]:
    """Return the plan and the path to the rows, as a shape says where no option does.

    Rows that perturb apply wrote are inside no others.
    """
    if shape is None or source is None:
        return asking, rows
    from perturb.io.inputs import open_input
    from perturb.plan.options import LINKAGE
    from perturb.plan.shapes import shape_options

    shaped = shape_options(shape)
    if asking.prompt is None and asking.kind != "program":
        field, choices = (shaped.get(name, ()) for name in ("field", "choices"))
        asking = replace(asking, field=asking.field or field, choices=asking.choices or choices)
    with closing(open_input(source)) as opened:
        _, first = next(opened.rows(), (0, None))
    if isinstance(first, dict) and LINKAGE in first:
        return asking, rows
    return asking, rows or shaped.get("rows")


def _answer(work: _Work) -> None:
    """Get the missing answers, from the system or from a batch, and write the outputs."""
    from perturb.evaluation.ask_rows import answer

    def check(run: Run) -> None:
        named = {"on_error": work.asking.on_error, "remedy": work.remedy}
        progress.failed(run.counts.failure(run.journal, **named))

    ask = partial(_read, work.batches) if work.batches else _ask
    answer(work.run, work.outputs, work.call, ask, check)
    progress.answers(work.run.counts, work.asking.prices)


def _ask(run: Run, questions: Iterator[Question]) -> None:
    from perturb.evaluation.ask_rows import ask_questions

    with system_options.watched(run) as seen:
        ask_questions(seen, questions)


def _read(batches: Sequence[str], run: Run, questions: Iterator[Question]) -> None:
    from perturb.evaluation.batch_files import read_batch

    for note in read_batch(batches, questions, run.journal, run.counts):
        say(note)


def _from_batches(work: _Work, files: Sequence[str]) -> _Work:
    """Return the work with its answers from files of a batch."""
    # The journal has earlier answers to the questions that are asked again.
    again = work.asking.again and (
        f"--again {work.asking.again} with --write-batch writes these, and those that are "
        f"{work.asking.again} once more"
    )
    return work._replace(batches=files, remedy=again or "--write-batch writes only these")


def _write(work: _Work, batch: str) -> None:
    from perturb.evaluation.ask_rows import unanswered
    from perturb.evaluation.batch_files import write_batch

    asking, questions = work.asking, unanswered(work.outputs, work.run.journal)
    count, files = write_batch(batch, str(asking.endpoint), asking.body, questions)
    written = f"{progress.plural(count, 'question')} in {', '.join(files)}"
    say(f"{written}; then give the file of answers to the same call with --read-batch")


def _check_idle(given: Mapping[str, Any], asking: Asking) -> None:
    """Refuse options that would do nothing; those of --prompts alone are looked at with these."""
    from perturb.evaluation.asking import refuse_idle

    refuse, batch = partial(refuse_idle, given), ("write_batch", "read_batch")
    if asking.command is not None:
        refuse("with --command, which answers at once", batch)
    if given["prompts"] is not None:
        return
    refuse("without --prompts", ("benchmarks", "data_dir", "output_dir", "extract"))
    if asking.gets_lines:
        refuse("with --command and --field, which gives it the text alone", ("seed", "seeds"))
    if given["until"] is not None:
        refuse("with --until, which asks in rounds", ("bisect", "lose", "against", "rows", *batch))
    elif given["bisect"]:
        refuse("with --bisect, which chooses by earlier answers", ("rows", *batch))
        refuse("without --until", ("margin", "at_least"))
    else:
        refuse("without --until or --bisect", (*STOPPING, "match", "target", "against", "lose"))


def _seeds(count: int | None, first: int | None) -> Sequence[int | None]:
    """Return the seeds to ask each row with."""
    from perturb.evaluation.questions import checked_seeds

    if count is not None:
        return checked_seeds(list(range(first or 0, (first or 0) + count)))
    return checked_seeds(None if first is None else [first])


def _prompt_runs(prompts: str, given: Mapping[str, Any]) -> PromptRuns:
    """Return the plan of benchmarks in several prompts."""
    from perturb.evaluation.asking import refuse_idle
    from perturb.evaluation.prompts import SHIPPED
    from perturb.evaluation.robust_eval import PromptRuns

    idle = ["input", "output", "system", "prompt", "seed", "seeds", "bisect", "lose", "against"]
    idle += ["until", *STOPPING, "match", "rows", "shape", "choices"]
    if prompts not in SHIPPED:
        idle.append("field")
    refuse_idle(given, "with --prompts, which makes the questions", idle)
    field = given["field"] or [None]
    if len(field) > 1:
        raise UsageError(f"--prompts takes one --field; got {', '.join(field)}")
    places = [given[name] for name in ("benchmarks", "data_dir", "output_dir")]
    if None in places:
        raise UsageError("--prompts needs --benchmarks, --data-dir and --output-dir")
    named = {name: given[name] for name in ("target", "extract", "prediction")}
    named["field"] = field[0]
    chosen = {name: value for name, value in named.items() if value is not None}
    return PromptRuns(prompts, *places, **chosen)


def _plan(grading: Grading, rows: str) -> list[tuple[Look, Collection[str]]]:
    """Return the looks at the answers, each with the originals to ask before it."""
    from perturb.evaluation.stopping import rounds

    return list(rounds((row for _, row in _gradable(grading, rows).rows), grading.cluster))


def _rows_at(grading: Grading, path: Path | str) -> RowSource:
    """Return the rows of a file, with the fields that the plan names by their paths."""
    from perturb.robustness.linking.sources import file_source

    return file_source(Path(path)).reading(*grading.paths)


def _gradable(grading: Grading, rows: str) -> RowSource:
    """Return the rows of a file, after a check that each can be graded."""
    if grading.way == BY_JUDGE:
        raise UsageError("answers are graded as they come; use another way than --match judge")
    source = _rows_at(grading, rows)
    if grading.against is None:
        by = scoring_options.grader_of(grading, [source], rows)
        for number, row in source.rows:
            with source.naming(number):
                list(by.grade([{**row, str(grading.reply): None}]))
    return source


def _answer_part(work: _Work, part: Output) -> AskCounts:
    """Have a part of the rows answered, and write it; return the counts of its questions."""
    from perturb.evaluation.ask_rows import count_questions

    counts = count_questions([part], work.run.journal)
    _answer(work._replace(outputs=[part], run=work.asking.run(work.run.journal, counts)))
    return counts


def _answer_bisecting(work: _Work) -> None:
    """Ask strength by strength, as long as another one may narrow the interval of a tolerance."""
    from perturb.cli.tolerance import found
    from perturb.evaluation.bisect import next_strengths, strengths_of

    grading, (output,) = work.grading, work.outputs
    steps, left = strengths_of(row for _, row in _gradable(grading, output.source).rows)
    path = Path(output.path)
    while True:
        counts = _answer_part(work, replace(output, without=frozenset(left)))
        tolerances = found(grading, [path], [[_rows_at(grading, path)]])
        say(f"  {tolerances.sentence}")
        if not (wanted := next_strengths(steps, left, tolerances)):
            break
        left -= wanted
    _tell_saved(work, counts)


def _answer_until(work: _Work, until: str, plan: Sequence[tuple[Look, Collection[str]]]) -> None:
    """Ask in rounds, and write the output at each look, until the verdicts are decided."""
    from perturb.evaluation.stopping import is_decided, is_over, states, told

    journal, grading, (output,) = work.run.journal, work.grading, work.outputs
    path = Path(output.path)
    for look, originals in plan:
        if journal.looks.get(look.number) is False and look != plan[-1][0]:
            continue  # a look counts once, even if the run was stopped after it
        part = replace(output, originals=originals, response={"look": str(look)})
        start = time.monotonic()
        counts = _answer_part(work, part)
        found: list[State] = []
        if look.number not in journal.looks:
            verdict = scoring_options.judge(grading, [_rows_at(grading, path)], path).verdict
            found = states(verdict, until, look)
            words = {one.name: one.verdict for one in verdict.conditions}
            seen = {"look": look.number, "decided": is_over(found)}
            with journal.writing():
                journal.add_look({**seen, "originals": len(originals), "verdicts": words})
            for state in told(found):
                say(f"  {state}")
            rest = len(plan[-1][1]) - len(originals)
            if rest and is_over(found) and not is_decided(found):
                say(f"  the other {progress.plural(rest, 'original')} would hardly decide the rest")
        word = "decided" if is_decided(found) else "nothing more to decide"
        word = word if journal.looks[look.number] else "undecided"
        is_last = journal.looks[look.number] or look == plan[-1][0]
        left = 0 if is_last else work.run.counts.questions - counts.questions
        ahead = progress.ahead(left, counts.answered, time.monotonic() - start)
        say(
            f"look {look.number} of {look.planned}: {word} with {len(originals):,} originals{ahead}"
        )
        if is_last:
            break
    _tell_saved(work, counts)


def _tell_saved(work: _Work, counts: AskCounts) -> None:
    total = work.run.counts.questions
    if saved := total - counts.questions:
        say(f"saved {saved:,} of {progress.plural(total, 'call')}")


def _print_plan(work: _Work) -> None:
    from perturb.evaluation.ask_rows import questions_of, unanswered

    asking, run, outputs = work.asking, work.run, work.outputs
    for output in outputs:
        display(output.path)
    missing, example = unanswered(outputs, run.journal), next(questions_of(outputs))
    system_options.show_plan(asking, run, missing, example)
