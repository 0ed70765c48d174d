"""Rounds of whole originals, and `evaluate` until the verdicts are decided."""

import itertools
from collections import Counter

import linkage
import numpy as np
import pytest

import perturb
from perturb.errors import DataError, UsageError
from perturb.evaluation import IncompleteError, decided, evaluate
from perturb.evaluation.stopping import fewest_robust, is_decided, is_over, rounds, states
from perturb.robustness import compare, score
from perturb.robustness.metrics.looks import Look, look_of

ROWS = [{"id": at, "text": f"one two number {at}", "answer": "one"} for at in range(400)]
NOISY = list(perturb.augment(ROWS, "char_delete", p=0.3, replicates=2, with_original=True))


def first_word(text):
    return text.split()[0]


def test_rounds_are_nested_and_whole_whatever_the_order_of_rows() -> None:
    plan = list(rounds(NOISY))
    assert [look for look, _ in plan] == [Look(number, 5) for number in range(1, 6)]
    assert [len(originals) for _, originals in plan] == [80, 160, 240, 320, 400]
    assert all(few < more for (_, few), (_, more) in itertools.pairwise(plan))
    assert list(rounds(NOISY[::-1])) == plan
    assert len(list(rounds(NOISY[:6]))) == 2  # two originals


def test_rounds_take_whole_clusters_and_what_joins_them() -> None:
    """Forty passages of ten originals; two documents join passages of one number modulo 20."""
    rows = [{**row, "passage": at // 3 % 40, "book": at // 3 % 20} for at, row in enumerate(NOISY)]
    of = {row["perturbation"]["original_id"]: row for row in rows}
    for fields, size in ((["passage"], 10), (["passage", "book"], 20)):
        plan = list(rounds(rows, fields))
        assert [len(originals) for _, originals in plan] == [80, 160, 240, 320, 400]
        for _, originals in plan:
            counts = Counter(of[name][fields[-1]] for name in originals)
            assert {*counts.values()} == {size}
        assert all(few < more for (_, few), (_, more) in itertools.pairwise(plan))
    with pytest.raises(DataError, match="no field 'chapter'"):
        list(rounds(rows, ["chapter"]))


@pytest.mark.parametrize(("less", "verdict"), [(0, "robust"), (1, "undecided")])
def test_a_condition_is_robust_from_so_many_originals_on(less, verdict) -> None:
    response = {"response": {"look": "5/5"}, "prediction": "one"}
    rows = [{**row, **response} for row in NOISY[: 3 * (fewest_robust() - less)]]
    assert {one.verdict for one in score(rows).conditions} == {verdict}


@pytest.mark.slow
def test_a_system_that_breaks_is_asked_few() -> None:
    calls = []
    answered = evaluate(
        lambda text: calls.append(text) or first_word(text), NOISY, until=decided(), concurrency=1
    )
    assert len(calls) == len(answered) == 3 * 80
    assert {row["response"]["look"] for row in answered} == {"1/5"}
    assert [row["id"] for row in answered] == [
        row["id"] for row in NOISY if row["id"] in {each["id"] for each in answered}
    ]
    verdict = score(answered)
    assert {finding.verdict for finding in verdict.conditions} == {"worse"}
    assert "look 1 of 5" in verdict.hints[-1]


@pytest.mark.slow
def test_a_question_that_may_yet_be_decided_is_asked_to_the_end() -> None:
    """Nothing turns, and within .06 lies what 54 originals of 60 show, within .05 what 64 would."""
    answered = evaluate(lambda _: "one", NOISY[:180], until=decided(margin=0.06))
    assert {row["response"]["look"] for row in answered} == {"5/5"}
    assert len(answered) == 180
    answered = evaluate(lambda _: "one", NOISY[:180], until=decided(margin=0.05))
    assert {row["response"]["look"] for row in answered} == {"2/5"}


@pytest.mark.slow
def test_what_is_waited_for() -> None:
    """Of conditions one breaks and one is too rare to judge; all together are decided."""
    rows, first = evaluate(first_word, NOISY), Look(1, 5)
    verdict = score(rows)
    for until in ("decided", "overall"):
        found = states(verdict, until, first)
        assert is_decided(found)
        assert is_over(found)
    few = states(score(rows[:9]), "decided", first)
    assert {state.finding.verdict for state in few} == {"undecided"}
    assert not is_decided(few)
    assert not is_over(few)
    wrong = states(score([{**row, "answer": "none"} for row in rows]), "overall", first)
    assert {state.finding.verdict for state in wrong} == {"cannot judge"}
    assert not is_decided(wrong)
    assert is_over(wrong)  # with 400 originals that are answered wrongly no more will help


@pytest.mark.slow
def test_a_look_says_of_each_condition_how_it_stands() -> None:
    rows = evaluate(first_word, NOISY)
    (state,) = states(score(rows), "decided", Look(2, 5))
    one = state.finding
    assert str(state) == f"worse ({one.difference:+.3f}, {one.low:+.3f} to {one.high:+.3f})"
    rows = [{**row, "prediction": None} for row in rows]
    (state,) = states(score(rows), "decided", Look(1, 5))
    assert str(state).startswith(
        "cannot judge, for good (100 % of the clean replies are without a reply or score"
    )


def turning(seed, each_way, loss, count):
    """Rows of originals that turn either way, whole or not at all, and lose so much beyond that."""
    chance, rows = np.random.default_rng(seed).random((2, count)), []
    for at in range(count):
        right = bool(chance[0, at] < 0.5)
        turns = bool(chance[1, at] < each_way + (2 * loss if right else 0))
        rows.append({"id": str(at), "answer": "a", "prediction": "ba"[right]})
        rows.append(
            linkage.row(str(at), "typos@1:p=0.1")
            | {"answer": "a", "prediction": "ba"[int(right != turns)]}
        )
    return rows


def run_until(rows, asking):
    """Whether a verdict came, and the share of the originals that were asked for it."""
    for look, originals in rounds(rows):
        some = [
            {**row, "response": {"look": str(look)}}
            for row in rows
            if row["id"].partition("#")[0] in originals
        ]
        found = states(score(some, margin=0.02), "decided", look)
        if is_decided(found) or (asking and is_over(found)):
            break
    return found[0].finding.verdict, look.number / look.planned


@pytest.mark.slow
def test_where_nothing_is_to_be_found_asking_stops_early_and_misses_hardly_anything() -> None:
    """24 sets in which a tenth of the answers turn either way, and 16 that lose .12."""
    null = [run_until(turning(seed, 0.1, 0.0, 100), True) for seed in range(24)]
    assert np.median([share for _, share in null]) <= 0.5
    assert sum(word in ("worse", "better") for word, _ in null) <= 4
    lost = [
        [run_until(turning(seed, 0.1, 0.06, 100), asking)[0] == "worse" for asking in (True, False)]
        for seed in range(100, 116)
    ]
    found, every = np.sum(lost, axis=0)
    assert 0 < every - 2 <= found


@pytest.mark.slow
def test_a_function_of_the_callers_may_say_when() -> None:
    seen = []
    answered = evaluate(
        first_word, NOISY, until=lambda rows: seen.append(len(rows)) or len(seen) == 3
    )
    assert seen == [240, 480, 720]
    assert len(answered) == 720


@pytest.mark.slow
def test_a_system_that_raises_leaves_the_answers_of_all_rounds() -> None:
    names = iter(range(300))

    def system(text):
        next(names)
        return first_word(text)

    with pytest.raises(IncompleteError) as error:
        evaluate(system, NOISY, until=lambda _: False, concurrency=1)
    assert len(error.value.rows) == 300
    assert error.value.rows[0]["response"]["look"] == "2/5"


def test_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="until must be decided or overall; got 'sure'"):
        decided("sure")
    with pytest.raises(DataError, match="the row has no 'perturbation'"):
        evaluate(first_word, [{"text": "a b", "answer": "a"}], until=decided())
    with pytest.raises(DataError, match="no row is perturbed"):
        evaluate(first_word, ROWS[:9], until=decided())


@pytest.mark.slow
def test_two_that_stopped_are_compared_by_the_stricter_look() -> None:
    """Of the rows that both have; the interval is wider than that of rows asked at once."""
    few = evaluate(first_word, NOISY, until=decided())
    many = evaluate(lambda text: "one", NOISY, until=lambda rows: len(rows) > 480)
    contrasts = compare(few, many)
    assert {look_of({row["response"]["look"] for row in rows}) for rows in (few, many)} == {
        Look(1, 5),
        Look(3, 5),
    }
    assert contrasts.hints[-1].startswith("Asking stopped at look 1 of 5")
    names = {row["id"] for row in few}
    plain = [
        [{**row, "response": {"seed": None}} for row in rows if row["id"] in names]
        for rows in (few, many)
    ]
    (stopped,), (at_once,) = contrasts.overall, compare(*plain).overall
    assert stopped.difference == at_once.difference
    assert stopped.low < at_once.low < at_once.high < stopped.high
