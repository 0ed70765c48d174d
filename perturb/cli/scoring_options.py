"""Options shared by the commands that read scored rows: the files, and the plan of judging."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import read_whole
from perturb.cli.talk import say
from perturb.errors import T, UsageError, shown
from perturb.plan.options import flag
from perturb.robustness.grading.plan import GRADED, TERMS, Grading, Settings, completed, manual
from perturb.robustness.grading.ways import BY_JUDGE
from perturb.values.fields import FINITE, checked_real

if TYPE_CHECKING:
    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.scoring.score import Grader, Judged
    from perturb.robustness.scoring.verdict import Verdict


CLEAN = "--clean FILE  scored originals, if SCORED doesn't have them"
SCORED = f"""\
scored SCORED  scored rows, JSON Lines or another format of perturb apply, or the folder of perturb
    test; a reply that is null, or an empty cell of CSV or TSV, never came
{CLEAN}"""
GRADING = f"""\
{manual(*GRADED)}
--config FILE  YAML or JSON with options of judging by their names, such as match: number or
    at_least: 0.2; options that are given overrule it"""
# The plan by which perturb test judges, in its folder.
TEST_PLAN = "judging.json"


def grading_of(options: Mapping[str, Any], path: Path | str | None = None, *more: str) -> Grading:
    """Return the plan of judging that options choose, among others.

    Args:
        options: the options of a call.
        path: scored rows; what the options leave open is as they were asked under.
        more: further terms to take over from there.

    Raises:
        UsageError: the options contradict each other, or the file of metrics is wrong.
    """
    given = {name: options[name] for name in TERMS if options.get(name) not in (None, [])}
    if options.get("config") is not None:
        held = _from_file(options["config"], _terms)
        if idle := [flag(name) for name in held if name not in options]:
            say(f"{options['config']}: not used here, without such an option: {', '.join(idle)}")
        given = {name: value for name, value in held.items() if name in options} | given
    if (file := given.pop("metrics", None)) is not None:
        given |= {"metrics": _from_file(file, _settings), "metrics_file": str(file)}
    return completed(given, asked_under(path), *more)


def _from_file(path: str, read: Callable[[Any], T]) -> T:
    from perturb.pipeline.pipeline import from_file  # with the engine, which nothing else asks

    return from_file(path, read)


def _terms(content: Any) -> dict[str, Any]:
    """Return the terms that a file of options has, once they are known to be some.

    Raises:
        UsageError: there is another one, or the file holds no options.
    """
    if not isinstance(content, dict) or (others := sorted(map(str, {*content} - {*TERMS}))):
        got = ", ".join(others) if isinstance(content, dict) else shown(content)
        raise UsageError(f"it holds options of judging, which are {', '.join(TERMS)}; got {got}")
    if not isinstance(metrics := content.get("metrics", ""), str):
        raise UsageError(f"metrics is the path of a file with their settings; got {shown(metrics)}")
    for name in {"margin", "at_least", "lose"} & {*content}:
        checked_real(name, content[name], "a number of at least 0", 0, FINITE)
    Grading.of(**{name: value for name, value in content.items() if name != "metrics"})
    return content


def _settings(content: Any) -> Settings:
    """Return the settings of metrics as they are, once they are known to be some."""
    from perturb.robustness.measures.metric import metrics_of

    metrics_of(content)
    settings: Settings = content
    return settings


def stopped_by(path: Path | str | None) -> Grading | None:
    """Return the plan by which asking stopped, if the manifest of scored rows has one."""
    asked = _asked(path)
    return Grading.read(asked) if {"until", "bisect"} & {*asked} else None


def asked_under(path: Path | str | None) -> Grading | None:
    """Return the plan by which asking stopped, or else that of the perturb test that asked."""
    from perturb.io.inputs import expanded

    if (stopped := stopped_by(path)) is not None or path is None:
        return stopped
    answers = Path(expanded([str(path)])[0]).absolute().parent
    plan = answers.parent / TEST_PLAN
    if answers.name != "answers" or not plan.is_file():
        return None
    return Grading.read(json.loads(read_whole(plan)))


def _asked(path: Path | str | None) -> Mapping[str, Any]:
    """Return the options by which scored rows were asked, if their manifest has them."""
    from perturb.io.inputs import expanded
    from perturb.stream.manifest import read
    from perturb.stream.reproduce import system_options

    return {} if path is None else system_options(read(expanded([str(path)])[0]))


def unlike(grading: Grading, path: Path | str) -> list[str]:
    """Return a sentence about the rules by which asking stopped, where a plan has others."""
    asked = stopped_by(path)
    return [] if asked is None else grading.unlike(asked)


def tell_unlike(grading: Grading, *paths: Path | str) -> None:
    """Report such rules, for commands whose output has no hints."""
    for told in dict.fromkeys(told for path in paths for told in unlike(grading, path)):
        say(told)


def sources(grading: Grading, scored: Path | str, clean: Path | None = None) -> list[RowSource]:
    """Return the rows of the files, the originals first."""
    paths = [scored] if clean is None else [clean, scored]
    return [source(grading, [str(path)]) for path in paths]


def source(grading: Grading, paths: Sequence[str]) -> RowSource:
    """Return the rows of files, with the fields that the plan names by their paths."""
    from perturb.engine import memory
    from perturb.io.inputs import expanded
    from perturb.robustness.linking.sources import files_source

    memory.collect_rarely()  # the columns of rows are better given back
    rows = files_source(expanded(paths), grading.rows, grading.where, grading.reply)
    if (grading.records, grading.id_field) != (None, None):
        from perturb.robustness.linking.by_id import joined

        rows = joined(rows, grading.records, grading.id_field or "id")
    return rows.reading(*grading.paths)


def grader_of(
    grading: Grading, rows: Sequence[RowSource], path: Path | str, files: Sequence[Path | str] = ()
) -> Grader:
    """Return what grades rows as a plan says.

    Args:
        grading: the plan.
        rows: the rows, with their originals.
        path: the path of their file; what a person says of them is beside it.
        files: those of all systems, beside which are a judge's answers; that one if there are none.

    Raises:
        UsageError: a library is missing, or a judge wasn't asked.
        DataError: the rows can't be graded so.
    """
    from perturb.robustness.linking.sources import file_source
    from perturb.robustness.scoring.score import grader

    judge: Callable[[str, str], Any] | None = None
    if grading.way == BY_JUDGE:
        from perturb.evaluation.judge import journal_path, judged_before

        judge = partial(judged_before, [*map(journal_path, files or [path])])
    beside = [file_source(graded)] if (graded := graded_path(path)).exists() else []
    try:
        return grader(rows, grading, judge=judge, beside=beside)
    except ImportError as error:
        raise UsageError(str(error)) from None


def judge(
    grading: Grading,
    rows: Sequence[RowSource],
    path: Path | str,
    files: Sequence[Path | str] = (),
    *,
    seed: int | None = None,
) -> Judged:
    """Judge rows by a plan, and say where their asking stopped by another one.

    Args:
        grading: the plan.
        rows: the rows, with their originals.
        path: as for `grader_of`.
        files: as for `grader_of`.
        seed: asks for a bootstrap interval.

    Raises:
        UsageError: a library is missing.
        DataError: the rows can't be judged.
    """
    from perturb.robustness.scoring.hints import sampling_hint
    from perturb.robustness.scoring.score import judge_pairs

    judged = judge_pairs(rows, grading, grader_of(grading, rows, path, files), seed=seed)

    def verdict() -> Verdict:
        before, hints = judged.verdict, unlike(grading, path)
        hints += sampling_hint(judged.pairs, _asked(path).get("temperature"))
        if grading.way == BY_JUDGE and not files:
            hints += judge_notes([path], judged, before.overall[0].difference)
        return replace(before, hints=(*before.hints, *hints))

    return replace(judged, judge=verdict)


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
    from perturb.robustness.measures.human import error_hint

    yield judge_note([*map(journal_path, paths)])
    if judged.pairs.human is None:
        yield error_hint(difference, systems)


def graded_path(path: Path | str) -> Path:
    """Return the path of the rows of a file that a person grades."""
    return Path(f"{path}.human.jsonl")
