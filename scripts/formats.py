"""Write the lists of formats, shapes and perturbators into pages: `python scripts/formats.py`."""

from pathlib import Path

import perturb
from perturb.io.files import COMPRESSIONS
from perturb.io.formats import _ADVICE, FORMATS, suffix_format
from perturb.plan.options import to_words
from perturb.plan.shapes import shapes
from perturb.registry.registry import FAMILIES, MODULE_OF

ROOT = Path(__file__).parents[1]


def listed() -> str:
    """Return the formats, each with its suffixes and its needs, and what is not read."""
    rows = ["| format | names end in | `--format` | needs |", "|---|---|---|---|"]
    for form in FORMATS.values():
        mine = [end for end in form.suffixes if suffix_format(f"x{end}") is form]
        packed = (
            ""
            if not form.packs or not mine
            else ", also with " + " or ".join(map(_quoted, COMPRESSIONS))
        )
        needs = "`pip install '.[arrow]'`" if form.typed else ""
        told = (
            f"{_quoted(form.suffixes[0])} that begins with {_quoted(by.decode())}"
            for by in form.begins
        )
        ends = ", ".join(map(_quoted, mine)) + packed or "".join(told) or "(named by `--format`)"
        rows.append(f"| {form.title} | {ends} | `{form.name}` | {needs} |")
    rows += ["", "| not read | what to do |", "|---|---|"]
    for advice in dict.fromkeys(_ADVICE.values()):
        ends = ", ".join(_quoted(end) for end in _ADVICE if _ADVICE[end] == advice)
        what, _, way = advice.partition(": ")
        way = way.replace("|", "\\|")
        rows.append(f"| {ends}: {what} | {way} |")
    return "\n".join(rows) + "\n"


def listed_shapes() -> str:
    """Return the shapes, each with its options, its source and the file that was tried."""
    rows = ["| `--shape` | layout | in place of | tried |", "|---|---|---|---|"]
    for shape in shapes().values():
        words = (f"'{word}'" if " " in word else word for word in to_words(shape.options))
        options = _quoted(" ".join(words))
        title = f"[{shape.title}](https://{shape.source})"
        tried = shape.tried or "rows made after the source"
        rows.append(f"| `{shape.name}` | {title} | {options} | {tried} |")
    return "\n".join(rows) + "\n"


def listed_perturbators() -> str:
    """Return the families, each with its names."""
    rows = ["| family | perturbators |", "|---|---|"]
    for package, family in FAMILIES.items():
        known = (name for name in perturb.names() if name in MODULE_OF)
        own = (_quoted(name) for name in known if MODULE_OF[name].startswith(f"{package}."))
        rows.append(f"| {family} | {', '.join(own)} |")
    return "\n".join(rows) + "\n"


def _quoted(text: str) -> str:
    return f"`{text}`"


# Each page with the name of a list, and what writes it.
LISTS = {
    ROOT / "docs/how-to/csv-and-parquet.md": ("formats", listed),
    ROOT / "docs/how-to/published-benchmarks.md": ("shapes", listed_shapes),
    ROOT / "README.md": ("perturbators", listed_perturbators),
}


def with_list(page: Path) -> str:
    """Return a page with its current list."""
    name, write = LISTS[page]
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, rest = page.read_text("utf-8").split(start)
    return f"{before}{start}{write()}{end}{rest.split(end)[1]}"


if __name__ == "__main__":
    for each in LISTS:
        each.write_text(with_list(each), "utf-8")
