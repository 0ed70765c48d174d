"""Take the README's picture, docs/images/first.png: `python scripts/picture.py [--check]`.

It shows a question with its typos marked, and the page of `perturb report` on the README's own way
to a verdict. It needs the extra `dev` and a browser. What can be read in it stands beside it, in
first.txt: with `--check` no picture is taken but the two are compared, since fonts differ from
machine to machine, and what is said must not.
"""

import base64
import os
import re
import shlex
import shutil
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

import perturb
from perturb.cli import main

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "first.png"
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


def report(folder: Path) -> Path:
    """Do what the README shows between noise and verdict, and return the page."""
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    (folder / "examples").symlink_to(ROOT / "examples")
    text = (ROOT / "README.md").read_text("utf-8").partition("## Step by step")[2]
    blocks = re.findall("```sh\n(.*?)```", text.partition("\n## ")[0], re.DOTALL)
    with chdir(folder):
        for line in "".join(blocks).splitlines():
            if main(shlex.split(line)[1:]):
                raise SystemExit(f"failed: {line}")
    return folder / "report.html"


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
    page_file = report(folder)
    browsers = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=next(browsers))
        page, lines = taken(browser, page_file.as_uri(), HEIGHT)
        image = f'<img src="data:image/png;base64,{base64.b64encode(page).decode()}">'
        (folder / "picture.html").write_text(
            f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{texts()}{image}', "utf-8"
        )
        picture, above = taken(browser, (folder / "picture.html").as_uri(), 940)
        browser.close()
    text = "".join(f"{line}\n" for line in [*above, *lines])
    return picture, re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        picture, text = draw(Path(folder))
    if sys.argv[1:] != ["--check"]:
        PICTURE.write_bytes(picture)
        PICTURE.with_suffix(".txt").write_text(text, "utf-8")
    elif text != PICTURE.with_suffix(".txt").read_text("utf-8"):
        sys.exit("README's picture shows what is no longer so: python scripts/picture.py")
