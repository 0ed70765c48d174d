"""Write the figures of speed into README.md, docs/comparison.md and benchmarks/README.md.

Run it as `python scripts/readme_speed.py`.

They are those of the runs in `benchmarks/results`; nothing is measured here.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
from common import FOLDER, read_result, table
from setup_peers import PEERS

import perturb

Row = dict[str, Any]

ROOT = FOLDER.parent
FILES = ("README.md", "docs/comparison.md", "benchmarks/README.md")
# In the table: what is timed on a list of texts, on one text, and what is asked.
LIBRARIES = {
    "**perturb** `keyboard_typos`": ("apply(list) keyboard_typos", "apply(str) keyboard_typos"),
    "**perturb** `typo_mix`": ("apply(list) typo_mix", None),
    "glitchlings `Typogre` (Rust)": ("Typogre(list)", "Typogre(str)"),
    "textnoisr `CharNoiseAugmenter`": (
        "CharNoiseAugmenter, each of a list",
        "CharNoiseAugmenter(str)",
    ),
    "nlpaug `KeyboardAug`": ("KeyboardAug(list)", "KeyboardAug(str)"),
    "AugLy `SimulateTypos`": ("SimulateTypos(list)", "SimulateTypos(str)"),
    "langtest `AddTypo`": ("AddTypo(list)", "AddTypo(str)"),
    "langtest `AddOcrTypo`": ("AddOcrTypo(list)", None),
}
HEADS = (
    *("", "list, MB/s", "one text, us", "asked 5 %, made", "white space kept"),
    *("clusters whole", "same seed, again", "in any order"),
)


def timed(name: str) -> dict[str, Row]:
    """The rows that a benchmark wrote, by operation."""
    return {row["operation"]: row for row in read_result(name)["rows"]}


def speed(row: Row) -> float:
    """MB/s."""
    return float(row["bytes"] / row["best"] / 1e6)


def speeds(row: Row) -> str:
    """MB/s of the median round and of the best one."""
    return f"{figure(row['bytes'] / row['median'] / 1e6)} to {figure(speed(row))}"


def kept_of(kept: float, texts: int) -> str:
    """A share of so many texts, with Wilson's 95 % interval."""
    middle, reach = kept + 1.92 / texts, 1.96 * (kept * (1 - kept) / texts + 0.96 / texts**2) ** 0.5
    low, high = ((middle + sign * reach) / (1 + 3.84 / texts) for sign in (-1, 1))
    return f"{kept:.0%} ({100 * max(low, 0):.0f} to {high:.0%})"


def figure(value: float) -> str:
    """A number with two digits, or as a whole number where it has more."""
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def libraries() -> Iterator[Sequence[str]]:
    """What each library does, as rows of cells."""
    times, fidelity = timed("throughput"), timed("fidelity")
    for name, (many, single) in LIBRARIES.items():
        if many in times and many in fidelity:
            one, kept = times.get(single or ""), fidelity[many]
            yield (
                name,
                speeds(times[many]),
                f"{one['best'] * 1e6:,.0f}" if one else "",
                rate(kept),
                *(f"{kept[what]:.0%}" for what in ("white_space", "clusters")),
                *("yes" if kept[what] else "no" for what in ("processes", "order")),
            )


def rate(fidelity: Row) -> str:
    """Which rate came out, and which without what happened to spaces, where that is another."""
    whole, letters = f"{fidelity['measured']:.1%}", f"{fidelity['letters']:.1%}"
    if fidelity["measured"] - fidelity["letters"] > 0.005:
        whole += f", spaces aside {letters}"
    return whole if fidelity["asked"] else f"{whole}, none asked"


def goals() -> Iterator[Sequence[str]]:
    """What is claimed, the goal, what was measured and whether that is reached."""
    times = timed("throughput")
    ours, single = times["apply(list) keyboard_typos"], times["apply(str) keyboard_typos"]
    yield goal("`apply` on a list, MB/s", ">=", 120, speed(ours))
    for name, peer, least in (("nlpaug", "KeyboardAug", 120), ("glitchlings", "Typogre", 7)):
        share = speed(ours) / speed(times[f"{peer}(list)"])
        yield goal(f"times the speed of {name}", ">=", least, share)
    edits = times["apply(list), all edits read"]
    yield goal("its edits read too, us a text", "<=", 9, edits["best"] / edits["texts"] * 1e6)
    yield goal("`apply` on one text of 120 characters, us", "<=", 12, single["best"] * 1e6)
    yield from goals_of_files(read_result("files")["rows"])
    for step in ("synonym", "misspelling"):
        yield goal(f"`{step}` on a list, MB/s", ">=", 15, speed(times[f"apply(list) {step}"]))
    yield from goals_against_before()
    yield goal("`perturb apply` on one row, ms", "<=", 130, read_result("first_use")["command_ms"])
    uses = read_result("first_use")["uses_ms"]
    slowest = max(uses, key=lambda name: uses[name]["first"])
    yield goal("first use of the lexicon, ms", "<=", 50, uses["the lexicon"]["first"])
    yield goal(f"slowest first use (`{slowest}`), ms", "<=", 50, uses[slowest]["first"])
    dearest = next(
        row
        for row in read_result("perturbators")["rows"]
        if perturb.describe(row["name"])["languages"] == ["en"]
    )
    what = f"dearest step for English (`{dearest['name']}`), in `keyboard_typos`"
    yield goal(what, "<=", 6, dearest["ratio"])
    yield goal("`perturb run` adds, ms a row", "<=", 1, read_result("run_overhead")["added"]["cpu"])
    scored = read_result("score")
    few = scored["score 20000 x 4"]
    yield goal("`perturb score` of 100,000 rows, s of CPU", "<=", 5, few["seconds_of_cpu"])
    for name in ("score", "compare", "report"):
        peak = scored[f"{name} 100000 x 99"]["megabytes_at_peak"]
        yield goal(f"`perturb {name}` of ten million rows, MB at the peak", "<=", 2000, peak)
    few, many = (scored[f"score {size} x 1, against"] for size in (250_000, 1_000_000))
    more = (many["megabytes_at_peak"] - few["megabytes_at_peak"]) / 1.5
    yield goal("`perturb score --against original`, bytes for each further row", "<=", 200, more)
    page = scored["report 1000000 x 1"]["megabytes_of_page"]
    yield goal("the page of a million originals, MB", "<=", 20, page)


