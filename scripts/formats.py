"""Write the list of formats into the page about them: `python scripts/formats.py`."""

from pathlib import Path

from perturb.io.files import COMPRESSIONS
from perturb.io.formats import _ADVICE, FORMATS, suffix_format

PAGE = Path(__file__).parents[1] / "docs/how-to/csv-and-parquet.md"
START, END = "<!-- formats -->\n", "<!-- /formats -->"


def listed() -> str:
    """Return the formats, each with its suffixes and its needs, and what is not read."""
    rows = ["| format | names end in | `--format` | needs |", "|---|---|---|---|"]
    for form in FORMATS.values():
        mine = [end for end in form.suffixes if suffix_format(f"x{end}") is form]
        packed = (
            ""
            if form.typed or not mine
            else ", also with " + " or ".join(map(_quoted, COMPRESSIONS))
        )
        needs = "`pip install '.[arrow]'`" if form.typed else ""
        ends = ", ".join(map(_quoted, mine)) + packed or "(named by `--format`)"
        rows.append(f"| {form.title} | {ends} | `{form.name}` | {needs} |")
    rows += ["", "| not read | what to do |", "|---|---|"]
    for advice in dict.fromkeys(_ADVICE.values()):
        ends = ", ".join(_quoted(end) for end in _ADVICE if _ADVICE[end] == advice)
        what, _, way = advice.partition(": ")
        way = way.replace("|", "\\|")
        rows.append(f"| {ends}: {what} | {way} |")
    return "\n".join(rows) + "\n"


def _quoted(text: str) -> str:
    return f"`{text}`"


def with_list(page: str) -> str:
    """Return the page with the current formats."""
    before, rest = page.split(START)
    return f"{before}{START}{listed()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(with_list(PAGE.read_text("utf-8")), "utf-8")
