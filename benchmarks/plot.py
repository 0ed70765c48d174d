"""Draw results/speed.svg from the figures in results/: `python benchmarks/plot.py`.

The figures that it shows are in the description of the file, as JSON; a test compares them.
"""

import json

import matplotlib as mpl
from common import RESULTS, read_result
from matplotlib.figure import Figure
from throughput import figure

TARGET = RESULTS / "speed.svg"
STYLE = {
    "svg.hashsalt": "perturb",
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.axisbelow": True,
}
OURS, FAST, OTHERS = "#2456a6", "#c2571a", ("#5b7f3a", "#8a5a9e", "#8c8c8c", "#b08d2f")
PAPER, GRID = "#fbfbf9", "#dcdcd6"
COLOURS = {
    "perturb": OURS,
    "glitchlings": FAST,
    **dict(zip(("nlpaug", "textnoisr", "augly", "langtest"), OTHERS, strict=True)),
}
BARS = {
    "apply(list) keyboard_typos": "perturb keyboard_typos",
    "apply(list) typo_mix": "perturb typo_mix",
    "Typogre(list)": "glitchlings Typogre (Rust)",
    "CharNoiseAugmenter, each of a list": "textnoisr CharNoiseAugmenter",
    "KeyboardAug(list)": "nlpaug KeyboardAug",
    "AddTypo(list)": "langtest AddTypo (one edit a text)",
    "AddOcrTypo(list)": "langtest AddOcrTypo",
    "SimulateTypos(list)": "augly SimulateTypos",
}
LINES = {
    "apply(list) keyboard_typos": ("perturb, a list", OURS, "-"),
    "apply(str) keyboard_typos": ("perturb, one text", OURS, "--"),
    "Typogre(list)": ("glitchlings, a list", FAST, "-"),
    "Typogre(str)": ("glitchlings, one text", FAST, "--"),
    "CharNoiseAugmenter(str)": ("textnoisr, one text", COLOURS["textnoisr"], "--"),
    "KeyboardAug(str)": ("nlpaug, one text", COLOURS["nlpaug"], "--"),
}


def data():
    """The figures that are drawn."""
    rows = {row["operation"]: row for row in read_result("throughput")["rows"]}
    scaling = read_result("scaling")
    return {
        "mb_per_s": {name: round(figure(rows[name]), 3) for name in BARS if name in rows},
        "over_length": {
            name: scaling["over_length"][name] for name in LINES if name in scaling["over_length"]
        },
        "over_p": scaling["over_p"],
    }


def draw(figures):
    """Bars of the libraries, and lines over the length of a text and over p."""
    page = Figure(figsize=(10.4, 6.4), facecolor=PAPER, layout="constrained")
    panels = page.subplot_mosaic([["bars", "bars"], ["length", "p"]], height_ratios=[1, 1.25])
    for panel in panels.values():
        panel.set_facecolor(PAPER)
    bars(panels["bars"], figures["mb_per_s"])
    over_length(panels["length"], figures["over_length"])
    over_p(panels["p"], figures["over_p"])
    return page


def bars(panel, speeds):
    names = list(speeds)[::-1]
    values = [speeds[name] for name in names]
    colours = [COLOURS[BARS[name].split()[0]] for name in names]
    drawn = panel.barh([BARS[name] for name in names], values, color=colours)
    labels = [f"{value:.1f}" if value >= 1 else f"{value:.2g}" for value in values]
    panel.bar_label(drawn, labels, padding=3)
    panel.set_xscale("log")
    panel.grid(axis="x", color=GRID)
    panel.set_title("Lists of texts, MB/s on one thread (each line is ten times the last)")


def over_length(panel, costs):
    for name, row in costs.items():
        label, colour, dashes = LINES[name]
        draw_row(panel, row, label, colour, dashes)
    panel.set_yscale("log")
    panel.set_xlabel("characters of a text")
    panel.set_title("Nanoseconds a character, over length")


def over_p(panel, costs):
    for (name, row), colour in zip(costs.items(), (OURS, *OTHERS[:2]), strict=True):
        draw_row(panel, row, name, colour)
    panel.set_ylim(0)
    panel.set_xticks([float(p) for p in row], [f"{float(p):g}" for p in row])
    panel.minorticks_off()
    panel.set_xlabel("p")
    panel.set_title("Nanoseconds a character, over p")


def draw_row(panel, row, label, colour, dashes="-"):
    """A line of costs over the numbers that are their names."""
    places, costs = map(float, row), row.values()
    panel.plot([*places], [*costs], dashes, color=colour, label=label, marker="o", ms=3)
    panel.set_xscale("log")
    panel.grid(color=GRID)
    panel.legend(frameon=False, fontsize=8)


def main():
    figures = data()
    with mpl.rc_context(STYLE):
        about = {"Date": None, "Description": json.dumps(figures)}
        draw(figures).savefig(TARGET, metadata=about)
    print(f"written to {TARGET}")


if __name__ == "__main__":
    main()
