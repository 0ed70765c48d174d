"""Perturb public files of every format, and read what comes out by the usual reader of each.

    python benchmarks/public_files.py [--folder COPIES]

Each file is perturbed by the command line, and verified where it has records. Its usual reader then
finds as many rows as before, each with what it held but for the field that was perturbed. The table
goes into docs/how-to/csv-and-parquet.md. COPIES holds files that were fetched before.
"""

import csv
import json
import tempfile
import urllib.request
from itertools import chain
from pathlib import Path

import pyarrow.ipc
import pyarrow.parquet
from common import FOLDER, options, rows_of, table, write_into

from perturb.cli import main as perturb

PAGE = FOLDER.parent / "docs/how-to/csv-and-parquet.md"
RAW = "https://raw.githubusercontent.com/"


def by_csv(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def by_json(path):
    return json.loads(path.read_text("utf-8"))


def by_arrow(path):
    with pyarrow.ipc.open_file(path) as file:
        return file.read_all().to_pylist()


def by_parquet(path):
    return pyarrow.parquet.read_table(path).to_pylist()


def by_squad(path):
    """The questions of passages of articles, which are one object."""
    passages = chain.from_iterable(article["paragraphs"] for article in by_json(path)["data"])
    return [{"context": one["context"], **question} for one in passages for question in one["qas"]]


def by_text(path):
    return [{"text": line} for line in path.read_text("utf-8").split("\n")]


def by_conll(path):
    """The columns of each line; a sentence ends at an empty one."""
    cells = (row["text"].partition("\t") for row in by_text(path))
    return [{"tokens": token, "tags": rest} for token, _, rest in cells]


# The address, the options of `perturb apply`, the field, the usual reader, and its name.
FILES = [
    ("openai/grade-school-math/master/grade_school_math/data/test.jsonl", "", "question",
     lambda path: list(rows_of(path)), "json"),
    ("vega/vega-datasets/main/data/movies.json", "--missing keep", "Director", by_json, "json"),
    ("google-deepmind/xquad/master/xquad.en.json", "", "data[*].paragraphs[*].qas[*].question",
     by_squad, "json"),
    ("vega/vega-datasets/main/data/airports.csv", "", "name", by_csv, "csv"),
    ("google-research-datasets/gap-coreference/master/gap-development.tsv", "", "Text",
     lambda path: by_csv(path, "\t"), "csv"),
    ("apache/parquet-testing/master/data/delta_byte_array.parquet", "--missing keep",
     "c_email_address", by_parquet, "pyarrow"),
    ("apache/arrow-testing/master/data/arrow-ipc-stream/integration/1.0.0-littleendian/"
     "generated_primitive.arrow_file", "--format arrow", "utf8_nonnullable", by_arrow, "pyarrow"),
    ("karpathy/char-rnn/master/data/tinyshakespeare/input.txt", "", "text", by_text, "lines"),
    ("leondz/emerging_entities_17/master/emerging.dev.conll", "", "tokens", by_conll, "lines"),
]  # fmt: skip


def checked(source, more, field, read):
    """Perturb a file, read it, and return how many rows it has, and how many of them changed."""
    target, named = source.with_stem(f"{source.stem}.noisy"), ["--field", field, *more.split()]
    apply = ["apply", "keyboard_typos", "-p", "0.1", *named, "-i", str(source), "-o", str(target)]
    assert perturb(apply) == 0
    assert read in (by_text, by_conll) or perturb(["verify", str(target), "-i", str(source)]) == 0
    pairs = list(zip(read(source), read(target), strict=True))
    name = field.rpartition(".")[2]
    for before, after in pairs:  # which has the record besides
        assert all(after[key] == before[key] for key in before if key != name), (before, after)
    return len(pairs), sum(before[name] != after[name] for before, after in pairs)


def main():
    """Check all files, and write the table."""
    parser = options(__doc__)
    parser.add_argument("--folder", type=Path, help="holds the files, by their names")
    copies = parser.parse_args().folder
    cells = []
    with tempfile.TemporaryDirectory() as name:
        for address, more, field, read, reader in FILES:
            source = Path(name, address.rpartition("/")[2].replace("_file", ""))
            if copies:
                source.write_bytes((copies / source.name).read_bytes())
            else:
                urllib.request.urlretrieve(RAW + address, source)
            counts = (f"{count:,}" for count in checked(source, more, field, read))
            cells.append([f"[{source.name}]({RAW}{address})", f"`{field}`", reader, *counts])
    write_into(
        PAGE, "public files", table(("file", "`--field`", "read by", "rows", "changed"), cells)
    )


if __name__ == "__main__":
    main()
