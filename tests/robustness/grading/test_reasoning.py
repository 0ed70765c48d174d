"""Replies with reasoning before them: each way to grade reads what stands behind it."""

import pytest

from perturb.evaluation.judge import Judge, judge_prompt, verdict_word
from perturb.robustness import score
from perturb.robustness.grading.extract import extractor, graded
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.linking.sources import listed_source

REASONING = "<think>It is 5, or (B) red, since red is right.</think>"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (f"{REASONING}\n\n7", "7"),
        ("It is 5.</think>7", "7"),  # the template had the first tag
        ("<Thinking>5</Thinking> 7 <thinking>5</thinking>8", "8"),
        ("[THINK]5[/THINK]7", "7"),
        ("<|channel|>analysis<|message|>5<|end|><|channel|>final<|message|>7", "7"),
        ("  <think>5, or 7", None),
        (f"{REASONING} ", None),
        ("a < b, so <b>7</b> [1]", "a < b, so <b>7</b> [1]"),
        ("I <think> so", "I <think> so"),
        (None, None),
        (7, 7),
        (["a</think>b"], ["a</think>b"]),
    ],
)
def test_what_stands_behind(reply, told) -> None:
    assert behind_reasoning(reply) == told


WAYS = {
    "exact": ("7", "7", "8"),
    "contains": ("5", "It is 5.", "It is 7."),
    "number": ("7", "So 7.", "So 8."),
    "choice": ("A", "A", "B"),
    "regex:([578])": ("7", "7", "8"),
    "f1": ("red hens", "red hens", "blue ducks"),
    "corpus-wer": ("red hens", "red hens", "blue ducks"),
}


@pytest.mark.parametrize("options", [{}, {"against": "original"}])
@pytest.mark.parametrize("match", WAYS)
def test_each_way_grades_as_if_there_were_none(match, options, linked) -> None:
    target, right, wrong = WAYS[match]

    def rows(before):
        for at in range(40):
            replies = [right, wrong if at % 4 == 0 else right]
            plain = {"target": target, "question": "Which?\nA) blue\nB) red"}
            for row, reply in zip(({"id": at}, linked(str(at), "mild")), replies, strict=True):
                yield {**row, **plain, "prediction": f"{before}{reply}"}

    given = {"match": match, "range": (0, 3) if match == "corpus-wer" else None, **options}
    if not options:
        given["target"] = "target"
    given = {name: value for name, value in given.items() if value is not None}
    plain, reasoned = (score([*rows(before)], **given) for before in ("", REASONING))
    assert reasoned.to_dict() == plain.to_dict()


def test_a_reply_that_ends_within_is_cut_off(linked) -> None:
    """It holds the right answer, and gives none."""
    rows = [{"id": at, "prediction": "5", "target": "5"} for at in range(40)]
    rows += [linked(str(at), "mild", prediction="<think>5", target="5") for at in range(40)]
    verdict = score(rows, target="target", match="contains")
    assert any("40 truncated of 40" in hint for hint in verdict.hints)


def test_a_refusal_behind_reasoning_is_one(linked) -> None:
    rows = [{"id": at, "prediction": "5", "target": "5"} for at in range(40)]
    said = f"{REASONING} I'm sorry, I can't help with that."
    rows += [linked(str(at), "mild", prediction=said, target="5") for at in range(40)]
    verdict = score(rows, target="target", match="number")
    assert any("40 refusals of 40" in hint for hint in verdict.hints)


def test_a_judge_sees_what_stands_behind() -> None:
    rows = [{"prediction": f"<think>{at}</think>7", "target": "7"} for at in range(3)]
    judge = Judge(judge_prompt(None), "prediction", "target")
    (question,) = judge.questions([listed_source(rows)])
    assert "think" not in str(question.content)


def test_a_judge_and_an_extracted_answer_may_have_it_too() -> None:
    assert verdict_word("<think>Verdict: right\n</think>wrong") == "wrong"
    assert graded(f"{REASONING}\nSo 7.", "7", extractor(["number"])) == ("7", True)
    assert graded("<think>So 7.", "7", extractor(["number"])) == (None, False)
