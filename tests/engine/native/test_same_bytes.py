"""Every perturbator gives the same with the kernels and without."""

import pytest
from cases import SENTENCE
from ways import WAYS

import perturb

TEXTS = [
    SENTENCE,
    'On 3.14 at 12:30 she paid $5, or 7x7; "don\'t" write to a@b.example or https://x.example/?q=1.',
    "",
    "First line.\r\nSecond line, 10%!\n\nA) one\nB) two\nC) three",
    "Žluťoučký kůň úpěl ďábelské ódy: naïve café, Straße.",
    "Привет, мир! Сегодня 12 июля. Γειά σου Κόσμε. 日本語のテキストです。",
    "The doctor bought a big house because he doesn't like cold winters. It was expensive!" * 3,
]


@pytest.mark.parametrize("spec", WAYS)
def test_the_same_with_the_kernels_and_without(compiled, using, spec) -> None:
    made = []
    for each in (compiled, None):
        with using(each):
            records = perturb.apply(TEXTS, spec, p=0.3, seed=5)
            made.append([(record.text, record.edits, record.steps) for record in records])
    assert made[0] == made[1]
