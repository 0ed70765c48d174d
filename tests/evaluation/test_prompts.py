"""Prompts, and sets of them."""

import json

import pytest

from perturb.errors import DataError, UsageError
from perturb.evaluation.prompts import Prompt, Variant, load_prompt, load_set, shipped_set
from perturb.robustness.grading.extract import extractor, graded

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
    ("name", "text"),
    [
        ("p.txt", "What is 2 + 2?"),
        ("p.yaml", "user: '{{question}}'\nsystem: Be brief."),
        ("q.yaml", "user: '{examples}'\nfew_shot_examples: {template: '{a}', examples: [{a: b}]}"),
    ],
)
def test_a_prompt_without_a_field_of_the_row_is_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match="so every row would be asked the same; write one where"):
        load_prompt(tmp_path / name)
    (tmp_path / name).write_text(
        text.replace("user: '", "user: '{q} ") + " {q}" * (name == "p.txt")
    )
    assert load_prompt(tmp_path / name).messages({"q": "Why?"})


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "{question}",
            "no field 'question': known: meta, n, none, problem",
        ),
        ("{none}", "{none} in the prompt must match one text or number in the row"),
        ("{meta.tags}", "{meta.tags} in the prompt must match one text or number"),
        ("{meta.tags[*]}", "must match one text or number"),
    ],
)
def test_rows_that_do_not_fit(template, message):
    with pytest.raises(DataError) as error:
        Prompt(template).messages(ROW)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.txt", "{problem", "expected '}' before end of string; {field} is replaced by a field"),
        ("p.txt", "\\boxed{}", "double literal braces"),
        ("p.txt", "{problem!r}", "{problem} has a format specification"),
        ("p.txt", "{problem:>9}", "{problem} has a format specification"),
        ("p.yaml", "text", "a prompt is YAML with a text `user`"),
        ("p.yaml", "system: x", "a prompt is YAML with a text `user`"),
        ("p.yaml", "user: x\nsystem: [1]", "`system` must be a text; got [1]"),
        ("p.yaml", "user: x\nfew_shot: y", "a prompt has only `user` and `system`; got few_shot"),
        ("p.yaml", "user: [", "isn't YAML"),
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
    with pytest.raises(UsageError, match="isn't UTF-8 at byte 3"):
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
        (folder / "mcq" / f"{name}.yaml").write_text(f"user: '{name} {{q}}'\nsystem: ''", "utf-8")
    (folder / "set.yaml").write_text(
        "gpqa:\n"
        "  - prompt_config: robustness/mcq/boxed\n"
        "  - prompt_config: robustness/mcq/angles\n"
        "    extract_regex: '<<([A-Za-z])>>'\n",
        "utf-8",
    )
    boxed, angles = load_set(folder / "set.yaml")["gpqa"].values()
    assert boxed == Variant(Prompt("boxed {q}", ""))
    assert angles == Variant(Prompt("angles {q}", ""), "regex:<<([A-Za-z])>>")
    assert angles.prompt.messages({"q": "?"}) == [{"role": "user", "content": "angles ?"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "a prompt set is YAML, from a benchmark to a list of prompts"),
        ("gpqa: [{name: x}]", "a prompt of gpqa is the name of a file"),
        ("gpqa: [{name: x, user: y, extract_regex: 3}]", "a prompt of gpqa is the name of a file"),
        ("gpqa: p.txt", "gpqa must have a list of prompts; got 'p.txt'"),
        ("gpqa: []", "gpqa must have a list of prompts; got []"),
        ("gpqa: [1]", "a prompt of gpqa is the name of a file, or an object with prompt_config"),
        ("gpqa: [{prompt_config: p.txt, regex: x}]", "a prompt of gpqa is the name of a file"),
        ("gpqa: [p.txt, q/p.txt]", "gpqa has two prompts named p: rename one"),
        ("gpqa: [absent]", "can't read "),
    ],
)
def test_sets_that_are_none(tmp_path, text, message):
    (tmp_path / "q").mkdir()
    for path in ("p.txt", "q/p.txt", "set.yaml"):
        (tmp_path / path).write_text(text if path == "set.yaml" else "{x}", "utf-8")
    with pytest.raises(UsageError) as error:
        load_set(tmp_path / "set.yaml")
    assert message in str(error.value)


SHOTS = """
few_shot_examples:
  prefix: "Examples:\\n"
  template: "Q: {problem} A: {meta.answer}\\n"
  suffix: "---\\n"
  examples: EXAMPLES
user: "{examples}Q: {problem} A:"
system: "As in {examples}"
"""
WANTED = "Examples:\nQ: 1+1 A: 2\nQ: {x} A: y\n---\n"


