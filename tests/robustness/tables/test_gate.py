import json
from xml.etree import ElementTree

import pytest

from perturb.cli import main
from perturb.errors import UsageError
from perturb.robustness.tables.gate import rule_of


@pytest.fixture
def scored(write, linked):
    """100 originals; one in four breaks under typos, none under case."""
    rows = [{"id": str(at), "correct": True} for at in range(100)]
    rows += [linked(at, correct=at % 4 > 0) for at in range(100)]
    rows += [linked(at, "case", 0.5, correct=True) for at in range(100)]
    return write("scored.jsonl", rows)


@pytest.mark.parametrize(
    ("rules", "status"),
    [
        (["drop>0.05"], 3),
        (["typos@0.1: drop>0.05"], 3),
        (["typos: drop > .2"], 0),  # the interval shows a drop of .17, no more
        (["typos: difference < -0.2"], 3),
        (["case@0.5: low<-0.1"], 0),
        (["case: score<1"], 0),
        (["overall: score<0.9"], 3),
        (["case: low<-0.1", "typos: high<0"], 3),
        (["unread>0"], 0),
    ],
)
def test_rules(scored, rules, status, capsys):
    given = [word for rule in rules for word in ("--fail-if", rule)]
    assert main(["score", str(scored), "--score", "correct", *given]) == status
    assert ("fails" in capsys.readouterr().err) == (status == 3)


def test_what_cannot_be_judged_passes_no_gate(write, linked, capsys):
    rows = [{"id": str(at), "correct": False} for at in range(20)]
    rows += [linked(at, correct=False) for at in range(20)]
    path = write("scored.jsonl", rows)
    assert main(["score", str(path), "--score", "correct", "--fail-if", "drop>0.9"]) == 3
    assert "cannot be judged: no original is answered correctly" in capsys.readouterr().err


def test_a_condition_of_several_steps_has_rules_too():
    rule = rule_of("ocr:p=0.1 case:p=0.2: drop > 0.1")
    assert (rule.condition, rule.measure, rule.limit) == ("ocr:p=0.1 case:p=0.2", "drop", 0.1)


def test_junit(scored, tmp_path, capsys):
    out = tmp_path / "junit.xml"
    given = ("--fail-if", "drop>0.05", "--fail-if", "case: drop>0.05", "--junit", str(out))
    assert main(["score", str(scored), "--score", "correct", *given]) == 3
    suite = ElementTree.fromstring(out.read_text("utf-8"))
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    assert {case.get("name"): len(case.findall("failure")) for case in suite.iter("testcase")} == {
        "drop>0.05 (case p=0.5)": 0,
        "drop>0.05 (typos p=0.1)": 1,
        "drop>0.05 (overall)": 1,
        "case: drop>0.05 (case p=0.5)": 0,
    }
    assert suite.findtext("system-out").startswith("Breaks under typos p=0.1 (-0.250).")
    capsys.readouterr()


def test_a_condition_that_no_rule_is_about_is_a_skipped_case(scored, tmp_path, capsys):
    out = tmp_path / "junit.xml"
    rule = ("--fail-if", "case: drop>0.05", "--junit", str(out))
    assert main(["score", str(scored), "--score", "correct", *rule]) == 0
    suite = ElementTree.fromstring(out.read_text("utf-8"))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "0", "2")
    skipped = [case.get("name") for case in suite.iter("testcase") if len(case.findall("skipped"))]
    assert skipped == ["typos p=0.1", "overall"]
    capsys.readouterr()


def test_the_rules_stand_below_the_table_in_markdown(scored, capsys):
    given = ("--fail-if", "drop>0.05", "--fail-if", "case: drop>0.05", "--format", "md")
    assert main(["score", str(scored), "--score", "correct", *given]) == 3
    lines = capsys.readouterr().out.splitlines()
    rules = lines[lines.index("- **fails**: `drop>0.05`") :]
    assert [line.partition(":")[0] for line in rules] == [
        "- **fails**",
        "  - typos p=0.1",
        "  - overall",
        "- passes",
    ]


