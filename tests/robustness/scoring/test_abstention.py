"""Where nobody can know the answer: systems that say so, that invent one, and that say nothing else."""

import json

import pytest

import perturb
from perturb.robustness import compare, score
from perturb.robustness.tables.gate import gated, rule_of

LOST = perturb.from_regex("timeout", r"\d+ EUR", "503 Service Unavailable", expect="abstain")
UNKNOWN = "I can't answer, since the service returned an error."


def read(text, _):
    """Read the price of an order, or say that nobody can know it."""
    price = text.rpartition(": ")[2]
    return price.split()[0] if price.endswith("EUR") else UNKNOWN


def inventing(percent):
    """Return a system that invents a lost price in so many percent of the cases."""

    def answered(text, at):
        reply = read(text, at)
        return "12" if reply == UNKNOWN and 7 * at % 100 < percent else reply

    return answered


def asked(system, originals=200):
    """Return rows with the result of a tool, some of them lost, and what a system makes of each."""
    rows = [
        {"id": str(at), "text": f"Order {at}: {at + 20} EUR", "answer": str(at + 20)}
        for at in range(originals)
    ]
    steps = perturb.grid([LOST, "word_duplicate:count=1"], p=[1.0])
    made = perturb.augment(rows, steps, with_original=True)
    return [
        {**row, "prediction": system(row["text"], int(row["perturbation"]["original_id"]))}
        for row in made
    ]


def found(rows, **how):
    (one,) = [
        each
        for each in score(rows, **how).conditions
        if each.scope == "all" and each.expect == "abstain"
    ]
    return one


@pytest.mark.parametrize(
    ("percent", "verdict", "sentence"),
    [
        (0, "abstains", "Abstains in 100 % of cases under timeout p=1."),
        (2, "abstains", "Abstains in 98 % of cases under timeout p=1."),
        (13, "undecided", "Undecided under timeout (expect abstain)."),
        (40, "invents", "Invents an answer in 40 % of cases under timeout p=1."),
    ],
)
def test_the_verdict_says_how_often_an_answer_is_invented(percent, verdict, sentence):
    rows = asked(inventing(percent))
    one = found(rows)
    assert (one.verdict, one.reaction.control) == (verdict, "")
    assert one.difference == pytest.approx(1 - percent / 100)
    said = score(rows).sentence
    assert sentence in said
    assert "Holds under word_duplicate count=1." in said  # which is judged apart
    assert f"at least 0.1 of the answers counts: {percent / 100:.3f}, 95 % interval" in said
    assert ("more originals would decide the reaction" in said) == (verdict == "undecided")


def test_a_system_that_ignores_what_it_reads_invents_all():
    one = found(asked(lambda _, at: str(at + 20)))
    assert (one.verdict, one.difference) == ("invents", 0)


@pytest.mark.parametrize("constant", [UNKNOWN, "12"])
def test_a_constant_system_cannot_pass(constant):
    """Who always abstains would be right about every lost answer."""
    one = found(asked(lambda *_: constant))
    assert one.verdict in ("cannot judge", "invents")
    if constant == UNKNOWN:
        assert one.reason == "100 % of the clean replies are refusals"


def test_always_abstaining_in_other_words_cannot_be_judged():
    one = found(asked(lambda *_: "I don't know."))
    assert one.verdict == "cannot judge"
    assert one.reason == "no original is answered correctly: there is nothing to lose"


def test_words_that_decline_are_an_answer_but_a_filter_and_silence_are_none():
    rows = asked(read)
    for row in rows:
        if row["prediction"] == UNKNOWN and int(row["perturbation"]["original_id"]) % 2:
            row["prediction"] = None
    one = found(rows)
    assert (one.reaction.reaction, one.reaction.reacting) == (1.0, 100)
    assert one.verdict == "cannot judge"
    assert one.reason.startswith("50 % of the perturbed replies are without a reply or score: ")


@pytest.mark.parametrize("match", ["number", "contains", "f1"])
def test_every_way_to_compare_leaves_lost_answers_to_abstention(match):
    one = found(asked(inventing(40)), match=match)
    assert (one.verdict, one.difference) == ("invents", pytest.approx(0.6))


def test_scores_of_their_own_say_it_with_one():
    rows = asked(inventing(40))
    for row in rows:
        lost = row["perturbation"]["expect"] == "abstain"
        row["correct"] = row["prediction"] == (UNKNOWN if lost else row["answer"])
    one = found(rows, metrics={"correct": {"threshold": 1}})
    assert (one.verdict, one.difference) == ("invents", pytest.approx(0.6))


def test_at_least_moves_the_words():
    rows = asked(inventing(40))
    for least, word in ((0.3, "invents"), (0.4, "undecided"), (0.6, "abstains")):
        assert found(rows, at_least=least).verdict == word


def test_rules_ask_for_invented_answers():
    conditions = gated(score(asked(inventing(40))))
    for rule, holds in (
        ("invented>0.3", False),
        ("timeout p=1 (expect abstain): invented>0.4", True),
    ):
        failures = [one.failure for one in rule_of(rule).checked(conditions)]
        assert (failures == [""]) is holds
    assert failures == [""]
    assert "drop" in {name for one in conditions for name in one.values}


def test_two_systems_are_compared_by_how_often_they_abstain():
    result = compare(asked(read), asked(inventing(40)))
    one = next(each for each in result.conditions if each.expect == "abstain")
    assert (one.change_a, one.change_b) == (1.0, pytest.approx(0.6))
    assert one.verdict == "A abstains more"
    assert "A abstains more than B under timeout p=1 (-0.400)." in result.sentence


def test_rows_without_an_edit_keep_their_answer():
    """Nothing is lost in them, so they say nothing about abstaining."""
    rows = asked(inventing(40))
    kept = {"id": "kept", "text": "Order 5: free", "answer": "free"}
    made = perturb.augment([kept], perturb.grid([LOST], p=[1.0]), with_original=True)
    one = found([*rows, *({**row, "prediction": "free"} for row in made)])
    assert (one.difference, one.comparison.rows) == (pytest.approx(0.6), 201)


def planned(question, result, careful):
    """Look up the price of the dearest item of a tool's result, or what is left of it."""
    try:
        items = json.loads(result)["items"]
        return str(max(item["price"] for item in items))
    except (ValueError, KeyError, TypeError):
        numbers = [word for word in question.split() if word.isdigit()]
        return UNKNOWN if careful else numbers[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["error", "missing", "truncated"])
@pytest.mark.parametrize(("careful", "verdict"), [(True, "abstains"), (False, "invents")])
def test_a_planner_under_faults_of_its_tool(kind, careful, verdict):
    rows = []
    for at in range(60):
        items = [{"name": f"item {one}", "price": 3 * at + one} for one in range(3)]
        question = f"What does the dearest item of order {at} cost?"
        result = json.dumps({"order": at, "items": items})
        rows.append({"id": str(at), "q": question, "text": result, "answer": str(3 * at + 2)})
    steps = perturb.grid([f"tool_result:kind={kind}", "tool_result:kind=reordered"])
    lost = {f"tool_result:kind={kind}": "abstain", "tool_result:kind=reordered": "same"}
    made = list(perturb.augment(rows, steps, with_original=True, expect=lost))
    for row in made:
        row["prediction"] = planned(row["q"], row["text"], careful)
    one = found(made)
    assert (one.verdict, one.difference) == (verdict, float(careful))
    kept = next(each for each in score(made).conditions if each.expect == "same")
    assert (kept.difference, kept.comparison.changed) == (0, 60)
