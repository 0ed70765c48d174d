"""Check what perturb writes against the contract, read anew: nothing of the engine is used here.

    python fuzz/contract.py --cases 1000000       for hours, or minutes

Texts in many languages and hostile ones go through random steps; plain Python then checks of each
record: edits give the text and the original back, in order and apart; nothing protected is touched;
no cluster is split; no lone surrogate is written; the status is true; p = 0 is the identity; the
order of a list does not matter; alone is as in a list; verify agrees.

Prints the counts by claim as JSON, and fails at the first claim that does not hold.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter

import regex

import perturb

CLUSTER = regex.compile(r"\X")
WORDS = """
The quick brown fox jumps over 12 lazy dogs; isn't it? https://example.com/a?b=1 me@x.org {name}
`code` Der Zug fährt um 9 Uhr ab. Сколько стоят пять яблок? كم عدد التفاح؟ 今天天气怎么样
いくらですか 오늘 날씨 ราคาเท่าไร naïve café é 🙂👍🏽👨\u200d👩\u200d👧 \u200b\u202e ﷽ ǆ ß ı İ
A. B) (c) [2] 1,000.50 3½ $x^2$ <b> %s #tag @you ... !!!
""".split()
HOSTILE = [
    "",
    " ",
    "\n",
    "\r\n",
    "\ud800",
    "\x00",
    "a" * 50,
    "\u0301" * 20,
    "(" * 30,
    "\u200d",
    "0" * 25,
]
PROTECT = [None, None, None, "number", "url", "word:the", ["email", "code"], "regex:[a-c]+"]


def text_of(dice: random.Random) -> str:
    """Return a text of words, or a hostile one."""
    if dice.random() < 0.05:
        return dice.choice(HOSTILE) + dice.choice(HOSTILE)
    words = [dice.choice(WORDS) for _ in range(dice.randrange(1, 30))]
    text = dice.choice([" ", " ", " ", "\n", "", "  "]).join(words)
    return text + (dice.choice(HOSTILE) if dice.random() < 0.05 else "")


def surrogates(text: str) -> int:
    """Return the number of lone surrogates in a text."""
    return sum(0xD800 <= ord(character) < 0xE000 for character in text)


def check_record(record: perturb.Record, p: float, protect: object, claims: Counter[str]) -> None:
    """Check one record; count each claim that was checked."""
    original, text, edits = record.original, record.text, record.edits
    out, at, back, shift = [], 0, [], 0
    for start, end, new in edits:
        assert at <= start <= end <= len(original), "edits are sorted and apart"
        assert original[start:end] != new, "an edit changes something"
        assert not surrogates(new) or surrogates(original), "no surrogate is made"
        out += [original[at:start], new]
        back.append((start + shift, start + shift + len(new), original[start:end]))
        shift += len(new) - (end - start)
        at = end
    assert "".join([*out, original[at:]]) == text, "edits give the text"
    rest, at = [], 0
    for start, end, old in back:
        rest += [text[at:start], old]
        at = end
    assert "".join([*rest, text[at:]]) == original, "edits give the original back"
    assert record.restore() == original, "restore gives the original"
    assert (record.status == "changed") == (text != original), "the status is true"
    assert bool(record.reason) == (record.status == "unchanged"), "a reason where nothing changed"
    claims["edits"] += len(edits)
    claims["rebuild, restore, order, status"] += 1
    if protect is None and len(record.steps) == 1:
        (step,) = record.steps
        assert step.edits <= step.sites, "edits are at sites"
        claims["edits at sites"] += 1
    if p == 0:
        assert not edits, "p = 0 changes nothing"
        claims["p is 0"] += 1
    if edits:
        edges = {0, len(original)} | {match.end() for match in CLUSTER.finditer(original)}
        for start, end, _ in edits:
            assert start in edges, "no cluster is split"
            assert end in edges, "no cluster is split"
        claims["whole clusters"] += 1


def check_protection(record: perturb.Record, protect: object, claims: Counter[str]) -> None:
    """Check that edits touch nothing that a simple rule protects."""
    rules = {"word:the": r"(?<!\w)the(?!\w)", "regex:[a-c]+": "[a-c]+"}
    if not isinstance(protect, str) or protect not in rules:
        return
    spans = [match.span() for match in regex.finditer(rules[protect], record.original)]
    for start, end, _ in record.edits:
        for first, last in spans:
            inside = first < start < last if start == end else start < last and first < end
            assert not inside, "nothing protected is touched"
    claims["protected spans"] += len(spans)


def key(record: perturb.Record) -> tuple[object, ...]:
    """Return what two records of one text must share."""
    return record.text, tuple(record.edits), record.status, record.reason


def group(dice: random.Random, names: list[str], size: int, claims: Counter[str]) -> None:
    """Perturb some texts in one way and check every record."""
    name, p = dice.choice(names), dice.choice([0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 1.0])
    steps = [name] if dice.random() < 0.8 else [name, dice.choice(names)]
    texts = [text_of(dice) for _ in range(size)]
    seed, protect = dice.randrange(-(1 << 63), 1 << 63), dice.choice(PROTECT)
    options = {"seed": seed, "protect": protect}
    made = perturb.apply(texts, steps, p=p, **options)
    for record in made:
        check_record(record, p, protect, claims)
        check_protection(record, protect, claims)
    if dice.random() < 0.1:
        order = list(range(size))
        dice.shuffle(order)
        again = perturb.apply([texts[n] for n in order], steps, p=p, **options)
        assert [key(made[n]) for n in order] == list(map(key, again)), "order does not matter"
        claims["shuffled"] += size
    if dice.random() < 0.02:
        alone = perturb.apply(texts[0], steps, p=p, **options)
        assert key(alone) == key(made[0]), "alone as in a list"
        claims["alone"] += 1
        assert all(map(perturb.verify, made)), "verify agrees"
        claims["verify"] += size


def main() -> int:
    """Print the counts; fail at the first claim that does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=20_000, help="texts to perturb")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no group after")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", help="write the counts to this file")
    args = parser.parse_args()
    names, size = perturb.names(), 64
    claims: Counter[str] = Counter()
    end, cases, failures = time.monotonic() + args.seconds, 0, []
    while cases < args.cases and time.monotonic() < end and len(failures) < 20:
        where = f"{args.seed}/{cases}"
        try:
            group(random.Random(where), names, size, claims)
        except Exception as error:
            failures.append(f"{where}: {type(error).__name__}: {error}")
        cases += size
    done = {"cases": cases, "claims": dict(sorted(claims.items())), "failures": len(failures)}
    print(json.dumps(done, indent=2))
    print("\n".join(failures), file=sys.stderr)
    if args.store:
        with open(args.store, "w", encoding="utf-8") as file:  # noqa: PTH123
            json.dump(done, file, indent=2)
            file.write("\n")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
