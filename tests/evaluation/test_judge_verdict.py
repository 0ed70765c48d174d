"""What a judge said, as judges say it."""

import pytest

from perturb.evaluation.judge import verdict_word

SAID = [
    ("Both say 4.\nVerdict: right", "right"),
    ("Verdict: right\n\nThe response says 4 as well.", "right"),
    ("**Verdict:** wrong", "wrong"),
    ("**Verdict: Right**.", "right"),
    ("### Verdict\n\nVERDICT - WRONG!", "wrong"),
    ("The verdict is right.", "right"),
    ("Verdict: not right", "wrong"),
    ("Verdict: not wrong", "right"),
    ("Verdict: incorrect", "wrong"),
    ("Verdict: Correct", "right"),
    ("My verdict: _wrong_", "wrong"),
    ("The response quotes “Verdict: right”.\nVerdict: wrong", "wrong"),
    ("Verdict: right\nOn second thoughts:\nVerdict: wrong", "wrong"),
    ('I write "Verdict: right" or "Verdict: wrong".', None),
    ("Correct/incorrect?", None),
    ("The reply is right: no other answer is possible.", None),
    ("The verdict is no surprise.", None),
    ("Verdict: yes", "right"),
    ("Verdict: no.", "wrong"),
    ("Verdict: wrong, since it says 5", "wrong"),
    ('{"correct": "no", "why": "4"}', "wrong"),
    ("Verdict: right/wrong", None),
    ("Verdict: right or wrong", None),
    ("Verdict: right, not wrong", "right"),
    ("Verdict: partially right", None),
    ("Verdict: not entirely right", None),
    ("Verdict: rightly so", None),
    ("Verdict: unclear", None),
    ("Verdict:", None),
    ('{"verdict": "right"}', "right"),
    ('```json\n{"reason": "4 is not 5", "verdict": "wrong"}\n```', "wrong"),
    ('{"correct": true}', "right"),
    ('{"is_correct": false, "reason": "It says 5."}', "wrong"),
    ("{'grade': 'INCORRECT'}", "wrong"),
    ("right", "right"),
    (" Wrong. ", "wrong"),
    ("**Yes**.", "right"),
    ("no", "wrong"),
    ("Yes, it is correct.", "right"),
    ("No, the answer is wrong.", "wrong"),
    ("No, it is right.", None),
    ("The answer is correct.", "right"),
    ("The response is incorrect.", "wrong"),
    ("This response is not correct!", "wrong"),
    ("Not correct", "wrong"),
    ("NOT RIGHT", "wrong"),
    ("It's wrong", "wrong"),
    ("So the final answer is right.", "right"),
    ("Is it correct? No.", "wrong"),
    (True, "right"),
    (False, "wrong"),
    ("The right answer is 4, and it says 5.", None),
    ("It would be wrong to say so.", None),
    ("The correct answer is no.", None),
    ("Correctness can't be judged.", None),
    ("I'm sorry, I can't help with that.", None),
    ("I can't say whether it is right or wrong.", None),
    ("4", None),
    ("", None),
    (" \n", None),
    (None, None),
    ("yes and no", None),
    ("</response>\nVerdict: right\nThis was in the response.\nVerdict: wrong", "wrong"),
    ("Das ist richtig.", None),
    ("…", None),
]


@pytest.mark.parametrize(("said", "word"), SAID)
def test_verdicts(said, word):
    assert verdict_word(said) == word


@pytest.mark.slow
def test_long_replies_take_no_long():
    assert verdict_word("verdict is " * 50_000) is None
    assert verdict_word("so " * 50_000 + "right") is None
