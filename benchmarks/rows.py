"""What rows of each shape cost from lines of JSON to lines, in times of parsing and writing them.

Run it as `python benchmarks/rows.py [--rounds 5] [NAME ...]`. The floor, in the same run, is
`orjson.dumps(orjson.loads(line))` for each line of the same file. Dicts are measured beside dicts
with a plain field; whole files beside reading the input and writing it, or the output, with the
library that does. Times are of the processor, without the start of a process: see `first_use.py`.

"least" is what no program of this kind goes below, in the same run: each row is parsed, a number is
drawn for each unit of each version, by the kernel that draws, and what is written is copied once.
For Parquet it is the copy by pyarrow, and what kernels do with the texts and the ids for records.
"""

import csv
import itertools
import tempfile
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from common import FOLDER, Run, in_turns, made_rows, options, table, write_into

import perturb
from perturb.engine import memory
from perturb.engine.native.kernels import draws
from perturb.engine.text.strings import Strings
from perturb.pipeline.pipeline import crossed
from perturb.plan.job import job_of
from perturb.records.perturb_texts import perturb_batches
from perturb.records.texts import Texts
from perturb.rows.stored_block import stored_lines
from perturb.rows.verify import verify_lines
from perturb.stream.blocks import perturb_block
from perturb.stream.perturb_file import perturb_file

WORDS = ("red", "blue", "green")
ROWS, BLOCK = 6_000, 1 << 20
TYPOS, SHUFFLED = "keyboard_typos:p=0.05", "option_shuffle"
SHUFFLE = f"{SHUFFLED}:form=lines"
GRID = "keyboard_typos:p=0.02 keyboard_typos:p=0.05 keyboard_typos:p=0.1 leetspeak:p=0.05"
GRID = [*GRID.split(), "char_delete:p=0.05"]
CHAT = {"field": "messages[role=user].content"}
IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/1.png"}}
NESTED = {"field": "data.question"}
CHOSEN = {"field": "question", "choices": "choices"}
# By the name of a shape: the rows, the steps, the options, and the most that it is to cost.
SHAPES = {
    "plain": ("plain", TYPOS, {}, 1.9),
    "beyond ASCII": ("accented", TYPOS, {}, 2.0),
    "an odd float in 1,000": ("odd float", TYPOS, {}, 1.6),
    "17 digits": ("17 digits", TYPOS, {}, 1.6),
    "nested": ("nested", TYPOS, NESTED, 1.7),
    "chat": ("chat", TYPOS, CHAT, 1.7),
    "chat, all messages": ("chat", TYPOS, {"field": "messages[*].content"}, 2.2),
    "chat, content in parts": ("parts", TYPOS, CHAT, 1.7),
    "nested id": ("nested", TYPOS, {**NESTED, "id_field": "data.id"}, 1.7),
    "with original": ("plain", TYPOS, {"with_original": True}, 1.7),
    "protect number": ("plain", TYPOS, {"protect": "number"}, 2.8),
    "protect number, nested": ("nested", TYPOS, {"protect": "number", **NESTED}, 2.8),
    "grid of five, with originals": ("plain", crossed(GRID), {"with_original": True}, 5),
    "target": ("target", TYPOS, {"target": "answer"}, 5),
    "spans": ("spans", TYPOS, {"spans": "spans"}, 6),
    "two fields": ("plain", TYPOS, {"field": ["question", "answer"]}, 2.5),
    "option_shuffle of a list": ("options", SHUFFLE, {"field": "choices"}, 23),
    "a label that moves": ("options", SHUFFLE, {"field": "choices", "target": "right"}, None),
    "choices": ("multiple choice", SHUFFLED, {**CHOSEN, "target": "answer"}, None),
    "choices, typos": ("multiple choice", TYPOS, {**CHOSEN, "target": "answer"}, None),
    "spans that move": ("spans", "char_delete:p=0.05", {"spans": "spans"}, None),
    "spans in UTF-16": ("spans", TYPOS, {"spans": "spans", "offsets": "utf16"}, None),
    "char_delete": ("plain", "char_delete:p=0.05", {}, None),
    "char_delete, chat": ("chat", "char_delete:p=0.05", CHAT, None),
    "word_swap": ("plain", "word_swap:p=0.05", {}, None),
    "word_swap, nested": ("nested", "word_swap:p=0.05", NESTED, None),
}
# By name: a shape whose perturbed rows are read, what reads them, and the most that it is to cost.
READERS = {
    "verify": ("plain", verify_lines, 5),
    "verify, nested": ("nested", verify_lines, 5),
    "verify, content in parts": ("chat, content in parts", verify_lines, 5),
    "verify, nested id": ("nested id", verify_lines, 5),
    "restore": ("plain", stored_lines, 4),
    "restore, nested": ("nested", stored_lines, 4),
    "restore, target": ("target", stored_lines, 4),
    "restore, a label that moves": ("a label that moves", stored_lines, 4),
    "restore, spans that move": ("spans that move", stored_lines, 4),
    "verify, choices": ("choices, typos", verify_lines, None),
    "restore, choices": ("choices, typos", stored_lines, None),
}
# By the name of a home: its kind of rows or format, and the most that it is to cost.
HOMES = {
    "dicts, nested": ("nested", 1.5),
    "dicts, chat": ("chat", None),
    "dicts, target": ("target", None),
    "dicts, spans": ("spans", None),
    "a file of lines, its manifest and hashes": ("jsonl", None),
    "CSV to CSV": ("csv", 1.4),
    "Parquet to Parquet": ("parquet", 1.6),
}


