"""Print texts, and what an engine of character recognition reads of their pictures, as JSON lines.

    python wordlists/build/scans.py ENGINE counted COUNT FILE ... > pairs.jsonl
    python wordlists/build/scans.py ENGINE held COUNT FILE ... > held.jsonl

ENGINE is `tesseract`, `ppocr` or `ppocr_v4`. Of each file, one of GSM8K (`.jsonl`), of WordNet
(`data.noun`), of Universal Dependencies (`.conllu`), or of the form of SQuAD (`.json`), so many
sentences are taken. Each is set in a typeface and scanned: some well, most small, blurred, speckled
and a little askew. `held` takes other typefaces and other damage: uneven light and lossy
compression. What is drawn at random is drawn from its number. A reading of which more than a
quarter differs tells nothing of single errors, and is left out. Needs perturb and Pillow; of Debian
`tesseract-ocr`, or of PyPI `rapidocr` and `onnxruntime`, or `rapidocr-onnxruntime`; and of Debian
`fonts-` dejavu, liberation, freefont-ttf, ebgaramond, oldstandard, gfs-didot, crosextra-caladea,
crosextra-carlito, cantarell, inconsolata, b612, comic-neue, linuxlibertine; junicode, essays1743,
quattrocento, lato, open-sans, hack.
"""

import io
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from perturb.engine.difference import difference

FONTS = Path("/usr/share/fonts")
FACES = {
    "counted": """
    truetype/dejavu/DejaVuSans.ttf truetype/dejavu/DejaVuSerif.ttf truetype/dejavu/DejaVuSansMono.ttf
    truetype/freefont/FreeSans.ttf truetype/freefont/FreeSerif.ttf truetype/freefont/FreeMono.ttf
    truetype/liberation/LiberationSans-Regular.ttf truetype/liberation/LiberationSerif-Italic.ttf
    truetype/liberation/LiberationSerif-Regular.ttf truetype/inconsolata/Inconsolata.otf
    truetype/liberation/LiberationMono-Regular.ttf opentype/ebgaramond/EBGaramond12-Regular.otf
    truetype/fonts-oldstandard/OldStandard-Regular.ttf opentype/didot/GFSDidot.otf
    truetype/crosextra/Caladea-Regular.ttf truetype/crosextra/Carlito-Italic.ttf
    opentype/cantarell/Cantarell-Regular.otf opentype/b612/B612-Regular.otf
    opentype/comic-neue/ComicNeue-Regular.otf opentype/linux-libertine/LinBiolinum_R.otf
    """.split(),
    "held": """
    opentype/junicode/JunicodeTwoBeta-Regular.otf opentype/quattrocento/Quattrocento-Regular.otf
    truetype/essays1743/Essays1743.ttf opentype/linux-libertine/LinLibertine_R.otf
    opentype/linux-libertine/LinLibertine_RI.otf truetype/lato/Lato-Regular.ttf
    truetype/open-sans/OpenSans-Regular.ttf truetype/hack/Hack-Regular.ttf
    """.split(),
}
WIDTH, AT_ONCE, LARGEST_SHARE = 52, 25, 0.25


