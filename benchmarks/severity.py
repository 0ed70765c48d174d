"""Measure which `p` gives each severity, and write the table; or check the table on other text.

    python benchmarks/severity.py [STEP ...]                     write the table, or those rows
    python benchmarks/severity.py --data FILE.jsonl [--field F]  check it

The rate is rapidfuzz's Levenshtein distance over the length, in code points or in words (runs of
letters and digits, and emoji), both summed over the typical texts: of the shipped questions that a
perturbator changes at p = 1, ordered by the rate there, the middle third. They are English prose;
where it changes fewer than `FEW` of these, the questions in other languages and about code and
formats are taken as well.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import regex
from common import EXAMPLES, options, rows_of, write_result, write_table
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.registry.definition import WHOLE
from perturb.registry.registry import aliases
from perturb.registry.severity import RATES
from perturb.resources import parse

TABLE = EXAMPLES.parents[1] / "wordlists/english/severities.tsv"
DATA = Path(__file__).with_name("data")
SOURCES = (EXAMPLES, DATA / "risk_texts.jsonl", DATA / "spelling_texts.jsonl")
PROSE = ("arithmetic", "science", "geography", "multiple choice", "search", "spelling")
FEW = 20
CHARACTERS = 2_000_000  # so many, or a few more, are perturbed for each rate
WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|\p{So}")
LATIN = (
    "be br ca ch colemak cz de dk dvorak ee es fi fr gb "
    "hr hu is it lt lv nl no pl pt ro se si sk tr us"
).split()
VARIANTS = (
    *(f"case:style={style}" for style in ("lower", "upper", "title")),
    *(f"whitespace:mode={mode}" for mode in ("add", "remove", "double")),
    *(f"keyboard_typos:layout={layout}" for layout in LATIN),
    *(f"filler:kind={kind}" for kind in ("any", "marker", "hedge", "repair")),
    *("filler:where=word", "filler:kind=any,where=word", "homophone:profile=all"),
    *(f"leetspeak:level={level}" for level in (2, 3)),
    *("char_repeat:mode=collapse", "homoglyph:mode=single_script", "misspelling:rules=false"),
    *("punctuation:mode=add", "truncate:where=start", "truncate:unit=character"),
    *("typo_mix:layout=us", "word_insert:words=common"),
    *(f"{name}:profile=all" for name in ("synonym", "antonym", "hypernym")),
    *(f"spelling_variant:direction={to}" for to in ("us_to_gb", "gb_to_us")),
    "contraction:direction=contract",
)
HEADER = """\
# What: the p at which a perturbator reaches the error rate of each severity
# Source: own measurements on examples/questions.jsonl and texts in benchmarks/data
# Licence: MIT (LICENSE)
# Made by: ../benchmarks/severity.py
# Columns: perturbator; its parameters that are not the defaults; what the rate counts (characters
#   or words); p of each severity from 1 to 5, or -; the share of the texts that it changes at
#   p = 1, and of these texts the rate there: that which one in ten is below, that of the typical
#   ones, and that which one in ten is above
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


def scale_of(spec):
    """What shows: words where words, their order or words of a table are changed, or characters."""
    step = perturb.Pipeline.of(spec, p=1.0).steps[0]
    noise = step.perturbator
    words = not noise.touches.isdisjoint(("words", "order")) or noise.languages == ("en",)
    return "word" if words and step.parameters.get("unit") != "character" else "character"


def units(text, scale):
    return WORD.findall(text) if scale == "word" else text


def errors(texts, spec, times=1, **strength):
    """The errors in each of some texts, which are repeated so many times, and their lengths."""
    scale = scale_of(spec)
    ids = list(range(times * len(texts)))
    records = perturb.apply(texts * times, spec, id=ids, **strength)
    before = [units(text, scale) for text in texts] * times
    after = (units(record.text, scale) for record in records)
    return np.array([*map(Levenshtein.distance, before, after)]), np.array([*map(len, before)])


