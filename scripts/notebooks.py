"""Run the notebooks of examples/notebooks, and store what their cells give.

    python scripts/notebooks.py [--check] [NAME.ipynb ...]

With --check nothing is stored: a cell that gives something else than the notebook holds, or that
fails, ends the script. Images are not compared.
"""

import argparse
import difflib
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"


def texts(notebook: Any) -> list[str]:
    """Return what the cells show as text or HTML."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    data = [output.get("data", {"text/plain": output.get("text")}) for output in outputs]
    return [
        str(shown.get("text/html", shown.get("text/plain")))
        for shown in data
        if "image/png" not in shown
    ]


def main() -> None:
    """Run the notebooks one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*", type=Path)
    args = parser.parse_args()
    for path in args.names or sorted(FOLDER.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        before = texts(notebook)
        # What a cell prints comes in as many pieces as the machine's load makes of it.
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=120,
            record_timing=False,
            coalesce_streams=True,
        )
        client.execute(cwd=str(FOLDER))
        if not args.check:
            notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
            path.write_text(nbformat.writes(notebook) + "\n", "utf-8")
        elif (now := texts(notebook)) != before:
            lines = ("\n".join(shown).splitlines() for shown in (before, now))
            print(*difflib.unified_diff(*lines, "held", "given", lineterm=""), sep="\n")
            sys.exit(f"{path.name} gives something else than it holds: run scripts/notebooks.py")
        print(f"{path.name}: {len(notebook.cells)} cells")


if __name__ == "__main__":
    main()