def goals_of_files(rows: Sequence[Row]) -> Iterator[Sequence[str]]:
    """Those for `perturb apply` on the largest file."""
    largest = max(row["megabytes"] for row in rows)
    ways = {row["way"]: row for row in rows if row["megabytes"] == largest}
    one, two, bare = ways["1 workers"], ways["2 workers"], ways["floor"]
    file = f"a file of {largest} MB"
    yield goal(f"`perturb apply` on {file}, MB/s a core", ">=", 30, one["bytes"] / one["cpu"] / 1e6)
    share = ways["through a pipe"]["cpu_speed"] / bare["cpu_speed"]
    yield goal("through a pipe, as a share of a bare orjson loop", ">=", 0.3, share)
    yield goal("with a manifest, whose hashes the loop has not", ">=", 0.3, 1 / bare["cpu_speed"])
    share = two["share_of_twice"]
    yield goal("two workers, as a share of two commands at once", ">=", 0.95, share)
    yield goal(f"peak memory for {file}, MB", "<=", 250, max(one["peak_mb"], two["peak_mb"]))


def goals_against_before() -> Iterator[Sequence[str]]:
    """Those in times the speed of the revision before the kernels, with them and without."""
    gains = {row["name"]: row["gain"] for row in read_result("against")["rows"]}
    for step in ("synonym", "ocr", "typo_mix", "char_swap"):
        yield goal(f"`{step}` on a list, in its old speed", ">=", 1.3, gains[step])
    start = "perturb apply on one row"
    yield goal("start of a command, in its old speed", ">=", 1.38, gains[start])
    for row in read_result("against_numpy")["rows"]:
        more = f" ({row['bytes']} times the bytes written)" if "bytes" in row else ""
        name = f"without the kernels `{row['name']}`, in its old speed{more}"
        yield goal(name, ">=", 1, row["gain"])


def goal(what: str, relation: str, bound: float, value: float) -> Sequence[str]:
    """A row of the table of goals."""
    reached = value >= bound if relation == ">=" else value <= bound
    digits = 2 if value < 1 else 1 if value < 10 else 0
    return what, f"{relation} {bound}", f"{value:.{digits}f}", "yes" if reached else "**no**"


def sides() -> str:
    """What the figures hold for, and the table of the libraries."""
    run = read_result("throughput")
    machine = run["machine"]
    facts = (
        f"{machine['cpu']}, {machine['cores']} cores, load {max(run['load'])}",
        f"Python {machine['python']}",
        ", ".join(f"{name} {run['versions'][name]}" for name in run["versions"] if name in PEERS),
    )
    return f"""\
CPU time of {run["rounds"]} rounds in turns, on one thread. MB/s are of the median round and of the
best, the time of one text is of the best. {"; ".join(facts)}.

{table(HEADS, libraries())}"""


def figures() -> str:
    """The three figures that matter most, beside those of the nearest libraries."""
    times, fidelity = timed("throughput"), timed("fidelity")
    run, texts = read_result("throughput"), read_result("fidelity")["texts"]
    rows = {
        "perturb": "apply(list) keyboard_typos",
        "glitchlings": "Typogre(list)",
        "nlpaug": "KeyboardAug(list)",
    }
    lines = {
        f"texts that keep all their white space, of {texts} (95 % interval)": [
            kept_of(fidelity[name]["white_space"], texts) for name in rows.values()
        ],
        "characters changed where 5% were asked for, spaces aside": [
            f"{fidelity[name]['letters']:.1%}" for name in rows.values()
        ],
        f"MB a second on one core, median to best of {run['rounds']} rounds": [
            speeds(times[name]) for name in rows.values()
        ],
    }
    return table(("", *rows), ([name, *values] for name, values in lines.items()))


def with_speed(file: str) -> str:
    """A file with the figures as they are now."""
    text = (ROOT / file).read_text("utf-8")
    parts = {
        "speed": sides,
        "figures": figures,
        "goals": lambda: table(("", "goal", "measured", "reached"), goals()),
    }
    for name, content in parts.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        if start:
            _, end, after = rest.partition(f"<!-- /{name} -->")
            text = f"{before}{start}{content()}{end}{after}"
    return text


if __name__ == "__main__":
    for file in FILES:
        (ROOT / file).write_text(with_speed(file), "utf-8")
