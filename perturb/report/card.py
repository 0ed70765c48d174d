"""A verdict or standings to cite: a card of one page, and the metadata that model hubs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb._version import __version__
from perturb.plan.recipe_text import read_options
from perturb.robustness.measures.comparison import size_of
from perturb.robustness.measures.findings import ALL
from perturb.robustness.measures.judgement import CANNOT_JUDGE
from perturb.robustness.tables.formats import as_markdown
from perturb.stream.reproduce import commands, rows_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perturb.report.runs import Run
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.verdict import Verdict
    from perturb.robustness.tables.formats import Shown

_UNKNOWN = "not known: no manifest stands beside the answers"


class Judgeds(NamedTuple):
    """What a card is of.

    Attributes:
        results: the verdict, the comparison or the standings.
        runs: one for each system.
        judged: the findings of each alone.
        call: the command line that makes the card.
    """

    results: Shown
    runs: Sequence[Run]
    judged: Sequence[Judged]
    call: str


def card(of: Judgeds) -> str:
    """Return one page of Markdown: the hash of the frozen rows, and the findings in them."""
    sets = [rows_manifest(run.manifest) or {} for run in of.runs]
    hashes = (each.get("output", {}).get("sha256") for each in sets)
    recipes = [each["recipe"] for each in sets if "recipe" in each]
    systems = (
        ", asked ".join(filter(None, (run.system or run.name, run.asked))) for run in of.runs
    )
    comparisons = [each.verdict.overall[0].comparison for each in of.judged]
    facts = {
        "systems" if len(of.runs) > 1 else "system": _each(systems),
        "frozen rows (SHA-256)": _each(hashes),
        "noise, as a recipe": _each(f"`{each}`" for each in recipes),
        "seed": _each(str(read_options(each)["seed"]) for each in recipes),
        "size": f"{size_of(comparisons, 'perturbed rows')} system",
        "made by": f"`{of.call}`, perturb {__version__}",
    }
    again = [line for _, line in commands(of.runs[0].manifest, Path(of.runs[0].files[0]).name)]
    parts = [
        f"# Robustness: {', '.join(run.name for run in of.runs)}",
        "| | |\n| --- | --- |\n"
        + "\n".join(f"| {name} | {what} |" for name, what in facts.items()),
        as_markdown(of.results._paper()),
        *(f"Tolerance of {name}: {words}" for name, words in _found(of)),
        *(["To make it again:", "\n".join(["```sh", *again, "```"])] if again else []),
    ]
    return "\n\n".join(parts)


def _each(values: Iterable[str | None]) -> str:
    """Return the distinct values that are known, in one text."""
    words = "; ".join(dict.fromkeys(filter(None, values))) or _UNKNOWN
    return words.replace("|", r"\|")


def _found(of: Judgeds) -> Iterator[tuple[str, str]]:
    """Yield the tolerance of each system that was asked at several strengths."""
    for run, judged in zip(of.runs, of.judged, strict=True):
        steps = [step for step in judged.verdict.tolerances if not step.reason]
        if steps:
            yield run.name, " ".join(step.words(judged.verdict.lose) for step in steps)


def model_index(of: Judgeds) -> str:
    """Return the metadata of model cards, YAML: for each system its scores in each condition.

    Source: the specification of `model-index` in huggingface/hub-docs, modelcard.md.
    """
    import yaml

    index = [
        {"name": run.name, "results": list(_results(run, judged.verdict))}
        for run, judged in zip(of.runs, of.judged, strict=True)
    ]
    return yaml.safe_dump({"model-index": index}, sort_keys=False, allow_unicode=True).rstrip()


def _results(run: Run, verdict: Verdict) -> Iterator[dict[str, Any]]:
    rows = rows_manifest(run.manifest) or {}
    paths = rows.get("input", {}).get("path") or run.files[0]
    data = Path(paths if isinstance(paths, str) else paths[0]).name.partition(".")[0]
    known = {"sha256": rows.get("output", {}).get("sha256"), "recipe": rows.get("recipe")}
    for finding in (*verdict.conditions, *verdict.overall):
        if finding.scope != ALL or finding.verdict == CANNOT_JUDGE:
            continue
        compared = finding.comparison
        kind = "accuracy" if compared.effect.cohens_h is not None else finding.metric
        sure = {"low": finding.low, "high": finding.high, "verdict": finding.verdict}
        metrics = [
            (kind, "clean", compared.clean_mean, {}),
            (kind, "perturbed", compared.perturbed_mean, {}),
            (f"{kind}_change", "change", finding.difference, {"args": sure}),
        ]
        yield {
            "task": {"type": "text-generation", "name": "Robustness to perturbed input"},
            "dataset": {
                "type": data,
                "name": f"{data}, {finding.name}",
                "config": finding.name,  # by which the hub tells them apart
                "args": {name: each for name, each in known.items() if each},
            },
            "metrics": [
                {"type": kind, "name": f"{finding.metric}, {which}", "value": value, **more}
                for kind, which, value, more in metrics
            ],
        }


CARDS = {"card": card, "model-index": model_index}
