"""What the first use of each perturbator, and of the command, costs in a new process.

Run it as `python benchmarks/first_use.py [--rounds 3]`.
"""

import json
import subprocess
import sys

from common import ENVIRONMENT, Run, measured, options

import perturb

CALL = """\
import time
start = time.process_time()
import numpy
numpy_ready = time.process_time()
import perturb
ready = time.process_time()
perturb.apply("A first text.", "identity", p=0.5)
def call():
    start = time.process_time()
    {}
    return time.process_time() - start
print([numpy_ready - start, ready - numpy_ready, call(), call()])
"""
APPLY = """perturb.apply("The big dog ran home. It isn't 3 miles.", "{}", p=0.5)"""
LEXICON = "import perturb.lexicon.store; perturb.lexicon.store.load()"
ROW = '{"text": "The quick brown fox jumps over the lazy dog."}\n'
APPLIED = ["-m", "perturb", "apply", "keyboard_typos", "-p", "0.05"]
# What no command goes below: its imports alone.
STARTS = {"command": APPLIED} | {
    each: ["-c", f"import {each}"] for each in ("numpy", "numpy, orjson")
}


def main():
    run = Run(options(__doc__, rounds=3))
    rounds = run.args.rounds
    calls = {"the lexicon": LEXICON, **{name: APPLY.format(name) for name in perturb.names()}}
    times = {name: best(call, rounds) for name, call in calls.items()}
    numpy, package, *_ = map(min, zip(*times.values(), strict=True))
    each = range(10 * rounds)
    starts = {
        name: round(1e3 * min(measured([sys.executable, *words], stdin=ROW)[1] for _ in each))
        for name, words in STARTS.items()
    }
    run.write(
        "first_use",
        {"perturb": perturb.__version__},
        import_ms={"numpy": numpy, "perturb": package},
        command_ms=starts.pop("command"),
        imports_ms=starts,
        uses_ms={
            name: {"first": first, "second": second} for name, (*_, first, second) in times.items()
        },
    )


def best(call, rounds):
    """Milliseconds of both imports and both calls, the best of some processes."""
    command = [sys.executable, "-c", CALL.format(call)]
    runs = [
        subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)
        for _ in range(rounds)
    ]
    times = zip(*(json.loads(run.stdout) for run in runs), strict=True)
    return [round(min(each) * 1e3, 3) for each in times]


if __name__ == "__main__":
    main()
