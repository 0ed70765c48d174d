"""The plan of judging: what stands in it, its text form, and what can't stand together."""

import shlex
from dataclasses import fields, replace

import orjson
import pytest
import yaml

from perturb.cli.parser import parsed
from perturb.cli.scoring_options import grading_of
from perturb.errors import DataError, UsageError
from perturb.robustness import compare, score, tolerance
from perturb.robustness.grading.plan import TERMS, Grading, completed

PLANS = [
    {},
    {"prediction": "said", "target": "gold", "match": "number", "margin": 0.05},
    {"score": "points", "range": "0,100", "cluster": ["room", "floor"], "unanswered": "wrong"},
    {"against": "original", "match": "close:0.1", "rows": "doc", "where": ["split=test", "a=b=c"]},
    {"human": "ok", "at_least": 0.2, "lose": 0.1, "slice": ["topic"], "range": (-0.5, 1e6)},
]


def right(reply, answer):
    return float(reply == answer)


@pytest.mark.parametrize("given", PLANS)
def test_its_text_is_read_as_the_same_plan(given) -> None:
    text = Grading.of(**given).to_dict()
    assert Grading.read({**text, "model": "of a manifest"}).to_dict() == text


@pytest.mark.parametrize("given", PLANS)
def test_its_words_are_parsed_as_the_same_plan(given) -> None:
    plan = Grading.of(**given)
    words = plan.words(*(name for name in TERMS if name != "lose"))
    _, options = parsed(["report", "a.jsonl", "-o", "page", *words])
    assert grading_of(options) == Grading.of(**{**given, "lose": None})
    assert shlex.split(shlex.join(words)) == words


@pytest.mark.parametrize("given", PLANS)
@pytest.mark.parametrize("form", [orjson.dumps, lambda plan: yaml.safe_dump(plan).encode()])
def test_a_file_holds_the_same_plan_and_options_overrule_it(given, form, tmp_path) -> None:
    path, plan = tmp_path / "judging.yaml", Grading.of(**given)
    path.write_bytes(form(plan.to_dict()))
    words = ["report", "a.jsonl", "-o", "page", "--config", str(path)]
    found = grading_of(parsed(words)[1])
    assert found.to_dict() == plan.to_dict()
    assert grading_of(parsed([*words, "--margin", "0.4"])[1]) == replace(found, margin=0.4)


def test_a_command_says_which_options_of_a_file_it_lacks(tmp_path, capsys) -> None:
    path = tmp_path / "judging.yaml"
    path.write_text("at_least: 0.3\nmargin: 0.05\nslice: topic\n")
    _, options = parsed(["compare", "a.jsonl", "b.jsonl", "--config", str(path)])
    assert grading_of(options) == Grading.of(margin=0.05, slice="topic")
    assert "not used here, without such an option: --at-least\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("matsch: number", "options of judging, which are rows, .*; got matsch"),
        ("[match]", r"which are rows, .*; got \['match'\]"),
        ("match: nummer", "unknown match 'nummer'"),
        ("margin: wide", "margin must be a number of at least 0; got 'wide'"),
        ("metrics: {correct: {threshold: 0.5}}", "metrics is the path of a file with"),
        ("range: 3", "--range takes two numbers, as in 0,100; got 3"),
    ],
)
def test_a_file_that_is_no_plan_is_named(text, message, tmp_path) -> None:
    path = tmp_path / "judging.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=rf"judging\.yaml: .*{message}"):
        grading_of({"config": path})


def test_every_field_is_a_term_or_says_what_is_behind_one() -> None:
    assert {field.name for field in fields(Grading)} == {*TERMS, "metrics_file", "embed"}


def test_a_function_is_named_where_it_has_a_name_and_a_file() -> None:
    assert Grading(match=right).to_dict()["match"] == f"python:{__file__}:right"
    for nameless in (lambda *_: 1.0, max.__call__):
        text = Grading(match=nameless).to_dict()
        assert text["match"].startswith("a function without a name: ")
        with pytest.raises(UsageError, match="no text can name: judge them in Python"):
            Grading.read(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metrics": {}, "match": "exact"}, "--metrics names the scores; leave out --match"),
        ({"score": "s", "target": "t"}, "--score reads scores, so there is nothing to compare"),
        ({"against": "original", "target": "t"}, "--against original needs no right answer"),
        ({"human": "ok", "against": "original"}, "--human grades replies"),
        ({"against": "target"}, "against is 'original', or None"),
        ({"unanswered": "maybe"}, "unanswered is bounds or out or wrong; got 'maybe'"),
        ({"match": "exat"}, "unknown match 'exat': did you mean exact"),
        ({"range": "1"}, "--range takes two numbers, as in 0,100; got '1'"),
        ({"range": (1, 0)}, "a range is LOW,HIGH"),
        ({"where": ["split"]}, "--where takes FIELD=VALUE; got 'split'"),
    ],
)
def test_what_cannot_stand_together(given, message) -> None:
    with pytest.raises(UsageError, match=message):
        Grading.of(**given)


def test_terms_that_are_not_given_are_those_by_which_asking_stopped() -> None:
    asked = Grading.of(margin=0.1, match="number", cluster="room", lose=0.3)
    plan = completed({"cluster": ["floor"]}, asked)
    assert (plan.margin, plan.match, plan.cluster, plan.lose) == (0.1, "number", ("floor",), None)
    told = "Asking stopped by --cluster room; these verdicts go by --cluster floor."
    assert plan.unlike(asked) == [told]
    assert completed({}, asked, "lose").lose == 0.3
    bisected = Grading(against="original")
    assert completed({}, bisected).against == "original"
    other = completed({"target": "gold"}, bisected)
    assert (other.against, other.target) == (None, "gold")
    assert other.unlike(bisected) == [
        "Asking stopped by no --target, --against original; these verdicts go by --target gold, no "
        "--against."
    ]
    scores = completed({"score": "points"}, asked)
    assert (scores.margin, scores.match) == (0.1, None)
    assert (
        scores.unlike(asked)
        == ["Asking stopped by --cluster room; these verdicts go by no --cluster."][1:]
    )


@pytest.mark.parametrize(
    ("door", "argument"), [(score, "lose"), (compare, "at_least"), (tolerance, "margin")]
)
def test_a_door_refuses_terms_that_it_does_not_take(door, argument) -> None:
    with pytest.raises(UsageError, match=f"{door.__name__} has no argument '{argument}'"):
        door([], **{argument: 0.1})


def test_a_door_without_steps_advises_none() -> None:
    with pytest.raises(UsageError, match="score has no argument 'scores': did you mean score"):
        score([], scores="x")
    with pytest.raises(UsageError, match="score has no argument 'where': the arguments of score"):
        score([], where="x")


def test_python_takes_a_field_of_scores_as_the_command_line_does(linked) -> None:
    """It is a metric that is good above .5, and no answer is compared."""
    rows = [{"id": each, "points": 1.0} for each in range(30)]
    rows += [linked(str(each), points=float(each % 3 > 0)) for each in range(30)]
    metrics = {"points": {"threshold": 0.5}}
    assert score(rows, score="points").to_dict() == score(rows, metrics=metrics).to_dict()
    assert tolerance(rows, score="points").to_dict() == tolerance(rows, metrics=metrics).to_dict()
    with pytest.raises(UsageError, match="--score reads scores, so there is nothing to compare"):
        compare(rows, rows, score="points", match="exact")
    with pytest.raises(DataError, match="for a field alone, give score="):
        score(rows, metrics=["points"])
