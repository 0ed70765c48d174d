"""Write wordlists/noise/typing.json: the errors of typed questions, as counts alone.

    python wordlists/build/typed_noise.py NOISEQA > wordlists/noise/typing.json

NOISEQA is a checkout of https://github.com/noiseQA/NoiseQA (MIT; its questions are SQuAD's). No
string of a question is written that fewer than five of them show.
"""

import json
import sys
from pathlib import Path

import perturb

SOURCE = "counts of typed questions: NoiseQA (A. Ravichander et al., EACL 2021), 25c49ce"


def questions(file):
    """Return the questions of a file by their ids."""
    data = json.loads(file.read_text("utf-8"))["data"]
    rows = [row for text in data for part in text["paragraphs"] for row in part["qas"]]
    return {row["id"]: row["question"] for row in rows}


def main(folder):
    """Write the noise."""
    natural = Path(folder) / "Natural"
    clean = questions(natural / "xquad-context-en-question-en.json")
    typed = questions(natural / "xquad-keyboard-natural.json")
    ids = sorted(clean.keys() & typed.keys())
    fit = perturb.fit([clean[key] for key in ids], [typed[key] for key in ids])
    print(fit, file=sys.stderr)
    head = {
        "source": SOURCE,
        "licence": "MIT, licenses/NOISEQA.txt",
        "made by": "build/typed_noise.py",
    }
    rows = json.dumps(head | dict(fit.noise), ensure_ascii=False).replace("], [", "],\n[")
    print(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
