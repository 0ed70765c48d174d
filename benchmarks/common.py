"""What the benchmarks share: a corpus, sides in their own processes, and the machine's name."""

import argparse
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from setup_peers import NLTK_DATA, python_of

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
EXAMPLES = FOLDER.parent / "examples/questions.jsonl"
# NumPy's threads spin while they wait, which is processor time that no work was done in.
THREADS = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"
TURN = 0.2  # seconds that a turn is to last
# What every process runs in: one thread, and source that is compiled once, as when it is installed.
ENVIRONMENT = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONDONTWRITEBYTECODE": ""}


class Side:
    """A library in a process of its own (`sides.py`), which waits while others are measured.

    Attributes:
        name: of the side.
        versions: of what it runs, by name.
        operations: the names of what it can do.

    Where it is this library, that of the checkout `root`.
    """

    def __init__(self, name, data, field, hash_seed=None, root=FOLDER.parent):
        library = name.partition("_")[0]
        peer = python_of(library)
        ours = library in ("perturb", "revision")
        if not ours and not peer.exists():
            raise FileNotFoundError(f"{name} is left out: run python {FOLDER.name}/setup_peers.py")
        environment = {**ENVIRONMENT, "NLTK_DATA": str(NLTK_DATA)}
        environment["PYTHONPATH"] = str(root) if ours else ""
        if hash_seed is not None:
            environment["PYTHONHASHSEED"] = str(hash_seed)
        self._process = subprocess.Popen(
            [sys.executable if ours else peer, FOLDER / "sides.py", name, data, field],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.name = name
        self.versions, self.operations = self._answer()

    def seconds(self, operation, kind, first=None, length=None, calls=1):
        """Time an operation: by the clock, and of the processor, which other work disturbs less.

        Args:
            operation: one of `operations`.
            kind: "list" for one call with all texts, "each" for the median of a call for each,
                "file" for a call without arguments.
            first: of so many texts.
            length: of texts of so many characters, cut from the corpus.
            calls: the mean of so many calls, where it is not one for each text.
        """
        request = {"kind": kind, "first": first, "length": length, "calls": calls}
        return self._ask(operation, request)

    def filling(self, operation, kind, most, length=None, fewest=10):
        """How many texts, or calls of one text each, fill a turn.

        See `seconds` for the arguments; the first calls, which read tables, are among those made.
        """
        number = fewest
        for _ in range(3):
            taken = max(self.seconds(operation, kind, number, length))
            taken *= number if kind == "each" else 1
            number = max(fewest, min(int(number * TURN / taken), most, 20 * number))
        return number

    def make(self, operation, texts, seed):
        """What one of `operations` makes of texts."""
        return self._ask(operation, {"texts": texts, "seed": seed})

    def _ask(self, name, request):
        print(json.dumps([name, request]), file=self._process.stdin, flush=True)
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {self.name} ended; its message is above")
        return json.loads(line)

    def close(self):
        """End the process."""
        self._process.communicate()


@contextmanager
def started(names, data, field, hash_seed=None):
    """The sides that are installed, until they have done their work."""
    sides = []
    for name in names:
        try:
            sides.append(Side(name, data, field, hash_seed))
        except FileNotFoundError as error:
            print(error)
    yield sides
    for side in sides:
        side.close()


@contextmanager
def started_on(names, rows, hash_seed=None):
    """The sides that are installed, on rows with a text each."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "rows.jsonl")
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        with started(names, data, "text", hash_seed) as sides:
            yield sides


def versions_of(sides):
    return {name: version for side in sides for name, version in side.versions.items()}


def measured(command, status=0, root=FOLDER.parent, stdin=None):
    """Seconds by the clock and of the processor, and the peak of memory in MB, of a command.

    It runs on the checkout `root`, ends with `status`, and what it prints is lost.
    """
    done = subprocess.run(
        [sys.executable, FOLDER / "one_process.py", *command],
        env={**ENVIRONMENT, "PYTHONPATH": str(root)},
        input=stdin,
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode != status:
        raise SystemExit(f"{command} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def applied(field, source, *more, step="keyboard_typos:p=0.05"):
    """The command line of `perturb apply`; with -P, or its folder would come before `root`."""
    apply = [sys.executable, "-P", "-m", "perturb", "apply", step, "--field", field]
    return [*apply, "-i", source, *more]


def timed(work, *arguments):
    """Seconds of a call by the clock and of the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    work(*arguments)
    return time.perf_counter() - wall, time.process_time() - cpu


def in_turns(work, rounds, measure=lambda function: timed(function)[1]):
    """What is measured of each piece of work in each round, by name; they take turns.

    Without `measure` they are functions, of which the seconds of the processor are.
    """
    turns = [{name: measure(each) for name, each in work.items()} for _ in range(rounds)]
    return {name: [turn[name] for turn in turns] for name in work}


def best_and_median(seconds):
    return {"best": min(seconds), "median": statistics.median(seconds)}


def write_corpus(target, data, field, megabytes):
    """Write the first rows of a file, or rows made of the examples; return their texts."""
    size = 0
    with target.open("w", encoding="utf-8") as out:
        for row in rows_of(data) if data else made_rows(field):
            size += out.write(json.dumps(row, ensure_ascii=False) + "\n")
            if size >= megabytes * 1e6:
                break
    return [row[field] for row in rows_of(target)]


# The options of several benchmarks.
OPTIONS = {
    "data": {"help": "a JSONL file; default: rows made of the examples"},
    "field": {"default": "question", "help": "the field with the text"},
    "megabytes": {"type": float, "default": 4, "help": "so much of the file"},
    "rounds": {"type": int},
    "full": {"action": "store_true", "help": "the full sizes"},
}
CORPUS = "data", "field", "megabytes"


def options(doc, *names, **defaults):
    """A parser with some of `OPTIONS`, some of them with other defaults."""
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0])
    for name in (*names, *defaults):
        parser.add_argument(f"--{name}", **OPTIONS[name])
    parser.set_defaults(**defaults)
    return parser


