"""Plans from numbers, from a pilot, and on the command line."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import UsageError
from perturb.robustness import power, score
from perturb.robustness.metrics import designs
from perturb.robustness.metrics.designs import smallest


@pytest.fixture(autouse=True, scope="module")
def fewer_sets():
    """300 data sets have a standard error of .023 at a power of .8."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(designs, "_SETS", 300)
        designs.chance.cache_clear()
        yield
    designs.chance.cache_clear()


METRICS = {"correct": {"threshold": 0.5}}


@pytest.fixture
def pilot(linked):
    """80 originals, two conditions of two versions; harsh ones turn a fifth of the right ones."""

    def rows(score=int):
        rng = np.random.default_rng(8)
        for original in range(80):
            right = rng.random() < 0.8
            yield {"id": original, "correct": score(right)}
            for name, rate in (("mild", 0.02), ("harsh", 0.2)):
                for replicate in (0, 1):
                    correct = score(right ^ (rng.random() < rate))
                    yield linked(str(original), name, replicate=replicate, correct=correct)

    return rows


@given(guess=st.floats(0.01, 1e6), least=st.floats(1, 5), need=st.floats(1, 1e5))
def test_the_search_ends_near_from_any_guess(guess, least, need) -> None:
    enough = smallest(lambda number: number >= need, guess, least, 50_000)
    if need > 50_000:
        assert enough is None
    else:
        assert need <= enough <= 1.04 * max(need, least)


def test_lost_replies_of_a_graded_pilot_need_no_more_originals(pilot):
    """How far they hold the limits apart, more originals don't change."""
    rows = list(pilot(lambda right: 0.3 + 0.4 * bool(right)))
    rows = [{**row, "correct": None} if at % 4 == 1 else row for at, row in enumerate(rows)]
    pilots = (score(rows, metrics=METRICS, unanswered=how) for how in ("bounds", "out"))
    held, out = (power(each).needs[-1].originals for each in pilots)
    assert held < 1.5 * out


@pytest.mark.slow
def test_a_plan_from_numbers() -> None:
    plan = power(accuracy=0.85, flips=0.1, versions=2, conditions=3, lose=0.1, originals=200)
    assert [(need.condition, need.verdict) for need in plan.needs] == [
        *((name, word) for name in ("each condition", "overall") for word in ("robust", "worse")),
        ("each condition", "tolerance"),  # all conditions together have no strength
    ]
    for need in plan.needs:
        assert need.calls == 7 * need.originals
    each, together = plan.needs[1], plan.needs[3]
    assert together.originals < each.originals  # more versions, and no other test beside it
    assert each.chance < 0.7 <= together.chance
    assert each.detectable > 0.055 > together.detectable
    most = f"{plan.needs[0].originals:,} originals ({plan.needs[0].calls:,} calls)"
    assert f"{most} show each condition to be robust within 0.02" in plan.sentence


@pytest.mark.slow
def test_the_smallest_number_is_enough_and_fewer_are_not() -> None:
    (need,) = power(accuracy=0.8, flips=0.1, drop=0.1, margin=0).needs
    for count, enough in ((need.originals, True), (round(0.8 * need.originals), False)):
        (at_hand,) = power(accuracy=0.8, flips=0.1, drop=0.1, margin=0, originals=count).needs
        assert (at_hand.chance >= 0.8) == enough


@pytest.mark.slow
def test_versions_that_make_up_for_originals() -> None:
    options = {"accuracy": 0.8, "flips": 0.1, "clustering": 0.1, "drop": 0.04, "originals": 200}
    _, need = power(**options).needs
    assert need.chance < 0.5
    assert need.versions > 1
    for versions, enough in ((need.versions, True), (need.versions - 1, False)):
        assert (power(**options, versions=versions).needs[1].chance >= 0.8) == enough
    _, alike = power(**{**options, "clustering": 1.0}).needs
    assert alike.versions is None  # all of them turn as one does


