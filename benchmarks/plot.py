"""Draw results/speed.svg from the figures in results/: `python benchmarks/plot.py`.

The figures that it shows are in the description of the file, as JSON; a test compares them.
"""

import json

import matplotlib as mpl
from common import RESULTS, read_result
from matplotlib.figure import Figure

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
    "axes.facecolor": "#fbfbf9",
    "figure.facecolor": "#fbfbf9",
    "grid.color": "#dcdcd6",
}
COLOURS = {
    "perturb": "#2456a6",
    "glitchlings": "#c2571a",
    "nlpaug": "#5b7f3a",
    "textnoisr": "#8a5a9e",
    "augly": "#8c8c8c",
    "langtest": "#b08d2f",
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
# Dashes are of one text a call.
LINES = {
    "apply(list) keyboard_typos": ("perturb, a list", "-"),
    "apply(str) keyboard_typos": ("perturb, one text", "--"),
    "Typogre(list)": ("glitchlings, a list", "-"),
    "Typogre(str)": ("glitchlings, one text", "--"),
    "CharNoiseAugmenter(str)": ("textnoisr, one text", "--"),
    "KeyboardAug(str)": ("nlpaug, one text", "--"),
}


def data():
    """The figures that are drawn."""
    speeds = {row["operation"]: row["figure"] for row in read_result("throughput")["rows"]}
    scaling = read_result("scaling")
    lengths = scaling["over_length"]
    return {
        "mb_per_s": {name: speeds[name] for name in BARS if name in speeds},
        "over_length": {name: lengths[name] for name in LINES if name in lengths},
        "over_p": scaling["over_p"],
    }


def draw(figures):
    """Bars of the libraries, and lines over the length of a text and over p."""
    page = Figure(figsize=(10.4, 6.4), layout="constrained")
    panels = page.subplot_mosaic([["bars", "bars"], ["length", "p"]], height_ratios=[1, 1.25])
    bars, length, over_p = panels.values()
    speeds = {BARS[name]: speed for name, speed in reversed(figures["mb_per_s"].items())}
    colours = [COLOURS[label.split()[0]] for label in speeds]
    drawn = bars.barh([*speeds], [*speeds.values()], color=colours)
    labels = [f"{speed:.1f}" if speed >= 1 else f"{speed:.2g}" for speed in speeds.values()]
    bars.bar_label(drawn, labels, padding=3)
    bars.set_xscale("log")
    bars.grid(axis="x")
    bars.set_title("Lists of texts, MB/s on one thread (each line is ten times the last)")
    for name, row in figures["over_length"].items():
        label, dashes = LINES[name]
        draw_row(length, row, label, COLOURS[label.partition(",")[0]], dashes)
    length.set(yscale="log", xlabel="characters of a text")
    length.set_title("Nanoseconds a character, over length")
    for (name, row), colour in zip(figures["over_p"].items(), COLOURS.values(), strict=False):
        draw_row(over_p, row, name, colour)
        over_p.set_xticks([*map(float, row)], [f"{float(p):g}" for p in row])
    over_p.minorticks_off()
    over_p.set(ylim=(0, None), xlabel="p", title="Nanoseconds a character, over p")
    return page


def draw_row(panel, row, label, colour, dashes="-"):
    """A line of costs over the numbers that are their names."""
    places = [*map(float, row)]
    panel.plot(places, [*row.values()], dashes, color=colour, label=label, marker="o", ms=3)
    panel.set_xscale("log")
    panel.grid(visible=True)
    panel.legend(frameon=False, fontsize=8)


if __name__ == "__main__":
    with mpl.rc_context(STYLE):
        about = {"Date": None, "Description": json.dumps(figures := data())}
        draw(figures).savefig(TARGET, metadata=about)
    print(f"written to {TARGET}")
