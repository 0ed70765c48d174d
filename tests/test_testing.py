"""The checks of the contract suite fail where the contract is broken."""

import itertools
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import perturb
from perturb import Record, testing
from perturb.engine.text.strings import column, packed, repeated
from perturb.pipeline.step import Step
from perturb.registry.making import build_perturbator
from perturb.testing import declared

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


def digits(batch):
    """Writes a digit, though it says that it touches none."""
    return batch.sites_where("aeiou", lambda chosen: repeated("7", len(chosen.keys)))


def any_language(batch):
    """Edits whatever the language, though it declares one."""
    return batch.sites_where("aeiou", lambda chosen: repeated("*", len(chosen.keys)))


def step(find, **said):
    new = build_perturbator(
        "broken",
        find,
        unit="character",
        summary="Broken.",
        label_risk="low",
        source="",
        version=1,
        **{"intensities": (0.1,) * 6, **said},
    )
    return Step(new, 0.5)


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("find", "said", "check"),
    [
        (digits, {"touches": ("letters",)}, testing.check_digits_stay),
        (any_language, {"languages": ("en",)}, testing.check_languages),
        (
            any_language,
            {"intensities": (0.1, 0.2, 0.5, 0.7, 0.8, 1.0)},
            testing.check_intensities_differ,
        ),
    ],
)
def test_a_false_statement_is_found(find, said, check) -> None:
    """The same perturbator passes where it says nothing wrong of itself."""
    check(step(find), 5)
    with pytest.raises(AssertionError):
        check(step(find, **said), 5)


def test_a_language_that_was_not_asked_for_is_found() -> None:
    """With a parameter `language`, what a perturbator writes as it comes is its first language."""

    def german(batch, *, language="auto"):
        return batch.sites_where("ß", lambda chosen: repeated("s", len(chosen.keys)))

    testing.check_languages(step(german, languages=("de", "en")), 5)
    with pytest.raises(AssertionError):
        testing.check_languages(step(german, languages=("en", "de")), 5)


def test_records_of_two_types_are_found(monkeypatch) -> None:
    said = Record.to_dict

    def other(record):
        row = said(record)
        if record.edits:
            row["perturbation"]["edits"] = len(record.edits)
        return row

    testing.check_types(step(any_language), 5)
    monkeypatch.setattr(Record, "to_dict", other)
    with pytest.raises(perturb.DataError, match="needs a string in 'edits'"):
        testing.check_types(step(any_language), 5)


def test_a_status_that_is_not_so_is_found(monkeypatch) -> None:
    testing.check_status(step(any_language), 5)
    monkeypatch.setattr(Record, "status", "changed")
    with pytest.raises(AssertionError):
        testing.check_status(step(any_language), 5)


def forged(one, **changes):
    """Return what the check reads of a record, with other numbers in its step."""
    taken = one.steps[0]._replace(**changes)
    return SimpleNamespace(steps=(taken,), edits=one.edits, sites=one.sites, units=taken.units)


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["a share of all units", "too few closed", "protected"])
def test_units_that_are_not_open_are_found(broken, monkeypatch) -> None:
    """A share of all units, a wrong number of closed ones, and an edit of what is protected."""
    testing.check_open_units(step(any_language), 5)

    def apply(texts, steps, **given):
        records = perturb.apply(texts, steps, **given)
        free = perturb.apply(texts, steps, id=given["id"])
        if "protect" not in given or broken == "protected":
            return free
        if broken == "too few closed":
            return [forged(one, closed=one.steps[0].closed - 1) for one in records]
        pairs = zip(records, free, strict=True)
        return [forged(one, edits=was.steps[0].edits) for one, was in pairs]

    monkeypatch.setattr(declared, "apply", apply)
    with pytest.raises(AssertionError):
        testing.check_open_units(step(any_language), 5)


@pytest.mark.slow
def test_check_perturbator_takes_names_and_objects() -> None:
    testing.check_perturbator("identity", examples=2)
    loose = perturb.from_regex("loose_end", r"[.!]", lambda match, random: "!" * random.below(4))
    testing.check_perturbator(loose, examples=2)
    assert "loose_end" not in perturb.names()
    assert pickle.loads(pickle.dumps(perturb.from_regex("dots", r"\.", "..."))).name == "dots"
