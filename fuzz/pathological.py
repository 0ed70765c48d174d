"""Look for what takes more than linear time: each perturbator and preset on hostile texts.

    python fuzz/pathological.py --size 1000000

Each text is tried in a size and in an eighth of it. What takes, by the clock of the processor,
more than three times as long for each character of the larger is not linear; it is tried again
before it is told. Prints the counts and the slowest as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter

import store

import perturb

# Pieces that are repeated until the text is long enough.
PIECES = {
    "one letter": "a",
    "spaces": " ",
    "combining marks": "\u0301",
    "marked letters": "e\u0301",
    "punctuation": "!",
    "stops": ".",
    "digits": "1",
    "newlines": "\n",
    "open brackets": "(",
    "nested brackets": "([{<",
    "quotes": '"',
    "apostrophes": "a'",
    "at signs": "@",
    "addresses": "a.b@",
    "slashes": "a/",
    "hosts": "a.a.",
    "CJK": "今天",
    "emoji": "👩\u200d",
    "flags": "🇩",
    "one word": "word",
    "no sentence end": "some words ",
    "hyphens": "a-",
    "backticks": "`",
    "dollars": "$",
    "options": "A. ",
    "labels": "\nA)",
    "questions": "Q: a\n\n",
    "times": "1:1 ",
    "numbers": "1,000",
    "capitals": "A ",
}
PRESETS = ["url", "email", "number", "placeholder", "code", "latex", "html", "mention"]
PRESETS += ["option_label", "chat_token", "negation"]
SHORTER, LEAST, MOST = 8, 0.3, 3.0


def seconds(text: str, spec: str, protect: str | None) -> float:
    """Return the CPU time that a text takes."""
    began = time.process_time()
    perturb.apply(text, spec, p=0.5, protect=protect)
    return time.process_time() - began


def growth(piece: str, size: int, spec: str, protect: str | None) -> tuple[float, float]:
    """Return the time of the large text, and how much longer a character takes in it."""
    small, large = ((piece * size)[:n] for n in (size // SHORTER, size))
    perturb.apply(small[:100], spec, p=0.5, protect=protect)  # reads its tables
    took = seconds(large, spec, protect)
    if took < LEAST:
        return took, 1.0
    before = min(seconds(small, spec, protect) for _ in range(2))
    return took, took / (SHORTER * max(before, 1e-3))


def main() -> int:
    """Print the counts; fail if something is not linear."""
    parser = store.parser(str(__doc__), 1 << 30)
    parser.add_argument("--size", type=int, default=250_000, help="characters of a text")
    args = parser.parse_args()
    ways: list[tuple[str, str | None]] = [(name, None) for name in perturb.names()]
    ways += [("identity", preset) for preset in PRESETS]
    cases = [(way, kind) for way in ways for kind in PIECES]
    random.Random(args.seed).shuffle(cases)
    end, counts, slow = time.monotonic() + args.seconds, Counter[str](), []
    worst: list[tuple[float, str]] = []
    for (spec, protect), kind in cases[: args.cases]:
        if time.monotonic() > end:
            break
        name = f"{protect or spec} on {kind}"
        took, ratio = growth(PIECES[kind], args.size, spec, protect)
        if ratio > MOST:
            took, ratio = growth(PIECES[kind], args.size, spec, protect)
        counts["linear" if ratio <= MOST else "not linear"] += 1
        if ratio > MOST:
            slow.append(f"{name}: {took:.1f} s, {ratio:.1f} times as long for each character")
        worst = sorted([*worst, (round(took, 2), name)], reverse=True)[:8]
    print(json.dumps({"size": args.size, "counts": counts, "slowest": worst}, indent=2))
    return store.ended(args, "pathological", counts.total(), counts, slow)


if __name__ == "__main__":
    sys.exit(main())
