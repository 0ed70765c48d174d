"""A page for each perturbator, and one that lists them by family: all of it from the code.

Beside what `perturb.describe` says stand what is measured on its risk, and what peers have for it.
"""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import sliders
from cases import CASES
from command_pages import text

import perturb
from perturb.cli.examples import STRENGTHS, versions
from perturb.cli.list import all_languages, expectation, in_words, texts_changed
from perturb.pipeline.drop_in_names import drop_ins
from perturb.pipeline.step import Step
from perturb.records.edit import html_text, joined, marked
from perturb.records.record import Record
from perturb.registry.describe import documented
from perturb.registry.registry import FAMILIES, MODULE_OF
from perturb.registry.severity import SCALES

DOCS = Path(__file__).parents[1]
RESULTS = DOCS.parent / "benchmarks" / "results"
MIGRATION = {"nlpaug": "nlpaug", "textattack": "TextAttack"}
KINDS = {
    "numbers": "a number",
    "negations": "a negation",
    "options": "an option or its label",
    "names": "a name",
}
START = """\
# Perturbators

Each has a page with its parameters, with what it does to a text at any strength, and with what its
edits touch. `perturb show NAME` prints the same, and `perturb list --language de --max-risk low`
finds those that fit; the [gallery](gallery.md) shows them all at work. `p` is a share of the unit.
"Texts" is the share of English texts that change at `p` = 1, from the class of text with the fewest
to that with the most: a step's page has the classes. A step for English leaves texts of another
language alone. The [label risk](../../explanation/label-risk.md) says
how likely a text then means something else.
"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of each perturbator, and the one that lists them."""
    for name in built_in():
        yield f"reference/perturbators/{name}.md", page(name)
    yield "reference/perturbators/gallery.md", sliders.gallery(families())
    yield "reference/perturbators/index.md", index()


def built_in() -> list[str]:
    """Return the names of the perturbators that come with perturb."""
    return [name for name in perturb.names() if name in MODULE_OF]


def families() -> dict[str, list[str]]:
    """Return the names by family."""
    return {
        family: [name for name in built_in() if MODULE_OF[name].startswith(f"{package}.")]
        for package, family in FAMILIES.items()
    }


def index() -> str:
    """Return the page with a table for each family."""
    parts = [START]
    for family, names in families().items():
        parts += [
            f"## {family}\n",
            "| name | description | unit | texts | label risk | expect | languages |",
        ]
        parts += ["|---|---|---|---|---|---|---|", *map(row, names), ""]
    listed = "\n".join(["gallery", *built_in()])
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"])


def row(name: str) -> str:
    """Return the row of a perturbator in the table of its family."""
    said = perturb.describe(name)
    facts = said["summary"], said["unit"], texts_changed(said), said["label_risk"], said["expect"]
    return "| " + " | ".join([link(name), *map(linked, (*facts, in_words(said)))]) + " |"


def link(code: str, folder: str = "") -> str:
    """Return code; a link to the page of a perturbator, if it names one alone."""
    return f"[`{code}`]({folder}{code}.md)" if code in MODULE_OF else f"`{code}`"


def linked(said: str, folder: str = "") -> str:
    """Return text whose code is code, with links to the pages of perturbators."""
    pieces = [text(piece) for piece in said.split("`")]
    pieces[1::2] = [link(code, folder) for code in said.split("`")[1::2]]
    return "".join(pieces)


def page(name: str) -> str:
    """Return the page of a perturbator."""
    said = perturb.describe(name)
    body, arguments = documented(said["doc"])
    parts = [f"# {name}\n", f"{linked(said['summary'])}\n", body + "\n"]
    parts += [sliders.slider(said), *facts(said)]
    parts += ["## Parameters\n", *parameters(said, arguments)]
    parts += ["## Examples\n", *examples(said), *others(said), *strengths(said)]
    parts += [*reach(said), *risk(said)]
    parts += peers(name)
    return "\n".join(parts)


