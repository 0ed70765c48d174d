"""A change on the page of `perturb play`, on a text of 2,000 characters: goal 50 ms.

    python benchmarks/play.py

For several lists of steps, the CPU time that the server takes for an answer; and, where playwright
and a browser are installed, the time by the clock from a change of the text until the new edits
stand on the page. The best of many changes, and the median, which other work on the machine
lengthens.
"""

import shutil
import statistics
import threading
from functools import partial

from common import timed, write_result

from perturb.play.answers import answer
from perturb.play.server import PlayServer

TEXT = "Janet's ducks lay 16 eggs per day. She eats three for breakfast, and sells the rest. " * 24
TEXT = TEXT[:2000]
STEPS = {
    "keyboard_typos": ["keyboard_typos:p=0.05"],
    "synonym": ["synonym:p=0.5"],
    "typo_mix, ocr, case": ["typo_mix:p=0.1", "ocr:p=0.1", "case:p=0.1"],
    "ten steps": [f"{name}:p=0.1" for name in ("char_swap", "typo_mix", "ocr", "case", "homophone")]
    + [f"{name}:p=0.1" for name in ("synonym", "contraction", "whitespace", "filler", "dialect")],
}
CHANGES = 40
# Types a character at the end, and waits until the page shows another text.
CHANGE = """async number => {
  const text = document.querySelector("#text"), made = document.querySelector("#diff");
  text.value = text.value.slice(0, 1990) + String(number).padStart(10, "x");
  const shown = new Promise(done => new MutationObserver(done).observe(made, { childList: true }));
  const began = performance.now();
  text.dispatchEvent(new Event("input", { bubbles: true }));
  await shown;
  return performance.now() - began;
}"""


def times_in_a_browser():
    """Return the time of each change on the page, in ms; None where there is no browser."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return None
    with PlayServer() as server, sync_playwright() as playwright:
        try:
            page = playwright.chromium.launch(executable_path=shutil.which("chromium")).new_page()
        except Error:
            return None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(server.url)
        page.wait_for_selector("#diff del")
        page.fill("#text", TEXT)
        page.wait_for_function("() => document.querySelectorAll('#diff del').length > 20")
        times = [page.evaluate(CHANGE, number) for number in range(CHANGES)]
        server.shutdown()
        return times


def summary(times):
    """Return the best and the median time, in ms."""
    return {"best_ms": round(min(times), 1), "median_ms": round(statistics.median(times), 1)}


def main():
    result = {"characters": len(TEXT), "server_cpu": {}}
    for name, steps in STEPS.items():
        calls = [partial(answer, {"text": TEXT, "steps": steps, "seed": s}) for s in range(CHANGES)]
        result["server_cpu"][name] = summary([1000 * timed(call)[1] for call in calls][1:])
    if times := times_in_a_browser():
        result["browser, keyboard_typos"] = summary(times)
    for name, value in result.items():
        print(name, value)
    write_result("play", result)


if __name__ == "__main__":
    main()
