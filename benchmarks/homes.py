"""What the same rows cost in each home of data, beside a list of their texts.

Run it as `python benchmarks/homes.py [--data FILE.jsonl --field NAME] [--rounds 5]`.
"""

import json
import sys
import tempfile
from itertools import accumulate, cycle, islice
from pathlib import Path

import datasets
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
from common import (
    FOLDER,
    Run,
    applied,
    in_turns,
    made_rows,
    measured,
    options,
    rows_of,
    source_of,
    table,
    write_into,
)

import perturb

ROWS = 120_000
IMPORT = "import sys, pyarrow.parquet as pq\n"
READ = IMPORT + "for file in sys.argv[1:]:\n    table = pq.read_table(file)\n"
COPY = READ + "pq.write_table(table, file, compression='zstd', use_dictionary=False)"
# The most that each is to cost; of a list, and Parquet of JSON lines.
GOALS = {
    "arrow": 2,
    "pandas": 2,
    "polars": 2,
    "columns": 4,
    "ds.map": 4,
    "rows": 8,
    "parquet": 1.25,
}
# Formats of annotations, with the options of their rows; they cost a multiple of CoNLL.
ANNOTATIONS = {
    "conll": ("--field", "tokens", "--spans", "tags"),
    "conllu": (),
    "tsv": (),
    "json": ("--shape", "label_studio"),
}


def main():
    run = Run(options(__doc__, "data", "field", rounds=5))
    args = run.args
    given = list(islice(rows_of(args.data) if args.data else made_rows(args.field), 20_000))
    given = cycle(row for row in given if row[args.field].isascii())  # the others cost a list more
    rows = [{**row, "id": f"made{n}"} for n, row in zip(range(ROWS), given, strict=False)]
    arrow = pa.Table.from_pylist(rows)
    with tempfile.TemporaryDirectory() as folder:
        costs = in_memory(arrow, rows, folder, args)
        costs |= in_files(arrow, folder, args)
        costs |= in_annotations([row[args.field] for row in rows[:20_000]], Path(folder), args)
    costs = {name: round(cost, 2) for name, cost in costs.items()}
    versions = {each.__name__: each.__version__ for each in (perturb, pa, pandas, polars, datasets)}
    run.write("homes", versions, source=source_of(args), rows=len(rows), costs=costs)
    lines = []
    for name, cost in costs.items():
        base = "jsonl" if name.startswith(("jsonl", "parquet")) else "list"
        times = cost / costs["conll" if name in ANNOTATIONS else base]
        lines.append([name, f"{cost:.1f}", f"{times:.2f}", GOALS.get(name, "")])
    write_into(FOLDER / "README.md", "homes", table(("home", "us a row", "times", "goal"), lines))


def in_memory(arrow, rows, folder, args):
    """Microseconds of the processor a row, by home; the first round loads what is loaded once."""
    datasets.disable_progress_bars()
    transform = perturb.Transform("keyboard_typos", p=0.05, field=args.field)
    texts, ids = [row[args.field] for row in rows], [row["id"] for row in rows]
    datasets.Dataset(arrow).save_to_disk(folder)  # those in memory have no cache to write to
    dataset, columns = datasets.load_from_disk(folder), arrow.to_pydict()
    frame, lazy = pandas.DataFrame(rows), polars.DataFrame(rows)
    homes = {
        "list": lambda: perturb.apply(texts, "keyboard_typos", p=0.05, id=ids),
        "list, with linkage": lambda: [
            record.expect for record in perturb.apply(texts, "keyboard_typos", p=0.05, id=ids)
        ],
        "arrow": lambda: transform(arrow),
        "pandas": lambda: transform(frame),
        "polars": lambda: transform(lazy),
        "columns": lambda: transform(columns),
        "rows": lambda: transform(rows),
        "ds.map": lambda: dataset.map(transform, batched=True, load_from_cache_file=False),
        "ds.map, copied": lambda: dataset.map(dict, batched=True, load_from_cache_file=False),
    }
    turns = in_turns(homes, args.rounds + 1)
    return {name: 1e6 * min(seconds[1:]) / len(rows) for name, seconds in turns.items()}


def in_files(arrow, folder, args):
    """Microseconds a row of whole commands."""
    arrow.to_pandas().to_json(f"{folder}/in.jsonl", orient="records", lines=True)
    pq.write_table(arrow, f"{folder}/in.parquet")
    ways = {
        form: applied(args.field, f"{folder}/in.{form}", "-o", f"{folder}/out.{form}")
        for form in ("jsonl", "parquet")
    }
    files = f"{folder}/in.parquet", f"{folder}/out.parquet"
    copies = {"parquet, copied": (COPY, *files), "read": (READ, files[1]), "import": (IMPORT,)}
    ways |= {name: [sys.executable, "-c", *copy] for name, copy in copies.items()}
    turns = in_turns(ways, args.rounds, lambda way: measured(way)[1])
    costs = {name: 1e6 * min(seconds) / arrow.num_rows for name, seconds in turns.items()}
    costs["parquet, copied"] -= costs.pop("read") - costs.pop("import")
    return costs


def in_annotations(texts, folder, args):
    """Microseconds a sentence of whole commands, where each word is a token and has a label."""
    written = {name: [] for name in ANNOTATIONS}
    written["tsv"].append("#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Word|kind\n\n")
    begin = 0
    for number, text in enumerate(texts, 1):
        words = text.split()
        text = " ".join(words)
        ends = [*accumulate(len(word) + 1 for word in words)]
        spans = [(end - len(word) - 1, end - 1) for word, end in zip(words, ends, strict=True)]
        written["conll"] += [*(f"{word}\tW\n" for word in words), "\n"]
        blanks = "\t_" * 8
        lines = (f"{at}\t{word}{blanks}\n" for at, word in enumerate(words, 1))
        written["conllu"] += [f"# sent_id = {number}\n# text = {text}\n", *lines, "\n"]
        lines = (
            f"{number}-{at}\t{begin + start}-{begin + end}\t{text[start:end]}\tW\t\n"
            for at, (start, end) in enumerate(spans, 1)
        )
        escaped = text.replace("\\", r"\\")
        written["tsv"] += [f"\n#Text={escaped}\n", *lines]
        values = (
            {"start": start, "end": end, "text": text[start:end], "labels": ["W"]}
            for start, end in spans
        )
        results = [{"type": "labels", "value": value} for value in values]
        task = {"id": number, "data": {"text": text}, "annotations": [{"result": results}]}
        between = ",\n" if number > 1 else "["
        written["json"].append(between + json.dumps({**task, "predictions": []}))
        begin += len(text) + 1
    written["json"].append("]\n")
    ways = {}
    for name, more in ANNOTATIONS.items():
        source = folder / f"annotations.{name}"
        source.write_text("".join(written[name]), "utf-8")
        command = [sys.executable, "-P", "-m", "perturb", "apply", "keyboard_typos:p=0.05", *more]
        ways[name] = [*command, "-i", source, "-o", folder / f"out.{name}"]
    turns = in_turns(ways, args.rounds, lambda way: measured(way)[1])
    return {name: 1e6 * min(seconds) / len(texts) for name, seconds in turns.items()}


if __name__ == "__main__":
    main()
