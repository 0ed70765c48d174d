"""The pages: how soon `perturb play` shows a change, and how soon that of `perturb report` is used.

    python benchmarks/pages.py

For `play`, the CPU time that the server takes for an answer, by steps, and the time in a browser
from a change of the text until the new edits stand on the page. For `report`, a stand-in for a
system answers questions of the corpus rightly, in a few words, and fails on rows with an edit until
so many flip; the page is opened as a file, until flips, filters and matrix are there. In Chromium
without a display; the best of the rounds, and the median.
"""

import shutil
import tempfile
import threading
from functools import partial
from itertools import islice
from pathlib import Path

import orjson
from common import Run, best_and_median, made_rows, options, timed
from playwright.sync_api import sync_playwright

from perturb import __version__, augment
from perturb.cli import main as command
from perturb.play.server import PlayServer, answer

TEXT = "Janet's ducks lay 16 eggs per day. She eats three for breakfast, and sells the rest. " * 24
TEXT = TEXT[:2000]
TEN = "char_swap typo_mix ocr case homophone synonym contraction whitespace filler dialect".split()
PLAYED = {
    "keyboard_typos": ["keyboard_typos:p=0.05"],
    "synonym": ["synonym:p=0.5"],
    "ten steps": [f"{name}:p=0.1" for name in TEN],
}
# Types a character at the end, and waits until the page shows another text.
CHANGE = """async number => {
  const text = document.querySelector("#text"), made = document.querySelector("#diff");
  text.value = text.value.slice(0, 1990) + String(number).padStart(10, "x");
  const shown = new Promise(done => new MutationObserver(done).observe(made, { childList: true }));
  const began = performance.now();
  text.dispatchEvent(new Event("input", { bubbles: true }));
  await shown;
  return (performance.now() - began) / 1000;
}"""
REPORTED = tuple(
    f"{name}:p={p}"
    for name in ("keyboard_typos", "char_delete", "ocr", "word_swap")
    for p in (0.05, 0.1, 0.2, 0.4)
)
ANSWER = "Adding up what is given and taking away the rest, it is {}{}."
SIZES = (10, 10), (1350, 20_000)  # originals, and flips
READY = "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def server_seconds(steps, changes):
    """Seconds of the processor for each answer but the first, which reads tables."""
    calls = [partial(answer, {"text": TEXT, "steps": steps, "seed": at}) for at in range(changes)]
    return best_and_median([timed(call)[1] for call in calls][1:])


def changed(browser, changes):
    """Seconds by the clock from each change to what it makes."""
    with PlayServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(server.url)
        page.wait_for_selector("#diff del")
        page.fill("#text", TEXT)
        page.wait_for_function("() => document.querySelectorAll('#diff del').length > 20")
        times = [page.evaluate(CHANGE, number) for number in range(changes)]
        server.shutdown()
    return best_and_median(times)


def report(folder, originals, flips):
    """Write answered rows until so many flip, and the page; return its path."""
    rows = [{**row, "target": str(at)} for at, row in enumerate(originals)]
    scored, page, count = folder / "scored.jsonl", folder / f"{flips}.html", 0
    with scored.open("wb") as out:
        for at, step in enumerate(REPORTED):
            for row in augment(rows, step, field="question", with_original=not at):
                wrong = row["perturbation"]["status"] == "changed" and count < flips
                count += wrong
                row["prediction"] = ANSWER.format(row["target"], "1" if wrong else "")
                row["finish"] = "stop"
                out.write(orjson.dumps(row) + b"\n")
    call = ["report", str(scored), "--match", "number", "--target", "target", "-o", str(page)]
    assert command(call) == 0
    return page


def opened(browser, page):
    """Seconds until the first paint, until the page can be used, and of its main thread alone."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    tab = context.new_page()
    inside = context.new_cdp_session(tab)
    inside.send("Performance.enable", {"timeDomain": "threadTicks"})
    used, _ = timed(
        lambda: (
            tab.goto(page.as_uri()),
            tab.wait_for_selector("html[data-ready]", state="attached"),
        )
    )
    metrics = inside.send("Performance.getMetrics")["metrics"]
    (worked,) = (metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
    painted = tab.evaluate(READY)
    context.close()
    return painted, used, worked


def main():
    run = Run(options(__doc__, rounds=5))
    rounds = run.args.rounds
    play = {f"server, {name}": server_seconds(steps, 8 * rounds) for name, steps in PLAYED.items()}
    reports = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path)
        play["browser, keyboard_typos"] = changed(browser, 8 * rounds)
        for number, flips in SIZES:
            page = report(Path(name), list(islice(made_rows("question"), number)), flips)
            turns = zip(*(opened(browser, page) for _ in range(rounds)), strict=True)
            names = "first paint", "in use", "main thread"
            seconds = dict(zip(names, map(best_and_median, turns), strict=True))
            reports.append({"flips": flips, "megabytes": page.stat().st_size / 1e6, **seconds})
        versions = {"perturb": __version__, "chromium": browser.version}
        browser.close()
    run.write("pages", versions, characters=len(TEXT), play=play, report=reports)


if __name__ == "__main__":
    main()
