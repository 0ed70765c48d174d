"""What the kernels in C gain: each kind of work with them and without, in turns, in one run.

Run it as `python benchmarks/native.py [--data FILE.jsonl --field NAME] [--rounds 9]`.
"""

from functools import partial

import orjson
from common import CORPUS, Run, best_and_median, in_turns, options, rewritten, size_of, started

import perturb
from perturb.engine.native import binding
from perturb.plan.job import job_of
from perturb.stream.blocks import perturb_block

P = 0.05
LINE = partial(orjson.dumps, option=orjson.OPT_APPEND_NEWLINE)
# Perturbators that spend their time in different kernels, and in none.
NAMES = "keyboard_typos", "char_delete", "char_swap", "ocr", "typo_mix", "whitespace", "synonym"
LISTED, ONES, LENGTH = 3000, 400, 120


def main():
    run = Run(options(__doc__, *CORPUS, rounds=9))
    if binding.LIBRARY is None:
        raise SystemExit("there are no kernels: run python perturb/engine/native/build.py")
    with run.corpus(LISTED) as (data, texts):
        rows = [measured(*work, rounds=run.args.rounds) for work in works(texts)]
        floor = glitchlings(data, run.args, texts)
    run.tell({"perturb": perturb.__version__})
    report(rows, floor)
    run.write("native", rows=rows, glitchlings=floor)


def works(texts):
    """The name of each work, on how many texts of how many bytes, and a function that does it."""
    lines = b"".join(LINE({"id": row, "text": text}) for row, text in enumerate(texts))
    short = [text[:LENGTH] for text in texts if len(text) >= LENGTH and text.isascii()][:ONES]
    job = job_of(NAMES[0], p=P, field="text")

    def listed(what, name=NAMES[0]):
        return [getattr(record, what) for record in perturb.apply(texts, name, p=P)]

    def each(what):
        return [getattr(perturb.apply(text, NAMES[0], p=P), what) for text in short]

    def bare():
        """The same rows, only parsed and written."""
        return b"".join(rewritten(lines.splitlines()))

    whole, ones = (len(texts), size_of(texts)), (len(short), size_of(short))
    for name in NAMES:
        yield f"list: {name}", *whole, partial(listed, "text", name)
    # As those of a file, but for the hashes.
    yield "rows, with records", *whole, lambda: perturb_block(job, True, 1, lines).data, bare
    yield "list, .edits read", *whole, partial(listed, "edits")
    yield "one text, .text", *ones, partial(each, "text")
    yield "one text, .edits read", *ones, partial(each, "edits")


def measured(name, texts, size, work, floor=None, *, rounds):
    """The seconds of a work with the kernels and without, and of a floor, if it has one."""
    kernels = binding.LIBRARY

    def using(side):
        binding.LIBRARY = side
        try:
            return work()
        finally:
            binding.LIBRARY = kernels

    sides = {"kernels": partial(using, kernels), "numpy": partial(using, None)}
    if sides["kernels"]() != sides["numpy"]():
        raise SystemExit(f"{name}: not the same with the kernels and without")
    if floor is not None:
        sides["bare"] = floor
    taken = {side: best_and_median(all_) for side, all_ in in_turns(sides, rounds).items()}
    return {"work": name, "texts": texts, "bytes": size, **taken}


def glitchlings(data, args, texts):
    """Seconds of the processor for the list by glitchlings; None if it is not installed."""
    with started(("glitchlings",), data, args.field) as sides:
        for side in sides:
            turns = (side.seconds("Typogre(list)", "list", len(texts)) for _ in range(args.rounds))
            return best_and_median([cpu for _, cpu in turns])
    return None


def report(rows, floor):
    heads = f"{'kernels':>16} {'NumPy':>16} {'is x faster':>12}"
    print(f"\n{'us a text (and MB/s), the best':28} {heads}")
    for row in rows:
        seconds = [row[side]["best"] for side in ("kernels", "numpy")]
        ours, theirs = (
            f"{each / row['texts'] * 1e6:7.2f} ({row['bytes'] / each / 1e6:5.1f})"
            for each in seconds
        )
        print(f"{row['work']:28} {ours:>16} {theirs:>16} {seconds[1] / seconds[0]:13.2f}")
        if "bare" in row:
            share = row["bare"]["best"] / seconds[0]
            print(f"    that is {share:.2f} of the speed of rows only parsed and written by orjson")
    if floor:
        ratio = floor["best"] / rows[0]["kernels"]["best"]
        print(f"\nkeyboard_typos on the list is {ratio:.1f} times as fast as glitchlings")


if __name__ == "__main__":
    main()
