"""What the same rows cost in each home of data, over `perturb.apply` of their texts as a list.

Run it as `python benchmarks/homes.py [--data FILE.jsonl --field NAME] [--rounds 7]`. With
`--gigabyte` it also perturbs a Parquet file of 1 GB, which takes minutes and 3 GB of disk.
"""

import resource
import sys
import tempfile
from pathlib import Path

import datasets
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
from common import Run, applied, in_turns, made_rows, measured, options, rows_of, source_of

import perturb

CAVEATS = """\
- keyboard_typos at p = 0.05; every home gives the texts, the ids and the linkage records of all
  rows. CPU time of the process, with one thread for linear algebra; in turns, the best of the
  rounds; relative to `perturb.apply(texts)` with the ids, of the same rows in the same round. Since
  a list is one kernel from texts to edits, what tables and their records cost besides weighs more.
- ds.map pays for the data set's own cache files; it is given batches of 1,000 rows, its default.
  "a row a call" perturbs the text of one row at a time, and "a row, copied" gives it back as it is.
- The files are whole commands, imports and all, on 16 times the rows, relative to JSON lines in and
  out; the user and system time of the process. Small files would tell what it takes to import
  pyarrow. Peak memory is the largest resident set.
- "only copied": pyarrow alone reads that Parquet file, and reads and writes its outcome: a floor.
"""
# The most that we want each home to cost.
GOALS = {
    "columns": None,
    "rows": None,
    "pandas": 2.0,
    "polars": 2.0,
    "arrow": 2.0,
    "t(hf)": 2.5,
    "ds.map": 5.0,
    "a row a call": None,
    "a row, copied": None,
    "parquet": 1.3,
    "csv": None,
}
ROWS = 7_500
# Of them in the files: small ones would say what it takes to import pyarrow.
COPIES = 16
SCRIPT = """
import sys, pyarrow.parquet as pq
for file in sys.argv[1:]:
    table = pq.read_table(file)
pq.write_table(table, file, compression="zstd")
"""


def main():
    parser = options(__doc__, "data", "field", rounds=7)
    parser.add_argument("--gigabyte", action="store_true", help="also a Parquet file of 1 GB")
    run = Run(parser, CAVEATS)
    args = run.args
    given = rows_of(args.data) if args.data else made_rows(args.field)
    rows = [{**row, "id": f"made{number}"} for number, row in zip(range(ROWS), given, strict=False)]
    found = {**in_memory(rows, args.field, args.rounds), **in_files(rows, args.field, args.rounds)}
    more = {"gigabyte": gigabyte(rows, args.field)} if args.gigabyte else {}
    libraries = (perturb, pa, pandas, polars, datasets)
    versions = {library.__name__: library.__version__ for library in libraries}
    run.tell(versions, source=source_of(args), rows=len(rows), **more)
    for name, ratio in found.items():
        goal = GOALS.get(name)
        held = "" if goal is None else f"  goal {goal}{'' if ratio <= goal else '  MISSED'}"
        print(f"{name:<14} {ratio:6.2f}{held}")
    run.write("homes", ratios=found, goals=GOALS)


def in_memory(rows, field, rounds):
    """Return the CPU time of each home in memory over that of a list, by name."""
    datasets.disable_progress_bars()
    transform = perturb.Transform("keyboard_typos", p=0.05, field=field)
    texts, ids = [row[field] for row in rows], [row["id"] for row in rows]
    table = pa.Table.from_pylist(rows)
    # From a file, as data sets are: those in memory have no cache to write to.
    folder = tempfile.TemporaryDirectory()
    datasets.Dataset(table).save_to_disk(folder.name)
    dataset = datasets.load_from_disk(folder.name)
    columns, frame, lazy = table.to_pydict(), pandas.DataFrame(rows), polars.DataFrame(rows)

    def map_rows(function):
        dataset.map(lambda row: {field: function(row[field])}, load_from_cache_file=False)

    homes = {
        "list": lambda: perturb.apply(texts, "keyboard_typos", p=0.05, id=ids),
        "columns": lambda: transform(columns),
        "rows": lambda: transform(rows),
        "pandas": lambda: transform(frame),
        "polars": lambda: transform(lazy),
        "arrow": lambda: transform(table),
        "t(hf)": lambda: transform(dataset),
        "ds.map": lambda: dataset.map(transform, batched=True, load_from_cache_file=False),
        "a row a call": lambda: map_rows(
            lambda text: perturb.apply(text, "keyboard_typos", p=0.05).text
        ),
        "a row, copied": lambda: map_rows(str),
    }
    # The first round loads what is loaded once.
    best = {name: min(times[1:]) for name, times in in_turns(homes, rounds + 1).items()}
    print({name: round(1e6 * seconds / len(rows), 1) for name, seconds in best.items()})
    return {name: round(seconds / best["list"], 2) for name, seconds in best.items()}


def in_files(rows, field, rounds):
    """Return the CPU time of each format of files over that of JSON lines, by name."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in")
        frame = pandas.DataFrame(rows * COPIES)
        frame["id"] = [f"{name}-{number}" for number, name in enumerate(frame["id"])]
        frame.to_json(f"{source}.jsonl", orient="records", lines=True)
        frame.to_parquet(f"{source}.parquet", index=False)
        frame.to_csv(f"{source}.csv", index=False)
        ways = {
            form: applied(field, f"{source}.{form}", "-o", Path(folder, f"out.{form}"))
            for form in ("jsonl", "parquet", "csv")
        }
        files = f"{source}.parquet", f"{folder}/out.parquet"
        ways["only copied"] = [sys.executable, "-c", SCRIPT, *files]
        turns = [
            {name: measured(way)[1] for name, way in ways.items()} for _ in range(min(rounds, 4))
        ]
    best = {name: min(turn[name] for turn in turns) for name in ways}
    print({name: round(seconds, 2) for name, seconds in best.items()})
    return {name: round(seconds / best["jsonl"], 2) for name, seconds in best.items()}


def gigabyte(rows, field):
    """Return the peak memory and the time of a Parquet file of 1 GB in one row group a 100 MB."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.parquet"), Path(folder, "out.parquet")
        plain = pa.Table.from_pylist(rows)
        at, turn = plain.schema.get_field_index("id"), 0
        with pq.ParquetWriter(
            source, plain.schema, compression="none", use_dictionary=False
        ) as out:
            while plain.nbytes * turn < 1e9:
                some = []
                while sum(table.nbytes for table in some) < 1e8:
                    names = pa.array([f"{name}-{turn}" for name in plain["id"].to_pylist()])
                    some.append(plain.set_column(at, "id", names))
                    turn += 1
                table = pa.concat_tables(some)
                out.write_table(table, row_group_size=table.num_rows)
        _, seconds, peak = measured(applied(field, source, "-o", target))
        size = {"bytes": source.stat().st_size, "rows": turn * len(rows)}
        return {**size, "cpu_seconds": round(seconds, 1), "peak_MB": round(peak)}


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
