"""Write what other libraries' names stand for: `python scripts/drop_in_names.py`."""

from itertools import groupby
from pathlib import Path

from perturb.pipeline.drop_in_names import LEFT_OUT, drop_ins

PAGE = Path(__file__).parents[1] / "docs" / "drop-in-names.md"
LIBRARIES = {
    "weave": "W&B Weave, `weave/scorers/robustness_scorer.py`",
    "helm": "HELM, `helm/benchmark/augmentations` and `run_expander.py`",
    "langtest": "LangTest, `langtest/transform/robustness.py`",
    "nlaugmenter": "NL-Augmenter, `nlaugmenter/transformations`",
}
START = """\
# Names of other libraries

Made by `python scripts/drop_in_names.py` from `perturb/pipeline/drop_in_names.tsv`.

A name has its library before a dot, so that it never stands for one of ours. It may stand wherever
a step may: `perturb.apply(text, "helm.typos")`, `perturb apply weave.butterfingers`, in
combinators, grids and YAML. The record holds the steps that it stands for. Where that is one step,
its `p` or `count` is what the original does without being told otherwise, and `helm.typos:p=0.3`,
`p=0.3` or `severity=2` takes its place. A name of several steps takes no settings: write its steps.

What holds for all of them: the same text with the same seed gives the same bytes, in any order and
with any number of processes; every edit is in the record; white space, and all text outside the
edits, stays as it is; no grapheme cluster is split; URLs, numbers or code can be protected; and a
text that did not change says why.

H2O Eval Studio's names are plain aliases, which `perturb list --aliases` lists with these.
"""


def page() -> str:
    """The page as it should be."""
    parts = [START]
    for library, group in groupby(drop_ins().values(), lambda one: one.name.partition(".")[0]):
        parts.append(f"\n## {LIBRARIES[library]}\n\n| name | stands for | theirs | ours |\n")
        parts.append("|---|---|---|---|\n")
        for one in group:
            steps = one.steps.replace("|", "\\|")
            parts.append(f"| `{one.name}` | `{steps}` | {one.theirs} | {one.ours} |\n")
    parts.append("\n## Left out\n\nNames that would do something else than they say.\n\n")
    parts += [f"- {names}: {reason}.\n" for names, reason in LEFT_OUT.items()]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), "utf-8")
