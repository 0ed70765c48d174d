"""Write a table of wordlists/noise: errors of pairs of texts, as counts alone.

    python wordlists/build/noise.py typing NOISEQA > wordlists/noise/typing.json
    python wordlists/build/noise.py typing NOISEQA pairs > typed.jsonl
    python wordlists/build/noise.py ENGINE PAIRS.jsonl > wordlists/noise/ENGINE.json

NOISEQA is a checkout of https://github.com/noiseQA/NoiseQA (MIT; its questions are SQuAD's); the
pairs of an engine of character recognition are those that `scans.py` prints. All texts are public,
so a string that one text shows is written too. With `pairs`, these alone are printed.
"""

import json
import sys
from pathlib import Path

from perturb.fitting.counts import counted
from perturb.fitting.pairs import align

HEADS = {
    "typing": {
        "source": "counts of typed questions: NoiseQA (A. Ravichander et al., EACL 2021), 25c49ce",
        "licence": "MIT, licenses/NOISEQA.txt",
    },
} | {
    engine: {
        "source": f"counts of what {name} reads of scans of sentences of GSM8K, of WordNet and of "
        "the English Web Treebank",
        "licence": "MIT, as the project",
    }
    for engine, name in {
        "tesseract": "Tesseract 5.3",
        "ppocr": "PP-OCRv6 (rapidocr 3.10)",
        "ppocr_v4": "PP-OCRv4 (rapidocr-onnxruntime 1.4.4)",
    }.items()
}


def questions(file):
    """Return the questions of a file by their ids."""
    data = json.loads(file.read_text("utf-8"))["data"]
    rows = [row for text in data for part in text["paragraphs"] for row in part["qas"]]
    return {row["id"]: row["question"] for row in rows}


def pairs(path):
    """Return the pairs of texts in a checkout of NoiseQA, or in a file of JSON lines."""
    if path.is_file():
        rows = map(json.loads, path.read_text("utf-8").splitlines())
        return [(row["clean"], row["noisy"]) for row in rows]
    names = "xquad-context-en-question-en", "xquad-keyboard-natural"
    clean, typed = (questions(path / "Natural" / f"{name}.json") for name in names)
    # Blanks at the ends of some are the file's.
    return [(clean[key].strip(), typed[key].strip()) for key in sorted(clean.keys() & typed.keys())]


def main(name, path, what="noise"):
    """Write the noise, or the pairs."""
    rows = pairs(Path(path))
    if what == "pairs":
        for clean, noisy in rows:
            print(json.dumps({"clean": clean, "noisy": noisy}, ensure_ascii=False))
        return
    noise = counted(align(*zip(*rows, strict=True)), least=1)
    head = HEADS[name] | {"made by": "build/noise.py"}
    print(json.dumps(head | noise, ensure_ascii=False).replace("], [", "],\n["))


if __name__ == "__main__":
    main(*sys.argv[1:])
