"""Several right answers, of which any will do where a path names them, and lists that must be named."""

import pytest

from perturb.errors import DataError
from perturb.robustness.grading.chosen_option import chosen_option
from perturb.robustness.grading.grade import by_match, compared
from perturb.robustness.grading.option_labels import Options
from perturb.robustness.grading.reply_state import READ, REFUSED, reply_state


def score(match: str, reply: object, right: object) -> float:
    """The score of a reply to right answers that a path names."""
    ((scores, _),) = by_match(match, "said", "right[*]")([{"said": reply, "right[*]": right}])
    return scores[0]


@pytest.mark.parametrize("match", ["exact", "normalized", "contains", "f1"])
def test_a_text_is_as_right_as_the_best_of_several_right_answers(match: str) -> None:
    for reply in ("Seine", "the Seine"):
        assert score(match, reply, ["the Seine", "Seine", "Seine"]) == 1
    assert score(match, "Rhine", ["the Seine", "Seine"]) == 0
    assert score(match, None, ["the Seine", "Seine"]) == 0
    assert score(match, "Seine", []) == 0


@pytest.mark.parametrize("match", ["exact", "normalized", "contains", "f1", "rouge-l", "chrf"])
def test_an_abstention_is_right_where_there_is_no_right_answer(match: str) -> None:
    """As SQuAD 2 writes it, whose models say so in words."""
    for reply in ("", "unanswerable", "The passage does not say.", "I'm sorry, I can't answer."):
        assert score(match, reply, []) == 1
        assert score(match, reply, ["Seine"]) == 0 or match == "chrf"
    assert score(match, None, []) == 0
    assert score(match, "The passage does not say, but it's probably the Seine.", []) == 0


def test_a_refusal_is_read_where_there_is_no_right_answer() -> None:
    reply = "I'm sorry, I can't answer that."
    for right, state in (([], READ), (["Seine"], REFUSED)):
        row = {"said": reply, "right[*]": right}
        ((_, answer),) = by_match("exact", "said", "right[*]")([row])
        assert reply_state(row, reply, answer) == state


def test_the_best_is_the_lowest_of_error_rates() -> None:
    assert score("cer", "Seine", ["the Seine", "Seine"]) == 0


def test_the_nearest_of_several_embeddings_counts() -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.0] if "the" in text else [0.0, 1.0] for text in texts]

    rows = [{"said": said, "right[*]": ["the Seine", "Seine"]} for said in ("Seine", None, "the")]
    grade, _ = compared("embedding", "said", "right[*]", embed)
    graded = grade(rows)
    assert [scores[0] for scores, _ in graded] == pytest.approx([1, 0, 1])


def test_a_list_is_what_a_reply_must_name_in_full() -> None:
    for match, wanted in (("f1", 2 / 3), ("set", 0)):
        row = {"said": "a", "right": ["a", "b"]}
        ((scores, _),) = by_match(match, "said", "right")([row])
        assert scores[0] == pytest.approx(wanted)
    assert score("f1", ["a"], ["a", "b"]) == pytest.approx(2 / 3)
    with pytest.raises(DataError, match=r"or right\[\*\] if any of them is right"):
        [*by_match("exact", "said", "right")([row])]


@pytest.mark.parametrize("reply", ["2", r"\boxed{2}", "2.", "**2**", "C", "The answer is 2."])
def test_a_number_that_is_an_option_is_no_position(reply: str) -> None:
    options = Options(("A", "B", "C", "D"), ("4", "3", "2", "1"))
    assert chosen_option(reply, options) == 2
    assert chosen_option("7", options) is None
    assert chosen_option("2", Options(("A", "B"), ("$2", "$1.50"))) == 0
