"""Options shared by the commands that read scored rows: the files, and how to grade and judge."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.errors import UsageError
from perturb.robustness.grading.ways import DEFAULT, REFERENCE, WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.grading.against import Compared
    from perturb.robustness.grading.grade import Grade
    from perturb.robustness.scoring.human import Reply
    from perturb.robustness.scoring.metric import Metric
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource

    _Grades = dict[Reply, float]


_WAYS = [f"{way.name} (default)" if way.name == DEFAULT else way.name for way in WAYS]
CLEAN = "--clean FILE  scored originals, if SCORED doesn't have them"
SCORED = f"""\
scored SCORED  scored rows, JSON Lines
{CLEAN}"""
ANSWERS = f"""\
--prediction FIELD  the field with the system's answer (default: prediction)
--target FIELD  the field with the right answer (default: answer)
--match WAY  how to compare the two: {", ".join(_WAYS)}"""
AGAINST = """\
--against {original}  compare with the answer to the original in place of the right answer"""
GRADED = ("match", "target", "prediction")
GRADES = f"""\
{ANSWERS}
--score FIELD  a field with a score for the answer; higher is better"""
# Another program's lines and logs, such as the samples of lm-eval, may contain the rows.
GRADING = f"""\
--rows PATH  the path to the rows in a line or a file, such as doc or samples[*]; a field of the
    object around a row is then ^.exact_match
--where* FIELD=VALUE []  only rows in which a field has this value; may be repeated
{GRADES}
{AGAINST}
--metrics FILE  YAML or JSON with each metric (a field of the rows), its threshold and, if they
    differ from the default, higher_is_better: false and rule: pass_fail"""
MARGIN = """\
--margin M  how large a difference still counts as robust (default: 0.02)"""
JUDGING = """\
--cluster* FIELD  a field that related originals share, such as their passage; may be repeated
--range LOW,HIGH  the lowest and the highest possible score, if they aren't 0 and 1
--unanswered {bounds,out,wrong}  how to count lost replies: either way, so that the verdict
    holds whatever they were (default); not at all; or as wrong"""
AT_LEAST = """\
--at-least R  if the answers should change, the smallest reaction that counts: the share that
    changes, minus the share under a condition that keeps the answer (default: 0.1)"""
SLICE = """\
--slice* FIELD []  break the difference down by the values of a field; may be repeated"""
HUMAN = """\
--human FIELD  the field with a person's grades of some replies, right or wrong, in SCORED or in
    SCORED.human.jsonl, which correct the other grades; see --draw of perturb score"""


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

    rows = files_source(expanded(paths), getattr(args, "rows", None), getattr(args, "where", ()))
    return rows.reading(*(getattr(args, name, None) for name in ("prediction", "target", "score")))


def judge(args: argparse.Namespace, rows: list[RowSource], path: Path) -> Judged:
    """Judge rows with the grading and the margin of the arguments.

    Args:
        args: the arguments of the command.
        rows: the rows, with their originals.
        path: the path of their file; a judge's answers are beside it.

    Raises:
        UsageError: the arguments contradict each other, or a library is missing.
        DataError: the rows can't be judged.
    """
    from perturb.robustness.scoring.hints import sampling_hint
    from perturb.robustness.scoring.human import with_human
    from perturb.robustness.scoring.score import Judging, judge_pairs, with_match_hint

    told = carried(args, path)
    grade, metrics, prediction = grading(args, rows)
    draw: Mapping[str, int] = {}
    if getattr(args, "human", None) is not None:
        grades, draw = human_grades(args, rows, path)
        if not grades:
            raise UsageError(
                f"neither {path} nor {graded_path(path)} has grades in {args.human!r}; "
                f"perturb score {path} --human {args.human} --draw 200 writes rows to grade"
            )
        grade = with_human(grade, grades, args.prediction, args.target)
    options = {name: getattr(args, name) for name in ("seed", "at_least") if name in args}
    options["judging"] = Judging(args.cluster, args.unanswered, draw)
    by = grade, metrics, prediction, args.target
    judged = judge_pairs(rows, *by, margin=args.margin, **options)
    told += sampling_hint(judged.pairs, _asked(path).get("temperature"))
    verdict = replace(judged.verdict, hints=(*judged.verdict.hints, *told))
    judged = judged._replace(verdict=verdict)
    if args.match == "judge" and not isinstance(args.scored, list):
        notes = judge_notes([path], judged, judged.verdict.overall[0].difference)
        hints = (*judged.verdict.hints, *notes)
        return judged._replace(verdict=replace(judged.verdict, hints=hints))
    if args.target is None or args.match == "judge":  # no answers that another --match could read
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


def carried(args: argparse.Namespace, path: Path | None = None, *, lose: bool = False) -> list[str]:
    """Fill in rules that aren't given: those of `--until` or `--bisect`, or else the usual ones.

    Args:
        args: the arguments of a command, changed in place.
        path: the path of scored rows; their manifest has the rules by which asking stopped.
        lose: whether the loss of a tolerance is one of the rules.

    Returns:
        A sentence about those that differ, if any do.
    """
    from perturb.plan.options import repeated
    from perturb.robustness.scoring.tolerances import LOSE

    asked = _asked(path)
    stopped = asked if {"until", "bisect"} & {*asked} else {}
    scores = any(getattr(args, name, None) for name in ("score", "metrics", "against"))
    then, now = list[str](), list[str]()
    for name, value in {**usual(), **({"lose": LOSE} if lose else {})}.items():
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


def _asked(path: Path | None) -> dict[str, Any]:
    """Return the options by which scored rows were asked, if their manifest has them."""
    from perturb.io.inputs import expanded
    from perturb.stream.manifest import read
    from perturb.stream.reproduce import system_options

    return {} if path is None else system_options(read(expanded([str(path)])[0]))


def judge_notes(
    paths: Sequence[Path | str], judged: Judged, difference: float, systems: int = 1
) -> Iterator[str]:
    """Yield a note on the judge of the replies, and if its error rate is unknown, on its effect.

    Args:
        paths: the files of the replies.
        judged: the verdict on one of them.
        difference: see `error_hint`.
        systems: see `error_hint`.
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
        args: the arguments of the command.
        rows: the rows, with their originals.

    Raises:
        UsageError: the arguments contradict each other, a library is missing, or the file of
            metrics is wrong.
    """
    from perturb.pipeline.pipeline import from_file
    from perturb.robustness.grading.grade import by_fields
    from perturb.robustness.scoring.metric import SCORE, answer_metric, metrics_of, ranged

    between = _range(args)
    if args.metrics is None:
        by_one = grade(args, rows)  # fills in --prediction, read below
        metrics = answer_metric(args.match, args.against is not None)
        if args.score is not None:
            metrics = {args.score: SCORE}
        return by_one, ranged(metrics, between), args.prediction
    for name in ("score", "target", "match", "human", "against"):
        if getattr(args, name, None):
            raise UsageError(f"--metrics names the scores; leave out --{name}, or --metrics")
    metrics = from_file(args.metrics, metrics_of)
    return by_fields(list(metrics), args.prediction), ranged(metrics, between), args.prediction


def _range(args: argparse.Namespace) -> tuple[float, float] | None:
    """Read --range.

    Raises:
        UsageError: it isn't two numbers.
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


