"""What the kernels in C gain: each kind of work with them and without, in turns, in one run.

Run it as `python benchmarks/native.py [--data FILE.jsonl --field NAME] [--rounds 9]`.
"""

from functools import partial
from itertools import islice

import orjson
from common import (
    best_and_median,
    corpus,
    corpus_arguments,
    corpus_of,
    facts,
    in_turns,
    load,
    show,
    size_of,
    started,
    write_result,
)

import perturb
from perturb.engine.native import library
from perturb.plan.job import job_of
from perturb.stream.blocks import perturb_block

CAVEATS = """\
- Both sides are one process that is told to use the kernels or not, and take turns; a turn is so
  many texts that it lasts long enough. Figures are of the clock of the processor, of the best of
  the rounds. What is made is compared before it is measured: it is the same.
"""
P = 0.05
# Perturbators that spend their time in different kernels, and in none.
NAMES = "keyboard_typos", "char_delete", "char_swap", "ocr", "typo_mix", "whitespace", "synonym"
LISTED, ONES, LENGTH = 3000, 400, 120


def main():
    args = corpus_arguments(__doc__, rounds=9)
    before = load()
    if library.LIBRARY is None:
        raise SystemExit("there are no kernels: run python perturb/engine/native/build.py")
    with corpus(args) as (data, texts):
        texts = list(islice(texts, LISTED))
        rows = [measured(*one, rounds=args.rounds) for one in works(texts)]
        floor = glitchlings(data, args, texts)
    about = facts(before, {"perturb": perturb.__version__}, corpus=corpus_of(args, texts))
    print(CAVEATS)
    show(about)
    report(rows, floor)
    write_result("native", {**about, "rounds": args.rounds, "rows": rows, "glitchlings": floor})


def works(texts):
    """The name of each work, on how many texts of how many bytes, and a function that does it."""
    size, lines = size_of(texts), rows_of(texts)
    short = [text[:LENGTH] for text in texts if len(text) >= LENGTH and text.isascii()][:ONES]
    for name in NAMES:
        yield f"list: {name}", len(texts), size, lambda name=name: texts_of(listed(texts, name))
    yield "rows, with records", len(texts), size, lambda: written(lines), partial(bare, lines)
    yield "list, .edits read", len(texts), size, lambda: edits_of(listed(texts, NAMES[0]))
    yield "one text, .text", len(short), size_of(short), lambda: texts_of(each(short))
    yield "one text, .edits read", len(short), size_of(short), lambda: edits_of(each(short))


def written(lines):
    """The rows of a file, perturbed and written with their records, but for the hashes."""
    return perturb_block(job_of(NAMES[0], p=P, field="text"), True, 1, lines).data


def bare(lines):
    """The same rows, only parsed and written."""
    dumps = partial(orjson.dumps, option=orjson.OPT_APPEND_NEWLINE)
    return b"".join(map(dumps, map(orjson.loads, lines.splitlines())))


def rows_of(texts):
    """Lines with one of the texts each, as a file has them."""
    return b"".join(
        orjson.dumps({"id": row, "text": text}, option=orjson.OPT_APPEND_NEWLINE)
        for row, text in enumerate(texts)
    )


def listed(texts, name):
    return perturb.apply(texts, name, p=P)


def each(texts):
    return (perturb.apply(text, NAMES[0], p=P) for text in texts)


def texts_of(records):
    return [record.text for record in records]


def edits_of(records):
    return [record.edits for record in records]


def measured(name, texts, size, work, floor=None, *, rounds):
    """The seconds of a work with the kernels and without, and of a floor, if it has one."""
    kernels = library.LIBRARY

    def using(own):
        def run():
            library.LIBRARY = own
            try:
                return work()
            finally:
                library.LIBRARY = kernels

        return run

    sides = {"kernels": using(kernels), "numpy": using(None)}
    if sides["kernels"]() != sides["numpy"]():
        raise SystemExit(f"{name}: not the same with the kernels and without")
    if floor is not None:
        sides["bare"] = floor
    taken = {side: best_and_median(all_) for side, all_ in in_turns(sides, rounds).items()}
    return {"work": name, "texts": texts, "bytes": size, **taken}


def glitchlings(data, args, texts):
    """Seconds of the processor for the list by glitchlings; None if it is not installed."""
    for side in started(("glitchlings",), data, args.field):
        taken = [side.seconds("Typogre(list)", "list", len(texts))[1] for _ in range(args.rounds)]
        side.close()
        return best_and_median(taken)
    return None


def report(rows, floor):
    print(
        f"\n{'us a text (and MB/s), the best':28} {'kernels':>16} {'NumPy':>16} {'is x faster':>12}"
    )
    for row in rows:
        ours, theirs = (
            f"{cost(row, side):7.2f} ({rate(row, side):5.1f})" for side in ("kernels", "numpy")
        )
        gain = row["numpy"]["best"] / row["kernels"]["best"]
        print(f"{row['work']:28} {ours:>16} {theirs:>16} {gain:13.2f}")
        if "bare" in row:
            share = row["bare"]["best"] / row["kernels"]["best"]
            print(f"    that is {share:.2f} of the speed of rows only parsed and written by orjson")
    if floor:
        ratio = floor["best"] / rows[0]["kernels"]["best"]
        print(f"\nkeyboard_typos on the list is {ratio:.1f} times as fast as glitchlings")


def cost(row, side):
    """Microseconds a text."""
    return row[side]["best"] / row["texts"] * 1e6


def rate(row, side):
    """Megabytes of text a second."""
    return row["bytes"] / row[side]["best"] / 1e6


if __name__ == "__main__":
    main()
