"""Every registered perturbator keeps the contract, and gives the bytes that it gave before."""

import random

import pytest
from cases import CASES, FIRST, SENTENCE, SPECS
from ways import WAYS

import perturb
from perturb import testing
from perturb.pipeline.pipeline import Pipeline
from perturb.testing import checks

# All but the one that starts a process: that one is shared by all of them.
CHECKS = [check for check in testing.CHECKS if check is not testing.check_other_process]


@pytest.mark.slow
@pytest.mark.parametrize("spec", WAYS)
def test_contract(spec: str, examples: int, in_full: bool) -> None:
    """In the reduced size, other parameters see fewer texts, and not the one of 1 MB."""
    step, reduced = Pipeline.of(spec).steps[0], not in_full and spec not in FIRST
    for check in CHECKS:
        if not (reduced and check is testing.check_large):
            check(step, examples // 3 if reduced else examples)


# Each could go on in many another: a city in a country, a title in a name, a number in a list.
PIECES = [
    *("Visit Oslo,", "Munich", "Norway,", "is in Germany", "Dr.", "Young went", "Mr.", "Brown met"),
    *("Clark v.", "Ann lost", "St.", "John came", "by Blake,", "A. Tom saw", "J. Smith", "King"),
    *("of France", "Romeo and", "Juliet", "see p.", "7 eggs", "No.", "12 men", "the case 272,"),
    *("275 pages", "275, 280 pages", "on May 5,", "1776 it", ", 1776", "in 1990,", " 12 eggs"),
    *("HE", "(HE) came", "she has", "not", "error", "404", "Port", "80", "539 U. S.", "at 326"),
    *(
        "US$",
        "20 km",
        "five",
        "hundred",
        "http://",
        "a.b",
        "c-",
        "-d",
        "do",
        "n't",
        "his",
        "own dog",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_no_text_depends_on_its_neighbours(spec: str) -> None:
    texts = random.Random(7).choices(PIECES, k=3 * len(PIECES))
    numbers = list(map(str, range(len(texts))))
    together = perturb.apply(texts, spec, p=1, id=numbers)
    alone = [perturb.apply(text, spec, p=1, id=at) for text, at in zip(texts, numbers, strict=True)]
    assert list(map(str, together)) == list(map(str, alone))


@pytest.mark.parametrize("name", sorted(set(perturb.names()) - set(SPECS)))
def test_a_perturbator_as_it_comes_is_what_it_says(name: str) -> None:
    """Of those that the cases have with parameters only."""
    step = Pipeline.of(name).steps[0]
    for check in (
        testing.check_digits_stay,
        testing.check_languages,
        testing.check_intensities_differ,
        testing.check_status,
    ):
        check(step, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "specs",
    [
        pytest.param(sorted(FIRST), id="first"),
        pytest.param(
            [one for one in SPECS if one not in FIRST], id="others", marks=pytest.mark.slow
        ),
    ],
)
def test_another_process_gives_the_same_bytes(specs) -> None:
    steps = [Pipeline.of(spec).steps[0] for spec in specs]
    assert checks._differing_elsewhere(steps) == []


@pytest.mark.parametrize("case", CASES, ids=SPECS)
def test_golden(case) -> None:
    """A change here is a new version of the perturbator, or of the contract."""
    assert str(perturb.apply(SENTENCE, case.spec, p=0.2, seed=1)) == case.golden


def test_every_perturbator_has_a_case() -> None:
    assert {spec.partition(":")[0] for spec in SPECS} == set(perturb.names())


@pytest.mark.parametrize("name", perturb.names())
def test_every_perturbator_is_described(name: str) -> None:
    said = perturb.describe(name)
    assert said["summary"].endswith(".")
    assert said["source"]
    for parameter in said["parameters"]:
        assert f"    {parameter}: " in said["doc"], (name, parameter)
    sites = perturb.registry.registry.lookup(name)(perturb.engine.batch.Batch.of(["a b"]))
    assert sites.unit == said["unit"]


@pytest.mark.parametrize("alias", perturb.registry.registry.aliases())
def test_an_alias_is_its_perturbator_with_parameters(alias: str) -> None:
    name, parameters = perturb.registry.registry.aliases()[alias]
    by_alias = perturb.apply(SENTENCE, alias, p=0.2)
    by_name = perturb.apply(SENTENCE, {"name": name, "p": 0.2, "params": parameters})
    assert (by_alias.text, by_alias.steps) == (by_name.text, by_name.steps)
    assert by_alias.steps[0].name == name
    assert by_alias.condition == f"{alias}:p=0.2"
