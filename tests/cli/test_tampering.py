"""Whatever is changed in an output or its manifest, `perturb verify --input` finds.

Without the input and the manifest it can't be known that a row is missing or stands elsewhere, that
a field which no record names was changed, or the id in it where no key depends on it; and without
the input that all was made anew. Where a manifest was signed anew, the versions of other programs,
the paths of inputs and the plugins that it names are not compared.
"""

import csv
import json
from functools import partial

import pytest

from perturb.records.notation import NAMES
from perturb.stream.manifest import CHECKSUM, checksum

FORMATS = ("jsonl", "csv", "tsv", "parquet")
ROWS = [
    {"id": f"q{n}", "question": f"How many bees are in hive number {n}?", "answer": str(n)}
    for n in range(5)
]
CALL = ("apply", "keyboard_typos:p=0.2", "word_swap:p=0.2", "--field", "question", "--grid")


def read(path):
    """The rows of a file, with the columns of their records."""
    if path.suffix == ".jsonl":
        rows = map(json.loads, path.read_bytes().splitlines())
        return [_flat(row) for row in rows]
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        return [_flat(row) for row in parquet.read_table(path).to_pylist()]
    with path.open(newline="") as file:
        return [*csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")]


def _flat(row):
    record = row.pop("perturbation")
    return row | {f"perturbation.{name}": value for name, value in record.items()}


def write(path, rows):
    """Write rows as `apply` does."""
    if path.suffix in (".csv", ".tsv"):
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0], delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
        return
    nested = []
    for row in rows:
        plain = {key: value for key, value in row.items() if "." not in key}
        record = {name: row[f"perturbation.{name}"] for name in NAMES}
        nested.append(plain | {"perturbation": record})
    if path.suffix == ".jsonl":
        path.write_text(
            "".join(
                json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in nested
            )
        )
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pytest.importorskip("pyarrow").Table.from_pylist(nested), path)


def letter(value):
    """A string with one letter changed."""
    at = len(value) // 2
    return value[:at] + ("x" if value[at : at + 1] != "x" else "y") + value[at + 1 :]


def changed(name, change, rows):
    rows[2] = rows[2] | {name: change(rows[2][name])}
    return rows


def edit_moved(edits):
    path, start, rest = edits.partition("|")[0], *edits.partition("|")[2].split(":", 1)
    return f"{path}|{int(start) + 1}:{rest}"


# What may be done to rows; whether their records alone tell.
CHANGES = {
    "a letter of the text": (partial(changed, "question", letter), True),
    "the case of the text": (partial(changed, "question", str.swapcase), True),
    "an edit": (partial(changed, "perturbation.edits", edit_moved), True),
    "the last edit": (partial(changed, "perturbation.edits", lambda e: e[:-1] + "~"), True),
    "no edit": (partial(changed, "perturbation.edits", lambda _: ""), True),
    "the condition": (partial(changed, "perturbation.condition", letter), True),
    "the status": (partial(changed, "perturbation.status", lambda _: "no site"), True),
    "an original": (partial(changed, "perturbation.status", lambda _: "original"), True),
    "expect": (partial(changed, "perturbation.expect", lambda _: "other"), True),
    "the check": (partial(changed, "perturbation.check", lambda _: "x01234567"), True),
    "the seed": (partial(changed, "perturbation.recipe", lambda r: f"{r} --seed 5"), True),
    "the strength": (
        partial(changed, "perturbation.recipe", lambda r: r.replace("p=0.2", "p=0.3")),
        True,
    ),
    "the id": (partial(changed, "id", lambda _: "q7#keyboard_typos:p=0.2"), True),
    "the end of the id": (partial(changed, "id", letter), True),
    "the original": (partial(changed, "perturbation.original", letter), True),
    "original_id": (partial(changed, "perturbation.original_id", letter), True),
    "another field": (partial(changed, "answer", lambda value: f"{value}0"), False),
    "a row twice": (lambda rows: [*rows, rows[0]], True),
    "a row less": (lambda rows: rows[1:], False),
    "the last row less": (lambda rows: rows[:-1], False),
    "two rows in another order": (lambda rows: [rows[1], rows[0], *rows[2:]], False),
}


@pytest.fixture
def files(perturb, tmp_path):
    """Make an input and an output of a format."""

    def make(form):
        if form == "parquet":
            pytest.importorskip("pyarrow", reason="pyarrow is not installed")
        given, out = tmp_path / "in.jsonl", tmp_path / f"out.{form}"
        given.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        done = perturb(*CALL, "-i", given, "-o", out)
        assert done.status == 0, done.err
        return given, out

    return make


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", FORMATS)
def test_a_changed_row_is_found(perturb, files, form, change):
    """By the manifest alone as well; by the records alone where they can tell."""
    given, out = files(form)
    rows = read(out)
    assert len(rows) == 10
    assert rows[2]["perturbation.status"] == "changed"
    change, alone = CHANGES[change]
    write(out, change(rows))
    for more in (("--input", given), ()):
        done = perturb("verify", out, *more)
        assert (done.status, done.out) == (1, b""), done.out
        assert done.message.startswith(str(out))
    out.with_name(f"{out.name}.manifest.json").unlink()
    assert (perturb("verify", out).status == 1) == alone


def leaves(value, path=()):
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def other(value):
    return value + 1 if isinstance(value, int | float) else {"x": 1} if value == {} else f"{value}0"


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_every_value_of_the_manifest_counts(perturb, files, form):
    """Each on its own, dropped or changed; signed anew as well, but for what says how it was made."""
    given, out = files(form)
    path = out.with_name(f"{out.name}.manifest.json")
    data = path.read_bytes()
    manifest = json.loads(data)
    for keys, value in leaves(manifest):
        for is_signed in (False, True):
            forged = json.loads(data)
            place = forged
            for key in keys[:-1]:
                place = place[key]
            place[keys[-1]] = other(value)
            if (
                is_signed
                and keys[0] not in ("versions", "plugins", CHECKSUM)
                and keys[-1] != "path"
            ):
                forged[CHECKSUM] = checksum(forged)
            path.write_text(json.dumps(forged))
            done = perturb("verify", out, "--input", given)
            assert done.status == 1, (keys, is_signed)


def test_another_input_is_told(perturb, files):
    """Though the rows and the manifest agree with each other."""
    given, out = files("jsonl")
    given.write_bytes(given.read_bytes().replace(b'"4"', b'"5"'))
    done = perturb("verify", out, "--input", given)
    assert done.status == 1
    assert "input.sha256" in done.message