def sentences(path, count):
    """Return so many sentences of a file, from all of its parts."""
    text = Path(path).read_text("utf-8")
    if path.endswith(".jsonl"):
        lines = [json.loads(line)["question"] for line in text.splitlines()]
    elif path.endswith(".json"):
        parts = [part for page in json.loads(text)["data"] for part in page["paragraphs"]]
        lines = [each for part in parts for each in (part["context"], *questions(part))]
    elif path.endswith(".conllu"):
        lines = [line[9:] for line in text.splitlines() if line.startswith("# text = ")]
    else:
        lines = [line.partition("| ")[2] for line in text.splitlines()]
    every = [" ".join(part.split()) for line in lines for part in re.split(r"(?<=[.?!])\s", line)]
    fit = [text for text in dict.fromkeys(every) if text.isascii() and 20 <= len(text) <= 160]
    return fit[:: max(len(fit) // int(count), 1)][: int(count)]


def questions(part):
    return [row["question"] for row in part["qas"]]


def picture(text, number, kind):
    """Return a scan of a text."""
    rng = np.random.default_rng(number)
    size, faces = int(rng.choice([13, 14, 16, 18, 22])), FACES[kind]
    font = ImageFont.truetype(str(FONTS / rng.choice(faces)), size)
    lines, step = textwrap.wrap(text, WIDTH), int(size * 1.5)
    page = (max(int(font.getlength(line)) for line in lines) + 40, step * len(lines) + 40)
    image, ink = Image.new("L", page, 255), int(rng.choice([0, 30, 60]))
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((20, 20 + row * step), line, font=font, fill=ink)
    if rng.random() < 0.15:
        return image
    image = image.rotate(rng.uniform(-1.2, 1.2), fillcolor=255, resample=Image.Resampling.BILINEAR)
    return (worn if kind == "counted" else photographed)(image, rng)


def worn(image, rng):
    """Return a picture that is coarse, blurred or speckled, or some of these."""
    if rng.random() < 0.4:
        image = coarse(image, rng.uniform(0.55, 0.9))
    image = image.filter(ImageFilter.GaussianBlur(float(rng.choice([0, 0.5, 0.8, 1.0]))))
    levels = np.asarray(image, float) + rng.normal(0, rng.choice([8, 18, 28]), image.size[::-1])
    levels[rng.random(levels.shape) < rng.choice([0, 0, 0.003, 0.015])] = rng.uniform(0, 90)
    if rng.random() < 0.3:
        levels = np.where(levels > rng.choice([110, 150, 190]), 255, 0)
    image = Image.fromarray(levels.clip(0, 255).astype(np.uint8))
    if rng.random() < 1 / 3:
        image = image.resize((2 * image.width, 2 * image.height), Image.Resampling.BICUBIC)
    return image


def coarse(image, share):
    """Return a picture in so few of its pixels a side, in its old size."""
    small = image.resize([int(side * share) for side in image.size], Image.Resampling.BILINEAR)
    return small.resize(image.size, Image.Resampling.BICUBIC)


def photographed(image, rng):
    """Return a picture of coarse pixels in uneven light, with what compression leaves of it."""
    levels = np.asarray(coarse(image, rng.choice([0.6, 0.7, 0.85])), float)
    levels *= np.linspace(*rng.uniform(0.6, 1, 2), image.width)
    levels[rng.random(levels.shape) < rng.choice([0, 0.005, 0.02])] = 40
    stored = io.BytesIO()
    picture = Image.fromarray(levels.astype(np.uint8))
    picture.save(stored, "JPEG", quality=int(rng.choice([15, 30, 60])))
    return Image.open(stored).convert("L")


def tesseract(images):
    """Return what Tesseract reads of each picture."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{row}.png" for row in range(len(images))]
        for image, file in zip(images, files, strict=True):
            image.save(file)
        pages = Path(folder) / "pages.txt"
        pages.write_text("\n".join(map(str, files)))
        run = subprocess.run(
            ["tesseract", str(pages), "-", "--psm", "6", "-l", "eng"],
            capture_output=True,
            text=True,
            check=True,
            env={"OMP_THREAD_LIMIT": "1"},
        )
    return run.stdout.split("\f")[: len(images)]


def ppocr(images):
    """Return what PP-OCRv6 reads of each picture."""
    found = _engine("rapidocr")(on_sheet(images))
    return by_picture(images, found.boxes if found.txts else (), found.txts or ())


def ppocr_v4(images):
    """Return what PP-OCRv4 reads of each picture."""
    found = _engine("rapidocr_onnxruntime")(on_sheet(images))[0] or ()
    return by_picture(images, [np.array(row[0]) for row in found], [row[1] for row in found])


@cache
def _engine(package):
    threads = {"intra_op_num_threads": 1, "inter_op_num_threads": 1}
    if package == "rapidocr":
        threads = {"params": {f"EngineConfig.onnxruntime.{name}": 1 for name in threads}}
    return import_module(package).RapidOCR(**threads)


def on_sheet(images):
    """Return pictures one below the other, so that an engine looks for lines only once."""
    sizes = max(image.width for image in images), sum(image.height for image in images)
    sheet, top = Image.new("L", sizes, 255), 0
    for image in images:
        sheet.paste(image, (0, top))
        top += image.height
    return np.asarray(sheet.convert("RGB"))


def by_picture(images, boxes, texts):
    """Return the texts read on each picture of a sheet."""
    ends, read = np.cumsum([image.height for image in images]), [""] * len(images)
    for box, text in zip(boxes, texts, strict=True):
        read[int(ends.searchsorted(box[:, 1].mean()))] += f" {text}"
    return read


def is_like(clean, noisy):
    """Return whether a reading is one of that text."""
    edits = difference(clean, noisy)
    return sum(max(b - a, len(text)) for a, b, text in edits) <= LARGEST_SHARE * len(clean)


def main(engine, kind, count, *paths):
    """Print the pairs."""
    texts = [text for path in paths for text in sentences(path, count)]
    texts = [texts[row] for row in np.random.default_rng(0).permutation(len(texts))]
    read = {"tesseract": tesseract, "ppocr": ppocr, "ppocr_v4": ppocr_v4}[engine]
    for first in range(0, len(texts), AT_ONCE):
        some = texts[first : first + AT_ONCE]
        images = [picture(text, first + row, kind) for row, text in enumerate(some)]
        for clean, noisy in zip(some, read(images), strict=True):
            row = {"clean": clean, "noisy": " ".join(noisy.split())}
            if is_like(*row.values()):
                print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
