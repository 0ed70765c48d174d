"""Write the names of other libraries that the pages of migration may use: tests/peer_names.json.

    python scripts/peer_names.py textattack=FOLDER langtest=FOLDER nl-augmenter=FOLDER

Each folder is an unpacked package (`pip download --no-deps`, and unzip; the repository for
NL-Augmenter). Nothing of it is imported: names are read from the sources.
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).parents[1] / "tests" / "peer_names.json"


def classes(folder: Path) -> Iterator[str]:
    """Yield the names of the classes in a folder and below it."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                yield node.name


def aliases(file: Path) -> Iterator[str]:
    """Yield what the classes in a file are called in a configuration."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "alias_name":
            value = ast.literal_eval(node.value)
            yield from [value] if isinstance(value, str) else value or []


def names(peer: str, folder: Path) -> dict[str, list[str]]:
    """Return the names of a library by what they stand for."""
    if peer == "textattack":
        parts = {part: classes(folder / part) for part in ("transformations", "constraints")}
        parts["augmenters"] = classes(folder / "augmentation")
    elif peer == "langtest":
        parts = {"transformations": aliases(folder / "transform" / "robustness.py")}
    else:
        folders = (folder / "nlaugmenter" / "transformations").iterdir()
        parts = {"transformations": (module.name for module in folders if module.is_dir())}
    return {part: sorted(set(names)) for part, names in parts.items()}


def main(*arguments: str) -> None:
    """Replace the names of the libraries that are given."""
    known = json.loads(TARGET.read_bytes()) if TARGET.exists() else {}
    for argument in arguments:
        peer, _, folder = argument.partition("=")
        known[peer] = names(peer, Path(folder))
    TARGET.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