def facts(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield the facts, as a table."""
    yield "| | |\n|---|---|"
    yield f"| unit of `p` | {text(said['unit'])} |"
    yield f"| label risk | {said['label_risk']} |"
    yield f"| languages | {all_languages(said)} |"
    yield f"| touches | {', '.join(said['touches']) or 'nothing'} |"
    yield f"| right answer | {expectation(said)} |"
    yield f"| source | {text(said['source'])} |"
    yield f"| version | {said['version']} |"
    for alias, given in said["aliases"].items():
        settings = ", ".join(f"`{key}={value!r}`" for key, value in given.items())
        yield f"| also called | `{alias}`{f' ({settings})' if settings else ''} |"
    yield ""


def parameters(said: Mapping[str, Any], arguments: Mapping[str, str]) -> Iterator[str]:
    """Yield the parameters with their defaults, and those that all steps have, as a table."""
    yield "| parameter | default | meaning |\n|---|---|---|"
    for name, default in {**said["parameters"], **common_defaults()}.items():
        shown = "" if default is None else f"`{default!r}`"
        about = {**common_arguments(), **arguments}[name]
        about += f" Allowed: {said['ranges'][name]}." if name in said["ranges"] else ""
        yield f"| `{name}` | {shown} | {cell(about)} |"
    yield ""


def common_defaults() -> dict[str, Any]:
    """Return the defaults of what every step has: its strength, its limits and its place."""
    options = inspect.signature(perturb.steps.identity).parameters
    return {name: option.default for name, option in options.items()}


@cache
def common_arguments() -> dict[str, str]:
    """Return what these mean."""
    return documented(inspect.getdoc(Step) or "", "Attributes")[1]


def cell(said: str) -> str:
    """Return Markdown for a cell of a table."""
    return said.replace("|", "\\|")


def examples(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield the example before, and after at each severity; else at three strengths or seeds."""
    shown = versions(said["name"])
    at = [(f"severity {n} (p = {p:g})", {"severity": n}) for n, p in said["severities"].items()]
    if at:
        seed = shown[0][1].seed
        shown = [
            (label, perturb.apply(said["example"], said["name"], seed=seed, **given))
            for label, given in at
        ]
    yield listing([("before", html_text(said["example"])), *((at, html(one)) for at, one in shown)])


def others(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield what other parameters make of the example."""
    name, found = said["name"], []
    for case in CASES:
        # The example is English.
        if case.spec.startswith(f"{name}:") and "language=" not in case.spec:
            record = changed(case.spec, said["example"])
            if record is not None:
                found.append((case.spec.partition(":")[2], html(record)))
    if found:
        yield f"With other parameters, at the intensity `{STRENGTHS[-1]}`:\n"
        yield listing(found)


def changed(spec: str, example: str) -> Record | None:
    """Return the first change at the high intensity, if any seed makes one."""
    records = (perturb.apply(example, spec, intensity=STRENGTHS[-1], seed=n) for n in range(100))
    return next((record for record in records if record.edits), None)


def html(record: Record) -> str:
    """Return an original with its edits marked; changes close together in a word are one."""
    return marked(record.original, joined(record.original, record.edits), "html")


def listing(pairs: list[tuple[str, str]]) -> str:
    """Return labelled texts as a list in HTML, which must hold no empty line."""
    rows = [f"<dt>{html_text(label)}</dt><dd>{shown}</dd>" for label, shown in pairs]
    return f'<dl class="edits">{"".join(rows)}</dl>'.replace("\n", "&#10;") + "\n"


def strengths(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield the `p` behind each intensity and severity."""
    yield "## Strengths\n"
    for kind in ("intensity", "severity"):
        known = said["intensities" if kind == "intensity" else "severities"]
        if known:
            yield f"| {kind} | " + " | ".join(map(str, known)) + " |"
            yield "|---|" + "---|" * len(known)
            yield "| `p` | " + " | ".join(f"{p:g}" for p in known.values()) + " |\n"
    scale = said["scale"]
    if said["severities"]:
        yield f"A severity is {SCALES[scale['unit']]}: see [units](../../explanation/units.md)."
        if scale["texts"]:
            yield (
                "Of the example questions that `p` = 1 changes, the middle third has a rate of "
                f"{scale['typical']:g}; in a tenth it is below {scale['low']:g}, in a tenth above "
                f"{scale['high']:g}."
            )
        yield ""
    else:
        yield "It has no severities: its strength is no error rate.\n"


def reach(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield the share of texts of each class, and of their words, that p = 1 changes."""
    yield "## What it changes\n"
    yield (
        "With its defaults and `p` = 1, by class of English text: the share of the texts that "
        "change, and of all their words those that no longer stand as they were. A step for "
        "English leaves texts of another language alone. `benchmarks/reach.py` counts this, also "
        "in texts of yours.\n"
    )
    yield "| class | texts | words |\n|---|--:|--:|"
    for kind, each in said["reach"].items():
        yield f"| {kind} | {each['texts']:.0%} | {each['words']:.0%} |"
    yield ""


@cache
def measured() -> dict[str, Any]:
    """Return what the benchmark of label risk found."""
    found: dict[str, Any] = json.loads((RESULTS / "label_risk.json").read_text("utf-8"))
    return found


def risk(said: Mapping[str, Any]) -> Iterator[str]:
    """Yield how often an edit touches what the label of a text may depend on."""
    found = measured()
    shares = found["shares"].get(said["name"])
    if shares is None:
        return
    yield "## What it breaks\n"
    yield (
        f"A label may depend on a number, a negation, an option or a name. In {found['texts']} "
        "texts, `benchmarks/label_risk.py` counts how many of the texts that have one lose it:\n"
    )
    yield "| lost | texts with it | " + " | ".join(shares) + " |"
    yield "|---|---|" + "---|" * len(shares)
    for kind, count in found["texts_with"].items():
        cells = [f"{one[kind]:.1%}" for one in shares.values()]
        yield f"| {KINDS[kind]} | {count} | " + " | ".join(cells) + " |"
    yield ""
    known = found["knowledge"][said["name"]]
    if known:
        rates = ", ".join(f"{share['names']:.0%} at {level}" for level, share in known.items())
        yield f"Of 50 questions of knowledge, which hang on a name, these lose one: {rates}.\n"


def peers(name: str) -> list[str]:
    """Return what other libraries have for a perturbator."""
    rows = [
        f"| `{one.name}` | `{cell(one.steps)}` | [names](../tables/names.md) |"
        for one in drop_ins().values()
        if re.search(rf"\b{name}\b", one.steps)
    ]
    for page, library in MIGRATION.items():
        rows += [
            f"| {library} `{theirs}` | `{ours}` | [{library}](../../migration/{page}.md) |"
            for theirs, ours in counterparts(page)
            if re.search(rf"\b{name}\b", ours)
        ]
    if not rows:
        return []
    head = "| theirs | here | differences |\n|---|---|---|"
    return ["## In other libraries\n", head, *rows, ""]


@cache
def counterparts(page: str) -> list[tuple[str, str]]:
    """Return what a page of migration says: a name there, and the steps for it here."""
    path = DOCS / "migration" / f"{page}.md"
    return re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", path.read_text("utf-8"), re.MULTILINE)
