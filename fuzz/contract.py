"""Check what perturb writes against the contract, read anew: nothing of the engine is used here.

    python fuzz/contract.py --cases 1000000       for hours, or minutes

Texts in many languages and hostile ones go through random steps; plain Python then checks of each
record: edits give the text and the original back, in order and apart; nothing protected is touched,
and nothing outside of `only`; no cluster is split; no lone surrogate is written; the status is
true; p = 0 is the identity; edits at a smaller p are among those at a larger one; the order of a
list does not matter; alone is as in a list; steps in a row are the steps one by one; spans stay in
range; JSON stays JSON; verify agrees; and the command line writes what Python gives, with random
options and formats.

Prints the counts by claim as JSON, and the cases in which a claim does not hold; it ends at the
twentieth of these.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from typing import Any

import regex
import store
from commands import Group, check_command

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
PROTECT += ["word:fox,over", 'word:"fox, over",dogs']


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
    for start, end, new, removed in edits:
        assert at <= start <= end <= len(original), "edits are sorted and apart"
        assert original[start:end] == removed != new, "an edit changes something, and says what"
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
    assert perturb.restored(record.to_dict())["text"] == original, "its row gives it too"
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
        for start, end, *_ in edits:
            assert start in edges, "no cluster is split"
            assert end in edges, "no cluster is split"
        claims["whole clusters"] += 1


def check_protection(record: perturb.Record, protect: object, claims: Counter[str]) -> None:
    """Check that edits touch nothing that a simple rule protects."""
    rules = {"word:the": r"(?<!\w)the(?!\w)", "regex:[a-c]+": "[a-c]+"}
    rules["word:fox,over"] = r"(?<!\w)(?:fox|over)(?!\w)"
    rules['word:"fox, over",dogs'] = r"(?<!\w)(?:fox, over|dogs)(?!\w)"
    if not isinstance(protect, str) or protect not in rules:
        return
    spans = [match.span() for match in regex.finditer(rules[protect], record.original)]
    for start, end, *_ in record.edits:
        for first, last in spans:
            inside = first < start < last if start == end else start < last and first < end
            assert not inside, "nothing protected is touched"
    claims["protected spans"] += len(spans)


def key(record: perturb.Record) -> tuple[object, ...]:
    """Return what two records of one text must share."""
    return record.text, tuple(record.edits), record.status, record.check, record.expect


def check_order(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check that a list may have any order."""
    order = list(range(len(group.texts)))
    dice.shuffle(order)
    texts = [group.texts[n] for n in order]
    again = perturb.apply(texts, group.steps, p=group.p, **group.options)
    assert [key(group.made[n]) for n in order] == list(map(key, again)), "order does not matter"
    claims["shuffled"] += len(order)