class Run:
    """One run of a benchmark: its options, what its figures hold for, and its result.

    Attributes:
        args: the options.
    """

    def __init__(self, parser):
        self.args = parser.parse_args()
        self._before, self._texts = load(), None

    @contextmanager
    def corpus(self, most=None):
        """A file of rows, which is there for as long as it is measured, and its first texts."""
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder, "corpus.jsonl")
            texts = write_corpus(data, self.args.data, self.args.field, self.args.megabytes)
            self._texts = texts[:most]
            yield data, self._texts

    def about(self, versions):
        """What the figures hold for."""
        about = {"machine": machine(), "load": [self._before, load()], "versions": versions}
        if self._texts is not None:
            about["corpus"] = {
                "source": source_of(self.args),
                "texts": len(self._texts),
                "characters_mean": round(statistics.mean(map(len, self._texts))),
                "megabytes": round(size_of(self._texts) / 1e6, 2),
            }
        return about | ({"rounds": self.args.rounds} if "rounds" in self.args else {})

    def write(self, name, versions, **result):
        """Print what the README says of the script, and the result; store it."""
        item = rf"^- `{re.escape(Path(sys.argv[0]).name)}\b.*?(?=^- `|^$)"
        readme = (FOLDER / "README.md").read_text("utf-8")
        print(re.search(item, readme, re.DOTALL | re.MULTILINE)[0])
        result = {**self.about(versions), **result}
        for title, figures in result.items():
            show(title, figures)
        write_result(name, result)


def show(title, figures):
    """Print rows, or figures by name, as a table, and anything else in a line."""
    if isinstance(figures, dict) and any(isinstance(each, dict) for each in figures.values()):
        figures = [{title: name} | each for name, each in figures.items()]
    if not (isinstance(figures, list) and figures and isinstance(figures[0], dict)):
        print(f"{title}: {shown(figures)}")
        return
    columns = list(dict.fromkeys(key for row in figures for key in row))
    lines = [columns, *([shown(row.get(key, "")) for key in columns] for row in figures)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    print()
    for cells in lines:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)))


def shown(value):
    """Return a figure as it is printed."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {shown(each)}" for key, each in value.items())
    return ", ".join(map(shown, value)) if isinstance(value, list | tuple) else str(value)


def table(heads, rows):
    """Return rows of cells as a table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in lines)


def source_of(args):
    return Path(args.data).name if args.data else "made of the examples"


def size_of(texts):
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def rows_of(path):
    with Path(path).open(encoding="utf-8") as rows:
        yield from map(json.loads, rows)


def made_rows(field):
    """Two example questions a row, one in four words another of its length, numbers new."""
    draw = random.Random(0)
    examples = list(rows_of(EXAMPLES))
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
    cpu_info = Path("/proc/cpuinfo")
    models = re.findall("model name.*: (.*)", cpu_info.read_text() if cpu_info.exists() else "")
    return {
        "cpu": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def load():
    """How busy the machine was over the last minute, in processes; None where it is not known."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def read_result(name):
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))


def write_table(path, header, rows):
    """Write a table of `wordlists/`, its rows in order."""
    lines = sorted("\t".join(row) + "\n" for row in rows)
    path.write_text(header + "\n" + "".join(lines), "utf-8", newline="\n")
    print(f"written to {path.name}; now: python wordlists/build/hashes.py wordlists")


def write_into(page, name, text):
    """Write text between the marks of a name on a page of the documentation."""
    before, mark, rest = page.read_text("utf-8").partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    assert end, f"{page} has no marks of {name}"
    page.write_text(f"{before}{mark}{text}{end}{after}", "utf-8")
    print(f"written to {page.name}")


def write_result(name, result):
    path = RESULTS / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(f"\nwritten to {path.relative_to(FOLDER.parent)}")
