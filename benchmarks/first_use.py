"""What the first use of each perturbator, and of the command, costs in a new process.

Run it as `python benchmarks/first_use.py [--rounds 3]`.
"""

import json
import os
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
# What a caller waits for at the start, in processes that take turns; given in imports of NumPy.
STARTS = {
    "import numpy": ["-c", "import numpy"],
    "first apply": ["-c", "import perturb; perturb.apply('How many eggs?', 'keyboard_typos')"],
    "one row": ["-m", "perturb", "apply", "keyboard_typos", "-p", "0.05"],
    "list": ["-m", "perturb", "list"],
    "show ocr": ["-m", "perturb", "show", "ocr"],
}
ROW = '{"text": "The quick brown fox jumps over the lazy dog."}\n'
LEXICON = "import perturb.lexicon.store; perturb.lexicon.store.load()"


def main():
    run = Run(options(__doc__, rounds=3))
    rounds = run.args.rounds
    calls = {"the lexicon": LEXICON, **{name: APPLY.format(name) for name in perturb.names()}}
    times = {name: best(call, rounds) for name, call in calls.items()}
    numpy, package, *_ = map(min, zip(*times.values(), strict=True))
    imports = {"numpy": numpy, "perturb": package}
    uses = {name: {"first": first, "second": second} for name, (*_, first, second) in times.items()}
    command = round(1e3 * min(cpu_of("one row", ENVIRONMENT) for _ in range(10 * rounds)))
    many = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    turns = [{name: cpu_of(name, many) for name in STARTS} for _ in range(10 * rounds)]
    least = {name: min(turn[name] for turn in turns) for name in STARTS}
    starts = {name: round(cpu / least["import numpy"], 2) for name, cpu in least.items()}
    versions = {"perturb": perturb.__version__}
    run.write(
        "first_use",
        versions,
        import_ms=imports,
        command_ms=command,
        starts=starts,
        uses_ms=dict(sorted(uses.items(), key=lambda item: -item[1]["first"])),
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


def cpu_of(start, environment):
    """Seconds of the processor of one of `STARTS`, from its start to its end."""
    return measured([sys.executable, *STARTS[start]], stdin=ROW, environment=environment)[1]


if __name__ == "__main__":
    main()
