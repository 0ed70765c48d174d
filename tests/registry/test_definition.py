"""A perturbator's words are out of closed vocabularies, and its parameters have names of their own."""

import pytest

import perturb
from perturb.registry.definition import RESERVED, TOUCHES
from perturb.registry.making import build_perturbator


def find(batch):
    return batch.sites_where("aeiou")


def build(find=find, **given):
    words = {"unit": "character", "summary": "Probe.", "label_risk": "low", "source": ""}
    scale = {"version": 1, "intensities": (0.1,) * 6}
    return build_perturbator("probe", find, **{**words, **scale, **given})


def test_what_is_not_declared_is_assumed() -> None:
    """Any language, and everything may be touched: a filter must not let it through."""
    assert build().languages == ("any",)
    assert build().touches == {*TOUCHES}
    loose = perturb.from_regex("loose", "a", str)
    assert (loose.languages, loose.touches) == (("any",), {*TOUCHES})


def test_what_is_declared_is_kept() -> None:
    made = perturb.from_regex("kept", "a", str, languages=["de", "en"], touches={"letters"})
    assert (made.languages, made.touches) == (("de", "en"), {"letters"})
    assert build(touches=()).touches == frozenset()


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"languages": "en"}, TypeError, r"probe: languages must be a collection such as \('en',\); got 'en'"),
        ({"languages": ("english",)}, perturb.UsageError, "'english' isn't an ISO 639-1 language code"),
        ({"languages": ("en", "any")}, perturb.UsageError, 'or \\("any",\\); got'),
        ({"languages": ()}, perturb.UsageError, "languages must be like"),
        ({"touches": "digits"}, TypeError, "probe: touches must be a collection"),
        ({"touches": ("digit",)}, perturb.UsageError, "touches must be one of digits, letters.*got 'digit'"),
        ({"unit": "sentences"}, perturb.UsageError, "unit must be one of character.*got 'sentences'"),
    ],
)  # fmt: skip
def test_other_words_are_refused(given, error, message) -> None:
    with pytest.raises(error, match=message):
        build(**given)


@pytest.mark.parametrize("name", sorted(RESERVED - {"batch"}))
def test_reserved_names_are_refused(name) -> None:
    """The value of such a parameter would go to perturb, and never arrive."""
    scope = {}
    exec(f"def probe(batch, *, {name}=None): return batch.sites_where('a')", scope)
    with pytest.raises(perturb.UsageError, match=f"reserves the name '{name}'.*count, "):
        build(scope["probe"])


def test_every_keyword_of_apply_and_augment_is_reserved() -> None:
    from inspect import signature

    keywords = {*signature(perturb.apply).parameters, *signature(perturb.augment).parameters}
    assert keywords <= RESERVED


def test_describe_says_languages_and_touches() -> None:
    said = perturb.describe("identity")
    assert set(said["touches"]) <= {*TOUCHES}
    assert said["languages"]
