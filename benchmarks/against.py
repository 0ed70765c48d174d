"""What a change costs or gains: this checkout and another revision of it, in turns, in one run.

Run it as `python benchmarks/against.py REVISION [--numpy] [--names NAME ...]`, and on other text
with `--data FILE.jsonl --field NAME`.
"""

import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from common import CORPUS, ENVIRONMENT, FOLDER, Run, Side, applied, measured, options, size_of

ROOT = FOLDER.parent
FILE, START = "perturb apply", "perturb apply on one row"
NAMES = "keyboard_typos", "char_swap", "typo_mix", "ocr", "misspelling", "synonym", FILE, START


def main():
    parser = options(__doc__, *CORPUS, rounds=9)
    parser.add_argument("revision", help="as git names it")
    parser.add_argument("--numpy", action="store_true", help="both without the kernels")
    parser.add_argument(
        "--names", nargs="+", default=NAMES, help=f"perturbators, {FILE!r}, {START!r}"
    )
    run = Run(parser)
    args = run.args
    ENVIRONMENT["PERTURB_NATIVE"] = "0" if args.numpy else "1"
    with run.corpus() as (data, texts), checkout(args.revision) as other:
        roots = other, ROOT
        sides = [Side("revision", data, args.field, root=root) for root in roots]
        one_row = data.with_name("row.jsonl")
        with data.open("rb") as lines:
            one_row.write_bytes(next(lines))
        rows = []
        for name in args.names:
            kind = "file" if name == FILE else "list"
            works = [partial(side.seconds, name, kind) for side in sides]
            if name == START:
                works = [partial(measured, applied(args.field, one_row), root=r) for r in roots]
            rows.append(compared(name, works, args.rounds))
            if name == FILE:
                then, now = (bytes_written(data, args.field, root) for root in roots)
                rows[-1]["bytes"] = round(now / then, 2)
        for side in sides:
            side.close()
    versions = {"against": git("rev-parse", "--short", args.revision)}
    run.write(
        "against_numpy" if args.numpy else "against", versions, bytes=size_of(texts), rows=rows
    )


@contextmanager
def checkout(revision):
    """A folder with another revision, its kernels compiled if it has any."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "other")
        git("worktree", "add", "--detach", path, revision)
        try:
            build = path / "perturb/engine/native/build.py"
            if build.exists():
                subprocess.run([sys.executable, build], check=True, capture_output=True)
            yield path
        finally:
            git("worktree", "remove", "--force", path)


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.strip()


def bytes_written(data, field, root):
    """The length of what a command writes."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "out.jsonl")
        measured(applied(field, data, "-o", target), root=root)
        return target.stat().st_size


def compared(name, sides, rounds):
    """The seconds of one kind of work in the other revision and in this one."""
    for side in sides:
        side()  # the first call reads tables
    taken = [[side()[1] for side in sides] for _ in range(rounds)]
    before, now = map(min, zip(*taken, strict=True))
    return {"name": name, "before": before, "now": now, "gain": round(before / now, 2)}


if __name__ == "__main__":
    main()
