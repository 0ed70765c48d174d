"""Published layouts by name, through one call to a verdict, and by the usual readers of each."""

import csv
import json

import pytest
from shape_rows import FURTHER, SHAPES, written

from perturb.cli import main

BOT = """
import re

def right(question):
    \"\"\"Reply with the label of an option that it knows, as a system reads it.\"\"\"
    lines = dict(re.findall("(?m)^([A-Za-z0-9])[.)] ?(.*)$", question))
    known = "no eggs at all" if "no eggs at all" in lines.values() else "sixteen eggs"
    return next(label for label, text in lines.items() if text == known)


def any(question):
    return "16" if isinstance(question, str | list) else 1 / 0
"""
# What `perturb test` can't ask or grade: tokens, other kinds of chats, several right options, and
# tools, which no noise of letters is for.
UNASKED = {"conll2003", "preference_chat", "gemini", "fewrel", "truthfulqa_mc2"}
UNASKED |= {"openai_schemas", "anthropic_schemas"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHAPES if name not in UNASKED])
def test_a_published_file_goes_through_one_call(name, tmp_path, monkeypatch, capfd) -> None:
    """A system that sees the question and its options is right, whatever their order."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "own.yaml").write_text(
        "grid: [case, option_shuffle]\np: 0.5\nwith_original: true\n"
    )
    lists = "choices" in SHAPES[name].options
    system = f"python:bot.py:{'right' if lists else 'any'}"
    words = ["test", str(written(name, tmp_path)), system, "--shape", name, "--all"]
    words += ["--suite", "own.yaml", "-o", "out", *FURTHER.get(name, [])]
    assert main(words) == 0, capfd.readouterr().err
    conditions = json.loads((tmp_path / "out" / "verdict.json").read_text())["conditions"]
    means = {each[mean] for each in conditions for mean in ("clean_mean", "perturbed_mean")}
    assert len(conditions) >= 2
    assert not lists or means == {1.0}


def by_datasets(path, **options):
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    loaded = datasets.load_dataset(
        "json", data_files=str(path), split="train", cache_dir=str(path.parent / "cache"), **options
    )
    return loaded.to_list()


def by_squad(path):
    """As the evaluation script of SQuAD reads it."""
    return [
        {"context": paragraph["context"], **qa}
        for article in json.loads(path.read_text("utf-8"))["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]


def by_drop(path):
    """As the evaluation script of DROP reads it."""
    passages = json.loads(path.read_text("utf-8")).values()
    return [{"passage": one["passage"], **qa} for one in passages for qa in one["qa_pairs"]]


def by_relation(path):
    """As FewRel's data loader reads it."""
    return [one for rows in json.loads(path.read_text("utf-8")).values() for one in rows]


def by_tabs(path):
    """As GLUE's readers do, for which a quotation mark is part of the text."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def of_list(name):
    return lambda path: by_datasets(path, field=name)


# The usual reader of each of some layouts, and the field with the noise.
READERS = {
    "arc": (by_datasets, "question"),
    "bbq": (by_datasets, ["context", "question"]),
    "gsm8k": (by_datasets, "question"),
    "squad_hub": (by_datasets, "question"),
    "preference_chat": (by_datasets, ["chosen", "rejected"]),
    "openai": (by_datasets, "messages"),
    "sst2": (by_tabs, "sentence"),
    "bbh": (of_list("examples"), "input"),
    "helm": (of_list("request_states"), "instance"),
    "squad": (by_squad, "question"),
    "drop": (by_drop, "question"),
    "fewrel": (by_relation, "tokens"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*READERS])
def test_its_usual_reader_finds_all_else_as_it_was(name, tmp_path, monkeypatch) -> None:
    """A file of rows has its record besides; one with rows inside comes back in its own form."""
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    source, (read, field) = written(name, tmp_path), READERS[name]
    out = source.with_stem("noisy")
    nested = ["--nested"] * ("rows" in SHAPES[name].options)
    words = ["apply", "keyboard_typos", "-p", "0.2", "--shape", name, *nested, "-i", str(source)]
    assert main([*words, "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    before, after = read(source), read(out)
    assert len(before) == len(after) == 24
    changed = {field} if isinstance(field, str) else {*field}
    for one, other in zip(before, after, strict=True):
        kept = [key for key in one if key not in changed and (nested or key != "id")]
        assert [one[key] for key in kept] == [other[key] for key in kept]
        assert any(one[key] != other[key] for key in changed)
        assert not nested or one.keys() == other.keys()