def typical(texts, spec, others=()):
    """The rates at p = 1, and of the texts that a step changes, by rate, the middle third.

    Where it changes too few of them, the others are taken as well.
    """
    wrong, lengths = errors(texts, spec, p=1.0)
    each = wrong / np.maximum(1, lengths)
    if others and np.sum(each > 0) < FEW:
        return typical(texts + others, spec)
    order = np.argsort(each, kind="stable")[np.sum(each == 0) :]
    third = len(order) // 3
    return each, [texts[at] for at in order[third : len(order) - third]]


def rate(texts, spec, seed=1, **strength):
    """The error rate over `texts`, which are repeated to so many characters."""
    times = -(-CHARACTERS // sum(map(len, texts)))
    wrong, lengths = errors(texts, spec, times, seed=seed, **strength)
    return float(wrong.sum() / lengths.sum())


def share(texts, spec, target, p):
    """The p that gives a rate, to three digits; it is looked for below 1 from `p` on."""
    for _ in range(30):
        got = rate(texts, spec, p=p)
        if abs(got / target - 1) < 0.003:
            break
        p = min(p * target / got, 1.0)
    # What differs by no more than the draws do is the rate itself.
    return target if abs(p / target - 1) < 0.006 else float(f"{p:.3g}")


def row(prose, others, spec):
    """The fields of a row of the table."""
    each, chosen = typical(prose, spec, others)
    most = rate(chosen, spec, p=1.0) if chosen else 0.0
    shares, slope = [], 1.0
    for target in RATES.values():
        if target <= most:
            p = share(chosen, spec, target, min(target * slope, 1.0))
            slope = p / target
            shares.append(f"{p:g}")
        else:
            shares.append("-")
    low, high = np.quantile(each[each > 0], [0.1, 0.9]) if chosen else (0.0, 0.0)
    step = perturb.Pipeline.of(spec, p=1.0).steps[0]
    name, parameters = step.perturbator.name, str(step).partition(":p=1.0")[2].lstrip(",")
    spread = [f"{share:.3g}" for share in (np.mean(each > 0), low, most, high)]
    print(spec[:40].ljust(40), scale_of(spec).ljust(10), *shares, *spread, flush=True)
    return [name, parameters, scale_of(spec), *shares, *spread]


def write_table_of(steps):
    """Measure and write all rows, or those of some steps."""
    rows = [entry for path in SOURCES for entry in rows_of(path)]
    prose = [entry["question"] for entry in rows if entry["topic"] in PROSE]
    others = [entry["question"] for entry in rows if entry["topic"] not in PROSE]
    table = {tuple(fields[:2]): fields for fields in parse(TABLE)} if steps else {}
    wanted = [spec for spec in specs() if spec in steps or not steps]  # none acts on whole texts
    with ProcessPoolExecutor() as pool:
        measured = pool.map(partial(row, prose, others), wanted)
        table |= {tuple(fields[:2]): fields for fields in measured}
    write_table(TABLE, HEADER, table.values())


def deviations(texts, spec):
    """How far each severity that there is lies from its target, as a share of it."""
    cells, (_, texts) = [], typical(texts, spec)
    for severity, target in RATES.items() if texts else ():
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
        off = {spec: shares for spec, shares in zip(specs(), measured, strict=True) if shares}
    every = np.abs([by for name in perturb.names() for by in off.get(name, [])])
    print(
        f"as they come, off by {np.median(every):.1%} of the target in the median, "
        f"{np.quantile(every, 0.9):.1%} in one of ten, {every.max():.1%} at most"
    )
    result = {"texts": len(texts), "source": source, "targets": RATES, "deviation": off}
    quantiles = {"median": 0.5, "one_in_ten": 0.9, "most": 1}
    result |= {key: round(float(np.quantile(every, at)), 4) for key, at in quantiles.items()}
    write_result("severity", result)


def main():
    parser = options(__doc__, "data", "field")
    parser.add_argument("steps", nargs="*", metavar="STEP", help="measure these; others stay")
    args = parser.parse_args()
    if args.data is None:
        write_table_of(args.steps)
    else:
        check([entry[args.field] for entry in rows_of(args.data)], Path(args.data).name)


if __name__ == "__main__":
    main()
