"""Measure which `p` gives each severity, and write the table; or check the table on other text.

    python benchmarks/severity.py [STEP ...]                     write the table, or those rows
    python benchmarks/severity.py --data FILE.jsonl [--field F]  check it

The rate is rapidfuzz's Levenshtein distance over the length, both summed over the texts: the
shipped questions on arithmetic, science and geography and those with options, which are English
prose. A perturbator whose rate at p = 1 is in one of these kinds of question more than `UNSTEADY`
times that in another has no severity: there the text decides, and not p.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from common import EXAMPLES, write_result
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.registry.registry import WHOLE, aliases
from perturb.registry.severity import RATES
from perturb.resources import parse

TABLE = EXAMPLES.parents[1] / "wordlists/english/severities.tsv"
KINDS = ("arithmetic", "science", "geography", "multiple choice")
UNSTEADY = 1.5
CHARACTERS = 2_000_000  # so many, or a few more, are perturbed for each rate
LATIN = (
    "be br ca ch colemak cz de dk dvorak ee es fi fr gb "
    "hr hu is it lt lv nl no pl pt ro se si sk tr us"
).split()
VARIANTS = (
    *(f"case:style={style}" for style in ("lower", "upper", "title")),
    *(f"whitespace:mode={mode}" for mode in ("add", "remove", "double")),
    *(f"keyboard_typos:layout={layout}" for layout in LATIN),
    *(f"filler:kind={kind}" for kind in ("hesitation", "marker", "hedge", "repair")),
    *(f"leetspeak:level={level}" for level in (2, 3)),
    *("char_repeat:mode=collapse", "homoglyph:mode=single_script", "misspelling:rules=false"),
    *("punctuation:mode=add", "truncate:where=start", "truncate:unit=character"),
    *("typo_mix:layout=us", "word_insert:words=common"),
)
HEADER = """\
# What: the p at which a perturbator reaches the character error rate of each severity
# Source: own measurements on examples/questions.jsonl
# Licence: MIT (LICENSE)
# Made by: ../benchmarks/severity.py
# Columns: perturbator; its parameters that are not the defaults; p of each severity from 1 to 5,
#   or -; the character error rate at p = 1 on the kind of question where it is lowest; and where
#   it is highest
"""


def specs():
    """What is measured: every perturbator, what the aliases stand for, and the variants."""
    ours = [
        n for n in perturb.names() if tuple(perturb.describe(n)["intensities"].values()) != WHOLE
    ]
    named = [
        alias for alias, (name, parameters) in aliases().items() if parameters and name in ours
    ]
    return [*ours, *named, *VARIANTS]


def rate(texts, spec, seed=1, **strength):
    """The character error rate over `texts`, which are repeated to so many characters."""
    times = -(-CHARACTERS // sum(map(len, texts)))
    ids = list(range(times * len(texts)))
    records = perturb.apply(texts * times, spec, seed=seed, id=ids, **strength)
    distance = sum(Levenshtein.distance(record.original, record.text) for record in records)
    return distance / times / sum(map(len, texts))


def share(texts, spec, wanted, p):
    """The p that gives a rate, to three digits; it is looked for below 1 from `p` on."""
    for _ in range(30):
        got = rate(texts, spec, p=p)
        if abs(got / wanted - 1) < 0.003:
            break
        p = min(p * wanted / got, 1.0)
    return float(f"{p:.3g}")


def row(kinds, spec):
    """The fields of a row of the table."""
    texts = [text for own in kinds.values() for text in own]
    ends = [rate(own, spec, p=1.0) for own in kinds.values()]
    most = rate(texts, spec, p=1.0)
    steady = max(ends) <= UNSTEADY * min(ends)
    shares, slope = [], 1.0
    for wanted in RATES.values():
        if steady and wanted <= most:
            p = share(texts, spec, wanted, min(wanted * slope, 1.0))
            slope = p / wanted
            shares.append(f"{p:g}")
        else:
            shares.append("-")
    step = perturb.Pipeline.of(spec, p=1.0).steps[0]
    name, written = step.perturbator.name, str(step).partition(":p=1.0")[2].lstrip(",")
    print(spec[:40].ljust(40), *shares, f"{min(ends):.3g} {max(ends):.3g}", flush=True)
    return [name, written, *shares, f"{min(ends):.3g}", f"{max(ends):.3g}"]


def write_table(wanted):
    """Measure and write all rows, or those of the steps that are wanted."""
    rows = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
    kinds = {kind: [one["question"] for one in rows if one["topic"] == kind] for kind in KINDS}
    kept = {tuple(fields[:2]): fields for fields in parse(TABLE)} if wanted else {}
    with ProcessPoolExecutor() as pool:
        measured = pool.map(partial(row, kinds), wanted or specs())
        kept |= {tuple(fields[:2]): fields for fields in measured}
    lines = ["\t".join(kept[key]) + "\n" for key in sorted(kept)]
    TABLE.write_text(HEADER + "\n" + "".join(lines), "utf-8", newline="\n")
    print(f"written to {TABLE.name}; now: python wordlists/build/hashes.py wordlists")


def deviations(texts, spec):
    """How far each severity that there is lies from its target, as a share of it."""
    cells = []
    for severity, target in RATES.items():
        try:
            got = rate(texts, spec, severity=severity)
        except perturb.UsageError:
            break
        cells.append((got, got / target - 1))
    if cells:
        shown = "".join(f"{got:.4f} {by:+7.1%}  " for got, by in cells)
        print(f"{spec[:35]:36}" + shown, flush=True)
    return [round(by, 4) for _, by in cells]


def check(texts, source):
    """Print target, measured rate and deviation of every severity on other texts."""
    print(f"{'step':36}" + "".join(f"{target:<16g}" for target in RATES.values()))
    with ProcessPoolExecutor() as pool:
        measured = pool.map(partial(deviations, texts), specs())
        off = {spec: found for spec, found in zip(specs(), measured, strict=True) if found}
    every = np.abs([by for name in perturb.names() for by in off.get(name, [])])
    print(
        f"as they come, off by {np.median(every):.1%} of the target in the median, "
        f"{np.quantile(every, 0.9):.1%} in one of ten, {every.max():.1%} at most"
    )
    result = {"texts": len(texts), "source": source, "targets": RATES, "deviation": off}
    quantiles = {
        "median": np.median(every),
        "one_in_ten": np.quantile(every, 0.9),
        "most": every.max(),
    }
    write_result("severity", result | {key: round(float(q), 4) for key, q in quantiles.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("steps", nargs="*", metavar="STEP", help="measure these; others stay")
    parser.add_argument("--data", help="rows as JSON lines, to check the table on")
    parser.add_argument("--field", default="question", help="the field with the text")
    args = parser.parse_args()
    if args.data is None:
        return write_table(args.steps)
    lines = Path(args.data).read_text("utf-8").splitlines()
    return check([json.loads(line)[args.field] for line in lines], Path(args.data).name)


if __name__ == "__main__":
    sys.exit(main())
