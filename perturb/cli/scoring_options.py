"""Options shared by the commands that read scored rows, or print a verdict.

That is the files, how to grade a row, the form of the verdict, and the rules that it has to pass.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import Escaped, display, opened, visible
from perturb.cli.talk import say, takes_colours
from perturb.errors import UsageError
from perturb.robustness.grading.ways import DEFAULT, REFERENCE, WAYS
from perturb.robustness.tables.formats import FORMS, WIDTH, VerdictWord, as_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.grading.against import Compared
    from perturb.robustness.grading.grade import Grade
    from perturb.robustness.scoring.gate import Gated, Rule
    from perturb.robustness.scoring.human import Reply
    from perturb.robustness.scoring.metric import Metric
    from perturb.robustness.scoring.results import Shown
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource

    _Grades = dict[Reply, float]


_WAYS = [f"{way.name} (default)" if way.name == DEFAULT else way.name for way in WAYS]
CLEAN = "--clean FILE  scored originals, if SCORED does not hold them"
SCORED = f"""\
scored SCORED  scored rows, JSON Lines
{CLEAN}"""
ANSWERS = f"""\
--prediction FIELD  the field with the answer (default: prediction)
--target FIELD  the field with the right answer (default: answer)
--match WAY  how to compare the two: {", ".join(_WAYS)}"""
AGAINST = """\
--against {original}  in place of the right answer, compare with the answer to the original"""
GRADED = ("match", "target", "prediction")
GRADES = f"""\
{ANSWERS}
--score FIELD  a field with a score for the answer; higher is better"""
# Lines may be another program's, such as the samples of lm-eval, with the row in them.
GRADING = f"""\
--row PATH  the object in each line that is the row, such as doc
--where* FIELD=VALUE []  only lines in which a field has this value; may be given again
{GRADES}
{AGAINST}
--metrics FILE  YAML or JSON: for each metric (a field of the rows) its threshold and, if not the
    default, higher_is_better: false and rule: pass_fail"""
MARGIN = """\
--margin M  how large a difference still counts as robust (default: 0.02)"""
JUDGING = """\
--cluster* FIELD  a field that originals share which belong together, such as their passage; may
    be given again
