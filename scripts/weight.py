"""Count lines of code and megabytes, and fail where they are more than `scripts/weight.tsv` allows.

    python scripts/weight.py

A line of Python counts if it holds more than a comment or a docstring; of C, CSS, HTML and
JavaScript each that is not blank. What a script made does not count. A package that needs more
lines takes them from another, or the table says in its own commit why they are worth it. The bytes
are those of all files that git keeps, so that no package or data set gets among them unseen.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUDGET = ROOT / "scripts" / "weight.tsv"
SILENT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
PAGES = (".css", ".html", ".js")


def lines_of_code(file: Path) -> int:
    """Return the number of lines of a Python file that hold more than a comment or a docstring."""
    source = file.read_text("utf-8")
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.Module(body=[ast.Expr(ast.Constant(str())) as first, *_])
                | ast.ClassDef(body=[ast.Expr(ast.Constant(str())) as first, *_])
                | ast.FunctionDef(body=[ast.Expr(ast.Constant(str())) as first, *_])
                | ast.AsyncFunctionDef(body=[ast.Expr(ast.Constant(str())) as first, *_])
            ):
                docstrings.update(range(first.lineno, (first.end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def counted() -> Counter[str]:
    """Return the lines of each package, other language and the benchmarks; and MB of all files."""
    counts: Counter[str] = Counter()
    for file in (ROOT / "perturb").rglob("*"):
        package = file.relative_to(ROOT).parts[1] if file.parent.name != "perturb" else "perturb"
        if file.suffix == ".py":
            counts[package] += lines_of_code(file)
        elif file.suffix in (".c", ".h"):
            counts["C"] += sum(map(bool, map(str.strip, file.read_text("utf-8").splitlines())))
        elif file.suffix in PAGES:
            counts["pages"] += sum(map(bool, map(str.strip, file.read_text("utf-8").splitlines())))
    counts["all Python"] = sum(n for name, n in counts.items() if name not in ("C", "pages"))
    counts["benchmarks, all lines"] = sum(
        len(file.read_text("utf-8").splitlines()) for file in (ROOT / "benchmarks").glob("*.py")
    )
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    files = map(ROOT.joinpath, kept.stdout.decode().split("\0"))
    sizes = (file.stat().st_size for file in files if file.is_file())
    counts["all files, in MB"] = -(-sum(sizes) // 10**6)
    return counts


def main() -> int:
    """Print the counts beside what is allowed; fail where one is more."""
    rows = [line.split("\t") for line in BUDGET.read_text("utf-8").splitlines()[1:]]
    allowed = {name: int(number) for name, number in rows}
    counts = counted()
    for name in sorted({*counts, *allowed}):
        over = "" if counts[name] <= allowed.get(name, 0) else "  more than is allowed"
        print(f"{name:24}{counts[name]:8,}{allowed.get(name, 0):8,}{over}")
    return int(any(counts[name] > allowed.get(name, 0) for name in counts))


if __name__ == "__main__":
    sys.exit(main())
