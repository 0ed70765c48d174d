"""Take the pictures in docs/images: `python scripts/picture.py [--check]`.

first.png shows a question with its typos marked, and the page of `perturb report` on the README's
own way to a verdict; strength.svg is a plot of `perturb score` on the tutorial's. They need the
extra `dev` and a browser. What they say stands beside them, in .txt: with `--check` no picture is
taken but these are compared, since fonts differ from machine to machine, and what is said must not.
"""

import base64
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

import perturb
from perturb.cli import main

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
# On a dark page, dark is light, and each hue stays.
DARK = """<style>
@media (prefers-color-scheme: dark) { svg { filter: invert(0.92) hue-rotate(180deg); } }
</style>"""
HEIGHT = 760  # of the page that is seen
# The lines of a page that are seen.
SEEN = """height => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Map();
  while (walker.nextNode()) {
    let block = walker.currentNode.parentElement;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    const box = block.getBoundingClientRect();
    if (!block.checkVisibility() || !box.height || box.bottom > height) continue;
    found.set(block, (found.get(block) || "") + walker.currentNode.data);
  }
  return [...found.values()].map(text => text.replace(/\\s+/g, " ").trim()).filter(text => text);
}"""
QUESTION = "A train leaves at 09:47 and arrives at 13:12 the same day. How long does it take?"
STEPS = ("keyboard_typos", "ocr", "word_swap", "case")
WIDTH = 1200
STYLE = """\
body { margin: 0; padding: 28px 32px; width: 1136px; background: #eef0f3; color: #1d1e20;
  font: 17px/1.5 system-ui, sans-serif; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 24px; margin: 0 0 24px; }
dt { color: #5f6369; font: 15px/1.7 ui-monospace, monospace; } dd { margin: 0; }
img { width: 1136px; display: block; border-radius: 8px; border: 1px solid #cfcfc8; }
"""


def do(page: str, section: str) -> None:
    """Run the commands of a section of a page."""
    text = (ROOT / page).read_text("utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    for line in "".join(re.findall("```sh\n(.*?)```", text, re.DOTALL)).splitlines():
        if main(shlex.split(line)[1:]):
            raise SystemExit(f"failed: {line}")


def texts() -> str:
    """Return a question under a few steps, with the edits marked, as HTML."""
    rows = []
    for step in STEPS:
        record = perturb.apply(QUESTION, step, severity=3, seed=5)
        rows.append(f"<dt>{step}</dt><dd>{record.diff('html')}</dd>")
    return f"<dl>{''.join(rows)}</dl>"


def taken(browser: Browser, address: str, height: int) -> tuple[bytes, list[str]]:
    """Return what a page looks like, and what can be read on it."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(address)
    page.wait_for_timeout(500)
    picture, lines = page.screenshot(), page.evaluate(SEEN, height)
    page.close()
    return picture, lines


def draw(folder: Path) -> tuple[bytes, str]:
    """Return the picture, and what can be read in it."""
    do("README.md", "Step by step")
    browsers = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=next(browsers))
        page, lines = taken(browser, (folder / "report.html").as_uri(), HEIGHT)
        image = f'<img src="data:image/png;base64,{base64.b64encode(page).decode()}">'
        (folder / "picture.html").write_text(
            f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{texts()}{image}', "utf-8"
        )
        picture, above = taken(browser, (folder / "picture.html").as_uri(), 940)
        browser.close()
    text = "".join(f"{line}\n" for line in [*above, *lines])
    return picture, re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)


def plot() -> tuple[bytes, str]:
    """Return the plot of score against strength, and its points."""
    do("docs/tutorial.md", "See where it breaks")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(["score", "stronger-answered.jsonl", "--json"])
    points = [
        "{perturbator}\t{p}\t{perturbed_low:.3f}\t{perturbed_mean:.3f}\t{perturbed_high:.3f}\n".format_map(
            one
        )
        for one in json.loads(printed.getvalue())["conditions"]
        if one["scope"] == "all"
    ]
    drawn = Path("plots/score_over_p.svg").read_text("utf-8")
    return drawn.replace("</svg>", f"{DARK}</svg>").encode(), "".join(points)


if __name__ == "__main__":
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("examples").symlink_to(ROOT / "examples")
        pictures = {"first.png": draw(Path(folder)), "strength.svg": plot()}
    for name, (picture, text) in pictures.items():
        said = (IMAGES / name).with_suffix(".txt")
        if sys.argv[1:] != ["--check"]:
            (IMAGES / name).write_bytes(picture)
            said.write_text(text, "utf-8")
        elif text != said.read_text("utf-8"):
            sys.exit(f"docs/images/{name} shows what is no longer so: python scripts/picture.py")
