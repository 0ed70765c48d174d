"""Strings and comments of the package, and all pages, keep to the style sheet of CONTRIBUTING.md."""

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "perturb").rglob("*.py"))
# Of the folders of the reference, pages are written from docstrings, which are read above.
PAGES = [
    ROOT / "README.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if len(path.relative_to(ROOT).parts) < 4
    ),
]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def avoided():
    """The phrases in the first column of the style sheet's table."""
    sheet = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Style sheet")[2]
    cells = [
        line.split("|")[1] for line in sheet.split("\n## ")[0].splitlines() if line[:2] == "| "
    ]
    return [phrase for cell in cells for phrase in re.findall(r"`([^`]+)`", cell)]


PHRASES = re.compile(rf"\b(?:{'|'.join(map(re.escape, avoided()))})\b", re.IGNORECASE)


# Arguments of a declaration that are texts to read or write, and no prose about the code.
TEXTS = {"example", "aliases"}


def texts(tree):
    """The nodes of such texts, and of the constants that they name."""
    given = [
        word.value for word in ast.walk(tree) if isinstance(word, ast.keyword) and word.arg in TEXTS
    ]
    named = {node.id for value in given for node in ast.walk(value) if isinstance(node, ast.Name)}
    given += [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and named & {getattr(t, "id", None) for t in node.targets}
    ]
    return {node for value in given for node in ast.walk(value)}


def written(path):
    """Each sentence that people read in a file, with its line: strings with a space, comments."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    data = texts(tree)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and node not in data
        ):
            yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def test_the_sheet_is_read() -> None:
    assert "mend" in avoided()
    assert len(avoided()) > 20


def test_texts_of_steps_are_data(tmp_path) -> None:
    """Their words are bytes that people get; the summary beside them is prose."""
    (tmp_path / "a.py").write_text('Q = "what is it"\nmake(summary="what is x", example=Q)\n')
    assert [text for _, text in written(tmp_path / "a.py")] == ["what is x"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_that_is_written_has_a_word_to_avoid(path) -> None:
    found = [
        f"line {line}: {match[0]!r} in {text.strip()[:100]!r}"
        for line, text in written(path)
        for match in PHRASES.finditer(" ".join(text.split()))
    ]
    assert not found, "\n".join(found)


def prose(page):
    """Return a page of Markdown without its code, quoted examples and links."""
    page = re.sub(r"(?ms)^```.*?^```$", "", page)
    page = re.sub(r"(?m)^- .*~~.*$", "", page)  # sentences of others, with an edit in them
    return re.sub(r"`[^`]*`|\]\([^)]*\)", " ", page)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_page_has_a_word_to_avoid(path) -> None:
    found = PHRASES.findall(" ".join(prose(path.read_text("utf-8")).split()))
    assert not found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_notebook_has_a_word_to_avoid(path) -> None:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    said = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert not PHRASES.findall(" ".join(prose(said).split()))