@pytest.mark.slow
def test_a_tolerance_is_planned_at_the_strength_of_a_step_that_loses_nearly_so_much(linked) -> None:
    rows = [{"id": at, "correct": 1} for at in range(100)]
    for p, lost in ((0.1, 2), (0.2, 9), (0.3, 40)):
        rows += [linked(at, steps=f"ocr@1:p={p}", correct=int(at >= lost)) for at in range(100)]
    verdict = score(rows, metrics=METRICS)
    plan = power(verdict, lose=0.1, originals=500)
    need = plan.needs[-1]
    assert (need.condition, need.verdict, need.loss) == ("ocr", "tolerance", 0.1)
    design = next(design for design in plan.designs if design.condition == "ocr p=0.2")
    enough = designs.Goal("tolerance", 0.1, 0.5)
    assert designs.chance(design, enough, need.originals) >= 0.8
    assert designs.chance(design, enough, round(0.8 * need.originals)) < 0.8
    assert "With its 100 originals" in plan.hints[0]  # the pilot's, not those at hand


def test_a_tolerance_is_planned_of_steps_with_a_loss_at_several_strengths(linked, pilot):
    """A gain is no loss, though it is nearer, and one strength is no curve."""
    rows = [{"id": at, "correct": int(at < 60)} for at in range(100)]
    for p, right in ((0.1, 70), (0.2, 45)):  # 0.1 is won at the first, 0.15 lost at the second
        rows += [linked(at, steps=f"ocr@1:p={p}", correct=int(at < right)) for at in range(100)]
    rows += [linked(at, "typos", correct=int(at < 50)) for at in range(100)]  # 0.1 is lost
    verdict = score(rows, metrics=METRICS)
    plan = power(verdict, lose=0.1)
    assert [need.condition for need in plan.needs if need.verdict == "tolerance"] == ["ocr"]
    harsh = next(one for one in plan.designs if one.condition == "ocr p=0.2")
    goal = designs.Goal("tolerance", 0.1, 0.5)
    assert plan.needs[-1].chance == designs.chance(harsh._replace(tests=1), goal, 100)
    with pytest.raises(UsageError, match="no step of the pilot has several strengths"):
        power(score(pilot(), metrics=METRICS), lose=0.1)


@pytest.mark.parametrize("unanswered", ["bounds", "out"])
def test_a_pilot_of_several_seeds_asks_its_originals_as_often(linked, unanswered):
    """Three seeds, two versions and a control take 3 * 4 calls, whether or not replies are lost."""
    rows = []
    for at in range(40):
        rows.append({"id": at, "correct": 1})
        rows += [linked(str(at), "typos", replicate=one, correct=int(at > 8)) for one in (0, 1)]
        rows.append(linked(str(at), "identity", correct=1))
    rows = [{**row, "response": {"seed": seed}} for row in rows for seed in (1, 2, 3)]
    rows = [{**row, "correct": None} if at % 7 == 1 else row for at, row in enumerate(rows)]
    plan = power(score(rows, metrics=METRICS, unanswered=unanswered), drop=0.2)
    assert [need.calls for need in plan.needs] == [12 * need.originals for need in plan.needs]


def test_of_several_metrics_the_plan_names_its_own(pilot):
    rows = [{**row, "other": row["correct"]} for row in pilot()]
    for names in (["correct", "other"], ["other", "correct"]):
        plan = power(score(rows, metrics=dict.fromkeys(names, METRICS["correct"])), drop=0.2)
        first, other = names
        assert plan.hints[0] == (
            f"This plans {first} alone, the first metric of the pilot; for {other}, name it first "
            "in --metrics (metrics= in Python)."
        )


