import re
import subprocess
import sys
import unicodedata
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

import perturb
from perturb import boundary, resources
from perturb.engine.native import binding
from perturb.resources import TableError, parse, read_rows

# The tables of the checkout; an installed package has fewer.
path = (Path(__file__).parents[1] / "wordlists").joinpath

SOURCES = re.findall(r"^\| `([^`]+)` \|", path("SOURCES.md").read_text("utf-8"), re.MULTILINE)
TABLES = sorted(
    file.relative_to(path()).as_posix()
    for file in path().rglob("*")
    if file.is_file()
    and file.name not in ("SOURCES.md", "HASHES")
    and file.relative_to(path()).parts[0] not in {"build", "licenses"}
)
LAYOUTS = {file.stem for file in path("keyboards").iterdir()}


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_a_source(name):
    assert [row for row in SOURCES if path() / name in path().glob(row)]


@pytest.mark.parametrize("row", SOURCES)
def test_every_source_has_a_table(row):
    assert list(path().glob(row))


@pytest.mark.parametrize("name", [name for name in TABLES if name.endswith(".tsv")])
def test_every_table_reads_and_names_source_licence_and_script(name):
    assert parse(path(name))
    header = path(name).read_text("utf-8").partition("\n\n")[0]
    assert all(f"# {word}: " in header for word in ("Source", "Licence", "Made by"))


@pytest.mark.parametrize("name", [name for name in TABLES if name.endswith(".tsv")])
def test_the_licence_is_where_the_header_says(name):
    header = path(name).read_text("utf-8").partition("\n\n")[0]
    (licence,) = re.findall(r"# Licence: (.*)", header)
    assert licence.startswith("MIT") or re.findall(r"licenses/\w+\.txt", licence)
    for file in re.findall(r"licenses/\w+\.txt", header):
        assert path(file).stat().st_size > 500


@pytest.mark.parametrize("name", TABLES)
def test_hash(name):
    """If a table was meant to change: python wordlists/build/hashes.py wordlists."""
    hashes = dict(line.split("  ")[::-1] for line in path("HASHES").read_text("utf-8").splitlines())
    assert hashes[name] == sha256(path(name).read_bytes()).hexdigest()
    assert sorted(hashes) == TABLES


@pytest.mark.parametrize("name", [name for name in TABLES if name.endswith(".tsv")])
def test_no_row_stands_twice(name):
    rows = [tuple(row) for row in parse(path(name))]
    assert len(set(rows)) == len(rows)


class TestReadRows:
    @pytest.fixture
    def write(self, tmp_path, monkeypatch):
        monkeypatch.setattr(resources, "_FOLDER", tmp_path)
        monkeypatch.setattr(resources, "_used", set())  # no table of this folder stays in use
        return (tmp_path / "table.tsv").write_bytes

    def test_rows_are_raw(self, write):
        write(b'# A header\n\n#\t$"\n\\\t \xc2\x85\n')
        assert read_rows("table.tsv") == [["#", '$"'], ["\\", " \x85"]]

    @pytest.mark.usefixtures("write")
    def test_missing(self):
        with pytest.raises(TableError, match=r"nothing\.tsv is missing: reinstall perturb"):
            read_rows("nothing.tsv")

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"# A header\n\na\tb\nc\n", "line 4 has 1 columns instead of 2"),
            (b"# A header\n\na\tb", "its last row is cut off"),
            (b"a\tb\n\nc\td\n", "its header must be lines"),
            (b"# A header\na\tb\n", "its header must be lines"),
            (b"# A header\r\n\r\na\tb\r\n", "its header must be lines"),
            (b"# A header\n\na\t\xff\n", "it isn't UTF-8 at byte 14"),
        ],
    )
    def test_damaged(self, write, data, message):
        write(data)
        with pytest.raises(TableError, match=f"is damaged: {message}.*restore the file from git"):
            read_rows("table.tsv")


