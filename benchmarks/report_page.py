"""The page of `perturb report`: its size, and the time until it can be used in a browser.

Each original is a question of the corpus; a stand-in for a system answers the originals rightly, in
a few words, and fails on every row with an edit. Measured in Chromium without a display, on the
page as a file: the first paint, and the moment at which flips, filters and matrix are there.

    python benchmarks/report_page.py
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

import orjson
from common import Run, options, timed, write_corpus
from playwright.sync_api import sync_playwright

from perturb import __version__, augment
from perturb.cli import main as perturb

STEPS = tuple(
    f"{name}:p={p}"
    for name in ("keyboard_typos", "char_delete", "ocr", "word_swap")
    for p in (0.05, 0.1, 0.2, 0.4)
)
ANSWER = "Adding up what is given and taking away the rest, it is {}{}."
ROUNDS, GOAL_SECONDS, GOAL_MEGABYTES = 5, 2.0, 10.0
WATCH = """
    window.readyAt = null;
    new MutationObserver(() => {
        if (window.readyAt === null && document.documentElement?.dataset.ready !== undefined) {
            window.readyAt = performance.now();
        }
    }).observe(document, { attributes: true, subtree: true });
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def write_scored(path, originals, flips):
    """Write answered rows of so many originals until so many flip; return how many do."""
    rows = [{**row, "target": str(at)} for at, row in enumerate(originals)]
    count = 0
    with path.open("wb") as out:
        for at, step in enumerate(STEPS):
            for row in augment(rows, step, field="question", with_original=not at):
                wrong = row["perturbation"]["status"] == "changed" and count < flips
                count += wrong
                row["prediction"] = ANSWER.format(row["target"], "1" if wrong else "")
                row["finish"] = "stop"
                out.write(orjson.dumps(row) + b"\n")
    return count


def opened(browser, page):
    """The first paint, the moment of use, and the work of the page's main thread until then.

    In seconds, the median of some rounds; the last of the processor alone.
    """
    painted, ready, worked = [], [], []
    for _ in range(ROUNDS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        tab = context.new_page()
        tab.add_init_script(WATCH)
        inside = context.new_cdp_session(tab)
        inside.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto(page.as_uri())
        tab.wait_for_selector("html[data-ready]", state="attached")
        painted.append(tab.evaluate(PAINTED) / 1000)
        ready.append(tab.evaluate("window.readyAt") / 1000)
        metrics = inside.send("Performance.getMetrics")["metrics"]
        worked += [metric["value"] for metric in metrics if metric["name"] == "TaskDuration"]
        context.close()
    return tuple(round(statistics.median(each), 3) for each in (painted, ready, worked))


def measure(browser, folder, originals, flips):
    scored, page = folder / "scored.jsonl", folder / "page.html"
    count = write_scored(scored, originals, flips)
    call = ["--match", "number", "--target", "target", "-o", str(page)]
    status = []
    took, worked = timed(lambda: status.append(perturb(["report", str(scored), *call])))
    assert status == [0]
    painted, ready, drawn = opened(browser, page)
    return {
        "flips": count,
        "originals": len(originals),
        "conditions": len(STEPS),
        "seconds_to_write": round(took, 2),
        "seconds_of_cpu_to_write": round(worked, 2),
        "megabytes": round(page.stat().st_size / 1e6, 3),
        "seconds_to_first_paint": painted,
        "seconds_to_use": ready,
        "seconds_of_main_thread": drawn,
    }


def main():
    run = Run(options(__doc__))
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        write_corpus(folder / "corpus.jsonl", None, "question", 1)
        lines = (folder / "corpus.jsonl").read_bytes().splitlines()
        originals = [orjson.loads(line) for line in lines][:1350]
        browser = playwright.chromium.launch(executable_path=chromium)
        cases = (originals[:10], 10), (originals, 20_000)
        rows = [measure(browser, folder, *case) for case in cases]
        version = browser.version
        browser.close()
    run.tell({"perturb": __version__, "chromium": version})
    for row in rows:
        print(
            f"{row['flips']:6,} flips: {row['megabytes']:.2f} MB, first paint after "
            f"{row['seconds_to_first_paint']:.2f} s, in use after {row['seconds_to_use']:.2f} s, "
            f"of which the page computed {row['seconds_of_main_thread']:.2f} s"
        )
        if row["seconds_to_use"] > GOAL_SECONDS or row["megabytes"] > GOAL_MEGABYTES:
            print(f"        above the goals of {GOAL_SECONDS:g} s and {GOAL_MEGABYTES:g} MB")
    run.write("report_page", rows=rows)


if __name__ == "__main__":
    main()
