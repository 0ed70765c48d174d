"""Rounds of whole originals, and `evaluate` until the verdicts are decided."""

import itertools

import pytest

import perturb
from perturb.errors import DataError, UsageError
from perturb.evaluation import IncompleteError, decided, evaluate
from perturb.evaluation.stopping import is_decided, rounds
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


def test_a_question_that_stays_open_is_asked_to_the_end() -> None:
    """Of each original one version turns bad and one turns good, in too few to decide."""
    wrong = {f"{at}#" for at in range(0, 400, 9)}

    def system(row):
        return "two" if str(row["id"]).partition("#")[0] + "#" in wrong and "#" in str(
            row["id"]
        ) else "one"  # fmt: skip

    rows = [row for row in NOISY if not str(row["id"]).endswith("#1")]
    answered = evaluate(system, rows[:120], field=None, until=decided(margin=0.001))
    assert len(answered) == 120
    assert {row["response"]["look"] for row in answered} == {"5/5"}


def test_what_is_waited_for() -> None:
    """Of conditions one breaks and one is too rare to judge; all together are decided."""
    rows = evaluate(first_word, NOISY)
    verdict = score(rows)
    assert is_decided(verdict, "decided")
    assert is_decided(verdict, "overall")
    few = score(rows[:9])
    assert {finding.verdict for finding in few.conditions} == {"undecided"}
    assert not is_decided(few, "decided")
    wrong = score([{**row, "answer": "none"} for row in rows])
    assert {finding.verdict for finding in wrong.conditions} == {"cannot judge"}
    assert not is_decided(wrong, "overall")


def test_a_function_of_the_callers_may_say_when() -> None:
    seen = []
    answered = evaluate(
        first_word, NOISY, until=lambda rows: seen.append(len(rows)) or len(seen) == 3
    )
    assert seen == [240, 480, 720]
    assert len(answered) == 720


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
    with pytest.raises(UsageError, match="until is decided or overall; got 'sure'"):
        decided("sure")
    with pytest.raises(DataError, match="the row has no 'perturbation'"):
        evaluate(first_word, [{"text": "a b", "answer": "a"}], until=decided())
    with pytest.raises(DataError, match="no row is perturbed"):
        evaluate(first_word, ROWS[:9], until=decided())


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
