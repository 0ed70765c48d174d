"""Each named intensity makes more edits than the one before it."""

import json
from itertools import pairwise

import pytest
from pages_shown import ROOT

import perturb
from perturb.registry.registry import lookup

QUESTIONS = [
    json.loads(line)["question"]
    for line in (ROOT / "examples" / "questions.jsonl").read_text("utf-8").splitlines()
]
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
