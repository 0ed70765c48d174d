"""What the benchmarks share: a corpus, sides in their own processes, and the machine's name."""

import json
import os
import platform
import random
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

from setup_peers import NLTK_DATA, python_of

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parent / "examples/questions.jsonl"
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)


class Side:
    """A library in a process of its own (`sides.py`), which waits while others are measured."""

    def __init__(self, name, data, field):
        peer = python_of(name.removesuffix("_words"))
        ours = name in ("perturb", "perturb_words", "floor")
        if not ours and not peer.exists():
            raise FileNotFoundError(f"{name} is left out: run python {FOLDER.name}/setup_peers.py")
        environment = {**os.environ, **ONE_THREAD, "NLTK_DATA": str(NLTK_DATA)}
        if ours:
            environment["PYTHONPATH"] = str(FOLDER.parent)
        self._process = subprocess.Popen(
            [sys.executable if ours else peer, FOLDER / "sides.py", name, data, field],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.name = name
        self.versions, self.operations = self._answer()

    def ask(self, operation, kind, first):
        """Run an operation on the first texts; see `serve` in `sides.py` for the kinds.

        Of the kind "edits" the last argument is a seed. After "cpu " a kind is timed by the clock
        of the processor, which other work on the machine disturbs less.
        """
        print(json.dumps([operation, kind, first]), file=self._process.stdin, flush=True)
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {self.name} ended; its message is above")
        return json.loads(line)

    def close(self):
        """End the process."""
        self._process.communicate()


def write_corpus(target, data, field, megabytes):
    """Write the first rows of a file, or rows made of the examples; return their texts."""
    size = 0
    with target.open("w", encoding="utf-8") as out:
        for row in _rows_of(data) if data else _made_rows(field):
            size += out.write(json.dumps(row, ensure_ascii=False) + "\n")
            if size >= megabytes * 1e6:
                break
    return [row[field] for row in _rows_of(target)]


def _rows_of(path):
    with Path(path).open(encoding="utf-8") as rows:
        yield from map(json.loads, rows)


def _made_rows(field):
    """Two example questions a row, one in four words another of its length, numbers new."""
    draw = random.Random(0)
    examples = list(_rows_of(EXAMPLES))
    words = {}
    for row in examples:
        for word in re.findall(r"[a-z]{4,}", row["question"]):
            words.setdefault(len(word), []).append(word)

    def varied(match):
        if match[0].isdigit():
            return str(draw.randrange(10 ** len(match[0])))
        return draw.choice(words[len(match[0])]) if draw.random() < 0.25 else match[0]

    for number in range(10**9):
        pair = draw.choices(examples, k=2)
        text = re.sub(r"[a-z]{4,}|\d+", varied, " ".join(row["question"] for row in pair))
        yield {"id": f"made{number}", field: text, "answer": " ".join(r["answer"] for r in pair)}


def machine():
    """What the figures hold for."""
    model = platform.processor() or platform.machine()
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.exists():
        names = (line for line in cpu_info.read_text().splitlines() if "model name" in line)
        model = next((name.partition(": ")[2] for name in islice(names, 1)), model)
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def load():
    """How busy the machine was over the last minute, in processes; None where it is not known."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def write_result(name, result):
    path = FOLDER / "results" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(f"\nwritten to {path.relative_to(FOLDER.parent)}")
