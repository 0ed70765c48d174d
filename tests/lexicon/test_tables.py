import re
from hashlib import sha256

import pytest

from perturb import tables

ROOT = tables.path("SOURCES.md").parent
ROWS = [
    [cell.strip(" `") for cell in line.strip("|").split("|")]
    for line in (ROOT / "SOURCES.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
]
SOURCES = {row[0]: row for row in ROWS}
HASHES = dict(line.split("  ")[::-1] for line in (ROOT / "HASHES").read_text("utf-8").splitlines())
TABLES = sorted(
    path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.suffix in (".tsv", ".npz")
)
TEXTS = [name for name in TABLES if name.endswith(".tsv")]
FIELDS = {"source", "licence", "script", "columns"}


def rows(name):
    return tables.read_rows(*name.split("/"))


def test_every_table_has_a_row_and_every_row_a_table():
    assert sorted(SOURCES) == TABLES
    assert len(ROWS) == len(SOURCES)


@pytest.mark.parametrize("name", TABLES)
def test_hash(name):
    assert HASHES[name] == sha256((ROOT / name).read_bytes()).hexdigest(), (
        "the table was changed: run wordlists/build/hashes.py if that was meant"
    )


@pytest.mark.parametrize("name", TEXTS)
def test_licence_is_there(name):
    licence = SOURCES[name][3]
    files = re.findall(r"licenses/[A-Z]+\.txt", licence)
    assert licence == "MIT" or files
    assert all((ROOT / file).stat().st_size > 500 for file in files)


@pytest.mark.parametrize("name", TEXTS)
def test_header_agrees_with_the_sources(name):
    header = (ROOT / name).read_text("utf-8").partition("\n\n")[0].splitlines()
    assert all(line.startswith("# ") for line in header)
    stated = dict(line[2:].split(": ", 1) for line in header[1:])
    assert stated.keys() == FIELDS
    source = SOURCES[name]
    assert stated["licence"] == source[3].replace("MIT", "MIT (LICENSE)")
    assert ("by hand" in stated["script"]) == ("by hand" in source[4])
    assert stated["script"] == source[4] or "by hand" in source[4]
    script = ROOT / stated["script"]
    assert "by hand" in stated["script"] or script.is_file()


@pytest.mark.parametrize("name", TEXTS)
def test_rows_are_whole_and_unique(name):
    found = rows(name)
    assert found
    assert len({len(row) for row in found}) == 1
    assert len({tuple(row) for row in found}) == len(found)


@pytest.mark.parametrize(
    ("name", "least"),
    [("abbreviations.tsv", 150), ("misspellings.tsv", 500), ("contractions.tsv", 90),
     ("fillers.tsv", 50), ("homophones.tsv", 600), ("spelling_variants.tsv", 2000),
     ("stop_words.tsv", 180)],
)  # fmt: skip
def test_size(name, least):
    assert len(rows(name)) >= least


def test_misspellings_are_wrong():
    words = {row[0] for row in rows("word_sizes.tsv")}
    for right, wrong, kind in rows("misspellings.tsv"):
        assert right != wrong
        known = all(part in words for part in right.split(" "))
        assert known or right.istitle() or "'" in right, right
        assert (wrong in words) == (kind == "word"), wrong


def test_misspellings_are_no_british_spellings():
    variants = {frozenset(row) for row in rows("spelling_variants.tsv")}
    assert not variants & {frozenset(row[:2]) for row in rows("misspellings.tsv")}


def test_contractions_say_whether_they_are_clear():
    table = rows("contractions.tsv")
    short = [row[1] for row in table]
    for _, contraction, style, clear in table:
        assert style in ("standard", "informal")
        assert contraction == "can't" or (short.count(contraction) > 1) == (clear == "many")


@pytest.mark.parametrize(
    "group",
    ["to too two", "their there", "hear here", "knight night", "peace piece", "one won"],
)
def test_homophones(group):
    assert set(group.split()) in [set(row[0].split()) for row in rows("homophones.tsv")]


def test_numbers():
    names = {number: (cardinal, ordinal) for number, cardinal, ordinal in rows("numbers.tsv")}
    assert names["12"] == ("twelve", "twelfth")
    assert names["40"] == ("forty", "fortieth")


def test_missing_table():
    with pytest.raises(FileNotFoundError, match=r"'gone\.tsv' is missing.*reinstall perturb"):
        tables.path("gone.tsv")


def test_damaged_table(tmp_path, monkeypatch):
    (tmp_path / "bad.tsv").write_text("a\tb\n")
    monkeypatch.setattr(tables, "path", lambda *parts: tmp_path.joinpath(*parts))
    with pytest.raises(ValueError, match=r"'bad\.tsv' is damaged.*reinstall perturb"):
        tables.read_rows("bad.tsv")
