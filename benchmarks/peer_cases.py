"""Run the test cases of other libraries that have a counterpart, and count them.

    python benchmarks/peer_cases.py [--clones FOLDER]     repositories are cloned there if missing

A case agrees if the same text comes out (where just one is right), or if both change the text or
both leave it. `data/peer_cases.tsv` says which step stands for which transformation, and why
results differ on purpose; without a reason there, another result is wrong. Steps have `SEEDS`.
"""

import ast
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

from common import FOLDER, options, write_result

import perturb

REPOSITORIES = {
    "nl-augmenter": "https://github.com/GEM-benchmark/NL-Augmenter",
    "helm": "https://github.com/stanford-crfm/helm",
    "langtest": "https://github.com/JohnSnowLabs/langtest",
    "checklist": "https://github.com/marcotcr/checklist",
}
NL_AUGMENTER = "nlaugmenter/transformations/{}/test.json"
HELM = "src/helm/benchmark/augmentations/test_perturbation.py"
LANGTEST = "tests/test_robustness.py"
CHECKLIST = "notebooks/tutorials/2. Perturbing data.ipynb"
SEEDS = range(5)
OUTCOMES = ("agree", "on purpose", "wrong")


def shown(clones, suite, path):
    """Return a file of a repository at its newest commit."""
    folder = clones / suite
    if not folder.exists():
        clone = ["git", "clone", "--quiet", "--bare", "--depth", "1", REPOSITORIES[suite], folder]
        subprocess.run(clone, check=True)
    command = ["git", "--git-dir", folder, "show", f"HEAD:{path}"]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8")


def functions(source):
    """Return the source of each function of a module by its name."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.get_source_segment(source, node) for node in nodes}


def strings(pattern, source):
    return [ast.literal_eval(found) for found in re.findall(pattern, source)]


def shown_pairs(notebook, name):
    """Yield each text of a tutorial and what the function of that name makes of it there."""
    cells = [cell for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    data = next(source for source in sources if source.startswith("data = "))
    texts = ast.literal_eval(data.removeprefix("data = "))
    for source, cell in zip(sources, cells, strict=True):
        if re.search(rf"Perturb\.{name}\b", source) is None:
            continue
        (output,) = cell["outputs"]
        output = "".join(output["text"] if "text" in output else output["data"]["text/plain"])
        if source.startswith("for t in "):  # a text, what is made of it, and a blank line
            yield from zip(output.split("\n")[::3], output.split("\n")[1::3], strict=False)
        elif asked := re.fullmatch(rf"Perturb\.{name}\(('.*')\)", source):
            if isinstance(ast.literal_eval(output), str):
                yield ast.literal_eval(asked[1]), ast.literal_eval(output)
        elif not output.startswith("(John"):  # a document of another library, in no quotes
            pairs = {row[0]: row[1] for row in rows_of_strings(ast.literal_eval(output))}
            yield from ((text, made) for text, made in pairs.items() if text in texts)
            if source.endswith(f"data, Perturb.{name})\nret.data"):  # the others it leaves
                yield from ((text, text) for text in texts if text not in pairs)


def rows_of_strings(value):
    """Yield the innermost lists and tuples of two strings and more."""
    if isinstance(value, list | tuple):
        if len(value) > 1 and all(isinstance(each, str) for each in value):
            yield value
        else:
            for each in value:
                yield from rows_of_strings(each)


def cases(clones, suite, name):
    """Yield each text of a test and what is made of it there; None where it only changes."""
    if suite == "nl-augmenter":
        for case in json.loads(shown(clones, suite, NL_AUGMENTER.format(name)))["test_cases"]:
            if "sentence" in case["inputs"] and case["outputs"]:
                yield case["inputs"]["sentence"], case["outputs"][0]["sentence"]
    elif suite == "helm":
        test = functions(shown(clones, suite, HELM))[name]
        texts = strings(r'Input\(text=("(?:[^"\\]|\\.)*")', test)
        yield texts[0], strings(r'\.text == ("(?:[^"\\]|\\.)*")', test)[0]
    elif suite == "checklist":
        yield from shown_pairs(shown(clones, suite, CHECKLIST), name)
    else:
        source = shown(clones, suite, LANGTEST)
        lists = [
            strings(
                r'original=("(?:[^"\\]|\\.)*")',
                re.search(rf"self\.{name} = \[.*?\n {{8}}\]", source, re.DOTALL)[0],
            )
            for name in dict.fromkeys(
                re.findall(r"self\.(\w*sentences\w*)", functions(source)[name])
            )
        ]
        yield from zip(
            lists[0], lists[1] if len(lists) > 1 else [None] * len(lists[0]), strict=True
        )


def outcome(text, theirs, spec, kind, reason):
    """Return how a case ends, and one text that the step makes."""
    strength = {} if ":p=" in spec else {"p": 1.0}
    made = [str(perturb.apply(text, spec, seed=seed, **strength)) for seed in SEEDS]
    changed = [one != text for one in made]
    same = theirs in made if kind == "text" else any(changed) == (theirs != text)
    return OUTCOMES[0 if same else 1 if reason else 2], made[0]


def main():
    parser = options(__doc__)
    parser.add_argument("--clones", type=Path, default=FOLDER / ".peers", help="where they are")
    clones = parser.parse_args().clones
    table = (FOLDER / "data/peer_cases.tsv").read_text("utf-8").partition("\n\n")[2].splitlines()
    counts, others = {suite: Counter() for suite in REPOSITORIES}, []
    for suite, name, spec, kind, reason in (line.split("\t") for line in table):
        for text, theirs in cases(clones, suite, name):
            how, made = outcome(text, theirs, spec, kind, reason)
            counts[suite][how] += 1
            if how != "agree":
                others.append([suite, name, how, reason, text, theirs, made])
                print(*others[-1][:3], *map(repr, others[-1][4:]), sep="\n    ")
    for suite, found in counts.items():
        print(suite, {how: found[how] for how in OUTCOMES})
    write_result("peer_cases", {"counts": counts, "others": others})


if __name__ == "__main__":
    main()
