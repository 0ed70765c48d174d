"""Take the README's picture, docs/images/first.png: `python scripts/picture.py`.

It shows a question with its typos marked, and the page of `perturb report` on the README's own way
to a verdict. It needs the extra `dev` and a browser.
"""

import base64
import os
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
    block = (ROOT / "README.md").read_text("utf-8").partition("## From noise to verdict")[2]
    commands = block.partition("```sh\n")[2].partition("```")[0]
    with chdir(folder):
        for line in commands.splitlines():
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


def taken(browser: Browser, address: str, height: int) -> bytes:
    """Return what a page looks like."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(address)
    page.wait_for_timeout(500)
    picture = page.screenshot()
    page.close()
    return picture


def draw(folder: Path) -> None:
    """Write the picture."""
    made = report(folder)
    browsers = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=next(browsers))
        shot = base64.b64encode(taken(browser, made.as_uri(), 760)).decode()
        image = f'<img src="data:image/png;base64,{shot}">'
        (folder / "picture.html").write_text(
            f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{texts()}{image}', "utf-8"
        )
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_bytes(taken(browser, (folder / "picture.html").as_uri(), 940))
        browser.close()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        draw(Path(folder))
