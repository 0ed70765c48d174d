"""Each named intensity makes more edits than the one before it."""

from itertools import pairwise

import pytest
from cases import CASES
from lines import EXAMPLES, rows_in

import perturb
from perturb.registry.registry import lookup

QUESTIONS = [row["question"] for row in rows_in(EXAMPLES)]
NAMES = [
    name
    for name in perturb.names()
    if len(set(lookup(name).intensities.values())) > 1 and name != "identity"
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_every_intensity_differs(name) -> None:
    found = lookup(name)
    assert len(set(found.intensities.values())) == 6
    texts = [*QUESTIONS, *[found.example] * 60]
    ids = list(range(len(texts)))
    made = [
        sum(len(one.edits) for one in perturb.apply(texts, name, intensity=intensity, id=ids))
        for intensity in found.intensities
    ]
    assert all(more > less for less, more in pairwise(made)), made


CHANCY = (
    "who sings the song on the radio",
    "spiderman rocks",
    "He ran to the shop and eats apples.",
    "hi",
    "12345",
    "",
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec)
def test_where_chance_decides_no_site_is_not_the_reason(case):
    """A text has sites under every seed or under none; else some drew zero."""
    made = [perturb.apply(CHANCY, case.spec, p=1.0, seed=seed) for seed in range(6)]
    for statuses in zip(*([one.status for one in row] for row in made), strict=True):
        assert "no site" not in statuses or set(statuses) == {"no site"}
