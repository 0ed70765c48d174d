"""Where the time goes, of a text in a list and of a row in a file, stage by stage.

Run it as `python benchmarks/stages.py [--data FILE.jsonl --field NAME] [--rounds 15]`.
"""

import hashlib
import time
from functools import partial
from pathlib import Path

import orjson
from common import CORPUS, Run, options, rewritten

import perturb
from perturb.engine import allocator
from perturb.engine.batch import Batch
from perturb.engine.native.rows import read_rows, unquoted
from perturb.engine.run import run
from perturb.engine.scope import Scope
from perturb.engine.selection import choose
from perturb.engine.text.strings import Strings
from perturb.plan.job import job_of
from perturb.plan.options import LINKAGE
from perturb.records.ids import keys_of_texts
from perturb.records.json_records import joined, record_pieces
from perturb.records.perturb_texts import perturb_batch, perturb_batches
from perturb.records.record import Record
from perturb.records.texts import Texts
from perturb.rng import mix64
from perturb.stream.blocks import perturb_block

P = 0.05
BLOCK = 1 << 19


def main():
    run = Run(options(__doc__, *CORPUS, rounds=15))
    allocator.settle()
    with run.corpus() as (path, texts):
        blocks = list(blocks_of(Path(path).read_bytes()))
    job = job_of("keyboard_typos", p=P, field=run.args.field)
    times = {}
    for _ in range(run.args.rounds):
        spent = {}
        measure(texts, blocks, job, clock_into(spent))
        for stage, seconds in spent.items():
            times.setdefault(stage, []).append(seconds * 1e6 / len(texts))
    stages = {stage: round(min(each), 2) for stage, each in times.items()}
    run.tell({"perturb": perturb.__version__, "orjson": orjson.__version__})
    print(f"\n{'':60} us a text")
    for stage, cost in stages.items():
        print(f"{stage:60} {cost:9.2f}")
    run.write("stages", us=stages)


def clock_into(spent):
    """A function that calls another and adds its seconds of the processor to those of a stage."""

    def clock(stage, work, *rest):
        start = time.process_time()
        made = work(*rest)
        spent[stage] = spent.get(stage, 0) + time.process_time() - start
        return made

    return clock


def blocks_of(data):
    """Whole lines, as many as `perturb apply` takes at a time."""
    at = 0
    while at < len(data):
        end = data.rfind(b"\n", at, at + BLOCK) + 1
        yield data[at:end]
        at = end


def measure(texts, blocks, job, clock):
    (version,) = job.versions
    clock("a list of texts", perturb.apply, texts, "keyboard_typos", P)
    for _, batch in clock("  texts cut into batches", lambda: Texts(texts).batches):
        of_a_batch(batch, version, clock)
    for block in blocks:
        bare = partial(b"".join, rewritten(block.splitlines()))
        clock("a file, its rows only parsed and written", bare)
    for block in blocks:
        done = clock("a file, but for its hashes", perturb_block, job, True, 1, block)
        of_a_block(block, job, clock)
        for data in (block, done.data):
            clock("  SHA-256 of input and output", lambda data=data: hashlib.sha256(data).digest())


def of_a_batch(texts, version, clock):
    """What becomes of a batch of texts, stage by stage."""
    (stage,) = version.stages
    source = clock("  texts to arrays", Strings.of_texts, texts.texts, texts.lengths)
    keys = clock("  keys of the texts (BLAKE2b)", keys_of_texts, lambda: texts.texts, source)
    clock("  the step, as one kernel", version.planned.perform, source, keys)
    columns = perturb_batch(texts, version)
    clock("  arrays to texts", columns.outcome.result.to_texts)
    clock("  records", lambda: [Record(columns, row) for row in range(len(texts.texts))])
    outcome = clock("the step by the engine", run, source, keys, version.stages, Scope())
    of_the_engine(Batch(source, mix64(keys, stage.stream)), stage.action, outcome, clock)


def of_the_engine(batch, action, outcome, clock):
    (tally,) = outcome.tallies
    sites = clock("  sites", action.sites, batch)
    counts = clock("  sites of each text", sites.count, batch.edges)
    draw = (sites, batch.keys, batch.edges, counts, tally.edits)
    starts, ends, made = clock("  ranks of all sites, the lowest taken", choose, *draw)
    spans = Strings(batch.codes, starts, ends)
    clock("  replacements", lambda: sites.write(batch.chosen(spans, made)))
    clock("  texts after the edits", outcome.edits.apply, batch.texts)


def of_a_block(block, job, clock):
    """What becomes of a block of lines, stage by stage."""
    (version,) = job.versions
    names = *job.field, job.id_field, LINKAGE
    codes, places = clock("  rows read by a kernel", read_rows, block, *names)
    kinds = clock("  their texts", unquoted, Strings(codes, *places[2:4]))
    texts = [Texts(own, fields=[*job.field] * len(own)) for _, own in kinds]

    def perturbed():
        return [one for own in texts for _, one in perturb_batches(own, version, decoded=False)]

    columns = clock("  texts perturbed", perturbed)
    clock("  records as JSON", lambda: [joined(record_pieces(one), len(one)) for one in columns])


if __name__ == "__main__":
    main()