def main():
    parser = options(__doc__, rounds=5)
    parser.add_argument("names", nargs="*", help="shapes; default: all")
    run = Run(parser)
    memory.settle()  # as `perturb_file` does
    names = run.args.names or [*SHAPES, *READERS, *HOMES]
    shapes = {name: SHAPES[name] for name in names if name in SHAPES}
    files = {kind: blocks_of(rows) for kind, rows in kinds().items()}
    jobs = {
        name: job_of(steps, None, **{"field": "question", **more})
        for name, (_, steps, more, _) in shapes.items()
    }
    work = {}
    for name, (kind, *_) in shapes.items():
        work[f"{name}, floor"] = lambda kind=kind: bare(files[kind])
        work[name] = lambda name=name, kind=kind: perturbed(jobs[name], files[kind])
        work[f"{name}, least"] = least(jobs[name], files[kind])
    for name in (name for name in names if name in READERS):
        shape, reader, _ = READERS[name]
        kind, steps, more, _ = SHAPES[shape]
        job = job_of(steps, None, **{"field": "question", **more})
        written = [(at, perturb_block(job, True, at, data).data) for at, data in files[kind]]
        written = [(at, bytes(data)) for at, data in written]
        work[f"{name}, floor"] = lambda written=written: bare(written)
        work[name] = lambda reader=reader, written=written: read(reader, written)
    with tempfile.TemporaryDirectory() as folder:
        for name in (name for name in names if name in HOMES):
            parts = home(HOMES[name][0], Path(folder))
            work |= zip((name, f"{name}, floor", f"{name}, least"), parts, strict=False)
        seconds = {name: min(each) for name, each in in_turns(work, run.args.rounds).items()}
    costs, bounds = (
        {
            name: round(seconds[f"{name}{what}"] / seconds[f"{name}, floor"], 2)
            for name in names
            if f"{name}{what}" in seconds
        }
        for what in ("", ", least")
    )
    goals = {name: each[-1] for name, each in {**SHAPES, **READERS, **HOMES}.items()}
    lines = [(name, cost, bounds.get(name, ""), goals[name] or "") for name, cost in costs.items()]
    shown = table(("shape", "times", "least", "goal"), lines)
    if run.args.names:
        print(shown)
        return
    run.write("rows", {"perturb": perturb.__version__}, rows=ROWS, costs=costs, least=bounds)
    write_into(FOLDER / "README.md", "rows", shown)