@pytest.mark.slow
def test_a_pilot_says_what_turns(pilot) -> None:
    verdict = score(pilot(), metrics=METRICS)
    plan = power(verdict, drop=0.1)
    assert [design.condition for design in plan.designs] == [
        "harsh p=0.1",
        "mild p=0.1",
        "overall",
    ]
    harsh, mild, _ = plan.designs
    turned = verdict.conditions[0].comparison.effect
    count = turned.flips_to_bad + turned.flips_to_good
    assert harsh.flips == pytest.approx((count / 160 * 80 + 0.5) / 81)
    assert harsh.tests == mild.tests == 2
    assert harsh.versions == 2
    assert harsh.clustering < 0.4  # they turn by themselves
    assert plan.needs[0].originals > plan.needs[2].originals  # robust: the milder, the fewer
    assert all(need.calls == 5 * need.originals for need in plan.needs)
    assert "The pilot says of overall" in plan.hints[0]


@pytest.mark.slow
def test_versions_that_turn_together_are_clustered(linked) -> None:
    rows = [{"id": at, "correct": 1} for at in range(60)]
    rows += [
        linked(str(at), "typos", replicate=replicate, correct=int(at % 5 > 0))
        for at in range(60)
        for replicate in range(4)
    ]
    assert power(score(rows, metrics=METRICS)).designs[0].clustering > 0.95


def test_scores_that_are_no_answers_have_a_deviation(pilot) -> None:
    rows = list(pilot(lambda right: 0.9 if right else 0.25))
    plan = power(score(rows, metrics=METRICS))
    assert all(design.deviation > 0 for design in plan.designs)
    assert plan.needs[1].originals > 8
    assert plan.hints == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "give the accuracy to expect"),
        ({"accuracy": 1.0}, "accuracy must lie between 0 and 1; got 1.0"),
        ({"accuracy": 0.8, "drop": 0.02}, "a drop lies beyond the margin"),
        ({"accuracy": 0.8, "drop": float("nan")}, "drop must lie between"),
        ({"accuracy": 0.8, "flips": -0.1}, "flips must lie between"),
        ({"accuracy": 0.99, "flips": 0.5}, "at most 0.02, where 0.99 of the originals are right"),
        ({"accuracy": 0.1, "flips": 0.18, "drop": 0.1}, "at most 0.1, where .* and 0.1 is lost"),
        ({"accuracy": 0.8, "flips": 0.2, "changed": 0.1}, "at most 0.1, as the others don't"),
        ({"accuracy": 0.8, "versions": 0}, "versions and conditions are whole numbers from 1"),
        ({"accuracy": 0.8, "versions": 100, "conditions": 11}, "at most 1,000 versions"),
        ({"accuracy": 0.8, "originals": 1}, "originals must be at least 2"),
        ({"accuracy": 0.8, "drop": 0.9}, "0.9 can't be lost where 0.8"),
        ({"accuracy": 0.8, "power": 1}, "power must lie between"),
        ({"accuracy": 0.8, "width": 0, "lose": 0.1}, "a width is above 0"),
    ],
)
def test_numbers_that_cannot_be(options, words) -> None:
    with pytest.raises(UsageError, match=words):
        power(**options)


def test_a_pilot_without_a_changed_row_says_nothing(linked) -> None:
    rows = [{"id": at, "correct": 1} for at in range(9)]
    rows += [linked(str(at), "typos", status="no site", correct=1) for at in range(9)]
    with pytest.raises(UsageError, match="a row that an edit changed"):
        power(score(rows, metrics=METRICS))


def test_texts_that_stay_turn_no_answers() -> None:
    half, all_of_them = (power(accuracy=0.8, changed=share).designs[0] for share in (0.5, 1))
    assert half.flips == pytest.approx(all_of_them.flips / 2)
    assert power(accuracy=0.8, flips=0.1, changed=0.5).designs[0].flips == 0.1
    with pytest.raises(UsageError, match="changed must lie between 0 and 1; got 2"):
        power(accuracy=0.8, changed=2)


