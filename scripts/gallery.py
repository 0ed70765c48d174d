"""Write docs/gallery.md and the README's list of perturbators: `python scripts/gallery.py`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import perturb
from perturb.cli.examples import STRENGTHS, documented, versions
from perturb.cli.list import in_words
from perturb.records import marked as marks
from perturb.records.record import Record
from perturb.registry.built_in import FAMILIES, MODULE_OF

ROOT = Path(__file__).parents[1]
README, GALLERY = ROOT / "README.md", ROOT / "docs" / "gallery.md"
START, END = "<!-- perturbators -->\n", "<!-- /perturbators -->"

sys.path.append(str(ROOT / "tests"))
from cases import CASES  # noqa: E402

INTRODUCTION = """\
# The perturbators

Made by `python scripts/gallery.py`; every text below is what `perturb` writes.

Each perturbator has a text that it shows on, at the strengths that are its `low`, `medium` and
`high`, with the first of twenty seeds that tells the most of them apart. What is all or nothing is
shown with several seeds. Below that stands what other parameters do. Marks are those of
`perturb diff`: `[-removed-]` and `{+written+}`; changes close together in a word are shown as one,
and what would not show, or looks the same, is escaped. `p` is a share of the unit; the
label risk says how likely a text then means something else. `perturb show NAME` prints an entry.
"""


def families() -> dict[str, list[str]]:
    """Return the names of the built-in perturbators, by family."""
    known = perturb.names()
    return {
        family: [name for name in known if MODULE_OF.get(name) in modules]
        for family, modules in FAMILIES.items()
    }


def overview() -> str:
    """Return the families, each with its names."""
    rows = ["| family | perturbators |", "|---|---|"]
    for family, names in families().items():
        anchor = family.lower().replace(",", "").replace(" ", "-")
        quoted = ", ".join(f"`{name}`" for name in names)
        rows.append(f"| [{family}](docs/gallery.md#{anchor}) | {quoted} |")
    return "\n".join(rows) + "\n"


def gallery() -> str:
    """Return the gallery."""
    parts = [INTRODUCTION]
    for family, names in families().items():
        parts += [f"## {family}\n", table(names), *map(entry, names)]
    return "\n".join(parts)


def table(names: list[str]) -> str:
    """Return the table of a family."""
    rows = [
        "| name | unit of `p` | label risk | languages | description |",
        "|---|---|---|---|---|",
    ]
    for name in names:
        said = perturb.describe(name)
        languages = in_words(said["languages"])
        facts = (said["unit"], said["label_risk"], languages, said["summary"])
        cells = (f"[`{name}`](#{name})", *facts)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def entry(name: str) -> str:
    """Return the entry of one perturbator."""
    said = perturb.describe(name)
    body, arguments = documented(said["doc"])
    facts = [f"Unit: {said['unit']}", f"label risk: {said['label_risk']}"]
    facts += [f"languages: {', '.join(said['languages'])}"]
    facts += [f"touches: {', '.join(said['touches']) or 'nothing'}"]
    facts += [f"alias: `{alias}`" for alias in said["aliases"]]
    parts = [
        f"### {name}",
        said["summary"],
        f"{'; '.join(facts)}. Source: {said['source']}.",
        body,
        "\n".join(parameters(said, arguments)),
        "```text\n" + "\n".join(samples(name, said["example"])) + "\n```",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def parameters(said: dict[str, Any], arguments: dict[str, str]) -> Iterator[str]:
    """Yield the parameters with their defaults."""
    for name, default in said["parameters"].items():
        shown = "" if default is None else f" (`{default!r}`)"
        yield f"- `{name}`{shown}: {arguments[name]}"


def samples(name: str, example: str) -> Iterator[str]:
    """Yield the example before and after."""
    yield labelled("before", example)
    for label, record in versions(name):
        yield labelled(label, marked(record))
    for case in CASES:
        if case.spec.startswith(f"{name}:"):
            record = changed(case.spec, example)
            if record is not None:
                yield labelled(case.spec.partition(":")[2], marked(record))


def changed(spec: str, example: str) -> Record | None:
    """Return the first change at the high strength, if any seed makes one."""
    records = (perturb.apply(example, spec, intensity=STRENGTHS[-1], seed=n) for n in range(100))
    return next((record for record in records if record.edits), None)


def marked(record: Record) -> str:
    """Return the example with its edits marked."""
    return marks.marked(record.original, marks.joined(record.original, record.edits))


def labelled(label: str, text: str) -> str:
    """Return a text beside its label, or below a long one."""
    column = indent(text, " " * 12)
    return f"{label:<12}{column[12:]}" if len(label) < 12 else f"{label}\n{column}"


def with_overview(readme: str) -> str:
    """Return the README with the current families."""
    before, rest = readme.split(START)
    _, after = rest.split(END)
    return f"{before}{START}{overview()}{END}{after}"


if __name__ == "__main__":
    GALLERY.parent.mkdir(exist_ok=True)
    GALLERY.write_text(gallery(), "utf-8")
    README.write_text(with_overview(README.read_text("utf-8")), "utf-8")
