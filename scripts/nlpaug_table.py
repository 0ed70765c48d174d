"""Try every augmenter of nlpaug on the example questions, and write the table of its page in docs.

Run it as `python scripts/nlpaug_table.py` where nlpaug is installed. Augmenters that need models or
data which are not on the machine say so in the table.
"""

import contextlib
import io
import json
import time
from importlib.metadata import version
from pathlib import Path

import perturb
from perturb.perturbators.shared.nlpaug import _augmenters

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "migration" / "nlpaug.md"
START, END = "<!-- nlpaug -->", "<!-- /nlpaug -->"
TEXTS = [
    json.loads(line)["question"]
    for line in (ROOT / "examples" / "questions.jsonl").read_text("utf-8").splitlines()
][:50]
# Those that have no default for an argument, or a default that is a folder with a model in it.
NEEDS = {
    "ReservedAug": "`reserved_tokens`, a list, which a spec can't hold: `perturb.from_function`",
    "WordEmbsAug": "`model_type` and `model_path`, a file of word vectors",
    "TfIdfAug": "`model_path`, a folder with a trained TF-IDF model",
    "LambadaAug": "`model_dir`, a folder with a trained model",
}
LACKS = {"torch": "torch and a model", "nltk": "data of nltk (a tagger and WordNet)"}


def tried(name):
    """The cells of an augmenter's row: how it went, texts changed, the same again, time."""
    short = name.partition(".")[2]
    if short in NEEDS:
        return "needs " + NEEDS[short], "", "", ""
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # attempts to download
            start = time.process_time()
            records = perturb.apply(TEXTS, name, p=1.0)
            spent = time.process_time() - start
    except perturb.UsageError as error:
        lacks = [what for word, what in LACKS.items() if word in str(error).lower()]
        reason = lacks[0] if lacks else " ".join(str(error).split())[:80]
        return f"not tried here: {reason}", "", "", ""
    turned = perturb.apply(TEXTS[::-1], name, p=1.0)[::-1]
    same = [a.text for a in records] == [b.text for b in turned] and all(
        record.restore() == text for record, text in zip(records, TEXTS, strict=True)
    )
    same = same and all(perturb.verify(record, trust=[name]) for record in records)
    changed = sum(bool(record.edits) for record in records)
    outcome = "works" if changed else "changes nothing"
    return outcome, f"{changed}", "yes" if same else "**no**", f"{1000 * spent / len(TEXTS):.1f}"


def main():
    """Write the table into the page."""
    head = ["augmenter", "outcome", f"changed, of {len(TEXTS)}", "same again", "ms a text"]
    rows = [[f"`{name}`", *tried(name)] for name in sorted(_augmenters())]
    lines = [f"nlpaug {version('nlpaug')}, by `python scripts/nlpaug_table.py`:", ""]
    lines += ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n" + "\n".join(lines) + f"\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
