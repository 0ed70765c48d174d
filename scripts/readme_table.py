"""Write the table of perturbators into the README: `python scripts/readme_table.py`."""

from pathlib import Path

import perturb

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- perturbators -->\n", "<!-- /perturbators -->"
SENTENCE = "My lazy dogs ran 12 miles, rain or shine."


def table() -> str:
    """The perturbators with what each makes of a sentence."""
    lines = [
        "| name | unit of `p` | label risk | what it does | at p = 0.2 |",
        "|---|---|---|---|---|",
    ]
    for name in perturb.names():
        said = perturb.describe(name)
        after = perturb.apply(SENTENCE, name, p=0.2, seed=4)
        shown = "".join(map(visible, after.text))
        cells = (f"`{name}`", said["unit"], said["label_risk"], said["summary"], shown)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def visible(char: str) -> str:
    """A character, or the escape of one that would not show."""
    return char if char.isprintable() else f"\\u{ord(char):04x}"


def with_table(readme: str) -> str:
    """The README with the table as it is now."""
    before, rest = readme.split(START)
    _, after = rest.split(END)
    return f"{before}{START}{table()}{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text("utf-8")), "utf-8")
