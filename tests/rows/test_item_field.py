"""Right answers that name whole items: words that passages have, flags, and numbers."""

import pytest

import perturb
from perturb.errors import DataError

CONTEXTS = ["Oslo is the capital.", "They say that it's Oslo.", "Bergen rains.", "Osloers."]


def test_an_answer_in_words_is_gone_with_every_passage_that_has_it() -> None:
    row = {"id": 1, "contexts": CONTEXTS, "gold": 0, "answer": "Oslo"}
    options = {"choices": "contexts", "target": ["gold", "answer"]}
    (left,) = perturb.augment([row], "passages:kind=drop_gold", p=1, **options)
    assert (left["contexts"], left["answer"]) == (CONTEXTS[2:], "Oslo")
    assert perturb.restored(left) == row


@pytest.mark.parametrize("gold", [[0, 1], [1, 0], [0]])
def test_flags_that_may_be_numbers_are_asked_about(gold) -> None:
    row = {"id": 1, "contexts": CONTEXTS[: len(gold)], "gold": gold}
    with pytest.raises(DataError, match=r"may be the numbers of items or a flag for each"):
        list(perturb.augment([row], "passages", p=1, choices="contexts", target="gold"))
    for same in ({"choices": "0=contexts"}, {"gold": [each == 1 for each in gold]}):
        named = {"choices": "contexts", **same}
        made = perturb.augment(
            [row | named], "passages", p=1, choices=named["choices"], target="gold"
        )
        assert len(list(made)) == 1
