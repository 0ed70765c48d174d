"""The range of scores: what may be called robust needs it, and intervals keep to it."""

import html
import json

import pytest
from likelihood import limits

from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.robustness import compare, score, tolerance
from perturb.robustness.grading.plan import Grading


@pytest.fixture
def points(linked):
    """300 originals with scores in points, of which each moves by so much under typos."""

    def points(move=0.2, count=300, base=55.0):
        rows = []
        for at in range(count):
            rows.append({"id": str(at), "s": base + at % 7})
            rows.append(linked(str(at), s=base + at % 7 + (move if at % 2 else -move)))
        return rows

    return points


METRICS = {"s": {"threshold": 50}}


def ranged(low, high):
    return {"s": {"threshold": 50, "range": [low, high]}}


def test_without_a_range_nothing_is_robust_and_a_hint_says_so(points):
    verdict = score(points(), metrics=METRICS, margin=5)
    assert {one.verdict for one in verdict.conditions} == {"undecided"}
    (hint,) = (hint for hint in verdict.hints if hint.startswith("The range of s is not known"))
    assert "(here 54.8 to 61.2)" in hint
    both = compare(points(), points(), metrics=METRICS, margin=5)
    assert both.overall[0].verdict == "undecided"
    assert any(hint.startswith("The range of s is not known") for hint in both.hints)


@pytest.mark.parametrize(
    "how", [{"metrics": ranged(0, 100)}, {"metrics": METRICS, "range": (0, 100)}]
)
def test_with_one_it_is_and_the_unseen_original_falls_all_of_it(points, how):
    rows = points()
    verdict = score(rows, margin=2, **how)
    one = verdict.overall[0]
    assert one.verdict == "robust"
    assert not [hint for hint in verdict.hints if "range" in hint]
    changes = [0.2 if at % 2 else -0.2 for at in range(300)]
    expected = limits(changes, range(300), ends=(-100.0, 100.0))
    assert (one.low, one.high) == pytest.approx(tuple(expected), abs=1e-5)
    scores = [55.0 + at % 7 + change for at, change in enumerate(changes)]
    mean = one.comparison.uncertainty[:2]
    assert mean == pytest.approx(tuple(limits(scores, range(300), ends=(0.0, 100.0))), abs=1e-5)
    assert compare(rows, rows, margin=2, **how).overall[0].verdict == "same"


def test_the_usual_margin_is_not_meant_for_points(points):
    """Of scores up to 100 it is 50 times as strict; what the hint says to do is no hint's matter."""
    rows, known = points(), {"metrics": METRICS, "range": (0, 100)}
    said = "The range of s has 100 points, and a difference counts as robust within 0.02 points"
    for found in (score(rows, **known), compare(rows, rows, **known)):
        (hint,) = (hint for hint in found.hints if hint.startswith(said))
        assert "--margin 2 (margin= in Python)" in hint
    for found in (score(rows, **known, margin=2), compare(rows, rows, **known, margin=2)):
        assert not any("margin" in hint for hint in found.hints)


def test_a_metric_with_a_range_of_its_own_keeps_it(points):
    """Shares beside points would else be undecided for ever, as if one could fall by a hundred."""
    rows = [{**row, "right": int(row["s"] > 50)} for row in points()]
    metrics = METRICS | {"right": {"threshold": 0.5, "range": [0, 1]}}
    verdict = score(rows, metrics=metrics, margin=2, range=(0, 100))
    expected = limits([0.0] * 300, range(300), ends=(-1.0, 1.0))
    found = next(one for one in verdict.overall if one.metric == "right")
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-5)
    assert verdict.metrics["s"].range == (0, 100)


def test_a_score_beyond_its_range_is_an_error(points):
    with pytest.raises(DataError, match=r"s lies between 0 and 60, and here from 54\.8 to 61\.2"):
        score(points(), metrics=ranged(0, 60))


@pytest.mark.parametrize("given", ["0", "a,b", "1,2,3"])
def test_a_range_is_two_numbers(points, write, capsys, given):
    path = write("s.jsonl", points(count=5))
    assert main(["score", str(path), "--score", "s", "--range", given]) == 2
    assert "--range takes two numbers, as in 0,100" in capsys.readouterr().err
    with pytest.raises(UsageError, match="a range is LOW,HIGH"):
        score(points(count=5), metrics=METRICS, range=(100, 0))
    with pytest.raises(DataError, match="range must be two numbers"):
        score(points(count=5), metrics={"s": {"threshold": 50, "range": "wide"}})