@pytest.mark.parametrize("text", ["drop", "drop=1", "drip>1", ": drop>1", "drop>x"])
def test_rules_that_are_none(text):
    with pytest.raises(UsageError, match=r"a rule is \[CONDITION:\] MEASURE"):
        rule_of(text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("drop > 5", "'drop>0.05'"),
        ("drop>5%", "'drop>0.05'"),
        ("typos@0.1: low < -10 %", "'low<-0.1'"),
        ("reaction<10", "'reaction<0.1'"),
        ("tolerance<3%", "'tolerance<0.03'"),
        ("drop<0.05", "'drop>0.05'"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_told_the_right_form(text, right):
    with pytest.raises(UsageError, match=rf"write {right}; got "):
        rule_of(text, shares=True)


@pytest.mark.parametrize("command", ["score", "compare"])
def test_points_are_refused_of_answers_of_one_system_and_of_two(command, write, linked, capsys):
    rows = [{"id": "1", "answer": "3", "prediction": "3"}]
    rows += [linked(1, answer="3", prediction="4")]
    paths = [str(write(f"{name}.jsonl", rows)) for name in "ab"][: 1 + (command == "compare")]
    assert main([command, *paths, "--fail-if", "drop > 5"]) == 2
    assert "5 points are 0.05 of scores between 0 and 1" in capsys.readouterr().err


@pytest.mark.slow
def test_points_are_refused_of_scores_that_all_lie_between_0_and_1(scored, write, linked, capsys):
    assert main(["score", str(scored), "--score", "correct", "--fail-if", "drop>5"]) == 2
    assert "'drop>0.05'" in capsys.readouterr().err
    rows = [{"id": str(at), "bleu": 40.0 + at % 3} for at in range(50)]
    rows += [linked(at, bleu=30.0 + at % 3) for at in range(50)]
    path = str(write("bleu.jsonl", rows))
    assert main(["score", path, "--score", "bleu", "--fail-if", "drop>5"]) == 3


def test_a_rule_of_no_condition_is_named(command, scored):
    with pytest.raises(
        UsageError, match=r"no condition is so called; there are case p=0.5, typos p=0.1"
    ):
        command("score", scored, "--score", "correct", "--fail-if", "swap: drop>0.05")


@pytest.fixture
def systems(write, linked):
    """100 originals; under typos A loses one in ten and B one in two, under case neither."""
    paths = []
    for name, keeps in (("a", 10), ("b", 2)):
        rows = [{"id": str(at), "correct": True} for at in range(100)]
        rows += [linked(at, correct=at % keeps > 0) for at in range(100)]
        rows += [linked(at, "case", 0.5, correct=True) for at in range(100)]
        paths.append(str(write(f"{name}.jsonl", rows)))
    return paths


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("drop>0.05", 3),
        ("typos@0.1: drop>0.2", 3),
        ("typos: drop>0.39", 0),  # the interval shows less than the difference of .4
        ("typos p=0.1: difference<-0.39", 3),
        ("case: low<-0.1", 0),
        ("overall: high<0", 3),
        ("typos: score<0.9", 2),  # of two systems there is no one score
        ("ocr: drop>0", 2),
    ],
)
def test_rules_of_two_systems(systems, rule, status, capsys):
    assert main(["compare", *systems, "--score", "correct", "--fail-if", rule]) == status
    assert ("fails" in capsys.readouterr().err) == (status == 3)


@pytest.mark.slow
def test_the_rules_of_two_systems_in_markdown_and_junit(systems, tmp_path, capsys):
    out = tmp_path / "junit.xml"
    given = ("--fail-if", "drop>0.05", "--fail-if", "case: drop>0.05", "--junit", str(out))
    assert main(["compare", *systems, "--score", "correct", "--format", "md", *given]) == 3
    assert (
        "- **fails**: `drop>0.05`\n  - typos p=0.1: drop is at least 0." in capsys.readouterr().out
    )
    cases = list(ElementTree.fromstring(out.read_text("utf-8")).iter("testcase"))
    assert [case.get("classname") for case in cases] == ["perturb.compare"] * 4
    assert [len(case.findall("failure")) for case in cases] == [0, 1, 1, 0]


@pytest.mark.slow
def test_two_systems_of_which_one_cannot_be_judged_pass_no_gate(systems, write, linked, capsys):
    rows = [{"id": str(at), "correct": False} for at in range(100)]
    rows += [linked(at, correct=False) for at in range(100)]
    dead = str(write("dead.jsonl", rows))
    given = ("--score", "correct", "--fail-if", "drop>0.9")
    assert main(["compare", systems[0], dead, *given]) == 3
    assert "cannot be judged: of dead, no original" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("drop", lambda one: max(0.0, -one["high"])),
        ("difference", lambda one: one["perturbed_mean"] - one["clean_mean"]),
        ("low", lambda one: one["low"]),
        ("high", lambda one: one["high"]),
        ("score", lambda one: one["perturbed_mean"]),
        ("unread", lambda one: one["unread"] + one["refused"] + one["no_reply"]),
    ],
)
def test_a_rule_is_about_the_figure_of_its_name(write, linked, measure, value, capsys):
    """Each figure is another one, and a rule breaks just below it, but not above."""
    said = ["right", "right", "wrong", "Sorry, I can't help with that.", None] * 20
    rows = [{"id": str(at), "answer": "right", "prediction": "right"} for at in range(100)]
    rows += [linked(at, answer="right", prediction=one) for at, one in enumerate(said)]
    path = str(write("scored.jsonl", rows))
    main(["score", path, "--format", "json"])
    figure = value(json.loads(capsys.readouterr().out)["overall"][0])
    for step, status in ((-1e-6, 3), (1e-6, 0)):
        rule = f"overall: {measure} > {figure + step:.9f}"
        assert main(["score", path, "--fail-if", rule]) == status
    capsys.readouterr()
