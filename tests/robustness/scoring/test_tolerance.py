import json
import math

import numpy as np
import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError, UsageError
from perturb.robustness import bounded_interval, score, tolerance
from perturb.robustness.linking.conditions import Condition
from perturb.robustness.metrics.sampling import uniforms
from perturb.robustness.scoring.ladders import ladders

P = (0.01, 0.02, 0.05, 0.1, 0.2)


@pytest.fixture
def answered(linked):
    """Rows of a system that breaks at strengths of its own: a share `most` of them by .2."""

    def answered(
        key=1, most=0.5, count=200, strengths=P, name="keyboard_typos", form="p={}", **more
    ):
        limits = (uniforms(key, count) / most * max(strengths)).tolist()
        clean = {"text": "clean text", "answer": "a", "prediction": "a"}
        rows = [{"id": str(at), **clean} for at in range(count)]
        for strength in strengths:
            steps = f"{name}@1:{form.format(strength)}"
            rows += [
                linked(at, steps=steps, answer="a", prediction="ab"[limits[at] < strength], **more)
                for at in range(count)
            ]
        return rows

    return answered


@pytest.mark.slow
def test_the_limits_are_those_of_the_interval_of_the_loss(answered):
    rows = answered()
    found = tolerance(rows, lose=0.1)
    (step,) = found.steps
    assert [rung.strength for rung in step.curve] == list(P)
    broken = np.array([row["prediction"] == "b" for row in rows[200:]]).reshape(5, 200)
    for rung, some in zip(step.curve, broken, strict=True):
        low, high = bounded_interval(-1.0 * some, range(200))
        assert (rung.loss, rung.low, rung.high) == pytest.approx((some.mean(), -high, -low))
        assert rung.condition == f"keyboard_typos p={rung.strength:g}"
    assert step.low == max(rung.strength for rung in step.curve if rung.high < 0.1)
    assert step.high == min(rung.strength for rung in step.curve if rung.low >= 0.1)
    assert np.interp(step.strength, [0, *P], [0, *broken.mean(axis=1)]) == pytest.approx(0.1)
    assert (step.verdict, step.unit, step.strongest) == ("loses", "share of characters", 0.2)
    assert (step.severity_low, step.severity_high) == (2, 4)  # at .02 and .1
    assert found.sentence.startswith("0.1 is lost under keyboard_typos between 2 and 10 % of char")
    assert "(95 %; estimate 4." in found.sentence


@pytest.mark.slow
@pytest.mark.parametrize("change", [{}, {"most": 0.01}, {"name": "mine"}])
def test_a_verdict_has_the_same_curves_and_names_where_so_much_is_lost(answered, change):
    rows = answered(**change)
    found, verdict = tolerance(rows), score(rows)
    assert list(verdict.tolerances) == found.steps
    assert verdict.to_dict()["tolerances"] == found.to_dict()["steps"]
    says = found.sentence if found.steps[0].verdict == "loses" else "is lost under"
    assert (says in verdict.sentence) == (found.steps[0].verdict == "loses")
    assert score(answered(strengths=(0.1,))).tolerances == []


@pytest.mark.parametrize(
    ("name", "form", "strengths", "unit", "scale"),
    [
        ("keyboard_typos", "p={},per=word", P, "share of words", False),
        ("keyboard_typos", "count={}", (1, 2, 4), "edits", False),
        ("keyboard_typos", "severity={}", (1, 3, 5), "share of characters", True),
        ("keyboard_typos", "intensity={}", ("low", "medium"), "share of characters", True),
        ("synonym", "p={}", P, "share of places", True),
        ("mine", "p={}", P, "share of units", False),
        ("mine", "severity={}", (1, 2, 3), "severity", False),
        ("keyboard_typos", "p={},layout=de", P, "share of characters", False),
    ],
)
def test_strengths_of_every_kind(linked, name, form, strengths, unit, scale):
    rows = [{"id": str(at), "answer": "a", "prediction": "a"} for at in range(50)]
    for place, strength in enumerate(strengths):
        steps = f"{name}@1:{form.format(strength)}"
        said = "b" if place else "a"
        rows += [linked(at, steps=steps, answer="a", prediction=said) for at in range(50)]
    (step,) = tolerance(rows, lose=0.5).steps
    assert (step.unit, step.severity is not None) == (unit, scale)
    assert step.verdict == "loses"
    first, second = (rung.strength for rung in step.curve[:2])
    assert (step.low, step.high) == (first, second)
    assert step.strength == pytest.approx((first + second) / 2)


