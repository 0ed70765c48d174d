"""Write the figures of speed into the README: `python scripts/readme_speed.py`.

They are those of the runs in `benchmarks/results`; nothing is measured here.
"""

import json
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
START, END = "<!-- speed -->\n", "<!-- /speed -->"
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


def result(name):
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text("utf-8"))


def timed(name):
    return {row["operation"]: row for row in result(name)["rows"]}


def speed(row):
    return row["bytes"] / row["median"] / 1e6


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def libraries():
    """What each library does, as rows of cells."""
    times, kept = timed("throughput"), timed("fidelity")
    for name, (many, one) in LIBRARIES.items():
        if many in times and many in kept:
            yield [name, *cells(times[many], times.get(one), kept[many])]


def cells(many, one, kept):
    return (
        f"{speed(many):.2g}" if speed(many) < 10 else f"{speed(many):.0f}",
        f"{one['median'] * 1e6:,.0f}" if one else "",
        f"{kept['measured']:.1%}" + ("" if kept["asked"] else ", none asked"),
        f"{kept['white_space']:.0%}",
        f"{kept['clusters']:.0%}",
        "yes" if kept["processes"] else "no",
        "yes" if kept["order"] else "no",
    )


def goals():
    """What is claimed, the goal, what was measured and whether that is reached."""
    times, words = timed("throughput"), timed("lexicon_speed")
    ours, single = times["apply(list) keyboard_typos"], times["apply(str) keyboard_typos"]
    whole, bare = speed(times["perturb apply"]), speed(times["orjson loads, dumps, write"])
    yield goal("`apply` on a list, MB/s", ">=", 80, speed(ours))
    for name, least in (("nlpaug", 50), ("glitchlings", 4)):
        peer = {"nlpaug": "KeyboardAug(list)", "glitchlings": "Typogre(list)"}[name]
        yield goal(f"times the speed of {name}", ">=", least, speed(ours) / speed(times[peer]))
    yield goal("`apply` on one text of 120 characters, us", "<=", 60, single["median"] * 1e6)
    yield goal("`perturb apply`, MB/s of JSON lines a core", ">=", 30, whole)
    yield goal("as a share of a bare orjson loop", ">=", 0.2, whole / bare)
    for step in ("synonym", "misspelling"):
        yield goal(f"`{step}` on a list, MB/s", ">=", 15, speed(words[f"apply(list) {step}"]))
    yield from goals_of_files(result("files")["rows"])
    uses = result("first_use")["uses_ms"]
    slowest = max(uses, key=lambda name: uses[name]["first"])
    yield goal("first use of the lexicon, ms", "<=", 50, uses["the lexicon"]["first"])
    yield goal(f"slowest first use (`{slowest}`), ms", "<=", 50, uses[slowest]["first"])
    costs = result("perturbators")["rows"]
    yield goal(
        f"dearest perturbator (`{costs[0]['name']}`), in `keyboard_typos`",
        *("<=", 4, costs[0]["ratio"]),
    )
    yield goal("`perturb run` adds, ms a row", "<=", 1, result("run_overhead")["added"]["cpu"])
    scored = result("score")
    yield goal("`perturb score` of 100,000 rows, s", "<=", 5, scored["seconds"][1])


def goals_of_files(rows):
    largest = max(row["megabytes"] for row in rows)
    ways = {row["way"]: row for row in rows if row["megabytes"] == largest}
    one, two = ways["1 workers"], ways["2 workers"]
    yield goal("two workers, times the speed of one", ">=", 1.7, one["wall"] / two["wall"])
    yield goal(f"peak memory for a file of {largest} MB, MB", "<=", 250, one["peak_mb"])


def goal(what, relation, bound, value):
    reached = value >= bound if relation == ">=" else value <= bound
    digits = 2 if value < 1 else 1 if value < 10 else 0
    return what, f"{relation} {bound}", f"{value:.{digits}f}", "yes" if reached else "**no**"


def section():
    """All of it."""
    run, rounds = result("throughput"), result("throughput")["rounds"]
    versions = ", ".join(
        f"{name} {run['versions'][name]}"
        for name in ("glitchlings", "textnoisr", "nlpaug", "augly", "langtest")
        if name in run["versions"]
    )
    machine = run["machine"]
    return f"""\
![Throughput of the libraries, and cost over length and p](benchmarks/results/speed.svg)

Medians of {rounds} rounds in turns, on one thread, by the clock of the processor ({machine["cpu"]}, \
{machine["cores"]} cores, load {max(run["load"])}; Python
{machine["python"]}; {versions}). Ratios hold, the figures move with the machine.

{table(HEADS, libraries())}
The last five columns are measured as well ([how](benchmarks/README.md)): the edit distance to the original where 5 % of the
characters were asked for; on texts with line breaks, tabs and double spaces, how many kept them all (`typo_mix` and textnoisr make
typos of spaces by design, the others lose them in a tokeniser); on texts with flags, families and combining marks, how many had
none cut in two; whether another process with the same seed gives the same; and whether a text comes out the same wherever it
stands in the list. nlpaug is set to what comes nearest to 5 %; `AddTypo` makes one edit a text; perturb's time includes its record.

What we want of ourselves, and where we are:

{table(("", "goal", "measured", "reached"), goals())}"""


def with_speed(readme):
    """The README with the figures as they are now."""
    before, rest = readme.split(START)
    _, after = rest.split(END)
    return f"{before}{START}{section()}{END}{after}"


if __name__ == "__main__":
    README.write_text(with_speed(README.read_text("utf-8")), "utf-8")
