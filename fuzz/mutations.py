"""Change an output, its manifest or its input at random, and see that `perturb verify` finds it.

    python fuzz/mutations.py --cases 10000

Prints the counts by what was changed, as JSON, and fails if one change is not found. A change is
uncaught if the bytes of the output or the input, or the JSON value of the manifest, are different
and verify, which is given the input, passes all the same.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import store

from perturb.errors import PerturbError
from perturb.plan.job import job_of
from perturb.stream.perturb_file import perturb_file
from perturb.stream.verify_file import verify_file

ROWS = [
    {"id": n, "question": text, "answer": n * 7, "tags": ["a", {"b": None}], "rate": 0.5}
    for n, text in enumerate(
        [
            "How many eggs does Ann sell if she has 12 and eats 3 of them?",
            "Der Zug fährt um 9 Uhr ab. Wann kommt er in Köln an?",
            "Сколько стоят пять яблок по три рубля?",
            "Which of them is blue? A. sky B. sea C. coal",
            "",
            "One line\nand another, with a naïve café 🙂.",
        ]
    )
]
FORMS = {
    "plain": (["typo_mix:p=0.2"], {}),
    "lean": (["char_swap:p=0.2"], {"lean": True}),
    "fields": (["name_swap:p=1", "ocr:p=0.1"], {"field": ["question", "tags[0]"]}),
    "answers": (["char_delete:p=0.1"], {"target": "answer", "with_original": True}),
    "grid": ("grid(a=ocr:p=0.2 | b=case:p=0.5)", {"expect": {"a": "other"}}),
    "replicates": (["keyboard_typos:p=0.1"], {"replicates": 3, "with_original": True}),
    "chosen": (["one_of(typo_mix:p=0.1 | case:p=0.5)"], {"seed": -5, "protect": ["number"]}),
    "steps": (["char_delete:p=0.1", "whitespace:p=0.2"], {"seed": 1 << 40}),
}


def changed_bytes(data: bytes, random: random.Random) -> bytes:
    """Return bytes with one of them, or a piece, changed, lost or doubled."""
    at = random.randrange(len(data))
    end = min(len(data), at + random.choice([1, 1, 1, 8, 64]))
    how = random.randrange(4)
    if how == 0:
        return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
    if how == 1:
        return data[:at] + data[end:]
    if how == 2:
        return data[:end] + data[at:]
    return data[:at] + bytes([random.randrange(32, 127)]) + data[at + 1 :]


def changed_lines(data: bytes, random: random.Random) -> bytes:
    """Return lines with one of them lost, doubled or moved, or a value in it changed."""
    lines = data.splitlines(keepends=True)
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    how = random.randrange(5)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(other, lines[at])
    elif how == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        row = json.loads(lines[at])
        change_value(row, random)
        lines[at] = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def change_value(here: dict | list, random: random.Random) -> None:
    """Change one value somewhere in a JSON object or list."""
    keys = list(here) if isinstance(here, dict) else list(range(len(here)))
    if not keys:
        here.update(x=1) if isinstance(here, dict) else here.append(1)
        return
    key = random.choice(keys)
    value = here[key]
    if isinstance(value, (dict, list)) and random.random() < 0.8:
        change_value(value, random)
    elif isinstance(value, str) and value and random.random() < 0.7:
        at = random.randrange(len(value))
        here[key] = value[:at] + random.choice(["", "0", "x", value[at] * 2]) + value[at + 1 :]
    elif isinstance(value, (int, float)) and random.random() < 0.7:
        here[key] = random.choice([value + 1, -value, value * 10, not value, float(value)])
    elif random.random() < 0.5:
        del here[key]
    else:
        here[key] = random.choice([None, "", 0, [], {}, True, value, "x"])


def changed_manifest(data: bytes, random: random.Random) -> bytes:
    """Return a manifest with one value changed."""
    said = json.loads(data)
    change_value(said, random)
    return json.dumps(said, indent=2).encode() + b"\n"


def same(part: str, before: bytes, after: bytes) -> bool:
    """Return whether a change changed nothing: types count, spaces in a manifest don't."""
    if before == after:
        return True
    if part != "manifest":
        return False
    try:
        return json.dumps(json.loads(before), sort_keys=True) == json.dumps(
            json.loads(after), sort_keys=True
        )
    except (ValueError, RecursionError):
        return False


def run(
    cases: int, seed: int, folder: Path, seconds: float = float("inf")
) -> tuple[Counter[str], list[str]]:
    """Make changes; return how many of each sort were found, and the descriptions of the others."""
    source, target = folder / "in.jsonl", folder / "out.jsonl"
    manifest = folder / "out.jsonl.manifest.json"
    source.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    files = {"output": target, "manifest": manifest, "input": source}
    originals = {}
    for form, (steps, options) in FORMS.items():
        perturb_file(str(source), str(target), job_of(steps, **{"field": "question", **options}))
        verify_file(str(target), source=str(source))
        originals[form] = {part: path.read_bytes() for part, path in files.items()}
    counts: Counter[str] = Counter()
    missed = []
    end = time.monotonic() + seconds
    for case in range(cases):
        if time.monotonic() > end:
            break
        dice = random.Random(f"{seed}/{case}")
        form, part = dice.choice(list(FORMS)), dice.choice(list(files))
        ways = [changed_bytes, changed_manifest if part == "manifest" else changed_lines]
        before = originals[form][part]
        after = dice.choice(ways)(before, dice)
        if same(part, before, after):
            counts["without effect"] += 1
            continue
        for other, path in files.items():
            path.write_bytes(after if other == part else originals[form][other])
        try:
            verify_file(str(target), source=str(source))
        except PerturbError:
            counts[part] += 1
        except Exception as error:
            missed.append(f"{seed}/{case}: {form}, {part}: {type(error).__name__}: {error}")
        else:
            missed.append(f"{seed}/{case}: {form}, {part}: passes")
    return counts, missed


def main() -> int:
    """Print the counts; fail if a change was not found."""
    args = store.parser(str(__doc__), 10_000).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, missed = run(args.cases, args.seed, Path(folder), args.seconds)
    print(
        json.dumps({"cases": sum(counts.values()), "found": dict(counts), "not found": len(missed)})
    )
    for one in missed:
        print(one, file=sys.stderr)
    if args.store and not missed:
        store.add(args.store, "mutations", args.seed, sum(counts.values()), counts)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