def test_the_command_takes_it_and_the_page_repeats_it(points, write, command, tmp_path):
    path, page = write("s.jsonl", points()), tmp_path / "page.html"
    given = ("--score", "s", "--range", "0,100", "--margin", "2")
    found = json.loads(command("score", path, *given, "--json"))
    assert found["overall"][0]["verdict"] == "robust"
    assert main(["report", str(path), *given, "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "--range 0,100" in text
    plan = text.partition("The plan of judging</summary>")[2].partition("<code>")[2]
    plan = json.loads(html.unescape(plan.partition("</code>")[0]))
    assert (plan["score"], plan["range"], plan["margin"]) == ("s", "0,100", 2.0)
    assert Grading.read(plan).to_dict() == plan


def test_a_range_may_begin_below_0(points, write, command):
    """A value that begins with a minus is no option."""
    path = write("s.jsonl", [{**row, "s": row["s"] / -100} for row in points()])
    apart, joined = (
        command("score", path, "--score", "s", *given, "--json")
        for given in (("--range", "-2,0"), ("--range=-2,0",))
    )
    assert apart == joined
    assert json.loads(apart)["overall"][0]["score_range"] == 2
    with pytest.raises(UsageError, match="unknown option -x"):
        command("score", path, "-x")


def test_a_score_that_rounding_lifts_above_1_is_still_a_share(linked):
    def verdict(best):
        rows = [{"id": str(at), "s": best} for at in range(200)]
        rows += [linked(str(at), s=best) for at in range(200)]
        return score(rows, metrics={"s": {"threshold": 0.5}}).overall[0]

    whole, above = verdict(1.0), verdict(1.0 + 4e-16)
    assert whole.verdict == above.verdict == "robust"
    assert (above.low, above.high) == pytest.approx((whole.low, whole.high))
    assert whole.low < -0.01


def test_equal_scores_in_points_need_a_range(points, command, write, capsys):
    """They show no range, and an interval takes one; what the message says to do works."""
    rows = [{**row, "s": 58.94} for row in points()]
    said = "s is 58.94 in all rows, so they don't show how far it can move: state its range"
    for call in (score, lambda rows, **how: compare(rows, rows, **how), tolerance):
        with pytest.raises(DataError, match=said):
            call(rows, metrics=METRICS)
        call(rows, metrics=METRICS, range=(0, 100))
    path = write("scored.jsonl", rows)
    assert main(["score", str(path), "--score", "s"]) == 1
    assert said in capsys.readouterr().err
    assert "undecided" in command("score", path, "--score", "s", "--range", "0,100")


def test_the_range_of_an_error_rate_is_explained(linked):
    """A reply of more words than the right answer has more errors than that has words."""
    rows = [{"id": str(at), "answer": "one word", "prediction": "one word"} for at in range(40)]
    rows += [linked(str(at), answer="one word", prediction="a b c d e") for at in range(40)]
    (hint,) = (hint for hint in score(rows, match="wer").hints if "range of WER (mean" in hint)
    assert "(here 0 to 2.5)" in hint
    assert "state it, as in --range 0,3: replies may have more errors than words." in hint
    assert not any("range of" in hint for hint in score(rows, match="wer", range=(0, 3)).hints)


@pytest.mark.parametrize(
    ("top", "stated", "reason"),
    [
        (0.0, {"range": (-1, 0)}, ""),
        (0.0, {}, ""),  # that scores reach from -1 to 0 doesn't tell where they may end
        (1.0, {"range": (0, 1)}, ""),
        (1.05, {"range": (1, 2)}, "the originals score 1.050: they cannot lose 0.1"),
    ],
)
def test_what_can_be_lost_ends_at_the_least_score(linked, top, stated, reason):
    """Error rates with a minus before them are best at 0, and lose all of their range."""
    fall = 0.05 if reason else 1.0
    rows = [{"id": str(at), "s": top} for at in range(200)]
    for strength, share in ((0.05, 200), (0.1, 4), (0.2, 2)):
        steps = f"keyboard_typos@1:p={strength}"
        rows += [linked(at, steps=steps, s=top - fall * (at % share == 0)) for at in range(200)]
    (step,) = tolerance(rows, lose=0.1, metrics=METRICS, **stated).steps
    assert (step.reason, step.low, step.high) == (reason, *((None,) * 2 if reason else (0.05, 0.1)))


@pytest.mark.parametrize("stated", [{}, {"range": (-1, 0)}])
def test_a_negated_error_rate_of_0_is_best_and_can_be_lost(linked, stated):
    rows = [{"id": str(at), "s": 0.0} for at in range(400)]
    for strength, fall in ((0.1, 0.0), (0.2, 0.5)):
        steps = f"keyboard_typos@1:p={strength}"
        rows += [linked(str(at), steps=steps, s=-fall) for at in range(400)]
    found = score(rows, metrics={"s": {"threshold": -0.1}}, **stated)
    still, fallen = (one for one in found.conditions if one.scope == "all")
    assert (still.reason, fallen.verdict) == ("", "worse")
    assert still.verdict == ("robust" if stated else "undecided")