@pytest.mark.slow
def test_rows_say_how_many_texts_stay(command, write, linked) -> None:
    rows = [{**linked(str(at), "typos"), "text": "y"} for at in range(20)]
    stays = [{**linked(str(at), "typos"), "text": "y"} for at in range(20)]
    for row in stays[:15]:
        row["perturbation"] = {**row["perturbation"], "status": "drew zero", "edits": ""}
    plans = [
        json.loads(command("power", write(name, some), "--accuracy", "0.8", "--json"))
        for name, some in (("all", rows), ("few", stays))
    ]
    assert [plan["designs"][0]["flips"] for plan in plans] == pytest.approx([0.16, 0.04])


@pytest.mark.slow
def test_without_rows_there_is_no_question_to_count(command) -> None:
    with pytest.raises(UsageError, match="--prompt does nothing without FILE"):
        command("power", "--accuracy", "0.8", "--prompt", "nowhere.txt")


def test_the_command_counts_tokens_money_and_time(command, write, linked) -> None:
    rows = [{"id": at, "text": "x" * 400} for at in range(9)]
    rows += [{**linked(str(at), "typos"), "text": "y" * 400} for at in range(9)]
    options = ["--accuracy", "0.8", "--drop", "0.2", "--margin", "0", "--max-tokens", "50"]
    options += ["--price", "10,100", "--rpm", "60", "--json"]
    (need,) = json.loads(command("power", write("rows", rows), *options))["needs"]
    assert need["calls"] == 2 * need["originals"]
    tokens = need["tokens"] / need["calls"]
    assert tokens == pytest.approx(400 / 4 + 50, abs=12)  # and the frame of a message
    assert need["cost"] == pytest.approx(need["calls"] * (10 * (tokens - 50) + 100 * 50) / 1e6)
    assert need["minutes"] == pytest.approx(need["calls"] / 60)
    assert need["chance"] < 0.5  # nine originals are at hand


@pytest.mark.slow
def test_the_command_takes_the_tokens_and_the_time_of_a_pilot(command, write, pilot) -> None:
    rows = [
        {**row, "response": {"seed": None, "tokens": {"prompt": 30, "completion": 10}}}
        for row in pilot()
    ]
    entry = {"answer": "", "tokens": None, "finish": None, "refusal": None, "seconds": 6.0}
    entries = [{"journal": 2, "settings": {}}, {"key": "0", "digest": "", **entry, "attempts": 1}]
    path = write("answered.jsonl", rows)
    write("answered.jsonl.journal", entries)
    options = ["--score", "correct", "--drop", "0.1", "--concurrency", "4", "--json"]
    needs = json.loads(command("power", path, *options))["needs"]
    assert [need["tokens"] for need in needs] == [40 * need["calls"] for need in needs]
    assert [need["minutes"] for need in needs] == [need["calls"] / 40 for need in needs]


@pytest.mark.parametrize("name", ["accuracy", "flips", "changed", "clustering", "versions"])
def test_what_a_pilot_says_is_not_assumed_too(command, write, pilot, name) -> None:
    call = ("power", write("rows", [*pilot()]), "--score", "correct", f"--{name}", "1")
    with pytest.raises(UsageError, match=f"--{name} does nothing beside answers"):
        command(*call)


@pytest.mark.slow
def test_all_forms(command, write, pilot) -> None:
    path = write("rows", [*pilot()])
    for form, words in (
        ("table", "With a power of"),
        ("md", "| condition |"),
        ("csv", "harsh p=0.1,"),
    ):
        text = command("power", path, "--score", "correct", "--drop", "0.1", "--format", form)
        assert words in text


@pytest.mark.slow
@pytest.mark.parametrize(("margin", "drop"), [(0.02, 0.05), (0.05, 0.1), (0.2, 0.4)])
def test_a_drop_that_is_not_given_lies_beyond_the_margin(margin, drop):
    call = {"accuracy": 0.8, "lose": 0.05, "margin": margin}
    assert power(**call) == power(**call, drop=drop)
