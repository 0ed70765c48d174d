"""Write the README's list of perturbators: `python scripts/readme_perturbators.py`."""

from pathlib import Path

import perturb
from perturb.registry.built_in import FAMILIES, MODULE_OF

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- perturbators -->\n", "<!-- /perturbators -->"


def overview() -> str:
    """Return the families, each with its names."""
    known = perturb.names()
    rows = ["| family | perturbators |", "|---|---|"]
    for family, modules in FAMILIES.items():
        quoted = ", ".join(f"`{name}`" for name in known if MODULE_OF.get(name) in modules)
        rows.append(f"| {family} | {quoted} |")
    return "\n".join(rows) + "\n"


def with_overview(readme: str) -> str:
    """Return the README with the current families."""
    before, rest = readme.split(START)
    _, after = rest.split(END)
    return f"{before}{START}{overview()}{END}{after}"


if __name__ == "__main__":
    README.write_text(with_overview(README.read_text("utf-8")), "utf-8")