def check_alone(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check that a text alone gives what it gives in a list, and that verify agrees."""
    n = dice.randrange(len(group.texts))
    alone = perturb.apply(group.texts[n], group.steps, p=group.p, **group.options)
    assert key(alone) == key(group.made[n]), "alone as in a list"
    assert all(map(perturb.verify, group.made)), "verify agrees"
    claims["alone"] += 1
    claims["verify"] += len(group.texts)


def check_nested(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check that the edits at a smaller p are among those at this one."""
    less = dice.random() * group.p
    fewer = perturb.apply(group.texts, group.steps, p=less, **group.options)
    if len(group.steps) == 1:
        for one, more in zip(fewer, group.made, strict=True):
            if more.status != "cancelled out":  # its edits are not listed
                assert set(one.edits) <= set(more.edits), f"nested in p, from {less}"
                claims["nested in p"] += 1


def check_only(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check that edits stay within what `only` opens."""
    pattern = dice.choice(["[a-z ]+", r"\S+", "[0-9]+", "Th|q|ей"])
    steps, p = group.steps[:1], group.p
    for record in perturb.apply(group.texts, steps, p=p, only=f"regex:{pattern}"):
        spans = [match.span() for match in regex.finditer(pattern, record.original)]
        for start, end, *_ in record.edits:
            assert any(a <= start and end <= b for a, b in spans), "nothing outside of only"
        claims["edits within only"] += len(record.edits)


def check_one_by_one(group: Group, _: random.Random, claims: Counter[str]) -> None:
    """Check that steps in a row give what they give one by one, where their names differ."""
    if len(group.steps) < 2 or len({spec.partition(":")[0] for spec in group.steps}) < 2:
        return
    first, second = group.steps
    seed, ids = group.options["seed"], list(range(len(group.texts)))
    options: dict[str, Any] = {"p": group.p, "seed": seed, "id": ids}
    between = [record.text for record in perturb.apply(group.texts, first, **options)]
    after = perturb.apply(between, second, **options)
    both = perturb.apply(group.texts, group.steps, **options)
    assert [one.text for one in after] == [one.text for one in both], "steps one by one"
    claims["steps one by one"] += len(ids)


def check_spans(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check that spans stay in range and that what no edit touches is carried along whole."""
    text = max(group.texts, key=len)
    ends = [sorted(dice.choices(range(len(text) + 1), k=2)) for _ in range(8)]
    record = perturb.apply(text, group.steps, p=group.p, spans=ends, **group.options)
    assert record.spans is not None
    for (start, end), moved in zip(ends, record.spans, strict=True):
        assert moved is not None, "no span is dropped"
        assert 0 <= moved[0] <= moved[1] <= len(record.text), "spans are in range"
        if len(group.steps) == 1:
            assert moved == record.project(start, end), "spans are carried as project says"
        if all(e.end <= start or e.start >= end for e in record.edits):
            assert record.text[slice(*moved)] == text[start:end], "what is free of edits is whole"
        claims["spans"] += 1


def check_json(group: Group, dice: random.Random, claims: Counter[str]) -> None:
    """Check that a text that is JSON stays JSON of the same form where only its values are open."""
    values = [{f"k{n}": [text, n, None, {"x y": text[::2]}]} for n, text in enumerate(group.texts)]
    made = [json.dumps(value, ensure_ascii=dice.random() < 0.5) for value in values]
    for before, record in zip(
        values, perturb.apply(made, group.steps[:1], p=group.p, only="json"), strict=True
    ):
        after = json.loads(record.text)
        assert form(after) == form(before), "JSON keeps its form"
        claims["JSON stays JSON"] += 1


def form(value: object) -> object:
    """Return a JSON value with its texts made empty."""
    if isinstance(value, dict):
        return {name: form(one) for name, one in value.items()}
    if isinstance(value, list):
        return list(map(form, value))
    return "" if isinstance(value, str) else value


# Each with the share of the groups on which it is tried.
CHECKS = [
    (0.1, check_order),
    (0.02, check_alone),
    (0.1, check_nested),
    (0.05, check_only),
    (0.3, check_one_by_one),
    (0.1, check_spans),
    (0.05, check_json),
    (0.04, check_command),
]


def group(dice: random.Random, specs: list[str], size: int, claims: Counter[str]) -> None:
    """Perturb some texts in one way and check every record."""
    spec, p = dice.choice(specs), dice.choice([0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 1.0])
    steps = [spec] if dice.random() < 0.8 else [spec, dice.choice(specs)]
    texts = [text_of(dice) for _ in range(size)]
    seed, protect = dice.randrange(-(1 << 63), 1 << 63), dice.choice(PROTECT)
    options: dict[str, Any] = {"seed": seed, "protect": protect}
    made = perturb.apply(texts, steps, p=p, **options)
    for record in made:
        check_record(record, p, protect, claims)
        check_protection(record, protect, claims)
    for share, check in CHECKS:
        if dice.random() < share:
            check(Group(texts, steps, p, options, made), dice, claims)


def ways() -> list[str]:
    """Return all perturbators, plain and with each value of each switch among their parameters."""
    made = []
    for name in perturb.names():
        made.append(name)
        for key, value in perturb.describe(name)["parameters"].items():
            if isinstance(value, bool):
                made.append(f"{name}:{key}={str(not value).lower()}")
    return made


def main() -> int:
    """Print the counts, and the cases in which a claim does not hold; fail if there are any."""
    args = store.parser(str(__doc__), 20_000).parse_args()
    specs, size = ways(), 64
    claims: Counter[str] = Counter()
    end, cases, failures = time.monotonic() + args.seconds, 0, []
    while cases < args.cases and time.monotonic() < end and len(failures) < 20:
        where = f"{args.seed}/{cases}"
        try:
            group(random.Random(where), specs, size, claims)
        except Exception as error:
            failures.append(f"{where}: {type(error).__name__}: {error}")
        cases += size
    done = {"cases": cases, "claims": dict(sorted(claims.items())), "failures": len(failures)}
    print(json.dumps(done, indent=2))
    return store.ended(args, "contract", cases, claims, failures)


if __name__ == "__main__":
    sys.exit(main())