class TestKeyboards:
    def test_the_common_layouts_are_there(self):
        assert {"us", "gb", "de", "fr", "es", "it", "ru", "dvorak", "colemak"} <= LAYOUTS
        assert len(LAYOUTS) >= 40

    @pytest.mark.parametrize("name", sorted(LAYOUTS))
    def test_well_formed(self, name):
        rows = read_rows("keyboards", f"{name}.tsv")
        characters = [char for char, _ in rows]
        assert characters == sorted(set(characters))
        assert len(characters) >= 60
        assert sum(char.isalpha() for char in characters) >= 30
        for char, near in rows:
            assert len(char) == 1
            assert near
            assert char not in near
            assert len(near) == len(set(near))
            assert not any(unicodedata.category(c)[0] in "MZC" for c in char + near)

    @pytest.mark.parametrize(
        ("name", "char", "near"),
        [
            ("us", "a", "sqz"),
            ("us", "A", "SQZ"),
            ("us", "5", "46rt"),
            ("de", "a", "sq<y"),
            ("fr", "a", "zq&é"),
            ("ru", "а", "впкмс"),
            ("gr", "σ", "αδςζχ"),
            ("ara", "ش", "سض|ئ"),
            ("il", "ש", "ד/ז"),
            ("th", "ก", "ดหำปแ"),
            ("in", "क", "तरग,स"),
            ("ge", "ა", "სქ«ზ"),
            ("am", "ա", "ենմզյ"),
            ("hr", "š", "pđć'+"),
        ],
    )
    def test_spot_checks(self, name, char, near):
        assert dict(read_rows("keyboards", f"{name}.tsv"))[char] == near


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/zero")
@pytest.mark.parametrize(
    "use",
    [
        lambda: perturb.apply("A text.", "add_context:file=/dev/zero", p=1.0),
        lambda: perturb.Pipeline.load("/dev/zero"),
    ],
)
def test_a_file_without_end_is_not_read_to_it(use, monkeypatch) -> None:
    monkeypatch.setattr(boundary, "_LARGEST", 1 << 20)
    with pytest.raises(perturb.UsageError, match="it has more than 1 MB"):
        use()


@pytest.mark.slow
def test_the_package_works_in_a_zip(tmp_path):
    """As Spark's --py-files and PYTHONPATH take it; its tables, kernels and pages are read."""
    package, archive = Path(perturb.__file__).parent, tmp_path / "perturb.zip"
    sources = [(package, "perturb"), (resources._CHECKOUT, "perturb/wordlists")]
    with ZipFile(archive, "w") as file:
        for source, name in sources[: 1 + (resources._FOLDER == resources._CHECKOUT)]:
            for one in source.rglob("*"):
                if one.is_file() and "__pycache__" not in one.parts and "build" not in one.parts:
                    file.write(one, f"{name}/{one.relative_to(source)}")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import perturb, os; from perturb import resources; from perturb.engine.native import binding\n"
        "assert perturb.__file__.startswith(sys.argv[1]), perturb.__file__\n"
        "print(perturb.apply('The quick brown fox', ['keyboard_typos', 'synonym:p=1'], p=0.3, seed=7))\n"
        "print(perturb.apply('The quick brown fox', 'helm.typos', seed=7))\n"
        "print(len(perturb.names()), binding.LIBRARY is None, resources.folder())"
    )
    call = [sys.executable, "-P", "-c", code, str(archive)]
    made = subprocess.run(call, capture_output=True, text=True, check=True, cwd=tmp_path)
    typed, theirs, about = made.stdout.splitlines()
    steps = ["keyboard_typos", "synonym:p=1"]
    assert typed == str(perturb.apply("The quick brown fox", steps, p=0.3, seed=7))
    assert theirs == str(perturb.apply("The quick brown fox", "helm.typos", seed=7))
    number, without, folder = about.split()
    assert (int(number), without) == (len(perturb.names()), str(binding.LIBRARY is None))
    assert not Path(folder).exists()  # what it read is gone with it