def test_a_severity_grid_stands_where_its_shares_do():
    typos = [Condition("keyboard_typos", None, "", severity) for severity in (1, 3)]
    (ladder,) = ladders(dict(enumerate(typos)))
    assert ladder.rungs == [(0.01, 0), (0.05, 1)]
    assert ladder.severity(0.01) == 1
    assert ladder.severity(0.005) == 0.5
    assert ladder.severity(0.02 * math.sqrt(2.5)) == pytest.approx(2.5)
    assert ladder.severity(0.4) == pytest.approx(6)


@pytest.mark.slow
def test_steps_that_differ_in_more_than_strength_have_curves_of_their_own(answered):
    rows = answered() + answered(2, form="p={},layout=de")[200:] + answered(3, name="ocr")[200:]
    rows += answered(4, form="p={},per=word")[200:]
    found = tolerance(rows, lose=0.1)
    names = [step.step for step in found.steps]
    assert names == ["keyboard_typos", "keyboard_typos layout=de", "keyboard_typos per=word", "ocr"]


@pytest.mark.parametrize(
    ("name", "form", "unit"),
    [("typos", "p={}", "share of units"), ("typos", "severity={}", "severity")],
)
def test_steps_with_a_name_of_the_users_have_a_strength(answered, name, form, unit):
    rows = answered()[:200]
    for strength in (1, 2):
        more = {"condition": f"{name}:{form.format(strength)}", "form": form}
        rows += answered(strengths=(strength,), most=2.0, **more)[200:]
    (step,) = tolerance(rows, lose=0.4).steps
    assert (step.step, step.unit, step.severity) == (name, unit, None)
    assert [rung.strength for rung in step.curve] == [1, 2]


def test_steps_at_several_strengths_have_none_of_their_own(answered):
    with pytest.raises(DataError, match="no condition has a strength of its own"):
        tolerance(answered(condition="some_of(2, ocr:p=0.1 | case:p=0.2)", strengths=(0.1,)))
    rows = answered(strengths=(0.2,)) + answered(strengths=(0.2,), name="ocr")[200:]
    assert "judge keyboard_typos, ocr: there is one strength" in tolerance(rows).sentence


def test_where_limits_lie_apart_and_nothing_was_asked_a_hint_says_so(answered):
    found = tolerance(answered(strengths=(0.02, 0.2), count=800), lose=0.2)
    assert (found.steps[0].low, found.steps[0].high) == (0.02, 0.2)
    (hint,) = found.hints
    assert hint.startswith("keyboard_typos: no strength between 2 and 20 % of characters was asked")
    weak = tolerance(answered(strengths=(0.1, 0.2), count=800), lose=0.1)
    assert "no strength below 10 % of characters was asked" in weak.hints[0]
    assert tolerance(answered(count=800), lose=0.1).hints == ()  # asked at 5 %


def test_what_is_lost_before_the_weakest_strength_has_no_number(answered, write, tmp_path):
    """Nothing below 5 % was asked: a third is lost there, and may be from the first typo on."""
    rows = answered(most=0.9, strengths=(0.05, 0.1, 0.2), count=600)
    found = tolerance(rows, lose=0.05)
    (step,) = found.steps
    assert (step.strength, step.low, step.high, step.severity) == (None, 0.0, 0.05, None)
    assert (
        found.sentence == "0.05 is lost under keyboard_typos at less than 5 % of characters (95 %)."
    )
    assert step.span == "< 5 % [0, 5]"
    junit = tmp_path / "junit.xml"
    given = ["tolerance", str(write("s.jsonl", rows)), "--junit", str(junit)]
    assert main([*given, "--fail-if", "tolerance<0.005"]) == 3
    text = junit.read_text()
    assert "tolerance is at least 0.0000" in text
    assert "no strength below 5 % of characters was asked" in text


