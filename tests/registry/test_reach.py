"""The share of texts that a step changes is what anyone counts, and every door states it."""

import pytest
import reach as benchmark
from common import read_result

import perturb
from perturb.cli.list import texts_changed
from perturb.registry.registry import MODULE_OF

NAMES = [name for name in perturb.names() if name in MODULE_OF]
CLASSES = benchmark.classes()
# One that always changes, those on meaning and on names, and one that needs options.
FEW = "keyboard_typos", "synonym", "name_swap", "entity_swap", "negation", "option_shuffle"


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in FEW)) for n in NAMES]
)
def test_what_is_stated_is_what_is_counted(name) -> None:
    """If it is not: python benchmarks/reach.py, scripts/described.py, wordlists/build/hashes.py."""
    counted = {kind: benchmark.shares(name, CLASSES[kind]) for kind in sorted(CLASSES)}
    assert perturb.describe(name)["reach"] == counted
    assert read_result("reach")["reach"][name] == counted


def test_shares() -> None:
    """Words that are put in change no word; white space changes the text; an edit one word."""
    texts = ["Does the cat sleep? The cat sleeps.", "Yes."]
    assert benchmark.shares("identity", texts) == {"texts": 0.0, "words": 0.0}
    assert benchmark.shares("add_context", texts) == {"texts": 1.0, "words": 0.0}
    assert benchmark.shares("edge_whitespace", texts) == {"texts": 1.0, "words": 0.0}
    assert benchmark.shares("case:style=upper", texts) == {"texts": 1.0, "words": 1.0}
    assert benchmark.shares("word_swap", ["one two", "three"]) == {"texts": 0.5, "words": 0.333}


def test_the_list_has_the_least_and_the_most() -> None:
    for texts, said in (((), "-"), ((1.0, 1.0), "100%"), ((0.25, 0.0, 0.9), "0-90%")):
        reach = {str(place): {"texts": share} for place, share in enumerate(texts)}
        assert texts_changed({"reach": reach}) == said
