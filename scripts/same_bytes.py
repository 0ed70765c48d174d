"""Tell whether perturb gives the same bytes as before a change: store digests, change, compare.

    python scripts/same_bytes.py --store FILE
    python scripts/same_bytes.py --compare FILE
    python scripts/same_bytes.py --show TEXT       what the lines give whose names hold the text

A line is a golden of `tests/cases.py`, or a command: those of the pages in docs/ that need no
endpoint and no shell, in order, with the files that their pages show; and what `fuzz/` draws, of
good calls in all formats and of odd ones. Its digest is one of the record, or of the status, what
is printed, what is complained about, and each file that the command wrote or changed. The paths of
the working folder and the checkout, and times, are left out, since they differ by themselves.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from unittest import mock

import orjson

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "fuzz")]

import cases
import commands
import contract
import options
import pages_shown

import perturb
from perturb.cli import main as perturb_main

# How many commands are drawn: good ones, each of which is verified too, and odd ones.
_GOOD, _ODD = 60, 120
_ENDLESS = 60  # seconds
_SHELL = set("|&;$`")
# What no two runs share: times, how long it took, the port of a server, and the digest of a
# manifest, which has the path of the working folder.
_PASSING = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?"
    rb"|\b\d+(\.\d+)? (ms|s)\b|[\d,.]+ ?(rows|texts)?/s|127\.0\.0\.1:\d+"
    rb'|manifest_sha256(&#34;|"): (&#34;|")\w{64}|"(minutes|seconds)":[\d.e-]+'
)
Line = tuple[str, bytes]


def goldens() -> Iterator[Line]:
    """Yield the row that each case makes of the sentence, with its record."""
    for case in cases.CASES:
        rows = [{"id": "golden", "text": cases.SENTENCE}]
        (row,) = perturb.augment(rows, case.spec, p=0.2, seed=1)
        yield case.spec, orjson.dumps(row)


def of_pages() -> Iterator[Line]:
    """Yield what the commands of the documentation give."""
    for page in pages_shown.PAGES:
        with working_folder():
            Path("examples").symlink_to(ROOT / "examples")
            for block in filter(lambda each: each.is_run, pages_shown.blocks(page)):
                if block.file:
                    Path(block.file).write_text(block.text, "utf-8")
                elif block.kind in ("sh", "console"):
                    for line in block.text.splitlines():
                        yield from of_line(page.stem, line.removeprefix("$ "))


def of_line(page: str, line: str) -> Iterator[Line]:
    """Yield what a line of a page gives, if it is a command that can be run alone."""
    if line.startswith("perturb ") and _SHELL.isdisjoint(line) and "http:" not in line:
        words = shlex.split(line, comments=True)[1:]
        ends = {words[at]: words[at + 1] for at, word in enumerate(words) if word in ("<", ">")}
        words = [word for word in words if word not in (*ends, *ends.values())]
        yield f"{page}: {line}", run(words, ends.get("<", os.devnull))
        if ">" in ends:
            shutil.copy(".stdout", ends[">"])


def drawn() -> Iterator[Line]:
    """Yield what commands with random texts, steps, options and formats give, and their check."""
    dice, ways = random.Random(1), contract.ways()
    for _ in range(_GOOD):
        with working_folder():
            texts = [contract.text_of(dice) for _ in range(12)]
            texts = [text for text in texts if text.isprintable()]
            suffix, field = dice.choice(commands.SUFFIXES), dice.choice(["text", "a b"])
            rows = [{"id": f"r{n}", field: text} for n, text in enumerate(texts)]
            with mock.patch("time.time", return_value=0):  # which gzip writes down
                commands.write(Path(f"in{suffix}"), rows)
            words = [*dice.sample(ways, dice.choice([1, 1, 2])), "-p", str(dice.random())]
            words += ["--field", field, "--seed", str(dice.randrange(1 << 32))]
            words += dice.choice([[], [], ["--replicates", "3"], ["--lean"], ["--with-original"]])
            words += dice.choice([[], ["--protect", "number,url"], ["--only", "regex:[a-z ]+"]])
            words = ["apply", *words, "-i", f"in{suffix}", "-o", f"out{suffix}"]
            yield shlex.join(words), run(words)
            yield "verify", run(["verify", f"out{suffix}"])


def odd() -> Iterator[Line]:
    """Yield what calls with an odd value give."""
    with working_folder() as folder, options.nothing_to_read():
        options.prepare()
        kept = shutil.copytree(folder, f"{folder}.kept")
        for words in options.every(1)[:_ODD]:
            shutil.copytree(kept, folder, dirs_exist_ok=True)
            shown = shlex.join(word if len(word) < 80 else f"{word[:80]}..." for word in words)
            yield shown, run(words)
        shutil.rmtree(kept)


@contextlib.contextmanager
def working_folder() -> Iterator[Path]:
    """Work in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield Path(folder)


def files() -> dict[str, bytes]:
    """Return the content of each file in the working folder."""
    found = (path for path in Path().rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path): path.read_bytes() for path in found}


def run(words: list[str], given: str = os.devnull) -> bytes:
    """Run a command in a process of its own, a copy of this one, and return all that it gives."""
    before = files()
    child = os.fork()
    if not child:
        signal.alarm(_ENDLESS)
        for number, name in enumerate((given, ".stdout", ".stderr")):
            with Path(name).open("wb" if number else "rb") as file:
                os.dup2(file.fileno(), number)
        sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
        status = 70
        try:
            with mock.patch("socketserver.BaseServer.serve_forever"):
                status = perturb_main(words)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    after = files()
    parts = [f"status {ended}\n".encode()]
    for name, content in sorted(after.items()):
        if before.get(name) != content or name in (".stdout", ".stderr"):
            parts += [f"\n--- {name}\n".encode(), content]
    whole = b"".join(parts).replace(os.fsencode(Path.cwd()), b"FOLDER")
    whole = whole.replace(os.fsencode(ROOT), b"CHECKOUT")  # so that two of them can be compared
    return _PASSING.sub(b"PASSING", whole)


def lines() -> Iterator[Line]:
    """Yield all lines, each with its number, since pages repeat some."""
    for each in (goldens, of_pages, drawn, odd):
        for number, (name, content) in enumerate(each()):
            yield f"{each.__name__} {number}: {name}", content


def main() -> int:
    """Store digests, or compare with those that were stored and fail where one is another."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--store", metavar="FILE", type=lambda name: Path(name).resolve())
    what.add_argument("--compare", metavar="FILE", type=lambda name: Path(name).resolve())
    what.add_argument("--show", metavar="TEXT")
    given = parser.parse_args()
    if given.show is not None:
        for name, content in lines():
            if given.show in name:
                print(name, content.decode(errors="backslashreplace"), sep="\n")
        return 0
    digests = {name: sha256(content).hexdigest() for name, content in lines()}
    if given.store:
        given.store.write_bytes(orjson.dumps(digests))
    before = orjson.loads((given.compare or given.store).read_bytes())
    other = [n for n in {**before, **digests} if before.get(n) != digests.get(n)]
    print("\n".join(other))
    print(f"{len(digests)} lines, {len(other)} of them other than before")
    return int(bool(other))


if __name__ == "__main__":
    sys.exit(main())