@pytest.mark.slow
def test_metrics_are_named_where_there_are_several(answered, write, capsys):
    rows = [{**row, "a": float(row["prediction"] == "a"), "b": 0.5} for row in answered()]
    metrics = {"a": {"threshold": 0.5}, "b": {"threshold": 0.5}}
    found = tolerance(rows, lose=0.1, metrics=metrics)
    assert "a: 0.1 is lost under keyboard_typos" in found.sentence
    assert "\na: keyboard_typos " in str(found)
    assert "\nb: keyboard_typos " in str(found)
    path, file = write("scored.jsonl", rows), write("metrics.yaml", [metrics])
    given = ["tolerance", str(path), "--metrics", str(file), "--lose", "0.1", "--fail-if"]
    assert main([*given, "a: keyboard_typos: tolerance<0.02"]) == 0
    assert main([*given, "a: keyboard_typos: tolerance<0.1"]) == 3
    assert main([*given, "b: keyboard_typos: tolerance<0.1"]) == 0
    assert "fails: a: keyboard_typos: tolerance is at least 0.0" in capsys.readouterr().err


@pytest.mark.slow
def test_what_disagrees_with_itself_is_asked_again(answered, linked):
    """One answer in two, whatever the noise: the second one to an original says it all."""
    rows = answered(count=300)
    for row, chance in zip(rows, uniforms(3, len(rows)).tolist(), strict=True):
        row["prediction"] = "ab"[chance < 0.5]
    found = tolerance(rows, lose=0.1, against="original")
    assert "add identity to the conditions" in found.hints[-1]
    chances = uniforms(4, 300).tolist()
    again = [
        linked(at, steps="identity@1:p=1", status="no site", prediction="ab"[chances[at] < 0.5])
        for at in range(300)
    ]
    known = tolerance(rows + again, lose=0.1, against="original")
    (hint,) = known.hints
    assert hint.startswith("Clean means pool up to 2 answers to each original")
    assert (found.steps[0].low, found.steps[0].high) == (0, 0.01)
    assert known.steps[0].high is None


def test_errors_that_begin_with_none_may_be_more_than_one(answered):
    """A distance of 12 for what is wrong: at the weakest strength all distances are 0."""
    rows = [{**row, "far": 12.0 * (row["prediction"] == "b")} for row in answered(most=0.3)]
    for row in rows[200:400]:
        row["far"] = 0.0
    metrics = {"far": {"threshold": 5, "higher_is_better": False}}
    (step,) = tolerance(rows, lose=1.2, metrics=metrics).steps
    assert (step.verdict, step.reason) == ("loses", "")


@pytest.mark.slow
def test_what_never_crosses_has_one_limit(answered):
    (step,) = tolerance(answered(most=0.02), lose=0.1).steps
    assert (step.verdict, step.strength, step.low, step.high) == ("tolerates", None, 0.2, None)
    found = tolerance(answered(most=0.09), lose=0.1)
    (step,) = found.steps
    assert (step.verdict, step.high) == ("undecided", None)
    assert step.low == 0.1
    assert "not below 10 % of characters, perhaps beyond 20 % of characters" in found.sentence
    assert "> 20" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"strengths": (0.1,)}, "there is one strength"),
        ({"expect": "unknown"}, "the right answer may be another one (expect unknown)"),
        ({"status": "no site"}, "no row was changed (no site 200)"),
        ({"count": 1}, "there is one original"),
    ],
)
def test_what_cannot_be_judged_says_why_and_passes_no_gate(answered, write, capsys, change, reason):
    rows = answered(**change)
    (step,) = tolerance(rows).steps
    assert (step.verdict, step.low, step.strength) == ("cannot judge", None, None)
    assert step.reason.startswith(reason)
    path = write("scored.jsonl", rows)
    rule = f"{step.step}: tolerance<0.0001"
    assert main(["tolerance", str(path), "--fail-if", rule]) == 3
    assert "cannot be judged" in capsys.readouterr().err


def test_originals_that_score_too_little_cannot_lose_so_much(answered):
    rows = answered(count=100)
    for row in rows[8:100]:
        row["prediction"] = "b"
    (step,) = tolerance(rows, lose=0.1).steps
    assert step.reason == "the originals score 0.080: they cannot lose 0.1"


@pytest.mark.slow
def test_where_less_is_better_more_is_lost(answered):
    rows = [{**row, "errors": float(row["prediction"] == "b") * 3} for row in answered()]
    (step,) = tolerance(
        rows, lose=0.3, metrics={"errors": {"threshold": 1, "higher_is_better": False}}
    ).steps
    (same,) = tolerance(answered(), lose=0.1).steps
    assert step.strength == pytest.approx(same.strength)
    assert step.verdict == "loses"