--range LOW,HIGH  the least score and the largest, where they don't lie in [0, 1]
--unanswered {bounds,out,wrong}  what replies that are lost count as: as either, so that
    what is said holds whatever they were (default), as nothing, or as wrong"""
SLICE = """\
--slice* FIELD []  break the difference down by the values of a field; may be given again"""
HUMAN = """\
--human FIELD  the field with a person's grades of some replies, right or wrong, here or in
    SCORED.human.jsonl; they correct the other grades; see --draw of perturb score"""


def sources(args: argparse.Namespace) -> list[RowSource]:
    """Return the rows of the files, the originals first."""
    from perturb.engine import allocator

    allocator.settle()
    clean = getattr(args, "clean", None)
    paths = [args.scored] if clean is None else [clean, args.scored]
    return [source(args, [str(path)]) for path in paths]


def source(args: argparse.Namespace, paths: Sequence[str]) -> RowSource:
    """Return the rows of files, with the fields that the arguments name by their paths."""
    from perturb.io.inputs import expanded
    from perturb.robustness.scoring.sources import files_source

    rows = files_source(expanded(paths), getattr(args, "row", None), getattr(args, "where", ()))
    return rows.reading(*(getattr(args, name, None) for name in ("prediction", "target", "score")))


def judge(args: argparse.Namespace, rows: list[RowSource], path: Path) -> Judged:
    """Judge rows as the arguments say.

    Args:
        args: the way to grade, and the margin.
        rows: with their originals.
        path: the path of their file, beside which a judge's answers are.

    Raises:
        UsageError: the arguments contradict each other; or a library is missing.
        DataError: the rows cannot be judged.
    """
    from perturb.robustness.scoring.human import with_human
    from perturb.robustness.scoring.score import Judging, judge_pairs, with_match_hint

    told = carried(args, path)
    grade, metrics, prediction = grading(args, rows)
    if getattr(args, "human", None) is not None:
        grades = human_grades(args, rows, path)
        if not grades:
            raise UsageError(
                f"no reply is graded in {args.human!r}, neither in {path} nor in "
                f"{graded_path(path)}: perturb score --draw 200 writes rows to grade there"
            )
        grade = with_human(grade, grades, args.prediction, args.target)
    options = {name: getattr(args, name) for name in ("seed", "at_least") if name in args}
    options["judging"] = Judging(args.cluster, args.unanswered)
    by = grade, metrics, prediction, args.target
    judged = judge_pairs(rows, *by, margin=args.margin, **options)
    verdict = replace(judged.verdict, hints=(*judged.verdict.hints, *told))
    judged = judged._replace(verdict=verdict)
    if args.match == "judge" and not isinstance(args.scored, list):
        notes = judge_notes([path], judged, judged.verdict.overall[0].difference)
        hints = (*judged.verdict.hints, *notes)
        return judged._replace(verdict=replace(judged.verdict, hints=hints))
    if args.target is None or args.match == "judge":  # scores, or what is right by itself
        return judged
    hinted = with_match_hint(
        judged.verdict, rows, args.match or "exact", args.prediction, args.target
    )
    return judged._replace(verdict=hinted)


def usual() -> dict[str, Any]:
    """Return the rules of a verdict and of answers that hold if none are given."""
    from perturb.robustness.scoring.columns import BOUNDS
    from perturb.robustness.scoring.findings import AT_LEAST, MARGIN

    rules = {"margin": MARGIN, "at_least": AT_LEAST, "cluster": [], "range": None}
    answers = {"match": DEFAULT, "target": "answer", "prediction": "prediction"}
    return {**rules, "unanswered": BOUNDS, **answers}


def carried(args: argparse.Namespace, path: Path | None = None) -> list[str]:
    """Fill in rules that aren't given: those of `perturb run --until`, or else the usual ones.

    Args:
        args: the arguments of a command, changed in place.
        path: the path of scored rows; their manifest has the rules by which asking stopped.

    Returns:
        A sentence about those that differ, if any do.
    """
    from perturb.io.inputs import expanded
    from perturb.plan.options import repeated
    from perturb.stream.manifest import read
    from perturb.stream.reproduce import system_options

    asked = {} if path is None else system_options(read(expanded([str(path)])[0]))
    stopped = asked if "until" in asked else {}
    scores = any(getattr(args, name, None) for name in ("score", "metrics", "against"))
    then, now = list[str](), list[str]()
    for name, value in usual().items():
        is_answer, given = name in GRADED, getattr(args, name, None)
        rule = stopped.get(name, value)
        if name not in args or (scores and is_answer):
            continue
        if given is None and not (is_answer and rule == value):
            setattr(args, name, rule)
        elif stopped and given not in (None, rule):
            for each, words in ((rule, then), (given, now)):
                option = f"--{name.replace('_', '-')}"
                words.append(
                    " ".join(repeated(option, each)) if each not in (None, []) else f"no {option}"
                )
    told = f"Asking stopped by {', '.join(then)}; these verdicts go by {', '.join(now)}."
    return [told] if then else []


def judge_notes(
    paths: Sequence[Path | str], judged: Judged, difference: float, systems: int = 1
) -> Iterator[str]:
    """Yield who judged the replies of systems, and what its errors would do, where none is known.

    Args:
        paths: their files.
        judged: what was found in one of them.
        difference: as for `error_hint`.
        systems: as for `error_hint`.
    """
    from perturb.evaluation.judge import journal_path, judge_note
    from perturb.robustness.scoring.human import error_hint

    yield judge_note([*map(journal_path, paths)])
    if judged.pairs.human is None:
        yield error_hint(difference, systems)


def grading(
    args: argparse.Namespace, rows: list[RowSource]
) -> tuple[Grade, dict[str, Metric], str | None]:
    """Return the way to grade that the arguments choose, each score's direction, the reply's field.

    Args:
        args: which say it.
        rows: with their originals.

    Raises:
        UsageError: they say it twice; a library is missing; or the file of metrics is wrong.
    """
    from perturb.pipeline.pipeline import from_file
    from perturb.robustness.grading.grade import by_fields
    from perturb.robustness.scoring.metric import SCORE, answer_metric, metrics_of, ranged

    between = _range(args)
    if args.metrics is None:
        by_one = grade(args, rows)  # which fills in --prediction
        metrics = answer_metric(args.match, args.against is not None)
        if args.score is not None:
            metrics = {args.score: SCORE}
        return by_one, ranged(metrics, between), args.prediction
    for name in ("score", "target", "match", "human", "against"):
        if getattr(args, name, None):
            raise UsageError(f"--metrics says what is graded: leave out --{name}, or --metrics")
    metrics = from_file(args.metrics, metrics_of)
    return by_fields(list(metrics), args.prediction), ranged(metrics, between), args.prediction


def _range(args: argparse.Namespace) -> tuple[float, float] | None:
    """Read --range.

    Raises:
        UsageError: it is no two numbers.
    """
    if getattr(args, "range", None) is None:
        return None
    try:
        low, high = map(float, args.range.split(","))
    except ValueError:
        raise UsageError(f"--range takes two numbers, as in 0,100; got {args.range!r}") from None
    return low, high


def graded_path(path: Path) -> Path:
    """Return the path of the rows of a file that a person grades."""
    return Path(f"{path}.human.jsonl")


def human_grades(args: argparse.Namespace, rows: list[RowSource], path: Path) -> _Grades:
    """Return what a person says of replies, in the rows and in the file beside theirs."""
    from perturb.robustness.scoring import human
    from perturb.robustness.scoring.sources import file_source

    if args.score or args.metrics or args.against:
        raise UsageError("--human grades replies: leave out --score, --metrics and --against")
    graded = graded_path(path)
    places = [*rows, *([file_source(graded)] if graded.exists() else [])]
    return human.human_grades(places, args.human, args.prediction, args.target)


def grade(args: argparse.Namespace, rows: list[RowSource]) -> Grade:
    """Return the way of grading that the arguments choose: a score or an answer.

    Args:
        args: which say it.
        rows: with their originals.

    Raises:
        UsageError: they say it twice; or a library is missing.
    """
    if args.score is None:
        return by_answers(args, rows)
    if any(getattr(args, name, None) is not None for name in ("target", "match", "against")):
        raise UsageError(
            "--score says that rows are scored: leave out --target, --match and --against, or "
            "--score"
        )
    from perturb.robustness.grading.grade import by_fields

    return by_fields([args.score], args.prediction)


def by_answers(args: argparse.Namespace, rows: list[RowSource]) -> Grade:
    """Grade a row by its answer; what the arguments leave open is filled in.

    Args:
        args: the fields, and the way to compare them.
        rows: with their originals.

    Raises:
        UsageError: the arguments contradict each other, or a library is missing.
    """
    from perturb.robustness.grading.against import by_original
    from perturb.robustness.grading.grade import by_match

    compared, target = fields_and_rows(args, rows)
    if args.match == "judge":
        from perturb.evaluation.judge import journal_path, judged_before

        files = args.scored if isinstance(args.scored, list) else [args.scored]
        files = [*files, *filter(None, [getattr(args, "other", None)])]  # of two systems
        graded = judged_before(map(journal_path, files), args.prediction, target)
    else:
        try:
            graded = by_match(args.match or "exact", args.prediction, target)
        except ImportError as error:
            raise UsageError(str(error)) from None
    return graded if compared is None else by_original(graded, compared)


def fields_and_rows(args: argparse.Namespace, rows: list[RowSource]) -> tuple[Compared | None, str]:
    """Fill in the fields of answers; return what sets the originals' beside a row, and the target.

    Raises:
        UsageError: there are two things to compare answers with.
    """
    from perturb.robustness.grading.against import compared_rows

    args.prediction = args.prediction or "prediction"
    if getattr(args, "against", None) is None:
        args.target = args.target or "answer"
        return None, args.target
    if args.target is not None:
        raise UsageError("--against original takes no right answer: leave out --target, or it")
    return compared_rows(rows, args.prediction, moved=args.match != "choice"), REFERENCE


_WORDS = {
    31: "worse, B loses more, insensitive, A reacts more, loses",
    34: "better, A loses more, B reacts more, A bears more, B bears more",
    32: "robust, no worse, B loses no more, same, sensitive, B reacts no less, same reaction"
    ", bears",
    33: "undecided",
    35: "cannot judge",
    2: "control",
    0: "tolerance",
}
_COLOURS = {word: colour for colour, words in _WORDS.items() for word in words.split(", ")}
_FAILED = 3


_FORMS = ",".join(FORMS)
FORM = f"""\
--format {{{_FORMS}}} [table]  how to write (default: table)
| --json
| --csv"""
# What is written to be cited, beside the forms of every table.
CARDS = ("card", "model-index")
FORM_OR_CARD = FORM.replace(_FORMS, ",".join([_FORMS, *CARDS]))
AT_LEAST = """\
--at-least R  where the answers should change: the smallest reaction that counts, the share
    that does less that under a condition which keeps the answer (default: 0.1)"""
JUNIT = "--junit FILE  also write the rules as JUnit test cases"


def pieces_of(args: argparse.Namespace, results: Shown) -> list[str]:
    """Return a verdict, a comparison or a plan in the form that the arguments choose, in pieces.

    What has a colour is a piece of its own until it is printed, so that nothing escapes the colour.
    """
    wide = getattr(args, "wide", False)
    if args.format == "table":
        return as_pieces(results._table(wide), None if wide else WIDTH)
    return [FORMS[args.format](results, wide)]


def print_pieces(pieces: Sequence[str]) -> None:
    """Print the pieces of a text: verdicts in their colours, what others wrote escaped."""
    coloured = takes_colours()
    shown = (
        f"\x1b[{_COLOURS[piece]}m{piece}\x1b[0m"
        if coloured and isinstance(piece, VerdictWord)
        else visible(piece)
        for piece in pieces
    )
    display(Escaped("".join(shown)))


def rules_of(args: argparse.Namespace) -> list[Rule]:
    """Read the rules, before anything else is done."""
    from perturb.robustness.scoring.gate import rule_of

    free = args.score or args.metrics or (args.match or "").startswith(("distance", "python:"))
    shares = not free  # what else compares answers scores from 0 to 1
    return [rule_of(text, shares=shares) for text in args.fail_if]


def print_gated(
    args: argparse.Namespace,
    rules: Sequence[Rule],
    conditions: Sequence[Gated],
    pieces: Sequence[str],
    results: Shown,
) -> int:
    """Print a verdict, and which rules it breaks; return the status of the command.

    Args:
        args: the arguments of the command.
        rules: that the verdict is to pass.
        conditions: to which they apply.
        pieces: the verdict, as it is printed; see `pieces_of`.
        results: the verdict, whose words the test cases have too.
    """
    from perturb.robustness.scoring.gate import junit, markdown

    checked = [(rule, rule.checked(conditions)) for rule in rules]
    print_pieces(pieces)
    if rules and args.format == "md":
        display("\n" + markdown(checked))
    failures = [check.failure for _, checks in checked for check in checks if check.failure]
    for failure in failures:
        say(f"fails: {failure}")
    if args.junit is not None:
        with opened(args.junit, "wb") as file:
            words = results.sentence, checked, conditions, results.hints
            file.write(junit(args.parser.prog, *words).encode())
    return _FAILED if failures else 0