def human_grades(
    args: argparse.Namespace, rows: list[RowSource], path: Path
) -> tuple[_Grades, Mapping[str, int]]:
    """Return a person's grades, from the rows and from the file beside theirs, and its draw."""
    from perturb.robustness.scoring import human
    from perturb.robustness.scoring.sources import file_source

    if args.metrics or args.against:
        raise UsageError("--human grades replies; leave out --metrics and --against")
    graded = graded_path(path)
    beside = [file_source(graded)] if graded.exists() else []
    grades = human.human_grades([*rows, *beside], args.human, args.prediction, args.target)
    return grades, human.draw_of(beside)


def grade(args: argparse.Namespace, rows: list[RowSource]) -> Grade:
    """Return the way of grading that the arguments choose: a score or an answer.

    Args:
        args: the arguments of the command.
        rows: the rows, with their originals.

    Raises:
        UsageError: the arguments contradict each other, or a library is missing.
    """
    if args.score is None:
        return by_answers(args, rows)
    if any(getattr(args, name, None) is not None for name in ("target", "match", "against")):
        raise UsageError(
            "--score reads scores, so there is nothing to compare; leave out --target, --match and "
            "--against, or --score"
        )
    from perturb.robustness.grading.grade import by_fields

    return by_fields([args.score], args.prediction)


def by_answers(args: argparse.Namespace, rows: list[RowSource]) -> Grade:
    """Return the way to grade a row by its answer, and set missing arguments to their defaults.

    Args:
        args: the arguments of the command.
        rows: the rows, with their originals.

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
    """Set the default fields of answers; return how to add the original's answer, and the target.

    Raises:
        UsageError: the arguments name two things to compare answers with.
    """
    from perturb.robustness.grading.against import compared_rows

    args.prediction = args.prediction or "prediction"
    if getattr(args, "against", None) is None:
        args.target = args.target or "answer"
        return None, args.target
    if args.target is not None:
        raise UsageError("--against original needs no right answer; leave out --target, or it")
    return compared_rows(rows, args.prediction, moved=args.match != "choice"), REFERENCE