@pytest.mark.parametrize("lose", [0, -0.1, math.nan, math.inf, "much"])
def test_a_loss_is_a_number_above_0(answered, lose):
    with pytest.raises((TypeError, UsageError), match="lose must be a number above 0"):
        tolerance(answered(count=2), lose=lose)


def test_rows_without_a_strength_have_no_curve(linked):
    rows = [{"id": "1", "text": "clean text", "answer": "a", "prediction": "a"}]
    rows += [linked(1, steps="mine@1", condition="noisy", answer="a", prediction="a")]
    with pytest.raises(DataError, match="no condition has a strength of its own"):
        tolerance(rows)
    rows += [linked(1, steps=f"ocr@1:p={p}", answer="a", prediction="a") for p in P]
    assert tolerance(rows).hints == ("Left out, since they have no strength of their own: noisy.",)


@pytest.mark.slow
def test_two_systems(answered, write, capsys):
    a, b = answered(most=1.0, count=600), answered(2, most=0.2, count=600)
    found = tolerance(a, b, lose=0.1)
    first, second, ratio = found.steps
    assert [step.system for step in found.steps] == ["A", "B", "B / A"]
    assert ratio.strength == pytest.approx(second.strength / first.strength)
    alone = [*tolerance(a, lose=0.1).steps, *tolerance(b, lose=0.1).steps]
    assert [first._replace(system=""), second._replace(system="")] == alone
    assert 1 <= ratio.low <= ratio.strength <= ratio.high
    assert (ratio.verdict, ratio.unit) == ("B tolerates more", "times A")
    assert found.sentence.startswith("B tolerates more keyboard_typos until 0.1 is lost: the ")
    turned = tolerance(b, a, lose=0.1).steps[-1]
    assert (turned.verdict, turned.high) == ("A tolerates more", pytest.approx(1 / ratio.low))
    paths = [str(write(name, rows)) for name, rows in (("a.jsonl", a), ("b.jsonl", b))]
    given = ["tolerance", *paths, "--lose", "0.1"]
    assert main([*given, "--fail-if", "ratio<1"]) == 0
    assert main([*given, "--fail-if", "ratio<2.8"]) == 3
    assert "keyboard_typos: ratio is at least 1." in capsys.readouterr().err


@pytest.mark.slow
def test_a_system_that_does_not_lose_is_in_the_ratio_too(answered):
    first, _, ratio = tolerance(answered(most=0.8), answered(2, most=0.01), lose=0.1).steps
    assert (ratio.strength, ratio.high, ratio.verdict) == (None, None, "B tolerates more")
    assert ratio.low == pytest.approx(0.2 / first.high, rel=0.01)
    both = tolerance(answered(most=0.01), answered(2, most=0.01), lose=0.1)
    ratio = both.steps[-1]
    assert (ratio.low, ratio.high, ratio.verdict) == (None, None, "undecided")
    assert ratio.words(0.1).endswith(" until 0.1 is lost: the ratio B / A is unknown.")
    assert (ratio.span, ratio.of("xy").stated) == ("unknown", "unknown")
    assert "unknown " in str(both)
    assert "[-, -]" not in str(both)


@pytest.mark.slow
def test_a_ratio_of_what_cannot_be_judged(answered, linked):
    right, wrong = answered(), [{**row, "prediction": "b"} for row in answered()]
    ratio = tolerance(right, wrong).steps[-1]
    assert (ratio.verdict, ratio.low) == ("cannot judge", None)
    assert ratio.reason.startswith("of B, no original is answered correctly")


@pytest.mark.slow
def test_originals_of_one_system_alone_are_left_out(answered):
    """Each keeps the strengths that it was asked at."""
    rows, other = answered(), answered(2)
    names = {row["perturbation"]["original_id"] for row in other if "perturbation" in row}
    some = sorted(names)[:150]

    def of(row):
        return row.get("perturbation", {}).get("original_id", str(row["id"]))

    few = [row for row in other if of(row) in some and not str(row["id"]).endswith(f"p={P[1]}")]
    found = tolerance(rows, few, lose=0.1)
    left = sum("perturbation" in row and of(row) not in some for row in rows)
    assert found.hints[0] == f"Left out: {left} rows of originals that A alone has."
    a, b, _ = found.steps
    assert [rung.strength for rung in a.curve] == list(P)
    assert [rung.strength for rung in b.curve] == [P[0], *P[2:]]
    alone = tolerance([row for row in rows if of(row) in some], lose=0.1).steps[0]
    assert a._replace(system="") == alone