def test_worked_examples(tmp_path):
    examples = [
        {"problem": "1+1", "meta": {"answer": 2}},
        {"problem": "{x}", "meta": {"answer": "y"}},
    ]
    (tmp_path / "shots.jsonl").write_text("\n".join(map(json.dumps, examples)), "utf-8")
    for written in (json.dumps(examples), "shots.jsonl"):
        (tmp_path / "p.yaml").write_text(SHOTS.replace("EXAMPLES", written), "utf-8")
        system, user = load_prompt(tmp_path / "p.yaml").messages({**ROW, "examples": "other"})
        assert user["content"] == f"{WANTED}Q: 1 + {{x}} = 2 A:"
        assert system["content"] == f"As in {WANTED}"
    assert Prompt("{examples}").messages({"examples": "of the row"})[0]["content"] == "of the row"


def test_no_worked_examples_are_no_text(tmp_path):
    """As in NeMo-Skills' own prompts, which have the template and leave the examples to the call."""
    (tmp_path / "p.yaml").write_text(SHOTS.replace("  examples: EXAMPLES\n", ""), "utf-8")
    system, user = load_prompt(tmp_path / "p.yaml").messages(ROW)
    assert user["content"] == "Q: 1 + {x} = 2 A:"
    assert system["content"] == "As in "


def test_files_of_a_set_are_named_from_the_working_directory_too(tmp_path, monkeypatch):
    """As in NeMo-Skills' own set, from its checkout."""
    folder = tmp_path / "prompt" / "config" / "robustness"
    (folder / "mcq").mkdir(parents=True)
    (folder / "mcq" / "1.yaml").write_text("user: one {x}", "utf-8")
    (folder / "set.yaml").write_text("gpqa: [prompt/config/robustness/mcq/1]", "utf-8")
    with pytest.raises(UsageError, match="can't read"):
        load_set(folder / "set.yaml")
    monkeypatch.chdir(tmp_path)
    assert load_set(folder / "set.yaml")["gpqa"]["1"].prompt.user == "one {x}"


@pytest.mark.parametrize(
    ("shots", "message"),
    [
        ("{prefix: x}", "`few_shot_examples` needs a text `template`"),
        ("{template: x, examples: [], more: 1}", "`few_shot_examples` has unknown keys"),
        ("{template: x, examples: [1]}", "expected a list of objects or the name of a file"),
        (
            "{template: '{a}', examples: [{b: 1}]}",
            "an example of `few_shot_examples`: no field 'a'",
        ),
        ("{template: '{', examples: []}", "{field} is replaced by a field"),
        ("{template: x, examples: absent.jsonl}", "can't read "),
    ],
)
def test_worked_examples_that_are_none(tmp_path, shots, message):
    (tmp_path / "p.yaml").write_text(f"user: x\nfew_shot_examples: {shots}", "utf-8")
    with pytest.raises(UsageError) as error:
        load_prompt(tmp_path / "p.yaml")
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["math", "mcq"])
def test_the_sets_that_come_with_perturb(name):
    """Twenty different prompts, each of which asks for the form that its answer is read from."""
    prompts = shipped_set(name, "question")
    said = set()
    for variant in prompts.values():
        messages = variant.prompt.messages({"question": "What is\n{1 + 1}?"})
        text = "\n".join(message["content"] for message in messages)
        assert text.count("What is\n{1 + 1}?") == 1
        if variant.extract is None:
            assert "\\boxed{" in text
        else:
            assert graded("I think so.\n**Answer: B**", "B", extractor([variant.extract])) == (
                "B",
                True,
            )
        said.add(text)
    assert len(said) == len(prompts) == 20


def test_prompts_may_stand_in_the_set_itself(tmp_path):
    (tmp_path / "set.yaml").write_text(
        "sums: math\ngpqa:\n- {name: a, user: '{x}', system: s}\n"
        "- {name: b, user: '{y}', extract_regex: z}\n",
        "utf-8",
    )
    found = load_set(tmp_path / "set.yaml")
    assert found["sums"] == shipped_set("math")
    assert found["gpqa"] == {
        "a": Variant(Prompt("{x}", "s")),
        "b": Variant(Prompt("{y}"), "regex:z"),
    }
    with pytest.raises(UsageError, match="unknown prompt set 'maths': did you mean math"):
        shipped_set("maths")


def test_sets_that_come_with_perturb_stand_in_a_list_too(tmp_path):
    path = tmp_path / "set.yaml"
    path.write_text(
        "alone: mcq\nlisted: [mcq]\nmore:\n  - math\n  - {name: own, user: '{problem}'}\n"
    )
    found = load_set(path)
    assert [*found["listed"]] == [*found["alone"]]
    assert len(found["more"]) == 21
    path.write_text("twice: [mcq, mcq]\n")
    with pytest.raises(UsageError, match="two prompts named"):
        load_set(path)
