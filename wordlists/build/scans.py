"""Print texts, and what an engine of character recognition reads of their pictures, as JSON lines.

    python wordlists/build/scans.py COUNT FILE ... > pairs.jsonl

Of each file, one of GSM8K (`train.jsonl`), of WordNet (`data.noun`), or of the form of SQuAD
(`.json`), so many sentences are taken. Each is set in one of ten typefaces, small, blurred, speckled and a little askew; Tesseract reads
it. What is drawn at random is drawn from its number. A reading of which more than a quarter differs
tells nothing of single errors, and is left out. Needs perturb, Pillow, and of Debian
`tesseract-ocr`, `fonts-dejavu`, `fonts-liberation` and `fonts-freefont-ttf`.
"""

import json
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from perturb.engine.difference import difference

FONTS = Path("/usr/share/fonts/truetype")
FACES = """
    dejavu/DejaVuSans dejavu/DejaVuSerif dejavu/DejaVuSansMono freefont/FreeSans freefont/FreeSerif
    freefont/FreeMono liberation/LiberationSans-Regular liberation/LiberationSerif-Regular
    liberation/LiberationSerif-Italic liberation/LiberationMono-Regular
""".split()
WIDTH, AT_ONCE, LARGEST_SHARE = 52, 25, 0.25


def sentences(path, count):
    """Return so many sentences of a file, from all of its parts."""
    text = Path(path).read_text("utf-8")
    if path.endswith(".jsonl"):
        lines = [json.loads(line)["question"] for line in text.splitlines()]
    elif path.endswith(".json"):
        parts = [part for page in json.loads(text)["data"] for part in page["paragraphs"]]
        lines = [row["question"] for part in parts for row in part["qas"]]
    else:
        lines = [line.partition("| ")[2] for line in text.splitlines()]
    every = [" ".join(part.split()) for line in lines for part in re.split(r"(?<=[.?!])\s", line)]
    fit = [text for text in dict.fromkeys(every) if text.isascii() and 20 <= len(text) <= 160]
    return fit[:: max(len(fit) // int(count), 1)][: int(count)]


def picture(text, number):
    """Return a bad scan of a text."""
    rng = np.random.default_rng(number)
    size = int(rng.choice([14, 16, 18]))
    font = ImageFont.truetype(str(FONTS / f"{rng.choice(FACES)}.ttf"), size)
    lines, step = textwrap.wrap(text, WIDTH), int(size * 1.5)
    page = (max(int(font.getlength(line)) for line in lines) + 40, step * len(lines) + 40)
    image, ink = Image.new("L", page, 255), int(rng.choice([0, 30, 60]))
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((20, 20 + row * step), line, font=font, fill=ink)
    image = image.rotate(rng.uniform(-1.2, 1.2), fillcolor=255, resample=Image.Resampling.BILINEAR)
    image = image.filter(ImageFilter.GaussianBlur(float(rng.choice([0.5, 0.8, 1.0]))))
    levels = np.asarray(image, float) + rng.normal(0, rng.choice([8, 18, 28]), image.size[::-1])
    if rng.random() < 0.3:
        levels = np.where(levels > 150, 255, 0)
    image = Image.fromarray(levels.clip(0, 255).astype(np.uint8))
    if rng.random() < 1 / 3:
        image = image.resize((2 * image.width, 2 * image.height), Image.Resampling.BICUBIC)
    return image


def readings(texts, first, folder):
    """Return what is read of the pictures of some texts, the first of which has that number."""
    files = [folder / f"{row}.png" for row in range(len(texts))]
    for row, (text, file) in enumerate(zip(texts, files, strict=True)):
        picture(text, first + row).save(file)
    pages = folder / "pages.txt"
    pages.write_text("\n".join(map(str, files)))
    run = subprocess.run(
        ["tesseract", str(pages), "-", "--psm", "6", "-l", "eng"],
        capture_output=True,
        text=True,
        check=True,
        env={"OMP_THREAD_LIMIT": "1"},
    )
    return [" ".join(page.split()) for page in run.stdout.split("\f")][: len(texts)]


def is_like(clean, noisy):
    """Return whether a reading is one of that text."""
    edits = difference(clean, noisy)
    return sum(max(b - a, len(text)) for a, b, text in edits) <= LARGEST_SHARE * len(clean)


def main(count, *paths):
    """Print the pairs."""
    texts = [text for path in paths for text in sentences(path, count)]
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(texts), AT_ONCE):
            some = texts[first : first + AT_ONCE]
            for clean, noisy in zip(some, readings(some, first, Path(folder)), strict=True):
                if is_like(clean, noisy):
                    row = {"clean": clean, "noisy": noisy}
                    print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