def test_a_step_of_one_system_alone_is_left_out(answered):
    more = [row for row in answered(name="ocr") if "perturbation" in row]
    found = tolerance([*answered(), *more], answered(2), lose=0.1)
    assert "Left out, since one system alone has it: ocr." in found.hints
    assert {step.step for step in found.steps} == {"keyboard_typos"}


def test_rows_that_one_file_lacks_are_missing(answered):
    found = tolerance(answered(), answered(2)[:-3], lose=0.1)
    assert any("keyboard_typos p=0.2: 3 missing of 200" in hint for hint in found.hints)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "md", "latex", "tsv", "csv", "json"])
@pytest.mark.parametrize("count", [1, 2])
def test_forms(answered, write, command, form, count):
    paths = [write(f"{name}.jsonl", answered(name)) for name in range(1, count + 1)]
    out = command("tolerance", *paths, "--lose", "0.1", "--format", form)
    assert "keyboard_typos" in out.replace("\\", "")
    if form == "json":
        steps = json.loads(out)["steps"]
        assert len(steps) == 2 * count - 1
        assert [rung["strength"] for rung in steps[0]["curve"]] == list(P)
    if form == "table":
        assert max(map(len, out.splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "status"), [("tolerance<0.01", 0), ("tolerance<0.045", 3)])
def test_a_gate_goes_by_the_low_limit(answered, write, rule, status):
    path = write("scored.jsonl", answered())
    given = ["tolerance", str(path), "--lose", "0.1", "--fail-if", rule]
    assert main(given) == status
    assert tolerance(answered(), lose=0.1).steps[0].low == 0.02


@pytest.mark.slow
def test_a_rule_about_what_there_is_not(answered, write, capsys):
    path = write("scored.jsonl", answered())
    assert main(["tolerance", str(path), "--fail-if", "drop>0.1"]) == 2
    assert "no condition has a drop to judge; there are tolerance" in capsys.readouterr().err


@pytest.mark.slow
def test_the_engine_and_the_curve_agree():
    """The strength at which a word is lost: one character in 6 is one word in 3 of three."""
    rows = [{"id": at, "text": "alpha bravo delta", "answer": "x"} for at in range(300)]
    grid = perturb.grid(["char_delete"], p=(0.02, 0.05, 0.1, 0.2))
    noisy = list(perturb.augment(rows, grid, with_original=True))
    answers = perturb.evaluation.evaluate(lambda text: "x" if "alpha" in text else "y", noisy)
    (step,) = tolerance(answers, lose=0.2).steps
    shares = [row for row in answers if row["id"].endswith(("p=0.05", "p=0.05#0"))]
    assert step.verdict == "loses"
    assert step.low < step.strength < step.high
    assert len(shares) in (0, 300)


def test_what_two_systems_share_is_told_once_and_what_each_lost_apart(answered):
    sides = []
    for most in (0.5, 0.9):
        rows = answered(most=most)
        for at, row in enumerate(rows):
            row["passage"] = f"The passage of many words number {at % 200 // 5}, shared by five."
        sides.append([{**row, "prediction": None} if at == 250 else row
                      for at, row in enumerate(rows)])  # fmt: skip
    hints = tolerance(*sides).hints
    assert len([hint for hint in hints if "--cluster passage" in hint]) == 1
    lost = [hint for hint in hints if hint.startswith("Lost replies of ")]
    assert [hint[16] for hint in lost] == ["A", "B"]


def test_the_spread_that_a_recipe_states_is_no_other_step():
    rows = [{"id": str(at), "text": f"Who counted the {at} apples?"} for at in range(30)]
    made = perturb.augment(rows, "ocr", p=0.05, field="text", with_original=True)
    scored = [{**row, "correct": row["perturbation"]["status"] == "original"} for row in made]
    assert "spread=" in scored[1]["perturbation"]["recipe"]
    (step,) = tolerance(scored, metrics={"correct": {"threshold": 0.5}}).steps
    assert step.name == "ocr"
