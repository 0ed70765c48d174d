"""Right answers that are yes or no, and what replies say of them."""

import pytest

import perturb
from perturb.evaluation.suites import looked_at
from perturb.robustness import score
from perturb.robustness.grading.choice import by_choice
from perturb.robustness.grading.said_truth import TRUTHS, said_truth

SAID = {
    "yes": [
        "Yes.",
        "YES",
        "yes it is, since 1990",
        "True",
        "**Yes**, because the passage says so.",
        "The passage names both. So the answer is yes.",
        "It is true.",
        "The claim is not false.",
        "I think yes.",
        "\\boxed{\\text{Yes}}",
        "<answer>yes</answer> though some say no.",
        "No wonder is expected here. The answer is: Yes",
        "Yes — there is no doubt.",
    ],
    "no": [
        "No",
        "no, it isn't.",
        "False.",
        "The statement is false.",
        "That is not true.",
        "Answer: No. Yes would need a source.",
        "No there is not",
        "I don't think the answer is yes. The answer is no.",
    ],
    "maybe": ["Maybe.", "The answer is maybe, as the samples are small."],
    None: [
        "",
        "No idea.",
        "Yes and no.",
        "There is no evidence of that.",
        "It is no later than June.",
        "yesterday",
        "I can't say whether it is true.",
        "The truth is out there.",
        "Nope, never heard",
    ],
}


@pytest.mark.parametrize(
    ("said", "reply"), [(said, reply) for said in SAID for reply in SAID[said]]
)
def test_a_reply(said, reply):
    assert said_truth(reply) == (None if said is None else TRUTHS.index(said))


@pytest.mark.parametrize("right", [True, "true", "Yes", "yes "])
def test_right_answers_of_any_spelling(right):
    replies = {"Yes.": 1.0, "true": 1.0, "No, it is false.": 0.0, "Who knows?": 0.0}
    for reply, value in replies.items():
        row = {"question": "is it", "prediction": reply, "answer": right}
        assert by_choice(row, "prediction", "answer")[0] == value


def test_options_come_before_words():
    """A question that lists the words as options is answered by its labels."""
    row = {"question": "Is it?\nA. no\nB. yes", "prediction": "B", "answer": "yes"}
    assert by_choice(row, "prediction", "answer") == (1.0, "yes")


def test_rows_of_yes_and_no_are_known():
    rows = [{"question": "is it", "answer": right} for right in (True, False)]
    assert looked_at(rows, None, None).match == "choice"
    rows[0]["answer"] = "perhaps"
    assert looked_at(rows, None, None).match == "exact"


def test_parts_of_a_message_are_no_options():
    """The text of an original is that of its parts, not the parts as Python writes them."""
    parts = [
        {"type": "text", "text": "Is it a cat?"},
        {"type": "image_url", "image_url": {"url": "cat.png"}},
    ]
    rows = [
        {"id": at, "messages": [{"role": "user", "content": parts}], "answer": "yes"}
        for at in range(6)
    ]
    kind = looked_at(rows, None, None)
    assert (kind.kind, kind.match) == ("chats", "choice")
    made = perturb.augment(rows, "char_swap", field=kind.field, p=0.4, with_original=True)
    verdict = score([{**row, "prediction": "Yes."} for row in made], match="choice")
    assert verdict.overall[0].comparison.clean_mean == 1
