"""Prompts, and sets of them."""

import pytest

from perturb.errors import DataError, UsageError
from perturb.evaluation.prompts import Prompt, Variant, load_prompt, load_set

ROW = {
    "problem": "1 + {x} = 2",
    "n": 3,
    "meta": {"topic": "sums", "tags": ["a", "b"]},
    "none": None,
}


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{problem}", "1 + {x} = 2"),
        ("a {problem} b {problem}", "a 1 + {x} = 2 b 1 + {x} = 2"),
        ("{n} of {meta.topic}, {meta.tags[1]}", "3 of sums, b"),
        ("\\boxed{{}} {{problem}}", "\\boxed{} {problem}"),
        ("no field\r\n\ttabs  stay ", "no field\r\n\ttabs  stay "),
        ("", ""),
    ],
)
def test_templates(template, filled):
    assert Prompt(template).messages(ROW) == [{"role": "user", "content": filled}]


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{question}", "no field 'question': there is no 'question', but 'problem'"),
        ("{none}", "{none} in the prompt must be one text or number in the row"),
        ("{meta.tags}", "{meta.tags} in the prompt must be one text or number"),
        ("{meta.tags[*]}", "must be one text or number"),
    ],
)
def test_rows_that_do_not_fit(template, message):
    with pytest.raises(DataError) as error:
        Prompt(template).messages(ROW)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.txt", "{problem", "expected '}' before end of string; {field} stands for a field"),
        ("p.txt", "\\boxed{}", "braces that are meant are written twice"),
        ("p.txt", "{problem!r}", "{problem} asks for a format"),
        ("p.txt", "{problem:>9}", "{problem} asks for a format"),
        ("p.yaml", "text", "a prompt is YAML with the text of `user`"),
        ("p.yaml", "system: x", "a prompt is YAML with the text of `user`"),
        ("p.yaml", "user: x\nsystem: [1]", "`system` must be a text; got [1]"),
        ("p.yaml", "user: x\nfew_shot: y", "a prompt has `user` and `system`; got few_shot too"),
        ("p.yaml", "user: [", "is not YAML"),
        ("p.yml", "user: x\nsystem: '{'", "Single '{' encountered"),
    ],
)
def test_prompts_that_are_none(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(UsageError) as error:
        load_prompt(tmp_path / name)
    assert str(error.value).startswith(str(tmp_path / name))
    assert message in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match=r"can't read .*: No such file"):
        load_prompt(tmp_path / "absent.txt")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(UsageError, match="is not UTF-8: byte 4"):
        load_prompt(tmp_path / "latin.txt")


def test_a_set_names_files_from_its_folder(tmp_path):
    (tmp_path / "mcq").mkdir()
    (tmp_path / "mcq" / "one.yaml").write_text("user: |-\n  {problem}\n", "utf-8")
    (tmp_path / "two.txt").write_text("2 {n}", "utf-8")
    (tmp_path / "set.yaml").write_text("gpqa:\n- mcq/one\n- two.txt\nmath:\n- two.txt\n", "utf-8")
    one, two = Variant(Prompt("{problem}")), Variant(Prompt("2 {n}"))
    wanted = {"gpqa": {"one": one, "two": two}, "math": {"two": two}}
    assert load_set(tmp_path / "set.yaml") == wanted
    assert load_set(tmp_path / "set") == wanted


def test_a_set_as_newer_releases_write_it(tmp_path):
    """Files named from the folder above the set's, and a pattern of a prompt's own."""
    folder = tmp_path / "robustness"
    (folder / "mcq").mkdir(parents=True)
    for name in ("boxed", "angles"):
        (folder / "mcq" / f"{name}.yaml").write_text(f"user: {name}\nsystem: ''", "utf-8")
    (folder / "set.yaml").write_text(
        "gpqa:\n"
        "  - prompt_config: robustness/mcq/boxed\n"
        "  - prompt_config: robustness/mcq/angles\n"
        "    extract_regex: '<<([A-Za-z])>>'\n",
        "utf-8",
    )
    boxed, angles = load_set(folder / "set.yaml")["gpqa"].values()
    assert boxed == Variant(Prompt("boxed", ""))
    assert angles == Variant(Prompt("angles", ""), "regex:<<([A-Za-z])>>")
    assert angles.prompt.messages({}) == [{"role": "user", "content": "angles"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "a prompt set is YAML, from a benchmark to a list of prompts"),
        ("gpqa: p.txt", "gpqa must have a list of prompts; got 'p.txt'"),
        ("gpqa: []", "gpqa must have a list of prompts; got []"),
        ("gpqa: [1]", "a prompt of gpqa is the name of a file, or prompt_config with it"),
        ("gpqa: [{prompt_config: p.txt, regex: x}]", "a prompt of gpqa is the name of a file"),
        ("gpqa: [p.txt, q/p.txt]", "gpqa has two prompts named p: rename one"),
        ("gpqa: [absent]", "can't read "),
    ],
)
def test_sets_that_are_none(tmp_path, text, message):
    (tmp_path / "q").mkdir()
    for path in ("p.txt", "q/p.txt", "set.yaml"):
        (tmp_path / path).write_text(text if path == "set.yaml" else "x", "utf-8")
    with pytest.raises(UsageError) as error:
        load_set(tmp_path / "set.yaml")
    assert message in str(error.value)
