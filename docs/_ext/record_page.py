"""The pages of the record, of measures and of other libraries' names, from tables in the code."""

from collections.abc import Iterator
from itertools import groupby

from command_pages import text
from perturbator_pages import linked

from perturb.pipeline.drop_in_names import drop_ins, left_out
from perturb.records.notation import RECORD
from perturb.robustness.measures.comparison import Comparison, Effect, Quality, Uncertainty
from perturb.robustness.measures.findings import Finding
from perturb.robustness.tables.tables import EVERY

LIBRARIES = {
    "weave": "W&B Weave",
    "helm": "HELM",
    "langtest": "LangTest",
    "nlaugmenter": "NL-Augmenter",
}
RECORD_START = """\
# The record

Each row that comes out has what was done to it in `perturbation`: eight strings, the same in all
rows and for all perturbators, none of them null or a list, so that Arrow, Parquet, Hugging Face,
Polars, DuckDB and Spark give the rows back as they were. In CSV they are eight columns,
`perturbation.original_id` and so on. {download}`The JSON Schema <../../record.schema.json>` is what
`perturb show record --json` prints; `perturb.records.notation.arrow_type()` is the Arrow type.

| field | meaning |
|---|---|
"""
RECORD_END = """
The grammar of `edits`, and parsers of it in Python, SQL and JavaScript, are on
[a page of their own](../edits.md).
"""
NAMES_START = """\
# Names of other libraries

A name has its library before a dot, so that it never stands for one of ours. It may stand wherever
a step may: `perturb.apply(text, "helm.typos")`, `perturb apply weave.butterfingers`, in
combinators, grids and YAML. The record holds the steps that it stands for. Where that is one step,
its `p` or `count` is what the original does without being told otherwise, and `helm.typos:p=0.3`,
`p=0.3` or `severity=2` takes its place. A name of several steps takes no settings: write its steps.

For all of them, the same text with the same seed gives the same bytes, in any order and with any
number of processes; every edit is in the record; white space, and all text outside the edits, stays
as it is; no grapheme cluster is split; URLs, numbers or code can be protected; and a text that did
not change says why.

H2O Eval Studio's names are plain aliases, which `perturb list --aliases` lists with these. nlpaug's
augmenters are steps by their own names: see [coming from nlpaug](../../migration/nlpaug.md).
"""


MEASURES_START = """\
# Measures

What `perturb score` and `perturb compare` know of each condition and of all together: the column of
`--wide`, of `--format md` and `tex` and of the page; the attribute in Python; the name in `--json`
and `--csv`; and the name in a rule of `--fail-if`. A rule may also be about `drop`, the loss
that the whole interval shows; `reaction`, where the answer should change; `invented`, where nobody
can know it; `tolerance` and `ratio`, of the steps that were asked at several strengths. A measure
that doesn't exist for the data is null.

| column | in Python | in JSON and CSV | rule | meaning |
|---|---|---|---|---|
"""


def measures() -> Iterator[str]:
    """Yield the rows of the table of measures."""
    for measure in EVERY:
        names = ", ".join(f"`{path.rpartition('.')[2]}`" for path in measure.paths)
        plain = names if _is_field(measure.paths[0]) else ""
        rule = f"`{measure.rule}`" * bool(measure.rule)
        yield f"| {measure.title} | {names} | {plain} | {rule} | {text(measure.about)} |\n"


def _is_field(path: str) -> bool:
    """Return whether a measure is a field of a result, and not computed from some."""
    types = {"": Finding, "comparison": Comparison, "uncertainty": Uncertainty}
    types |= {"effect": Effect, "quality": Quality}
    *_, kind, name = ("", *path.split("."))
    return name in ("difference", "low", "high", *types[kind]._fields)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the pages."""
    yield "reference/tables/measures.md", MEASURES_START + "".join(measures())
    yield (
        "reference/tables/record.md",
        RECORD_START
        + "".join(f"| `{one.name}` | {text(one.about)} |\n" for one in RECORD)
        + RECORD_END,
    )
    yield "reference/tables/names.md", names()


def names() -> str:
    """Return the page of the names."""
    parts = [NAMES_START]
    for library, group in groupby(drop_ins().values(), lambda one: one.name.partition(".")[0]):
        parts.append(f"\n## {LIBRARIES[library]}\n\n| name | stands for | theirs | ours |\n")
        parts.append("|---|---|---|---|\n")
        for one in group:
            steps = one.steps.replace("|", "\\|")
            ours = linked(one.ours, "../perturbators/")
            parts.append(f"| `{one.name}` | `{steps}` | {text(one.theirs)} | {ours} |\n")
    parts.append("\n## Left out\n\nNames that would do something else than they say.\n\n")
    parts += [
        f"- {text(names)}: {linked(reason, '../perturbators/')}.\n"
        for names, reason in left_out().items()
    ]
    return "".join(parts)