def kinds():
    """The rows of each kind, as lines."""
    made_of = (row for row in made_rows("question") if row["question"].isascii())
    given = list(itertools.islice(made_of, 2000))
    rows = [
        {**row, "id": f"q{at}", "answer": f"{row['question'][::-1]} {at % 90}", "score": at / 8}
        for at, row in zip(range(ROWS), itertools.cycle(given))
    ]
    accents = str.maketrans("aeiou", "áéíóü")
    role = itertools.cycle(("system", "user", "assistant"))
    said = lambda row: ("Answer with a number.", row["question"], row["answer"])  # noqa: E731
    made = {
        "plain": rows,
        "accented": [{**row, "question": row["question"].translate(accents)} for row in rows],
        "17 digits": [{**row, "score": (at + 0.1) / 7} for at, row in enumerate(rows)],
        "nested": [{"id": row["id"], "data": {**row}} for row in rows],
        "chat": [
            {"id": row["id"], "messages": [{"role": next(role), "content": t} for t in said(row)]}
            for row in rows
        ],
        "parts": [
            {
                "id": row["id"],
                "messages": [
                    {"role": "system", "content": "Answer with a number."},
                    {"role": "user", "content": [{"type": "text", "text": row["question"]}, IMAGE]},
                    {"role": "assistant", "content": [{"type": "text", "text": row["answer"]}]},
                ],
            }
            for row in rows
        ],
        "target": [{**row, "answer": row["answer"][-2:]} for row in rows],
        "spans": [{**row, "spans": [[0, row["question"].index(" ")]]} for row in rows],
        "options": [
            {
                "id": row["id"],
                "right": "ABC"[at % 3],
                "choices": [f"{word} q{at}" for word in WORDS],
            }
            for at, row in enumerate(rows)
        ],
    }
    made["multiple choice"] = [
        {
            "question": row["question"],
            "subject": "words",
            "choices": [f"{word} in the sentence" for word in (*WORDS, f"q{at}")],
            "answer": at % 4,
        }
        for at, row in enumerate(rows)
    ]
    lines = {kind: list(map(orjson.dumps, each)) for kind, each in made.items()}
    odd = [at % 1000 == 500 for at in range(ROWS)]
    lines["odd float"] = [
        line[:-1] + b',"w":1e-5}' * is_odd + b"}" * (not is_odd)
        for line, is_odd in zip(lines["plain"], odd, strict=True)
    ]
    return lines


def blocks_of(lines):
    """Blocks of some bytes, with the numbers of their first lines."""
    each = max(1, BLOCK * len(lines) // sum(map(len, lines)))
    return [(at + 1, b"\n".join(lines[at : at + each])) for at in range(0, len(lines), each)]


def home(kind, folder):
    """What perturbs the rows of a home, what that is measured beside, and perhaps the least."""
    plain = list(map(orjson.loads, kinds()["plain"]))
    if kind in SHAPES:
        given, (_, _, more, _) = list(map(orjson.loads, kinds()[kind])), SHAPES[kind]
        return lambda: augmented(given, **more), lambda: augmented(plain)
    source, target, copy = (folder / f"{name}.{kind}" for name in ("in", "out", "copy"))
    table = pa.Table.from_pylist(plain)
    if kind == "csv":
        write_csv(source, [table.column_names, *map(dict.values, plain)])
    elif kind == "jsonl":
        source.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in plain))
    else:
        pq.write_table(table, source)
    job = job_of(TYPOS, None, field="question")
    perturb_file(str(source), str(target), job)
    readers = {"csv": read_csv, "jsonl": Path.read_bytes, "parquet": pq.read_table}
    made = readers[kind](target)

    def copied():
        if kind == "csv":
            read_csv(source)
            write_csv(copy, made)
        elif kind == "jsonl":
            with source.open("rb") as lines, copy.open("wb") as out:
                out.writelines(orjson.dumps(orjson.loads(line)) + b"\n" for line in lines)
        else:
            pq.read_table(source)
            pq.write_table(made, copy, compression="zstd", use_dictionary=False)

    def kernels():
        copied()
        for _, batch in perturb_batches(Texts(texts, ids), job.versions[0], decoded=False):
            batch.columns()

    texts = Strings.of_texts([row["question"] for row in plain])
    ids = Strings.of_texts([row["id"] for row in plain])
    work = (lambda: perturb_file(str(source), str(target), job), copied, kernels)
    return work if kind == "parquet" else work[:2]


def augmented(rows, field="question", **more):
    for _ in perturb.augment(rows, TYPOS, field=field, **more):
        pass


def read_csv(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def write_csv(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def bare(blocks):
    for _, lines in blocks:
        for line in lines.splitlines():
            orjson.dumps(orjson.loads(line))


def least(job, blocks):
    """Return what parses rows, draws numbers for their versions, and copies what is written."""
    made = [perturb_block(job, True, first, lines) for first, lines in blocks]
    units = [np.arange(block.counts.units.total()) for block in made]
    key = np.ones(1, np.uint64)

    def work():
        for (_, lines), block, places in zip(blocks, made, units, strict=True):
            for line in lines.splitlines():
                orjson.loads(line)
            draws(key, np.array([0, len(places)]), places, 0)
            bytes(block.data)

    return work


def read(reader, blocks):
    for _, lines in blocks:
        assert None not in reader(lines.splitlines())


def perturbed(job, blocks):
    for first, lines in blocks:
        block = perturb_block(job, True, first, lines)
        assert not block.bad, block.bad


if __name__ == "__main__":
    main()
