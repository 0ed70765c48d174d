"""The checks of the contract suite fail where the contract is broken."""

import itertools
import pickle

import numpy as np
import pytest

import perturb
from perturb import testing
from perturb.engine.text.strings import column, packed, repeated
from perturb.pipeline.step import Step
from perturb.registry.registry import build_perturbator

CALLS = itertools.count()


def stateful(batch):
    """Writes what depends on how often it was called."""
    return batch.sites_where(
        "aeiou", lambda chosen: repeated("xyz"[next(CALLS) % 3], len(chosen.keys))
    )


def global_random(batch):
    """Draws from NumPy's global generator."""
    return batch.sites_where(
        "aeiou", lambda chosen: column(map(str, np.random.randint(0, 9, len(chosen.keys))))
    )


def neighbours(batch):
    """Looks at how many texts are in the batch."""
    return batch.sites_where(
        "aeiou", lambda chosen: repeated(str(len(batch.texts)), len(chosen.keys))
    )


def position(batch):
    """Draws from the place in the batch, not from the key."""
    return batch.sites_where(
        "aeiou", lambda chosen: packed(48 + chosen.texts.starts % 10, chosen.texts.lengths)
    )


def surrogate(batch):
    """Writes half a character."""
    return batch.sites_where("aeiou", lambda chosen: repeated("\ud83d", len(chosen.keys)))


def step(find):
    new = build_perturbator(
        "broken",
        find,
        unit="character",
        summary="Broken.",
        label_risk="low",
        source="",
        version=1,
        intensities=(0.1,) * 6,
    )
    return Step(new, 0.5)


@pytest.mark.parametrize(
    ("find", "check"),
    [
        (stateful, testing.check_independent),
        (stateful, testing.check_nested),
        (global_random, testing.check_global_state),
        (global_random, testing.check_edits_rebuild),
        (neighbours, testing.check_independent),
        (position, testing.check_independent),
        (surrogate, testing.check_clusters_whole),
    ],
)
def test_a_broken_perturbator_is_found(find, check) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check(step(find), 60)


def test_check_perturbator_takes_names_and_objects() -> None:
    testing.check_perturbator("identity", examples=2)
    loose = perturb.from_regex("loose_end", r"[.!]", lambda match, random: "!" * random.below(4))
    testing.check_perturbator(loose, examples=2)
    assert "loose_end" not in perturb.names()
    assert pickle.loads(pickle.dumps(perturb.from_regex("dots", r"\.", "..."))).name == "dots"
