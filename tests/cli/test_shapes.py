"""Published layouts by name.

The files themselves were tried where they can be had; see docs/how-to/published-benchmarks.md.
"""

import json

import pytest
from lines import rows_in
from shape_rows import (
    AROUND,
    ASKED,
    FURTHER,
    LETTERS,
    ROWS,
    SAME,
    SHAPES,
    numbered,
    written,
)

import perturb
from perturb.cli import main
from perturb.errors import UsageError
from perturb.io import json_path
from perturb.plan.job import Job, job_of
from perturb.plan.recipe_text import cut
from perturb.plan.shapes import fitting


def test_each_shape_has_an_example() -> None:
    assert [*SHAPES] == [*ROWS]
    assert len(SHAPES) >= 20


@pytest.mark.parametrize("name", [*SHAPES])
def test_a_published_file_from_apply_to_score(name, tmp_path, capfd) -> None:
    source, out, scored = written(name, tmp_path), tmp_path / "out.jsonl", tmp_path / "scored.jsonl"
    step = "tool_schema" if SHAPES[name].step == "tool_schema" else "keyboard_typos"
    share = "0.2" if step == "keyboard_typos" else "1"
    words = ["apply", step, "-p", share, "--shape", name, *FURTHER.get(name, [])]
    assert main([*words, "--with-original", "-i", str(source), "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    rows = rows_in(out)
    assert len(rows) == 48
    assert {row["perturbation"]["status"] for row in rows} == {"original", "changed"}
    # The toy system is right where nothing changed, and for some other rows.
    right = [
        row["perturbation"]["status"] == "original" or at % 4 == 1 for at, row in enumerate(rows)
    ]
    scored.write_text(
        "".join(
            json.dumps({**row, "right": int(is_right)}) + "\n"
            for row, is_right in zip(rows, right, strict=True)
        )
    )
    capfd.readouterr()
    assert main(["score", str(scored), "--score", "right", "--json"]) in (0, 1)
    assert step in capfd.readouterr().out


def right_text(row, options):
    """The text of the right option, as readers of the layout find it."""
    first, paths = "", [cut(path) for path in options["choices"]]
    texts = [
        value
        for label, path in paths
        for _, value in json_path.locate(row, path)
        if (first := first or label) is not None
    ]
    if len(texts) == 1:  # a list, or an object from labels
        (texts,) = texts
        texts = list(texts.values()) if isinstance(texts, dict) else texts
    texts = [text.partition(")")[2] or text for text in texts]  # without labels
    found = set()
    for path in options["target"]:
        ((_, answer),) = json_path.locate(row, path)
        if isinstance(answer, list):
            found.add(tuple(text for text, flag in zip(texts, answer, strict=True) if flag))
        elif answer in texts:
            found.add((answer,))
        else:
            at = LETTERS.index(answer) if answer in LETTERS else int(answer) - (first == "1")
            found.add((texts[at],))
    (right,) = found
    return right


@pytest.mark.parametrize("name", [name for name in SHAPES if "choices" in SHAPES[name].options])
def test_the_right_option_stays_right(name, tmp_path) -> None:
    source, out = written(name, tmp_path), tmp_path / "out.jsonl"
    words = ["apply", "option_shuffle", "--shape", name, "--with-original", "-i", str(source)]
    assert main([*words, "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    moved, rows = 0, rows_in(out)
    for original, row in zip(rows[::2], rows[1::2], strict=True):
        options = SHAPES[name].options
        rights = [right_text(each, options) for each in (original, row)]
        assert sorted(rights[0]) == sorted(rights[1])
        moved += row["perturbation"]["status"] == "changed"
    assert moved > 6


@pytest.mark.parametrize("name", [*SHAPES])
def test_a_file_is_told_by_its_keys(name, tmp_path) -> None:
    row = numbered(ROWS[name], 0)
    if name != "conll2003":
        value = AROUND[name]([row]) if name in AROUND else row
    else:
        value = {"tokens": ["The", "hens"], "tags": ["O", "O"]}
    shape = fitting(value, {SHAPES[name].step})
    assert shape is not None
    assert shape.name == SAME.get(name, name)


MORE = {"_id": "a", "question": ASKED, "answer": "yes", "supporting_facts": [["Hens", 0]]}


@pytest.mark.parametrize("value", [{}, {"text": "How many?"}, [], "text", {"data": []}, MORE])
def test_other_files_are_no_shape(value) -> None:
    assert fitting(value, {"tool_result"}) is None


def test_an_error_names_the_shape(tmp_path, capfd) -> None:
    source = written("squad", tmp_path)
    assert main(["apply", "char_swap", "-i", str(source)]) == 1
    assert "this looks like SQuAD 1 and 2, JSON; noise in the question: --shape squad" in (
        capfd.readouterr().err
    )
    assert main(["apply", "char_swap", "--shape", "squad", "-i", str(source)]) == 0
    assert main(["apply", "char_swap", "--shape", "xnli", "-i", str(source)]) == 1
    assert ": --shape squad names its fields" in capfd.readouterr().err
    assert main(["apply", "char_swap", "--field", "title", "-i", str(source)]) == 1
    assert "--shape" not in capfd.readouterr().err


def test_the_list_has_each_shape_with_its_options(capfd) -> None:
    assert main(["apply", "--shape", "list"]) == 0
    listed = capfd.readouterr().out
    for name, shape in SHAPES.items():
        assert f"{name}: {shape.title}\n" in listed
    assert "--field question --target 'answers[*].text' --rows 'data[*]" in listed


def test_options_overrule_a_shape_and_the_recipe_has_no_name(tmp_path) -> None:
    source, out = written("sharegpt", tmp_path), tmp_path / "out.jsonl"
    words = ["apply", "char_swap", "--shape", "sharegpt", "--field", "conversations[*].value"]
    assert main([*words, "-i", str(source), "-o", str(out)]) == 0
    recipe = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())["recipe"]
    assert "--field conversations[*].value --contract" in recipe
    assert "sharegpt" not in recipe
    (tmp_path / "noise.yaml").write_text(
        "char_swap:\nshape: sharegpt\n".replace("char_swap:", "steps: char_swap")
    )
    config = ["apply", "--config", str(tmp_path / "noise.yaml"), "-i", str(source)]
    assert main([*config, "-o", str(out)]) == 0
    assert "from=human" in (tmp_path / "out.jsonl.manifest.json").read_text()


def of_results(task):
    """The values of the labels of all annotators and predictions of a task."""
    made = [*task["annotations"], *task["predictions"]]
    return [each["value"] for a in made for each in a["result"] if each["type"] == "labels"]


@pytest.mark.parametrize("unit", ["characters", "utf16"])
def test_each_label_of_an_export_moves(unit, tmp_path, capfd) -> None:
    """Also where offsets are those of JavaScript, as exports had them for years."""
    tasks = [numbered(ROWS["label_studio"], n) for n in range(20)]
    for value in (value for task in tasks for value in of_results(task)):
        for end in ("start", "end"):
            value[end] += unit == "utf16"  # each stands behind one character that takes two
    source, out, back = (tmp_path / name for name in ("in.json", "out.json", "back.json"))
    source.write_text(json.dumps(tasks), "utf-8")
    words = ["apply", "char_insert", "-p", "0.3", "--shape", "label_studio", "-i", str(source)]
    if unit == "utf16":
        assert main([*words, "-o", str(out)]) == 1
        assert "in.json:1: the span {'end': 7, 'labels': ['X']" in capfd.readouterr().err
    assert main([*words, "--offsets", unit, "-o", str(out)]) == 0
    compared = 0
    for task, before in zip(json.loads(out.read_text("utf-8")), tasks, strict=True):
        text, size = (
            (task["data"]["text"], 1)
            if unit == "characters"
            else (task["data"]["text"].encode("utf-16-le"), 2)
        )
        for value, old in zip(of_results(task), of_results(before), strict=True):
            stands = text[value["start"] * size : value["end"] * size]
            assert (stands if size == 1 else stands.decode("utf-16-le")) == value["text"]
            # It is the label that it was, with letters inserted.
            letters = iter(value["text"])
            assert all(letter in letters for letter in old["text"])
            compared += 1
        assert task["annotations"][0]["result"][2:] == before["annotations"][0]["result"][2:]
    assert compared == 80
    assert main(["restore", str(out), "-o", str(back)]) == 0
    assert json.loads(back.read_text("utf-8")) == tasks


def test_python_takes_shapes_too() -> None:
    """A shape whose rows are inside others makes rows of the objects that hold them."""
    article = AROUND["squad"]([numbered(ROWS["squad"], n) for n in range(3)])
    rows = list(perturb.augment([article], "char_swap", p=0.3, shape="squad"))
    assert [row["perturbation"]["original_id"] for row in rows] == ["q0", "q1", "q2"]
    assert isinstance(job_of("ocr", shape="squad"), Job)
    assert job_of("ocr", shape="squad") == job_of("ocr", **SHAPES["squad"].options)
    with pytest.raises(UsageError, match=r"are inside others; perturb\.augment"):
        perturb.Transform("char_swap", shape="squad")
    with pytest.raises(UsageError, match="did you mean squad"):
        perturb.augment([article], "char_swap", shape="sqad")
