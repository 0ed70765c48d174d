"""Write the README's list of perturbators: `python scripts/readme_perturbators.py`."""

from pathlib import Path

import perturb
from perturb.registry.registry import FAMILIES, MODULE_OF

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- perturbators -->\n", "<!-- /perturbators -->"


def overview() -> str:
    """Return the families, each with its names."""
    rows = ["| family | perturbators |", "|---|---|"]
    for package, family in FAMILIES.items():
        known = (name for name in perturb.names() if name in MODULE_OF)
        own = (f"`{name}`" for name in known if MODULE_OF[name].startswith(f"{package}."))
        rows.append(f"| {family} | {', '.join(own)} |")
    return "\n".join(rows) + "\n"


def with_overview(readme: str) -> str:
    """Return the README with the current families."""
    before, rest = readme.split(START)
    _, after = rest.split(END)
    return f"{before}{START}{overview()}{END}{after}"


if __name__ == "__main__":
    README.write_text(with_overview(README.read_text("utf-8")), "utf-8")
